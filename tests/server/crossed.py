"""Which limits the tests cross, by name, so that none is left out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from looseends_server.house import House
from looseends_server.limits import Limits, ServerSettings
from looseends_server.memory_transport import connect_in_memory
from tests.server.peers import HandClock, Peer, open_house

F = TypeVar("F", bound=Callable[..., object])

CROSSED: set[str] = set()
"""Every field of `Limits` that a test crosses."""


def crosses(*limits: str) -> Callable[[F], F]:
    """Say which limits a test crosses."""
    CROSSED.update(limits)
    return lambda test: test


async def house_with(clock: HandClock, limits: Limits) -> House:
    """Return a house with these limits and no others of a test's own."""
    return await open_house(clock, settings=ServerSettings(limits=limits))


def connect_from(house: House, address: str = "192.0.2.1") -> Peer:
    """Return a peer on a new connection from another machine."""
    peer = Peer()
    connect_in_memory(house.connection(local=False, behind_proxy=(address, True)), peer)
    return peer
