"""The limits of tables and of the list of them, each crossed; and that no limit is without a test."""

from __future__ import annotations

from itertools import pairwise

import pytest
from argon2 import PasswordHasher

from looseends_core.rules import rule_set
from looseends_protocol.limits import PROTOCOL_MAJOR
from looseends_protocol.messages import (
    Attending,
    BeReady,
    CreateTable,
    Done,
    GetRecord,
    Hello,
    JoinTable,
    LeaveTable,
    ListTables,
    LobbyChanged,
    Refused,
    Resync,
    Say,
    SeatBot,
    StepAway,
    TableOptions,
    Tables,
    WatchTable,
    Welcome,
)
from looseends_server.limits import Limits, ServerSettings
from tests.server import test_limits_of_connections, test_slow_readers, test_workers
from tests.server.crossed import CROSSED, connect_from, crosses, house_with
from tests.server.faulty_store import FaultyStore
from tests.server.peers import FAST, HandClock, Peer, arrive, connect, open_house, seated_table, settled

TWO = rule_set(2)


@pytest.fixture(autouse=True)
def _hashes_that_cost_little(monkeypatch: pytest.MonkeyPatch) -> None:
    cheap = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    monkeypatch.setattr("looseends_server.passwords.PasswordHasher", lambda: cheap)


def free(**limits: float) -> Limits:
    return Limits(burst_messages=10_000, **limits)  # type: ignore[arg-type]


@crosses("tables_per_person")
async def test_one_person_has_so_many_open_tables_and_one_that_is_left_counts_no_more() -> None:
    house = await house_with(HandClock(), free(tables_per_person=3))
    ann, _ = await arrive(house, "ann")
    bob, _ = await arrive(house, "bob")
    for _ in range(3):
        await ann.expect(CreateTable(0, TWO), Attending)
    assert await ann.refused(CreateTable(0, TWO)) == "table/too_many"
    await bob.expect(CreateTable(0, TWO), Attending)
    await ann.expect(LeaveTable(0), Done)
    await settled()
    assert len(house.tables) == 3
    await ann.expect(CreateTable(0, TWO), Attending)


async def test_tables_that_are_asked_for_at_once_are_counted_before_they_are_made() -> None:
    store = FaultyStore()
    house = await open_house(HandClock(), store, ServerSettings(limits=free(tables_per_person=3)))
    ann, _ = await arrive(house, "ann")
    store.hold()
    ids = [ann.post(CreateTable(0, TWO)) for _ in range(8)]
    await settled()
    store.release()
    await settled()
    assert sum(isinstance(ann.answer(number), Attending) for number in ids) == 3
    assert len(house.tables) == 3


@crosses("tables")
async def test_the_house_has_so_many_tables() -> None:
    house = await house_with(HandClock(), free(tables=3))
    for number in range(3):
        peer, _ = await arrive(house, f"p{number}")
        await peer.expect(CreateTable(0, TWO), Attending)
    late, _ = await arrive(house, "late")
    assert await late.refused(CreateTable(0, TWO)) == "server/full"


@crosses("spectators")
async def test_a_table_has_so_many_spectators() -> None:
    house = await house_with(HandClock(), free(spectators=2))
    ann, _bob = await seated_table(house, ["ann", "bob"])
    assert ann.table is not None
    code = ann.table.code
    watchers = [(await arrive(house, f"w{number}"))[0] for number in range(3)]
    for peer in watchers[:2]:
        await peer.expect(WatchTable(0, code), Attending)
    await watchers[1].expect(WatchTable(0, code), Attending)
    assert await watchers[2].refused(WatchTable(0, code)) == "table/spectators_full"
    watchers[0].close()
    await settled()
    await watchers[2].expect(WatchTable(0, code), Attending)


@crosses("page_of_tables")
async def test_the_list_has_pages_of_so_many() -> None:
    house = await house_with(HandClock(), free(page_of_tables=4, tables_per_person=100))
    ann, _ = await arrive(house, "ann")
    for _ in range(10):
        await ann.expect(CreateTable(0, TWO), Attending)
    pages = [await ann.expect(ListTables(0, number), Tables) for number in range(4)]
    assert [len(page.tables) for page in pages] == [4, 4, 2, 2]
    assert [(page.page, page.pages) for page in pages] == [(0, 3), (1, 3), (2, 3), (2, 3)]
    codes = [line.code for page in pages[:3] for line in page.tables]
    assert sorted(codes) == sorted(house.tables), "each table once"


