"""A server that takes the connection and then says nothing does not hold a client up for ever."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

import pytest

from looseends_client import game_client
from looseends_client.game_client import ConnectionEvent, ConnectionWasLost, GameClient, NotConnected


class SilentTransport(asyncio.Transport):
    """Takes everything and answers nothing."""

    def __init__(self, protocol: asyncio.Protocol) -> None:
        super().__init__()
        self._protocol = protocol
        self._closed = False

    def write(self, data: object) -> None:
        pass

    def is_closing(self) -> bool:
        return self._closed

    def abort(self) -> None:
        if not self._closed:
            self._closed = True
            asyncio.get_running_loop().call_soon(self._protocol.connection_lost, None)


async def join_to_silence(make: Callable[[], asyncio.Protocol]) -> asyncio.Transport:
    protocol = make()
    transport = SilentTransport(protocol)
    protocol.connection_made(transport)
    return transport


async def test_a_hello_that_nobody_answers_ends_as_a_lost_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_client, "HELLO_SECONDS", 0.01)
    heard: list[ConnectionEvent] = []
    client = GameClient(join_to_silence, name="ann", rng=random.Random(1))
    client.on_event = heard.append
    async with asyncio.timeout(10):
        with pytest.raises(NotConnected):
            await client.connect()
    assert not any(isinstance(event, ConnectionWasLost) for event in heard)  # never connected, so nothing was lost
    assert not client.online
    await client.close()
