"""Playing cells: more and more deals of each until its error is small enough, and a sample of them once more."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterable
from typing import NamedTuple

from looseends_client.arena.match import Match, MatchReached, play_match
from looseends_client.arena.standings import Estimate, estimate
from tests.bot_table.cells import Cell
from tests.bot_table.results import CellResult, Mixed, Results

SEED = "table"
BLOCK = 12
"""Whether a cell has deals enough is asked after so many deals, on every machine after the same."""
_SAVE_AFTER = 60.0
"""Seconds of play after which a result is saved, more or less."""
_PROOF = 2
"""Deals of a cell, of two games each, that show whether other code plays the same."""
AGREEING = 3.0
"""Joint standard errors by which a cell that is played again may differ."""


class Goal(NamedTuple):
    """When a cell is done: at this standard error in points, or at the most deals."""

    error: float
    most_deals: int

    def is_reached(self, result: CellResult) -> bool:
        """Return whether a result needs no more deals."""
        if result.deals >= self.most_deals:
            return True
        if result.deals < BLOCK or result.deals % BLOCK:
            return False
        reached = result.margin.error
        return reached is not None and reached <= self.error


def measure(
    results: Results,
    cells: Iterable[Cell],
    goal: Goal,
    jobs: int,
    tell: Callable[[str], None],
    is_time_up: Callable[[], bool] = lambda: False,
) -> bool:
    """Play each cell until its goal is reached, saving as it goes; return False where time or Ctrl-C ended it.

    Raises Mixed before anything is played where the file has results of other bots, and as soon as the code of the bots
    changes under the run: what was played since the last time it was looked at is not kept then.
    """
    results.refuse_to_mix()
    wanted = list(cells)
    for place, cell in enumerate(wanted, 1):
        result = results.of.get(cell) or CellResult(cell, cell.version, SEED)
        while not goal.is_reached(result):
            if is_time_up():
                return False
            reached = _play_on(result, _next_deals(result, goal, jobs), jobs)
            if cell.version != result.version:
                raise Mixed(f"The code of the bots of {cell} has changed while they played: what is kept ends before.")
            if not result.deals:
                return False
            results.of[cell] = result
            results.save()
            tell(f"[{place}/{len(wanted)}] {cell}: {_margin_text(result.margin)} after {result.deals} deals")
            if reached.interrupted:
                return False
    return True


def _next_deals(result: CellResult, goal: Goal, jobs: int) -> range:
    """Return deals that take about a minute, up to the next question whether they are enough."""
    wanted = int(_SAVE_AFTER * jobs / max(result.seconds_a_deal, 1e-3)) if result.deals else jobs
    up_to_question = BLOCK - result.deals % BLOCK
    number = max(1, min(wanted, up_to_question, goal.most_deals - result.deals))
    return range(result.deals, result.deals + number)


def _play_on(result: CellResult, deals: range, jobs: int) -> MatchReached:
    match = Match(result.cell.setup(result.seed), (0, 1), deals, mirrored=True)
    reached = play_match(match, jobs)
    result.stronger.add(reached.standings.of[0])
    result.weaker.add(reached.standings.of[1])
    return reached


def _margin_text(margin: Estimate) -> str:
    return f"{margin.mean:+.2f}" + ("" if margin.error is None else f" ± {margin.error:.2f}")


# Once more


def keep_what_repeats(results: Results, jobs: int, tell: Callable[[str], None]) -> bool:
    """Play the first deals of each stale cell with the present bots, and make it theirs where all comes out as it was.

    For code that was written anew and does the same. Return False where Ctrl-C ended it.
    """
    for cell in results.stale():
        result = results.of[cell]
        once = CellResult(cell, cell.version, result.seed)
        if _play_on(once, range(min(_PROOF, result.deals)), jobs).interrupted:
            return False
        same = _begins_like(result, once)
        if same:
            result.version = cell.version
            results.save()
        tell(f"{cell}: {'the same bots' if same else 'other bots'}")
    return True


def _begins_like(result: CellResult, once: CellResult) -> bool:
    pairs = ((result.stronger, once.stronger), (result.weaker, once.weaker))
    return all(side.points[: once.deals] == again.points for side, again in pairs)


class Sampled(NamedTuple):
    """A cell that was played once more, with other deals; `repeats` says that its first deal came out as it was."""

    cell: Cell
    table: Estimate
    again: Estimate
    joint_error: float
    repeats: bool

    @property
    def agrees(self) -> bool:
        """Whether the two margins can be of the same bots."""
        return self.repeats and abs(self.table.mean - self.again.mean) <= AGREEING * self.joint_error


def sample(results: Results, seed: str, cpu_seconds: float, cells: int) -> list[tuple[CellResult, int]]:
    """Return results to be played again, each with a number of deals, that take about so many CPU seconds in all.

    Which ones follows from the seed and the results alone. Stale ones, and those of fewer than two deals, are none.
    """
    stale = set(results.stale())
    able = [results.of[cell] for cell in sorted(results.of) if cell not in stale and results.of[cell].deals >= 2]
    chance = random.Random(seed)
    chosen = [able.pop(int(chance.random() * len(able))) for _ in range(min(cells, len(able)))]
    each = cpu_seconds / max(1, len(chosen))
    return [(one, max(4, min(one.deals, int(each / max(one.seconds_a_deal, 1e-3))))) for one in chosen]


def play_again(result: CellResult, deals: int, seed: str, jobs: int) -> Sampled | None:
    """Play a cell with deals of another seed, and its first deal as it was; return None where Ctrl-C ended it."""
    once = CellResult(result.cell, result.version, result.seed)
    other = CellResult(result.cell, result.version, f"again/{seed}")
    for played, wanted in ((once, range(1)), (other, range(deals))):
        if _play_on(played, wanted, jobs).interrupted:
            return None
    return Sampled(result.cell, result.margin, other.margin, _joint_error(result, other), _begins_like(result, once))


def _joint_error(one: CellResult, other: CellResult) -> float:
    """Return the standard error of the difference of two margins, by the spread of the deals of both together."""
    squares = 0.0
    for result in (one, other):
        mean = estimate(result.differences).mean
        squares += math.fsum((difference - mean) ** 2 for difference in result.differences)
    variance = squares / (one.deals + other.deals - 2)
    return math.sqrt(variance * (1 / one.deals + 1 / other.deals))


def time_is_up_after(minutes: float | None) -> Callable[[], bool]:
    """Return something that says whether so many minutes have gone by since now; never, where there is no number."""
    began = time.monotonic()
    return lambda: minutes is not None and time.monotonic() - began >= 60 * minutes
