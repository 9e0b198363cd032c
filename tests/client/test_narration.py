"""The log tells a round as a story, names the reader `you`, and gives verbs their right form."""

from __future__ import annotations

from hypothesis import given

from looseends_client.narration import Sentence, narrate, plain
from looseends_client.seat_names import seat_names
from looseends_core.actions import DOUBLE_CROSS, PASS, Action, Bid, Cover, Play
from looseends_core.cards import parse
from looseends_core.decide import deal_round, decide
from looseends_core.events import Event
from looseends_core.rules import RuleSet, rule_set
from looseends_core.shuffle import Deal
from looseends_core.state import State, evolve
from looseends_protocol.messages import SeatInfo
from tests.client.games import any_game


def story(
    hands: list[str], steps: list[str], *, variants: tuple[str, ...] = (), names: list[str], rounds: int = 1
) -> list[str]:
    """Play these steps from these hands, seat 0 first, one round, and return what the log says."""
    dealt = tuple(tuple(parse(card) for card in hand.split()) for hand in hands)
    state = State(rule_set(len(hands), variants, rounds=rounds, hand_size=len(dealt[0])))
    told: list[Sentence] = []

    def apply(events: list[Event]) -> None:
        for event in events:
            evolve(state, event)
            told.extend(narrate(state, event, names))

    apply(deal_round(state, Deal(dealt, 0)))
    for step in steps:
        word, _, card = step.partition(" ")
        action: Action = (
            PASS
            if word == "pass"
            else DOUBLE_CROSS
            if word == "cross"
            else Bid(parse(card))
            if word == "bid"
            else Cover(parse(card))
            if word == "cover"
            else Play(parse(word))
        )
        assert state.turn is not None
        apply(decide(state, state.turn, action))
    return [plain(sentence) for sentence in told]


def test_a_round_from_the_first_bid_to_the_last_score() -> None:
    assert story(
        ["B12 R1 G5", "Y1 Y2 Y3"], ["bid R1", "pass", "pass", "G5", "Y1", "B12", "Y2"], names=["you", "ann"]
    ) == [
        "Round 1: you begin",
        "you bid R♥1",
        "ann passes and snitches",
        "you pass with one bid",
        "you lead the first of two tricks, for one bid",
        "trick 1: you won with G♣5: nothing to cover, a loose end",
        "trick 2: you won with B♦12: nothing to cover, a loose end",
        "ann snitched and won no trick",
        "Round 1 is over: you −6, ann +10",
        "ann wins the game with 15 points",
    ]


def test_a_double_cross_says_how_many_cards_come_back() -> None:
    told = story(
        ["B12 R1 G5", "Y1 Y2 Y3"],
        ["bid R1", "bid Y1", "bid G5", "cross", "pass"],
        variants=("double-cross",),
        names=["you", "dee"],
    )
    assert "dee double-crosses and picks up one card" in told


def test_a_snitch_who_wins_a_trick_and_a_promoted_card_are_told() -> None:
    told = story(
        ["B12 R1 G5", "Y1 Y2 Y3"], ["pass", "bid Y3", "pass", "Y1", "B12"], variants=("plan-b",), names=["you", "ann"]
    )
    assert told[-2:] == [
        "trick 1: you won with B♦12: nothing to cover, so it becomes a bid card",
        "your snitching has failed",
    ]


def test_a_perfect_crime_is_told_and_after_a_round_how_everybody_stands() -> None:
    told = story(["B1 R1", "Y1 R2"], ["bid R1", "bid Y1", "pass", "pass", "R2", "B1"], names=["you", "ann"], rounds=2)
    assert told[0] == "Round 1 of 2: you begin"
    assert told[-4:] == [
        "trick 1: you won with B♦1 and covered R♥1",
        "you commit a Perfect Crime",
        "Round 1 is over: you +7, ann −1",
        "The score: you 12, ann 4",
    ]


def test_the_trick_that_covers_the_last_of_several_bids_is_told_as_that() -> None:
    told = story(
        ["R4 R6 R1 R5", "Y1 R2 R3 Y2"],
        ["bid R1", "bid Y1", "bid R5", "bid Y2", "pass", "pass", "R2", "R4", "cover R1", "R6", "R3"],
        names=["you", "ann"],
    )
    assert "trick 1: you won with R♥4 and covered R♥1" in told
    assert "trick 2: you won with R♥6 and covered R♥5: every bid is covered" in told


@given(any_game())
def test_every_trick_of_every_game_is_told_once(game: tuple[RuleSet, list[Event]]) -> None:
    rules, events = game
    state = State(rules)
    names = [f"p{seat}" for seat in range(rules.players)]
    tricks = 0
    for event in events:
        evolve(state, event)
        told = [plain(sentence) for sentence in narrate(state, event, names)]
        tricks += sum(line.startswith("trick ") for line in told)
        assert all(line == line.strip() and line for line in told)
    assert tricks == sum(type(event).__name__ == "TrickWon" for event in events)


def test_names_are_harmless_and_nobody_can_be_taken_for_the_reader() -> None:
    seats = [
        SeatInfo("person", "ann"),
        SeatInfo("person", "You"),
        SeatInfo("person", "b\x1b[2Jo"),
        SeatInfo("bot", level="steady"),
        SeatInfo("bot", level="steady"),
    ]
    assert seat_names(seats, 0) == ["you", '"You"', "b[2Jo", "steady", "steady 2"]
