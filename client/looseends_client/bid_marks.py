"""What has become of each bid card: covered, open, or no longer possible, from public facts alone.

A card is called hopeless only where nothing that anybody could still do covers it, so this errs on the side of open.
No hand is looked at, the reader's own neither: every reader sees the same marks.
"""

from __future__ import annotations

import enum

from looseends_core.cards import (
    RANK_MASKS,
    RANK_OF,
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
    deck,
)
from looseends_core.scoring import SeatTally, score_round
from looseends_core.state import Phase, State
from looseends_core.tricks import lead_suit_of, matching_cards, winning_index


class Mark(enum.Enum):
    """What has become of a bid card."""

    COVERED = "covered"
    OPEN = "open"
    HOPELESS = "no longer possible"


def bid_marks(state: State, seat: int) -> list[tuple[Card, Mark]]:
    """Return the bid cards of a seat in the order they were laid, each with its mark."""
    bids = state.bids[seat]
    if state.phase is Phase.PLANNING or not bids:
        return [(card, Mark.OPEN) for card in bids]
    possible = coverable_yet(state, seat)
    marks: list[tuple[Card, Mark]] = []
    for card in bids:
        if state.covered[seat] >> card & 1:
            marks.append((card, Mark.COVERED))
        else:
            marks.append((card, Mark.OPEN if possible >> card & 1 else Mark.HOPELESS))
    return marks


def coverable_yet(state: State, seat: int) -> CardSet:
    """Return the uncovered bid cards of a seat that a trick of this round may still cover, as the table shows."""
    uncovered = state.uncovered(seat)
    if state.phase is Phase.PLANNING:
        return uncovered
    if state.phase in (Phase.DEALING, Phase.OVER):
        return 0
    if state.phase is Phase.PLAYING and len(state.tricks) == state.tricks_in_round:
        return 0
    if state.phase is Phase.COVERING and state.tricks[-1].winner == seat:
        # One of them is covered in a moment, whichever the winner takes.
        trick = state.tricks[-1]
        now = uncovered & matching_cards(trick.card, trick.lead_suit)
    else:
        now = uncovered & _by_running_trick(state, seat)
    later = uncovered & _by_later_tricks(state, seat) if _tricks_after_this(state) else 0
    return now | later


def points_if_over_now(state: State) -> list[int]:
    """Return each seat's points of the running round if it ended as it stands; of the last round once it is over."""
    if state.phase in (Phase.DEALING, Phase.OVER) and state.results:
        return [result.points for result in state.results[-1]]
    tallies: list[SeatTally] = [state.tally(seat) for seat in range(state.players)]
    return [result.points for result in score_round(state.rules.table, tallies)]


def voids(state: State) -> list[list[bool]]:
    """Return for each seat and suit whether the table has seen it fail to follow that suit this round."""
    void = [[False] * len(SUITS) for _ in range(state.players)]
    for plays in (*(trick.plays for trick in state.tricks), tuple(state.trick)):
        lead: int | None = None
        for seat, card in plays:
            suit = SUIT_OF[card]
            if card < SUITED_CARDS:
                if lead is None:
                    lead = suit
                elif suit != lead:
                    void[seat][lead] = True
    return void


def _tricks_after_this(state: State) -> int:
    """Return how many tricks follow the running one; one whose cards all lie counts as finished."""
    running = 0 if state.phase is Phase.COVERING else 1
    return state.tricks_in_round - len(state.tricks) - running


def _by_running_trick(state: State, seat: int) -> CardSet:
    """Return every card that the running trick could still cover for a seat."""
    if state.phase is not Phase.PLAYING:
        return 0
    plays = state.trick
    if not plays:
        return _by_later_tricks(state, seat)
    cards = [card for _, card in plays]
    if any(player == seat for player, _ in plays):
        best = winning_index(cards)
        if plays[best][0] != seat:
            return 0
        lead = lead_suit_of(cards)
        # A lone Getaway card wins only a trick of Getaway cards, which covers nothing.
        return matching_cards(cards[best], lead)
    lead = lead_suit_of(cards)
    if lead is None:
        return _by_later_tricks(state, seat)
    possible: CardSet = 0
    for card in _cards_of(_may_hold(state, seat)):
        if winning_index([*cards, card]) == len(cards):
            possible |= matching_cards(card, lead)
    return possible


def _by_later_tricks(state: State, seat: int) -> CardSet:
    """Return every card that a whole trick, led by anybody, could cover for a seat."""
    own = _may_hold(state, seat) & SUITED_MASK
    may_trump = own & SUIT_MASKS[TRUMP]
    leads: CardSet = 0
    for other in range(state.players):
        leads |= _may_hold(state, other)
    possible: CardSet = 0
    for suit in SUITS:
        if not leads & SUIT_MASKS[suit]:
            continue
        # A trick led in this suit is won with the suit itself or with a trump.
        if own & SUIT_MASKS[suit] or may_trump:
            possible |= SUIT_MASKS[suit]
    for card in _cards_of(own):
        possible |= RANK_MASKS[RANK_OF[card]] | SUIT_MASKS[SUIT_OF[card]]
    return possible


def _may_hold(state: State, seat: int) -> CardSet:
    """Return the cards that may be in a seat's hand as far as the table shows: not seen, and of no suit it lacks."""
    if state.hand_sizes[seat] == 0:
        return 0
    seen: CardSet = 0
    for bids in state.bids:
        seen |= card_set(bids)
    for trick in state.tricks:
        seen |= card_set(card for _, card in trick.plays)
    seen |= card_set(card for _, card in state.trick)
    for other in range(state.players):
        if other != seat:
            seen |= state.shown[other]
    held = card_set(deck(state.players, state.rules.getaway)) & ~seen
    void = voids(state)[seat]
    for suit in SUITS:
        if void[suit]:
            held &= ~SUIT_MASKS[suit]
    return held


def _cards_of(mask: CardSet) -> list[Card]:
    return list(cards_in(mask & SUITED_MASK))
