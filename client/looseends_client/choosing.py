"""Which card the keys mean: the next one, the next suit's, or the one whose name is being typed.

Pure functions of the cards at hand. What may be done with a card is not asked here.
"""

from __future__ import annotations

from collections.abc import Sequence

from looseends_core.cards import GETAWAY, RANK_OF, SUIT_LETTERS, SUIT_OF, Card


def next_card(cards: Sequence[Card], chosen: Card | None, step: int) -> Card | None:
    """Return the card `step` places on, round the corner; the first or last where none is chosen; None of no cards."""
    if not cards:
        return None
    if chosen not in cards:
        return cards[0] if step > 0 else cards[-1]
    return cards[(cards.index(chosen) + step) % len(cards)]


def next_suit(cards: Sequence[Card], chosen: Card | None, step: int) -> Card | None:
    """Return the highest card of the next suit in hand, round the corner; None of no cards."""
    suits = sorted({SUIT_OF[card] for card in cards})
    if not suits:
        return None
    if chosen is None:
        suit = suits[0] if step > 0 else suits[-1]
    elif SUIT_OF[chosen] in suits:
        suit = suits[(suits.index(SUIT_OF[chosen]) + step) % len(suits)]
    else:
        suit = suits[0]
    return max(card for card in cards if SUIT_OF[card] == suit)


def card_typed(typed: str, cards: Sequence[Card]) -> Card | None:
    """Return the card that a typed name means, None while it could be several or is none at hand.

    `g` alone means the only Green card at hand; `x`, with or without a number, means a Getaway card, which are all
    equal; `b1` means B1 where that is at hand, else the only card that begins so.
    """
    letter, number = typed[:1].upper(), typed[1:]
    if letter not in SUIT_LETTERS:
        return None
    suit = SUIT_LETTERS.index(letter)
    of_suit = [card for card in cards if SUIT_OF[card] == suit]
    if suit == GETAWAY:
        return of_suit[0] if of_suit else None
    exact = [card for card in of_suit if str(RANK_OF[card]) == number]
    if exact:
        return exact[0]
    begun = [card for card in of_suit if str(RANK_OF[card]).startswith(number)]
    return begun[0] if len(begun) == 1 else None
