"""The quick engine of the bots against the rules: every move that it makes, cover and count of points."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from looseends_core.actions import COVERS, PLAYS, Cover, Play
from looseends_core.bots.board import Board, suit_masks
from looseends_core.bots.rollout import AS_ALL, EAGER, PATIENT, Outcome, Trace, play_out
from looseends_core.bots.uniform import play_out_uniformly
from looseends_core.cards import GETAWAY_MASK, SUITED_CARDS, Card, cards_in, parse
from looseends_core.decide import decide, legal_actions
from looseends_core.rules import RuleSet, rule_set
from looseends_core.state import Phase, State, evolve
from tests.core.table import Table
from tests.strategies import play_game, rule_sets


def by_policy(board: Board, chance: random.Random, trace: Trace | None = None) -> Outcome:
    return play_out(board, -1, trace, chance.choice((AS_ALL, PATIENT, EAGER)))


def at_random(board: Board, chance: random.Random, trace: Trace | None = None) -> Outcome:
    return play_out_uniformly(board, chance.random, trace)


every_playout = pytest.mark.parametrize("playout", [by_policy, at_random])
Playout = Callable[[Board, random.Random, Trace | None], Outcome]


def positions(rules: RuleSet, seed: int) -> Iterator[State]:
    """Every moment of a random game in which a card is to be played or covered: hands are uneven, tricks half full."""
    for state in play_game(rules, seed).states():
        if state.phase in (Phase.PLAYING, Phase.COVERING):
            yield state.copy()


def board_of(state: State) -> Board:
    board = Board(state)
    board.hold(state.hands)
    return board


def held(state: State, card: Card) -> Card:
    """The card itself, or for Getaway card 60, which stands for any, one that the seat on turn holds."""
    if card < SUITED_CARDS:
        return card
    assert state.turn is not None
    return next(cards_in(state.hands[state.turn] & GETAWAY_MASK))


def follow(state: State, trace: Trace) -> None:
    """Make every move of a playout by the rules, each of which has to be legal, and each cover have its place."""
    for verb, seat, card in trace:
        if verb == "cover" and state.phase is not Phase.COVERING:
            # One card was eligible, so it was covered by itself.
            trick = state.tricks[-1]
            assert (trick.winner, trick.outcome, trick.bid_card) == (seat, "covered", card)
            continue
        assert state.turn == seat
        action = COVERS[card] if verb == "cover" else PLAYS[held(state, card)]
        for event in decide(state, seat, action):
            evolve(state, event)


@every_playout
@given(rules=rule_sets(max_rounds=2), seed=st.integers(0, 2**32))
@settings(max_examples=40)
def test_a_playout_is_a_line_of_legal_moves_and_comes_to_the_points_that_the_rules_count(
    playout: Playout, rules: RuleSet, seed: int
) -> None:
    chance = random.Random(seed)
    for state in positions(rules, seed):
        if state.phase is Phase.COVERING or chance.random() < 0.5:
            continue
        board = board_of(state)
        trace: Trace = []
        outcome = playout(board, chance, trace)
        follow(state, trace)
        assert state.last_delta == tuple(outcome.points)
        assert state.phase in (Phase.DEALING, Phase.OVER)
        sheet = state.results[-1]
        assert state.won == outcome.won
        assert [result.covered for result in sheet] == outcome.covered
        assert [result.loose_ends for result in sheet] == outcome.ends
        assert any(result.snitch_succeeded for result in sheet) == outcome.free
        for seat in range(rules.players):
            assert suit_masks(state.uncovered(seat)) == outcome.need[4 * seat : 4 * seat + 4]


@given(rules=rule_sets(max_rounds=1), seed=st.integers(0, 2**32))
@settings(max_examples=25)
def test_a_playout_begins_with_the_card_that_is_to_be_tried(rules: RuleSet, seed: int) -> None:
    for state in positions(rules, seed):
        for action in legal_actions(state):
            if isinstance(action, Play):
                trace: Trace = []
                outcome = play_out(board_of(state), action.card, trace)
                assert trace[0] == ("play", state.turn, min(action.card, SUITED_CARDS))
                line = state.copy()
                follow(line, trace)
                assert line.last_delta == tuple(outcome.points)


@every_playout
@given(rules=rule_sets(max_rounds=1), seed=st.integers(0, 2**32))
@settings(max_examples=25)
def test_a_playout_says_who_takes_the_running_trick_and_what_it_covers(
    playout: Playout, rules: RuleSet, seed: int
) -> None:
    for state in positions(rules, seed):
        if state.phase is Phase.COVERING:
            continue
        trace: Trace = []
        outcome = playout(board_of(state), random.Random(seed), trace)
        number = len(state.tricks)
        follow(state, trace)
        trick = state.tricks[number]
        assert trick.winner == outcome.winner
        assert (trick.bid_card if trick.outcome == "covered" else -1) == outcome.cover


@given(rules=rule_sets(max_rounds=1), seed=st.integers(0, 2**32))
@settings(max_examples=25)
def test_a_cover_that_the_winner_chooses_is_made_on_the_board_too(rules: RuleSet, seed: int) -> None:
    for state in positions(rules, seed):
        if state.phase is not Phase.COVERING:
            continue
        for action in legal_actions(state):
            assert isinstance(action, Cover)
            assert state.turn is not None
            board = board_of(state)
            board.cover(state.turn, action.card)
            covered = state.copy()
            for event in decide(covered, state.turn, action):
                evolve(covered, event)
            trace: Trace = []
            outcome = play_out(board, -1, trace)
            follow(covered, trace)
            assert covered.last_delta == tuple(outcome.points)


@every_playout
@given(rules=rule_sets(max_rounds=1), seed=st.integers(0, 2**32))
@settings(max_examples=15)
def test_playing_out_leaves_the_board_as_it_was(playout: Playout, rules: RuleSet, seed: int) -> None:
    for state in positions(rules, seed):
        board = board_of(state)
        before = board.copy()
        playout(board, random.Random(seed), None)
        assert all(getattr(board, field) == getattr(before, field) for field in Board.__slots__)


def test_the_positions_above_hold_uneven_hands_and_tricks_half_played() -> None:
    rules = rule_set(4, ("double-cross", "getaway", "plan-b"), hand_size=8)
    found: set[tuple[str, object]] = set()
    for seed in range(20):
        for state in positions(rules, seed):
            found.add(("uneven", len(set(state.hand_sizes)) > 2))
            found.add(("running", bool(state.trick)))
            found.add(("phase", state.phase))
    assert len(found) == 6


def test_a_random_playout_comes_upon_every_legal_card_and_every_cover() -> None:
    table = Table("R1 R2 B5 X1 | G1 G2 R9 X2 | Y1 Y2 Y3 R7", variants="getaway plan-b", max_bid=2)
    table.run("0 bid R1, 1 bid G1, 2 bid Y1, 0 bid R2, 1 bid G2, 2 bid Y2, 0 pass, 1 pass, 2 pass, 2 R7")
    firsts: set[Card] = set()
    covers: set[Card] = set()
    for seed in range(200):
        trace: Trace = []
        at_random(board_of(table.state), random.Random(seed), trace)
        firsts.add(trace[0][2])
        covers |= {card for verb, seat, card in trace if verb == "cover" and seat == 0}
    assert firsts == {parse("B5"), SUITED_CARDS}
    assert covers == {parse("R1"), parse("R2")}


def test_in_a_random_playout_every_legal_card_and_every_cover_is_as_likely() -> None:
    table = Table("R1 R2 B5 X1 X3 | G1 G2 R9 B1 X2 | Y1 Y2 Y3 R7 B9", variants="getaway", max_bid=2)
    table.run("0 bid R1, 1 bid G1, 2 bid Y1, 0 bid R2, 1 bid G2, 2 bid Y2, 0 pass, 1 pass, 2 pass, 2 R7")
    board = board_of(table.state)
    chance = random.Random(1)
    firsts: Counter[Card] = Counter()
    covers: Counter[Card] = Counter()
    playouts = 6000
    for _ in range(playouts):
        trace: Trace = []
        at_random(board, chance, trace)
        firsts[trace[0][2]] += 1
        if trace[2][:2] == ("cover", 0):
            covers[trace[2][2]] += 1
    # Blue or one of two Getaway cards; then, where the trump took the trick of R7, either of two bids in Red.
    assert set(firsts) == {parse("B5"), SUITED_CARDS}
    assert abs(firsts[parse("B5")] - playouts / 3) < 150
    assert set(covers) == {parse("R1"), parse("R2")}
    assert abs(covers[parse("R1")] - covers.total() / 2) < 150
