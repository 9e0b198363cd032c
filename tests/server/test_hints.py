"""A hint: for the seat on turn alone, from its own view, thought in a worker, and refused by name otherwise."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from functools import partial

import pytest

from looseends_core.bots import LEVELS, Level
from looseends_core.bots.thought import Thought, Weighed
from looseends_core.decide import legal_actions
from looseends_core.rules import rule_set
from looseends_protocol.legal import actions_of
from looseends_protocol.messages import Act, AskHint, Hint, LeaveTable, Refused, StepAway, TableOptions, WatchTable
from looseends_server import hints
from looseends_server.bot_turn import question_of
from looseends_server.house import House
from looseends_server.limits import Limits, ServerSettings
from looseends_server.mind_messages import Question
from looseends_server.minds import Ticket
from looseends_server.table import Table
from tests.server.conftest import Logged
from tests.server.peers import FAST, HandClock, Peer, arrive, come_back, play_on, seated_table, settled, start
from tests.server.planted_worker import LEVELS as PLANTED
from tests.server.planted_worker import WORKER

TWO = rule_set(2, rounds=1, hand_size=6)


class Scene:
    """Two people in a game, whose hints come from a level with a fault or without one."""

    def __init__(self, house: House, peers: list[Peer], clock: HandClock) -> None:
        self.house = house
        self.peers = peers
        self.clock = clock
        self.table: Table = next(iter(house.tables.values()))

    @property
    def due(self) -> Peer:
        """Whoever is on turn."""
        assert self.table.state.play.turn is not None
        return self.peers[self.table.state.play.turn]

    @property
    def other(self) -> Peer:
        """Whoever is not."""
        return next(peer for peer in self.peers if peer is not self.due)

    def question(self, number: int | None = None, game: int = 1) -> AskHint:
        return AskHint(0, game, self.table.state.play.number if number is None else number)


async def scene_with(level: str, options: TableOptions = FAST, **limits: float) -> Scene:
    clock = HandClock()
    settings = Limits(**{"burst_messages": 10_000, "workers": 1, "thought_cpu_seconds": 0.05, **limits})  # type: ignore[arg-type]
    house = await House.open(
        None,
        ServerSettings(limits=settings),
        clock=clock,
        entropy=random.Random(3).randbytes,
        levels={"steady": PLANTED["steady"], level: PLANTED[level]},
        worker=WORKER,
    )
    peers = await seated_table(house, ["ann", "ben"], TWO, options)
    await start(peers)
    at = Scene(house, peers, clock)
    await peers[0].until(lambda: at.table.state.stage == "playing")
    await settled()
    return at


@pytest.fixture
async def scene() -> AsyncIterator[Scene]:
    at = await scene_with("plain")
    yield at
    await at.house.close()


async def test_the_seat_on_turn_gets_every_legal_action_weighed_once(scene: Scene) -> None:
    hint = await scene.due.expect(scene.question(), Hint)
    assert hint.level == "plain"
    legal = legal_actions(scene.table.state.play)
    assert len(hint.weighed) == len(legal)
    assert all(one.action in legal for one in hint.weighed)


async def test_a_hint_comes_in_every_phase_and_what_it_says_may_be_played(scene: Scene) -> None:
    phases = set()
    while scene.table.state.stage == "playing":
        state = scene.table.state.play
        phases.add(state.phase.value)
        number = state.number
        due = scene.due
        hint = await due.expect(scene.question(), Hint)
        await due.ask(Act(0, 1, number, hint.weighed[0].action))
        await settled()
        assert scene.table.state.play.number > number
    assert {"planning", "playing"} <= phases


async def test_the_same_state_asked_again_is_not_thought_about_again(scene: Scene) -> None:
    first = await scene.due.expect(scene.question(), Hint)
    again = await scene.due.expect(scene.question(), Hint)
    assert again.weighed == first.weighed
    assert scene.house.counts.thoughts["whole"] == 1


async def test_a_hint_for_another_seat_state_or_game_is_refused(scene: Scene) -> None:
    assert await scene.other.refused(scene.question()) == "hint/not_asked"
    number = scene.table.state.play.number
    for wrong in (scene.question(number + 1), scene.question(number - 1), scene.question(game=2)):
        assert await scene.due.refused(wrong) == "action/stale"


async def test_a_spectator_and_somebody_at_no_table_get_none(scene: Scene) -> None:
    eve, _ = await arrive(scene.house, "eve")
    assert await eve.refused(scene.question()) == "table/not_here"
    await eve.ask(WatchTable(0, scene.table.code))
    assert await eve.refused(scene.question()) == "table/not_seated"


async def test_before_a_game_and_after_a_round_there_is_none() -> None:
    house = await House.open(None, ServerSettings(limits=Limits(burst_messages=10_000)), clock=HandClock())
    peers = await seated_table(house, ["ann", "ben"], TWO)
    assert await peers[0].refused(AskHint(0, 0, 0)) == "table/not_started"
    await start(peers)
    table = next(iter(house.tables.values()))
    await play_on(peers, lambda: table.state.stage == "over")
    assert await peers[0].refused(AskHint(0, 1, table.state.play.number)) == "hint/not_asked"
    await house.close()


async def test_where_the_table_gives_no_hints_none_is_given() -> None:
    at = await scene_with("plain", TableOptions(bots=0, hint=False))
    assert await at.due.refused(at.question()) == "hint/off"
    await at.house.close()


async def test_where_no_level_searches_there_is_none() -> None:
    at = await scene_with("plain")
    at.house.levels = {"steady": LEVELS["steady"]}
    assert await at.due.refused(at.question()) == "hint/none"
    await at.house.close()


async def test_one_hint_at_a_time_is_thought_of_for_a_seat() -> None:
    at = await scene_with("goes-on")
    first = at.due.post(at.question())
    assert await at.due.refused(at.question()) == "hint/running"
    assert isinstance(await at.due.until(lambda: at.due.answer(first)), Hint)
    assert isinstance(await at.due.ask(at.question()), Hint)
    await at.house.close()


@pytest.mark.parametrize("level", ["fails", "dies", "cheats"])
async def test_a_thought_that_fails_is_no_hint_and_the_game_goes_on(level: str, logged: Logged) -> None:
    at = await scene_with(level)
    assert await at.due.refused(at.question()) == "hint/none"
    if level == "fails":
        logged.expect("bot failed")
    await play_on(at.peers, lambda: at.table.state.stage == "over")
    await at.house.close()


async def test_a_full_queue_refuses_a_hint_for_a_moment() -> None:
    at = await scene_with("goes-on", waiting_thoughts=1)
    for _ in range(2):  # one is thought about, one waits
        assert at.house.minds.ask(question_of(at.table, 0, "goes-on"), lambda _: None)
        await settled()
    assert await at.due.refused(at.question()) == "table/busy"
    await at.house.close()


async def test_a_hint_that_comes_after_the_move_is_refused_as_stale() -> None:
    at = await scene_with("goes-on")
    due = at.due
    asked = due.post(at.question())
    assert due.legal is not None
    assert due.view is not None
    await due.ask(Act(0, 1, due.view.number, actions_of(due.legal, due.view.phase)[0]))
    answer = await due.until(lambda: due.answer(asked))
    assert isinstance(answer, Refused)
    assert answer.error == "action/stale"
    await at.house.close()


def has_moved_on(table: Table, number: int) -> bool:
    return table.state.play.number > number


async def test_a_hint_for_the_next_turn_takes_the_place_of_one_that_nobody_needs_any_more() -> None:
    at = await scene_with("goes-on")
    first = at.due
    asked = first.post(at.question())
    while at.due is not first or at.table.state.play.number < 3:
        await play_on(at.peers, partial(has_moved_on, at.table, at.table.state.play.number))
        await settled()
    again = first.post(at.question())
    answer = await first.until(lambda: first.answer(asked))
    assert isinstance(answer, Refused)
    assert answer.error == "action/stale"
    assert isinstance(await first.until(lambda: first.answer(again)), Hint)
    await at.house.close()


async def test_whoever_went_away_meanwhile_is_told_so_and_asks_anew_when_they_are_back() -> None:
    at = await scene_with("goes-on")
    due = at.due
    asked = due.post(at.question())
    await due.ask(StepAway(0))
    answer = await due.until(lambda: due.answer(asked))
    assert isinstance(answer, Refused)
    assert answer.error == "table/not_here"
    back = await come_back(at.house, due)
    assert isinstance(await back.ask(at.question()), Hint)
    await at.house.close()


async def test_a_connection_that_is_lost_meanwhile_hears_nothing_and_the_seat_may_ask_again() -> None:
    at = await scene_with("goes-on")
    due = at.due
    due.post(at.question())
    await settled()
    due.close()
    back = await come_back(at.house, due)
    assert isinstance(await back.ask(at.question()), Hint)
    await at.house.close()


async def test_a_table_that_is_closed_meanwhile_answers_so() -> None:
    at = await scene_with("goes-on")
    due = at.due
    asked = due.post(at.question())
    await settled()
    at.house.close_table(at.table, lambda _: None)
    answer = await due.until(lambda: due.answer(asked))
    assert isinstance(answer, Refused)
    assert answer.error == "table/closed"
    await at.house.close()


async def test_what_was_counted_travels_in_whole_hundredths_and_percents(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    legal = legal_actions(scene.table.state.play)
    first = Weighed(legal[0], 1.237, 0.101, -2.0, 96, 0.704, 9, 0.666, 0.0, -1.0, 1.0)
    thought = Thought(legal[0], (first, *(Weighed(action, 5e9, 5e9, -5e9) for action in legal[1:])))

    def answered_so(question: Question, then: Callable[[Thought | None], None]) -> Ticket:
        asyncio.get_running_loop().call_soon(then, thought)
        return Ticket(question, then)

    monkeypatch.setattr(scene.house.minds, "ask", answered_so)
    best, *others = (await scene.due.expect(scene.question(), Hint)).weighed
    assert (best.points, best.uncertainty, best.own, best.worlds) == (124, 10, -200, 96)
    assert (best.wins, best.cover, best.covers, best.loose, best.snitches, best.perfect) == (70, 9, 67, 0, None, 100)
    assert {(one.points, one.uncertainty, one.own) for one in others} == {(100_000, 100_000, -100_000)}


def test_the_strongest_level_that_searches_gives_hints() -> None:
    assert hints.adviser(LEVELS) is LEVELS["fox"]
    weak = Level("rookie", "", LEVELS["rookie"].choose)
    assert hints.adviser({"rookie": weak}) is None


async def test_leaving_for_good_gives_no_hint_either() -> None:
    at = await scene_with("goes-on")
    due = at.due
    asked = due.post(at.question())
    await due.ask(LeaveTable(0))
    assert isinstance(await due.until(lambda: due.answer(asked)), Refused)
    await at.house.close()
