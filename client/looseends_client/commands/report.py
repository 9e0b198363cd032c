"""`looseends report`: what a report of a fault in a game alone needs, packed into one file.

A game on a server is reported from the table, by the command palette: only there is somebody who may ask for its
record.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from looseends_client.commands import CommandFailed
from looseends_client.commands.printing import print_line
from looseends_client.doctor import findings, lines_of
from looseends_client.report import LAST_LINES, packed_report
from looseends_client.terminal import terminal_encoding

LOG_BYTES = 1024 * 1024
"""Bytes of the end of a log that are looked at."""


def report(
    file: Path = Path("looseends-report.zip"),
    /,
    *,
    folder: Annotated[Path | None, Parameter(help="The folder of the games, where it is not the usual one.")] = None,
) -> int:
    """Pack what a report of a fault needs into one file: the doctor's findings, the rounds of your last game alone that
    are over, and the last lines of its log.

    It holds no card of a running round, no password, no token and no talk. At a table of a server, Ctrl-P and then
    "Report a fault" does the same for that table.

    Parameters
    ----------
    file
        The file to make; it must not exist yet.
    """
    from platformdirs import user_data_path

    base = folder if folder is not None else user_data_path("looseends", appauthor=False)
    newest = _newest(base)
    size = shutil.get_terminal_size() if sys.stdout.isatty() else None
    doctor = findings(
        os.environ, time.time(), None if size is None else (size.columns, size.lines), terminal_encoding()
    )
    record = None if newest is None else _record(newest)
    log = [] if newest is None else _last_lines(newest / "log.jsonl")
    try:
        with file.open("xb") as made:
            made.write(packed_report(lines_of(doctor), record, log))
    except FileExistsError:
        raise CommandFailed(f"{file} is there already and stays as it is: name another file.") from None
    of = "no game was found" if newest is None else "no round of it is over" if record is None else "with its record"
    print_line(f"Wrote {file} ({of}). It is text: read it before you pass it on.")
    return 0


def _newest(base: Path) -> Path | None:
    """Return the folder of games alone that was written to last."""
    from looseends_client.commands.own_games import solo_folders
    from looseends_server.store.folder import DATABASE

    def written(folder: Path) -> float:
        return max(file.stat().st_mtime for file in folder.glob(f"{DATABASE}*"))

    return max((folder for _, folder in solo_folders(base)), key=written, default=None)


def _record(folder: Path) -> str | None:
    """Return the record of the rounds that are over of the last game in a folder, None where there is none."""
    from looseends_server.facts import FactUnreadable, read_fact
    from looseends_server.snapshots import record_of_rounds
    from looseends_server.store.folder import DATABASE
    from looseends_server.store.reading import read
    from looseends_server.table_state import fold_facts

    try:
        with closing(sqlite3.connect(f"{(folder / DATABASE).absolute().as_uri()}?mode=ro", uri=True)) as connection:
            tables = read(connection).tables
    except sqlite3.Error as error:
        raise CommandFailed(f"{folder / DATABASE} cannot be read: {error}.", 1) from error
    for table in reversed(tables):
        try:
            state = fold_facts([read_fact(fact) for fact in table.facts])
        except (FactUnreadable, ValueError, LookupError, AttributeError):
            continue  # a table that is set aside; its log says so
        if (record := record_of_rounds(state)) is not None:
            return record
    return None


def _last_lines(file: Path) -> list[str]:
    try:
        with file.open("rb") as log:
            log.seek(max(0, file.stat().st_size - LOG_BYTES))
            return log.read().decode("utf-8", "replace").splitlines()[-LAST_LINES:]
    except OSError:
        return []
