"""The limits of a connection and of an address, each crossed. Whatever is sent costs something, but an honest act."""

from __future__ import annotations

import pytest

from looseends_core.actions import PASS, Play
from looseends_protocol.frames import framed
from looseends_protocol.limits import BEFORE_LOGIN, FROM_CLIENT, PROTOCOL_MAJOR
from looseends_protocol.messages import (
    Act,
    Done,
    Hello,
    ListTables,
    Notice,
    Ping,
    Pong,
    Refused,
    Said,
    Say,
    Tables,
    Welcome,
)
from looseends_server.limits import Limits
from tests.server.crossed import connect_from, crosses, house_with
from tests.server.peers import HandClock, Peer, arrive, come_back, connect, play_on, seated_table, settled, start

FREE = Limits(burst_messages=10_000)


def end_of(peer: Peer) -> str:
    """The code with which the server ended a connection."""
    assert peer.lost
    refusal = peer.got(Refused)[-1]
    assert refusal.answers is None
    return refusal.error


async def hello(peer: Peer, name: str) -> None:
    welcome = await peer.expect(Hello(0, PROTOCOL_MAJOR, name=name), Welcome)
    peer.token = welcome.token


# ── time ──


@crosses("handshake_seconds")
async def test_a_connection_that_says_no_hello_in_time_is_ended() -> None:
    clock = HandClock()
    house = await house_with(clock, FREE)
    peer, trickling = connect_from(house), connect_from(house)
    await clock.advance(14)
    assert trickling.transport is not None
    trickling.transport.write(b"\0")
    assert not peer.lost
    await clock.advance(3)
    assert end_of(peer) == end_of(trickling) == "hello/late"


@crosses("ping_seconds", "silence_seconds")
async def test_silence_is_asked_about_and_then_ended_and_an_answer_counts() -> None:
    clock = HandClock()
    house = await house_with(clock, FREE)
    peer, mute = connect_from(house), connect_from(house)
    await hello(peer, "ann")
    await hello(mute, "bob")
    mute.write = lambda message: None  # type: ignore[method-assign]
    await clock.advance(29)
    assert not peer.got(Ping)
    await clock.advance(3)
    assert len(peer.got(Ping)) == len(mute.got(Ping)) == 1
    await clock.advance(42)
    assert not mute.lost
    await clock.advance(3)
    assert end_of(mute) == "session/silent"
    await clock.advance(300)
    assert not peer.lost


# ── how much ──


@crosses("burst_messages", "messages_per_second")
async def test_a_burst_is_taken_and_then_so_many_a_second() -> None:
    clock = HandClock()
    house = await house_with(clock, Limits(burst_messages=4, messages_per_second=2))
    ann, _ = await arrive(house, "ann")  # the hello was the first of the four
    for _ in range(3):
        await ann.expect(ListTables(0), Tables)
    refusal = await ann.expect(ListTables(0), Refused)
    assert (refusal.error, refusal.retry_after) == ("session/too_fast", 1)
    await clock.advance(1)
    for _ in range(2):
        await ann.expect(Ping(0), Pong)
    assert await ann.refused(Ping(0)) == "session/too_fast"
    await clock.advance(60)
    for _ in range(4):
        await ann.expect(Ping(0), Pong)
    assert await ann.refused(Ping(0)) == "session/too_fast"


async def test_an_accepted_act_costs_nothing_and_every_other_one_does() -> None:
    clock = HandClock()
    limits = Limits(burst_messages=12, messages_per_second=0.001)
    house = await house_with(clock, limits)
    ann, bob = await seated_table(house, ["ann", "bob"])
    await start([ann])
    await play_on([ann, bob], lambda: ann.view and ann.view.round == 1 and ann.view.turn is None)
    assert ann.view is not None
    assert ann.view.number > 40, "many more acts than messages are allowed"
    spent = 0
    while True:
        error = await ann.refused(Act(0, 9, 9, PASS))
        if error == "session/too_fast":
            break
        assert error == "action/stale"
        spent += 1
    assert 0 < spent <= 12


