"""A connection without a socket: two protocols in one process, joined so that each reads what the other writes.

Local play runs through it, so that a solo game and a network game are one code path; so do the server's tests.
"""

from __future__ import annotations

import asyncio
from typing import Any


class MemoryTransport(asyncio.Transport):
    """One end of the pair. What is written arrives in the next turn of the loop, in order, until either end closes."""

    def __init__(self, loop: asyncio.AbstractEventLoop, own: asyncio.Protocol) -> None:
        super().__init__({"peername": None})
        self._loop = loop
        self._own = own
        self._peer: MemoryTransport | None = None
        self._closing = False
        self._lost = False

    def join(self, peer: MemoryTransport) -> None:
        """Say which end reads what this one writes."""
        self._peer = peer

    def write(self, data: bytes | bytearray | memoryview[Any]) -> None:
        """Send bytes to the other end."""
        if not self._closing and self._peer is not None:
            self._loop.call_soon(self._peer.deliver, bytes(data))

    def deliver(self, data: bytes) -> None:
        """Hand bytes of the other end to this end's protocol."""
        if not self._lost:
            self._own.data_received(data)

    def close(self) -> None:
        """Close both ends, after what was written has arrived."""
        if self._closing:
            return
        self._closing = True
        self._loop.call_soon(self.lose)
        if self._peer is not None:
            self._loop.call_soon(self._peer.lose)

    def abort(self) -> None:
        """Close both ends."""
        self.close()

    def lose(self) -> None:
        """Tell this end's protocol, once, that the connection is gone."""
        self._closing = True
        if not self._lost:
            self._lost = True
            self._own.connection_lost(None)

    def is_closing(self) -> bool:
        """Return whether this end is closed or about to be."""
        return self._closing

    def get_write_buffer_size(self) -> int:
        """Return 0: nothing ever waits here."""
        return 0

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """Do nothing: writing is never paused."""

    def pause_reading(self) -> None:
        """Do nothing: a peer in this process always reads."""

    def resume_reading(self) -> None:
        """Do nothing, as `pause_reading`."""


def connect_in_memory(server: asyncio.Protocol, client: asyncio.Protocol) -> asyncio.Transport:
    """Join two protocols and return the client's transport. Call it in the running loop of both."""
    loop = asyncio.get_running_loop()
    client_end = MemoryTransport(loop, client)
    server_end = MemoryTransport(loop, server)
    client_end.join(server_end)
    server_end.join(client_end)
    server.connection_made(server_end)
    client.connection_made(client_end)
    return client_end
