"""What a duplicate match shows: means, standard errors and margins, counted deal by deal.

Pure counting. The estimator: a deal is played once for every arrangement (or for one and its mirror), and those games
are not independent of one another, because the same cards are in them. So they are never counted as so many separate
results. Each deal gives one number for each entrant, its mean score over all seats and arrangements it held there, and
one number for each pair, the difference of the two means: the luck of the cards is in both and cancels, since over the
arrangements both hold every seat, and so every hand, equally often. Deals are independent; the margin is the mean of
these differences over the deals, and its standard error is their standard deviation, with one degree of freedom taken
off, divided by the square root of the number of deals.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

_STEP = 1.05
"""The limits of neighbouring classes of decision times differ by this factor: quantiles are right to five percent."""
_SHORTEST = 1e-6
"""Decision times below a microsecond are one class, in seconds."""

_ROUNDING = 1e-9
"""Points below which an error is none."""


class Times(msgspec.Struct):
    """How long decisions took, in seconds: their number, their sum, and how many fell into each class of length."""

    count: int = 0
    seconds: float = 0.0
    classes: dict[int, int] = {}

    def add(self, seconds: float) -> None:
        """Count one decision."""
        self.count += 1
        self.seconds += seconds
        number = int(math.log(seconds / _SHORTEST, _STEP)) + 1 if seconds > _SHORTEST else 0
        self.classes[number] = self.classes.get(number, 0) + 1

    def merge(self, other: Times) -> None:
        """Count all that another has counted."""
        self.count += other.count
        self.seconds += other.seconds
        for number, count in other.classes.items():
            self.classes[number] = self.classes.get(number, 0) + count

    @property
    def mean(self) -> float:
        """Mean seconds, 0 where nothing was counted."""
        return self.seconds / self.count if self.count else 0.0

    def quantile(self, share: float) -> float:
        """Return seconds that this share of the decisions (0 to 1) did not exceed, at most five percent too many."""
        left = share * self.count
        for number in sorted(self.classes):
            left -= self.classes[number]
            if left <= 0:
                return float(_SHORTEST * _STEP**number)
        return 0.0


class SeatOutcome(msgspec.Struct, frozen=True):
    """What one seat made of one game: points at the end, its part of the win, and its rounds of each kind."""

    score: int
    win: float
    """1 for a win, a fraction of it for a shared one, 0 else."""
    rounds: int
    perfect: int
    """Rounds with a Perfect Crime."""
    snitched: int
    """Rounds as a snitch."""
    succeeded: int
    """Rounds as a snitch who won no trick."""


class Estimate(NamedTuple):
    """A mean over deals and its standard error, which is None while there are fewer than two deals."""

    mean: float
    error: float | None

    @property
    def errors_away(self) -> float | None:
        """By how many of its standard errors the mean lies above 0, None where that says nothing."""
        # Equal numbers leave an error of the size of what the sums were rounded by.
        return self.mean / self.error if self.error is not None and self.error > _ROUNDING else None


def estimate(numbers: Sequence[float]) -> Estimate:
    """Return the mean of independent numbers and its standard error. Raises ValueError where there are none."""
    if not numbers:
        raise ValueError("there is nothing to take the mean of")
    n = len(numbers)
    mean = math.fsum(numbers) / n
    if n < 2:
        return Estimate(mean, None)
    return Estimate(mean, math.sqrt(math.fsum((one - mean) ** 2 for one in numbers) / (n - 1) / n))


def pooled(estimates: Iterable[Estimate]) -> Estimate:
    """Return the plain mean of independent estimates, each counting alike; its error is None where one has none."""
    parts = list(estimates)
    mean = math.fsum(part.mean for part in parts) / len(parts)
    if any(part.error is None for part in parts):
        return Estimate(mean, None)
    return Estimate(mean, math.sqrt(math.fsum((part.error or 0.0) ** 2 for part in parts)) / len(parts))


class Standing:
    """What one entrant has reached over the deals that were counted."""

    def __init__(self) -> None:
        self.seats = 0
        """Seats held, over all games."""
        self.wins = 0.0
        self.rounds = self.perfect = self.snitched = self.succeeded = 0
        self.times = Times()
        self.replaced = 0
        """Decisions that were taken for it, because it was too slow, dead or chose what is not allowed."""
        self.totals: list[tuple[int, int]] = []
        """For each deal the points of all seats it held, and how many these were."""

    @property
    def deal_means(self) -> list[float]:
        """Its mean score in each deal."""
        return [points / seats for points, seats in self.totals]

    @property
    def score(self) -> Estimate:
        """Its mean score."""
        return estimate(self.deal_means)

    @property
    def wins_a_seat(self) -> float:
        """The share of games won, for each seat it held."""
        return self.wins / self.seats

    def share(self, what: str) -> float:
        """Return the share of rounds that were `perfect` or `snitched`, or of snitched ones that `succeeded`."""
        among = self.snitched if what == "succeeded" else self.rounds
        counted: int = getattr(self, what)
        return counted / among if among else 0.0


class Standings:
    """The count of a whole match, for entrants by number; a deal is added when all its games are over."""

    def __init__(self, entrants: int) -> None:
        self.of = [Standing() for _ in range(entrants)]
        self.deals = 0
        self.games = 0

    def add_deal(self, games: Sequence[tuple[Sequence[int], Sequence[SeatOutcome]]]) -> None:
        """Count one deal: for each of its games who sat on each seat, and what each seat made of it."""
        totals = [[0, 0] for _ in self.of]
        for seated, outcomes in games:
            self.games += 1
            for entrant, outcome in zip(seated, outcomes, strict=True):
                totals[entrant][0] += outcome.score
                totals[entrant][1] += 1
                standing = self.of[entrant]
                standing.seats += 1
                standing.wins += outcome.win
                standing.rounds += outcome.rounds
                standing.perfect += outcome.perfect
                standing.snitched += outcome.snitched
                standing.succeeded += outcome.succeeded
        for standing, (points, seats) in zip(self.of, totals, strict=True):
            standing.totals.append((points, seats))
        self.deals += 1

    def margin(self, one: int, other: int) -> Estimate:
        """Return by how many points a seat one entrant does better than another over the same deals."""
        pairs = zip(self.of[one].deal_means, self.of[other].deal_means, strict=True)
        return estimate([mine - theirs for mine, theirs in pairs])
