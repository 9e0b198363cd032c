"""Cards as small integers, sets of cards as bit masks, and how both are written.

A card is an int from 0 to 63: `suit * 15 + rank - 1` for the sixty suited cards, 60 to 63 for the Getaway cards
X1 to X4. A set of cards is an int with bit `card` set for each card in it. Nothing about who holds a card, or
about what a rule allows, may live here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated

import msgspec

Card = Annotated[int, msgspec.Meta(ge=0, le=63)]
"""A card id, 0..63 ([R1], [R2]); whatever reads one from bytes is held to that."""

Seat = Annotated[int, msgspec.Meta(ge=0, le=4)]
"""A seat, counted clockwise from 0."""

CardSet = int
"""A set of cards: bit `card` is set for each card in it."""

BLUE, RED, GREEN, YELLOW = 0, 1, 2, 3
GETAWAY = 4
"""What `suit_of` answers for a Getaway card, which has no suit ([R2])."""

TRUMP = BLUE
SUITS = (BLUE, RED, GREEN, YELLOW)
SUIT_LETTERS = "BRGYX"
SUIT_NAMES = ("Blue", "Red", "Green", "Yellow", "Getaway")

RANKS = 15
"""Ranks of a suit, 1 to 15, 15 highest ([R1])."""
LOW_DECK_RANKS = 12
"""Ranks in play with 2 or 3 players ([R3])."""
SUITED_CARDS = 60
GETAWAY_CARDS = 4
DECK_CARDS = SUITED_CARDS + GETAWAY_CARDS

SUIT_MASKS: tuple[CardSet, ...] = tuple(((1 << RANKS) - 1) << (suit * RANKS) for suit in SUITS)
GETAWAY_MASK: CardSet = ((1 << GETAWAY_CARDS) - 1) << SUITED_CARDS
SUITED_MASK: CardSet = (1 << SUITED_CARDS) - 1
RANK_MASKS: tuple[CardSet, ...] = (
    0,
    *(sum(1 << (suit * RANKS + rank - 1) for suit in SUITS) for rank in range(1, RANKS + 1)),
)
"""Index 1..15: the four cards of that rank. Index 0, the rank of a Getaway card, is the empty set."""

SUIT_OF: tuple[int, ...] = tuple(card // RANKS if card < SUITED_CARDS else GETAWAY for card in range(DECK_CARDS))
RANK_OF: tuple[int, ...] = tuple(card % RANKS + 1 if card < SUITED_CARDS else 0 for card in range(DECK_CARDS))
CARD_NAMES: tuple[str, ...] = tuple(
    f"{SUIT_LETTERS[SUIT_OF[card]]}{RANK_OF[card] or card - SUITED_CARDS + 1}" for card in range(DECK_CARDS)
)
_CARD_OF_NAME = {card_name: card for card, card_name in enumerate(CARD_NAMES)}


class CardError(ValueError):
    """A text that names no card; the message says how cards are written."""


def suit_of(card: Card) -> int:
    """Return BLUE, RED, GREEN, YELLOW, or GETAWAY for a card without a suit."""
    return SUIT_OF[card]


def rank_of(card: Card) -> int:
    """Return the rank 1..15, or 0 for a Getaway card, which has none."""
    return RANK_OF[card]


def is_getaway(card: Card) -> bool:
    """Return whether the card is one of X1 to X4 ([R2])."""
    return card >= SUITED_CARDS


def name(card: Card) -> str:
    """Return the card as it is written in records: `B15`, `R3`, `X2`."""
    return CARD_NAMES[card]


def parse(text: str) -> Card:
    """Return the card of a written name, exactly as `name` writes it.

    Raises CardError for anything else: lower case, leading zeros, ranks out of 1..15.
    """
    card = _CARD_OF_NAME.get(text)
    if card is None:
        raise CardError(f"{_quoted(text)} is not a card: expected B, R, G or Y and 1 to 15, or X and 1 to 4")
    return card


def _quoted(text: str) -> str:
    """Return the text in quotes, cut and escaped, so that a hostile text is harmless in a message."""
    return ascii(text) if len(text) <= 24 else ascii(text[:24]) + "…"


def suited(suit: int, rank: int) -> Card:
    """Return the card of a suit (0..3) and a rank (1..15)."""
    return suit * RANKS + rank - 1


def deck(players: int, getaway: bool) -> list[Card]:
    """Return the cards in play, in the order that [F1] shuffles from: B1.., R.., G.., Y.., X1..X4 ([R3])."""
    ranks = LOW_DECK_RANKS if players <= 3 else RANKS
    cards = [suited(suit, rank) for suit in SUITS for rank in range(1, ranks + 1)]
    if getaway:
        cards.extend(range(SUITED_CARDS, DECK_CARDS))
    return cards


def card_set(cards: Iterable[Card]) -> CardSet:
    """Return the set that holds these cards."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def cards_in(mask: CardSet) -> Iterator[Card]:
    """Yield the cards of a set in ascending order of id: by suit, then by rank, Getaway cards last."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def ordered(mask: CardSet) -> tuple[Card, ...]:
    """Return the cards of a set as `cards_in` yields them."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return tuple(found)
