"""How plausible a world is, given what its seats chose in Planning: a model of bids, and worlds drawn by it.

Somebody who snitches is likely to hold low cards, and whoever bids a suit to hold winners in it: a world in which it is
so counts for more. The weights were fitted to the bids of bots that search; they are estimates and no rules.
"""

from __future__ import annotations

import random

from looseends_core.bots.bidding import Bidding
from looseends_core.bots.board import GETAWAY_AT, suit_masks
from looseends_core.bots.masks import COUNT
from looseends_core.bots.worlds import Worlds
from looseends_core.cards import CardSet, card_set
from looseends_core.state import State

_SNITCH_AT = 0.5
"""The chance of losing every trick at which as many snitch as bid."""
_SNITCH_SLOPE = 9.0
"""How fast the one turns into the other."""
_SUIT_TRUST = 1.3
"""How much likelier a bid is in a suit for each trick that the rest of the hand promises in it, as a power of e."""
_LENGTH_TRUST = -0.15
"""The same for each card of the suit left in hand: a short suit is bid in sooner than a long one."""
_COUNT_TRUST = 0.35
"""How far a number of bids below the maximum speaks for a hand that promises about as many tricks."""
_PROMISE_ENOUGH = 1.3
"""Tricks in a suit beyond which no further bid in it is likelier."""


class _Seat:
    """What another seat showed in this round."""

    __slots__ = ("bid_counts", "bids", "gone", "may_bid", "planned", "seat", "snitched")

    def __init__(self, view: State, seat: int) -> None:
        self.seat = seat
        planned = card_set(view.bids[seat]) & ~view.promoted[seat]
        played = 0
        for trick in (*(trick.plays for trick in view.tricks), tuple(view.trick)):
            for at, card in trick:
                if at == seat:
                    played |= 1 << card
        self.gone: CardSet = played
        self.bids: CardSet = planned
        self.bid_counts = [mask.bit_count() for mask in suit_masks(planned)]
        self.planned = planned.bit_count()
        self.snitched = view.snitching[seat]
        self.may_bid = seat not in view.passed


class PlausibleWorlds:
    """Draws worlds that fit, the likelier the more plausible: of each few that fit, one is drawn by its weight."""

    def __init__(self, view: State, bidding: Bidding, rng: random.Random, few: int) -> None:
        self._worlds = Worlds(view)
        self._bidding = bidding
        self._rng = rng
        self._seats = [
            shown
            for shown in (_Seat(view, seat) for seat in range(view.players) if seat != view.turn)
            if shown.planned or shown.snitched
        ]
        self._few = few if self._seats else 1

    def draw(self) -> list[CardSet]:
        """Return the cards of every hand, seat by seat."""
        draw = self._worlds.draw
        rng = self._rng
        if self._few == 1:
            return draw(rng)
        drawn = [draw(rng) for _ in range(self._few)]
        weights = [self.weight(world) for world in drawn]
        left = rng.random() * sum(weights)
        for world, weight in zip(drawn, weights, strict=True):
            left -= weight
            if left < 0.0:
                return world
        return drawn[-1]

    def weight(self, hands: list[CardSet]) -> float:
        """Return how plausible a world is: above 0, and of meaning only beside the weight of another world."""
        bidding = self._bidding
        weight = 1.0
        for shown in self._seats:
            rest = hands[shown.seat] | shown.gone
            away = (rest >> GETAWAY_AT).bit_count()
            masks = suit_masks(rest)
            if shown.snitched:
                chance = bidding.chance_of_losing_all(masks, away)
                weight /= 1.0 + power_of_e(-_SNITCH_SLOPE * (chance - _SNITCH_AT))
                continue
            spread = tricks = 0.0
            for suit, bids in enumerate(shown.bid_counts):
                promise = bidding.promise(masks[suit], suit != 0)
                tricks += promise
                ease = power_of_e(_SUIT_TRUST * min(_PROMISE_ENOUGH, promise) + _LENGTH_TRUST * COUNT[masks[suit]])
                spread += ease
                for _ in range(bids):
                    weight *= ease
            for _ in range(shown.planned):
                weight /= spread
            if not shown.may_bid and shown.planned < bidding.max_bid:
                miss = bidding.bids_promised(tricks) - shown.planned
                weight *= power_of_e(-_COUNT_TRUST * miss * miss)
            chance = bidding.chance_of_losing_all(suit_masks(rest | shown.bids), away)
            weight /= 1.0 + power_of_e(_SNITCH_SLOPE * (chance - _SNITCH_AT))
        return weight


_STEPS = 16
_REACH = 20
_E_BY_STEPS = [1.0]
for _ in range(_STEPS * _REACH):
    _E_BY_STEPS.append(_E_BY_STEPS[-1] * 1.0644944589178593)  # e to the power of 1/16


def power_of_e(exponent: float) -> float:
    """Return about e to the power of the exponent, within 0.1 % from −20 to 20 and no further beyond.

    Straight between steps of a sixteenth, by products and sums alone, so that it is the same on every machine, as
    `math.exp` is not.
    """
    steps = min(abs(exponent), _REACH - 0.001) * _STEPS
    whole = int(steps)
    low = _E_BY_STEPS[whole]
    power = low + (steps - whole) * (_E_BY_STEPS[whole + 1] - low)
    return power if exponent >= 0.0 else 1.0 / power