@pytest.mark.parametrize("at", ["no table", "not on turn", "not legal"])
async def test_a_refused_act_is_charged_wherever_it_is_refused(at: str) -> None:
    clock = HandClock()
    house = await house_with(clock, Limits(burst_messages=20, messages_per_second=0.001))
    if at == "no table":
        peer, _ = await arrive(house, "ann")
        wrong = Act(0, 1, 1, PASS)
    else:
        ann, bob = await seated_table(house, ["ann", "bob"])
        await start([ann])
        await ann.until(lambda: ann.legal or bob.legal)
        await settled()
        due = ann if ann.legal else bob
        peer = due if at == "not legal" else (bob if due is ann else ann)
        wrong = Act(0, 1, 1, Play(3))
    errors = [await peer.refused(wrong) for _ in range(25)]
    assert errors[0] != "session/too_fast"
    assert errors[-1] == "session/too_fast"


UNTAKEABLE = {
    "blank": b"\0\0\0\0",
    "noise": b"\0\0\0\3\xc1\xc1\xc1",
    "an array": b"\0\0\0\1\x90",
    "unknown": b"\0\0\0\x0d\x82\xa1t\xa5dance\xa2id\x07",
    "no tag": b"\0\0\0\1\x80",
    "no request": framed(Notice("only a server says this")),
    "a field missing": b"\0\0\0\x09\x81\xa1t\xa5hello",
}


@crosses("strikes", "strike_seconds")
@pytest.mark.parametrize("frame", UNTAKEABLE.values(), ids=UNTAKEABLE)
async def test_frames_that_cannot_be_taken_cost_a_message_each_and_too_many_end_the_connection(frame: bytes) -> None:
    clock = HandClock()
    house = await house_with(clock, Limits(strikes=10, strike_seconds=20, burst_messages=6))
    peer, _ = await arrive(house, "ann")
    assert peer.transport is not None
    for _ in range(9):
        peer.transport.write(frame)
    await settled()
    assert not peer.lost
    assert {refusal.error.split("/")[0] for refusal in peer.got(Refused)} == {"frame"}
    assert await peer.refused(Ping(0)) == "session/too_fast", "they have used up the allowance"
    peer.transport.write(frame)
    await settled()
    assert end_of(peer) == "session/too_fast"

    patient, _ = await arrive(house, "", peer.token)
    assert patient.transport is not None
    for _ in range(4):
        for _ in range(9):
            patient.transport.write(frame)
        await clock.advance(21)
    assert not patient.lost, "what is long past counts no more"


async def test_a_frame_longer_than_allowed_ends_the_connection_before_it_is_read() -> None:
    clock = HandClock()
    house = await house_with(clock, FREE)
    stranger = connect(house)
    assert stranger.transport is not None
    stranger.transport.write((BEFORE_LOGIN.frame + 1).to_bytes(4, "big"))
    await settled()
    assert end_of(stranger) == "frame/too_long"
    known, _ = await arrive(house, "ann")
    assert known.transport is not None
    known.transport.write((BEFORE_LOGIN.frame + 1).to_bytes(4, "big") + bytes(BEFORE_LOGIN.frame + 1))
    await settled()
    assert not known.lost
    known.transport.write((FROM_CLIENT.frame + 1).to_bytes(4, "big"))
    await settled()
    assert end_of(known) == "frame/too_long"


async def test_before_hello_nothing_else_is_answered() -> None:
    house = await house_with(HandClock(), FREE)
    peer = connect(house)
    assert await peer.refused(ListTables(0)) == "hello/first"
    assert await peer.refused(Ping(0)) == "hello/first"
    await hello(peer, "ann")


async def test_pongs_that_nobody_asked_for_end_a_connection_too() -> None:
    clock = HandClock()
    house = await house_with(clock, Limits(strikes=10, burst_messages=6))
    peer, _ = await arrive(house, "ann")
    for _ in range(40):
        peer.write(Pong(0))
    await settled()
    assert end_of(peer) == "session/too_fast"


@crosses("chat_lines", "chat_seconds")
async def test_so_many_lines_of_talk_in_so_long_and_a_new_connection_is_no_way_around() -> None:
    clock = HandClock()
    house = await house_with(clock, Limits(burst_messages=10_000, chat_lines=3, chat_seconds=10))
    ann, bob = await seated_table(house, ["ann", "bob"])
    for _ in range(3):
        await ann.expect(Say(0, "again"), Done)
    refusal = await ann.expect(Say(0, "again"), Refused)
    assert refusal.error == "chat/too_fast"
    assert 1 <= refusal.retry_after <= 11
    again = await come_back(house, ann)
    assert await again.refused(Say(0, "again")) == "chat/too_fast"
    await bob.expect(Say(0, "my turn"), Done)
    await clock.advance(10)
    await again.expect(Say(0, "again"), Done)
    assert sum(push.line.text == "again" for push in bob.got(Said)) == 4


