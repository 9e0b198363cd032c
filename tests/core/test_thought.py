"""What a bot says that it thinks: each action once, the best first, and numbers that are true where truth is known."""

from __future__ import annotations

import math
import random

import pytest

from looseends_core.actions import Action, action_text
from looseends_core.bots import LEVELS, Level
from looseends_core.bots.bidding import Bidding
from looseends_core.bots.fox import points_and_the_game
from looseends_core.bots.plausibility import PlausibleWorlds, power_of_e
from looseends_core.bots.rollout import Outcome
from looseends_core.bots.thought import NOT_ASKED, Thought, Weighed
from looseends_core.bots.worlds import Worlds
from looseends_core.cards import CardSet, cards_in, parse, rank_of, suit_of
from looseends_core.decide import legal_actions
from looseends_core.redact import redact
from looseends_core.state import State, fold
from tests.core.positions import POSITIONS, Position
from tests.core.table import Table

every_level = pytest.mark.parametrize("level", LEVELS.values(), ids=list(LEVELS))
searching = pytest.mark.parametrize("level", [LEVELS["sharp"], LEVELS["fox"]], ids=["sharp", "fox"])


def position(beginning: str) -> Position:
    return next(position for position in POSITIONS if position.name.startswith(beginning))


def view_of(table: Table, seat: int) -> State:
    return fold(table.rules, [redact(event, seat) for event in table.events])


def thought(level: Level, view: State, seed: int = 1) -> Thought:
    return level.think(view, random.Random(seed))


def of(thinking: Thought, text: str) -> Weighed:
    return next(weighed for weighed in thinking.weighed if action_text(weighed.action) == text)


def sorted_texts(actions: list[Action]) -> list[str]:
    return sorted(action_text(action) for action in actions)


@every_level
@pytest.mark.parametrize("known", POSITIONS[::3], ids=[known.name for known in POSITIONS[::3]])
def test_every_legal_action_is_weighed_once_and_the_best_is_what_the_level_chooses(
    level: Level, known: Position
) -> None:
    view = known.view()
    thinking = thought(level, view, 7)
    assert sorted_texts([one.action for one in thinking.weighed]) == sorted_texts(legal_actions(view))
    assert thinking.best == thinking.weighed[0].action == level.choose(view, random.Random(7))
    assert (thinking.worlds > 0) == level.searches
    for one in thinking.weighed:
        if not one.worlds:
            assert one == Weighed(one.action)
            continue
        assert one.worlds <= thinking.worlds
        for share in (one.wins, one.covers, one.loose, one.snitches, one.perfect):
            assert share == NOT_ASKED or 0 <= share <= 1
        assert (one.snitches == NOT_ASKED) != (one.perfect == NOT_ASKED)


@every_level
def test_a_single_legal_action_needs_no_thought(level: Level) -> None:
    table = Table("R1 R2 G1 | R3 G4 G5", max_bid=1)
    table.run("0 bid R1, 1 bid G5, 0 pass, 1 pass, 1 R3")
    thinking = thought(level, view_of(table, 0))
    assert (thinking.worlds, thinking.playouts) == (0, 0)
    assert [action_text(one.action) for one in thinking.weighed] == ["play R2"]


@searching
def test_a_thought_that_is_stopped_at_once_still_gives_a_legal_action_that_was_tried(level: Level) -> None:
    view = position("the lowest of hands").view()
    thinking = level.think(view, random.Random(1), lambda: True)
    assert thinking.best in legal_actions(view)
    assert thinking.worlds == 1
    assert thinking.weighed[0].worlds == 1


@searching
def test_a_thought_asks_often_whether_to_stop(level: Level) -> None:
    asked = 0

    def at_the_fifth() -> bool:
        nonlocal asked
        asked += 1
        return asked >= 5

    thinking = level.think(position("a snitch ducks").view(), random.Random(1), at_the_fifth)
    assert thinking.worlds == 4
    assert thinking.playouts == 4 * 4


@searching
def test_what_the_last_trick_brings_is_known_for_certain(level: Level) -> None:
    """Nobody plays behind the seat, so that no number is an estimate."""
    thinking = thought(level, position("the last chance to cover: wins").view())
    taking, ducking = of(thinking, "play Y12"), of(thinking, "play Y1")
    assert (taking.wins, taking.cover, taking.covers, taking.loose) == (1.0, parse("Y3"), 1.0, 0.0)
    assert (ducking.wins, ducking.cover, ducking.covers, ducking.loose) == (0.0, None, 0.0, 0.0)
    # Covered is 2 and the Perfect Crime 5; ducking leaves one loose end. The other covered both of its bids.
    assert (taking.own, taking.perfect, taking.points) == (7.0, 1.0, 7.0 - 9.0)
    assert (ducking.own, ducking.perfect) == (-1.0, 0.0)
    assert taking.error == 0.0


