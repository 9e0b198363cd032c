"""What was measured, in a file: one JSON line a cell, so that a run that is killed goes on where it was.

The points of every deal are kept and not their mean: they add up exactly, and anybody can play a deal again.
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from looseends_client.arena.standings import Estimate, Standing, Times, estimate
from tests.bot_table.cells import Cell

FILE = Path(__file__).parents[2] / "docs" / "bots" / "results.jsonl"


class Mixed(Exception):
    """The file holds results of other versions of the bots than the present ones; the message says what to do."""


class Side(msgspec.Struct):
    """What one level did in a cell; counts as in `Standing`, `points` for each deal those of all its seats."""

    points: list[int] = []
    seats: int = 0
    wins: float = 0.0
    rounds: int = 0
    perfect: int = 0
    snitched: int = 0
    succeeded: int = 0
    times: Times = msgspec.field(default_factory=Times)

    def add(self, standing: Standing) -> None:
        """Count further deals."""
        self.points += [points for points, _ in standing.totals]
        for field in ("seats", "wins", "rounds", "perfect", "snitched", "succeeded"):
            setattr(self, field, round(getattr(self, field) + getattr(standing, field), 6))
        self.times.merge(standing.times)
        self.times.seconds = round(self.times.seconds, 3)
        self.times.classes = dict(sorted(self.times.classes.items()))


class CellResult(msgspec.Struct):
    """The result of one cell so far: deals from 0 on, of the seed, by the bots of the version."""

    cell: Cell
    version: str
    seed: str
    stronger: Side = msgspec.field(default_factory=Side)
    weaker: Side = msgspec.field(default_factory=Side)

    @property
    def deals(self) -> int:
        """How many deals were played."""
        return len(self.stronger.points)

    @property
    def differences(self) -> list[float]:
        """For each deal by how many points a seat the stronger level did better: both held every seat once."""
        pairs = zip(self.stronger.points, self.weaker.points, strict=True)
        return [(mine - theirs) / self.cell.players for mine, theirs in pairs]

    @property
    def margin(self) -> Estimate:
        """The margin of the stronger level."""
        return estimate(self.differences)

    @property
    def seconds_a_deal(self) -> float:
        """CPU seconds that a deal takes."""
        return (self.stronger.times.seconds + self.weaker.times.seconds) / self.deals


class Results:
    """The results of all cells that were begun, as they are in a file."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self.of: dict[Cell, CellResult] = {}
        if file.exists():
            for line in file.read_bytes().splitlines():
                result = msgspec.json.decode(line, type=CellResult)
                self.of[result.cell] = result

    def stale(self) -> list[Cell]:
        """Return the cells whose results are of other bots than the present ones."""
        return [cell for cell, result in self.of.items() if result.version != cell.version]

    def refuse_to_mix(self) -> None:
        """Raise Mixed where there are stale cells."""
        stale = self.stale()
        if stale:
            raise Mixed(
                f"{len(stale)} of {len(self.of)} cells in {self._file} were played by other versions of the bots "
                f"({stale[0]}, ...): what is new cannot be added to them. "
                "--keep-same keeps those that come out the same, --drop-stale forgets the others."
            )

    def drop_stale(self) -> int:
        """Forget the stale cells; return how many these were."""
        stale = self.stale()
        for cell in stale:
            del self.of[cell]
        return len(stale)

    def save(self) -> None:
        """Write the file anew, in one piece."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        part = self._file.with_name(f".{self._file.name}.{os.getpid()}.part")
        part.write_bytes(b"".join(msgspec.json.encode(self.of[cell]) + b"\n" for cell in sorted(self.of)))
        part.replace(self._file)
