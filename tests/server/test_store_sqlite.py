"""The store on the disk: its folder, its versions, and rows that cannot be read."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from looseends_server.store.base import (
    BanSet,
    Change,
    FactsAppended,
    IdentityMade,
    Stored,
    StoredTable,
    StoreUnusable,
    TableMade,
)
from looseends_server.store.folder import DATABASE, FolderLock
from looseends_server.store.schema import MIGRATIONS
from looseends_server.store.sqlite import SqliteStore
from tests.server.stores import Told, loaded, opened, write_to, written

# The folder


def test_the_folder_and_its_files_are_for_their_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "not" / "there"

    async def modes_while_open() -> dict[str, int]:
        store = SqliteStore(folder)
        store.load()
        assert await Told(store).failures(TableMade(1, "A", 0.0)) == [None]
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()}
        await store.close()
        return modes

    mask = os.umask(0)
    try:
        modes = asyncio.run(modes_while_open())
    finally:
        os.umask(mask)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert modes == {"lock": 0o600, DATABASE: 0o600, f"{DATABASE}-wal": 0o600, f"{DATABASE}-shm": 0o600}


def test_a_database_that_others_could_read_is_made_private(tmp_path: Path) -> None:
    written(tmp_path, TableMade(1, "A", 0.0))
    (tmp_path / DATABASE).chmod(0o644)
    loaded(tmp_path)
    assert stat.S_IMODE((tmp_path / DATABASE).stat().st_mode) == 0o600


def test_a_second_server_is_refused_with_the_process_that_has_the_folder(tmp_path: Path) -> None:
    first = SqliteStore(tmp_path)
    first.load()
    with pytest.raises(StoreUnusable, match=rf"{tmp_path} is in use by process {os.getpid()}: stop that server first"):
        SqliteStore(tmp_path).load()
    asyncio.run(first.close())
    loaded(tmp_path)


KILLED_WITH_A_CHILD = """
import os, signal, sys
from pathlib import Path
from looseends_server.store.folder import FolderLock
lock = FolderLock(Path(sys.argv[1]))
read, write = os.pipe()
if os.fork() == 0:
    os.write(write, b"x")
    print(os.getpid(), flush=True)
    signal.pause()
os.read(read, 1)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="only POSIX systems fork")
def test_a_forked_child_that_outlives_a_killed_server_does_not_keep_the_folder(tmp_path: Path) -> None:
    command = [sys.executable, "-c", KILLED_WITH_A_CHILD, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        child = int(server.stdout.readline())
        try:
            assert server.wait() == -signal.SIGKILL
            FolderLock(tmp_path).release()
        finally:
            os.kill(child, signal.SIGKILL)


def test_a_folder_that_cannot_be_made_is_refused_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreUnusable, match=r"file/folder cannot be used as the server's folder: Not a directory"):
        SqliteStore(tmp_path / "file" / "folder").load()
    with pytest.raises(StoreUnusable, match="Name another"):
        SqliteStore(tmp_path / "file").load()


def test_a_refused_folder_is_not_left_locked(tmp_path: Path) -> None:
    (tmp_path / DATABASE).write_bytes(b"no database, but long enough to be taken for one" * 100)
    for _ in range(2):
        with pytest.raises(StoreUnusable, match=r"cannot be opened: file is not a database.*looseends restore"):
            SqliteStore(tmp_path).load()


