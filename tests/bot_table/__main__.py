"""`make arena-full` and `make arena`: measure the table of docs/bots.md, or try a sample of it again."""

from __future__ import annotations

import argparse
import os
import sys

from looseends_client.arena.workers import spare_cores
from tests.bot_table.cells import PAIRS, PLAYERS, VARIANT_SETS, Cell, all_cells
from tests.bot_table.measuring import AGREEING, Goal, keep_what_repeats, measure, play_again, sample, time_is_up_after
from tests.bot_table.page import write_page
from tests.bot_table.results import FILE, Mixed, Results

CPU_SECONDS = 1000.0
"""What `check` takes, about: it is to be done within twenty minutes on two cores that are not idle besides."""
CHECKED_CELLS = 10


def main(arguments: list[str] | None = None) -> int:
    """Run one of the three and return the exit code: 0 where all is well, 1 where it is not, 2 where it cannot be."""
    options = _parser().parse_args(arguments)
    results = Results(FILE)
    try:
        code: int = options.run(results, options)
    except Mixed as error:
        print(error, file=sys.stderr)
        return 2
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.bot_table", description=__doc__)
    parser.add_argument("--jobs", type=int, default=spare_cores(), help="processes that play side by side")
    commands = parser.add_subparsers(required=True)
    full = commands.add_parser("full", help="play every cell until its error is small enough; goes on where it was")
    full.add_argument("--error", type=float, default=0.5, help="the standard error of a cell at which it is enough")
    full.add_argument("--most-deals", type=int, default=144, help="or the number of deals at which it is enough")
    full.add_argument("--minutes", type=float, help="stop after so many minutes")
    full.add_argument(
        "--pair", choices=[stronger for stronger, _ in PAIRS], help="only where this level is the stronger"
    )
    full.add_argument("--players", type=int, choices=PLAYERS)
    full.add_argument("--variants", choices=VARIANT_SETS)
    full.add_argument(
        "--keep-same",
        action="store_true",
        help="play some deals of what other versions of the bots have played again, and keep what comes out the same",
    )
    full.add_argument("--drop-stale", action="store_true", help="forget what other versions of the bots have played")
    full.set_defaults(run=_full)
    check = commands.add_parser("check", help="play a sample of the cells again and compare")
    check.add_argument("--seed", default="1", help="which cells, and which deals")
    check.add_argument("--cpu-seconds", type=float, default=CPU_SECONDS)
    check.add_argument("--cells", type=int, default=CHECKED_CELLS)
    check.set_defaults(run=_check)
    page = commands.add_parser("page", help="write the measured part of docs/bots.md from what there is")
    page.set_defaults(run=_page)
    return parser


def _say(line: str) -> None:
    print(line, flush=True)


def _full(results: Results, options: argparse.Namespace) -> int:
    if options.keep_same and not keep_what_repeats(results, options.jobs, _say):
        return 130
    if options.drop_stale:
        _say(f"{results.drop_stale()} stale cells forgotten.")
    cells = [cell for cell in all_cells() if _is_wanted(cell, options)]
    goal = Goal(options.error, options.most_deals)
    done = measure(results, cells, goal, options.jobs, _say, time_is_up_after(options.minutes))
    _page(results, options)
    _say("All cells are done." if done else "Stopped before all cells were done: the same command goes on here.")
    return 0


def _is_wanted(cell: Cell, options: argparse.Namespace) -> bool:
    wishes = ((options.pair, cell.stronger), (options.players, cell.players), (options.variants, cell.variants))
    return all(wish in (None, has) for wish, has in wishes)


def _check(results: Results, options: argparse.Namespace) -> int:
    chosen = sample(results, options.seed, options.cpu_seconds, options.cells)
    stale = len(results.stale())
    if stale:
        _say(
            f"{stale} of {len(results.of)} cells are of other versions of the bots: `make arena-full` plays them anew."
        )
    if not chosen:
        _say("There is no cell of the present bots that could be played again.")
        return 1
    disagreeing = 0
    for result, deals in chosen:
        again = play_again(result, deals, options.seed, options.jobs)
        if again is None:
            _say("Interrupted.")
            return 130
        disagreeing += not again.agrees
        said = "agrees" if again.agrees else "DISAGREES" if again.repeats else "A DEAL CAME OUT OTHERWISE"
        _say(
            f"{again.cell}: table {again.table.mean:+.2f} ± {again.table.error:.2f}, now {again.again.mean:+.2f} ± "
            f"{again.again.error:.2f} in {deals} deals, apart by {abs(again.table.mean - again.again.mean):.2f} of "
            f"{AGREEING:g} x {again.joint_error:.2f}: {said}"
        )
    _say(f"{len(chosen)} of {len(results.of)} cells played again, {disagreeing} do not agree.")
    return 1 if disagreeing else 0


def _page(results: Results, _options: argparse.Namespace) -> int:
    write_page(results)
    _say(f"docs{os.sep}bots.md holds what was measured.")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
