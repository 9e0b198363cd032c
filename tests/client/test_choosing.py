"""Which card the keys mean."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from looseends_client.choosing import card_typed, next_card, next_suit
from looseends_core.cards import DECK_CARDS, RANK_OF, name, parse, suit_of

some_cards = st.lists(st.integers(0, DECK_CARDS - 1), unique=True, max_size=16).map(sorted)


@pytest.mark.parametrize(
    ("typed", "hand", "card"),
    [
        ("b15", "B1 B15", "B15"),
        ("b1", "B1 B15", "B1"),
        ("b1", "B12 B3", "B12"),
        ("b1", "B12 B15", None),
        ("g", "G7 B1", "G7"),
        ("g", "G7 G8", None),
        ("x", "X2 X4 R1", "X2"),
        ("x3", "X2 X4", "X2"),
        ("r9", "R8 G9", None),
        ("y0", "Y10", None),
        ("", "Y10", None),
        ("q1", "Y10", None),
    ],
)
def test_a_typed_name_means_the_card_at_hand_that_it_can_mean(typed: str, hand: str, card: str | None) -> None:
    meant = card_typed(typed, [parse(held) for held in hand.split()])
    assert (None if meant is None else name(meant)) == card


@given(some_cards, st.data())
def test_every_card_at_hand_is_reached_by_its_whole_name(cards: list[int], data: st.DataObject) -> None:
    if not cards:
        return
    card = data.draw(st.sampled_from(cards))
    meant = card_typed(name(card).lower(), cards)
    assert meant is not None
    assert (suit_of(meant), RANK_OF[meant]) == (suit_of(card), RANK_OF[card])


@given(some_cards, st.sampled_from([-1, 1]))
def test_arrows_go_through_every_card_and_round_the_corner(cards: list[int], step: int) -> None:
    chosen = None
    seen = []
    for _ in cards:
        chosen = next_card(cards, chosen, step)
        seen.append(chosen)
    assert seen == cards[::step]
    assert next_card(cards, chosen, step) == (seen[0] if cards else None)


@given(some_cards, st.sampled_from([-1, 1]))
def test_suits_are_gone_through_by_their_highest_cards(cards: list[int], step: int) -> None:
    suits = sorted({suit_of(card) for card in cards})
    chosen = None
    for suit in suits[::step]:
        chosen = next_suit(cards, chosen, step)
        assert chosen == max(card for card in cards if suit_of(card) == suit)
    assert (next_suit(cards, chosen, step) is None) == (not cards)
