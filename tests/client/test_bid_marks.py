"""A mark on a bid card never lies: what is called impossible is not covered later, whatever anybody does."""

from __future__ import annotations

from hypothesis import given

from looseends_client.bid_marks import Mark, bid_marks, points_if_over_now
from looseends_core.actions import Bid, Pass, Play
from looseends_core.cards import parse
from looseends_core.decide import deal_round, decide
from looseends_core.events import Event
from looseends_core.rules import RuleSet, rule_set
from looseends_core.shuffle import Deal
from looseends_core.state import State, evolve
from tests.client.games import any_game


@given(any_game())
def test_a_bid_called_impossible_is_never_covered_afterwards(game: tuple[RuleSet, list[Event]]) -> None:
    rules, events = game
    state = State(rules)
    given_up: list[set[int]] = [set() for _ in range(rules.players)]
    round_seen = 0
    for event in events:
        evolve(state, event)
        if state.round != round_seen:
            round_seen, given_up = state.round, [set() for _ in range(rules.players)]
        for seat in range(rules.players):
            for card, mark in bid_marks(state, seat):
                assert (mark is Mark.COVERED) == bool(state.covered[seat] >> card & 1)
                assert not (card in given_up[seat] and mark is not Mark.HOPELESS), "a lost hope does not come back"
                if mark is Mark.HOPELESS:
                    given_up[seat].add(card)


@given(any_game())
def test_after_the_last_trick_every_uncovered_bid_is_impossible_and_the_points_are_the_round_s(
    game: tuple[RuleSet, list[Event]],
) -> None:
    rules, events = game
    state = State(rules)
    for event in events:
        evolve(state, event)
    assert state.last_delta is not None
    assert tuple(points_if_over_now(state)) == state.last_delta
    for seat in range(rules.players):
        assert all(mark is not Mark.OPEN for _, mark in bid_marks(state, seat))


def _table(hands: list[str], first: int = 0) -> State:
    dealt = tuple(tuple(parse(card) for card in hand.split()) for hand in hands)
    state = State(rule_set(len(hands), rounds=1, hand_size=len(dealt[0])))
    for event in deal_round(state, Deal(dealt, first)):
        evolve(state, event)
    return state


def _do(state: State, *steps: str) -> None:
    for step in steps:
        assert state.turn is not None
        action = Pass() if step == "pass" else Bid(parse(step[4:])) if step.startswith("bid ") else Play(parse(step))
        for event in decide(state, state.turn, action):
            evolve(state, event)


def test_in_the_last_trick_a_bid_that_the_winning_card_cannot_match_is_impossible() -> None:
    state = _table(["B12 R1 G5", "Y1 Y2 Y3"])
    _do(state, "bid R1", "pass", "pass", "G5", "Y1")
    assert bid_marks(state, 0) == [(parse("R1"), Mark.OPEN)]
    _do(state, "B12")
    assert bid_marks(state, 0) == [(parse("R1"), Mark.HOPELESS)], "B12 led covers Blue and twelves only"


def test_nothing_is_given_up_while_planning_goes_on() -> None:
    state = _table(["B12 R1 G5", "Y1 Y2 Y3"])
    _do(state, "bid R1")
    assert bid_marks(state, 0) == [(parse("R1"), Mark.OPEN)]
