"""Whom somebody has muted at one server: names in a file, a line each, that outlives the program.

It is for the reader alone; no server is told. What muting leaves out is decided by the model of a table.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
from collections.abc import Iterator, MutableSet
from pathlib import Path


class MutedPeople(MutableSet[str]):
    """The names, as the model of a table compares them. Where the file cannot be read or written, they hold all the
    same for as long as the program runs.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._names: set[str] = set()
        with contextlib.suppress(OSError, UnicodeDecodeError):
            self._names.update(filter(None, file.read_text("utf-8").splitlines()))

    def __contains__(self, name: object) -> bool:
        """Whether somebody of this name is muted."""
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        """Yield every name."""
        return iter(sorted(self._names))

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._names)

    def add(self, value: str) -> None:
        """Mute somebody."""
        self._names.add(value)
        self._keep()

    def discard(self, value: str) -> None:
        """Hear somebody again."""
        self._names.discard(value)
        self._keep()

    def _keep(self) -> None:
        new = self._file.with_name(f"{self._file.name}.{secrets.token_hex(8)}.new")
        with contextlib.suppress(OSError):
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
                file.writelines(f"{name}\n" for name in self)
            new.replace(self._file)
        with contextlib.suppress(OSError):
            new.unlink(missing_ok=True)


def muted_at(folder: Path, server: str) -> MutedPeople:
    """Return whom this person has muted at a server, kept in a folder of theirs."""
    return MutedPeople(folder / "muted" / f"{hashlib.sha256(server.casefold().encode()).hexdigest()[:40]}.txt")
