"""Lines of plain text for stdout and stderr, harmless whatever they quote.

Names, files and records hold text of others. Here it is made visible instead of being obeyed by the terminal. Tables,
colours and screens are not made here.
"""

from __future__ import annotations

import sys
from typing import TextIO


def escaped(text: str) -> str:
    """Return the text on one line, with every control, bidi and unencodable character written as an escape."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text)


def print_line(text: str) -> None:
    """Print one escaped line on stdout."""
    _write(sys.stdout, text)


def print_error(text: str) -> None:
    """Print one escaped line on stderr."""
    _write(sys.stderr, text)


def _write(stream: TextIO, text: str) -> None:
    line = escaped(text)
    encoding = stream.encoding or "utf-8"
    print(line.encode(encoding, "backslashreplace").decode(encoding), file=stream)
