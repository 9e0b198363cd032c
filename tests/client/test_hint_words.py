"""A hint in words says the best action, a reason that the numbers and the table bear out, and how sure it is."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from looseends_client.hint_words import about_points, advice, how_often
from looseends_core.actions import DOUBLE_CROSS, PASS, Action, Bid, Cover, Play, verb_of
from looseends_core.cards import Card, cards_in, name, parse
from looseends_core.decide import legal_actions
from looseends_core.events import BidCovered, CardBid, CardPlayed, Event, Passed, RoundDealt, TrickWon
from looseends_core.redact import redact
from looseends_core.rules import RuleSet, rule_set
from looseends_core.state import Phase, State, evolve, fold
from looseends_core.tricks import winning_index
from looseends_protocol.messages import WeighedAction
from tests.client.games import any_game


def cards(text: str) -> tuple[Card, ...]:
    return tuple(parse(word) for word in text.split())


def said(state: State, *weighed: WeighedAction) -> str:
    """Return the hint for the seat on turn, its cards by their plain names."""
    assert state.turn is not None
    return "".join(part if isinstance(part, str) else name(part) for part in advice(state, state.turn, weighed))


def play(card: str, points: int = 0, **numbers: int) -> WeighedAction:
    return WeighedAction(Play(parse(card)), points, 20, worlds=96, **numbers)


HANDS = ("Y12 Y3 R5 B4 G2", "Y7 R9 B2 G11 G5", "Y9 R2 B7 G4 G6")
RULES = rule_set(3, hand_size=5, max_bid=2)


def planned(*bids: tuple[int, str], rules: RuleSet = RULES, first: int = 0) -> State:
    """Return a round whose bids are laid and which seat 0 leads."""
    dealt = RoundDealt(1, first, tuple(cards(hand) for hand in HANDS), None)
    events: list[Event] = [dealt, *(CardBid(seat, parse(card)) for seat, card in bids)]
    return fold(rules, [*events, Passed(1), Passed(2), Passed(0)])


# ── in every phase ───────────────────────────────────────────────────────────────────────────────────────────────


def test_a_card_that_covers_the_last_bid_leaves_no_wish_for_tricks() -> None:
    state = planned((0, "Y3"), (1, "Y7"), (2, "Y9"))
    best = play("Y12", 312, wins=70, cover=parse("Y3"), covers=68)
    assert said(state, best, play("R5", 20, wins=5)) == (
        "Play Y12: it wins 7 times in 10 and covers Y3; after that you want no more tricks. "
        "Clearly best, by 2.9 points."
    )


def test_a_card_that_covers_one_of_two_bids_names_the_other() -> None:
    state = planned((0, "Y3"), (1, "Y7"), (2, "Y9"), (0, "R5"))
    best = play("Y12", 100, wins=80, cover=parse("Y3"), covers=60)
    assert said(state, best, play("B4", 60, wins=30)) == (
        "Play Y12: it wins 8 times in 10, and 6 times in 10 it covers Y3; then R5 is left to cover. "
        "Better by 0.4 points than B4."
    )


def test_a_trick_that_is_better_left_says_what_winning_it_would_cost() -> None:
    state = planned((0, "Y3"), (1, "Y7"), (2, "Y9"))
    hint = said(state, play("G2", 50, wins=2), play("B4", -70, wins=88, loose=88))
    assert hint == "Play G2: it wins hardly ever. B4 wins 9 times in 10, but costs you 1.2 points more."


def test_who_is_done_wants_no_more_tricks() -> None:
    state = planned((0, "Y3"), (1, "Y7"), (2, "Y9"))
    for event in (CardPlayed(0, parse("Y12")), CardPlayed(1, parse("R9")), CardPlayed(2, parse("R2"))):
        evolve(state, event)
    evolve(state, TrickWon(0, parse("Y12")))
    evolve(state, BidCovered(0, parse("Y3")))
    assert said(state, play("G2", 50, wins=2), play("B4", -70, wins=88)).startswith(
        "Play G2: it wins hardly ever, and you want no more tricks. "
    )


def test_with_plan_b_a_trick_too_many_is_a_bid_more() -> None:
    rules = rule_set(3, ["plan-b"], hand_size=5, max_bid=2)
    state = planned((1, "Y7"), (2, "Y9"), rules=rules, first=1)
    state.snitching[0] = False
    hint = said(state, play("B4", 50, wins=80), play("G2", 10, wins=2))
    assert "would give you a new bid to cover; even so it comes out best." in hint


def test_a_snitch_is_told_how_likely_it_stays_one() -> None:
    state = planned((1, "Y7"), (2, "Y9"), first=1)
    assert said(state, play("G2", 50, wins=2, snitches=71), play("B4", 45, wins=88, snitches=20)) == (
        "Play G2: it wins hardly ever, and you end without a trick 7 times in 10, as a snitch wants to. "
        "It is close: B4 is about as good."
    )


def test_one_getaway_card_is_not_told_apart_from_another() -> None:
    rules = rule_set(3, ["getaway"], hand_size=5, max_bid=2)
    hands = ("X1 X2 R5 B4 G2", *HANDS[1:])
    dealt = RoundDealt(1, 0, tuple(cards(hand) for hand in hands), None)
    bids = [CardBid(0, parse("G2")), CardBid(1, parse("Y7")), CardBid(2, parse("Y9"))]
    state = fold(rules, [dealt, *bids, Passed(1), Passed(2), Passed(0)])
    same = play("X1", 50, wins=0), play("X2", 50, wins=0)
    assert said(state, *same).endswith("for the tricks that you want.")
    assert said(state, *same, play("R5", -90, wins=10)).endswith("Clearly best, by 1.4 points.")


def test_what_is_certain_is_said_without_odds() -> None:
    state = planned((0, "Y3"), (1, "Y7"), (2, "Y9"))
    evolve(state, CardPlayed(0, parse("R5")))
    evolve(state, CardPlayed(1, parse("R9")))
    assert said(state, play("R2", 0, wins=0), play("B7", -100, wins=100)).startswith(
        "Play R2: it cannot win this trick"
    )
    assert said(state, play("B7", 200, wins=100, cover=parse("Y9"), covers=0)).startswith(
        "Play B7: there is nothing else"
    )


PLANNING = fold(RULES, [RoundDealt(1, 0, tuple(cards(hand) for hand in HANDS), None)])


def test_a_bid_says_how_often_it_gets_covered() -> None:
    best = WeighedAction(Bid(parse("Y3")), 300, 20, worlds=96, cover=parse("Y3"), covers=77, perfect=31)
    assert said(PLANNING, best, WeighedAction(PASS, 100, 20, worlds=96, snitches=20)) == (
        "Bid Y3: it gets covered 8 times in 10 and you make a Perfect Crime 3 times in 10. Clearly best, by 2 points."
    )


def test_a_pass_without_bids_is_snitching() -> None:
    best = WeighedAction(PASS, 300, 20, worlds=96, snitches=62)
    assert said(PLANNING, best, WeighedAction(Bid(parse("Y3")), 250, 20, worlds=96, covers=70)) == (
        "Pass and snitch: you win no trick 6 times in 10, for +10 points. Better by 0.5 points than Y3."
    )


def test_a_pass_with_bids_says_that_one_more_is_worth_less() -> None:
    state = PLANNING.copy()
    for event in (CardBid(0, parse("Y3")), Passed(1), Passed(2)):
        evolve(state, event)
    best = WeighedAction(PASS, 300, 20, worlds=96, perfect=40)
    bid = WeighedAction(Bid(parse("R5")), 100, 20, worlds=96, covers=30)
    assert said(state, best, bid) == "Pass with one bid: one more is worth less. Clearly best, by 2 points."


def test_a_double_cross_says_what_becomes_of_the_bids() -> None:
    rules = rule_set(3, ["double-cross"], hand_size=5, max_bid=2)
    dealt = RoundDealt(1, 0, tuple(cards(hand) for hand in HANDS), None)
    state = fold(rules, [dealt, CardBid(0, parse("Y3")), CardBid(1, parse("Y7")), CardBid(2, parse("Y9"))])
    best = WeighedAction(DOUBLE_CROSS, 300, 20, worlds=96, snitches=80)
    assert said(state, best, WeighedAction(PASS, 0, 20, worlds=96)).startswith(
        "Double-cross and take your bids back: as a snitch you win no trick 8 times in 10, for +10 points."
    )


def test_a_choice_to_cover_says_what_stays() -> None:
    state = planned((0, "Y3"), (1, "Y7"), (2, "Y9"), (0, "R5"))
    for card in ("Y12", "R9", "R2"):
        assert state.turn is not None
        evolve(state, CardPlayed(state.turn, parse(card)))
    evolve(state, TrickWon(0, parse("Y12")))
    first, second = (
        WeighedAction(Cover(parse(card)), points, 20, worlds=9) for card, points in (("Y3", 80), ("R5", 0))
    )
    assert said(state, first, second) == "Cover Y3: R5 is easier to cover later. Better by 0.8 points than R5."


def test_without_counting_it_is_a_rule_of_thumb() -> None:
    assert said(PLANNING, WeighedAction(PASS), WeighedAction(Bid(parse("Y3")))) == (
        "Pass. That is a rule of thumb: nothing was counted."
    )


def test_an_action_that_is_better_for_the_game_but_not_for_the_round_is_told_as_that() -> None:
    best, other = WeighedAction(PASS, 0, 20, worlds=9), WeighedAction(Bid(parse("Y3")), 200, 20, worlds=9)
    assert said(PLANNING, best, other).endswith("Y3 brings more in this round, but less for the game.")


@pytest.mark.parametrize(
    ("percent", "words"),
    [(0, "hardly ever"), (4, "hardly ever"), (5, "once in 10"), (50, "half the time"), (70, "7 times in 10"),
     (94, "9 times in 10"), (95, "almost always"), (100, "almost always")],
)  # fmt: skip
def test_shares_in_words(percent: int, words: str) -> None:
    assert how_often(percent) == words


@pytest.mark.parametrize(
    ("hundredths", "words"), [(100, "1 point"), (-250, "2.5 points"), (3, "0 points"), (40, "0.4 points")]
)
def test_points_in_words(hundredths: int, words: str) -> None:
    assert about_points(hundredths) == words


# ── whatever is weighed ──────────────────────────────────────────────────────────────────────────────────────────

percents = st.none() | st.integers(0, 100)


@st.composite
def weighed_turns(draw: st.DrawFn) -> tuple[State, tuple[WeighedAction, ...]]:
    """A turn in any game as its seat sees it, and anything at all that may be weighed of its actions."""
    rules, events = draw(any_game())
    turns: list[State] = []
    views = [State(rules) for _ in range(rules.players)]
    for event in events:
        for seat, view in enumerate(views):
            evolve(view, redact(event, seat))
        turn = views[0].turn
        if turn is not None and len(legal_actions(views[turn])) > 1:
            turns.append(views[turn].copy())
    if not turns:
        turns.append(PLANNING)
    state = draw(st.sampled_from(turns))
    assert state.turn is not None
    known = [*state.bids[state.turn], *cards_in(state.hands[state.turn])]
    actions = draw(st.permutations(legal_actions(state)))

    def number(action: Action) -> WeighedAction:
        points, own = draw(st.integers(-3000, 3000)), draw(st.integers(-3000, 3000))
        shares = [draw(percents) for _ in range(5)]
        cover = draw(st.none() | st.sampled_from(known)) if known else None
        wins, covers, loose, snitches, perfect = shares
        uncertainty, worlds = draw(st.integers(0, 400)), draw(st.integers(0, 200))
        return WeighedAction(action, points, uncertainty, own, worlds, wins, cover, covers, loose, snitches, perfect)

    return state, tuple(number(action) for action in actions)


@given(weighed_turns())
def test_whatever_is_weighed_the_hint_names_the_best_action_and_contradicts_nothing(
    turn: tuple[State, tuple[WeighedAction, ...]],
) -> None:
    state, weighed = turn
    seat = state.turn
    assert seat is not None
    hint = said(state, *weighed)
    best, second = weighed[0], weighed[1]
    action = best.action
    begins = verb_of(action).capitalize()
    if isinstance(action, Bid | Play | Cover):
        begins += f" {name(action.card)}"
    assert hint.startswith(begins)
    assert hint.endswith(".")
    assert re.search(r"none|nan|  |\.\.|, \.|:\.|;\.", hint, re.IGNORECASE) is None, hint
    assert len(hint) < 240, hint
    if not best.worlds:
        assert "rule of thumb" in hint
        return
    open_bids = state.uncovered(seat)
    if "no more tricks" in hint:
        after = open_bids & ~(1 << best.cover) if "covers" in hint and best.cover is not None else open_bids
        assert not after
    if "cannot win" in hint:
        assert isinstance(action, Play)
        assert winning_index([*(card for _, card in state.trick), action.card]) != len(state.trick)
    if found := re.search(r"it wins (hardly|once|half|almost|\d)", hint):
        assert best.wins is not None
        assert how_often(best.wins).startswith(found[1])
    if " and snitch" in hint:
        assert state.phase is Phase.PLANNING
        assert not state.bids[seat]
    if found := re.search(r"covers ([BRGY]\d+)", hint):
        assert best.covers
        assert open_bids >> parse(found[1]) & 1
    if "Clearly" in hint:
        assert best.points - second.points >= 100
    if "Better by" in hint:
        assert best.points > second.points
    if "brings more in this round" in hint:
        assert second.points > best.points


@given(any_game())
def test_what_was_not_counted_has_words_at_every_turn(game: tuple[RuleSet, list[Event]]) -> None:
    rules, events = game
    view = State(rules)
    for event in events:
        evolve(view, redact(event, 0))
        if view.turn == 0 and (actions := legal_actions(view)):
            assert said(view, *map(WeighedAction, actions))
