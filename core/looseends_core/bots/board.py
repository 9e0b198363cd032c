"""A round in a shape that makes playing it out thousands of times cheap: masks of 15 bits, plain counts.

A board is made of a view, and then of cards put into every hand. What plays it out lives in `rollout` and `uniform`.
"""

from __future__ import annotations

from collections.abc import Sequence

from looseends_core.bots.masks import FULL_SUIT
from looseends_core.cards import (
    GETAWAY,
    RANK_OF,
    RANKS,
    SUIT_OF,
    SUITED_CARDS,
    Card,
    CardSet,
    card_set,
    deck,
)
from looseends_core.state import State
from looseends_core.tricks import lead_suit_of, winning_index

NO_SUIT = -1
"""The lead suit of a trick that has none yet."""

RED_AT, GREEN_AT, YELLOW_AT, GETAWAY_AT = RANKS, 2 * RANKS, 3 * RANKS, SUITED_CARDS
"""Where in a card set the masks of these suits, and the Getaway cards, begin; Blue begins at 0."""


class Board:
    """One round between two moves of play. Lists over suits hold `4 * seat + suit`; numbers are as in `State`.

    `hands` and `away` (Getaway cards) are as `hold` puts them. Read freely; playing out works on copies.
    """

    __slots__ = (
        "away",
        "best_rank",
        "best_seat",
        "best_suit",
        "count",
        "covered",
        "hands",
        "lead",
        "left",
        "loose",
        "need",
        "out",
        "plan_b",
        "players",
        "seat",
        "snitch",
        "table",
        "won",
    )

    def __init__(self, view: State) -> None:
        """Take from the view all that is public, with the hands still empty.

        Before planning is over there is no trick to play; `begin` sets what planning decides.
        """
        n = view.players
        table = view.rules.table
        self.players = n
        self.plan_b = view.rules.plan_b
        self.table = (
            table.covered,
            table.loose_end,
            table.loose_end_with_snitch,
            table.perfect_crime,
            table.snitch,
        )
        self.hands = [0] * (4 * n)
        self.away = [0] * n
        self.need: list[int] = []
        """Uncovered bid cards."""
        for seat in range(n):
            self.need += suit_masks(view.uncovered(seat))
        self.covered = [cards.bit_count() for cards in view.covered]
        self.loose = list(view.loose)
        self.won = list(view.won)
        self.snitch = list(view.snitching)
        gone = 0
        for bids in view.bids:
            gone |= card_set(bids)
        for trick in view.tricks:
            gone |= card_set(card for _, card in trick.plays)
        gone |= card_set(card for _, card in view.trick)
        self.out = suit_masks(card_set(deck(n, view.rules.getaway)) & ~gone)
        """Cards, one mask a suit, that nobody has shown since they were dealt, or that were shown and taken back."""
        self.left = view.tricks_in_round - len(view.tricks)
        """Tricks still to be played, the running one included."""
        self.seat = view.turn if view.turn is not None else 0
        self.lead, self.best_suit, self.best_rank, self.best_seat = NO_SUIT, GETAWAY, 0, self.seat
        self.count = len(view.trick)
        """Cards in the running trick."""
        if view.trick:
            played = [card for _, card in view.trick]
            lead = lead_suit_of(played)
            self.lead = NO_SUIT if lead is None else lead
            best = winning_index(played)
            self.best_seat = view.trick[best][0]
            self.best_suit = SUIT_OF[played[best]]
            self.best_rank = RANK_OF[played[best]]

    def hold(self, hands: Sequence[CardSet]) -> None:
        """Put these cards into the hands, seat by seat."""
        masks: list[int] = []
        for hand in hands:
            masks += (
                hand & FULL_SUIT,
                hand >> RED_AT & FULL_SUIT,
                hand >> GREEN_AT & FULL_SUIT,
                hand >> YELLOW_AT & FULL_SUIT,
            )
        self.hands = masks
        self.away = [(hand >> GETAWAY_AT).bit_count() for hand in hands]

    def cover(self, seat: int, card: Card) -> None:
        """Cover this bid card of a seat, as the winner of the last trick chose."""
        self.need[4 * seat + SUIT_OF[card]] &= ~(1 << RANK_OF[card] - 1)
        self.covered[seat] += 1

    def copy(self) -> Board:
        """Return a copy whose lists can be changed; rules and tables are shared."""
        other = Board.__new__(Board)
        for field in Board.__slots__:
            value = getattr(self, field)
            setattr(other, field, list(value) if type(value) is list else value)
        return other


def suit_masks(cards: CardSet) -> list[int]:
    """Return the suited cards of a set as four masks, by suit."""
    return [
        cards & FULL_SUIT,
        cards >> RED_AT & FULL_SUIT,
        cards >> GREEN_AT & FULL_SUIT,
        cards >> YELLOW_AT & FULL_SUIT,
    ]
