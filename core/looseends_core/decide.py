"""The only judge of legality: which actions a state allows, why another is refused, and what an action leads to.

`legal_actions`, `why_not` and `decide` share the predicates of this module, and nothing else anywhere, bots and
client included, holds a second copy of a rule. Nothing here changes a state: `evolve` does that.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from looseends_core import cards
from looseends_core.actions import (
    BIDS,
    COVERS,
    DOUBLE_CROSS,
    PASS,
    PLAYS,
    Action,
    Bid,
    Cover,
    DoubleCross,
    Pass,
    Play,
)
from looseends_core.cards import (
    DECK_CARDS,
    GETAWAY_MASK,
    SUIT_MASKS,
    SUIT_NAMES,
    SUITED_MASK,
    CardSet,
    cards_in,
)
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
from looseends_core.rules import ROTATE_FIRST
from looseends_core.scoring import SeatTally, score_round
from looseends_core.shuffle import Deal
from looseends_core.state import Phase, State
from looseends_core.tricks import lead_suit_of, matching_cards, winning_index


class Refusal(msgspec.Struct, frozen=True):
    """Why an action is not allowed: a stable code for programs and one sentence for people."""

    code: str
    sentence: str


class IllegalAction(Exception):
    """An action that the rules refuse; the state it was tried on is unchanged."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.sentence)
        self.refusal = refusal


class IllegalDeal(ValueError):
    """A deal that cannot be made now. The message says what was expected.

    `field` is `first` or `hands` where that part of it is wrong, `round` where no round can be dealt.
    """

    def __init__(self, field: str, expected: str) -> None:
        super().__init__(f"{field} {expected}")
        self.field = field


class HandNotKnown(ValueError):
    """What a seat may do was asked of a view that does not know that seat's hand."""


GAME_OVER = Refusal("action/game_over", "The game is over.")
NOT_YOUR_TURN = Refusal("action/not_your_turn", "It is not your turn.")
NO_ROUND = Refusal("action/no_round", "The next round has not been dealt yet.")
PLANNING_NOW = Refusal("action/wrong_phase", "This is Planning: bid a card or pass.")
PLAYING_NOW = Refusal("action/wrong_phase", "Planning is over: play a card.")
COVERING_NOW = Refusal("action/wrong_phase", "You won the trick: choose which bid card it covers.")
NOT_IN_HAND = Refusal("action/not_in_hand", "That card is not in your hand.")
GETAWAY_BID = Refusal("action/getaway_bid", "A Getaway card cannot be bid.")
MUST_BID = Refusal("action/must_bid", "Somebody snitches already: you must bid at least one card before you pass.")
NO_DOUBLE_CROSS = Refusal("action/no_double_cross", "This table does not play Double-Cross.")
DOUBLE_CROSS_TOO_LATE = Refusal("action/double_cross_late", "Only the first player to pass may double-cross.")
DOUBLE_CROSS_NO_BID = Refusal("action/double_cross_empty", "You have no bid card to take back: pass to snitch.")


def biddable(state: State, seat: int) -> CardSet:
    """Return the cards that this seat may bid now, by its hand and the maximum alone ([P2], [P3], [V5])."""
    if state.planned_bids(seat) >= state.rules.max_bid:
        return 0
    return state.hands[seat] & SUITED_MASK


def may_pass(state: State, seat: int) -> bool:
    """Return whether this seat may pass: always, save that Double-Cross allows one snitch a round ([V3], [V4])."""
    if not state.rules.double_cross or state.bids[seat] or True not in state.snitching:
        return True
    return not biddable(state, seat)


def may_double_cross(state: State, seat: int) -> bool:
    """Return whether this seat may double-cross now ([V1], [V2])."""
    return state.rules.double_cross and not state.passed and bool(state.bids[seat])


def playable(state: State, seat: int) -> CardSet:
    """Return the cards of this seat's hand that the running trick allows ([T1], [V6], [V7])."""
    hand = state.hands[seat]
    lead = state.lead_suit()
    if lead is None:
        return hand
    following = hand & SUIT_MASKS[lead]
    return following | (hand & GETAWAY_MASK) if following else hand


def coverable(state: State) -> CardSet:
    """Return the bid cards among which the winner of the last trick may choose; empty unless that is asked now."""
    if state.phase is not Phase.COVERING:
        return 0
    trick = state.tricks[-1]
    return state.uncovered(trick.winner) & matching_cards(trick.card, trick.lead_suit)


