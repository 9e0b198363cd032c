"""How wide a terminal draws a character: print it, and ask where the cursor is then.

For `looseends doctor` alone, which runs before and without a user interface.
"""

from __future__ import annotations

import contextlib
import os
import re
import select
import sys
from collections.abc import Iterator, Sequence

ANSWER_SECONDS = 1.0
"""How long a terminal may take to answer: a slow line needs half a second."""
_ASK = b"\x1b[6n"
_ANSWER = re.compile(rb"\x1b\[(\d+);(\d+)R")


def measured(glyphs: Sequence[str], descriptor: int, seconds: float = ANSWER_SECONDS) -> dict[str, int | None]:
    """Return the columns that each glyph took on the terminal at `descriptor`, None for all once it does not answer."""
    widths: dict[str, int | None] = dict.fromkeys(glyphs)
    if sys.platform == "win32":
        return widths
    with _letter_by_letter(descriptor):
        for glyph in glyphs:
            os.write(descriptor, b"\r" + glyph.encode() + _ASK)
            column = _column(descriptor, seconds)
            os.write(descriptor, b"\r\x1b[K")
            if column is None:
                break
            widths[glyph] = column - 1
    return widths


@contextlib.contextmanager
def _letter_by_letter(descriptor: int) -> Iterator[None]:
    """Let what the terminal answers be read at once and not be shown."""
    import termios
    import tty

    before = termios.tcgetattr(descriptor)
    try:
        tty.setcbreak(descriptor, termios.TCSANOW)  # what was typed before is not lost by it
        yield
    finally:
        termios.tcsetattr(descriptor, termios.TCSAFLUSH, before)


def _column(descriptor: int, seconds: float) -> int | None:
    answer = b""
    while select.select([descriptor], [], [], seconds)[0] and len(answer) < 64:
        answer += os.read(descriptor, 32)
        if found := _ANSWER.search(answer):
            return int(found[2])
    return None
