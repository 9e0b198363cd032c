"""What one seat can conclude from its view: which cards are still out, who may hold them, what a card is likely to win.

Everything here is an estimate made of public facts and one's own hand. What to do about it is a bot's business and does
not live here. Chances are floats from 0 to 1, made of products and sums alone, so that they are the same everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from looseends_core import cards
from looseends_core.cards import (
    GETAWAY,
    GETAWAY_MASK,
    SUIT_MASKS,
    SUIT_OF,
    SUITED_CARDS,
    SUITED_MASK,
    SUITS,
    TRUMP,
    Card,
    CardSet,
    card_set,
    cards_in,
)
from looseends_core.state import State
from looseends_core.tricks import lead_suit_of, winning_index

DECKS: dict[tuple[int, bool], CardSet] = {
    (players, getaway): card_set(cards.deck(players, getaway)) for players in range(2, 6) for getaway in (False, True)
}
_ABOVE: tuple[CardSet, ...] = tuple(
    SUIT_MASKS[SUIT_OF[card]] & -(2 << card) if card < SUITED_CARDS else 0 for card in range(cards.DECK_CARDS)
)
"""For each card the cards of its suit that beat it."""

# How likely another seat is to take a trick that it could take.
_SNITCH_TAKES = 0.02
_OPEN_BIDS_TAKE = 0.9
_OPEN_BIDS_UNMATCHED_TAKE = 0.5
_DONE_TAKES = 0.3
_GETAWAY_ADDED = 0.1
"""How likely a seat that holds a Getaway card adds it to a trick of Getaway cards alone."""


_RUFF_BY_SHORTEST_SUIT = (0.34, 0.26, 0.2)
"""What any trump is worth at least, in tricks, by the number of cards in the shortest side suit; the last for more."""
_TRUMP_FADES, _SIDE_FADES = 0.76, 0.6
"""What is left of a trump's or another card's strength for each card that beats it and is still out."""
_SHYNESS = 0.3
"""How much of a snitch's chance hangs on there being others who want the tricks."""