def legal_cards(state: State) -> CardSet:
    """Return the cards that the seat on turn may bid, play or cover, whichever it is time for; empty for nobody.

    Raises HandNotKnown where the state is a view without that seat's hand.
    """
    seat = state.turn
    if seat is None:
        return 0
    if state.phase is Phase.COVERING:
        return coverable(state)
    _require_hand(state, seat)
    return playable(state, seat) if state.phase is Phase.PLAYING else biddable(state, seat)


_ACTIONS_WITH_A_CARD: dict[Phase, Sequence[Action]] = {
    Phase.PLANNING: BIDS,
    Phase.PLAYING: PLAYS,
    Phase.COVERING: COVERS,
}


def legal_actions(state: State) -> list[Action]:
    """Return every action that the seat on turn may take, cards ascending; empty when nobody is on turn.

    Raises HandNotKnown as `legal_cards` does.
    """
    seat = state.turn
    if seat is None:
        return []
    actions = _ACTIONS_WITH_A_CARD[state.phase]
    allowed = [actions[card] for card in cards_in(legal_cards(state))]
    if state.phase is not Phase.PLANNING:
        return allowed
    if may_pass(state, seat):
        allowed.append(PASS)
    if may_double_cross(state, seat):
        allowed.append(DOUBLE_CROSS)
    return allowed


def _require_hand(state: State, seat: int) -> None:
    if not state.hand_known[seat]:
        raise HandNotKnown(f"this view does not know the hand of seat {seat}")


def why_not(state: State, seat: int, action: Action) -> Refusal | None:
    """Return why this seat may not take this action now, or None where it may.

    Any int is accepted for a seat or a card; one that does not exist is refused like one that is not there. A refusal
    for the wrong time comes before one for the card. Raises HandNotKnown where the answer lies in a hand that this
    view does not know.
    """
    if state.phase is Phase.OVER:
        return GAME_OVER
    if state.turn is None:
        return NO_ROUND
    if seat != state.turn:
        return NOT_YOUR_TURN
    if state.phase is Phase.COVERING:
        return _why_not_cover(state, action)
    _require_hand(state, seat)
    if state.phase is Phase.PLANNING:
        return _why_not_planning(state, seat, action)
    return _why_not_play(state, seat, action)


def _holds(state: State, seat: int, card: int) -> bool:
    return 0 <= card < DECK_CARDS and bool(state.hands[seat] >> card & 1)


def _why_not_planning(state: State, seat: int, action: Action) -> Refusal | None:
    if isinstance(action, Bid):
        if not _holds(state, seat, action.card):
            return NOT_IN_HAND
        if cards.is_getaway(action.card):
            return GETAWAY_BID
        if not biddable(state, seat) >> action.card & 1:
            return Refusal("action/max_bid", f"The most you may bid at this table is {state.rules.max_bid}.")
        return None
    if isinstance(action, Pass):
        return None if may_pass(state, seat) else MUST_BID
    if isinstance(action, DoubleCross):
        if may_double_cross(state, seat):
            return None
        if not state.rules.double_cross:
            return NO_DOUBLE_CROSS
        return DOUBLE_CROSS_TOO_LATE if state.passed else DOUBLE_CROSS_NO_BID
    return PLANNING_NOW


def _why_not_play(state: State, seat: int, action: Action) -> Refusal | None:
    if not isinstance(action, Play):
        return PLAYING_NOW
    if not _holds(state, seat, action.card):
        return NOT_IN_HAND
    if playable(state, seat) >> action.card & 1:
        return None
    lead = state.lead_suit()
    assert lead is not None, "without a lead suit every card of the hand is playable"
    return Refusal("action/must_follow", f"You must follow {SUIT_NAMES[lead]}.")


def _why_not_cover(state: State, action: Action) -> Refusal | None:
    if not isinstance(action, Cover):
        return COVERING_NOW
    if 0 <= action.card < DECK_CARDS and coverable(state) >> action.card & 1:
        return None
    choices = ", ".join(cards.name(card) for card in cards_in(coverable(state)))
    return Refusal("action/cannot_cover", f"This trick can cover {choices}.")


def decide(state: State, seat: int, action: Action) -> list[Event]:
    """Return the facts that this action leads to, in order, and change nothing.

    Raises IllegalAction, with the reason, where the action is not allowed, and HandNotKnown as `why_not` does.
    """
    refusal = why_not(state, seat, action)
    if refusal is not None:
        raise IllegalAction(refusal)
    if isinstance(action, Play):
        return _decide_play(state, seat, action.card)
    if isinstance(action, Bid):
        return [CardBid(seat, action.card)]
    if isinstance(action, Pass):
        return [Passed(seat)]
    if isinstance(action, DoubleCross):
        return [DoubleCrossed(seat)]
    events: list[Event] = [BidCovered(seat, action.card)]
    if len(state.tricks) == state.tricks_in_round:
        events += _end_of_round(state, seat, covered=1)
    return events


