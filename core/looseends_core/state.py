"""The state of a game, and `evolve`, the one place where it changes.

A server's table, a player's view, a spectator, a replay and a record are all this fold over a list of events; they
differ only in how much the events told them. `evolve` applies facts and never judges them: legality lives in
`decide`. Nothing here may draw a random number or read a clock.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable
from typing import Any, Literal

import msgspec

from looseends_core.cards import SUIT_OF, SUITED_CARDS, Card, CardSet, card_set
from looseends_core.events import (
    BidCovered,
    BidPromoted,
    CardBid,
    CardPlayed,
    DoubleCrossed,
    Event,
    GameEnded,
    LooseEndTaken,
    Passed,
    RoundDealt,
    RoundScored,
    TrickWon,
)
from looseends_core.rules import STARTING_POINTS, RuleSet
from looseends_core.scoring import SeatResult, SeatTally, score_round
from looseends_core.tricks import lead_suit_of


class Phase(enum.Enum):
    """What a game waits for."""

    DEALING = "dealing"
    """A deal from outside: before the first round, and between two rounds."""
    PLANNING = "planning"
    """The seat on turn bids, passes or double-crosses."""
    PLAYING = "playing"
    """The seat on turn plays a card."""
    COVERING = "covering"
    """The winner of the trick chooses which bid card it covers."""
    OVER = "over"
    """Nothing any more."""


class Trick(msgspec.Struct):
    """A finished trick of the running round.

    `plays` are (seat, card) in order of play; `outcome` is None until the winner's choice is known; `bid_card` is
    the card covered or promoted, None for a loose end.
    """

    plays: tuple[tuple[int, Card], ...]
    winner: int
    card: Card
    outcome: Literal["covered", "promoted", "loose"] | None = None
    bid_card: Card | None = None

    @property
    def leader(self) -> int:
        """The seat that led."""
        return self.plays[0][0]

    @property
    def lead_suit(self) -> int | None:
        """The suit that was to be followed, None for a trick of Getaway cards alone."""
        return lead_suit_of([card for _, card in self.plays])


class State:
    """A game as far as its reader knows it. Lists are indexed by seat; read freely, change only through `evolve`."""

    __slots__ = (
        "bids",
        "covered",
        "double_crosser",
        "first",
        "hand_known",
        "hand_sizes",
        "hands",
        "last_delta",
        "leader",
        "loose",
        "number",
        "passed",
        "phase",
        "promoted",
        "results",
        "round",
        "rules",
        "scores",
        "shown",
        "snitching",
        "trick",
        "tricks",
        "tricks_in_round",
        "turn",
        "winners",
        "won",
    )

    def __init__(self, rules: RuleSet) -> None:
        n = rules.players
        self.rules = rules
        self.number = 0
        """Events folded so far: the state number that an action is made for."""
        self.round = 0
        """Rounds dealt so far; the running round's number, from 1."""
        self.phase = Phase.DEALING
        self.turn: int | None = None
        """The seat that is due to act, None while nobody is."""
        self.first = 0
        """The first player of the running round."""
        self.scores = [STARTING_POINTS] * n
        self.results: list[tuple[SeatResult, ...]] = []
        """The score sheets of the rounds that are over, in order."""
        self.last_delta: tuple[int, ...] | None = None
        self.winners: tuple[int, ...] | None = None
        self.clear_round()

    def clear_round(self) -> None:
        """Set everything that belongs to one round to its beginning; `evolve` alone calls this."""
        n = self.rules.players
        self.hands: list[CardSet] = [0] * n
        """The cards of each hand where `hand_known`, else the empty set; `hand_sizes` is right for every seat."""
        self.hand_known = [False] * n
        self.hand_sizes = [0] * n
        self.shown: list[CardSet] = [0] * n
        """Cards that everybody knows to be in a hand: bid cards taken back by a double-cross, not played yet."""
        self.bids: list[list[Card]] = [[] for _ in range(n)]
        """Bid cards in the order they were laid, promoted ones behind."""
        self.covered: list[CardSet] = [0] * n
        self.promoted: list[CardSet] = [0] * n
        self.passed: list[int] = []
        """Seats in the order of passing."""
        self.snitching = [False] * n
        """Who ended planning as a snitch ([P7], [V3], [V4]); it stays when a trick is won."""
        self.double_crosser: int | None = None
        self.leader: int | None = None
        self.trick: list[tuple[int, Card]] = []
        """The running trick: (seat, card) in order of play."""
        self.tricks: list[Trick] = []
        """The finished tricks of the round."""
        self.tricks_in_round = 0
        """How many tricks the round has ([P6]); 0 until planning is over."""
        self.won = [0] * n
        self.loose = [0] * n

    @property
    def players(self) -> int:
        """The number of seats."""
        return self.rules.players

    def uncovered(self, seat: int) -> CardSet:
        """Return the bid cards of a seat that no trick has covered yet."""
        return card_set(self.bids[seat]) & ~self.covered[seat]

    def planned_bids(self, seat: int) -> int:
        """Return how many bid cards of a seat count against the maximum: promoted ones do not ([V11])."""
        return len(self.bids[seat]) - self.promoted[seat].bit_count()

    def lead_suit(self) -> int | None:
        """Return the suit to follow in the running trick, None while it has none."""
        for _, card in self.trick:
            if card < SUITED_CARDS:
                return SUIT_OF[card]
        return None

    def tally(self, seat: int) -> SeatTally:
        """Return what a seat has in the running round, as the scoring counts it."""
        covered = self.covered[seat].bit_count()
        return SeatTally(
            covered=covered,
            uncovered=len(self.bids[seat]) - covered,
            loose=self.loose[seat],
            tricks=self.won[seat],
            snitched=self.snitching[seat],
        )

    def copy(self) -> State:
        """Return an independent copy; what is immutable is shared."""
        other = State.__new__(State)
        for field in State.__slots__:
            setattr(other, field, getattr(self, field))
        for field in _SEAT_LISTS:
            setattr(other, field, list(getattr(self, field)))
        other.bids = [list(cards) for cards in self.bids]
        other.tricks = [msgspec.structs.replace(trick) for trick in self.tricks]
        return other

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return all(getattr(self, field) == getattr(other, field) for field in State.__slots__)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<State {self.number}: round {self.round} {self.phase.value}, turn {self.turn}, scores {self.scores}>"


