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


def host_and_port(address: str, default_port: int) -> tuple[str, int]:
    """Return the parts of `host`, `host:port`, `[ipv6]` or `[ipv6]:port`. Raises ValueError with a sentence."""
    text = address.strip()
    if text.startswith("["):
        host, bracket, rest = text[1:].partition("]")
        if not bracket or (rest and not rest.startswith(":")):
            raise ValueError(
                f"{address!r} is no address: an IPv6 address stands in brackets, as in [::1]:{default_port}"
            )
        port = rest[1:]
    elif text.count(":") > 1:
        host, port = text, ""
    else:
        host, _, port = text.partition(":")
        if ":" in text and not port:
            raise ValueError(f"{address!r} is no address: a port from 1 to 65535 follows the colon")
    if not host:
        raise ValueError(f"{address!r} is no address: expected HOST or HOST:PORT")
    if not port:
        return host, default_port
    if not (port.isascii() and port.isdigit() and 1 <= int(port[:6]) <= 65535):
        raise ValueError(f"{address!r} is no address: the port must be a number from 1 to 65535")
    return host, int(port)