def _decide_play(state: State, seat: int, card: int) -> list[Event]:
    events: list[Event] = [CardPlayed(seat, card)]
    if len(state.trick) + 1 < state.rules.players:
        return events
    trick = [played for _, played in state.trick]
    trick.append(card)
    place = winning_index(trick)
    winner = state.trick[place][0] if place < len(state.trick) else seat
    winning_card = trick[place]
    events.append(TrickWon(winner, winning_card))
    eligible = state.uncovered(winner) & matching_cards(winning_card, lead_suit_of(trick))
    last = len(state.tricks) + 1 == state.tricks_in_round
    if eligible & (eligible - 1):
        return events
    if eligible:
        events.append(BidCovered(winner, eligible.bit_length() - 1))
        return events + _end_of_round(state, winner, tricks=1, covered=1) if last else events
    if state.rules.plan_b and not cards.is_getaway(winning_card):
        events.append(BidPromoted(winner, winning_card))
        return events + _end_of_round(state, winner, tricks=1, promoted=1) if last else events
    events.append(LooseEndTaken(winner))
    return events + _end_of_round(state, winner, tricks=1, loose=1) if last else events


def _end_of_round(
    state: State, winner: int, *, tricks: int = 0, covered: int = 0, promoted: int = 0, loose: int = 0
) -> list[Event]:
    """Return the closing facts of a round; the counts are what its last events still add to the winner's tally."""
    tallies = [state.tally(seat) for seat in range(state.rules.players)]
    before = tallies[winner]
    tallies[winner] = SeatTally(
        covered=before.covered + covered,
        uncovered=before.uncovered - covered + promoted,
        loose=before.loose + loose,
        tricks=before.tricks + tricks,
        snitched=before.snitched,
    )
    delta = tuple(result.points for result in score_round(state.rules.table, tallies))
    events: list[Event] = [RoundScored(delta)]
    if state.round == state.rules.rounds:
        scores = tuple(score + points for score, points in zip(state.scores, delta, strict=True))
        events.append(GameEnded(scores, winners_of(scores, delta)))
    return events


def winners_of(scores: tuple[int, ...], last_delta: tuple[int, ...]) -> tuple[int, ...]:
    """Return the winning seats, ascending: most points, then most points of the last round ([E1], [E2])."""
    best = max(scores)
    tied = [seat for seat, score in enumerate(scores) if score == best]
    best_last = max(last_delta[seat] for seat in tied)
    return tuple(seat for seat in tied if last_delta[seat] == best_last)


def deal_round(state: State, deal: Deal) -> list[Event]:
    """Return the fact that the next round is dealt so. The deal's proof is taken over and not checked here.

    Raises IllegalDeal where the first player or the hands cannot be this round's ([R3], [R5], [R7]).
    """
    rules = state.rules
    if state.phase is not Phase.DEALING:
        raise IllegalDeal("round", f"cannot be dealt while the game is {state.phase.value}")
    if not 0 <= deal.first < rules.players:
        raise IllegalDeal("first", f"must be a seat from 0 to {rules.players - 1}, not {deal.first}")
    if rules.first_player == ROTATE_FIRST and state.round > 0 and deal.first != (state.first + 1) % rules.players:
        raise IllegalDeal(
            "first",
            f"{deal.first} does not rotate: expected seat {(state.first + 1) % rules.players}, after {state.first}",
        )
    _check_hands(state, deal)
    return [RoundDealt(state.round + 1, deal.first, deal.hands, deal.fairness)]


def _check_hands(state: State, deal: Deal) -> None:
    rules = state.rules
    if len(deal.hands) != rules.players:
        raise IllegalDeal("hands", f"must be {rules.players}, one a seat, not {len(deal.hands)}")
    left = cards.card_set(cards.deck(rules.players, rules.getaway))
    for seat, hand in enumerate(deal.hands):
        if len(hand) != rules.hand_size:
            raise IllegalDeal("hands", f"of seat {seat}: expected {rules.hand_size} cards, found {len(hand)}")
        for card in hand:
            if not 0 <= card < DECK_CARDS or not left >> card & 1:
                shown = cards.name(card) if 0 <= card < DECK_CARDS else str(card)[:12]
                raise IllegalDeal("hands", f"of seat {seat}: {shown} is dealt twice, or is not in play at this table")
            left ^= 1 << card
