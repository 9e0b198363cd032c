"""Draws worlds: hands for every seat that fit all that one seat has seen of the round.

What fits: the sizes of the hands, the cards bid and played, cards taken back by a double-cross, suits that somebody
could not follow, and what a pass that was forced gives away. How plausible a world is, by what its seats chose, does
not live here.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from looseends_core.bots.reading import DECKS, note_plays
from looseends_core.cards import SUIT_OF, SUITS, Card, CardSet, card_set, cards_in
from looseends_core.state import State

QUICK_DEALS = 3
"""Quick deals that may come to a dead end before the hands are matched to the cards the thorough way."""


class Worlds:
    """All that the seat on turn in `view`, whose hand the view knows, can say about the hidden cards.

    Where the voids of two seats overlap without one being part of the other, some worlds are drawn a little more often
    than others; otherwise all are equally likely.
    """

    def __init__(self, view: State) -> None:
        assert view.turn is not None, "worlds are drawn for a seat that is due to act"
        self.seat = view.turn
        self._known: list[CardSet] = list(view.shown)
        self._known[self.seat] = view.hands[self.seat]
        self.void_in = [[False] * (len(SUITS) + 1) for _ in range(view.players)]
        """By seat and suit, who is known to hold none."""
        gone = 0
        for bids in view.bids:
            gone |= card_set(bids)
        for trick in (*(trick.plays for trick in view.tricks), view.trick):
            gone |= note_plays(trick, self.void_in)
        for seat in range(view.players):
            if _could_only_pass(view, seat):
                self.void_in[seat] = [True] * len(SUITS) + [False]
        for known in self._known:
            gone |= known
        self._hidden: list[Card] = list(cards_in(DECKS[view.players, view.rules.getaway] & ~gone))
        """Cards that are in another's hand or were never dealt."""
        wanting = [
            (seat, view.hand_sizes[seat] - self._known[seat].bit_count())
            for seat in range(view.players)
            if seat != self.seat
        ]
        # Who can take the fewest suits takes first: whoever can take any is content with what is left.
        self._wanting = sorted(wanting, key=lambda pair: -sum(self.void_in[pair[0]]))

    def draw(self, rng: random.Random) -> list[CardSet]:
        """Return one world: the cards of every hand, seat by seat."""
        for _ in range(QUICK_DEALS):
            hands = self._dealt(_shuffled(self._hidden, rng))
            if hands is not None:
                return hands
        return self._matched(_shuffled(self._hidden, rng))

    def _dealt(self, hidden: list[Card]) -> list[CardSet] | None:
        """Return the hands as the cards come, or None where somebody cannot take what is left."""
        dealt: list[tuple[int, list[Card]]] = []
        for seat, size in self._wanting:
            voids = self.void_in[seat]
            if True not in voids:
                taken = hidden[:size]
                hidden = hidden[size:]
            else:
                taken = []
                left: list[Card] = []
                for card in hidden:
                    (left if len(taken) == size or voids[SUIT_OF[card]] else taken).append(card)
                hidden = left
                while len(taken) < size:
                    if not self._exchanged(dealt, hidden, taken, voids):
                        return None
            dealt.append((seat, taken))
        hands = list(self._known)
        for seat, taken in dealt:
            hand = hands[seat]
            for card in taken:
                hand |= 1 << card
            hands[seat] = hand
        return hands

    def _exchanged(
        self, dealt: list[tuple[int, list[Card]]], hidden: list[Card], taken: list[Card], voids: list[bool]
    ) -> bool:
        """Take a card that fits from a seat dealt before, which gets one that is left; return whether there is one."""
        for seat, cards in dealt:
            theirs = self.void_in[seat]
            for left, card in enumerate(hidden):
                if theirs[SUIT_OF[card]]:
                    continue
                for at, wanted in enumerate(cards):
                    if not voids[SUIT_OF[wanted]]:
                        cards[at] = card
                        taken.append(wanted)
                        del hidden[left]
                        return True
                break
        return False

    def _matched(self, hidden: list[Card]) -> list[CardSet]:
        """Return hands by moving cards on from seat to seat until everybody has enough. There is always a way."""
        places = [seat for seat, size in self._wanting for _ in range(size)]
        card_at: list[int] = [-1] * len(places)

        def place(number: int, tried: list[bool]) -> bool:
            suit = SUIT_OF[hidden[number]]
            for at, seat in enumerate(places):
                if tried[at] or self.void_in[seat][suit]:
                    continue
                tried[at] = True
                if card_at[at] < 0 or place(card_at[at], tried):
                    card_at[at] = number
                    return True
            return False

        for number in range(len(hidden)):
            place(number, [False] * len(places))
        hands = list(self._known)
        for at, seat in enumerate(places):
            assert card_at[at] >= 0, "the true deal is a way to fill every hand"
            hands[seat] |= 1 << hidden[card_at[at]]
        return hands


def _could_only_pass(view: State, seat: int) -> bool:
    """Return whether this seat passed without a bid beside a snitch, which takes a hand of Getaway cards ([V4])."""
    return (
        view.rules.double_cross
        and view.rules.max_bid > 0
        and seat in view.passed
        and not view.snitching[seat]
        and view.planned_bids(seat) == 0
    )


def _shuffled(cards: Sequence[Card], rng: random.Random) -> list[Card]:
    """Return the cards in random order, by `rng.random()` alone."""
    drawn = list(cards)
    draw = rng.random
    for last in range(len(drawn) - 1, 0, -1):
        other = int(draw() * (last + 1))
        drawn[last], drawn[other] = drawn[other], drawn[last]
    return drawn
