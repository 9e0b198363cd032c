"""Old tables are forgotten by a stated rule, restarts or not; nothing that somebody may come back to is."""

from __future__ import annotations

import pytest

from looseends_core.rules import rule_set
from looseends_protocol.messages import Attending, CreateTable, JoinTable, WatchTable
from looseends_server.house import TIDY_SECONDS, House
from looseends_server.limits import Limits, Pace, ServerSettings
from looseends_server.store.base import TableForgotten
from looseends_server.table import Table
from tests.server.faulty_store import FaultyStore
from tests.server.peers import (
    FAST,
    HandClock,
    Peer,
    arrive,
    come_back,
    open_house,
    play_on,
    seated_table,
    settled,
    start,
)

PACE = Pace(forget_gathering_seconds=2000, forget_over_seconds=4000, forget_unfinished_seconds=8000)
SETTINGS = ServerSettings(limits=Limits(burst_messages=10_000), pace=PACE)
KEPT_FOR = {"gathering": 2000, "over": 4000, "playing": 8000, "between": 8000, "dealing": 8000}
SLACK = TIDY_SECONDS + 2


async def table_at(stage: str, clock: HandClock, store: FaultyStore) -> tuple[House, list[Peer], Table]:
    house = await open_house(clock, store, SETTINGS)
    rules = rule_set(2, rounds=1 if stage == "over" else 2, hand_size=4, max_bid=2)
    players = await seated_table(house, ["ann", "bob"], rules, FAST)
    assert players[0].table is not None
    table = house.tables[players[0].table.code]
    for peer in players:
        peer.nonces = stage != "dealing"
        peer.ready_for = (1, 1)
    if stage != "gathering":
        await start(players)
        await play_on(players, lambda: table.state.stage == stage)
    await settled()
    return house, players, table


@pytest.mark.parametrize("stage", KEPT_FOR)
async def test_a_table_is_forgotten_after_its_time_without_anybody_and_not_before(stage: str) -> None:
    clock = HandClock()
    store = FaultyStore()
    house, players, _table = await table_at(stage, clock, store)
    for peer in players:
        peer.close()
    await settled()
    await clock.jump(KEPT_FOR[stage] - 1)
    assert house.tables
    await clock.jump(1 + SLACK)
    assert not house.tables
    assert not store.kept.tables


@pytest.mark.parametrize("stage", ["gathering", "playing"])
async def test_restarts_do_not_begin_the_time_anew(stage: str) -> None:
    clock = HandClock()
    store = FaultyStore()
    house, players, table = await table_at(stage, clock, store)
    for peer in players:
        peer.close()
    await settled()
    fell_asleep = clock.now
    while house.tables and clock.now < fell_asleep + 2 * KEPT_FOR[stage]:
        await clock.jump(5)
        await clock.jump(700)
        store = store.lose_unsynced()
        house = await open_house(clock, store, SETTINGS)
        await clock.jump(TIDY_SECONDS + 2)
    assert KEPT_FOR[stage] <= clock.now - fell_asleep <= KEPT_FOR[stage] + 2 * SLACK + 700
    assert table.code not in house.tables


async def test_somebody_who_comes_back_in_time_keeps_it_and_the_time_begins_anew_when_they_go() -> None:
    clock = HandClock()
    store = FaultyStore()
    house, players, table = await table_at("playing", clock, store)
    for peer in players:
        peer.close()
    await clock.jump(7000)
    ann = await come_back(house, players[0])
    await clock.jump(60)
    ann.close()
    await clock.jump(7000)
    assert table.code in house.tables
    bob = await come_back(house, players[1])
    ann = await come_back(house, players[0])
    await play_on([ann, bob], lambda: table.state.stage == "between")


async def test_a_sleep_that_ended_counts_for_nothing_after_a_restart() -> None:
    clock = HandClock()
    store = FaultyStore()
    house, players, table = await table_at("playing", clock, store)
    for peer in players:
        peer.close()
    await clock.jump(2)
    await clock.jump(6000)
    players = [await come_back(house, peer) for peer in players]
    number = table.state.play.number
    await play_on(players, lambda: table.state.play.number > number)
    await settled()
    house = await open_house(clock, store.lose_unsynced(), SETTINGS)
    await clock.jump(6000)
    assert table.code in house.tables


async def test_a_table_with_anybody_there_is_not_forgotten() -> None:
    clock = HandClock()
    store = FaultyStore()
    house, (ann, bob), table = await table_at("over", clock, store)
    watcher, _ = await arrive(house, "eve")
    await watcher.expect(WatchTable(0, table.code), Attending)
    ann.close()
    bob.close()
    await clock.jump(3 * 4000)
    assert table.code in house.tables
    watcher.close()
    await clock.jump(SLACK)
    assert table.code not in house.tables


async def test_a_forgotten_table_has_no_code_any_more_and_its_number_is_not_used_again() -> None:
    clock = HandClock()
    store = FaultyStore()
    house, players, table = await table_at("gathering", clock, store)
    for peer in players:
        peer.close()
    await clock.jump(2)
    await clock.jump(2000 + SLACK)
    ann, welcome = await arrive(house, "", players[0].token)
    assert welcome.seats == ()
    assert await ann.refused(JoinTable(0, table.code)) == "table/unknown"
    await ann.expect(CreateTable(0, rule_set(2)), Attending)
    assert list(store.kept.tables) == [2]


async def test_a_table_that_cannot_be_deleted_is_kept_until_it_can() -> None:
    clock = HandClock()
    store = FaultyStore()
    house, players, table = await table_at("gathering", clock, store)
    for peer in players:
        peer.close()
    store.fail_with("disk full", lambda change: isinstance(change, TableForgotten))
    await clock.jump(2000 + SLACK)
    assert table.code in house.tables
    assert not table.closed
    store.work_again()
    await clock.jump(SLACK)
    assert not house.tables


def test_the_rule_that_is_stated_is_the_rule_that_is_on() -> None:
    pace = Pace()
    hour, day = 3600.0, 86_400.0
    assert (pace.forget_gathering_seconds, pace.forget_over_seconds) == (hour, 7 * day)
    assert (pace.forget_unfinished_seconds, pace.forget_guest_seconds) == (60 * day, 365 * day)
