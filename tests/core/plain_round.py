"""A second reading of the rules of one round: plain, slow, with card names and lists, and nothing taken from the core.

It is here to disagree: `test_plain_round.py` holds every step of the core to it. Keep it free of imports from there.
"""

from __future__ import annotations

from dataclasses import dataclass, field

Decision = tuple[int, str, str]
"""Seat, verb, and a card or the empty text."""


def suit(card: str) -> str:
    """Return the letter of a card's suit; X for a Getaway card, which has none."""
    return card[0]


@dataclass
class PlainSeat:
    """One player in a round."""

    hand: list[str]
    planned: list[str] = field(default_factory=list)
    promoted: list[str] = field(default_factory=list)
    covered: list[str] = field(default_factory=list)
    tricks: int = 0
    loose: int = 0
    passed: bool = False
    snitch: bool = False

    def open_bids(self) -> list[str]:
        """Return the bid cards not covered yet."""
        return [card for card in self.planned + self.promoted if card not in self.covered]


class PlainRound:
    """One round, decision by decision. `numbers` are the five of the scoring table, in their order."""

    def __init__(
        self, hands: list[list[str]], first: int, max_bid: int, variants: set[str], numbers: tuple[int, ...]
    ) -> None:
        self.seats = [PlainSeat(list(hand)) for hand in hands]
        self.turn = first
        self.max_bid = max_bid
        self.variants = variants
        self.numbers = numbers
        self.trick: list[tuple[int, str]] = []
        self.choices: list[str] = []  # what the winner may cover, while they have to choose
        self.delta: list[int] | None = None

    def legal(self) -> set[Decision]:
        """Return every decision that is open now."""
        seat, me = self.turn, self.seats[self.turn]
        if self.delta is not None:
            return set()
        if self.choices:
            return {(seat, "cover", card) for card in self.choices}
        if all(one.passed for one in self.seats):
            return {(seat, "play", card) for card in self._playable(me)}
        can_bid = [card for card in me.hand if suit(card) != "X"] if len(me.planned) < self.max_bid else []
        decisions = {(seat, "bid", card) for card in can_bid}
        crossing = "double-cross" in self.variants
        if me.planned or not crossing or not any(one.snitch for one in self.seats) or not can_bid:
            decisions.add((seat, "pass", ""))
        if crossing and me.planned and not any(one.passed for one in self.seats):
            decisions.add((seat, "double-cross", ""))
        return decisions

    def _lead(self) -> str | None:
        suits = [suit(card) for _, card in self.trick if suit(card) != "X"]
        return suits[0] if suits else None

    def _playable(self, me: PlainSeat) -> list[str]:
        lead = self._lead()
        if lead is None or not any(suit(card) == lead for card in me.hand):
            return me.hand
        return [card for card in me.hand if suit(card) in (lead, "X")]

    def take(self, decision: Decision) -> None:
        """Carry out one decision and all that follows from it."""
        seat, verb, card = decision
        me = self.seats[seat]
        if verb == "bid":
            me.hand.remove(card)
            me.planned.append(card)
            self._next_planner()
        elif verb in ("pass", "double-cross"):
            if verb == "double-cross":
                me.hand += me.planned
                me.planned = []
            taken = "double-cross" in self.variants and any(one.snitch for one in self.seats)
            me.snitch = not me.planned and not taken
            me.passed = True
            if not all(one.passed for one in self.seats):
                self._next_planner()
        elif verb == "play":
            me.hand.remove(card)
            self.trick.append((seat, card))
            self.turn = (seat + 1) % len(self.seats)
            if len(self.trick) == len(self.seats):
                self._close_trick()
        else:
            me.covered.append(card)
            self.choices = []
            self._finish()

    def _next_planner(self) -> None:
        self.turn = (self.turn + 1) % len(self.seats)
        while self.seats[self.turn].passed:
            self.turn = (self.turn + 1) % len(self.seats)

    def _close_trick(self) -> None:
        lead = self._lead()
        blue = [play for play in self.trick if suit(play[1]) == "B"]
        followed = [play for play in self.trick if suit(play[1]) == lead]
        if lead is None:
            winner, card = self.trick[0]
        else:
            winner, card = max(blue or followed, key=lambda play: int(play[1][1:]))
        self.trick = []
        self.turn = winner
        me = self.seats[winner]
        me.tricks += 1
        eligible = [
            bid
            for bid in me.open_bids()
            if lead is not None and (bid[1:] == card[1:] or suit(bid) == suit(card) or suit(bid) == lead)
        ]
        if len(eligible) > 1:
            self.choices = eligible
            return
        if eligible:
            me.covered += eligible
        elif "plan-b" in self.variants and lead is not None:
            me.promoted.append(card)
        else:
            me.loose += 1
        self._finish()

    def _finish(self) -> None:
        if all(one.hand for one in self.seats):
            return
        covered, loose_end, loose_end_with_snitch, perfect_crime, snitch = self.numbers
        escaped = [one.snitch and one.tricks == 0 for one in self.seats]
        self.delta = []
        for one, free in zip(self.seats, escaped, strict=True):
            loose_ends = len(one.open_bids()) + one.loose
            points = covered * len(one.covered) + (loose_end_with_snitch if any(escaped) else loose_end) * loose_ends
            if one.covered and not loose_ends and not any(escaped):
                points += perfect_crime
            self.delta.append(snitch if free else points)
