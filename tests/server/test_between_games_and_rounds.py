"""Between two rounds, and between two games: who is waited for, how long, and what stays."""

from __future__ import annotations

import pytest

from looseends_core.rules import rule_set
from looseends_protocol.messages import (
    Attending,
    BeReady,
    Done,
    GameBegan,
    Happened,
    JoinTable,
    LeaveTable,
    ReadyChanged,
    RoundCommitted,
    Say,
    StartGame,
    WatchTable,
)
from looseends_server.house import House
from looseends_server.limits import Limits, Pace, ServerSettings
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
    stage_of,
    start,
)


async def played(
    clock: HandClock,
    stage: str,
    names: tuple[str, ...] = ("ann", "bob"),
    bots: int = 1,
    store: FaultyStore | None = None,
    pace: Pace | None = None,
) -> tuple[House, list[Peer], Table]:
    """A table between its two rounds, or after them, at which nobody has said to be ready."""
    settings = ServerSettings(limits=Limits(burst_messages=10_000), pace=pace or Pace())
    house = await open_house(clock, store, settings)
    rules = rule_set(len(names) + bots, rounds=2 if stage == "between" else 1, hand_size=4, max_bid=2)
    players = await seated_table(house, list(names), rules, FAST, bots)
    await start(players)
    assert players[0].table is not None
    table = house.tables[players[0].table.code]
    for peer in players:
        peer.ready_for = (1, 1)
    await play_on(players, lambda: table.state.stage == stage)
    await settled()
    return house, players, table


async def test_the_next_round_begins_when_everybody_present_is_ready() -> None:
    clock = HandClock()
    _house, (ann, bob), table = await played(clock, "between")
    await ann.expect(BeReady(0, 1), Done)
    await settled()
    assert bob.got(ReadyChanged)[-1].ready == (0,)
    assert stage_of(table) == "between"
    await bob.expect(BeReady(0, 1), Done)
    await settled()
    assert stage_of(table) == "playing"
    assert table.state.play.round == 2


async def test_the_next_round_begins_after_twenty_seconds_anyway_and_everybody_is_told_so() -> None:
    clock = HandClock()
    _house, (ann, bob), table = await played(clock, "between")
    assert ann.got(ReadyChanged)[-1].ready_seconds == 20
    await clock.advance(5)
    await bob.expect(BeReady(0, 1), Done)
    await settled()
    assert ann.got(ReadyChanged)[-1].ready_seconds == 15
    await clock.advance(14.5)
    assert stage_of(table) == "between"
    await clock.advance(1)
    assert table.state.play.round == 2


async def test_a_house_may_wait_without_end() -> None:
    clock = HandClock()
    _house, (ann, bob), table = await played(clock, "between", pace=Pace(ready_seconds=None))
    await ann.expect(BeReady(0, 1), Done)
    assert ann.got(ReadyChanged)[-1].ready_seconds is None
    await clock.advance(600)
    assert stage_of(table) == "between"
    await bob.expect(BeReady(0, 1), Done)
    await settled()
    assert table.state.play.round == 2


async def test_among_bots_nobody_is_waited_for() -> None:
    clock = HandClock()
    _house, (ann,), table = await played(clock, "between", names=("ann",), bots=2)
    await ann.expect(BeReady(0, 1), Done)
    await settled()
    assert table.state.play.round == 2


async def test_who_is_away_is_not_waited_for_and_who_just_lost_the_line_a_moment_only() -> None:
    clock = HandClock()
    _house, (ann, bob), table = await played(clock, "between")
    await ann.expect(BeReady(0, 1), Done)
    bob.close()
    await settled()
    assert stage_of(table) == "between"
    await clock.advance(6)
    assert table.state.play.round == 2


async def test_being_ready_twice_or_for_another_round_changes_nothing() -> None:
    clock = HandClock()
    house, (ann, _bob), table = await played(clock, "between")
    await ann.expect(BeReady(0, 1), Done)
    facts = table.journal_length
    await ann.expect(BeReady(0, 1), Done)
    assert await ann.refused(BeReady(0, 0)) == "ready/not_asked"
    assert await ann.refused(BeReady(0, 2)) == "ready/not_asked"
    watcher, _ = await arrive(house, "eve")
    await watcher.expect(WatchTable(0, table.code), Attending)
    assert await watcher.refused(BeReady(0, 1)) == "table/not_seated"
    assert table.journal_length == facts


async def test_readiness_survives_a_restart() -> None:
    clock = HandClock()
    store = FaultyStore()
    _house, (ann, bob), table = await played(clock, "between", store=store)
    await ann.expect(BeReady(0, 1), Done)
    house = await open_house(clock, store.lose_unsynced())
    again = [await come_back(house, old) for old in (ann, bob)]
    assert again[0].table is not None
    assert again[0].table.ready == (0,)
    await settled()
    assert stage_of(house.tables[table.code]) == "between"
    again[1].post(BeReady(0, 1))
    await settled()
    assert house.tables[table.code].state.play.round == 2


