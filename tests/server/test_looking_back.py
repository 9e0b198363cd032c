"""A finished game is looked at again, decision by decision, and played on from one of them, by those who played it."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings

from looseends_core.bots import LEVELS, Level
from looseends_core.bots.thought import Stop, Thought, Weighed
from looseends_core.decide import legal_actions
from looseends_core.events import RoundDealt
from looseends_core.record import GameRecord, record_from_json, record_of
from looseends_core.rules import rule_set
from looseends_core.state import State, fold
from looseends_protocol.messages import (
    Act,
    Attending,
    BeReady,
    CreateTable,
    Done,
    Games,
    GetGame,
    JoinTable,
    ListGames,
    RecordText,
    Reviewed,
    ReviewGame,
    SeatBot,
    TableOptions,
    WhatIf,
)
from looseends_server.house import House
from looseends_server.limits import Limits, ServerSettings
from looseends_server.looking_back import decisions_of
from looseends_server.mind_messages import Question
from looseends_server.table import Table
from tests.server.peers import HandClock, Peer, arrive, play_on, settled, start
from tests.strategies import PlayedGame, games

RULES = rule_set(3, variants=("plan-b",), rounds=2, hand_size=4, max_bid=2)


def think_simply(view: State, rng: random.Random, stop: Stop) -> Thought:
    """Weigh the actions by their place in the list: the last is best, each a point better than the one before."""
    legal = legal_actions(view)
    weighed = [Weighed(action, points=float(place), error=0.3, worlds=4) for place, action in enumerate(legal)]
    return Thought(legal[-1], tuple(reversed(weighed)), worlds=4)


def think_here(question: Question, then: Callable[[Thought | None], None]) -> object:
    view = fold(question.rules, question.events)
    asyncio.get_running_loop().call_soon(then, think_simply(view, random.Random(), lambda: False))
    return object()


SIMPLE = Level("simple", "Takes the last.", lambda view, rng: legal_actions(view)[-1], think_simply)


async def house_with_a_game(
    monkeypatch: pytest.MonkeyPatch, *names: str, options: TableOptions | None = None
) -> tuple[House, list[Peer], int]:
    """Return a house in which these people and a rookie have finished a game, and the game's number."""
    house = await House.open(
        None,
        ServerSettings(limits=Limits(burst_messages=10_000)),
        clock=HandClock(),
        entropy=random.Random(5).randbytes,
        levels={"rookie": LEVELS["rookie"], "steady": LEVELS["steady"], "simple": SIMPLE},
    )
    # The level is one of this test's own, which no other process knows.
    monkeypatch.setattr(house.minds, "ask", think_here)
    peers = [(await arrive(house, name))[0] for name in names]
    options = options or TableOptions(bots=0)
    code = (await peers[0].expect(CreateTable(0, RULES, options), Attending)).code
    for peer in peers[1:]:
        await peer.expect(JoinTable(0, code), Attending)
    await peers[0].ask(SeatBot(0, 2, "rookie"))
    table = house.tables[code]
    await start(peers)
    await play_on(peers, lambda: table.state.stage == "over")
    await settled()
    (game,) = (await peers[0].expect(ListGames(0), Games)).games
    return house, peers, game.game


async def play_to_the_end(house: House, peer: Peer, table: Table) -> None:
    """Let somebody play on against bots, who wait a moment before they act."""
    assert isinstance(house.clock, HandClock)
    for _ in range(500):
        if table.state.stage == "over":
            return
        peer.act_if_due()
        if table.state.stage == "between":
            peer.post(BeReady(0, table.state.play.round))
        await settled()
        await house.clock.advance(1)
    raise AssertionError("the game does not end")


async def record_of_game(peer: Peer, game: int) -> GameRecord:
    return record_from_json(json.loads((await peer.expect(GetGame(0, game), RecordText)).record))


@settings(max_examples=30)
@given(games())
def test_every_decision_of_a_record_is_found_where_it_was_taken(game: PlayedGame) -> None:
    record = record_of(game.rules, ["x"] * game.rules.players, game.events)
    events, decisions = decisions_of(record)
    assert events == game.events
    assert [(one.seat, one.taken) for one in decisions] == game.actions
    for one in decisions:
        state = fold(game.rules, events[: one.number])
        assert (state.turn, state.phase) == (one.seat, one.phase)
        assert len(legal_actions(state)) == one.choices


