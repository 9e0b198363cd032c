"""Whom somebody has muted at one server: names in a file, a line each, that outlives the program.

It is for the reader alone; no server is told. What muting leaves out is decided by the model of a table.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator, MutableSet
from pathlib import Path

from looseends_client.private_file import write_private


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
        with contextlib.suppress(OSError):
            write_private(self._file, "".join(f"{name}\n" for name in self))


def muted_at(folder: Path, server: str) -> MutedPeople:
    """Return whom this person has muted at a server, kept in a folder of theirs."""
    return MutedPeople(folder / "muted" / f"{hashlib.sha256(server.casefold().encode()).hexdigest()[:40]}.txt")
