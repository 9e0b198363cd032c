"""Where each number of the score sheet comes from, in words: one sentence a number, which ends with that number.

A round is read off the table's own view of it, over or still running; the points are the core's. Nothing is drawn here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from looseends_client.cards_text import UNICODE_FACES, Faces, points_text
from looseends_client.narration import Sentence, does, listed, listed_cards
from looseends_core.cards import Card
from looseends_core.rules import STARTING_POINTS
from looseends_core.scoring import ScoringTable, SeatResult, score_round
from looseends_core.state import State

Reason = Literal["covered", "open", "loose", "snitch", "perfect"]
"""What can bring a seat points in a round: one line of the sheet each."""
REASONS: tuple[Reason, ...] = ("covered", "open", "loose", "snitch", "perfect")


class SeatAccount(msgspec.Struct, frozen=True):
    """What a seat did in a round that counts: cards covered and left open, the numbers of tricks won and loose."""

    covered: tuple[Card, ...]
    open: tuple[Card, ...]
    won: tuple[int, ...]
    loose: tuple[int, ...]
    double_crossed: bool
    result: SeatResult


class RoundAccount(msgspec.Struct, frozen=True):
    """One round, seat by seat. `over` says that nothing of it can change any more."""

    round: int
    over: bool
    seats: tuple[SeatAccount, ...]

    @property
    def snitches(self) -> list[int]:
        """The seats whose snitching succeeded, or would if the round ended now."""
        return [seat for seat, account in enumerate(self.seats) if account.result.snitch_succeeded]


class Words(msgspec.Struct, frozen=True):
    """A sentence about one number of the sheet, and that number."""

    sentence: Sentence
    points: int


def account_of(state: State) -> RoundAccount:
    """Return the account of the round that a state is in, or that has just been scored."""
    seats = range(state.players)
    results = score_round(state.rules.table, [state.tally(seat) for seat in seats])
    tricks = list(enumerate(state.tricks, 1))
    return RoundAccount(
        round=state.round,
        over=len(state.results) == state.round,
        seats=tuple(
            SeatAccount(
                covered=tuple(card for card in state.bids[seat] if state.covered[seat] >> card & 1),
                open=tuple(card for card in state.bids[seat] if not state.covered[seat] >> card & 1),
                won=tuple(number for number, trick in tricks if trick.winner == seat),
                loose=tuple(number for number, trick in tricks if trick.winner == seat and trick.outcome == "loose"),
                double_crossed=state.double_crosser == seat,
                result=results[seat],
            )
            for seat in seats
        ),
    )


class ScoreWords:
    """Puts the numbers of one table's sheet into words, for its names, its scoring and its faces."""

    def __init__(self, table: ScoringTable, names: Sequence[str], faces: Faces = UNICODE_FACES) -> None:
        self._table = table
        self._names = names
        self._faces = faces

    def on_reason(self, account: RoundAccount, seat: int, reason: Reason) -> Words:
        """Return why a seat has the points of one line of a round, none of them included."""
        told, points = self._told(account, seat, reason)
        return Words((self._begin(account, seat), *told, f": {self._points(points)}"), points)

    def on_round(self, account: RoundAccount, seat: int) -> Words:
        """Return how the points of a round add up for a seat."""
        points = [(reason, self._told(account, seat, reason)[1]) for reason in REASONS]
        names = {
            "covered": "for bids covered",
            "open": "for bids left open",
            "loose": "for loose tricks",
            "snitch": "for snitching",
            "perfect": "for the Perfect Crime",
        }
        parts = [f"{self._points(number)} {names[reason]}" for reason, number in points if number]
        total = account.seats[seat].result.points
        return Words(
            (self._begin(account, seat), listed(parts) or "nothing gained, nothing lost", f": {self._points(total)}"),
            total,
        )

    def on_total(self, accounts: Sequence[RoundAccount], seat: int) -> Words:
        """Return how a seat's score after these rounds adds up."""
        made = [f"{self._points(account.seats[seat].result.points)} in round {account.round}" for account in accounts]
        total = STARTING_POINTS + sum(account.seats[seat].result.points for account in accounts)
        shown = str(total).replace("-", self._faces.minus)
        return Words((f"{self._name(seat)}: {', '.join([f'{STARTING_POINTS} at the start', *made])}: {shown}",), total)

    def on_start(self, seat: int) -> Words:
        """Return why a seat begins with what it begins with."""
        return Words((f"{self._name(seat)}: everybody begins the game with {STARTING_POINTS}",), STARTING_POINTS)

    # ── how it is told ──────────────────────────────────────────────────────────────────────────────────────────

    def _name(self, seat: int) -> str:
        return self._names[seat]

    def _points(self, points: int) -> str:
        return points_text(points, self._faces)

    def _begin(self, account: RoundAccount, seat: int) -> str:
        return f"Round {account.round}{'' if account.over else ' so far'}, {self._name(seat)}: "

    def _told(self, account: RoundAccount, seat: int, reason: Reason) -> tuple[Sentence, int]:
        own = account.seats[seat]
        if own.result.snitch_succeeded and reason != "snitch":
            return ("a snitch who wins no trick scores that alone",), 0
        match reason:
            case "covered":
                return self._covered(own)
            case "open":
                return self._open(account, own)
            case "loose":
                return self._loose(account, own)
            case "snitch":
                return self._snitch(own)
            case "perfect":
                return self._perfect(account, own)

    def _covered(self, own: SeatAccount) -> tuple[Sentence, int]:
        if not own.covered:
            return ("no bid was covered" if own.open else "there was no bid to cover",), 0
        return self._each(("covered ", *listed_cards(own.covered)), len(own.covered), self._table.covered)

    def _open(self, account: RoundAccount, own: SeatAccount) -> tuple[Sentence, int]:
        if not own.open:
            return ("no bid stayed open" if account.over else "no bid is open",), 0
        worth, why = self._loose_end(account)
        return self._each((*listed_cards(own.open), self._still_open(account)), len(own.open), worth, "loose end", why)

    def _loose(self, account: RoundAccount, own: SeatAccount) -> tuple[Sentence, int]:
        if not own.loose:
            return ("no trick became a loose end",), 0
        tricks = "trick" if len(own.loose) == 1 else "tricks"
        worth, why = self._loose_end(account)
        told = f"{tricks} {listed([str(number) for number in own.loose])} covered nothing"
        return self._each((told,), len(own.loose), worth, "loose end", why)

    def _loose_end(self, account: RoundAccount) -> tuple[int, str]:
        """Return what a loose end costs in this round, and why where that is not as usual."""
        table = self._table
        if not account.snitches:
            return table.loose_end, ""
        why = f", {self._for_the_snitch(account)}" if table.loose_end_with_snitch != table.loose_end else ""
        return table.loose_end_with_snitch, why

    def _for_the_snitch(self, account: RoundAccount) -> str:
        """Return as a clause that somebody's snitching succeeds, or may yet."""
        names = [self._name(seat) for seat in account.snitches]
        if account.over:
            return f"because {listed(names)} snitched"
        return f"as long as {does(names[0], 'snitch', 'snitches') if len(names) == 1 else listed(names) + ' snitch'}"

    def _each(self, what: Sentence, number: int, worth: int, unit: str = "", why: str = "") -> tuple[Sentence, int]:
        """Return what counts with its number and worth; one thing alone has its worth at the end of the sentence."""
        if number == 1:
            return (*what, f", a {unit}{why}" if unit else ""), worth
        count = f"{number} {unit}s" if unit else str(number)
        return (*what, f", {count} at {self._points(worth)} each{why}"), number * worth

    def _still_open(self, account: RoundAccount) -> str:
        return " stayed open" if account.over else " still open"

    def _snitch(self, own: SeatAccount) -> tuple[Sentence, int]:
        result = own.result
        if not result.snitched:
            return ("did not snitch",), 0
        began = "double-crossed" if own.double_crossed else "bid nothing"
        if result.snitch_succeeded:
            return (f"{began} and won no trick",), self._table.snitch
        return (f"{began}, but won trick {own.won[0]}, so the snitching failed",), 0

    def _perfect(self, account: RoundAccount, own: SeatAccount) -> tuple[Sentence, int]:
        if own.result.perfect_crime:
            return ("every bid covered, nothing loose: a Perfect Crime",), self._table.perfect_crime
        if not self._table.perfect_crime:
            return ("this table has no Perfect Crime",), 0
        if account.snitches:
            return (f"no Perfect Crime, {self._for_the_snitch(account)}",), 0
        if not own.covered and not own.open:
            return ("no Perfect Crime without a bid",), 0
        if own.open:
            return ("no Perfect Crime, because ", *listed_cards(own.open), self._still_open(account)), 0
        return ("no Perfect Crime, because a trick became a loose end",), 0