async def test_a_review_tells_of_every_decision_that_was_one_what_it_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    house, (ann, bob), game = await house_with_a_game(monkeypatch, "ann", "bob")
    assert isinstance(await ann.ask(ReviewGame(0, game)), Done)
    await ann.until(lambda: ann.got(Reviewed) and ann.got(Reviewed)[-1].done == ann.got(Reviewed)[-1].total)
    told = ann.got(Reviewed)
    assert [one.done for one in told] == list(range(1, told[0].total + 1))
    assert bob.got(Reviewed) == []

    record = await record_of_game(ann, game)
    events, decisions = decisions_of(record)
    own = [one for one in decisions if one.seat == 0 and one.choices > 1]
    assert [one.decision.number for one in told if one.decision] == [one.number for one in own]
    for one, was in zip(told, own, strict=True):
        assert one.decision is not None
        legal = legal_actions(fold(record.rules, events[: was.number]))
        assert one.decision.taken == was.taken
        assert one.decision.lost == 100 * (len(legal) - 1 - legal.index(was.taken))
        assert one.decision.best == legal[-1]
    await house.close()


async def test_one_review_at_a_time_and_only_of_an_own_game(monkeypatch: pytest.MonkeyPatch) -> None:
    house, (ann, bob), game = await house_with_a_game(
        monkeypatch, "ann", "bob", options=TableOptions(bots=0, private=True)
    )
    dee, _ = await arrive(house, "dee")
    assert await dee.refused(ReviewGame(0, game)) == "game/unknown"
    assert await ann.refused(ReviewGame(0, game + 7)) == "game/unknown"
    first, second = ann.post(ReviewGame(0, game)), ann.post(ReviewGame(0, game))
    await ann.until(lambda: ann.answer(first) and ann.answer(second))
    answers = [ann.answer(first), ann.answer(second)]
    assert sorted(type(answer).__name__ for answer in answers) == ["Done", "Refused"]
    await ann.until(lambda: ann.got(Reviewed) and ann.got(Reviewed)[-1].done == ann.got(Reviewed)[-1].total)
    assert isinstance(await ann.ask(ReviewGame(0, game)), Done)
    ann.close()
    await settled()
    assert isinstance(await bob.ask(ReviewGame(0, game)), Done)
    await house.close()


async def test_who_only_watched_or_might_look_cannot_play_on(monkeypatch: pytest.MonkeyPatch) -> None:
    house, _, game = await house_with_a_game(monkeypatch, "ann", "bob")
    dee, _ = await arrive(house, "dee")
    assert await dee.refused(ReviewGame(0, game)) == "game/not_yours"
    assert await dee.refused(WhatIf(0, game, 5, "rookie")) == "game/not_yours"
    await house.close()


async def test_a_game_is_played_on_from_every_own_decision_and_counts_for_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house, (ann, _), game = await house_with_a_game(monkeypatch, "ann", "bob")
    record = await record_of_game(ann, game)
    events, decisions = decisions_of(record)
    before = house.archive.totals.standings()
    for one in [decision for decision in decisions if decision.seat == 0][::5]:
        table = await ann.expect(WhatIf(0, game, one.number, "rookie"), Attending)
        assert (table.seat, table.phase, table.legal is not None) == (0, "playing", True)
        assert ann.view is not None
        assert ann.view.number == one.number
        assert ann.view.hands[0] == fold(record.rules, events[: one.number]).hands[0]
        assert sum(seat.kind == "bot" for seat in table.seats) == 2
        played = house.tables[table.code]
        other = next((action for action in legal_actions(played.state.play) if action != one.taken), one.taken)
        ann.legal = None
        assert isinstance(await ann.ask(Act(0, table.game, one.number, other)), Done)
        await play_to_the_end(house, ann, played)
        await settled()
    assert house.archive.totals.standings() == before
    assert len((await ann.expect(ListGames(0), Games)).games) == 1
    assert await ann.refused(WhatIf(0, game, 0)) == "table/no_level"
    assert await ann.refused(WhatIf(0, game, 0, "rookie")) == "game/not_yours"
    bobs = next(one for one in decisions if one.seat == 1)
    assert await ann.refused(WhatIf(0, game, bobs.number, "rookie")) == "game/not_yours"
    await house.close()


async def test_playing_on_tells_nobody_what_the_others_held(monkeypatch: pytest.MonkeyPatch) -> None:
    house, (ann, _), game = await house_with_a_game(monkeypatch, "ann", "bob")

    record = await record_of_game(ann, game)
    _, decisions = decisions_of(record)
    last = [one for one in decisions if one.seat == 0][-1]
    table = await ann.expect(WhatIf(0, game, last.number, "rookie"), Attending)
    dealt = [event for event in table.events if isinstance(event, RoundDealt)]
    assert [tuple(hand is not None for hand in event.hands) for event in dealt] == [(True, False, False)] * len(dealt)
    await house.close()
