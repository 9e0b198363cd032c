"""What a card would do is what then happens, and what is asked is what the rules ask."""

from __future__ import annotations

import pytest
from hypothesis import given

from looseends_client.foresight import what_is_asked, what_it_would_do, winning_now
from looseends_client.narration import plain
from looseends_core.actions import Play
from looseends_core.cards import cards_in, is_getaway, parse
from looseends_core.decide import decide, playable
from looseends_core.events import BidCovered, BidPromoted, Event, LooseEndTaken, TrickWon
from looseends_core.rules import RuleSet, rule_set
from looseends_core.state import Phase, State, evolve, fold
from tests.client.games import any_game
from tests.client.scenes import COVERING, FOUR, FOUR_HANDS, PLANNED, played


@given(any_game())
def test_the_last_card_of_a_trick_does_what_was_said_of_it(game: tuple[RuleSet, list[Event]]) -> None:
    rules, events = game
    state = State(rules)
    for event in events:
        evolve(state, event)
        seat = state.turn
        if seat is None or state.phase is not Phase.PLAYING or len(state.trick) != rules.players - 1:
            continue
        for card in cards_in(playable(state, seat)):
            said = plain(what_it_would_do(state, seat, card))
            facts = decide(state, seat, Play(card))
            won = next(fact for fact in facts if isinstance(fact, TrickWon))
            if won.seat != seat:
                assert said.endswith("cannot win this trick.")
                continue
            assert " wins: it " in said
            if state.snitching[seat] and not state.won[seat]:
                assert said.endswith("ends your snitching.")
            elif any(isinstance(fact, BidPromoted) for fact in facts):
                assert said.endswith("becomes a new bid card.")
            elif any(isinstance(fact, LooseEndTaken) for fact in facts):
                assert "is a loose end: " in said
            else:
                covered = [fact.card for fact in facts if isinstance(fact, BidCovered)]
                assert "covers " in said
                assert (" or " in said) == (not covered), "a choice is told as one"


@given(any_game())
def test_something_is_asked_of_whoever_is_on_turn_and_said_to_those_who_wait(
    game: tuple[RuleSet, list[Event]],
) -> None:
    rules, events = game
    state = State(rules)
    names = [f"p{seat}" for seat in range(rules.players)]
    for event in events:
        evolve(state, event)
        for seat in (None, *range(rules.players)):
            asked = plain(what_is_asked(state, seat, names))
            assert bool(asked) == (state.turn is not None)
            if state.turn is not None and seat != state.turn:
                assert asked.startswith(names[state.turn])
        if state.turn is not None and state.phase is Phase.PLAYING:
            for card in cards_in(state.hands[state.turn]):
                assert plain(what_it_would_do(state, state.turn, card))
        assert (winning_now(state) is None) == (not state.trick)


@pytest.mark.parametrize(
    ("steps", "card", "asked", "said"),
    [
        (
            PLANNED,
            "G15",
            "You lead: play any card.",
            "G♣15 leads Green; if it wins, it covers G♣12.",
        ),
        (
            PLANNED,
            "B1",
            "You lead: play any card.",
            "B♦1 leads Blue; if it wins, it is a loose end: nothing of yours matches.",
        ),
        (
            [*PLANNED, "G15", "G2", "G6", "G11", "R3", "R2", "R7", "R12", "R13"],
            "R11",
            "Follow Red.",
            "R♥11 cannot win this trick.",
        ),
    ],
)
def test_what_seat_0_reads(steps: list[str], card: str, asked: str, said: str) -> None:
    state = fold(FOUR, played(FOUR, FOUR_HANDS, steps))
    assert plain(what_is_asked(state, 0, ["you", "bob", "cy", "dee"])) == asked
    assert plain(what_it_would_do(state, 0, parse(card))) == said


def test_planning_says_what_a_pass_would_mean() -> None:
    names = ["you", "bob", "cy", "dee"]
    asked = [
        plain(what_is_asked(fold(FOUR, played(FOUR, FOUR_HANDS, steps)), 0, names))
        for steps in ([], PLANNED[:4], PLANNED[:7])
    ]
    assert asked == [
        "Bid a card, or pass to snitch (+10 for no trick).",
        "Bid a card (2 of 4) or pass.",
        "Bid a card (3 of 4) or pass.",
    ]
    crossed = rule_set(4, ["double-cross"])
    state = fold(crossed, played(crossed, FOUR_HANDS, ["bid R14", "bid B3", "bid B6", "bid R12"]))
    assert plain(what_is_asked(state, 0, names)) == "Bid a card (2 of 4), pass, or double-cross."


def test_a_getaway_card_is_told_for_what_it_is() -> None:
    rules = rule_set(2, ["getaway"], hand_size=3)
    planning = fold(rules, played(rules, ["X1 R1 R2", "G1 G2 G3"], []))
    assert plain(what_it_would_do(planning, 0, parse("X1"))) == "A Getaway card cannot be bid."
    leading = fold(rules, played(rules, ["X1 R1 R2", "G1 G2 G3"], ["bid R1", "pass", "pass"]))
    said = plain(what_it_would_do(leading, 0, parse("X1")))
    assert said == "X leads no suit, and wins only if nothing but Getaway cards follow."
    assert is_getaway(parse("X1"))


def test_each_choice_of_a_cover_says_what_stays_to_be_covered() -> None:
    state = fold(FOUR, played(FOUR, FOUR_HANDS, COVERING))
    assert plain(what_it_would_do(state, 0, parse("G12"))) == "Covers G♣12; G♣5 and Y♠6 stay to cover."
    assert plain(what_is_asked(state, 0, ["you", "b", "c", "d"])) == "You won with G♣15. Cover which of your bids?"


def test_a_cover_after_the_last_trick_says_that_nothing_else_can_be_covered() -> None:
    rules = rule_set(2, hand_size=4, max_bid=3)
    steps = ["bid G1", "pass", "bid G2", "bid G3", "pass", "G12", "R1"]
    state = fold(rules, played(rules, ["G1 G2 G3 G12", "R1 R2 R3 R4"], steps))
    assert (
        plain(what_it_would_do(state, 0, parse("G1"))) == "Covers G♣1; no other bid of yours can be covered any more."
    )
