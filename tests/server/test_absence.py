"""People who are away: the table's policy, the turn clock, and leaving in every phase. Time is moved by hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from looseends_core.rules import rule_set
from looseends_core.state import Phase
from looseends_protocol.messages import (
    Absence,
    Attending,
    BeReady,
    Detached,
    Done,
    JoinTable,
    LeaveTable,
    ListTables,
    Refused,
    Said,
    Say,
    SeatInfo,
    SeatsChanged,
    StepAway,
    TableOptions,
    Tables,
    Unseat,
    WatchTable,
)
from looseends_server.house import House
from looseends_server.table import Table
from tests.server.peers import HandClock, Peer, arrive, come_back, open_house, play_on, seated_table, settled, start

CLOCK = 60


def system_lines(peer: Peer) -> list[str]:
    return [push.line.text for push in peer.got(Said) if push.line.kind == "system"]


def seats(peer: Peer) -> tuple[SeatInfo, ...]:
    return peer.got(SeatsChanged)[-1].seats


class Scene:
    """Two persons in a running game; `due` is on turn and `other` is not, whatever their names."""

    def __init__(self, clock: HandClock, house: House, players: list[Peer]) -> None:
        self.clock = clock
        self.house = house
        self.due = next(peer for peer in players if peer.legal is not None)
        self.other = next(peer for peer in players if peer is not self.due)
        assert self.due.table is not None
        self.code = self.due.table.code
        self.table: Table = house.tables[self.code]
        seat = self.due.table.seat
        assert seat is not None
        self.seat = seat
        self.name = ("ann", "bob")[seat]

    @property
    def number(self) -> int:
        return self.table.state.play.number

    def clock_shown(self, peer: Peer) -> int | None:
        """The milliseconds of the clock as the last push about it said."""
        shown = [message for message in peer.heard if hasattr(message, "clock")]
        clock: int | None = getattr(shown[-1], "clock", None)
        return clock


async def scene(absence: Absence, clock_seconds: int = 0) -> Scene:
    clock = HandClock()
    house = await open_house(clock)
    options = TableOptions(bots=0, absence=absence, clock_seconds=clock_seconds)
    players = await seated_table(house, ["ann", "bob"], options=options)
    await start(players)
    await play_on(players, lambda: players[0].view and players[0].view.number > 3)
    await settled()
    return Scene(clock, house, players)


async def test_bot_a_stand_in_plays_after_45_seconds_and_gives_the_seat_back_at_once() -> None:
    at = await scene("bot")
    number = at.number
    at.due.close()
    await at.clock.advance(44)
    assert at.number == number
    assert not seats(at.other)[at.seat].stand_in
    await at.clock.advance(2)
    assert at.number > number
    assert seats(at.other)[at.seat] == SeatInfo("person", at.name, "", False, "lost", True)
    assert system_lines(at.other)[-1] == f"{at.name} is away; a bot plays for {at.name}."
    await play_on([at.other], lambda: at.table.state.play.turn == at.seat or at.number > number + 6)
    assert at.number > number + 1, "the stand-in goes on at its own pace"
    back = await come_back(at.house, at.due)
    await settled()
    assert not seats(at.other)[at.seat].stand_in
    await play_on([at.other], lambda: back.legal is not None)
    number = at.number
    await at.clock.advance(600)
    assert at.number == number, "it is theirs again"


async def test_bot_with_a_turn_clock_the_clock_decides_when_the_stand_in_comes() -> None:
    at = await scene("bot", CLOCK)
    number = at.number
    at.due.close()
    await at.clock.advance(CLOCK - 1)
    assert at.number == number
    await at.clock.advance(2)
    assert at.number > number
    assert seats(at.other)[at.seat].stand_in


async def test_bot_somebody_present_who_runs_out_of_time_loses_that_turn_and_not_the_seat() -> None:
    at = await scene("bot", CLOCK)
    number = at.number
    await at.clock.advance(CLOCK + 0.1)
    assert at.number > number
    assert not seats(at.other)[at.seat].stand_in
    assert system_lines(at.other)[-1] == f"{at.name} ran out of time; a bot chose for this turn."


@pytest.mark.parametrize("clock_seconds", [0, CLOCK])
async def test_wait_waits_however_long_and_the_clock_stands_still(clock_seconds: int) -> None:
    at = await scene("wait", clock_seconds)
    number = at.number
    if clock_seconds:
        await at.clock.advance(20)
    at.due.close()
    await settled()
    assert at.clock_shown(at.other) is None
    await at.clock.advance(900)
    assert at.number == number
    back = await come_back(at.house, at.due)
    await settled()
    assert back.legal is not None
    assert back.table is not None
    assert back.table.clock == (40_000 if clock_seconds else None)
    assert at.clock_shown(at.other) == (40_000 if clock_seconds else None)
    await at.clock.advance(39)
    assert at.number == number
    await at.clock.advance(2)
    assert (at.number > number) == bool(clock_seconds)


@pytest.mark.parametrize(("clock_seconds", "seconds"), [(0, 45), (CLOCK, CLOCK)])
async def test_clock_a_bot_acts_for_each_turn_alone_once_its_time_is_up(clock_seconds: int, seconds: int) -> None:
    at = await scene("clock", clock_seconds)
    at.due.close()
    await settled()
    for _ in range(3):
        await play_on([at.other], lambda: at.table.state.play.turn == at.seat)
        await settled()
        number = at.number
        await at.clock.advance(seconds - 1)
        assert at.number == number
        await at.clock.advance(1.5)
        assert at.number > number
        assert not seats(at.other)[at.seat].stand_in, "nobody stands in: the turn was taken, not the seat"


async def test_the_turn_clock_is_shown_to_everybody_and_never_restarted_by_others() -> None:
    at = await scene("bot", CLOCK)
    assert at.clock_shown(at.due) == at.clock_shown(at.other) == CLOCK * 1000
    await at.clock.advance(10)
    watcher, _ = await arrive(at.house, "eve")
    await watcher.expect(WatchTable(0, at.code), Attending)
    await at.other.expect(Say(0, "tick"), Done)
    await at.clock.advance(10)
    watcher.close()
    await settled()
    assert at.clock_shown(at.due) == (CLOCK - 20) * 1000
    again = await come_back(at.house, at.other)
    assert again.table is not None
    assert again.table.clock == (CLOCK - 20) * 1000
    again.close()
    await at.clock.advance(10)
    number = at.number
    again = await come_back(at.house, again)
    await again.expect(StepAway(0), Done)
    await settled()
    assert at.clock_shown(at.due) == (CLOCK - 30) * 1000
    await at.clock.advance(29)
    assert at.number == number
    await at.clock.advance(2)
    assert at.number > number


async def test_a_return_on_ones_own_turn_gives_no_more_time_than_was_left() -> None:
    at = await scene("bot", CLOCK)
    await at.clock.advance(50)
    for _ in range(3):
        at.due.close()
        await at.clock.advance(2)
        at.due = await come_back(at.house, at.due)
    number = at.number
    assert at.due.table is not None
    assert at.due.table.clock == 4_000
    await at.clock.advance(5)
    assert at.number > number


async def test_going_and_coming_at_a_waiting_table_gains_half_a_minute_once_and_no_more() -> None:
    at = await scene("wait", CLOCK)
    number = at.number
    await at.clock.advance(55)
    for _ in range(9):
        at.due.close()
        await settled()
        await at.clock.advance(100)
        at.due = await come_back(at.house, at.due)
        await at.clock.advance(3)
        assert at.number == number
    await at.clock.advance(4)
    assert at.number > number


async def test_a_table_without_anybody_sleeps_and_wakes_with_a_grace() -> None:
    at = await scene("bot", CLOCK)
    number = at.number
    await at.clock.advance(55)
    at.due.close()
    at.other.close()
    await at.clock.advance(600)
    assert at.number == number
    at.other = await come_back(at.house, at.other)
    await at.clock.advance(29)
    assert at.number == number
    await at.clock.advance(2)
    assert at.number > number, "the time of who is still away runs from then on"


async def test_stepping_away_is_told_from_losing_the_line_and_leaving_from_both() -> None:
    at = await scene("bot")
    await at.due.expect(StepAway(0), Done)
    await settled()
    assert system_lines(at.other)[-1] == f"{at.name} went to the lobby."
    assert seats(at.other)[at.seat] == SeatInfo("person", at.name, "", False, "lost", False, elsewhere=True)
    assert at.due.table is not None
    await at.due.expect(JoinTable(0, at.code), Attending)
    await settled()
    assert system_lines(at.other)[-1] == f"{at.name} is back."
    at.due.close()
    await settled()
    assert system_lines(at.other)[-1] == f"{at.name} lost the connection."
    assert seats(at.other)[at.seat] == SeatInfo("person", at.name, "", False, "lost", False)
    at.due = await come_back(at.house, at.due)
    await at.due.expect(LeaveTable(0), Done)
    await settled()
    assert f"{at.name} left. A bot plays for {at.name}." in system_lines(at.other)
    assert seats(at.other)[at.seat] == SeatInfo("person", at.name, "", False, "left", True)


async def test_a_table_hears_whether_who_is_not_there_is_on_the_server_all_the_same() -> None:
    at = await scene("wait")
    at.due.close()
    await settled()
    assert not seats(at.other)[at.seat].elsewhere
    back, _ = await arrive(at.house, "", at.due.token)
    await back.expect(ListTables(0), Tables)
    await settled()
    assert seats(at.other)[at.seat] == SeatInfo("person", at.name, "", False, "lost", elsewhere=True)
    told = at.other.sequence
    await back.expect(ListTables(0), Tables)
    await settled()
    assert at.other.sequence == told, "once is enough"
    back.close()
    await settled()
    assert seats(at.other)[at.seat] == SeatInfo("person", at.name, "", False, "lost")


async def test_who_was_removed_is_told_apart_and_may_not_come_back() -> None:
    clock = HandClock()
    house = await open_house(clock)
    ann, bob, cy = await seated_table(house, ["ann", "bob", "cy"])
    await start([ann])
    await play_on([ann, bob, cy], lambda: ann.view and ann.view.number > 3)
    await ann.expect(Unseat(0, 1), Done)
    await settled()
    assert "bob was removed. A bot plays for bob." in system_lines(cy)
    assert seats(cy)[1] == SeatInfo("person", "bob", "", False, "removed", True)
    assert cy.table is not None
    assert await bob.refused(JoinTable(0, cy.table.code)) == "table/started"
    await play_on([ann, cy], lambda: cy.view and cy.view.winners)
    await bob.expect(JoinTable(0, cy.table.code), Attending)
    await settled()
    assert seats(cy)[1] == SeatInfo("person", "bob", "", True, "", False), "after the game the seat is free"


async def test_who_left_may_come_back_and_the_bot_gives_way_at_once() -> None:
    at = await scene("bot")
    await at.due.expect(LeaveTable(0), Done)
    await play_on([at.other], lambda: at.number > 8)
    back = await at.due.expect(JoinTable(0, at.code), Attending)
    assert back.seat == at.seat
    await settled()
    assert seats(at.other)[at.seat] == SeatInfo("person", at.name, "", True, "", False)
    await play_on([at.other], lambda: at.due.legal is not None)


def in_phase(phase: Phase) -> Callable[[Table], bool]:
    return lambda table: table.state.play.phase is phase


PHASES: dict[str, Callable[[Table], bool]] = {
    "dealing": lambda table: table.state.stage == "dealing",
    "planning": in_phase(Phase.PLANNING),
    "playing": in_phase(Phase.PLAYING),
    "covering": in_phase(Phase.COVERING),
    "between": lambda table: table.state.stage == "between",
    "over": lambda table: table.state.stage == "over",
}


@pytest.mark.parametrize("leaver", [0, 1])
@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("phase", PHASES)
async def test_leaving_in_any_phase_leaves_a_game_that_the_others_finish(phase: str, players: int, leaver: int) -> None:
    clock = HandClock()
    house = await open_house(clock, seed=players)
    names = ["ann", "bob", "cy"][:players]
    peers = await seated_table(house, names, rule_set(players, rounds=2))
    for peer in peers:
        peer.nonces = phase != "dealing"
    assert peers[0].table is not None
    table = house.tables[peers[0].table.code]
    await start(peers)
    await play_on(peers, lambda: PHASES[phase](table))
    await peers[leaver].expect(LeaveTable(0), Done)
    rest = [peer for peer in peers if peer is not peers[leaver]]
    for peer in rest:
        peer.nonces = True
    await clock.advance(6)
    await play_on(rest, lambda: table.state.stage == "over")
    assert table.host_name() == ("bob" if leaver == 0 else "ann")
    if phase == "over":
        assert (await rest[0].expect(BeReady(0, 2), Done)) is not None
        return
    for peer in rest:
        await peer.expect(BeReady(0, 2), Done)
    await play_on(rest, lambda: table.state.game == 2)
    assert table.state.seats[leaver].kind == "bot", "in the rematch a bot has the seat of who left"


async def test_a_table_that_everybody_left_is_closed_and_its_spectators_are_told() -> None:
    at = await scene("bot")
    watcher, _ = await arrive(at.house, "eve")
    await watcher.expect(WatchTable(0, at.code), Attending)
    await at.due.expect(LeaveTable(0), Done)
    assert at.code in at.house.tables
    await at.other.expect(LeaveTable(0), Done)
    await settled()
    assert at.code not in at.house.tables
    assert watcher.got(Detached)[-1].error == "table/closed"
    assert (await watcher.expect(JoinTable(0, at.code), Refused)).error == "table/unknown"