@crosses("lobby_seconds")
@pytest.mark.parametrize("seconds", [1.0, 5.0])
async def test_the_list_is_pushed_so_often_to_those_who_asked_and_only_when_it_changed(seconds: float) -> None:
    clock = HandClock()
    house = await house_with(clock, free(lobby_seconds=seconds, tables_per_person=100))
    ann, _ = await arrive(house, "ann")
    bob, _ = await arrive(house, "bob")
    await bob.expect(ListTables(0, subscribe=True), Tables)
    await clock.advance(10)
    assert not bob.got(LobbyChanged)
    for _ in range(40):
        await ann.expect(CreateTable(0, TWO), Attending)
        await clock.advance(0.5)
    pushes = len(bob.got(LobbyChanged))
    assert 20 / seconds - 2 <= pushes <= 20 / seconds + 1
    await clock.advance(2 * seconds)
    assert len(bob.got(LobbyChanged)[-1].tables) == 40
    pushes = len(bob.got(LobbyChanged))
    await clock.advance(60)
    assert len(bob.got(LobbyChanged)) == pushes
    await bob.expect(ListTables(0), Tables)
    await ann.expect(CreateTable(0, TWO), Attending)
    await clock.advance(2 * seconds)
    assert len(bob.got(LobbyChanged)) == pushes, "a list without subscribing ends it"
    assert not ann.got(LobbyChanged)


async def test_private_tables_are_never_pushed() -> None:
    clock = HandClock()
    house = await house_with(clock, free())
    bob, _ = await arrive(house, "bob")
    await bob.expect(ListTables(0, subscribe=True), Tables)
    ann, _ = await arrive(house, "ann")
    await ann.expect(CreateTable(0, TWO, TableOptions(private=True)), Attending)
    await clock.advance(3)
    assert not bob.got(LobbyChanged)


@crosses("resyncs", "resync_seconds")
async def test_a_connection_asks_for_so_many_whole_tables_or_records() -> None:
    clock = HandClock()
    house = await house_with(clock, free(resyncs=4, resync_seconds=30))
    ann, bob = await seated_table(house, ["ann", "bob"])  # bob has joined, which was his first
    assert bob.table is not None
    await bob.expect(Resync(0), Attending)
    await bob.expect(JoinTable(0, bob.table.code), Attending)
    assert await bob.refused(GetRecord(0)) == "record/none"
    for request in (Resync(0), JoinTable(0, bob.table.code), GetRecord(0)):
        refusal = await bob.expect(request, Refused)
        assert refusal.error == "session/too_fast"
        assert 1 <= refusal.retry_after <= 31
    await ann.expect(Resync(0), Attending)
    await clock.advance(31)
    await bob.expect(Resync(0), Attending)


@crosses("pending_requests")
async def test_a_peer_has_so_many_requests_waiting_at_a_table() -> None:
    store = FaultyStore()
    house = await open_house(HandClock(), store, ServerSettings(limits=free(pending_requests=3)))
    ann, bob = await seated_table(house, ["ann", "bob"], rule_set(3))
    store.hold()
    ann.post(SeatBot(0, 2, "rookie"))
    await settled()
    ids = [ann.post(BeReady(0, 1)) for _ in range(6)]
    other = bob.post(BeReady(0, 1))
    await settled()
    assert [getattr(ann.answer(number), "error", "waits") for number in ids] == ["waits"] * 3 + ["table/busy"] * 3
    assert bob.answer(other) is None
    store.release()
    await settled()
    assert [getattr(ann.answer(number), "error", "") for number in ids[:3]] == ["ready/not_asked"] * 3
    await ann.expect(Say(0, "free again"), Done)


@crosses("inbox")
async def test_a_table_has_so_many_requests_waiting() -> None:
    store = FaultyStore()
    house = await open_house(HandClock(), store, ServerSettings(limits=free(inbox=5)))
    ann, bob = await seated_table(house, ["ann", "bob"], rule_set(3))
    store.hold()
    ann.post(SeatBot(0, 2, "rookie"))
    await settled()
    peers = [ann, bob] * 4
    ids = [peer.post(BeReady(0, 1)) for peer in peers]
    await settled()
    answers = [getattr(peer.answer(number), "error", "waits") for peer, number in zip(peers, ids, strict=True)]
    assert sorted(answers) == ["table/busy"] * 3 + ["waits"] * 5
    store.release()
    await settled()
    assert all(peer.answer(number) is not None for peer, number in zip(peers, ids, strict=True))


@crosses("chat_kept")
async def test_a_table_remembers_so_many_lines() -> None:
    house = await house_with(HandClock(), free(chat_kept=5, chat_lines=100))
    ann, _bob = await seated_table(house, ["ann", "bob"])
    for number in range(12):
        await ann.expect(Say(0, f"line {number}"), Done)
    table = await ann.expect(Resync(0), Attending)
    assert [line.text for line in table.chat] == [f"line {number}" for number in range(7, 12)]


async def protected(clock: HandClock, limits: Limits) -> tuple[Peer, str, list[Peer]]:
    """Peers from other machines before a table with a password."""
    house = await house_with(clock, limits)
    ann, _ = await arrive(house, "ann")
    table = await ann.expect(CreateTable(0, rule_set(5), FAST, "carrot"), Attending)
    peers = [connect_from(house, f"192.0.2.{number}") for number in range(4)]
    for number, peer in enumerate(peers):
        await peer.expect(Hello(0, PROTOCOL_MAJOR, name=f"p{number}"), Welcome)
    return ann, table.code, peers


