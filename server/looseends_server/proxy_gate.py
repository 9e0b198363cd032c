"""Stands before connections where proxies are believed: learns from a proxy's header who is behind it.

A peer that is not listed goes straight on, so that a header of its own making is an unreadable frame like any other.
"""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import structlog

from looseends_server.clock import Timer
from looseends_server.proxy_header import HeaderInvalid, read_header

if TYPE_CHECKING:
    from looseends_server.house import House

log = structlog.get_logger()


class Proxies:
    """The proxies of a house, and whether peers come to them over TLS."""

    def __init__(self, networks: Sequence[str], *, over_tls: bool) -> None:
        """`networks` are addresses or networks as text. Raises ValueError for anything else."""
        self._networks = [ipaddress.ip_network(network, strict=False) for network in networks]
        self.over_tls = over_tls
        self.waiting: set[ProxyGate] = set()
        """Connections whose header is not whole yet."""

    def close(self) -> None:
        """Wait for no header any more."""
        for gate in list(self.waiting):
            gate.give_up()

    def believes(self, address: str) -> bool:
        """Return whether this address is a listed proxy."""
        try:
            parsed = ipaddress.ip_address(address.split("%", 1)[0])
        except ValueError:
            return False
        if isinstance(parsed, ipaddress.IPv6Address) and parsed.ipv4_mapped is not None:
            parsed = parsed.ipv4_mapped
        return any(parsed in network for network in self._networks)


class ProxyGate(asyncio.Protocol):
    """Reads a proxy's header, then hands its transport to a connection of the house."""

    def __init__(self, house: House, proxies: Proxies) -> None:
        self._house = house
        self._proxies = proxies
        self._address = ""
        self._transport: asyncio.Transport | None = None
        self._received = bytearray()
        self._timer: Timer | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Wait for the header of a listed proxy; anybody else is a connection at once."""
        transport = cast("asyncio.Transport", transport)  # uvloop's are no subclass of it
        peer = transport.get_extra_info("peername")
        self._address = str(peer[0]) if isinstance(peer, tuple) and peer else "unknown"
        if not self._proxies.believes(self._address):
            connection = self._house.connection(local=False)
            transport.set_protocol(connection)
            connection.connection_made(transport)
            return
        self._transport = transport
        self._proxies.waiting.add(self)
        self._timer = self._house.clock.call_later(self._house.settings.limits.handshake_seconds, self._late)

    def data_received(self, data: bytes) -> None:
        """Take bytes until the header is whole; what follows it is the peer's."""
        if self._transport is None:
            return
        self._received += data
        try:
            header = read_header(self._received)
        except HeaderInvalid as error:
            self._refuse(f"no PROXY header: {error}")
            return
        if header is None:
            return
        transport = self._transport
        rest = bytes(self._received[header.length :])
        self._let_go()
        if header.local:
            connection = self._house.connection(local=False)
        else:
            connection = self._house.connection(
                local=False, behind_proxy=(header.source or self._address, self._proxies.over_tls)
            )
        transport.set_protocol(connection)
        connection.connection_made(transport)
        if rest:
            connection.data_received(rest)

    def connection_lost(self, exc: Exception | None) -> None:
        """The proxy went before its header was whole."""
        self._let_go()

    def give_up(self) -> None:
        """Close without a word."""
        if self._transport is not None:
            self._transport.abort()
        self._let_go()

    def _late(self) -> None:
        self._refuse("no PROXY header in time")

    def _refuse(self, why: str) -> None:
        # A peer that came through it would otherwise have the proxy's own address, and with it this machine's rights.
        log.warning("proxy refused", address=self._address, why=why)
        self._house.counts.dropped["proxy/header"] += 1
        self.give_up()

    def _let_go(self) -> None:
        self._proxies.waiting.discard(self)
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        self._transport = None
        self._received.clear()