@searching
def test_a_trick_that_covers_nothing_is_counted_as_a_loose_end(level: Level) -> None:
    thinking = thought(level, position("done: ducks the last trick").view())
    assert (of(thinking, "play Y10").loose, of(thinking, "play Y10").perfect) == (1.0, 0.0)
    assert (of(thinking, "play Y2").loose, of(thinking, "play Y2").perfect) == (0.0, 1.0)


@searching
def test_a_snitch_who_takes_the_trick_fails(level: Level) -> None:
    thinking = thought(level, position("a snitch ducks").view())
    assert of(thinking, "play R12").snitches == 0.0
    assert of(thinking, "play R3").snitches > 0.5
    assert of(thinking, "play R3").perfect == NOT_ASKED


@searching
def test_getaway_cards_are_worth_the_same(level: Level) -> None:
    table = Table("R5 R2 G3 G4 | R12 X2 X1 Y1", first=1, variants="getaway", max_bid=1)
    table.run("1 pass, 0 bid G4, 0 pass, 0 R5")
    thinking = thought(level, view_of(table, 1))
    first, second = of(thinking, "play X1"), of(thinking, "play X2")
    assert (first.points, first.worlds, first.snitches) == (second.points, second.worlds, second.snitches)


@searching
def test_a_bid_says_how_often_it_is_covered(level: Level) -> None:
    """Both trumps that nothing beats cover whatever trump is bid."""
    view = view_of(Table("B12 B11 B1 G6 Y5 R7 | R1 R2 R3 R4 R5 R6", max_bid=1), 0)
    bid = of(thought(level, view), "bid B11")
    assert bid.cover == parse("B11")
    assert bid.covers > 0.95
    assert bid.wins == NOT_ASKED


# What the fox adds


def ranks_held(worlds: Worlds | PlausibleWorlds, seat: int, rng: random.Random, suit: int | None = None) -> float:
    """The mean rank of the cards, of one suit or of any, that a seat holds in two hundred worlds."""
    total = count = 0
    for _ in range(200):
        world: list[CardSet] = worlds.draw(rng) if isinstance(worlds, Worlds) else worlds.draw()
        for card in cards_in(world[seat]):
            if suit is None or suit_of(card) == suit:
                total += rank_of(card)
                count += 1
    return total / count


def seen_after(moves: str) -> tuple[State, PlausibleWorlds, random.Random]:
    table = Table(
        "B7 B8 R7 R8 G7 G8 Y7 Y8 | B1 B2 R1 R2 G1 G2 Y1 Y2 | B3 B4 R3 R4 G3 G4 Y3 Y4",
        first=1,
        max_bid=3,
    )
    table.run(moves)
    view = view_of(table, 0)
    rng = random.Random(3)
    return view, PlausibleWorlds(view, Bidding(table.rules), rng, 4), rng


def test_a_snitch_is_thought_to_hold_lower_cards() -> None:
    view, plausible, rng = seen_after("1 pass, 2 bid B3")
    assert ranks_held(plausible, 1, rng) < ranks_held(Worlds(view), 1, rng) - 0.3


def test_whoever_bids_a_suit_is_thought_to_hold_winners_in_it() -> None:
    view, plausible, rng = seen_after("1 bid R1, 2 bid B3, 0 bid Y7, 1 bid R2, 2 bid B4")
    assert ranks_held(plausible, 1, rng, 1) > ranks_held(Worlds(view), 1, rng, 1) + 0.3


def test_before_anybody_has_bid_one_world_that_fits_is_as_plausible_as_another() -> None:
    view = view_of(Table("B7 B8 R7 | B1 B2 R1 | B3 B4 R3", max_bid=1), 0)
    plausible = PlausibleWorlds(view, Bidding(view.rules), random.Random(9), 4)
    assert plausible.draw() == Worlds(view).draw(random.Random(9))


def test_the_powers_of_e_are_near_enough() -> None:
    for exponent in range(-190, 191, 7):
        assert power_of_e(exponent / 10) == pytest.approx(math.exp(exponent / 10), rel=0.001)
    assert power_of_e(50.0) == power_of_e(20.0)


def outcome(*points: int) -> Outcome:
    n = len(points)
    return Outcome(list(points), [0] * n, [0] * n, [0] * n, [0] * 4 * n, False, 0, -1)


def test_in_the_last_round_winning_the_game_counts_and_before_it_does_not() -> None:
    table = Table("R1 R2 | G1 G2", rounds=2, max_bid=1)
    view = view_of(table, 0)
    assert points_and_the_game(view)(outcome(4, 1), 3.0) == 3.0
    view.round = 2
    view.scores = [5, 9]
    worth = points_and_the_game(view)
    assert worth(outcome(4, 1), 3.0) == 3.0
    assert worth(outcome(6, 1), 5.0) > 5.0
    # Of equal totals the better last round decides.
    assert worth(outcome(5, 1), 4.0) > 4.0
    view.scores = [5, 5]
    assert 0.0 < points_and_the_game(view)(outcome(2, 2), 0.0) < worth(outcome(6, 1), 0.0)