@crosses("tries_per_address")
async def test_wrong_tries_of_an_address_lead_to_a_wait_that_grows_and_others_do_not_wait() -> None:
    clock = HandClock()
    _ann, code, (first, second, *_rest) = await protected(clock, free(tries_per_address=3, resyncs=1000))
    waits = []
    for _ in range(4):
        tries = 0
        while await first.refused(JoinTable(0, code, password="wrong")) == "table/password":
            tries += 1
        assert tries <= 3
        refusal = await first.expect(JoinTable(0, code, password="carrot"), Refused)
        assert refusal.error == "table/tries", "a right one is not looked at either"
        waits.append(refusal.retry_after)
        await clock.advance(refusal.retry_after)
    assert 30 <= waits[0] <= 31
    assert all(later > 1.9 * earlier for earlier, later in pairwise(waits))
    await second.expect(JoinTable(0, code, password="carrot"), Attending)


async def test_guessing_codes_is_a_try_like_any_other() -> None:
    clock = HandClock()
    _ann, code, (first, *_rest) = await protected(clock, free(tries_per_address=3, resyncs=1000))
    for guess in ("AAAA", "BBBB", "CCCC"):
        assert await first.refused(JoinTable(0, guess)) == "table/unknown"
    assert await first.refused(WatchTable(0, "DDDD")) == "table/tries"
    assert await first.refused(JoinTable(0, code, password="carrot")) == "table/tries"


@crosses("tries_per_table")
async def test_wrong_tries_at_a_table_from_everywhere_lead_to_a_wait_for_all_but_those_who_sit_there() -> None:
    clock = HandClock()
    ann, code, peers = await protected(clock, free(tries_per_table=5, resyncs=1000))
    for number in range(5):
        assert await peers[number % 3].refused(JoinTable(0, code, password="wrong")) == "table/password"
    refusal = await peers[3].expect(JoinTable(0, code, password="carrot"), Refused)
    assert refusal.error == "table/tries"
    await ann.expect(StepAway(0), Done)
    await ann.expect(JoinTable(0, code), Attending)
    await clock.advance(refusal.retry_after)
    await peers[3].expect(JoinTable(0, code, password="carrot"), Attending)


async def test_many_tries_at_once_are_no_way_around_the_limit() -> None:
    clock = HandClock()
    _ann, code, (first, *_rest) = await protected(clock, free(tries_per_address=3, resyncs=1000, pending_requests=100))
    ids = [first.post(JoinTable(0, code, password=f"guess {number}")) for number in range(7)]
    last = first.post(JoinTable(0, code, password="carrot"))
    await first.until(lambda: first.answer(last))
    errors = [getattr(first.answer(number), "error", "") for number in (*ids, last)]
    assert errors == ["table/password"] * 3 + ["table/tries"] * 5


async def test_people_behind_one_door_do_not_wait_for_each_others_wrong_tries() -> None:
    house = await house_with(HandClock(), free(tries_per_address=3, resyncs=1000))
    ann, _ = await arrive(house, "ann")
    table = await ann.expect(CreateTable(0, rule_set(5), FAST, "carrot"), Attending)
    first, second = connect_from(house, "127.0.0.1"), connect_from(house, "127.0.0.1")
    for name, peer in (("bob", first), ("cy", second)):
        await peer.expect(Hello(0, PROTOCOL_MAJOR, name=name), Welcome)
    for _ in range(3):
        await first.refused(JoinTable(0, table.code, password="wrong"))
    assert await first.refused(JoinTable(0, table.code, password="carrot")) == "table/tries"
    await second.expect(JoinTable(0, table.code, password="carrot"), Attending)


async def test_a_house_with_a_password_asks_newcomers_and_not_those_it_knows() -> None:
    clock = HandClock()
    hashed = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash("open sesame")
    settings = ServerSettings(password_hash=hashed, limits=free(tries_per_address=3))
    house = await open_house(clock, settings=settings)
    peer = connect(house)
    assert await peer.refused(Hello(0, PROTOCOL_MAJOR, name="ann")) == "hello/password"
    assert await peer.refused(Hello(0, PROTOCOL_MAJOR, name="ann", hello_password="no")) == "hello/password"
    welcome = await peer.expect(Hello(0, PROTOCOL_MAJOR, name="ann", hello_password="open sesame"), Welcome)
    await arrive(house, "", welcome.token)
    guesser = connect_from(house)
    for _ in range(3):
        await guesser.refused(Hello(0, PROTOCOL_MAJOR, name="eve", hello_password="no"))
    assert await guesser.refused(Hello(0, PROTOCOL_MAJOR, name="eve", hello_password="open sesame")) == "table/tries"
    await house.close()


def test_every_limit_is_crossed_by_a_test() -> None:
    assert test_limits_of_connections.__doc__, "its tests have put their names on the list, and so have those of"
    assert test_slow_readers.__doc__
    assert test_workers.__doc__
    assert set(Limits.__struct_fields__) == CROSSED
