"""The file that a command writes game records to: it appears whole, and never in the place of something else."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from looseends_client.commands import CommandFailed
from looseends_core.record import FORMAT


@contextlib.contextmanager
def records_file(name: str) -> Iterator[BinaryIO]:
    """Open what the records are written to: a file beside the wanted one, which takes its place when all is well.

    Raises CommandFailed, before a game is played, where it cannot be written or holds something else than records.
    """
    if name == "-":
        raise CommandFailed("--records needs a file: standard output carries the table. Try --records games.jsonl.")
    path = Path(name)
    try:
        if path.exists() and not path.is_file():
            # A device or a pipe cannot be replaced: it gets the records as they come. A folder says so itself.
            with path.open("wb") as out:
                yield out
            return
        _check_replaceable(path)
        path = path.resolve()
        part = path.with_name(f".{path.name}.{os.getpid()}.part")
        out = part.open("xb")
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or error
        raise CommandFailed(f"--records {name} cannot be written: {reason}. Name another file.") from error
    try:
        with out:
            yield out
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _check_replaceable(path: Path) -> None:
    """Raise CommandFailed where a file is there that is not empty and does not begin like a game record."""
    if not path.exists():
        return
    if not os.access(path, os.W_OK):
        raise PermissionError(13, "Permission denied")
    with path.open("rb") as old:
        start = old.read(200)
    if start.strip() and FORMAT.encode() not in start:
        raise CommandFailed(f"--records {path} is there and holds no game records: move it away or name another file.")
