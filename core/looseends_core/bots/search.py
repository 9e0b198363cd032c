"""Weighs actions by playing the rest of the round out in many sampled worlds: the common part of the bots that search.

Every action that is still in the running is tried in the same worlds, so that luck with the deal falls on all of them;
the worse half drops out at the end of each stage. How much is done is counted in units of work and never timed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import msgspec

from looseends_core.actions import Action, Bid, Cover, Play
from looseends_core.bots.rollout import AS_ALL, Outcome
from looseends_core.bots.thought import NOT_ASKED, Stop, Weighed
from looseends_core.cards import RANK_OF, SUIT_OF, Card


class Effort(msgspec.Struct, frozen=True):
    """How much one decision may cost, in units of about a microsecond of CPU on a small machine of today."""

    units: int
    worlds: int
    """Worlds that no thought goes beyond, however cheap they are."""


UNITS_A_PLAYOUT = 9.0
UNITS_A_MOVE = 0.72
UNITS_A_SETTLING = 14.0
UNITS_A_GUESS = 15.0
"""What a playout costs by itself, what each card played in it adds, what the rest of Planning adds, and what it costs
to guess the bids of one hand. These turn an Effort into counts, and are constants: the same position gets the same
counts on every machine."""


class Tally:
    """What came of one choice in the worlds it was tried in. The choice is an action, or a plan that begins with it."""

    __slots__ = (
        "action",
        "bid",
        "bid_at",
        "bid_bit",
        "covers",
        "free",
        "loose",
        "own",
        "perfect",
        "plan",
        "seat",
        "snitching",
        "squares",
        "style",
        "sum",
        "wins",
        "worlds",
        "worth",
    )

    def __init__(
        self, action: Action, seat: int, snitching: bool, plan: Sequence[Card] = (), style: int = AS_ALL
    ) -> None:
        self.action = action
        self.plan = plan
        self.style = style
        self.seat = seat
        self.snitching = snitching
        """Whether the seat is, by this choice, a snitch who can still succeed."""
        self.bid = action.card if isinstance(action, Bid) else -1
        self.bid_at = 4 * seat + SUIT_OF[self.bid]
        self.bid_bit = RANK_OF[self.bid] - 1
        self.worlds = 0
        self.worth = 0.0
        """The sum of what the bot goes by."""
        self.sum = self.squares = self.own = 0.0
        """The sums of the lead in points over the mean of the others, of its square, and of the own points."""
        self.wins = 0
        """Running tricks won; for a bid, worlds in which it was covered."""
        self.loose = self.free = self.perfect = 0
        self.covers: dict[Card, int] = {}

    def count(self, outcome: Outcome, lead: float, worth: float) -> None:
        """Add one playout: how it ended, the lead in points, and what the bot makes of it."""
        seat = self.seat
        self.worlds += 1
        self.worth += worth
        self.sum += lead
        self.squares += lead * lead
        self.own += outcome.points[seat]
        if self.snitching:
            if not outcome.won[seat]:
                self.free += 1
        elif not outcome.ends[seat] and outcome.covered[seat] and not outcome.free:
            self.perfect += 1
        if self.bid >= 0:
            if not outcome.need[self.bid_at] >> self.bid_bit & 1:
                self.wins += 1
        elif outcome.winner == seat:
            self.wins += 1
            if outcome.cover >= 0:
                self.covers[outcome.cover] = self.covers.get(outcome.cover, 0) + 1
            else:
                self.loose += 1

    @property
    def mean(self) -> float:
        """The mean of what the bot goes by; 0 where nothing was tried."""
        return self.worth / self.worlds if self.worlds else 0.0

    @property
    def error(self) -> float:
        """The standard error of the mean lead in points."""
        if self.worlds < 2:
            return 0.0
        mean = self.sum / self.worlds
        spread = max(0.0, self.squares / self.worlds - mean * mean)
        return math.sqrt(spread / (self.worlds - 1))


def halving(
    tallies: Sequence[Tally],
    attempt: Callable[[Tally, int], None],
    worlds: int,
    budget: int,
    stop: Stop,
) -> list[Tally]:
    """Try the choices in worlds 0, 1, 2 …, drop the worse half after each stage, and return them best first.

    `attempt(tally, number)` plays one choice out in one world. At most `budget` attempts are made and no world beyond
    `worlds` is asked for; every choice is tried at least once unless `stop` says so.
    """
    running = list(tallies)
    dropped: list[Tally] = []
    stages = max(1, (len(running) - 1).bit_length())
    number = 0
    for stage in range(stages):
        each = max(1, budget // (stages * len(running)))
        for _ in range(each):
            if number >= worlds or (stop() and number):
                return _ranked(running) + dropped
            for tally in running:
                attempt(tally, number)
            number += 1
        running = _ranked(running)
        if stage < stages - 1:
            keep = (len(running) + 1) // 2
            dropped = running[keep:] + dropped
            running = running[:keep]
    return _ranked(running) + dropped


def _ranked(tallies: list[Tally]) -> list[Tally]:
    return sorted(tallies, key=lambda tally: -tally.mean)


def weighed(tally: Tally, scoring_has_perfection: bool) -> Weighed:
    """Return what is known of a choice, in the form that it leaves the bot."""
    worlds = tally.worlds
    action = tally.action
    if not worlds:
        return Weighed(action)
    wins = loose = covers = NOT_ASKED
    cover: Card | None = None
    if isinstance(action, Play):
        wins = tally.wins / worlds
        loose = tally.loose / worlds
        covers = 0.0
        if tally.covers:
            cover = max(tally.covers, key=lambda card: (tally.covers[card], -card))
            covers = tally.covers[cover] / worlds
    elif isinstance(action, Bid):
        cover = action.card
        covers = tally.wins / worlds
    elif isinstance(action, Cover):
        cover = action.card
    snitches = perfect = NOT_ASKED
    if tally.snitching:
        snitches = tally.free / worlds
    else:
        perfect = tally.perfect / worlds if scoring_has_perfection else 0.0
    return Weighed(
        action,
        points=tally.sum / worlds,
        error=tally.error,
        own=tally.own / worlds,
        worlds=worlds,
        wins=wins,
        cover=cover,
        covers=covers,
        loose=loose,
        snitches=snitches,
        perfect=perfect,
    )
