"""What a hand is likely to bid: a quick estimate, good enough to guess what the others in a sampled world will lay.

A searching bot weighs its own bids by playing rounds out; this says which to weigh, and stands in for everybody else.
A hand is four masks (see `masks`) and a number of Getaway cards.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from looseends_core.bots.masks import BIT, COUNT, LOW
from looseends_core.bots.reading import fading
from looseends_core.cards import LOW_DECK_RANKS, RANKS, Card
from looseends_core.rules import RuleSet

_FADES_TRUMP, _FADES_SIDE = 0.78, 0.62
"""What is left of a card's promise for each higher card that somebody else may hold."""
_RUFF = 0.25
"""Tricks that any trump is worth at least."""
_DEPTH = (1.0, 0.8, 0.45, 0.25, 0.15)
"""What the first, second … card of a side suit is worth, as others become void and trump; the last for more."""
_WON_OF_PROMISED = {2: 0.75, 3: 0.62, 4: 0.55, 5: 0.5}
"""Tricks really won for one promised, by number of players."""


_BOLDNESS = {2: 0.6, 3: 1.3, 4: 1.7, 5: 1.6}
"""Bid cards laid beyond the tricks that a hand promises, by number of players: found in bots that search."""


class Bidding:
    """How hands are valued at one table. What was worked out for a suit is kept, as it comes again and again."""

    def __init__(self, rules: RuleSet) -> None:
        self.players = rules.players
        self.max_bid = rules.max_bid
        self.top = LOW_DECK_RANKS if rules.players <= 3 else RANKS
        self._share = min(1.0, rules.players * rules.hand_size / rules.deck_size)
        self._won = _WON_OF_PROMISED[rules.players]
        self._promises: tuple[dict[int, float], dict[int, float]] = ({}, {})
        self._safeties: tuple[dict[int, float], dict[int, float]] = ({}, {})
        table = rules.table
        self._boldness = _BOLDNESS[rules.players]
        self._covered = table.covered
        self._snitch = table.snitch
        self._failed = 2.0 * table.loose_end

    def promise(self, mask: int, side: bool) -> float:
        """Return about how many tricks these cards of one suit take when played to win."""
        known = self._promises[side]
        worth = known.get(mask)
        if worth is None:
            worth = known[mask] = self._promise(mask, side)
        return worth

    def _promise(self, mask: int, side: bool) -> float:
        worth = 0.0
        above = 0
        held = 0
        for rank in range(self.top, 0, -1):
            if not mask & BIT[rank]:
                above += 1
                continue
            # Each higher card of one's own draws some of theirs.
            left = max(0.0, above * self._share - 0.8 * held)
            if side:
                worth += fading(_FADES_SIDE, left) * _DEPTH[min(held, len(_DEPTH) - 1)]
            else:
                worth += max(_RUFF, fading(_FADES_TRUMP, left))
            held += 1
        return worth

    def safety(self, mask: int, side: bool) -> float:
        """Return about the chance that these cards of one suit take no trick when played to lose."""
        known = self._safeties[side]
        safe = known.get(mask)
        if safe is None:
            safe = known[mask] = self._safety(mask, side)
        return safe

    def _safety(self, mask: int, side: bool) -> float:
        out = self.top - COUNT[mask]
        if not mask or not out:
            return 1.0 if not mask else 0.3
        safe = 1.0
        others = self.players - 1
        rounds = out * self._share / others
        lower = place = 0
        for rank in range(1, self.top + 1):
            if not mask & BIT[rank]:
                lower += 1
                continue
            if place >= rounds + 1:
                break
            followers = max(0.8, min(others, others * (rounds - place) / 2.0))
            danger = fading(lower / out, followers) * min(1.0, rounds + 1 - place)
            safe *= 1.0 - danger * (0.8 if side else 1.0)
            place += 1
        return safe

    def tricks(self, masks: Sequence[int], at: int = 0) -> float:
        """Return about how many tricks the hand whose masks begin at `at` takes in a round."""
        promised = self.promise(masks[at], False)
        for suit in (1, 2, 3):
            promised += self.promise(masks[at + suit], True)
        return promised * self._won

    def bids_promised(self, promised: float) -> float:
        """Return how many cards a hand is likely to bid in all that promises so many tricks."""
        return promised * self._won + self._boldness

    def chance_of_losing_all(self, masks: Sequence[int], away: int, at: int = 0) -> float:
        """Return about the chance that a snitch with this hand wins no trick."""
        safe = self.safety(masks[at], False)
        for suit in (1, 2, 3):
            safe *= self.safety(masks[at + suit], True)
        chance = math.sqrt(math.sqrt(safe))
        for _ in range(away):
            chance += 0.2 * (1.0 - chance)
        return chance

    def fitness(self, masks: Sequence[int], card_suit: int, rank: int, laid_in_suit: int, at: int = 0) -> float:
        """Return how well a card of the hand does as the next bid: easily covered, little missed in play."""
        mask = masks[at + card_suit]
        rest = mask ^ BIT[rank]
        supply = self.promise(rest, card_suit != 0)
        if card_suit:
            trumps = COUNT[masks[at]]
            supply += trumps * (0.2 if rest else 0.3)
        easy = min(1.4, max(0.0, supply - laid_in_suit))
        missed = self.promise(mask, card_suit != 0) - self.promise(rest, card_suit != 0)
        return easy - 0.8 * missed

    def ranked(self, masks: Sequence[int], laid: Sequence[Card], more: int, at: int = 0) -> list[Card]:
        """Return up to `more` cards to bid next, the fittest first, each chosen after the ones before are laid."""
        hand = list(masks[at : at + 4])
        in_suit = [0, 0, 0, 0]
        for card in laid:
            in_suit[card // RANKS] += 1
        chosen: list[Card] = []
        for _ in range(more):
            best = -99.0
            best_suit = best_rank = -1
            for suit in (0, 1, 2, 3):
                mask = hand[suit]
                if mask:
                    rank = LOW[mask]
                    fit = self.fitness(hand, suit, rank, in_suit[suit])
                    if fit > best:
                        best, best_suit, best_rank = fit, suit, rank
            if best_suit < 0:
                break
            hand[best_suit] ^= BIT[best_rank]
            in_suit[best_suit] += 1
            chosen.append(best_suit * RANKS + best_rank - 1)
        return chosen

    def bids(self, masks: Sequence[int], away: int, laid: Sequence[Card], at: int = 0) -> list[Card]:
        """Return the cards that the hand is likely to lay yet, in order; none for a snitch's hand with nothing laid."""
        tricks = self.tricks(masks, at)
        if not laid:
            chance = self.chance_of_losing_all(masks, away, at)
            snitching = chance * self._snitch + (1.0 - chance) * self._failed
            if snitching > self._covered * (0.75 + 0.4 * tricks):
                return []
        wanted = min(self.max_bid, max(1, int(tricks + self._boldness + 0.5)))
        return self.ranked(masks, laid, wanted - len(laid), at) if wanted > len(laid) else []
