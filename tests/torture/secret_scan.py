"""Whole games of three rounds, scanned for anything that a client was sent before its time.

Every set of variants with 2 to 5 players, spectators, bots; resumes, takeovers, resyncs, absences, removals, visits to
other tables, records asked for in the middle, rematches. The same scan runs over fewer games in the tests.
"""

from __future__ import annotations

import argparse
import logging
from collections import Counter

import structlog

from tests.e2e.secret_games import play_scanned_game
from tests.e2e.secret_scan import Scan
from tests.torture.line import Broken
from tests.torture.report import Report


async def run(games: int, seed: int) -> Counter[str]:
    """Play and scan so many games. Raises Broken at the first that tells what it should not."""
    counts: Counter[str] = Counter()
    for number in range(seed * games, (seed + 1) * games):
        game = await play_scanned_game(number, incidents=0.1, password=number % 16 == 9)
        scan = Scan(game.truth)
        scan.look_through(game.streams)
        if scan.findings:
            raise Broken(f"game {number}: {len(scan.findings)} findings, the first is {scan.findings[0]}")
        counts += scan.counts
        counts += Counter({f"times {what}": count for what, count in game.happened.items()})
        counts["connections"] += len(game.streams)
    counts["findings"] = 0
    return counts


def main(games: int = 200, seed: int = 0) -> int:
    """Run this part, print its counts, and return 0 where no secret was sent."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    return Report(f"secret scan over {games} games").of(run(games, seed))


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--games", type=int, default=200)
    arguments.add_argument("--seed", type=int, default=0)
    chosen = arguments.parse_args()
    raise SystemExit(main(chosen.games, chosen.seed))
