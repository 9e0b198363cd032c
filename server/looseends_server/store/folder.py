"""The folder that a store lives in: its file names, who may read it, and that one server at a time uses it.

What is inside the database is not known here.
"""

from __future__ import annotations

import contextlib
import os
import sys
import weakref
from pathlib import Path

from looseends_server.store.base import StoreInUse, StoreUnusable

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

DATABASE = "looseends.db"
LOCK = "lock"

_LOCKED_BYTE = 1 << 20  # Windows locks bytes for reading too, so not those that hold the process id


def make_folder(folder: Path) -> None:
    """Make the folder for its owner alone, unless it is there. Raises StoreUnusable where that cannot be."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreUnusable(
            f"{folder} cannot be used as the server's folder: {error.strerror}. Name another."
        ) from error


def make_private(file: Path) -> None:
    """See to it that a file exists and that its owner alone may read it. Raises OSError."""
    os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
    if file.stat().st_mode & 0o077:
        file.chmod(0o600)


def sync_file(file: Path) -> None:
    """Return when the content of a file is on the disk. Raises OSError."""
    handle = os.open(file, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_folder(folder: Path) -> None:
    """Return when the names in a folder are on the disk. Does nothing on Windows, which has no such call."""
    if sys.platform != "win32":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


class FolderLock:
    """Keeps every other server, and a restore, out of a folder until it is released or the process ends."""

    def __init__(self, folder: Path) -> None:
        """Take the lock. Raises StoreInUse where another process, or another store of this one, has it."""
        path = folder / LOCK
        try:
            self._handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise StoreUnusable(f"{path} cannot be opened: {error.strerror}. Is the folder yours?") from error
        try:
            _lock(self._handle)
        except OSError as error:
            holder = os.pread(self._handle, 20, 0) if sys.platform != "win32" else os.read(self._handle, 20)
            os.close(self._handle)
            raise StoreInUse(
                f"{folder} is in use by process {holder.decode('ascii', 'replace').strip() or 'unknown'}: "
                "stop that server first, or name another folder."
            ) from error
        os.ftruncate(self._handle, 0)
        os.write(self._handle, f"{os.getpid()}\n".encode())
        _HELD.add(self)

    def release(self) -> None:
        """Let others in. Does nothing the second time."""
        if self in _HELD:
            _HELD.discard(self)
            os.close(self._handle)

    def let_go_in_child(self) -> None:
        """Close a forked child's copy, which would hold the lock for as long as the child outlives the server."""
        with contextlib.suppress(OSError):
            os.close(self._handle)


_HELD: weakref.WeakSet[FolderLock] = weakref.WeakSet()


def _lock(handle: int) -> None:
    if sys.platform == "win32":
        os.lseek(handle, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        os.lseek(handle, 0, os.SEEK_SET)
    else:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _let_go_in_child() -> None:
    for lock in list(_HELD):
        lock.let_go_in_child()
    _HELD.clear()


if sys.platform != "win32":
    os.register_at_fork(after_in_child=_let_go_in_child)