async def test_a_rematch_keeps_people_seats_settings_password_and_spectators() -> None:
    clock = HandClock()
    house, (ann, bob), table = await played(clock, "over")
    watcher, _ = await arrive(house, "eve")
    await watcher.expect(WatchTable(0, table.code), Attending)
    await settled()
    before = [(seat.kind, seat.identity, seat.name, seat.level) for seat in table.state.seats]
    kept = (table.state.options, table.state.rules, table.state.password, table.state.host)
    ids = [ann.post(BeReady(0, 1)), bob.post(BeReady(0, 1))]
    await settled()
    assert isinstance(ann.answer(ids[0]), Done)
    assert table.state.game == 2
    assert [(seat.kind, seat.identity, seat.name, seat.level) for seat in table.state.seats] == before
    assert (table.state.options, table.state.rules, table.state.password, table.state.host) == kept
    for peer in (ann, bob, watcher):
        assert peer.got(GameBegan)[-1].game == 2
        assert peer.got(RoundCommitted)[-1].round == 1
    ann.ready_for = bob.ready_for = (0, 0)
    await play_on([ann, bob], lambda: table.state.stage == "over")
    await settled()
    assert watcher.view is not None
    assert watcher.view.winners == table.state.play.winners


async def test_talk_says_at_which_moment_of_the_game_that_goes_on_it_was_said() -> None:
    clock = HandClock()
    house, (ann, bob), table = await played(clock, "over")
    over = table.state.play.number
    await ann.ask(Say(0, "well played"))
    again = await come_back(house, bob)
    assert (again.got(Attending)[-1].chat[-1].text, again.got(Attending)[-1].chat[-1].number) == ("well played", over)
    ann.post(BeReady(0, 1))
    again.post(BeReady(0, 1))
    await settled()
    await play_on([ann, again], lambda: table.state.play.number > 3)
    await ann.ask(Say(0, "and again"))
    moment = table.state.play.number
    table_again = (await come_back(house, again)).got(Attending)[-1]
    told = {line.text: line.number for line in table_again.chat if line.kind == "said"}
    assert told == {"well played": 0, "and again": moment}


async def test_one_who_presses_rematch_twice_is_one() -> None:
    clock = HandClock()
    _house, (ann, _bob), table = await played(clock, "over")
    await ann.expect(BeReady(0, 1), Done)
    await ann.expect(BeReady(0, 1), Done)
    await clock.advance(100)
    assert table.state.game == 1


async def test_both_press_rematch_at_once_and_twice_and_one_game_begins() -> None:
    clock = HandClock()
    store = FaultyStore()
    _house, (ann, bob), table = await played(clock, "over", store=store)
    store.hold()
    for peer in (ann, bob, ann, bob):
        peer.post(BeReady(0, 1))
    await settled()
    for _ in range(20):
        store.release(1)
        await settled()
    store.release()
    await settled()
    assert table.state.game == 2
    assert len(ann.got(GameBegan)) == 2


async def test_the_host_starts_the_next_game_without_waiting_and_only_once() -> None:
    clock = HandClock()
    _house, (ann, bob), table = await played(clock, "over")
    assert await bob.refused(StartGame(0)) == "table/not_host"
    await ann.expect(StartGame(0), Done)
    assert await ann.refused(StartGame(0)) == "table/started"
    assert table.state.game == 2


async def test_with_one_gone_after_the_game_the_seat_is_free_and_whoever_sits_there_has_to_agree() -> None:
    clock = HandClock()
    house, (ann, bob), table = await played(clock, "over")
    await bob.expect(BeReady(0, 1), Done)
    await bob.expect(LeaveTable(0), Done)
    cy, _ = await arrive(house, "cy")
    await cy.expect(JoinTable(0, table.code), Attending)
    await ann.expect(BeReady(0, 1), Done)
    await settled()
    assert table.state.game == 1, "cy has not said so"
    await cy.expect(BeReady(0, 1), Done)
    await settled()
    assert table.state.game == 2


async def test_who_left_during_the_game_is_not_waited_for_after_it() -> None:
    clock = HandClock()
    house = await open_house(clock)
    rules = rule_set(3, rounds=1, hand_size=4, max_bid=2)
    ann, bob, cy = await seated_table(house, ["ann", "bob", "cy"], rules)
    await start([ann])
    await play_on([ann, bob, cy], lambda: ann.got(Happened))
    assert ann.table is not None
    table = house.tables[ann.table.code]
    await bob.expect(LeaveTable(0), Done)
    ann.ready_for = cy.ready_for = (1, 1)
    await play_on([ann, cy], lambda: table.state.stage == "over")
    await ann.expect(BeReady(0, 1), Done)
    await cy.expect(BeReady(0, 1), Done)
    await settled()
    assert (table.state.game, table.state.seats[1].kind) == (2, "bot")


@pytest.mark.parametrize("restart", [False, True])
async def test_after_a_game_somebody_new_sees_it_and_plays_the_next(restart: bool) -> None:
    clock = HandClock()
    store = FaultyStore()
    house, (ann, bob), table = await played(clock, "over", store=store)
    await bob.expect(LeaveTable(0), Done)
    if restart:
        house = await open_house(clock, store.lose_unsynced())
        ann = await come_back(house, ann)
        table = house.tables[table.code]
    cy, _ = await arrive(house, "cy")
    await cy.expect(JoinTable(0, table.code), Attending)
    assert cy.view is not None
    assert cy.view.winners == table.state.play.winners
    await ann.expect(StartGame(0), Done)
    cy.ready_for = ann.ready_for = (0, 0)
    await play_on([ann, cy], lambda: table.state.stage == "over")
