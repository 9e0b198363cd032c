"""The server that `looseends bench server` measures: what `serve` runs, in a process that tells of itself.

It prints where it listens, and then for each line on stdin a line of JSON: what it used so far, and how late its loop
was since the last one. It ends with its stdin, so that no server is left behind whatever becomes of the benchmark.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import resource
import signal
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec

from looseends_client.commands.process_memory import resident_bytes
from looseends_server.config import Config, ServerSection
from looseends_server.hosting import Plan, run
from looseends_server.house import House
from looseends_server.logs import log_to
from looseends_server.store.memory import MemoryStore

TICK_SECONDS = 0.01
"""How often the loop is asked how late it is."""


class Mark(msgspec.Struct, frozen=True):
    """What the server says of itself. CPU seconds are those of all its threads since its start."""

    cpu_seconds: float
    rss_bytes: int
    moves: int
    refused: dict[str, int]
    dropped: dict[str, int]
    lags: list[float]
    """Seconds that the loop was late since the last mark, the smallest first."""


def main() -> None:
    """Serve until stdin ends."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tls", action="store_true")
    parser.add_argument("--no-journal", action="store_true")
    options = parser.parse_args()
    section = ServerSection(name="bench", port=0, tls_self_signed=options.tls, log_level="warning")
    plan = Plan(config=Config(server=section), folder=options.folder)
    log_to(sys.stderr, "warning", as_json=True)
    run(plan, _say, _telling, store=MemoryStore() if options.no_journal else None)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


@contextlib.asynccontextmanager
async def _telling(house: House) -> AsyncIterator[str]:
    """Tell of a house on stdout, a line for each line on stdin."""
    loop = asyncio.get_running_loop()
    lags: list[float] = []
    timer: asyncio.TimerHandle | None = None
    due = 0.0

    def tick() -> None:
        nonlocal timer, due
        now = time.perf_counter()
        if due:
            lags.append(max(0.0, now - due))
        due = now + TICK_SECONDS
        timer = loop.call_later(TICK_SECONDS, tick)

    def tell() -> None:
        usage = resource.getrusage(resource.RUSAGE_SELF)
        mark = Mark(
            cpu_seconds=usage.ru_utime + usage.ru_stime,
            rss_bytes=resident_bytes(os.getpid()),
            moves=house.counts.moves,
            refused=dict(house.counts.refused),
            dropped=dict(house.counts.dropped),
            lags=sorted(lags),
        )
        lags.clear()
        sys.stdout.buffer.write(msgspec.json.encode(mark) + b"\n")
        sys.stdout.buffer.flush()

    def asked() -> None:
        received = os.read(sys.stdin.fileno(), 4096)
        for _ in range(received.count(b"\n")):
            tell()
        if not received:
            loop.remove_reader(sys.stdin.fileno())
            os.kill(os.getpid(), signal.SIGTERM)

    loop.add_reader(sys.stdin.fileno(), asked)
    tick()
    try:
        yield ""
    finally:
        loop.remove_reader(sys.stdin.fileno())
        if timer is not None:
            timer.cancel()


if __name__ == "__main__":
    main()
