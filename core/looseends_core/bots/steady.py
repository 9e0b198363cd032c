"""The steady player: bids what it can expect to win, covers it cheaply, and ducks once it is done or snitches.

It weighs each action by the points it is likely to bring, with the numbers of the table's own scoring. It looks at
most one trick ahead: searching is for other bots. What it concludes about other hands lives in `reading`.
"""

from __future__ import annotations

import random

from looseends_core.actions import (
    BIDS,
    COVERS,
    DOUBLE_CROSS,
    PASS,
    PLAYS,
    Action,
    Bid,
    Cover,
    Play,
)
from looseends_core.bots.reading import Reading
from looseends_core.cards import RANK_OF, SUIT_MASKS, SUIT_OF, TRUMP, Card, CardSet, cards_in, is_getaway
from looseends_core.decide import legal_actions
from looseends_core.state import Phase, State
from looseends_core.tricks import lead_suit_of, matching_cards

_TIE = 1e-9
"""Actions whose worth differs by no more than this are equal, and one of them is drawn."""

# The weights below were found by letting two settings of this player meet over the same deals in swapped seats.
_TRICKS_PER_STRENGTH = {2: 0.65, 3: 0.55, 4: 0.5, 5: 0.45}
"""Tricks really won for one that `strength` promises before the first lead, by number of players."""
_BOLDNESS = 0.3
"""Tricks, expected beyond the hand's own, that a further bid counts on."""
_MISSED = 0.7
"""How much of a card's strength counts against laying it as a bid."""
_MATCH = 0.55
"""Chance that a trick of the right number also matches a bid card, before its suit is looked at."""
_PERFECT = 0.25
"""Chance of the Perfect Crime when the bids are just what is expected."""
_BID_TRUST = 0.4
"""What is left of the points that a bid promises: the others want the same tricks, and a snitch may spoil them."""
_SPARE_SCALE = 0.6
"""Tricks really won for one that `strength` promises while tricks are played."""
_KEEP_BASE, _KEEP_SLOPE = 0.6, 0.5
"""How much strong cards are wanted later, 1 to −1: the base where strength and open bids balance, less with more."""
_KEEP_POINTS = 2.0
"""Points that a card sure to win is worth in hand where it is wanted, or costs where it is not."""
_GETAWAY_KEPT = 0.5
"""Points that a Getaway card is worth in hand: it ducks a dangerous trick later."""
_SNITCH_COST = 1.5
"""Loose ends that a snitch who fails is likely to take."""


def choose_as_steady(view: State, rng: random.Random) -> Action:
    """Return the legal action of the seat on turn that seems worth most; equal ones are drawn from."""
    allowed = legal_actions(view)
    if len(allowed) == 1:
        return allowed[0]
    if view.phase is Phase.PLANNING:
        return _plan(view, allowed, rng)
    reading = Reading(view)
    if view.phase is Phase.COVERING:
        covers = [action.card for action in allowed if isinstance(action, Cover)]
        return COVERS[_best([(_worth_of_covering(reading, card), card) for card in covers], rng)]
    plays = [action.card for action in allowed if isinstance(action, Play)]
    return PLAYS[_best(_worths_of_playing(reading, plays), rng)]


def _best(worths: list[tuple[float, Card]], rng: random.Random) -> Card:
    """Return the card of highest worth, one of the highest by lot."""
    most = max(worth for worth, _ in worths) - _TIE
    equal = [card for worth, card in worths if worth >= most]
    return equal[int(rng.random() * len(equal))] if len(equal) > 1 else equal[0]


# Planning


def _plan(view: State, allowed: list[Action], rng: random.Random) -> Action:
    seat = view.turn
    assert seat is not None, "somebody is on turn in Planning"
    reading = Reading(view)
    bids = [action.card for action in allowed if isinstance(action, Bid)]
    laid = view.bids[seat]
    if not laid and PASS in allowed:
        if _worth_of_snitching(reading, reading.hand) > _worth_of_bidding(reading, bids):
            return PASS
    elif DOUBLE_CROSS in allowed:
        hand = reading.hand
        for card in laid:
            hand |= 1 << card
        if _worth_of_snitching(reading, hand) > _worth_of_bidding(reading, bids):
            return DOUBLE_CROSS
    if not bids:
        return PASS
    worths = [(_fitness_as_bid(reading, reading.hand, laid, card), card) for card in bids]
    card = _best(worths, rng)
    # With nothing laid yet, to pass would be to snitch, and that was found to be worth less.
    if laid and PASS in allowed and _worth_of_another_bid(reading, reading.hand, laid, card) <= 0:
        return PASS
    return BIDS[card]


def _expected_tricks(reading: Reading, hand: CardSet) -> float:
    """Return how many tricks the hand can take in the round when it is played to win."""
    view = reading.view
    tricks = max(1, min(view.hand_sizes) - 1)
    strength = sum(reading.strengths(hand).values())
    takers = 1 + sum(1.0 if not view.snitching[seat] else 0.2 for seat in reading.others)
    return min(float(tricks), strength * _TRICKS_PER_STRENGTH[view.players] * view.players / takers)


def _supply(reading: Reading, hand: CardSet, bid: Card) -> float:
    """Return about how many tricks the hand can win that would cover this bid card."""
    suit = SUIT_OF[bid]
    supply = 0.0
    for card, strength in reading.strengths(hand).items():
        if SUIT_OF[card] == suit or RANK_OF[card] == RANK_OF[bid]:
            supply += strength
        elif SUIT_OF[card] == TRUMP and not hand & SUIT_MASKS[suit]:
            supply += 0.6 * strength  # led by somebody else, the suit can be ruffed
        elif SUIT_OF[card] == TRUMP:
            supply += 0.2 * strength
    return supply


