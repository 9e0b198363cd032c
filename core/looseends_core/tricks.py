"""Who wins a trick and what its winner may cover: questions about cards on the table alone ([T2], [V6]–[V9], [C1]).

Nothing here knows whose turn it is or changes anything.
"""

from __future__ import annotations

from collections.abc import Sequence

from looseends_core.cards import (
    GETAWAY,
    RANK_MASKS,
    RANK_OF,
    SUIT_MASKS,
    SUIT_OF,
    SUITED_CARDS,
    TRUMP,
    Card,
    CardSet,
)


def lead_suit_of(trick: Sequence[Card]) -> int | None:
    """Return the suit of the first card that has one, or None while there is none ([V7])."""
    for card in trick:
        if card < SUITED_CARDS:
            return SUIT_OF[card]
    return None


def winning_index(trick: Sequence[Card]) -> int:
    """Return the place in the trick, from 0, of the card that wins it so far.

    The highest trump, else the highest of the lead suit ([T2]); the first card where all are Getaway cards ([V8]).
    The trick holds at least one card.
    """
    best = 0
    best_card = trick[0]
    best_suit = SUIT_OF[best_card]
    for place in range(1, len(trick)):
        card = trick[place]
        suit = SUIT_OF[card]
        if suit == best_suit:
            beats = suit != GETAWAY and card > best_card
        else:
            beats = suit == TRUMP or (best_suit == GETAWAY and suit != GETAWAY)
        if beats:
            best, best_card, best_suit = place, card, suit
    return best


def matching_cards(winning_card: Card, lead_suit: int | None) -> CardSet:
    """Return every card that a trick can cover: of the winning card's rank or suit, or of the lead suit ([C1]).

    Empty for a trick of Getaway cards alone ([V9]).
    """
    if winning_card >= SUITED_CARDS:
        return 0
    matching = SUIT_MASKS[SUIT_OF[winning_card]] | RANK_MASKS[RANK_OF[winning_card]]
    if lead_suit is not None:
        matching |= SUIT_MASKS[lead_suit]
    return matching
