"""Backups of a running server's database, and restores that nothing left behind can spoil."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from looseends_server.store.backup import back_up, restore
from looseends_server.store.base import FactsAppended, Stored, StoredTable, StoreUnusable, TableMade
from looseends_server.store.folder import DATABASE
from looseends_server.store.schema import MIGRATIONS
from looseends_server.store.sqlite import SqliteStore
from tests.server.stores import Told, load_from, loaded, opened, written

NOON = 1_700_000_000.0  # 2023-11-14 22:13:20 UTC
KEPT = "looseends-replaced-2023-11-14T22-13-20Z.db"
WAL = f"{DATABASE}-wal"


def names_in(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def facts_of(stored: Stored) -> list[bytes]:
    (table,) = stored.tables
    return table.facts


def written_and_not_folded_in(folder: Path, tmp_path: Path, fact: bytes) -> None:
    """Make a folder as kill -9 leaves it: its table is in the database, the fact only in the log."""
    written(tmp_path / "whole", TableMade(1, "KILLED", 0.0))
    folder.mkdir(exist_ok=True)
    with opened(tmp_path / "whole") as connection:
        connection.execute("INSERT INTO facts VALUES (1, 0, ?)", (fact,))
        for name in (DATABASE, WAL, f"{DATABASE}-shm"):
            shutil.copy(tmp_path / "whole" / name, folder / name)
    shutil.rmtree(tmp_path / "whole")


async def test_a_backup_of_a_running_store_holds_what_was_durable_when_it_began(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "state")
    store.load()
    told = Told(store)
    facts = tuple(bytes([position]) * 100_000 for position in range(100))
    assert await told.failures(TableMade(1, "A", 0.0), FactsAppended(1, 0, facts)) == [None] * 2

    steps: list[tuple[int, int]] = []

    def write_at_each_step(copied: int, pages: int) -> None:
        with opened(tmp_path / "state") as other:
            other.execute("INSERT INTO bans VALUES ('name', ?, 0.0, '')", (f"step {len(steps)}",))
        steps.append((copied, pages))
        assert len(steps) < 100, "each write began the copy anew"

    back_up(tmp_path / "state", tmp_path / "backup", progress=write_at_each_step)
    assert len(steps) > 2
    assert steps == sorted(steps)
    assert steps[-1][0] == steps[-1][1]
    assert await told.failures(FactsAppended(1, 100, (b"later",))) == [None]
    await store.close()

    assert stat.S_IMODE((tmp_path / "backup").stat().st_mode) == 0o600
    assert names_in(tmp_path) == ["backup", "state"]
    assert restore(tmp_path / "backup", tmp_path / "elsewhere", now=NOON) is None
    stored = await load_from(tmp_path / "elsewhere")
    assert facts_of(stored) == list(facts)
    assert stored.bans == []
    assert stat.S_IMODE((tmp_path / "elsewhere" / DATABASE).stat().st_mode) == 0o600


def test_a_backup_of_a_stopped_or_killed_server_holds_its_log(tmp_path: Path) -> None:
    written_and_not_folded_in(tmp_path / "state", tmp_path, b"in the log")
    back_up(tmp_path / "state", tmp_path / "backup")
    restore(tmp_path / "backup", tmp_path / "state", now=NOON)
    assert facts_of(loaded(tmp_path / "state")) == [b"in the log"]


def test_a_backup_is_never_written_over_another_file(tmp_path: Path) -> None:
    written(tmp_path, TableMade(1, "A", 0.0))
    (tmp_path / "precious").write_text("precious")
    with pytest.raises(StoreUnusable, match=r"precious exists already: name a new file"):
        back_up(tmp_path, tmp_path / "precious")
    assert (tmp_path / "precious").read_text() == "precious"


@pytest.mark.parametrize(
    ("folder", "target", "why"),
    [
        ("empty", "backup", r"empty holds no database of a server"),
        ("absent", "backup", r"absent holds no database of a server"),
        ("state", "absent/backup", r"absent is not a folder: make it first"),
        ("damaged", "backup", r"could not be copied to .*: file is not a database"),
    ],
)
def test_a_backup_that_cannot_be_made_says_why_and_leaves_nothing(
    tmp_path: Path, folder: str, target: str, why: str
) -> None:
    written(tmp_path / "state", TableMade(1, "A", 0.0))
    (tmp_path / "empty").mkdir()
    (tmp_path / "damaged").mkdir()
    (tmp_path / "damaged" / DATABASE).write_bytes(b"no database, but long enough to be taken for one" * 100)
    with pytest.raises(StoreUnusable, match=why):
        back_up(tmp_path / folder, tmp_path / target)
    assert names_in(tmp_path) == ["damaged", "empty", "state"]


# Restores


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    written(tmp_path / "source", TableMade(1, "BACKUP", 0.0), FactsAppended(1, 0, (b"from the backup",)))
    back_up(tmp_path / "source", tmp_path / "backup")
    shutil.rmtree(tmp_path / "source")
    return tmp_path / "backup"


RESTORED = Stored(tables=[StoredTable(1, "BACKUP", 0.0, [b"from the backup"])], last_table=1)


def test_a_restore_keeps_what_it_replaces_under_a_dated_name(tmp_path: Path, backup: Path) -> None:
    folder = tmp_path / "state"
    written(folder, TableMade(7, "OLD", 0.0))
    assert restore(backup, folder, now=NOON) == folder / KEPT
    assert loaded(folder) == RESTORED
    assert restore(backup, folder, now=NOON) == folder / KEPT.replace(".db", "-2.db")

    assert restore(folder / KEPT, folder, now=NOON + 1) is not None
    assert loaded(folder) == Stored(tables=[StoredTable(7, "OLD", 0.0, [])], last_table=7)


def test_a_log_of_another_database_does_not_spoil_a_restore(tmp_path: Path, backup: Path) -> None:
    folder = tmp_path / "state"
    written_and_not_folded_in(folder, tmp_path, b"in the log")
    (folder / DATABASE).unlink()
    restore(backup, folder, now=NOON)
    assert loaded(folder) == RESTORED


def test_the_same_log_does_spoil_a_file_that_is_only_copied_into_place(tmp_path: Path, backup: Path) -> None:
    """The test above would pass without our doing anything, if SQLite could tell whose log it is."""
    folder = tmp_path / "state"
    written_and_not_folded_in(folder, tmp_path, b"in the log")
    with contextlib.closing(sqlite3.connect(backup)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
    shutil.copy(backup, folder / DATABASE)
    assert loaded(folder) != RESTORED


def test_what_was_only_in_the_log_of_the_replaced_database_is_kept_with_it(tmp_path: Path, backup: Path) -> None:
    folder = tmp_path / "state"
    written_and_not_folded_in(folder, tmp_path, b"in the log")
    kept = restore(backup, folder, now=NOON)
    assert kept is not None
    assert restore(kept, folder, now=NOON + 1) is not None
    assert facts_of(loaded(folder)) == [b"in the log"]


def test_a_folder_in_use_is_not_restored_into(tmp_path: Path, backup: Path) -> None:
    store = SqliteStore(tmp_path / "state")
    store.load()
    with pytest.raises(StoreUnusable, match=r"state is in use by process \d+: stop that server first"):
        restore(backup, tmp_path / "state", now=NOON)
    asyncio.run(store.close())
    assert loaded(tmp_path / "state") == Stored()


def _truncate(backup: Path) -> None:
    backup.write_bytes(backup.read_bytes()[:-4096])


def _spoil_an_index(backup: Path) -> None:
    with contextlib.closing(sqlite3.connect(backup, isolation_level=None)) as connection:
        connection.execute("PRAGMA writable_schema=ON")
        connection.execute("UPDATE sqlite_master SET rootpage = 2 WHERE name = 'facts'")


def _make_newer(backup: Path) -> None:
    with contextlib.closing(sqlite3.connect(backup)) as connection:
        connection.execute("PRAGMA user_version=9")


def _make_foreign(backup: Path) -> None:
    with contextlib.closing(sqlite3.connect(backup)) as connection:
        connection.execute("PRAGMA application_id=9")


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (_truncate, r"(is damaged|cannot be read) .*restore another backup"),
        (_spoil_an_index, r"(is damaged|cannot be read) .*restore another backup"),
        (
            _make_newer,
            rf"has schema version 9, this program knows versions up to {len(MIGRATIONS)}: upgrade the program",
        ),
        (_make_foreign, r"is a database of another program"),
        (lambda backup: backup.write_bytes(b""), r"is empty: name the file that `looseends backup` made"),
        (lambda backup: backup.write_bytes(b"text" * 4096), r"cannot be read \(file is not a database\)"),
        (lambda backup: backup.unlink(), r"backup is not there: name the file"),
    ],
)
def test_a_backup_that_cannot_be_used_is_refused_and_changes_nothing(
    tmp_path: Path, backup: Path, spoil: Callable[[Path], object], why: str
) -> None:
    folder = tmp_path / "state"
    written(folder, TableMade(7, "OLD", 0.0))
    before = {file.name: file.read_bytes() for file in folder.iterdir() if file.name != "lock"}
    spoil(backup)
    with pytest.raises(StoreUnusable, match=why):
        restore(backup, folder, now=NOON)
    assert {file.name: file.read_bytes() for file in folder.iterdir() if file.name != "lock"} == before


class _PowerLost(BaseException):
    pass


def test_a_restore_that_stops_at_any_step_leaves_the_old_database_or_the_new_one(
    tmp_path: Path, backup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rename, remove = Path.replace, Path.unlink
    seen: list[bytes] = []
    for steps in range(20):
        folder = tmp_path / f"state{steps}"
        written_and_not_folded_in(folder, tmp_path, b"in the log")
        left = steps

        def stop_or(do: Callable[..., object]) -> Callable[..., object]:
            def step(path: Path, *arguments: object, **options: object) -> object:
                nonlocal left
                if left == 0:
                    raise _PowerLost
                left -= 1
                return do(path, *arguments, **options)

            return step

        with monkeypatch.context() as patch:
            patch.setattr(Path, "replace", stop_or(rename))
            patch.setattr(Path, "unlink", stop_or(remove))
            try:
                restore(backup, folder, now=NOON)
                finished = True
            except _PowerLost:
                finished = False
        (fact,) = facts_of(loaded(folder))
        seen.append(fact)
        if fact == b"from the backup":
            assert facts_of(_loaded_after_restoring(folder / KEPT, tmp_path / f"again{steps}")) == [b"in the log"]
        assert not [file.name for file in folder.iterdir() if "unfinished" in file.name or ".restored" in file.name]
        if finished:
            break
    assert seen == sorted(seen, reverse=True)
    assert {*seen} == {b"in the log", b"from the backup"}
    assert len(seen) > 6


def _loaded_after_restoring(source: Path, folder: Path) -> Stored:
    restore(source, folder, now=NOON)
    return loaded(folder)


def test_a_backup_of_a_folder_with_an_interrupted_restore_is_refused(tmp_path: Path, backup: Path) -> None:
    folder = tmp_path / "state"
    written(folder, TableMade(7, "OLD", 0.0))
    shutil.copy(backup, folder / f"looseends.db.restored.{KEPT}")
    with pytest.raises(StoreUnusable, match="was interrupted: start the server, or restore again"):
        back_up(folder, tmp_path / "another")
    assert loaded(folder) == RESTORED
    back_up(folder, tmp_path / "another")


def test_a_backup_of_an_older_schema_is_upgraded_when_the_server_starts(tmp_path: Path, backup: Path) -> None:
    restore(backup, tmp_path / "state", now=NOON)
    assert loaded(tmp_path / "state", (*MIGRATIONS, "CREATE TABLE later (x);")) == RESTORED
    with opened(tmp_path / "state") as connection:
        assert connection.execute("SELECT count(*) FROM later").fetchone() == (0,)