def _fitness_as_bid(reading: Reading, hand: CardSet, laid: list[Card], card: Card) -> float:
    """Return how well this card of the hand would do as the next bid: easily covered, little missed in play."""
    rest = hand & ~(1 << card)
    same = sum(1 for other in laid if SUIT_OF[other] == SUIT_OF[card])
    easy = min(1.5, max(0.0, _supply(reading, rest, card) - same))
    return easy - _MISSED * reading.strength(card, hand)


def _worth_of_another_bid(reading: Reading, hand: CardSet, laid: list[Card], card: Card) -> float:
    """Return the points that laying this card too is likely to add."""
    table = reading.view.rules.table
    rest = hand & ~(1 << card)
    tricks = _expected_tricks(reading, rest)
    after = len(laid) + 1
    reach = _between(0.5 + 0.4 * (tricks - after + _BOLDNESS), 0.02, 0.97)
    same = sum(1 for other in laid if SUIT_OF[other] == SUIT_OF[card])
    match = _between(_MATCH + 0.4 * (_supply(reading, rest, card) - same), 0.2, 1.0)
    covered = reach * match
    perfect = _chance_of_perfection(tricks, after) - (_chance_of_perfection(tricks, after - 1) if laid else 0.0)
    loose = table.loose_end
    return covered * (table.covered - loose) + (1.0 - covered) * loose + table.perfect_crime * perfect


def _chance_of_perfection(tricks: float, bids: int) -> float:
    return _PERFECT * max(0.0, 1.0 - abs(tricks - bids) / 2.0)


def _worth_of_bidding(reading: Reading, biddable: list[Card]) -> float:
    """Return the points of the round if the hand is bid as far as it seems worth it."""
    view = reading.view
    laid = list(view.bids[reading.seat])
    hand = reading.hand
    table = view.rules.table
    worth = 0.0
    for card in laid:
        worth += _worth_of_another_bid(reading, hand | 1 << card, laid[: laid.index(card)], card)
    left = list(biddable)
    while left and len(laid) < view.rules.max_bid:
        card = max(left, key=lambda one: (_fitness_as_bid(reading, hand, laid, one), -one))
        more = _worth_of_another_bid(reading, hand, laid, card)
        if more <= 0:
            break
        worth += more
        laid.append(card)
        left.remove(card)
        hand &= ~(1 << card)
    unplanned = max(0.0, _expected_tricks(reading, hand) - len(laid))
    return _BID_TRUST * worth + 0.5 * unplanned * table.loose_end


def _worth_of_snitching(reading: Reading, hand: CardSet) -> float:
    """Return the points of the round for a snitch with this hand."""
    table = reading.view.rules.table
    chance = reading.chance_of_losing_all(hand)
    return chance * table.snitch + (1.0 - chance) * _SNITCH_COST * table.loose_end


# Tricks


def _worths_of_playing(reading: Reading, cards: list[Card]) -> list[tuple[float, Card]]:
    view = reading.view
    need = view.uncovered(reading.seat)
    left = view.tricks_in_round - len(view.tricks)
    strengths = reading.strengths(reading.hand)
    # Above 0: every strong card is wanted later. Below 0: strong cards will win tricks that nobody wants.
    spare = sum(strengths.values()) * _SPARE_SCALE - need.bit_count()
    keep = _between(_KEEP_BASE - _KEEP_SLOPE * spare, -1.0, 1.0)
    if not need:
        keep = -1.0
    trick = [card for _, card in view.trick]
    worths: list[tuple[float, Card]] = []
    for card in cards:
        chance = reading.chance_of_winning(card)
        worth = 0.0
        if chance:
            worth = chance * _worth_of_winning(reading, card, lead_suit_of([*trick, card]), need, left)
        if is_getaway(card):
            worth -= _GETAWAY_KEPT * min(1.0, left / 6) if left > 1 else 0.0
        else:
            worth -= _KEEP_POINTS * keep * strengths[card] + 0.01 * RANK_OF[card] * keep
        worths.append((worth, card))
    return worths


def _worth_of_winning(reading: Reading, card: Card, lead: int | None, need: CardSet, left: int) -> float:
    """Return the points that this trick brings if the card wins it."""
    view = reading.view
    table = view.rules.table
    seat = reading.seat
    if view.snitching[seat] and not view.won[seat]:
        return float(min(table.loose_end_with_snitch, table.loose_end) - table.snitch)
    eligible = need & matching_cards(card, lead)
    loose = _loose_end_worth(view)
    if eligible:
        return table.covered - loose
    perfect = 0.0
    if not view.loose[seat] and view.bids[seat]:
        perfect = table.perfect_crime * _between(0.5 - 0.12 * need.bit_count(), 0.05, 0.5)
    if view.rules.plan_b and not is_getaway(card):
        again = _between(0.25 * (left - 1), 0.0, 0.5)
        return again * table.covered + (1.0 - again) * (loose - perfect)
    return loose - perfect


def _loose_end_worth(view: State) -> float:
    """Return what a loose end costs: more while a snitch may still succeed ([S5])."""
    table = view.rules.table
    if any(view.snitching[seat] and not view.won[seat] for seat in range(view.players)):
        return 0.4 * table.loose_end + 0.6 * table.loose_end_with_snitch
    return float(table.loose_end)


def _worth_of_covering(reading: Reading, card: Card) -> float:
    """Return how easily the other open bid cards can still be covered if this one is covered now."""
    others = reading.view.uncovered(reading.seat) & ~(1 << card)
    return sum(min(1.0, _supply(reading, reading.hand, other)) for other in cards_in(others))


def _between(value: float, low: float, high: float) -> float:
    return low if value < low else high if value > high else value
