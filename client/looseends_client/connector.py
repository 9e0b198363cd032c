"""How a client reaches a server: something that joins a protocol to a transport.

TCP is here; in memory it is whoever has a server that makes one. Nothing here knows what travels.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Awaitable, Callable

Connector = Callable[[Callable[[], asyncio.Protocol]], Awaitable[asyncio.Transport]]
"""Joins a fresh protocol to a server and returns its transport. Raises OSError where the server cannot be reached."""

CONNECT_SECONDS = 15.0
"""How long a connection attempt may take: the time that a server gives a handshake."""


def tcp_connector(host: str, port: int, tls: ssl.SSLContext | None = None) -> Connector:
    """Return a connector to a TCP port, with TLS where a context is given."""

    async def connect(make: Callable[[], asyncio.Protocol]) -> asyncio.Transport:
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(CONNECT_SECONDS):
            transport, _ = await loop.create_connection(make, host, port, ssl=tls)
        return transport

    return connect
