"""Files of game records, cut into the text of one record after the other: for `verify` and for importing.

A file of one game a line is never held in memory as a whole. What is in a record is not looked at here.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from looseends_client.commands import CommandFailed

STDIN = "-"
RECORD_LIMIT = 16 * 1024 * 1024
"""Longest record that is looked at, in bytes: some hundred times what twenty rounds of five players take."""


class Unreadable(Exception):
    """A file that could not be opened or read to its end; the message says why."""


def checked_names(command: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of files that were typed. Raises CommandFailed for what looks like an option."""
    for name in names:
        if name.startswith("-") and name != STDIN:
            raise CommandFailed(
                f"{command} has no option {name}: see `looseends {command} --help`, or write ./{name} if it is a file."
            )
    return names


def record_texts(name: str) -> Iterator[tuple[int, bytes | None]]:
    """Yield the line on which each record of a file begins, and its text, None for one that is longer than a record.

    `-` is standard input. Raises Unreadable.
    """
    with _opened(name) as source:
        suffix = Path(name).suffix.lower()
        if suffix == ".json":
            yield _whole(source.read(RECORD_LIMIT + 1))
        elif suffix == ".jsonl":
            yield from _line_by_line(source, b"")
        else:
            start = source.read(RECORD_LIMIT + 1)
            if len(start) <= RECORD_LIMIT and _is_one_json_value(start):
                yield _whole(start)
            else:
                yield from _line_by_line(source, start)


def too_long() -> str:
    """Return what is wrong with a text that is longer than a record."""
    return f"not a record: it is longer than {RECORD_LIMIT} bytes"


@contextlib.contextmanager
def _opened(name: str) -> Iterator[BinaryIO]:
    """Open a file, or standard input, for reading bytes; failing to open or read it is Unreadable, with the reason."""
    try:
        if name != STDIN:
            with Path(name).open("rb") as source:
                yield source
        elif sys.stdin is None:
            raise Unreadable("there is no standard input")
        else:
            yield sys.stdin.buffer
    except OSError as error:
        raise Unreadable(error.strerror or str(error)) from error


def _is_one_json_value(text: bytes) -> bool:
    try:
        # Numbers are not looked at: one of thousands of digits is still one value, and its record's fault.
        json.loads(text.decode("utf-8"), parse_int=len, parse_float=len)
    except (ValueError, RecursionError):
        return False
    return True


def _whole(text: bytes) -> tuple[int, bytes | None]:
    """Return a text that is one record, with the line where it begins."""
    line = 1 + text[: len(text) - len(text.lstrip())].count(b"\n")
    return line, text if len(text) <= RECORD_LIMIT else None


def _line_by_line(source: BinaryIO, start: bytes) -> Iterator[tuple[int, bytes | None]]:
    """Yield each line that is not blank; `start` was read from the source already."""
    for number, line in enumerate(_lines(source, start), 1):
        if len(line) > RECORD_LIMIT:
            yield number, None
        elif line.strip():
            yield number, line


def _lines(source: BinaryIO, start: bytes) -> Iterator[bytes]:
    """Yield each line; of one that is too long for a record only the beginning, which is too long as well."""
    head = io.BytesIO(start)
    while True:
        line = head.readline(RECORD_LIMIT + 1)
        if not line.endswith(b"\n") and len(line) <= RECORD_LIMIT:
            line += source.readline(RECORD_LIMIT + 1 - len(line))
        if not line:
            return
        rest = line
        while rest and not rest.endswith(b"\n"):
            rest = head.readline(RECORD_LIMIT) or source.readline(RECORD_LIMIT)
        yield line
