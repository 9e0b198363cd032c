"""What a terminal shows, cell by cell, and the least that has to be written so that it shows something else.

Textual repaints every region that it is asked to refresh, whatever stands there already; over a slow line that is most
of what is sent. Here a picture is compared with the one before, and what differs is written with as few colour changes
as it takes. It knows cells and styles, no widget.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from rich.cells import cell_len
from rich.color import ColorSystem
from rich.segment import Segment
from rich.style import Style

from looseends_client.sixteen_colours import background_code, text_code

UNKNOWN = "\0"
"""Stands for a cell of which nobody knows what it shows."""
_NEAR = 4
"""Cells that are equal are written again where so few lie between two that differ: a move of the cursor costs more."""
_ATTRIBUTES = (
    ("bold", "1"),
    ("dim", "2"),
    ("italic", "3"),
    ("underline", "4"),
    ("blink", "5"),
    ("blink2", "6"),
    ("reverse", "7"),
    ("conceal", "8"),
    ("strike", "9"),
    ("underline2", "21"),
    ("frame", "51"),
    ("encircle", "52"),
    ("overline", "53"),
)
_SEEN_ON_BLANKS = frozenset({"4", "7", "9", "21", "51", "52", "53"})


class Look(NamedTuple):
    """How a cell is drawn: codes of its attributes, and those of its colours; empty for the terminal's own."""

    attributes: tuple[str, ...] = ()
    foreground: str = ""
    background: str = ""


PLAIN = Look()


@lru_cache(4096)
def look_of(style: Style | None, system: ColorSystem | None) -> Look:
    """Return the look that a style has on a terminal with so many colours, None for none at all."""
    if style is None:
        return PLAIN
    attributes = tuple(code for name, code in _ATTRIBUTES if getattr(style, name))
    if system is None:
        return Look(attributes)
    if system is ColorSystem.STANDARD:
        text = text_code(style.color) if style.color else ""
        return Look(attributes, text, background_code(style.bgcolor) if style.bgcolor else "")
    foreground = ";".join(style.color.downgrade(system).get_ansi_codes()) if style.color else ""
    background = ";".join(style.bgcolor.downgrade(system).get_ansi_codes(foreground=False)) if style.bgcolor else ""
    return Look(attributes, foreground, background)


@lru_cache(4096)
def _on_a_blank(look: Look) -> Look:
    """Return what of a look can be seen where no character stands."""
    seen = tuple(code for code in look.attributes if code in _SEEN_ON_BLANKS)
    return Look(seen, look.foreground if seen else "", look.background)


def change_of_look(before: Look, after: Look) -> str:
    """Return the sequence that turns one look into another, the shorter of adding to it and of beginning anew."""
    if before == after:
        return ""
    anew = ";".join(("0", *after.attributes, *filter(None, (after.foreground, after.background))))
    if set(before.attributes) - set(after.attributes):
        return f"\x1b[{anew}m"
    codes = [code for code in after.attributes if code not in before.attributes]
    if after.foreground != before.foreground:
        codes.append(after.foreground or "39")
    if after.background != before.background:
        codes.append(after.background or "49")
    added = ";".join(codes)
    return f"\x1b[{added if len(added) <= len(anew) else anew}m"


class _Cells(NamedTuple):
    """A piece of a row, a character and a look a cell; the second cell of a wide character holds none."""

    characters: list[str]
    looks: list[Look]


def _cells_of(segments: Iterable[Segment], system: ColorSystem | None) -> _Cells:
    characters: list[str] = []
    looks: list[Look] = []
    for text, style, control in segments:
        if control:
            continue
        look = look_of(style, system)
        blank = _on_a_blank(look)
        if text.isascii():
            characters += text
            looks += [blank if character == " " else look for character in text]
            continue
        for character in text:
            width = cell_len(character)
            if width:
                characters += (character, "")[:width]
                looks += (look if character != " " else blank, look)[:width]
            elif characters:
                at = -2 if characters[-1] == "" and len(characters) > 1 else -1
                characters[at] += character
    return _Cells(characters, looks)


class Picture:
    """What stands on a terminal, as far as is known. `paint` brings it up to date; `forget` begins anew."""

    def __init__(self) -> None:
        self._size = (0, 0)
        self._characters: list[list[str]] = []
        self._looks: list[list[Look]] = []

    def forget(self) -> None:
        """Take nothing for granted any more: the terminal may show anything."""
        self._size = (0, 0)

    def paint(
        self,
        pieces: Iterable[tuple[int, int, Iterable[Segment]]],
        width: int,
        height: int,
        system: ColorSystem | None = ColorSystem.TRUECOLOR,
    ) -> str:
        """Return what to write so that a terminal of this size shows these pieces, each at a column and a row.

        It may leave the cursor anywhere and leaves the terminal's own look. Empty where all of it stands there already.
        """
        if self._size != (width, height):
            self._size = (width, height)
            self._characters = [[UNKNOWN] * width for _ in range(height)]
            self._looks = [[PLAIN] * width for _ in range(height)]
        written: list[str] = []
        look = PLAIN
        at_row = -1
        for x, y, segments in pieces:
            if not (0 <= y < height and 0 <= x < width):
                continue
            cells = _cells_of(segments, system)
            for start, end in self._differing(x, y, cells):
                written.append(f"\x1b[{x + start + 1}G" if at_row == y else f"\x1b[{y + 1};{x + start + 1}H")
                at_row = y
                for character, wanted in zip(cells.characters[start:end], cells.looks[start:end], strict=True):
                    if character == " " and not wanted.attributes and wanted == _on_a_blank(look):
                        written.append(" ")
                        continue
                    if wanted != look:
                        written.append(change_of_look(look, wanted))
                        look = wanted
                    written.append(character)
            self._keep(x, y, cells)
        if look != PLAIN:
            written.append("\x1b[0m")
        return "".join(written)

    def _keep(self, x: int, y: int, cells: _Cells) -> None:
        """Remember a piece. Of a wide character that it covers by half nobody knows what is left."""
        characters = self._characters[y]
        end = min(x + len(cells.characters), self._size[0])
        if end > x > 0 and characters[x] == "":
            characters[x - 1] = UNKNOWN
        if x < end < self._size[0] and characters[end] == "":
            characters[end] = UNKNOWN
        characters[x:end] = cells.characters[: end - x]
        self._looks[y][x:end] = cells.looks[: end - x]

    def _differing(self, x: int, y: int, cells: _Cells) -> list[tuple[int, int]]:
        """Return the stretches of a piece, from and to its own cells, that do not stand at their place already."""
        size = min(len(cells.characters), self._size[0] - x)
        before, looks = self._characters[y][x : x + size], self._looks[y][x : x + size]
        if before == cells.characters[:size] and looks == cells.looks[:size]:
            return []
        stretches: list[tuple[int, int]] = []
        for at in range(size):
            if before[at] == cells.characters[at] and looks[at] == cells.looks[at]:
                continue
            if stretches and at - stretches[-1][1] <= _NEAR:
                stretches[-1] = (stretches[-1][0], at + 1)
            else:
                stretches.append((at, at + 1))
        return [self._whole_characters(stretch, cells, size) for stretch in stretches]

    def _whole_characters(self, stretch: tuple[int, int], cells: _Cells, size: int) -> tuple[int, int]:
        """Return the stretch without half of a wide character at either end."""
        start, end = stretch
        while start > 0 and cells.characters[start] == "":
            start -= 1
        while end < size and cells.characters[end] == "":
            end += 1
        return start, end
