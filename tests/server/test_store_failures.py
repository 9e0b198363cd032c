"""Changes that cannot be kept: what fails with them, what does not, and that the store goes on afterwards."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from looseends_server.store.base import Change, FactsAppended, IdentityMade, TableMade
from looseends_server.store.committing import Committer
from looseends_server.store.folder import DATABASE
from looseends_server.store.schema import connect
from looseends_server.store.sqlite import SqliteStore
from tests.server.stores import Told, loaded, opened, read_from, writer_kept_waiting


async def test_a_change_that_cannot_be_kept_takes_no_other_of_its_commit_with_it(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    store.load()
    told = Told(store)
    bad: list[Change] = [
        TableMade(1, "A", 0.0),
        TableMade(2**63, "too large a number", 0.0),
        TableMade(9, "half a pair \ud800", 0.0),
        IdentityMade(1, "Ann", "ann", None, 0.0),  # type: ignore[arg-type]
    ]
    good: list[Change] = [FactsAppended(1, position, (b"x",)) for position in range(40)]
    changes = [TableMade(1, "A", 0.0), *good[:7], bad[0], bad[1], *good[7:20], bad[2], *good[20:], bad[3]]
    with writer_kept_waiting(tmp_path):
        told.write(*changes)
    await store.flush()
    assert [change for change, failure in told.outcomes if failure is not None] == bad
    await store.close()
    assert [len(table.facts) for table in read_from(tmp_path).tables] == [40]


class SmallDisk:
    """Opens a database that may not grow beyond so many pages."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.pages = 1 << 30
        self.connections: list[sqlite3.Connection] = []

    def connect(self) -> sqlite3.Connection:
        connection = connect(self.file, "OFF")
        connection.execute("PRAGMA busy_timeout=0")
        self.connections.append(connection)
        self.set_pages(self.pages)
        return connection

    def set_pages(self, pages: int) -> None:
        self.pages = pages
        self.connections[-1].execute(f"PRAGMA max_page_count={pages}")


@pytest.fixture
def disk(tmp_path: Path) -> SmallDisk:
    loaded(tmp_path)
    return SmallDisk(tmp_path / DATABASE)


def reasons(committer: Committer, *changes: Change) -> list[str | None]:
    return [None if failure is None else str(failure) for failure in committer.commit(changes)]


def test_a_change_too_large_for_a_full_disk_takes_no_other_with_it(disk: SmallDisk) -> None:
    committer = Committer(disk.connect, {})
    disk.set_pages(20)
    large = FactsAppended(1, 1, (bytes(100_000),))
    small = [FactsAppended(2, position, (b"x",)) for position in range(5)]
    tables = TableMade(1, "A", 0.0), TableMade(2, "B", 0.0)
    full = "not saved: database or disk is full"
    assert reasons(committer, *tables, FactsAppended(1, 0, (b"x",)), *small[:2], large, *small[2:]) == [
        *[None] * 5,
        full,
        *[None] * 3,
    ]
    disk.set_pages(1000)
    assert reasons(committer, large) == [None]
    committer.close()


def test_a_full_disk_is_not_tried_for_every_change_of_a_batch_and_tried_again_for_the_next(disk: SmallDisk) -> None:
    committer = Committer(disk.connect, {})
    assert reasons(committer, TableMade(1, "A", 0.0)) == [None]
    begun: list[str] = []
    disk.connections[-1].set_trace_callback(lambda sql: begun.append(sql) if sql.startswith("BEGIN") else None)
    disk.set_pages(1)
    changes = [IdentityMade(number, "", str(number), bytes(9000), 0.0) for number in range(1, 1001)]
    outcomes = reasons(committer, *changes)
    assert all(outcomes)
    assert outcomes[-1] == "not tried: the disk refused what was written before it"
    assert len(begun) < 20
    disk.set_pages(100_000)
    assert reasons(committer, *changes) == [None] * 1000
    committer.close()


def test_a_database_held_by_somebody_else_fails_the_batch_and_works_again_afterwards(disk: SmallDisk) -> None:
    committer = Committer(disk.connect, {})
    with writer_kept_waiting(disk.file.parent):
        assert (
            reasons(committer, TableMade(1, "A", 0.0), TableMade(2, "B", 0.0))
            == ["the database cannot be written: database is locked"] * 2
        )
    assert reasons(committer, TableMade(1, "A", 0.0)) == [None]
    committer.close()


def test_a_connection_that_broke_is_opened_again_and_only_what_was_reported_is_kept(disk: SmallDisk) -> None:
    committer = Committer(disk.connect, {})
    assert reasons(committer, TableMade(1, "A", 0.0), FactsAppended(1, 0, (b"zero",))) == [None] * 2
    disk.connections[0].close()
    assert reasons(committer, FactsAppended(1, 1, (b"one",))) == ["not saved: Cannot operate on a closed database."]
    with opened(disk.file.parent) as connection:  # as if the log had kept what was reported as failed
        connection.execute("INSERT INTO facts VALUES (1, 1, x'00')")
    assert reasons(committer, FactsAppended(1, 1, (b"one again",))) == [None]
    assert len(disk.connections) == 2
    committer.close()
    assert [table.facts for table in read_from(disk.file.parent).tables] == [[b"zero", b"one again"]]


async def test_a_disk_that_fails_loses_nothing_reported_and_goes_on_when_it_works_again(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource", reason="needs the POSIX limit on the size of files")
    store = SqliteStore(tmp_path)
    store.load()
    told = Told(store)
    began = (TableMade(1, "A", 0.0), TableMade(2, "B", 0.0), FactsAppended(1, 0, (b"x",)))
    assert await told.failures(*began) == [None] * 3

    changes = (
        FactsAppended(1, 1, (bytes(50_000),)),
        FactsAppended(1, 2, (b"y",)),
        FactsAppended(2, 0, (bytes(50_000),)),
    )
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, ((tmp_path / f"{DATABASE}-wal").stat().st_size + 10_000, hard))
    try:
        failed = await told.failures(*changes)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert all(failed)
    assert await told.failures(*changes) == [None] * 3
    await store.close()
    assert [table.facts for table in read_from(tmp_path).tables] == [[b"x", bytes(50_000), b"y"], [bytes(50_000)]]
