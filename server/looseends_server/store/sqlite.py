"""The store that a server runs on: SQLite in one folder, written by one thread.

The thread commits whatever queued while its last commit ran and never waits for more, so a single move is durable
after one sync and a thousand moves share one. It is handed what one turn of the loop wrote at the end of that turn:
woken by the first change of a turn it would commit that alone, and run against the loop's thread meanwhile.

SQL is in `committing` and `reading`, not here.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import TypeAlias

from looseends_server.store.announcing import Outcome, announce
from looseends_server.store.backup import copy, finish_restore
from looseends_server.store.base import Change, OnDone, Stored, StoreFailed, StoreUnusable
from looseends_server.store.committing import Committer
from looseends_server.store.folder import DATABASE, FolderLock, make_folder, make_private, sync_folder
from looseends_server.store.games_sql import SqliteGames
from looseends_server.store.reading import read
from looseends_server.store.schema import MIGRATIONS, Synchronous, connect, upgrade, version_of

_Queued: TypeAlias = tuple[Change | None, OnDone]
"""A change and who is told of it; without a change, somebody who waits for those before it."""


class SqliteStore:
    """Keeps the server's facts in `folder`, which no other process can use from `load` until `close`.

    `synchronous` is FULL; anything less is there to show in tests that it loses facts. `loop` is the one whose
    thread calls `write` and is called back, by default the one that runs at the first write. `migrations` is
    what brings an older database up to this version; a copy of it is kept in the folder before anything is changed.
    """

    def __init__(
        self,
        folder: Path,
        *,
        synchronous: Synchronous = "FULL",
        loop: asyncio.AbstractEventLoop | None = None,
        migrations: Sequence[str] = MIGRATIONS,
    ) -> None:
        self._folder = folder
        self._synchronous: Synchronous = synchronous
        self._loop = loop
        self._migrations = migrations
        self._lock: FolderLock | None = None
        self._committer: Committer | None = None
        self._thread: threading.Thread | None = None
        self._queue: SimpleQueue[list[_Queued] | None] = SimpleQueue()
        self._written: list[_Queued] = []
        """What was written in this turn of the loop."""
        self._closed = False

    def load(self) -> Stored:
        """Make the folder where it is missing, lock it, upgrade what an older version wrote, and return what is held.

        Blocks. Raises StoreUnusable where the folder is in use, cannot be used, or holds a database that is newer or
        damaged; the folder is free again then.
        """
        if self._lock is not None or self._closed:
            raise RuntimeError("a store is loaded once")
        make_folder(self._folder)
        self._lock = FolderLock(self._folder)
        try:
            return self._open()
        except BaseException as error:
            self._lock.release()
            self._lock = None
            if isinstance(error, (sqlite3.Error, OSError)):
                raise StoreUnusable(
                    f"{self._folder / DATABASE} cannot be opened: {error}. "
                    "If it is damaged, put a backup in its place with `looseends restore`."
                ) from error
            raise

    def write(self, change: Change, on_done: OnDone) -> None:
        """Queue a change and return at once; `on_done` runs in the loop's thread when it is durable or has failed."""
        if self._closed:
            asyncio.get_running_loop().call_soon(on_done, StoreFailed("the store is closed"))
            return
        self._enqueue((change, on_done))

    async def flush(self) -> None:
        """Return when everything written so far is durable or has failed, and was told so."""
        if self._thread is not None:
            told = asyncio.get_running_loop().create_future()
            self._enqueue((None, lambda _failure: None if told.done() else told.set_result(None)))
            await told

    def games(self) -> SqliteGames:
        """Return a reader of the games that are kept. Raises StoreUnusable where the database cannot be read."""
        try:
            return SqliteGames(self._folder / DATABASE)
        except sqlite3.Error as error:
            raise StoreUnusable(f"{self._folder / DATABASE} cannot be read: {error}.") from error

    async def close(self) -> None:
        """Make everything written so far durable, close the database and unlock the folder. Twice does no harm."""
        if self._closed:
            return
        self._closed = True
        if self._thread is not None:
            await self.flush()
            thread, self._thread = self._thread, None
            self._queue.put(None)
            await asyncio.to_thread(thread.join)
        elif self._committer is not None:
            self._committer.close()
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def _open(self) -> Stored:
        finish_restore(self._folder)
        database = self._folder / DATABASE
        make_private(database)
        sync_folder(self._folder)
        connection = connect(database, self._synchronous)
        try:
            version = version_of(connection, database, self._migrations)
            if version < len(self._migrations):
                if version > 0:
                    copy(connection, self._folder / f"looseends-before-schema-{len(self._migrations)}.db")
                upgrade(connection, version, self._migrations)
            stored = read(connection)
        finally:
            connection.close()
        lengths = {table.table: len(table.facts) for table in stored.tables}
        self._committer = Committer(partial(connect, database, self._synchronous), lengths)
        return stored

    def _enqueue(self, queued: _Queued) -> None:
        loop = self._start() if self._thread is None else self._loop
        if not self._written:
            assert loop is not None
            loop.call_soon(self._hand_over)
        self._written.append(queued)

    def _hand_over(self) -> None:
        written, self._written = self._written, []
        self._queue.put(written)

    def _start(self) -> asyncio.AbstractEventLoop:
        """Start the thread and return the loop that it tells."""
        if self._committer is None:
            raise RuntimeError("load the store before writing to it")
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(
            target=self._commit_whatever_queued, args=(self._committer, self._loop), name="store", daemon=True
        )
        self._thread.start()
        return self._loop

    def _commit_whatever_queued(self, committer: Committer, loop: asyncio.AbstractEventLoop) -> None:
        """The body of the thread: until None is queued, or until there is nobody left to tell."""
        queue = self._queue
        while (first := queue.get()) is not None:
            queued = first
            # Only what is there now: what comes while this commit runs is the next one's. None comes last and alone.
            for _ in range(queue.qsize()):
                queued += queue.get() or ()
            outcomes = _outcomes(queued, committer)
            try:
                loop.call_soon_threadsafe(announce, outcomes, loop)
            except RuntimeError:
                break  # the loop was closed without closing the store; what is durable stays so
            committer.settle_if_due()
        committer.close()


def _outcomes(queued: list[_Queued], committer: Committer) -> list[Outcome]:
    changes = [change for change, _ in queued if change is not None]
    failures = iter(committer.commit(changes))
    return [(on_done, None if change is None else next(failures)) for change, on_done in queued]
