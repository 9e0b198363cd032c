"""People who come through an SSH door: who they are, where they come from, and that nobody else can say so."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import msgspec
import pytest

from looseends_core.rules import rule_set
from looseends_protocol.fingerprints import fingerprint_of, fingerprint_text
from looseends_protocol.limits import PROTOCOL_MAJOR
from looseends_protocol.messages import (
    Attending,
    CodeMade,
    CreateTable,
    Hello,
    MakeCode,
    Refused,
    Welcome,
)
from looseends_server.admin import Admin
from looseends_server.admin_requests import Ban, Bans, Unban
from looseends_server.door_secret import FILE, door_secret
from looseends_server.greeting import KEYS_OF_ONE
from looseends_server.house import House
from looseends_server.limits import Limits, ServerSettings
from looseends_server.memory_transport import connect_in_memory
from looseends_server.store.base import CredentialKept, IdentityMade
from looseends_server.store.memory import MemoryStore
from looseends_server.ways_back import LINK_SECONDS
from tests.server.faulty_store import FaultyStore
from tests.server.peers import HandClock, Peer, arrive, connect, open_house, settled

SECRET = bytes(range(32))
KEY = b"k" * 32
OTHER_KEY = b"o" * 32


async def house_with_doors(**settings: Any) -> House:
    house = await open_house(HandClock(), settings=msgspec.structs.replace(ServerSettings(), **settings))
    house.door_secret = SECRET
    return house


def hello(name: str = "", **fields: Any) -> Hello:
    return msgspec.structs.replace(Hello(0, PROTOCOL_MAJOR, name=name, door=SECRET), **fields)


def at_the_door(house: House, address: str = "192.0.2.1") -> Peer:
    """Return a peer on a connection that a door of this process opened for somebody."""
    peer = Peer()
    connect_in_memory(house.connection(local=False, behind_proxy=(address, True)), peer)
    return peer


async def through(house: House, name: str = "", **fields: Any) -> tuple[Peer, Welcome]:
    peer = at_the_door(house)
    return peer, await peer.expect(hello(name, **fields), Welcome)


async def test_a_key_is_the_same_person_each_time_whatever_name_is_proposed() -> None:
    house = await house_with_doors()
    peer, first = await through(house, "ann", fingerprint=KEY)
    assert (first.name, len(first.token)) == ("ann", 32)
    _, again = await through(house, "bob", fingerprint=KEY)
    assert (again.name, again.token) == ("ann", b"")
    assert peer.got(Refused)[-1].error == "session/taken_over"
    _, other = await through(house, "cat", fingerprint=OTHER_KEY)
    assert other.name == "cat"


async def test_a_key_is_known_again_after_a_restart() -> None:
    store = MemoryStore()
    house = await open_house(HandClock(), store)
    house.door_secret = SECRET
    await through(house, "ann", fingerprint=KEY)
    await house.close()
    house = await open_house(HandClock(), MemoryStore(store.kept))
    house.door_secret = SECRET
    _, again = await through(house, "bob", fingerprint=KEY)
    assert again.name == "ann"


async def test_one_person_who_comes_twice_at_once_with_a_new_key_stays_one() -> None:
    house = await house_with_doors()
    peers = [at_the_door(house) for _ in range(3)]
    numbers = [peer.post(hello("ann", fingerprint=KEY)) for peer in peers]
    await settled()
    answers = [peer.answer(number) for peer, number in zip(peers, numbers, strict=True)]
    assert [answer.name for answer in answers if isinstance(answer, Welcome)] == ["ann"] * 3
    assert len(house.people) == 1


@pytest.mark.parametrize("secret", [b"", b"x" * 32, SECRET[:-1]])
@pytest.mark.parametrize("claim", [{"fingerprint": KEY}, {"came_from": "192.0.2.9"}, {"door": b"x"}])
async def test_nobody_without_the_secret_says_whose_key_it_is_or_where_somebody_comes_from(
    secret: bytes, claim: dict[str, Any]
) -> None:
    house = await house_with_doors()
    await through(house, "ann", fingerprint=KEY)
    for arrives, address in ((connect, "local"), (at_the_door, "192.0.2.1")):
        peer = arrives(house)
        assert await peer.refused(hello("eve", **{"door": secret, **claim})) == "hello/door"
        (connection,) = [one for one in house.connections if one.person is None]
        assert (connection.key, connection.address) == (b"", address)
        peer.close()
        await settled()


async def test_a_house_without_doors_believes_nobody() -> None:
    house = await house_with_doors()
    house.door_secret = b""
    assert await connect(house).refused(hello("eve", door=b"", fingerprint=KEY)) == "hello/door"


@pytest.mark.parametrize("claim", [{"fingerprint": b"short"}, {"came_from": "local"}, {"came_from": "example.org"}])
async def test_what_a_door_says_has_to_be_whole(claim: dict[str, Any]) -> None:
    assert await connect(await house_with_doors()).refused(hello("eve", **claim)) == "hello/door"


async def test_limits_count_the_address_that_the_door_names() -> None:
    house = await house_with_doors(limits=Limits(connections_per_address=2))
    inside = [connect(house) for _ in range(3)]
    for peer, name in zip(inside[:2], ("ann", "bob"), strict=True):
        await peer.expect(hello(name, came_from="192.0.2.9"), Welcome)
    inside[2].post(hello("cat", came_from="192.0.2.9"))
    await inside[2].until(lambda: inside[2].got(Refused))
    assert inside[2].got(Refused)[0].error == "server/too_many"
    inside[0].close()
    await settled()
    await connect(house).expect(hello("cat", came_from="192.0.2.9"), Welcome)


async def test_newcomers_are_counted_for_the_address_that_the_door_names() -> None:
    house = await house_with_doors(limits=Limits(new_connections=1))
    await connect(house).expect(hello("ann", came_from="192.0.2.9"), Welcome)
    late = connect(house)
    late.post(hello("bob", came_from="192.0.2.9"))
    await late.until(lambda: late.got(Refused))
    assert late.got(Refused)[0].error == "server/too_many"
    await connect(house).expect(hello("bob", came_from="192.0.2.10"), Welcome)


async def test_a_banned_address_or_key_is_kept_out_behind_a_door_too() -> None:
    house = await house_with_doors()
    admin = Admin(house, lambda: None)
    peer, _ = await through(house, "ann", fingerprint=KEY, came_from="192.0.2.9")
    assert (await admin.carry_out(Ban("192.0.2.9", None, "")))["dropped"] == 1
    await peer.until(lambda: peer.got(Refused))
    assert peer.got(Refused)[0].error == "session/banned"
    away = at_the_door(house)
    await away.expect(hello("", fingerprint=KEY, came_from="192.0.2.10"), Welcome)
    text = fingerprint_text(KEY)
    assert (await admin.carry_out(Ban(text, None, "")))["dropped"] == 1
    for claim in ({"fingerprint": KEY}, {"fingerprint": KEY, "token": away.token}):
        back = at_the_door(house)
        back.post(hello("new name", **claim))
        await settled()
        assert [refused.error for refused in back.got(Refused)] == ["session/banned"]
    assert [ban["who"] for ban in (await admin.carry_out(Bans()))["bans"]] == ["192.0.2.9", text]
    await admin.carry_out(Unban(text))
    await at_the_door(house).expect(hello("", fingerprint=KEY), Welcome)


async def test_a_way_back_is_the_person_that_asked_for_it_until_the_next_is_made() -> None:
    house = await house_with_doors()
    guest, _ = await arrive(house, "ann")
    first = (await guest.expect(MakeCode(0, "back"), CodeMade)).way_back
    _, back = await through(house, "bob", way_back=first.lower().replace("0", "o"))
    assert (back.name, back.token) == ("ann", b"")
    back = await connect(house).expect(Hello(0, PROTOCOL_MAJOR, way_back=first), Welcome)
    assert back.name == "ann"
    guest = connect(house)
    await guest.expect(Hello(0, PROTOCOL_MAJOR, way_back=first), Welcome)
    second = (await guest.expect(MakeCode(0, "back"), CodeMade)).way_back
    assert await connect(house).refused(Hello(0, PROTOCOL_MAJOR, way_back=first)) == "hello/code"
    await connect(house).expect(Hello(0, PROTOCOL_MAJOR, way_back=second), Welcome)
    assert len(second) == 16


async def test_a_way_back_outlives_a_restart_and_is_kept_as_a_hash_alone() -> None:
    store = MemoryStore()
    house = await open_house(HandClock(), store)
    code = (await (await arrive(house, "ann"))[0].expect(MakeCode(0, "back"), CodeMade)).way_back
    await house.close()
    assert code.encode() not in msgspec.msgpack.encode(store.kept.stored())
    house = await open_house(HandClock(), MemoryStore(store.kept))
    assert (await connect(house).expect(Hello(0, PROTOCOL_MAJOR, way_back=code), Welcome)).name == "ann"


async def test_a_code_for_a_key_ties_the_key_once_and_takes_it_from_whoever_it_was() -> None:
    house = await house_with_doors()
    ann, _ = await arrive(house, "ann")
    await through(house, "ann 2", fingerprint=KEY)
    made = await ann.expect(MakeCode(0, "link"), CodeMade)
    assert made.seconds == LINK_SECONDS
    assert await connect(house).refused(Hello(0, PROTOCOL_MAJOR, way_back=made.way_back)) == "hello/code"
    _, tied = await through(house, "", fingerprint=KEY, way_back=made.way_back)
    assert tied.name == "ann"
    assert (await through(house, "", fingerprint=KEY))[1].name == "ann"
    assert await at_the_door(house).refused(hello("", fingerprint=OTHER_KEY, way_back=made.way_back)) == "hello/code"


async def test_a_code_for_a_key_works_for_ten_minutes_and_only_the_last_one_does() -> None:
    house = await house_with_doors()
    ann, _ = await arrive(house, "ann")
    older = (await ann.expect(MakeCode(0, "link"), CodeMade)).way_back
    newer = (await ann.expect(MakeCode(0, "link"), CodeMade)).way_back
    assert await at_the_door(house).refused(hello("", fingerprint=KEY, way_back=older)) == "hello/code"
    clock = house.clock
    assert isinstance(clock, HandClock)
    clock.now += LINK_SECONDS + 1
    assert await at_the_door(house).refused(hello("", fingerprint=KEY, way_back=newer)) == "hello/code"


async def test_one_person_has_so_many_keys_and_no_more() -> None:
    house = await house_with_doors()
    token = (await arrive(house, "ann"))[0].token
    for number in range(KEYS_OF_ONE + 1):
        ann, _ = await arrive(house, "", token)  # each key that comes takes over
        code = (await ann.expect(MakeCode(0, "link"), CodeMade)).way_back
        peer = at_the_door(house)
        answer = await peer.ask(hello("", fingerprint=bytes([number]) * 32, way_back=code))
        assert isinstance(answer, Welcome if number < KEYS_OF_ONE else Refused)


async def test_what_cannot_be_kept_is_refused_and_makes_nobody() -> None:
    store = FaultyStore()
    house = await open_house(HandClock(), store)
    house.door_secret = SECRET
    ann, _ = await arrive(house, "ann")
    code = (await ann.expect(MakeCode(0, "link"), CodeMade)).way_back
    store.fail_with("disk full", lambda change: isinstance(change, CredentialKept | IdentityMade))
    assert await ann.refused(MakeCode(0, "back")) == "server/cannot_save"
    assert await at_the_door(house).refused(hello("", fingerprint=KEY, way_back=code)) == "server/cannot_save"
    waiting = [at_the_door(house) for _ in range(2)]
    numbers = [peer.post(hello("bob", fingerprint=KEY)) for peer in waiting]
    await settled()
    for peer, number in zip(waiting, numbers, strict=True):
        answer = peer.answer(number)
        assert isinstance(answer, Refused)
        assert answer.error == "server/cannot_save"
    assert house.people.by_key(KEY) is None


async def test_a_seat_follows_its_key_to_another_line() -> None:
    house = await house_with_doors()
    peer, _ = await through(house, "ann", fingerprint=KEY)
    table = await peer.expect(CreateTable(0, rule_set(2)), Attending)
    _, welcome = await through(house, "", fingerprint=KEY)
    assert [seat.code for seat in welcome.seats] == [table.code]


def test_the_secret_is_made_once_for_its_owner_alone_and_anew_where_it_is_spoilt(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    made = door_secret(folder)
    assert len(made) == 32
    assert stat.S_IMODE((folder / FILE).stat().st_mode) == 0o600
    assert door_secret(folder) == made
    (folder / FILE).write_text("spoilt")
    assert door_secret(folder) != made
    assert [file.name for file in folder.iterdir()] == [FILE]


def test_a_fingerprint_is_written_as_people_know_it() -> None:
    text = "SHA256:" + "a2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2s"
    assert fingerprint_text(KEY) == text
    assert fingerprint_of(text) == KEY
    for wrong in ("SHA256:", text[:-4], text[7:], "MD5:00:11", "SHA256:!" + text[8:]):
        with pytest.raises(ValueError, match="is no fingerprint of a key"):
            fingerprint_of(wrong)