def test_a_store_is_loaded_before_it_is_written_to_and_only_once(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    with pytest.raises(RuntimeError, match="load the store before"):
        store.write(TableMade(1, "A", 0.0), lambda _failure: None)
    store.load()
    with pytest.raises(RuntimeError, match="loaded once"):
        store.load()
    asyncio.run(store.close())


# Versions

NEXT = (*MIGRATIONS, "ALTER TABLE tables ADD COLUMN colour TEXT NOT NULL DEFAULT 'red; or not';\nDROP TABLE bans;\n")
AFTER_NEXT = (*NEXT, "CREATE TABLE bans (kind TEXT, value TEXT, until REAL, reason TEXT, PRIMARY KEY (kind, value));")


def test_an_older_database_is_copied_and_then_brought_through_every_version(tmp_path: Path) -> None:
    written(tmp_path, TableMade(1, "A", 0.0), FactsAppended(1, 0, (b"x",)), BanSet("name", "bob", 1.0, ""))
    assert loaded(tmp_path, AFTER_NEXT) == Stored(tables=[StoredTable(1, "A", 0.0, [b"x"])], last_table=1)
    with opened(tmp_path) as connection:
        assert connection.execute("SELECT colour FROM tables").fetchall() == [("red; or not",)]
        assert connection.execute("PRAGMA user_version").fetchone() == (len(AFTER_NEXT),)

    kept = tmp_path / f"looseends-before-schema-{len(AFTER_NEXT)}.db"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    with contextlib.closing(sqlite3.connect(kept)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
        assert connection.execute("SELECT value FROM bans").fetchall() == [("bob",)]


def test_an_upgrade_that_fails_halfway_changes_nothing(tmp_path: Path) -> None:
    written(tmp_path, TableMade(1, "A", 0.0), BanSet("name", "bob", 1.0, ""))
    before = loaded(tmp_path)
    with pytest.raises(StoreUnusable, match="no such table: absent"):
        loaded(tmp_path, (*NEXT, "DROP TABLE absent;"))
    assert loaded(tmp_path) == before


def test_a_new_database_needs_no_copy(tmp_path: Path) -> None:
    loaded(tmp_path, AFTER_NEXT)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["lock", DATABASE]


def test_a_newer_database_is_refused_with_both_versions_and_left_as_it_is(tmp_path: Path) -> None:
    loaded(tmp_path, AFTER_NEXT)
    before = (tmp_path / DATABASE).read_bytes()
    why = rf"has schema version {len(AFTER_NEXT)}, this program knows versions up to {len(MIGRATIONS)}: upgrade"
    with pytest.raises(StoreUnusable, match=why):
        loaded(tmp_path)
    assert (tmp_path / DATABASE).read_bytes() == before


def test_the_database_of_another_program_is_refused(tmp_path: Path) -> None:
    with opened(tmp_path) as connection:
        connection.execute("CREATE TABLE theirs (x)")
    with pytest.raises(StoreUnusable, match="is a database of another program"):
        loaded(tmp_path)


# Rows that cannot be read

JOURNALS: tuple[Change, ...] = tuple(
    change
    for table in (1, 2, 3)
    for change in (TableMade(table, f"CODE{table}", 1.0), FactsAppended(table, 0, (b"a", b"b", b"c")))
)


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        ("DELETE FROM facts WHERE table_id = 2 AND position = 1", "entry 1 of its journal is missing"),
        ("DELETE FROM facts WHERE table_id = 2 AND position = 0", "entry 0 of its journal is missing"),
        ("UPDATE facts SET fact = 'text' WHERE table_id = 2 AND position = 1", "entry 1 of its journal is not bytes"),
        ("UPDATE facts SET fact = CAST(x'ff' AS TEXT) WHERE table_id = 2 AND position = 2", "entry 2 .* is not bytes"),
        ("UPDATE facts SET position = 'x' WHERE table_id = 2 AND position = 2", "entry 2 of its journal is missing"),
        ("UPDATE tables SET code = CAST(x'ff' AS TEXT) WHERE id = 2", "its code or its time has the wrong type"),
        ("UPDATE tables SET made_at = 'noon' WHERE id = 2", "its code or its time has the wrong type"),
        ("DELETE FROM tables WHERE id = 2", "it has facts but was never made"),
    ],
)
def test_a_table_that_cannot_be_read_is_set_aside_and_the_rest_loads(tmp_path: Path, damage: str, why: str) -> None:
    written(tmp_path, *JOURNALS)
    with opened(tmp_path) as connection:
        assert connection.execute(damage).rowcount == 1
    stored = loaded(tmp_path)
    assert [(table.table, table.facts) for table in stored.tables] == [(1, [b"a", b"b", b"c"]), (3, [b"a", b"b", b"c"])]
    (sentence,) = stored.unreadable
    assert re.fullmatch(f"table 2 is set aside: {why}", sentence)
    assert stored.last_table == 3


async def test_a_table_that_was_set_aside_takes_no_facts_and_its_number_is_not_free(tmp_path: Path) -> None:
    await write_to(tmp_path, JOURNALS)
    with opened(tmp_path) as connection:
        connection.execute("DELETE FROM facts WHERE table_id = 3 AND position = 1")
    store = SqliteStore(tmp_path)
    assert store.load().last_table == 3
    failures = await Told(store).failures(
        FactsAppended(3, 3, (b"d",)), TableMade(3, "AGAIN", 1.0), FactsAppended(1, 3, (b"d",))
    )
    assert [failure is None for failure in failures] == [False, False, True]
    await store.close()


def test_an_identity_or_a_ban_that_cannot_be_read_is_set_aside(tmp_path: Path) -> None:
    bans = (BanSet("name", "bob", 1.0, ""), BanSet("name", "cat", 1.0, ""))
    written(tmp_path, IdentityMade(1, "Ann", "ann", b"t", 1.0), IdentityMade(2, "Bea", "bea", b"t", 1.0), *bans)
    with opened(tmp_path) as connection:
        connection.execute("UPDATE identities SET token_hash = 'text' WHERE id = 2")
        connection.execute("UPDATE bans SET until = 'soon' WHERE value = 'bob'")
        connection.execute("INSERT INTO credentials VALUES ('key', 'text', 1), ('key', x'00', 2), ('key', x'01', 1)")
    stored = loaded(tmp_path)
    assert [identity.name for identity in stored.identities] == ["Ann"]
    assert [ban.value for ban in stored.bans] == ["cat"]
    assert [credential.value for credential in stored.credentials] == [b"\x01"]
    assert stored.unreadable == [
        "identity 2 is set aside: a field of it has the wrong type",
        "ban 1 is set aside: a field of it has the wrong type",
        "credential 1 is set aside: it is nobody's, or has the wrong type",
        "credential 2 is set aside: it is nobody's, or has the wrong type",
    ]
    assert stored.last_identity == 2


def test_a_table_on_a_damaged_page_is_set_aside_and_the_rest_loads(tmp_path: Path) -> None:
    written(tmp_path, *JOURNALS, *(FactsAppended(table, 3, (b"%d" % table * 9000,)) for table in (1, 2, 3)))
    content = bytearray((tmp_path / DATABASE).read_bytes())
    # A long fact is a chain of pages, each beginning with the number of the next: this points behind the file.
    page = content.index(b"2" * 4000) // 4096 * 4096
    content[page : page + 4] = b"\x7f\xff\xff\xff"
    (tmp_path / DATABASE).write_bytes(content)
    stored = loaded(tmp_path)
    assert [table.table for table in stored.tables] == [1, 3]
    assert stored.unreadable == ["table 2 is set aside: database disk image is malformed"]
