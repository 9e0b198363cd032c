"""The rookie: any legal action, with a little sense of when to stop bidding.

It is the opponent of somebody's first game, and the yardstick that every better bot has to beat. It may not estimate
anything about other hands.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from looseends_core.actions import PASS, Action, Bid
from looseends_core.cards import LOW_DECK_RANKS, RANK_OF, RANKS, TRUMP, cards_in, suit_of
from looseends_core.decide import legal_actions
from looseends_core.state import Phase, State

_HIGH_RANKS = 3
"""A card among this many highest ranks of the deck counts as a trick that the hand may win."""


def choose_as_rookie(view: State, rng: random.Random) -> Action:
    """Return a legal action of the seat on turn: a random one, save that bidding stops at about the strong cards."""
    allowed = legal_actions(view)
    if view.phase is Phase.PLANNING:
        bids = [action for action in allowed if isinstance(action, Bid)]
        if bids and (PASS not in allowed or _bids_on(view, rng)):
            return _any_of(bids, rng)
        if PASS in allowed:
            return PASS
    return _any_of(allowed, rng)


def _bids_on(view: State, rng: random.Random) -> bool:
    """Return whether another bid is wanted: likely below the number of strong cards in hand, rarely above."""
    seat = view.turn
    assert seat is not None, "somebody is on turn in Planning"
    top = LOW_DECK_RANKS if view.players <= 3 else RANKS
    held = list(cards_in(view.hands[seat]))
    strong = sum(suit_of(card) == TRUMP or RANK_OF[card] > top - _HIGH_RANKS for card in held)
    wanted = strong / 2 - len(view.bids[seat])
    return rng.random() < (0.8 if wanted >= 1 else 0.1)


def _any_of(choices: Sequence[Action], rng: random.Random) -> Action:
    return choices[int(rng.random() * len(choices))]