_SEAT_LISTS = (
    "covered",
    "hand_known",
    "hand_sizes",
    "hands",
    "loose",
    "passed",
    "promoted",
    "results",
    "scores",
    "shown",
    "snitching",
    "trick",
    "won",
)


def fold(rules: RuleSet, events: Iterable[Event]) -> State:
    """Return the state that these events lead to, from the start of a game."""
    state = State(rules)
    for event in events:
        evolve(state, event)
    return state


def evolve(state: State, event: Event) -> None:
    """Apply one fact to the state, in place.

    The event must follow from `decide` or `deal_round` (or their redacted form) on this state; that is not checked, and
    one that does not follow leads to any state or any exception. Raises KeyError for something that is no event.
    """
    _APPLY[type(event)](state, event)
    state.number += 1


def _round_dealt(state: State, event: RoundDealt) -> None:
    state.clear_round()
    state.round = event.round
    state.first = state.turn = event.first
    state.phase = Phase.PLANNING
    state.hand_sizes = [state.rules.hand_size] * state.rules.players
    for seat, hand in enumerate(event.hands):
        if hand is not None:
            state.hands[seat] = card_set(hand)
            state.hand_known[seat] = True


def _card_bid(state: State, event: CardBid) -> None:
    seat = event.seat
    state.hands[seat] &= ~(1 << event.card)
    state.hand_sizes[seat] -= 1
    state.bids[seat].append(event.card)
    state.turn = _next_planner(state, seat)


def _passed(state: State, event: Passed) -> None:
    seat = event.seat
    if not state.bids[seat]:
        state.snitching[seat] = not (state.rules.double_cross and any(state.snitching))
    _leave_planning(state, seat)


def _double_crossed(state: State, event: DoubleCrossed) -> None:
    seat = event.seat
    back = card_set(state.bids[seat])
    if state.hand_known[seat]:
        state.hands[seat] |= back
    state.hand_sizes[seat] += len(state.bids[seat])
    state.shown[seat] = back
    state.bids[seat] = []
    state.snitching[seat] = True
    state.double_crosser = seat
    _leave_planning(state, seat)


def _leave_planning(state: State, seat: int) -> None:
    state.passed.append(seat)
    if len(state.passed) < state.rules.players:
        state.turn = _next_planner(state, seat)
        return
    state.phase = Phase.PLAYING
    state.leader = state.turn = seat
    state.tricks_in_round = min(state.hand_sizes)


def _next_planner(state: State, seat: int) -> int:
    n = state.rules.players
    for following in range(seat + 1, seat + n + 1):
        if following % n not in state.passed:
            return following % n
    raise ValueError("an event of planning after everybody has passed")


def _card_played(state: State, event: CardPlayed) -> None:
    seat = event.seat
    gone = ~(1 << event.card)
    state.hands[seat] &= gone
    state.shown[seat] &= gone
    state.hand_sizes[seat] -= 1
    state.trick.append((seat, event.card))
    n = state.rules.players
    state.turn = (seat + 1) % n if len(state.trick) < n else None


def _trick_won(state: State, event: TrickWon) -> None:
    state.tricks.append(Trick(tuple(state.trick), event.seat, event.card))
    state.trick = []
    state.won[event.seat] += 1
    state.leader = state.turn = event.seat
    state.phase = Phase.COVERING


def _settle_trick(state: State, outcome: Literal["covered", "promoted", "loose"], bid_card: Card | None) -> None:
    trick = state.tricks[-1]
    trick.outcome = outcome
    trick.bid_card = bid_card
    state.phase = Phase.PLAYING
    state.turn = state.leader


def _bid_covered(state: State, event: BidCovered) -> None:
    state.covered[event.seat] |= 1 << event.card
    _settle_trick(state, "covered", event.card)


def _bid_promoted(state: State, event: BidPromoted) -> None:
    state.bids[event.seat].append(event.card)
    state.promoted[event.seat] |= 1 << event.card
    _settle_trick(state, "promoted", event.card)


def _loose_end_taken(state: State, event: LooseEndTaken) -> None:
    state.loose[event.seat] += 1
    _settle_trick(state, "loose", None)


def _round_scored(state: State, event: RoundScored) -> None:
    sheet = score_round(state.rules.table, [state.tally(seat) for seat in range(state.rules.players)])
    state.results.append(tuple(sheet))
    state.last_delta = event.delta
    state.scores = [score + points for score, points in zip(state.scores, event.delta, strict=True)]
    state.phase = Phase.DEALING
    state.turn = None


def _game_ended(state: State, event: GameEnded) -> None:
    state.winners = event.winners
    state.phase = Phase.OVER
    state.turn = None


_APPLY: dict[type[Event], Callable[[State, Any], None]] = {
    RoundDealt: _round_dealt,
    CardBid: _card_bid,
    Passed: _passed,
    DoubleCrossed: _double_crossed,
    CardPlayed: _card_played,
    TrickWon: _trick_won,
    BidCovered: _bid_covered,
    BidPromoted: _bid_promoted,
    LooseEndTaken: _loose_end_taken,
    RoundScored: _round_scored,
    GameEnded: _game_ended,
}
