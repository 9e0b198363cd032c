"""A disk that is full or broken: nothing is announced, nothing is lost, no other table stops."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from looseends_core.rules import rule_set
from looseends_protocol.limits import PROTOCOL_MAJOR
from looseends_protocol.messages import (
    Attending,
    BeReady,
    CreateTable,
    Done,
    GiveNonce,
    Happened,
    Hello,
    JoinTable,
    LeaveTable,
    Refused,
    Request,
    Resync,
    Said,
    Say,
    SeatBot,
    SeatsChanged,
    StartGame,
    StepAway,
    TableOptions,
    Unseat,
    WatchTable,
    Welcome,
)
from looseends_server.house import House
from looseends_server.store.base import Change, FactsAppended, IdentityMade, TableForgotten
from looseends_server.table import Table
from tests.server.faulty_store import FaultyStore
from tests.server.peers import (
    HandClock,
    Peer,
    arrive,
    come_back,
    connect,
    open_house,
    play_on,
    seated_table,
    settled,
    start,
)


def of_table(number: int) -> Callable[[Change], bool]:
    return lambda change: isinstance(change, FactsAppended) and change.table == number


async def running(
    store: FaultyStore, clock: HandClock, house: House, names: tuple[str, str], options: TableOptions
) -> tuple[list[Peer], Table]:
    players = await seated_table(house, list(names), options=options)
    await start(players)
    await play_on(players, lambda: players[0].view and players[0].view.number > 4)
    await settled()
    assert players[0].table is not None
    return players, house.tables[players[0].table.code]


async def scene(clock_seconds: int = 0) -> tuple[FaultyStore, HandClock, House, list[Peer], Table]:
    store = FaultyStore()
    clock = HandClock()
    house = await open_house(clock, store)
    players, table = await running(
        store, clock, house, ("ann", "bob"), TableOptions(bots=0, clock_seconds=clock_seconds)
    )
    return store, clock, house, players, table


async def test_an_act_that_cannot_be_saved_is_refused_unseen_and_freezes_its_table_until_it_can() -> None:
    store, clock, house, players, table = await scene()
    others, other_table = await running(store, clock, house, ("cy", "dee"), TableOptions(bots=0))
    due = next(peer for peer in players if peer.legal is not None)
    number = table.state.play.number
    facts = list(store.kept.tables[1].facts)
    heard = [len(peer.got(Happened)) for peer in players]
    store.fail_with("disk full", of_table(1))
    due.act_if_due()
    await settled()
    assert due.got(Refused)[-1].error == "server/cannot_save"
    assert [len(peer.got(Happened)) for peer in players] == heard
    assert (table.state.play.number, store.kept.tables[1].facts) == (number, facts)
    for peer in players:
        assert peer.got(SeatsChanged)[-1].phase == "frozen"
        assert peer.got(Said)[-1].line.kind == "system"
        assert "cannot save" in peer.got(Said)[-1].line.text
    before = other_table.state.play.number
    await play_on(others, lambda: other_table.state.play.number > before + 5)
    await clock.advance(60)
    assert table.frozen == "server/cannot_save"
    store.work_again()
    await clock.advance(3)
    assert table.phase == "playing"
    for peer in players:
        assert peer.got(SeatsChanged)[-1].phase == "playing"
        assert peer.got(Said)[-1].line.text == "The table goes on."
    fresh = await due.expect(Resync(0), Attending)
    assert fresh.legal is not None
    await play_on(players, lambda: table.state.play.round == 2)


async def test_while_it_cannot_save_a_table_takes_no_action_and_can_be_looked_at_and_left() -> None:
    store, _clock, house, (ann, bob), table = await scene()
    store.fail_with("disk full")
    due = next(peer for peer in (ann, bob) if peer.legal is not None)
    due.act_if_due()
    await settled()
    facts = table.journal_length
    for request in (BeReady(0, 1), GiveNonce(0, 1, bytes(16)), SeatBot(0, 1, "rookie"), Unseat(0, 1), StartGame(0)):
        assert await ann.refused(request) == "server/cannot_save"
    await bob.expect(Say(0, "what now?"), Done)
    await bob.expect(Resync(0), Attending)
    watcher, _ = await arrive_although(house, store, "eve")
    assert (await watcher.expect(WatchTable(0, table.code), Attending)).phase == "frozen"
    await bob.expect(LeaveTable(0), Done)
    assert table.state.seats[1].away == "", "leaving waits until it can be written: the seat is kept"
    back = await come_back(house, bob)
    assert back.table is not None
    assert back.table.phase == "frozen"
    await back.expect(StepAway(0), Done)
    assert table.journal_length == facts


async def arrive_although(house: House, store: FaultyStore, name: str) -> tuple[Peer, Welcome]:
    store.work_again()
    try:
        return await arrive(house, name)
    finally:
        store.fail_with("disk full")


async def test_what_waited_behind_a_failed_commit_is_refused_too() -> None:
    store, clock, _house, (ann, bob), table = await scene()
    due = next(peer for peer in (ann, bob) if peer.legal is not None)
    other = bob if due is ann else ann
    store.hold()
    due.act_if_due()
    behind = other.post(Unseat(0, 1)), other.post(BeReady(0, 1)), due.post(BeReady(0, 1))
    await settled()
    store.fail_with("disk full")
    store.release()
    await settled()
    answers = [peer.answer(number) for peer, number in zip((other, other, due), behind, strict=True)]
    assert [getattr(answer, "error", "") for answer in answers] == ["server/cannot_save"] * 3
    store.work_again()
    await clock.advance(3)
    await due.expect(Resync(0), Attending)
    await play_on([ann, bob], lambda: table.state.play.round == 2)


async def test_a_bot_that_cannot_be_saved_plays_once_it_can() -> None:
    store = FaultyStore()
    clock = HandClock()
    house = await open_house(clock, store)
    (ann,) = await seated_table(house, ["ann"], rule_set(3), bots=2)
    await start([ann])
    await play_on([ann], lambda: ann.legal is not None)
    assert ann.table is not None
    table = house.tables[ann.table.code]
    store.hold()
    ann.act_if_due()
    await settled()
    store.release(1)
    await settled()
    assert table.is_writing, "the bot's action"
    store.fail_with("disk full")
    store.release()
    await settled()
    assert table.phase == "frozen"
    store.work_again()
    await clock.advance(3)
    await play_on([ann], lambda: ann.view and ann.view.winners)


async def test_the_time_in_which_a_table_could_not_save_is_nobodys_loss() -> None:
    store, clock, _house, players, table = await scene(clock_seconds=40)
    due = next(peer for peer in players if peer.legal is not None)
    store.fail_with("disk full")
    due.act_if_due()
    await clock.advance(300)
    number = table.state.play.number
    store.work_again()
    await clock.advance(2.5)
    assert table.state.play.number == number
    await clock.advance(25)
    assert table.state.play.number == number
    await clock.advance(10)
    assert table.state.play.number > number


async def test_nothing_of_a_failed_write_is_there_after_a_restart() -> None:
    store, clock, _house, players, table = await scene()
    number = table.state.play.number
    store.fail_with("disk full")
    for peer in players:
        peer.act_if_due()
    await settled()
    house = await open_house(clock, store.lose_unsynced())
    assert house.tables[table.code].state.play.number == number


REQUESTS: list[tuple[str, Request]] = [
    ("seat", SeatBot(0, 2, "rookie")),
    ("unseat", Unseat(0, 1)),
    ("leave", LeaveTable(0)),
]


@pytest.mark.parametrize(("name", "request_"), REQUESTS, ids=[name for name, _ in REQUESTS])
async def test_each_request_that_writes_is_refused_by_name_and_changes_nothing(name: str, request_: Request) -> None:
    store = FaultyStore()
    clock = HandClock()
    house = await open_house(clock, store)
    ann, bob = await seated_table(house, ["ann", "bob"], rule_set(3))
    assert ann.table is not None
    table = house.tables[ann.table.code]
    before = (table.journal_length, [seat.name for seat in table.state.seats])
    store.fail_with("disk full")
    assert await ann.refused(request_) == "server/cannot_save"
    assert (table.journal_length, [seat.name for seat in table.state.seats]) == before
    assert bob.got(SeatsChanged)[-1].phase == "frozen"


async def test_a_new_table_or_a_new_name_that_cannot_be_saved_is_none() -> None:
    store = FaultyStore()
    clock = HandClock()
    house = await open_house(clock, store)
    ann, _ = await arrive(house, "ann")
    store.fail_with("disk full", lambda change: isinstance(change, FactsAppended))
    for _ in range(7):
        assert await ann.refused(CreateTable(0, rule_set(2))) == "server/cannot_save", "it counts for no limit either"
    await settled()
    assert not house.tables
    assert not store.kept.tables, "no table without facts stays behind"
    store.fail_with("disk full", lambda change: isinstance(change, IdentityMade))
    bob = connect(house)
    assert await bob.refused(Hello(0, PROTOCOL_MAJOR, name="bob")) == "server/cannot_save"
    store.work_again()
    await bob.expect(Hello(0, PROTOCOL_MAJOR, name="bob"), Welcome)
    await ann.expect(CreateTable(0, rule_set(2)), Attending)


async def test_coming_back_after_having_left_is_refused_where_it_cannot_be_saved() -> None:
    store, clock, _house, (ann, bob), table = await scene()
    await bob.expect(LeaveTable(0), Done)
    store.fail_with("disk full")
    assert await bob.refused(JoinTable(0, table.code)) == "server/cannot_save"
    store.work_again()
    await clock.advance(3)
    await bob.expect(JoinTable(0, table.code), Attending)
    await play_on([ann, bob], lambda: table.state.play.round == 2)


async def test_a_table_that_cannot_be_closed_goes_on() -> None:
    store, clock, house, (ann, bob), table = await scene()
    store.fail_with("disk full", lambda change: isinstance(change, TableForgotten))
    told: list[object] = []
    house.close_table(table, told.append)
    await settled()
    assert told[0] is not None
    await play_on([ann, bob], lambda: table.state.play.round == 2)
    store.work_again()
    house.close_table(table, told.append)
    await settled()
    assert told[1] is None
    assert not house.tables
    await clock.advance(30)
