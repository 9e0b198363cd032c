"""A peer that does not read is dropped when its queue is full, and its table goes on."""

from __future__ import annotations

import asyncio
import socket

from looseends_protocol.frames import framed
from looseends_protocol.limits import PROTOCOL_MAJOR
from looseends_protocol.messages import Attending, Done, Hello, Said, Say, SeatsChanged, WatchTable
from looseends_server.connection import Connection
from looseends_server.house import House
from looseends_server.limits import Limits, ServerSettings
from tests.server.crossed import crosses, house_with
from tests.server.peers import HandClock, arrive, come_back, play_on, seated_table, settled, start

FREE = Limits(burst_messages=10_000)


def server_end(house: House, peer_name: str) -> Connection:
    person = house.people.by_name(peer_name)
    assert person is not None
    assert person.connection is not None
    return person.connection


@crosses("send_queue_bytes")
async def test_a_peer_that_does_not_read_is_dropped_and_its_table_goes_on() -> None:
    clock = HandClock()
    house = await house_with(clock, Limits(burst_messages=10_000, send_queue_bytes=2000))
    ann, bob = await seated_table(house, ["ann", "bob"])
    slow, _ = await arrive(house, "slow")
    assert ann.table is not None
    await slow.expect(WatchTable(0, ann.table.code), Attending)
    end = server_end(house, "slow")
    end.pause_writing()
    heard = len(slow.heard)
    await start([ann])
    await play_on([ann, bob], lambda: slow.lost)
    assert len(slow.heard) == heard
    await settled()
    assert ann.got(SeatsChanged)[-1].watching == ()
    await play_on([ann, bob], lambda: ann.view and ann.view.winners)


async def test_a_peer_that_reads_again_in_time_gets_everything_in_order() -> None:
    clock = HandClock()
    house = await house_with(clock, FREE)
    ann, bob = await seated_table(house, ["ann", "bob"])
    await start([ann])
    await ann.until(lambda: ann.view and ann.view.number)
    await settled()
    server_end(house, "bob").pause_writing()
    await ann.expect(Say(0, "one"), Done)
    await ann.expect(Say(0, "two"), Done)
    assert not [push for push in bob.got(Said) if push.line.kind == "said"]
    server_end(house, "bob").resume_writing()
    await settled()
    assert [push.line.text for push in bob.got(Said) if push.line.kind == "said"] == ["one", "two"]
    await play_on([ann, bob], lambda: ann.view and ann.view.round == 2)


async def test_over_a_real_socket_a_peer_that_does_not_read_is_dropped_and_the_talk_goes_on() -> None:
    limits = Limits(burst_messages=10**6, chat_lines=10**6, send_queue_bytes=64 * 1024)
    house = await House.open(None, ServerSettings(limits=limits))
    port = await house.listen("127.0.0.1", 0)
    ann, bob = await seated_table(house, ["ann", "bob"])
    assert ann.table is not None
    slow = socket.socket()
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    slow.setblocking(False)
    loop = asyncio.get_running_loop()
    await loop.sock_connect(slow, ("127.0.0.1", port))
    await loop.sock_sendall(slow, framed(Hello(1, PROTOCOL_MAJOR, name="slow")))
    assert await loop.sock_recv(slow, 4096)
    await loop.sock_sendall(slow, framed(WatchTable(2, ann.table.code)))
    await ann.until(lambda: ann.got(SeatsChanged)[-1].watching == ("slow",))
    async with asyncio.timeout(20):
        while ann.got(SeatsChanged)[-1].watching:
            for _ in range(50):
                ann.post(Say(0, "x" * 300))
            await settled(5)
            ann.heard = [message for message in ann.heard if isinstance(message, SeatsChanged)]
            bob.heard.clear()
    slow.close()
    await bob.expect(Say(0, "still here"), Done)
    await house.close()


async def test_a_taken_over_connection_that_does_not_read_is_gone_at_once_and_closed_soon() -> None:
    clock = HandClock()
    house = await house_with(clock, FREE)
    ann, bob = await seated_table(house, ["ann", "bob"])
    server_end(house, "ann").pause_writing()
    again = await come_back(house, ann)
    await clock.advance(3)
    assert ann.lost
    await start([again])
    await play_on([again, bob], lambda: bob.view and bob.view.round == 1)
    assert not again.lost
