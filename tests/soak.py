"""`make soak`: a real server under people who come and go, for minutes, and what of it may not grow or slow down.

Two hundred and fifty tables of four at a move a second each: a thousand people who act four times as often as people
do. Games end and others begin, lines break and people come back. It ends by itself, with how many bounds were broken.
`make soak ARGS=120` makes it two minutes.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import tempfile
import time
from pathlib import Path

from looseends_client.commands.bench_house import Mark
from looseends_client.commands.bench_process import LOAD, Process, running
from looseends_client.commands.bench_server import Latency, latency_of

SECONDS = 600
TABLES = 250
SEATS = 4
MOVES_PER_SECOND = 250.0
LOSSES_PER_SECOND = 2.0
PARTS = 10
"""In how many parts the time is told of."""
GROWTH = 1.10
"""What the memory at the end may be, of that after FIRST_SECONDS."""
FIRST_SECONDS = 180.0
"""By then the first games are over and others under way, so that everything has happened once."""
MOST_LAG_P99 = 0.020
MOST_LAG = 0.250
"""Seconds that the server's loop may be late: ninety-nine times of a hundred, and ever."""
MOST_LATENCY_P99 = 0.250
"""Seconds from a move sent to the last of its table having it."""
SETTING_UP_SECONDS = 120.0


def main() -> int:
    """Run the soak and return how many bounds were broken."""
    parser = argparse.ArgumentParser(prog="make soak", description=__doc__)
    parser.add_argument("seconds", nargs="?", type=int, default=SECONDS, help="how long people play")
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--rate", type=float, default=MOVES_PER_SECOND, help="moves a second over all tables")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="looseends-soak-") as folder:
        return soak(Path(folder), max(PARTS, options.seconds), options.tables, options.rate)


def soak(folder: Path, seconds: int, tables: int, rate: float) -> int:
    """Play on a server in this folder for so long and return how many bounds were broken."""
    within = seconds + SETTING_UP_SECONDS
    house_command = ("looseends_client.commands.bench_house", str(folder))
    with running(house_command, within) as house, running(LOAD, within) as load:
        welcome = house.line()
        found = re.search(r":(\d+)\.", welcome)
        assert found is not None, f"the server said {welcome!r}"
        load.tell(_load(int(found[1]), tables, rate))
        for order in ("connect", "sit", "play", "begin"):
            load.ask(order)
        print(f"{tables} tables of {SEATS}, {rate:g} moves a second, {seconds} s", flush=True)
        marks = _watch(house, seconds)
        counted = load.counted()
    latency, lag = latency_of(counted.latencies), latency_of(sorted(lag for mark in marks for lag in mark.lags))
    print(
        f"{counted.moves} moves, {counted.games} games to their end, {counted.tables_left} tables left for others, "
        f"{counted.losses} lines broken; server {marks[-1].cpu_seconds / counted.seconds:.2f} cores\n"
        f"latency  {_in_words(latency)}\nloop lag {_in_words(lag)}",
        flush=True,
    )
    broken = [
        *_broken_by_memory([mark.rss_bytes for mark in marks], seconds / PARTS),
        *_broken_by_lateness(latency, lag),
        *([f"the server refused {sorted(set(counted.failures))}"] if counted.failures else []),
        *([f"{counted.lost} connections ended that nobody ended"] if counted.lost else []),
        *([f"the server dropped connections: {marks[-1].dropped}"] if marks[-1].dropped else []),
        *(["nobody left a table"] if not counted.tables_left and seconds >= SECONDS else []),
    ]
    for what in broken:
        print(f"BROKEN   {what}", flush=True)
    print("every bound held" if not broken else f"{len(broken)} bounds broken", flush=True)
    return len(broken)


def _load(port: int, tables: int, rate: float) -> str:
    load = {"host": "127.0.0.1", "port": port, "tables": tables, "seats": SEATS, "rate": rate}
    return json.dumps({**load, "rounds": 1, "losses": LOSSES_PER_SECOND})


def _watch(house: Process, seconds: int) -> list[Mark]:
    """Return what the server said of itself at the end of each part."""
    marks: list[Mark] = []
    house.mark()  # what was late while everybody arrived is not counted
    for part in range(PARTS):
        time.sleep(seconds / PARTS)
        marks.append(mark := house.mark())
        lag = latency_of(mark.lags)
        print(
            f"{seconds * (part + 1) // PARTS:>5} s   {mark.rss_bytes / 1e6:6.1f} MB   {mark.moves:>8} moves   "
            f"lag p99 {lag.p99:6.2f} ms, most {lag.most:6.1f} ms   load of the machine {os.getloadavg()[0]:.1f}",
            flush=True,
        )
    return marks


def _broken_by_memory(held: list[int], part_seconds: float) -> list[str]:
    after_first = [memory for part, memory in enumerate(held, 1) if part * part_seconds >= FIRST_SECONDS]
    if len(after_first) < 2:
        print(f"memory is judged from {FIRST_SECONDS:g} s on, so not here", flush=True)
        return []
    first, last = after_first[0], after_first[-1]
    if last <= first * GROWTH:
        return []
    return [f"memory grew from {first / 1e6:.1f} to {last / 1e6:.1f} MB"]


def _broken_by_lateness(latency: Latency, lag: Latency) -> list[str]:
    bounds = (
        ("99 % of moves arrive after", latency.p99, MOST_LATENCY_P99),
        ("99 % of the loop's lags", lag.p99, MOST_LAG_P99),
        ("the loop's longest lag", lag.most, MOST_LAG),
    )
    return [f"{what}: {value:.1f} ms, not {1000 * most:.0f}" for what, value, most in bounds if value > 1000 * most]


def _in_words(latency: Latency) -> str:
    return f"p50 {latency.p50:.2f} ms   p99 {latency.p99:.2f} ms   most {latency.most:.1f} ms"


if __name__ == "__main__":
    raise SystemExit(main())
