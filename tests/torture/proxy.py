"""A TCP proxy that can stop passing bytes on, in one direction or both, and says nothing about it: half-open TCP."""

from __future__ import annotations

import asyncio
from typing import Literal

from tests.torture.line import HOST

Cut = Literal["up", "down", "both"]
"""What is dropped: from the client to the server, the other way, or either."""
CUTS: tuple[Cut, ...] = ("up", "down", "both")


class _End(asyncio.Protocol):
    """One end of a proxied connection; what it gets goes to the other."""

    def __init__(self, proxy: DroppingProxy, *, is_client: bool) -> None:
        self.proxy = proxy
        self.is_client = is_client
        self.other: _End | None = None
        self.transport: asyncio.Transport | None = None
        self.generation = proxy.generation
        self._early: list[bytes] = []
        self._connecting: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.proxy.ends.add(self)
        if not self.is_client:
            return
        if self.proxy.refuses:
            self.proxy.refused += 1
            transport.abort()
        else:
            self._connecting = asyncio.get_running_loop().create_task(self._connect())

    async def _connect(self) -> None:
        server = _End(self.proxy, is_client=False)
        server.other, self.other = self, server
        await asyncio.get_running_loop().create_connection(lambda: server, HOST, self.proxy.target)
        for data in self._early:
            self.data_received(data)

    def data_received(self, data: bytes) -> None:
        if self._is_cut():
            self.proxy.dropped_bytes += len(data)
        elif self.other is None or self.other.transport is None:
            self._early.append(data)
        else:
            self.other.transport.write(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self.proxy.ends.discard(self)
        if not self._is_cut() and self.other is not None and self.other.transport is not None:
            self.other.transport.close()

    def _is_cut(self) -> bool:
        """Whether what comes from this end is dropped. A connection that was cut once stays so."""
        cut = self.proxy.cut if self.generation == self.proxy.generation else "both"
        return cut == "both" or cut == ("up" if self.is_client else "down")


class DroppingProxy:
    """Passes connections on to a port of loopback until it is told not to."""

    def __init__(self, target: int) -> None:
        self.target = target
        self.port = 0
        self.cut: Cut | None = None
        self.refuses = False
        """Whether new connections are ended at once."""
        self.generation = 0
        self.refused = 0
        self.dropped_bytes = 0
        self.ends: set[_End] = set()
        self._server: asyncio.Server | None = None

    async def open(self) -> None:
        """Listen."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: _End(self, is_client=True), HOST, 0)
        self.port = self._server.sockets[0].getsockname()[1]

    def heal(self) -> None:
        """Pass everything on again that comes over new connections; those from before stay as dead as they were."""
        self.generation += 1
        self.cut = None
        self.refuses = False

    def close(self) -> None:
        """End everything."""
        if self._server is not None:
            self._server.close()
        for end in list(self.ends):
            if end.transport is not None:
                end.transport.abort()
