"""A program that writes to a store and prints each fact that it was told is durable, until it is killed.

Run as `python store_child.py FOLDER KIND BURST DIE_AFTER`: with DIE_AFTER it kills itself inside the callback of the
fact with that number, right after it printed it; 0 leaves that to whoever started it.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from looseends_server.store.base import Change, FactsAppended, OnDone, TableMade
from looseends_server.store.sqlite import SqliteStore

TABLES = (1, 2, 3)


def fact(table: int, position: int) -> bytes:
    """What stands at that place of a table's journal."""
    return f"{table}:{position};".encode() * 20


class AnnouncesBeforeCommit(SqliteStore):
    """Broken on purpose: it says that a change is durable when it has only heard of it."""

    def write(self, change: Change, on_done: OnDone) -> None:
        on_done(None)
        super().write(change, lambda _failure: None)


KINDS: dict[str, Callable[[Path], SqliteStore]] = {
    "durable": SqliteStore,
    "announces-before-commit": AnnouncesBeforeCommit,
    "synchronous-off": lambda folder: SqliteStore(folder, synchronous="OFF"),
    "synchronous-normal": lambda folder: SqliteStore(folder, synchronous="NORMAL"),
}


async def write_until_killed(folder: Path, kind: str, burst: int, die_after: int) -> None:
    store = KINDS[kind](folder)
    stored = store.load()
    lengths = {table.table: len(table.facts) for table in stored.tables}
    told = 0

    def print_durable(table: int, position: int) -> OnDone:
        def on_done(failure: Exception | None) -> None:
            nonlocal told
            assert failure is None, failure
            os.write(1, f"{table} {position}\n".encode())
            told += 1
            if told == die_after:
                os.kill(os.getpid(), signal.SIGKILL)

        return on_done

    for table in TABLES:
        if table not in lengths:
            lengths[table] = 0
            store.write(TableMade(table, f"CODE{table}", 0.0), lambda _failure: None)
    while True:
        for _ in range(burst):
            for table in TABLES:
                position = lengths[table]
                lengths[table] += 1
                store.write(FactsAppended(table, position, (fact(table, position),)), print_durable(table, position))
        await store.flush()


if __name__ == "__main__":
    asyncio.run(write_until_killed(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