class Reading:
    """The conclusions of the seat on turn in `view`, whose hand the view knows; they hold for this moment only."""

    def __init__(self, view: State) -> None:
        assert view.turn is not None, "a reading is made for a seat that is due to act"
        self.view = view
        self.seat = view.turn
        self.hand: CardSet = view.hands[self.seat]
        self.others = [seat for seat in range(view.players) if seat != self.seat]
        known = self.hand
        for bids in view.bids:
            known |= card_set(bids)
        void_in: list[list[bool]] = [[False] * len(SUITS) for _ in range(view.players)]
        for trick in (*(trick.plays for trick in view.tricks), view.trick):
            known |= note_plays(trick, void_in)
        self.unseen: CardSet = DECKS[view.players, view.rules.getaway] & ~known
        self._void_in = void_in
        placed = 0
        for seat in self.others:
            placed |= view.shown[seat]
        self._unplaced = self.unseen & ~placed
        hidden = self._unplaced.bit_count()
        self._lacks: list[list[float]] = []
        held = 0
        for seat in range(view.players):
            hidden_here = view.hand_sizes[seat] - view.shown[seat].bit_count() if seat != self.seat else 0
            held += hidden_here
            self._lacks.append(_powers(1.0 - hidden_here / hidden if hidden else 1.0, hidden))
        self.dealt_share = min(1.0, held / hidden) if hidden else 1.0
        """The share of the unplaced cards that is in somebody's hand; the rest was never dealt."""

    def chance_of_holding(self, seat: int, wanted: CardSet) -> float:
        """Return the chance that another seat holds at least one of these cards."""
        if self.view.shown[seat] & wanted:
            return 1.0
        return 1.0 - self._lacks[seat][(wanted & self._unplaced).bit_count()]

    def chance_of_beating(self, seat: int, best: Card, lead: int) -> float:
        """Return the chance that another seat could beat the best card of a trick in which `lead` is to be followed."""
        suit = SUIT_OF[best]
        is_void = self._void_in[seat][lead]
        if suit == lead:
            over = 0.0 if is_void else self.chance_of_holding(seat, _ABOVE[best])
            if lead == TRUMP:
                return over
            ruffs = SUIT_MASKS[TRUMP]
        else:
            over, ruffs = 0.0, _ABOVE[best]
        void = 1.0 if is_void else 1.0 - self.chance_of_holding(seat, SUIT_MASKS[lead])
        return over + (1.0 - over) * void * self.chance_of_holding(seat, ruffs)

    def chance_of_taking(self, seat: int, best: Card, lead: int) -> float:
        """Return the chance that another seat can beat the best card and also wants to, or has to."""
        view = self.view
        if view.snitching[seat] and not view.won[seat]:
            wish = _SNITCH_TAKES
        else:
            open_bids = view.uncovered(seat)
            if not open_bids:
                wish = _DONE_TAKES
            elif open_bids & (SUIT_MASKS[lead] | SUIT_MASKS[TRUMP]):
                wish = _OPEN_BIDS_TAKE
            else:
                wish = _OPEN_BIDS_UNMATCHED_TAKE
        return wish * self.chance_of_beating(seat, best, lead)

    def chance_of_winning(self, card: Card) -> float:
        """Return the chance that the running trick is won by this card of the own hand."""
        played = [played for _, played in self.view.trick]
        played.append(card)
        if winning_index(played) != len(played) - 1:
            return 0.0
        n = self.view.players
        seats_behind = [(self.seat + step) % n for step in range(1, n - len(played) + 1)]
        suit = lead_suit_of(played)
        if suit is None:
            # Getaway cards alone so far: it wins only if every seat behind adds another one ([V8]).
            chance = 1.0
            for seat in seats_behind:
                chance *= _GETAWAY_ADDED * self.chance_of_holding(seat, GETAWAY_MASK)
            return chance
        chance = 1.0
        for seat in seats_behind:
            chance *= 1.0 - self.chance_of_taking(seat, card, suit)
        return chance

    def strength(self, card: Card, hand: CardSet) -> float:
        """Return about how many tricks this card of `hand` wins in the rest of the round, if it is played to win."""
        suit = SUIT_OF[card]
        if suit == GETAWAY:
            return 0.0
        of_suit = SUIT_MASKS[suit]
        out = (self.unseen & of_suit).bit_count() * self.dealt_share
        above = (self.unseen & _ABOVE[card]).bit_count() * self.dealt_share
        each = out / len(self.others)
        higher_own = (hand & _ABOVE[card]).bit_count()
        # Each higher card of one's own draws some of the others' cards before this one is needed.
        left = above * max(0.0, 1.0 - higher_own / (each + 1.0))
        if suit == TRUMP:
            shortest = min((hand & SUIT_MASKS[side]).bit_count() for side in SUITS[1:])
            ruff = _RUFF_BY_SHORTEST_SUIT[min(shortest, 2)]
            return max(ruff, fading(_TRUMP_FADES, left))
        if not self.unseen & SUIT_MASKS[TRUMP]:
            return fading(_SIDE_FADES, left)
        return fading(_SIDE_FADES, left) * min(1.0, 0.3 + 0.35 * each)

    def strengths(self, hand: CardSet) -> dict[Card, float]:
        """Return the strength of each card of a hand, in ascending order of cards."""
        return {card: self.strength(card, hand) for card in cards_in(hand & SUITED_MASK)}

    def chance_of_losing_all(self, hand: CardSet) -> float:
        """Return the chance that this hand, played as low as it can be, wins no trick of a whole round."""
        safe = 1.0
        opponents = len(self.others)
        for suit in SUITS:
            of_suit = self.unseen & SUIT_MASKS[suit]
            out = of_suit.bit_count()
            if not out:
                continue
            rounds = out * self.dealt_share / opponents
            for place, card in enumerate(cards_in(hand & SUIT_MASKS[suit])):
                if place >= rounds + 1:
                    break
                lower = (out - (of_suit & _ABOVE[card]).bit_count()) / out
                followers = max(0.8, min(opponents, opponents * (rounds - place) / 2.0))
                safe *= 1.0 - fading(lower, followers) * min(1.0, rounds + 1 - place) * 0.8
        # A snitch never plays out the hand and throws high cards on suits it is void in: measured over many rounds,
        # that takes the danger to about its fourth root.
        chance = math.sqrt(math.sqrt(safe))
        for _ in cards_in(hand & GETAWAY_MASK):
            chance += 0.2 * (1.0 - chance)
        # Every trick has a winner: the fewer want one, the likelier it is forced on a snitch.
        takers = sum(1 for seat in self.others if not self.view.snitching[seat])
        return chance * (1.0 - _SHYNESS + _SHYNESS * takers / opponents)


def note_plays(trick: Sequence[tuple[int, Card]], void_in: list[list[bool]]) -> CardSet:
    """Mark who showed a void in this trick and return the set of its cards."""
    played = 0
    lead: int | None = None
    for seat, card in trick:
        played |= 1 << card
        if card >= SUITED_CARDS:
            continue
        if lead is None:
            lead = SUIT_OF[card]
        elif SUIT_OF[card] != lead:
            void_in[seat][lead] = True
    return played


def _powers(base: float, highest: int) -> list[float]:
    """Return base to the power of 0, 1, 2 … up to the highest."""
    powers = [1.0]
    for _ in range(highest):
        powers.append(powers[-1] * base)
    return powers


def fading(base: float, exponent: float) -> float:
    """Return base to the power of the exponent, straight between whole numbers: the same on every machine."""
    whole = int(exponent)
    power = 1.0
    for _ in range(whole):
        power *= base
    return power * (1.0 - (exponent - whole) * (1.0 - base))
