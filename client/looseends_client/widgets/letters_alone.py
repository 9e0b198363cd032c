"""What a terminal that cannot show more than letters is sent: every stroke, arrow and sign of ours as a plain one.

It works on what is painted, so frames, scroll bars and pages are in it as well as the table. What people wrote is left
alone where the terminal's encoding holds it; the rest of it becomes question marks, so that no column moves.
"""

from __future__ import annotations

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

PLAIN = {
    "↑": "^",
    "↓": "v",
    "←": "<",
    "→": ">",
    "▶": ">",
    "·": "-",
    "…": "~",
    "−": "-",
    "─": "-",
    "━": "=",
    "│": "|",
    "┃": "|",
    "✓": "*",
    "✗": "x",
    "♦": " ",
    "♥": " ",
    "♣": " ",
    "♠": " ",
    **dict.fromkeys("┏┓┗┛╭╮╰╯┌┐└┘", "+"),
    **dict.fromkeys("▁▂▃▄▅▆▇█▉▊▋▌▍▎▏▔▕▐▀", "#"),
}
"""What stands for each sign that this program or its frames draw, one cell for one."""
_PLAIN = str.maketrans(PLAIN)


def in_letters(text: str, encoding: str) -> str:
    """Return the text as a terminal of that encoding can show it, in as many cells as before."""
    if text.isascii():
        return text
    plain = text.translate(_PLAIN)
    if plain.isascii():
        return plain
    return "".join(char if _holds(encoding, char) else "?" * cell_len(char) for char in plain)


def _holds(encoding: str, char: str) -> bool:
    try:
        char.encode(encoding)
    except (UnicodeError, LookupError):
        return char.isascii()
    return True


class LettersAlone(LineFilter):
    """Repaints every line in letters and plain strokes. `encoding` is that of the terminal."""

    def __init__(self, encoding: str) -> None:
        super().__init__()
        self._encoding = encoding

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the segments with plain signs in the place of others."""
        return [
            segment if segment.control else Segment(in_letters(segment.text, self._encoding), segment.style)
            for segment in segments
        ]
