"""Real sockets for tests in the server's own loop: opened, waited for, and closed again."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Callable

from tests.server.peers import settled


class Line:
    """A connection to a port of this machine."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    def write(self, data: bytes) -> None:
        self._writer.write(data)

    async def rest(self) -> bytes:
        """Return everything until the other side ends the connection."""
        async with asyncio.timeout(10):
            try:
                return await self._reader.read()
            except ConnectionError:
                return b""

    async def close(self) -> None:
        self._writer.close()
        with contextlib.suppress(ConnectionError, ssl.SSLError):
            await self._writer.wait_closed()


@contextlib.asynccontextmanager
async def connected(port: int, tls: ssl.SSLContext | None = None) -> AsyncIterator[Line]:
    line = Line(*await asyncio.open_connection("127.0.0.1", port, ssl=tls))
    try:
        yield line
    finally:
        await line.close()


async def until(fact: Callable[[], object]) -> None:
    """Return when a fact holds. Fails after ten seconds."""
    async with asyncio.timeout(10):
        while not fact():
            await settled(1)
