"""Whether an event can come next in a view: what a client asks before it folds what a server tells.

`evolve` judges nothing, so a server that is broken or wicked could lead it anywhere. This holds events to their order
and to cards and seats that exist. Whether a player was allowed to act so is the core's to judge, and not asked here.
"""

from __future__ import annotations

from looseends_core.cards import deck, is_getaway
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
from looseends_core.state import Phase, State
from looseends_core.tricks import winning_index


def can_follow(state: State, event: Event) -> bool:
    """Return whether the event can come next, as far as this view tells."""
    match event:
        case RoundDealt():
            return _can_be_dealt(state, event)
        case CardBid(seat, card):
            return _plans(state, seat) and not is_getaway(card) and _may_lay(state, seat, card)
        case Passed(seat):
            return _plans(state, seat)
        case DoubleCrossed(seat):
            return _plans(state, seat) and not state.passed
        case CardPlayed(seat, card):
            running = state.phase is Phase.PLAYING and len(state.tricks) < state.tricks_in_round
            return running and state.turn == seat and _may_lay(state, seat, card)
        case TrickWon(seat, card):
            full = state.phase is Phase.PLAYING and len(state.trick) == state.players
            return full and state.trick[winning_index([played for _, played in state.trick])] == (seat, card)
        case BidCovered(seat, card):
            return _settles(state, seat) and bool(state.uncovered(seat) >> card & 1)
        case BidPromoted(seat, card):
            return _settles(state, seat) and state.tricks[-1].card == card and not is_getaway(card)
        case LooseEndTaken(seat):
            return _settles(state, seat)
        case RoundScored(delta):
            played = state.phase is Phase.PLAYING and not state.trick and len(state.tricks) == state.tricks_in_round
            return played and len(delta) == state.players
        case GameEnded(scores, winners):
            over = state.phase is Phase.DEALING and len(state.results) == state.rules.rounds
            seats = bool(winners) and all(winner < state.players for winner in winners)
            return over and seats and list(scores) == state.scores


def _can_be_dealt(state: State, event: RoundDealt) -> bool:
    rules = state.rules
    if state.phase is not Phase.DEALING or event.round != state.round + 1 or event.round > rules.rounds:
        return False
    if len(state.results) != state.round or len(event.hands) != rules.players or event.first >= rules.players:
        return False
    in_play = set(deck(rules.players, rules.getaway))
    dealt = [card for hand in event.hands if hand is not None for card in hand]
    sizes = all(len(hand) == rules.hand_size for hand in event.hands if hand is not None)
    return sizes and len(set(dealt)) == len(dealt) and in_play.issuperset(dealt)


def _plans(state: State, seat: int) -> bool:
    return state.phase is Phase.PLANNING and state.turn == seat


def _may_lay(state: State, seat: int, card: int) -> bool:
    """Return whether a card can come from that hand: it is in play, not on the table yet, and held where we know."""
    if state.hand_sizes[seat] < 1 or card not in deck(state.players, state.rules.getaway):
        return False
    if state.hand_known[seat]:
        return bool(state.hands[seat] >> card & 1)
    gone = any(card in bids for bids in state.bids) or any(card == played for _, played in state.trick)
    return not gone and not any(card == played for trick in state.tricks for _, played in trick.plays)


def _settles(state: State, seat: int) -> bool:
    return state.phase is Phase.COVERING and state.tricks[-1].winner == seat
