"""What a card would do if it were played, bid or covered now, from the table and the reader's own hand.

It answers with what is certain or says that it is not; it gives no advice. Who may do what is the core's to judge.
"""

from __future__ import annotations

from looseends_client.bid_marks import coverable_yet
from looseends_client.cards_text import points_text
from looseends_client.narration import Sentence, counted, listed_cards
from looseends_core.cards import RANK_OF, SUIT_NAMES, SUIT_OF, Card, CardSet, cards_in, is_getaway
from looseends_core.state import Phase, State
from looseends_core.tricks import lead_suit_of, matching_cards, winning_index


def what_it_would_do(state: State, seat: int, card: Card) -> Sentence:
    """Return what this card of the seat would do now, as one sentence; empty where there is nothing to say."""
    if state.phase is Phase.PLANNING:
        return _bid(state, seat, card)
    if state.phase is Phase.COVERING:
        return _cover(state, seat, card)
    if state.phase is Phase.PLAYING:
        return _play(state, seat, card)
    return ()


def winning_now(state: State) -> tuple[int, Card] | None:
    """Return the seat that wins the running trick so far and its card, None while no card lies."""
    if not state.trick:
        return None
    return state.trick[winning_index([card for _, card in state.trick])]


def _bid(state: State, seat: int, card: Card) -> Sentence:
    if is_getaway(card):
        return ("A Getaway card cannot be bid.",)
    suit = SUIT_NAMES[SUIT_OF[card]]
    return (card, f" is covered when you win with {suit} or any {RANK_OF[card]}, or when {suit} was led.")


def _cover(state: State, seat: int, card: Card) -> Sentence:
    left = list(cards_in(state.uncovered(seat) & ~(1 << card)))
    if not left:
        return ("Covers ", card, ": all your bids are covered then.")
    after = state.copy()
    after.covered[seat] |= 1 << card
    possible = coverable_yet(after, seat) if len(state.tricks) < state.tricks_in_round else 0
    still = [other for other in left if possible >> other & 1]
    if not still:
        return ("Covers ", card, "; no other bid of yours can be covered any more.")
    return ("Covers ", card, "; ", *listed_cards(still), " stay" + ("s" if len(still) == 1 else "") + " to cover.")


def _play(state: State, seat: int, card: Card) -> Sentence:
    before = [played for _, played in state.trick]
    cards = [*before, card]
    consequence = _if_won(state, seat, card, matching_cards(card, lead_suit_of(cards)))
    if not before:
        if is_getaway(card):
            return (card, " leads no suit, and wins only if nothing but Getaway cards follow.")
        return (card, f" leads {SUIT_NAMES[SUIT_OF[card]]}; if it wins, it ", *consequence)
    if winning_index(cards) != len(before):
        return (card, " cannot win this trick.")
    return (card, " wins: it " if len(cards) == state.players else " wins so far; if that holds, it ", *consequence)


def _if_won(state: State, seat: int, card: Card, matching: CardSet) -> Sentence:
    """Return what a card that wins does for its player, as the end of a sentence."""
    if state.snitching[seat] and not state.won[seat]:
        return ("ends your snitching.",)
    eligible = list(cards_in(state.uncovered(seat) & matching))
    if eligible:
        return ("covers ", *listed_cards(eligible, "or"), ".")
    if state.rules.plan_b and not is_getaway(card):
        return ("becomes a new bid card.",)
    why = "nothing of yours matches" if state.uncovered(seat) else "you have nothing to cover"
    return (f"is a loose end: {why}.",)


def what_is_asked(state: State, seat: int | None, names: list[str]) -> Sentence:
    """Return the rule that holds now, for the seat that is asked or for those who wait."""
    turn = state.turn
    if turn is None:
        return ()
    if seat is None or turn != seat:
        verb = {
            Phase.PLANNING: "bids or passes",
            Phase.PLAYING: "plays a card" if state.trick else "leads",
            Phase.COVERING: "chooses what to cover",
        }
        return (f"{names[turn]} {verb.get(state.phase, 'is on turn')}.",)
    if state.phase is Phase.PLANNING:
        return _asked_to_plan(state, seat)
    if state.phase is Phase.COVERING:
        return ("You won with ", state.tricks[-1].card, ". Cover which of your bids?")
    return _asked_to_play(state, seat)


def _asked_to_plan(state: State, seat: int) -> Sentence:
    bids = state.planned_bids(seat)
    most = state.rules.max_bid
    snitched = state.rules.double_cross and any(state.snitching)
    if bids >= most:
        said = f"You have bid {counted(bids, 'card')}, the most: pass."
    elif bids == 0:
        reward = state.rules.table.snitch
        snitch = f"Bid a card, or pass to snitch ({points_text(reward)} for no trick)."
        said = "Bid a card: somebody snitches already, so you must bid." if snitched else snitch
    else:
        said = f"Bid a card ({bids + 1} of {most}) or pass."
    if state.rules.double_cross and not state.passed and bids:
        said = said.replace(": pass.", ": pass, or double-cross.").replace(" or pass.", ", pass, or double-cross.")
    return (said,)


def _asked_to_play(state: State, seat: int) -> Sentence:
    if not state.trick:
        return ("You lead: play any card.",)
    lead = state.lead_suit()
    if lead is None:
        return ("No suit is led yet: play any card.",)
    suit = SUIT_NAMES[lead]
    follows = any(SUIT_OF[card] == lead for card in cards_in(state.hands[seat]))
    if not follows:
        return (f"You have no {suit}: play any card.",)
    if any(is_getaway(card) for card in cards_in(state.hands[seat])):
        return (f"Follow {suit}, or get away with X.",)
    return (f"Follow {suit}.",)
