"""Closing a connection or the house waits for nobody for ever: a peer that keeps its end open is cut off."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from typing import Any

import pytest

from looseends_protocol.frames import FrameSplitter, framed, unpacked
from looseends_protocol.limits import FROM_SERVER, PROTOCOL_MAJOR
from looseends_protocol.messages import Hello, Notice, Refused, message_from_server
from looseends_server.connection import Connection
from looseends_server.house import House
from looseends_server.limits import Limits, ServerSettings
from tests.server.peers import HandClock, connect, open_house, settled


class Stuck(asyncio.Transport):
    """A transport whose peer reads nothing and never lets go: only an abort ends it."""

    def __init__(self, connection: Connection) -> None:
        super().__init__({"peername": ("192.0.2.1", 40_000)})
        self.written = b""
        self.closing = False
        self.aborted = False
        self._connection = connection
        connection.connection_made(self)

    def write(self, data: bytes | bytearray | memoryview[Any]) -> None:
        self.written += bytes(data)

    def get_write_buffer_size(self) -> int:
        return max(1, len(self.written))

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        pass

    def is_closing(self) -> bool:
        return self.closing

    def close(self) -> None:
        self.closing = True

    def abort(self) -> None:
        self.closing = self.aborted = True
        asyncio.get_running_loop().call_soon(self._connection.connection_lost, None)

    def said(self) -> list[object]:
        splitter = FrameSplitter(FROM_SERVER)
        return [message_from_server(unpacked(payload, FROM_SERVER)) for payload in splitter.feed(self.written)]


@pytest.mark.parametrize("paused", [False, True])
async def test_a_dropped_peer_that_does_not_let_go_is_cut_off_after_a_moment(paused: bool) -> None:
    clock = HandClock()
    house = await open_house(clock)
    connection = house.connection(local=False, behind_proxy=("192.0.2.1", True))
    stuck = Stuck(connection)
    if paused:
        connection.pause_writing()
    connection.drop("session/kicked")
    assert stuck.closing
    assert [type(message) for message in stuck.said()] == ([] if paused else [Refused])
    await clock.advance(1)
    assert connection in house.connections, "a moment to read the last word"
    await clock.advance(2)
    assert stuck.aborted
    assert not house.connections


async def test_closing_the_house_tells_everybody_and_cuts_off_who_does_not_let_go(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("looseends_server.house.CLOSING_SECONDS", 0.01)
    house = await open_house(HandClock())
    reads = connect(house)
    await reads.ask(Hello(0, PROTOCOL_MAJOR, name="ann"))
    stuck, paused = (Stuck(house.connection(local=False, behind_proxy=(f"192.0.2.{n}", True))) for n in (1, 2))
    for connection in house.connections:
        if connection.address == "192.0.2.2":
            connection.pause_writing()
    async with asyncio.timeout(5):
        await house.close()
    await settled()
    assert stuck.aborted
    assert paused.aborted
    assert not house.connections
    for said in (reads.heard, stuck.said()):
        notice, refusal = said[-2:]
        assert isinstance(notice, Notice)
        assert isinstance(refusal, Refused)
        assert refusal.error == "server/closing"


async def test_a_peer_that_lets_go_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("looseends_server.house.CLOSING_SECONDS", 3600.0)
    house = await open_house(HandClock())
    peers = [connect(house) for _ in range(3)]
    async with asyncio.timeout(5):
        await house.close()
    await settled()
    assert all(peer.lost for peer in peers)


async def test_over_a_real_socket_the_house_closes_though_a_peer_does_not_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("looseends_server.house.CLOSING_SECONDS", 0.01)
    full = asyncio.Event()
    pause = Connection.pause_writing

    def noting(connection: Connection) -> None:
        pause(connection)
        full.set()

    monkeypatch.setattr(Connection, "pause_writing", noting)
    house = await House.open(None, ServerSettings(limits=Limits(send_queue_bytes=64 * 2**20)))
    port = await house.listen("127.0.0.1", 0)
    slow = socket.socket()
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    slow.setblocking(False)
    loop = asyncio.get_running_loop()
    await loop.sock_connect(slow, ("127.0.0.1", port))
    await loop.sock_sendall(slow, framed(Hello(1, PROTOCOL_MAJOR, name="slow")))
    assert await loop.sock_recv(slow, 4096)
    (connection,) = house.connections
    async with asyncio.timeout(20):
        while not full.is_set():
            connection.send(Notice("x" * 100_000))
            await settled(1)
        await house.close()
        await settled()
        assert not house.connections
        with contextlib.suppress(ConnectionError):  # reset: what was not read is thrown away
            while await loop.sock_recv(slow, 65_536):
                pass
    slow.close()
