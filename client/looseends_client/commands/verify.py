"""`looseends verify`: whether game records are right, file by file and line by line.

What is right is for `looseends_core.verify`; here files are opened, cut into records and answered for. A file of one
game a line is never held in memory as a whole.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, BinaryIO

from cyclopts import Parameter

from looseends_client.commands import USAGE, CommandFailed
from looseends_client.commands.printing import print_error, print_line
from looseends_core.verify import Verdict, verify_text

STDIN = "-"
RECORD_LIMIT = 16 * 1024 * 1024
"""Longest record that is looked at, in bytes: some hundred times what twenty rounds of five players take."""


def verify(*files: Annotated[str, Parameter(required=True, allow_leading_hyphen=True)]) -> int:
    """Replay game records and check every move, every number and every deal.

    One line for each bad record says where it goes wrong and what was expected; a right one whose deal nothing proves
    is named too. The last line counts. Exits with 0 if every record is right, 1 if any is bad, 2 if a file cannot be
    read.

    Parameters
    ----------
    files
        Files of game records: one JSON object in a .json file, one a line in a .jsonl file, either in any other. - is
        standard input.
    """
    for name in files:
        if name.startswith("-") and name != STDIN:
            raise CommandFailed(
                f"verify has no option {name}: see `looseends verify --help`, or write ./{name} if it is a file."
            )
    records = bad = 0
    unreadable = False
    for name in files:
        try:
            for verdict in _verdicts(name):
                records += 1
                bad += verdict.fault is not None
                _print_verdict(name, verdict)
        except _Unreadable as error:
            unreadable = True
            print_error(f"looseends: {name} cannot be read: {error}.")
    print_line(f"{records} records, {bad} bad")
    if unreadable:
        return USAGE
    return 1 if bad else 0


class _Unreadable(Exception):
    """A file that could not be opened or read to its end."""


def _print_verdict(name: str, verdict: Verdict) -> None:
    if verdict.fault is not None:
        print_line(f"{name}:{verdict.line}: {verdict.fault}")
    elif verdict.unproven:
        rounds = ", ".join(map(str, verdict.unproven))
        have = f"round {rounds} has" if len(verdict.unproven) == 1 else f"rounds {rounds} have"
        print_line(f"{name}:{verdict.line}: right, but the deal is not proven: {have} no fairness")


def _verdicts(name: str) -> Iterator[Verdict]:
    """Yield the verdict on each record of a file. Raises _Unreadable."""
    with _opened(name) as source:
        suffix = Path(name).suffix.lower()
        if suffix == ".json":
            yield _verdict_on_whole(source.read(RECORD_LIMIT + 1))
        elif suffix == ".jsonl":
            yield from _verdicts_on_lines(source, b"")
        else:
            start = source.read(RECORD_LIMIT + 1)
            if len(start) <= RECORD_LIMIT and _is_one_json_value(start):
                yield _verdict_on_whole(start)
            else:
                yield from _verdicts_on_lines(source, start)


@contextlib.contextmanager
def _opened(name: str) -> Iterator[BinaryIO]:
    """Open a file, or standard input, for reading bytes; failing to open or read it is _Unreadable, with the reason."""
    try:
        if name != STDIN:
            with Path(name).open("rb") as source:
                yield source
        elif sys.stdin is None:
            raise _Unreadable("there is no standard input")
        else:
            yield sys.stdin.buffer
    except OSError as error:
        raise _Unreadable(error.strerror or str(error)) from error


def _is_one_json_value(text: bytes) -> bool:
    try:
        # Numbers are not looked at: one of thousands of digits is still one value, and its record's fault.
        json.loads(text.decode("utf-8"), parse_int=len, parse_float=len)
    except (ValueError, RecursionError):
        return False
    return True


def _verdict_on_whole(text: bytes) -> Verdict:
    """Return the verdict on a text that is one record, at the line where it begins."""
    line = 1 + text[: len(text) - len(text.lstrip())].count(b"\n")
    return verify_text(text, line) if len(text) <= RECORD_LIMIT else _too_long(line)


def _verdicts_on_lines(source: BinaryIO, start: bytes) -> Iterator[Verdict]:
    """Yield a verdict for each line that is not blank; `start` was read from the source already."""
    lines = _lines(source, start)
    for number, line in enumerate(lines, 1):
        if len(line) > RECORD_LIMIT:
            yield _too_long(number)
        elif line.strip():
            yield verify_text(line, number)


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


def _too_long(line: int) -> Verdict:
    return Verdict(line, f"not a record: it is longer than {RECORD_LIMIT} bytes")
