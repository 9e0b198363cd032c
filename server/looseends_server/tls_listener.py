"""Takes TLS connections, and counts them from the first byte of TCP on.

The loop's own listener tells nobody of a connection until its handshake is over, so that one address could hold any
number of half-open ones. Here a handshake counts for its address while it lasts.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from typing import TYPE_CHECKING

import structlog

if TYPE_CHECKING:
    from looseends_server.house import House

log = structlog.get_logger()

BACKLOG = 512
SHUTDOWN_SECONDS = 5.0
"""What a peer gets to agree to the end of a connection before it is ended without it."""
NO_FILES_SECONDS = 0.5
"""How long to wait where the system has no file handle left for a further connection."""


class TlsListener:
    """Listens on sockets that are bound already, until `close`."""

    def __init__(self, house: House, sockets: list[socket.socket], context: ssl.SSLContext) -> None:
        self._house = house
        self._sockets = sockets
        self._context = context
        self._handshakes: set[asyncio.Task[None]] = set()
        self._accepting = [asyncio.create_task(self._accept(listening)) for listening in sockets]

    def close(self) -> None:
        """Take nothing more; handshakes that are not over are broken off."""
        for task in (*self._accepting, *self._handshakes):
            task.cancel()
        for listening in self._sockets:
            listening.close()

    async def _accept(self, listening: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                accepted, address = await loop.sock_accept(listening)
            except OSError as error:
                log.error("no connection can be taken", error=str(error))
                await asyncio.sleep(NO_FILES_SECONDS)
                continue
            task = asyncio.create_task(self._shake_hands(accepted, str(address[0])))
            self._handshakes.add(task)
            task.add_done_callback(self._handshakes.discard)

    async def _shake_hands(self, accepted: socket.socket, address: str) -> None:
        house = self._house
        connection = house.connection(local=False)
        connection.address = address
        if turned_away := house.count(connection):
            # There is nothing to say it in: the peer does not listen before its handshake is over.
            accepted.close()
            house.counts.dropped[turned_away] += 1
            return
        try:
            accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            await asyncio.get_running_loop().connect_accepted_socket(
                lambda: connection,
                accepted,
                ssl=self._context,
                ssl_handshake_timeout=house.settings.limits.handshake_seconds,
                ssl_shutdown_timeout=SHUTDOWN_SECONDS,
            )
        except OSError as error:
            log.debug("no handshake", address=address, error=str(error))
            house.counts.dropped["tls/handshake"] += 1
        finally:
            if connection not in house.connections:
                house.connection_closed(connection)


async def listening_sockets(host: str, port: int) -> list[socket.socket]:
    """Return sockets that are bound to every address of a host and listen. Raises OSError."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    sockets: list[socket.socket] = []
    try:
        for family, kind, protocol, _, address in dict.fromkeys(found):
            made = socket.socket(family, kind, protocol)
            sockets.append(made)
            made.setblocking(False)
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            made.bind(address)
            made.listen(BACKLOG)
    except BaseException:
        for made in sockets:
            made.close()
        raise
    return sockets
