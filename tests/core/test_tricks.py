from __future__ import annotations

import pytest

from looseends_core.cards import BLUE, GREEN, RED, card_set, cards_in, name, parse
from looseends_core.tricks import lead_suit_of, matching_cards, winning_index
from tests.core.table import hand_of


def winner(trick: str) -> str:
    cards = hand_of(trick)
    return name(cards[winning_index(cards)])


@pytest.mark.rule("T2")
@pytest.mark.parametrize(
    ("trick", "expected"),
    [
        ("R3 R9 R5", "R9"),
        ("R9 R3 R5", "R9"),
        ("R3 G15 Y15", "R3"),  # off suit never wins, however high
        ("R3 B1 R15", "B1"),  # the lowest trump beats the lead suit
        ("R3 B1 B2 G9", "B2"),
        ("R3 B2 B1 R4", "B2"),
        ("B4 R15 B9 B5", "B9"),  # trump led
        ("Y1 G1 R1 Y2 B1", "B1"),
        ("G2 Y3 Y4", "G2"),
    ],
)
def test_the_highest_trump_wins_else_the_highest_of_the_lead_suit(trick: str, expected: str) -> None:
    assert winner(trick) == expected


@pytest.mark.rule("V7", "V8")
@pytest.mark.parametrize(
    ("trick", "expected"),
    [
        ("X1 R3 R9", "R9"),
        ("X1 X2 G1 R15", "G1"),  # green is the lead, red is off suit
        ("R3 X4 R2", "R3"),
        ("X3 R15 B1", "B1"),
        ("X1 B1 R15", "B1"),
        ("R1 X1 X2 X3", "R1"),
        ("X1 X2 X3 R1", "R1"),
        ("X4 X1 X2", "X4"),  # alone among themselves the first one wins, its number means nothing
        ("X1 X4", "X1"),
    ],
)
def test_a_getaway_card_wins_only_the_trick_that_holds_nothing_else(trick: str, expected: str) -> None:
    assert winner(trick) == expected


@pytest.mark.rule("V7")
@pytest.mark.parametrize(
    ("trick", "suit"),
    [("", None), ("X1", None), ("X1 X2", None), ("X1 G4 R5", GREEN), ("R5 X1 G4", RED), ("X1 X2 B3", BLUE)],
)
def test_the_first_card_with_a_suit_sets_the_lead_suit(trick: str, suit: int | None) -> None:
    assert lead_suit_of(hand_of(trick)) == suit


@pytest.mark.rule("C1")
@pytest.mark.parametrize(
    ("card", "lead", "bids", "eligible"),
    [
        ("R9", RED, "B9 R1 G9 Y1", "B9 R1 G9"),
        ("B2", GREEN, "B15 R2 R3 G8 Y2 Y3", "B15 R2 G8 Y2"),  # rank, own suit and lead suit
        ("B2", BLUE, "R3 G1 Y15", ""),
        ("B2", RED, "B2", "B2"),
    ],
)
def test_a_bid_card_matches_by_rank_or_winning_suit_or_lead_suit(
    card: str, lead: int, bids: str, eligible: str
) -> None:
    matching = matching_cards(parse(card), lead) & card_set(hand_of(bids))
    assert " ".join(name(found) for found in cards_in(matching)) == eligible


@pytest.mark.rule("V9")
def test_nothing_matches_a_trick_of_getaway_cards_alone() -> None:
    assert matching_cards(parse("X2"), None) == 0


@pytest.mark.rule("V5", "V9")
def test_no_getaway_card_is_ever_matched() -> None:
    for card in range(60):
        assert not matching_cards(card, RED) & card_set(hand_of("X1 X2 X3 X4"))
