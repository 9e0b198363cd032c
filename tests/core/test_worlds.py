"""The worlds that bots think in: each fits all that the seat has seen, and nothing else decides what they are."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from looseends_core.actions import Action
from looseends_core.bots import worlds as worlds_module
from looseends_core.bots.worlds import Worlds
from looseends_core.cards import GETAWAY_MASK, CardSet, card_set, cards_in, suit_of
from looseends_core.decide import deal_round, decide, legal_actions
from looseends_core.events import Event, RoundDealt
from looseends_core.redact import redact
from looseends_core.rules import RuleSet, rule_set
from looseends_core.shuffle import Deal
from looseends_core.state import State, evolve, fold
from tests.core.table import Table
from tests.strategies import play_game, rule_sets

Step = tuple[int, Action]


def rounds_in_progress(rules: RuleSet, seed: int) -> Iterator[tuple[State, State, list[Step]]]:
    """Every moment of a random game: the full state, the view of the seat on turn, the steps of the round so far."""
    game = play_game(rules, seed)
    events: list[Event] = []
    steps: list[Step] = []
    actions = iter(game.actions)
    for state, step in zip(game.states(), game.steps, strict=False):
        if state.turn is not None:
            yield state, fold(rules, [redact(event, state.turn) for event in events]), list(steps)
        if isinstance(step[0], RoundDealt):
            steps = []
        else:
            steps.append(next(actions))
        events += step


def dealt_in(view: State, world: list[CardSet]) -> Deal:
    """The deal that this world began with: what each seat holds, has bid and has played."""
    hands = list(world)
    for seat, bids in enumerate(view.bids):
        hands[seat] |= card_set(bids)
    for trick in (*(trick.plays for trick in view.tricks), tuple(view.trick)):
        for seat, card in trick:
            hands[seat] |= 1 << card
    return Deal(tuple(tuple(cards_in(cards)) for cards in hands), view.first)


@pytest.mark.parametrize("tries", [3, 0], ids=["as the cards come", "matched"])
@given(rules=rule_sets(max_rounds=2), seed=st.integers(0, 2**32))
@settings(max_examples=40)
def test_every_world_replays_the_round_so_far_legally_with_the_cards_of_the_seat(
    tries: int, rules: RuleSet, seed: int
) -> None:
    """Quick deals come to a dead end so rarely that the thorough way of dealing is tried by itself too."""
    with patch.object(worlds_module, "QUICK_DEALS", tries):
        replay_worlds(rules, seed)


@pytest.mark.rule("V4")
def test_a_hand_that_could_only_pass_holds_nothing_but_getaway_cards_in_every_world() -> None:
    table = Table("R1 R2 | X1 X2 | R3 G4", variants="double-cross getaway", max_bid=1)
    table.run("0 pass, 1 pass")
    worlds = Worlds(fold(table.rules, [redact(event, 2) for event in table.events]))
    for seed in range(30):
        assert not worlds.draw(random.Random(seed))[1] & ~GETAWAY_MASK


def replay_worlds(rules: RuleSet, seed: int) -> None:
    """Draw a world at every moment of a random game and replay the round in it."""
    rng = random.Random(seed)
    for state, view, steps in rounds_in_progress(rules, seed):
        seat = state.turn
        assert seat is not None
        world = Worlds(view).draw(rng)
        assert world[seat] == view.hands[seat]
        assert [cards.bit_count() for cards in world] == view.hand_sizes
        replayed = State(rules)
        replayed.round = view.round - 1
        replayed.first = (view.first - 1) % rules.players
        for event in deal_round(replayed, dealt_in(view, world)):
            evolve(replayed, event)
        for at, action in steps:
            for event in decide(replayed, at, action):
                evolve(replayed, event)
        assert replayed.hands == world
        assert replayed.turn == seat
        assert legal_actions(replayed) == legal_actions(view)


def test_a_seat_that_could_not_follow_is_dealt_none_of_that_suit() -> None:
    table = Table("R1 R2 G1 G2 Y1 | G5 G6 Y6 B1 B2 | R7 R8 G7 Y7 B7", max_bid=1)
    table.run("0 pass, 1 pass, 2 pass, 2 R7, 0 R1, 1 B1")
    view = fold(table.rules, [redact(event, 1) for event in table.events])
    assert view.turn == 1
    table.run("1 G5, 2 G7, 0 G1")
    view = fold(table.rules, [redact(event, 2) for event in table.events])
    worlds = Worlds(view)
    for seed in range(50):
        world = worlds.draw(random.Random(seed))
        assert all(suit_of(card) != 1 for card in cards_in(world[1]))


def test_every_deal_that_fits_is_about_as_likely_as_any_other() -> None:
    view = fold(rule_set(2, hand_size=2), [RoundDealt(1, 0, ((0, 1), None))])
    worlds = Worlds(view)
    rng = random.Random("even")
    seen: Counter[int] = Counter()
    for _ in range(9200):
        seen.update(cards_in(worlds.draw(rng)[1]))
    assert len(seen) == 46
    assert all(310 < times < 490 for times in seen.values())
