"""How the tests of the stores write to one, wait for it, and look into its database."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from looseends_server.store.base import Change, Store, Stored, StoreFailed
from looseends_server.store.folder import DATABASE
from looseends_server.store.reading import read
from looseends_server.store.schema import MIGRATIONS, connect
from looseends_server.store.sqlite import SqliteStore


class Told:
    """Collects what became of each change, in the order in which it was told."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.outcomes: list[tuple[Change, str | None]] = []

    def write(self, *changes: Change) -> None:
        for change in changes:
            self._store.write(change, partial(self._tell, change))

    async def failures(self, *changes: Change) -> list[str | None]:
        """Write the changes, wait for them, and return the reason of each that failed."""
        self.write(*changes)
        await self._store.flush()
        assert [change for change, _ in self.outcomes] == list(changes)
        failures = [reason for _, reason in self.outcomes]
        self.outcomes.clear()
        return failures

    def _tell(self, change: Change, failure: StoreFailed | None) -> None:
        self.outcomes.append((change, None if failure is None else str(failure)))


@contextlib.contextmanager
def writer_kept_waiting(folder: Path) -> Iterator[None]:
    """Hold the database, so that what is written meanwhile queues behind the commit that waits for it."""
    with contextlib.closing(sqlite3.connect(folder / DATABASE, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


async def load_from(folder: Path, migrations: Sequence[str] = MIGRATIONS) -> Stored:
    """Return what a server that starts on a folder finds there."""
    store = SqliteStore(folder, migrations=migrations)
    stored = store.load()
    await store.close()
    return stored


def loaded(folder: Path, migrations: Sequence[str] = MIGRATIONS) -> Stored:
    """Return what a server that starts on a folder finds there."""
    return asyncio.run(load_from(folder, migrations))


async def write_to(folder: Path, changes: tuple[Change, ...]) -> None:
    store = SqliteStore(folder)
    store.load()
    assert await Told(store).failures(*changes) == [None] * len(changes)
    await store.close()


def written(folder: Path, *changes: Change) -> None:
    """Make a folder with a database that holds these changes."""
    asyncio.run(write_to(folder, changes))


@contextlib.contextmanager
def opened(folder: Path) -> Iterator[sqlite3.Connection]:
    with contextlib.closing(sqlite3.connect(folder / DATABASE, isolation_level=None)) as connection:
        yield connection


def read_from(folder: Path) -> Stored:
    with contextlib.closing(connect(folder / DATABASE)) as connection:
        return read(connection)
