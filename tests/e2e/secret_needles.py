"""Which cards a reader may know, and in which forms a secret of a game could stand in the bytes of a frame."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from looseends_core.cards import CARD_NAMES, CardSet, card_set
from looseends_core.state import State
from tests.e2e.secret_truth import GameTruth

WINDOW = 6
"""So many cards of somebody else's hand in a row cannot stand in a frame by chance."""


def known_cards(state: State, own: set[int]) -> CardSet:
    """Return the cards of the running round whose place is known to whoever holds these seats."""
    known = 0
    for seat in own:
        known |= state.hands[seat]
    for seat in range(state.players):
        known |= card_set(state.bids[seat]) | state.shown[seat]
    known |= card_set(card for _, card in state.trick)
    for trick in state.tricks:
        known |= card_set(card for _, card in trick.plays)
    return known


def hidden_of(game: GameTruth, over: int, own: set[int], is_readers: bool) -> list[tuple[str, bytes]]:
    """Return what may not be sent of a game of which so many rounds are over, each with what to call it.

    `own` are the reader's seats there; `is_readers` says whether it is the game that the reader is in.
    """
    hidden: list[tuple[str, bytes]] = []
    for number, secret in game.secrets.items():
        if number > over:
            hidden += [("a secret before its reveal", form) for form in (secret, secret.hex().encode())]
    for (number, seat), nonce in game.nonces.items():
        if number > over and seat not in own:
            hidden += [("a nonce before its reveal", form) for form in (nonce, nonce.hex().encode())]
    deal = game.deals.get(over + 1)
    for seat, hand in enumerate(deal.hands if deal is not None else ()):
        if hand is not None and seat not in own:
            # In order, cards of another round may stand in the reader's own hand of this one.
            hidden += [("somebody else's hand", form) for form in _forms_of(hand, is_readers)]
    return hidden


def _forms_of(hand: Sequence[int], in_order: bool) -> Iterable[bytes]:
    """Yield what stands in a frame where a hand or a good part of one does: as numbers, in words, as a set.

    As it was dealt, and, where that is asked, in order.
    """
    for cards in (list(hand), sorted(hand)) if in_order else (list(hand),):
        if len(cards) >= WINDOW:
            for start in range(len(cards) - WINDOW + 1):
                yield bytes(cards[start : start + WINDOW])
            yield '","'.join(CARD_NAMES[card] for card in cards[:WINDOW]).encode()
    yield card_set(hand).to_bytes(8, "big")
