"""The server with a door that `looseends bench ssh` measures: what `serve --ssh` runs, and tells of itself.

It prints where it listens, and then on each line on stdin a line of JSON: what it used so far, and which apps are in
memory. It ends with its stdin, so that no server is left behind whatever becomes of the benchmark.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import os
import resource
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec

from looseends_client.commands.door_opening import in_memory, line_of_welcome, opened
from looseends_client.commands.process_memory import resident_bytes
from looseends_server.config import Config, DoorSection, ServerSection
from looseends_server.hosting import Plan, run
from looseends_server.house import House
from looseends_server.limits import Limits
from looseends_server.logs import log_to

WHERE = ("127.0.0.1", 0)


class DoorMark(msgspec.Struct, frozen=True):
    """What the server says of itself. `apps` are those in memory once all garbage was collected, `inside` who is in."""

    cpu_seconds: float
    rss_bytes: int
    inside: int
    apps: int


def main() -> None:
    """Serve until stdin ends."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sessions", type=int, default=100)
    options = parser.parse_args()
    config = Config(
        server=ServerSection(name="bench", port=0, log_level="warning"),
        limits=Limits(tables=options.sessions + 10),
        door=DoorSection(sessions=options.sessions + 10, sessions_per_second=1000.0),
    )
    log_to(sys.stderr, "warning", as_json=True)
    run(Plan(config=config, folder=options.folder), _say, lambda house: _with_door(house, config, options.folder))


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


@contextlib.asynccontextmanager
async def _with_door(house: House, config: Config, folder: Path) -> AsyncIterator[str]:
    loop = asyncio.get_running_loop()
    async with opened(folder, house.door_secret, in_memory(house), config, WHERE) as door:

        def asked() -> None:
            received = os.read(sys.stdin.fileno(), 4096)
            if not received:
                loop.remove_reader(sys.stdin.fileno())
                os.kill(os.getpid(), signal.SIGTERM)
                return
            gc.collect()
            usage = resource.getrusage(resource.RUSAGE_SELF)
            mark = DoorMark(
                cpu_seconds=usage.ru_utime + usage.ru_stime,
                rss_bytes=resident_bytes(os.getpid()),
                inside=door.admission.inside,
                apps=len(door.apps),
            )
            sys.stdout.buffer.write(msgspec.json.encode(mark) + b"\n")
            sys.stdout.buffer.flush()

        loop.add_reader(sys.stdin.fileno(), asked)
        try:
            yield line_of_welcome(door, *WHERE)
        finally:
            loop.remove_reader(sys.stdin.fileno())


if __name__ == "__main__":
    main()