# ── addresses ──


@crosses("connections_per_address")
@pytest.mark.parametrize(
    ("first", "same", "other"),
    [
        ("192.0.2.1", "192.0.2.1", "192.0.2.2"),
        ("2001:db8:0:1::1", "2001:db8:0:1:ffff::9", "2001:db8:0:2::1"),
        ("192.0.2.1", "::ffff:192.0.2.1", "::ffff:192.0.2.2"),
    ],
)
async def test_one_address_has_so_many_connections_and_an_ipv6_network_is_one(
    first: str, same: str, other: str
) -> None:
    house = await house_with(HandClock(), Limits(connections_per_address=3))
    peers = [connect_from(house, first) for _ in range(3)]
    await settled()
    assert not any(peer.lost for peer in peers)
    refused = connect_from(house, same)
    elsewhere = connect_from(house, other)
    await settled()
    assert end_of(refused) == "server/too_many"
    assert not elsewhere.lost
    peers[0].close()
    await settled()
    free = connect_from(house, same)
    await settled()
    assert not free.lost


@crosses("limit_loopback")
@pytest.mark.parametrize("limited", [False, True])
async def test_this_machine_itself_is_exempt_unless_told_otherwise(limited: bool) -> None:
    house = await house_with(HandClock(), Limits(connections_per_address=2, limit_loopback=limited))
    peers = [connect_from(house, address) for address in ("127.0.0.1", "127.0.0.1", "127.0.0.1")]
    await settled()
    assert peers[-1].lost == limited


@crosses("new_connections", "new_connection_seconds")
async def test_one_address_brings_so_many_newcomers_and_a_resume_is_not_counted() -> None:
    clock = HandClock()
    house = await house_with(clock, Limits(new_connections=3, new_connection_seconds=100))
    peers = [connect_from(house) for _ in range(3)]
    for number, peer in enumerate(peers):
        await hello(peer, f"p{number}")
    late = connect_from(house)
    late.post(Hello(0, PROTOCOL_MAJOR, name="late"))
    await settled()
    assert end_of(late) == "server/too_many"
    for _ in range(10):
        again = connect_from(house)
        await again.expect(Hello(0, PROTOCOL_MAJOR, token=peers[0].token), Welcome)
    elsewhere = connect_from(house, "192.0.2.9")
    await hello(elsewhere, "elsewhere")
    await clock.advance(101)
    fresh = connect_from(house)
    await hello(fresh, "fresh")


async def test_connections_that_never_say_who_they_are_use_up_the_newcomers_of_their_address() -> None:
    house = await house_with(HandClock(), Limits(new_connections=3))
    for _ in range(3):
        connect_from(house).close()
        await settled()
    late = connect_from(house)
    late.post(Hello(0, PROTOCOL_MAJOR, name="late"))
    await settled()
    assert end_of(late) == "server/too_many"


async def test_a_newcomer_who_has_to_try_again_on_one_connection_is_counted_once() -> None:
    house = await house_with(HandClock(), Limits(new_connections=2))
    first = connect_from(house)
    await hello(first, "ann")
    second = connect_from(house)
    assert await second.refused(Hello(0, PROTOCOL_MAJOR, token=b"unknown".ljust(32))) == "hello/token"
    for name in ("", "ann", "Ann"):
        assert await second.refused(Hello(0, PROTOCOL_MAJOR, name=name)) in ("name/invalid", "name/taken")
    await hello(second, "bob")
    third = connect_from(house)
    third.post(Hello(0, PROTOCOL_MAJOR, token=b"unknown".ljust(32)))
    await settled()
    assert end_of(third) == "server/too_many"


@crosses("connections")
async def test_the_house_has_so_many_connections() -> None:
    house = await house_with(HandClock(), Limits(connections=3))
    peers = [connect_from(house, f"192.0.2.{number}") for number in range(4)]
    await settled()
    assert [peer.lost for peer in peers] == [False, False, False, True]
    assert end_of(peers[3]) == "server/full"
