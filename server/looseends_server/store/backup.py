"""Copies a server's database while the server runs, and puts a copy back in its place.

A database and its write-ahead log belong together: a log that is left beside another database would be read into
it. So no file is ever copied or moved without a thought for its log. Nothing here knows what the rows mean.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

from looseends_server.store.base import StoreUnusable
from looseends_server.store.folder import (
    DATABASE,
    FolderLock,
    make_folder,
    make_private,
    sync_file,
    sync_folder,
)
from looseends_server.store.schema import version_of

Progress: TypeAlias = Callable[[int, int], None]
"""Told how many pages of how many are copied, after each step of PAGES_A_STEP."""

PAGES_A_STEP = 1024

_RESTORED = "looseends.db.restored."
"""Begins the name of a whole database that has yet to take the place of DATABASE; the name that the old one is kept
under follows."""
_UNFINISHED = "unfinished-"


def back_up(folder: Path, target_file: Path, *, progress: Progress | None = None) -> None:
    """Copy the database in `folder`, as it is at this moment, into a new file for its owner alone.

    A server may be running on the folder: it goes on writing, and what it writes meanwhile is not in the copy. The
    file appears under its name when all of it is on the disk. Blocks. Raises StoreUnusable where there is no
    database, where it cannot be read, or where `target_file` exists.
    """
    database = folder / DATABASE
    if not database.is_file():
        raise StoreUnusable(f"{folder} holds no database of a server: name the folder that the server uses.")
    if _restored(folder) is not None:
        raise StoreUnusable(
            f"a restore into {folder} was interrupted: start the server, or restore again, to finish it."
        )
    if target_file.exists():
        raise StoreUnusable(f"{target_file} exists already: name a new file, or remove that one first.")
    if not target_file.parent.is_dir():
        raise StoreUnusable(f"{target_file.parent} is not a folder: make it first, or name another.")
    # Not read-only: without a server there is no index of the log, and to read the log SQLite has to make one.
    try:
        with contextlib.closing(_opened(database, "mode=rw")) as source:
            copy(source, target_file, progress)
    except (sqlite3.Error, OSError) as error:
        raise StoreUnusable(f"{database} could not be copied to {target_file}: {error}") from error


def restore(source_file: Path, folder: Path, *, now: float, progress: Progress | None = None) -> Path | None:
    """Put a backup in the place of the database in `folder`; the folder is made where it is missing.

    The database that was there is kept beside it, with its log, under a name with the date of `now` (seconds since
    1970, UTC), and its path is returned; None where there was none. At whatever point the machine stops, a server
    that is started afterwards finds the old database or the new one, whole. Blocks. Raises StoreUnusable, with
    nothing changed, where a server uses the folder or where the backup is damaged, of a newer schema, or no backup.
    """
    if not source_file.is_file():
        raise StoreUnusable(f"{source_file} is not there: name the file that `looseends backup` made.")
    make_folder(folder)
    lock = FolderLock(folder)
    try:
        finish_restore(folder)
        replaces = (folder / DATABASE).exists()
        kept = _name_for_replaced(folder, now)
        # When the copy appears under this name the restore counts as done: what is left, every start would do too.
        _copy_checked(source_file, folder / (_RESTORED + kept.name), progress)
        finish_restore(folder)
    except OSError as error:
        raise StoreUnusable(f"{source_file} could not be restored into {folder}: {error}") from error
    finally:
        lock.release()
    return kept if replaces else None


def finish_restore(folder: Path) -> None:
    """Take the last steps of a restore that was interrupted; the caller holds the folder's lock. Raises OSError.

    The old database and its log leave before the new one takes the name; each step is on the disk before the next.
    """
    for unfinished in folder.glob(f"{_UNFINISHED}{_RESTORED}*"):
        unfinished.unlink()
    if (restored := _restored(folder)) is None:
        return
    kept = folder / restored.name.removeprefix(_RESTORED)
    (folder / f"{DATABASE}-shm").unlink(missing_ok=True)  # an index of the log, made anew from it
    for suffix in ("-wal", ""):
        with contextlib.suppress(FileNotFoundError):
            (folder / (DATABASE + suffix)).replace(kept.with_name(kept.name + suffix))
        sync_folder(folder)
    restored.replace(folder / DATABASE)
    sync_folder(folder)


def _restored(folder: Path) -> Path | None:
    return next(folder.glob(f"{_RESTORED}*"), None)


def copy(source: sqlite3.Connection, target: Path, progress: Progress | None = None) -> None:
    """Copy what `source` sees now into one file without a log, synced and for its owner alone.

    Replaces `target`, but only when the copy is whole. Raises sqlite3.Error and OSError.
    """
    unfinished = target.with_name(_UNFINISHED + target.name)
    try:
        unfinished.unlink(missing_ok=True)
        make_private(unfinished)
        # A read transaction holds on to one moment: without it every write of a server would start the copy anew.
        source.execute("BEGIN")
        try:
            source.execute("SELECT count(*) FROM sqlite_master").fetchone()
            with contextlib.closing(sqlite3.connect(unfinished, isolation_level=None)) as copied:
                source.backup(
                    copied,
                    pages=PAGES_A_STEP,
                    progress=None if progress is None else lambda _, left, total: progress(total - left, total),
                )
                copied.execute("PRAGMA journal_mode=DELETE")
        finally:
            source.execute("ROLLBACK")
        sync_file(unfinished)
        unfinished.replace(target)
        sync_folder(target.parent)
    finally:
        unfinished.unlink(missing_ok=True)


def _copy_checked(source_file: Path, target: Path, progress: Progress | None) -> None:
    # A file that was copied by hand may have its log beside it, which then belongs to it. Where there is none,
    # "immutable" keeps SQLite from making one, so that a backup can lie where nothing may be written.
    has_log = source_file.with_name(source_file.name + "-wal").exists()
    try:
        with contextlib.closing(_opened(source_file, "mode=ro" if has_log else "mode=ro&immutable=1")) as source:
            if version_of(source, source_file) == 0:
                raise StoreUnusable(f"{source_file} is empty: name the file that `looseends backup` made.")
            (verdict,) = source.execute("PRAGMA integrity_check(1)").fetchone()
            if verdict != "ok":
                raise StoreUnusable(f"{source_file} is damaged ({' '.join(verdict.split())}): restore another backup.")
            copy(source, target, progress)
    except sqlite3.Error as error:
        raise StoreUnusable(f"{source_file} cannot be read ({error}): restore another backup.") from error


def _name_for_replaced(folder: Path, now: float) -> Path:
    stem = f"looseends-replaced-{datetime.fromtimestamp(now, UTC):%Y-%m-%dT%H-%M-%SZ}"
    name = folder / f"{stem}.db"
    number = 1
    while name.exists() or name.with_name(f"{name.name}-wal").exists():
        number += 1
        name = folder / f"{stem}-{number}.db"
    return name


def _opened(file: Path, how: str) -> sqlite3.Connection:
    return sqlite3.connect(f"{file.absolute().as_uri()}?{how}", uri=True, isolation_level=None)
