from __future__ import annotations

import pytest

from looseends_core import cards


@pytest.mark.rule("R1")
def test_four_suits_of_fifteen_ranks_and_blue_is_trump() -> None:
    assert cards.suit_of(cards.parse("B1")) == cards.TRUMP
    for letter, suit_name in zip("BRGY", ("Blue", "Red", "Green", "Yellow"), strict=True):
        suit = [cards.parse(f"{letter}{rank}") for rank in range(1, 16)]
        assert len({cards.suit_of(card) for card in suit}) == 1
        assert cards.SUIT_NAMES[cards.suit_of(suit[0])] == suit_name
        assert [cards.rank_of(card) for card in suit] == list(range(1, 16))
        assert sorted(suit) == suit  # within a suit a higher rank is a higher id


@pytest.mark.rule("R2")
def test_four_getaway_cards_have_no_suit_and_no_rank() -> None:
    getaway = [cards.parse(f"X{number}") for number in range(1, 5)]
    assert all(cards.is_getaway(card) for card in getaway)
    assert {cards.rank_of(card) for card in getaway} == {0}
    assert {cards.suit_of(card) for card in getaway} == {cards.GETAWAY}
    assert cards.GETAWAY not in cards.SUITS
    assert not any(cards.is_getaway(card) for card in range(60))


@pytest.mark.rule("R1", "R2")
def test_every_card_is_written_in_one_way_only() -> None:
    names = [cards.name(card) for card in range(64)]
    assert names == [f"{suit}{rank}" for suit in "BRGY" for rank in range(1, 16)] + ["X1", "X2", "X3", "X4"]
    assert [cards.parse(text) for text in names] == list(range(64))


@pytest.mark.rule("R1", "R2")
@pytest.mark.parametrize(
    "text",
    [
        *("", "B", "15", "B0", "B16", "X0", "X5", "b1", "x1", "B01", "X01", " B1", "B1 ", "B1\n", "1B", "BB1", "B-1"),
        *("B1.0", "P3", "♦7", "B１", "B²", "\ud800", "B1\x00", "B" * 10_000, "\x1b[2J"),
    ],
)
def test_anything_else_is_no_card_and_the_message_is_short_and_harmless(text: str) -> None:
    with pytest.raises(cards.CardError, match="expected B, R, G or Y and 1 to 15, or X and 1 to 4") as caught:
        cards.parse(text)
    message = str(caught.value)
    assert len(message) < 200
    assert "\x1b" not in message
    message.encode()


@pytest.mark.rule("R3")
@pytest.mark.parametrize(("players", "plain"), [(2, 48), (3, 48), (4, 60), (5, 60)])
def test_the_deck_has_low_ranks_only_for_two_or_three_and_four_more_with_getaway(players: int, plain: int) -> None:
    deck = cards.deck(players, getaway=False)
    assert len(deck) == len(set(deck)) == plain
    assert max(cards.rank_of(card) for card in deck) == (12 if players <= 3 else 15)
    assert not any(cards.is_getaway(card) for card in deck)
    assert cards.deck(players, getaway=True) == [*deck, *(cards.parse(f"X{number}") for number in range(1, 5))]


@pytest.mark.rule("R3", "F1")
def test_the_deck_begins_in_the_order_of_suits_and_ranks() -> None:
    names = [cards.name(card) for card in cards.deck(2, getaway=True)]
    assert names == [f"{suit}{rank}" for suit in "BRGY" for rank in range(1, 13)] + ["X1", "X2", "X3", "X4"]


def test_the_masks_say_what_the_names_say() -> None:
    for card in range(64):
        in_suits = [suit for suit in cards.SUITS if cards.SUIT_MASKS[suit] >> card & 1]
        in_ranks = [rank for rank in range(16) if cards.RANK_MASKS[rank] >> card & 1]
        if cards.is_getaway(card):
            assert (in_suits, in_ranks) == ([], [])
        else:
            assert (in_suits, in_ranks) == ([cards.suit_of(card)], [cards.rank_of(card)])
            assert cards.suited(cards.suit_of(card), cards.rank_of(card)) == card
        assert bool(cards.GETAWAY_MASK >> card & 1) == cards.is_getaway(card)
        assert bool(cards.SUITED_MASK >> card & 1) != cards.is_getaway(card)


def test_a_set_of_cards_gives_its_cards_back_in_order() -> None:
    assert list(cards.cards_in(cards.card_set([63, 0, 17, 59]))) == [0, 17, 59, 63]
    assert list(cards.cards_in(0)) == []
