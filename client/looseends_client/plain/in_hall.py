"""The lobby in lines: what stands open, told by numbers that stay what they were, and which table a person means."""

from __future__ import annotations

from collections.abc import Sequence

from looseends_client.lobby_list import lobby_entries, makes_sense
from looseends_client.table_words import code_text, rules_words
from looseends_protocol.codes import table_code
from looseends_protocol.duplicate import code_and_side
from looseends_protocol.limits import CODE_LENGTH
from looseends_protocol.messages import SeatHeld, TableLine
from looseends_protocol.people_text import visible


class Listing:
    """The tables as they were last listed. A number that was told keeps its table until the next whole list."""

    def __init__(self) -> None:
        self._codes: list[str] = []
        self._states: dict[str, str] = {}

    def whole(self, seats: Sequence[SeatHeld], tables: Sequence[TableLine], page: int = 0, pages: int = 1) -> list[str]:
        """Return the list, from number 1 on."""
        self._codes, self._states = [], {}
        entries = lobby_entries(seats, [line for line in tables if makes_sense(line.rules)])
        lines = [self._told(entry) for entry in entries]
        if pages > 1:
            lines.append(f"Page {page + 1} of {pages}.")
        return lines

    def changes(self, seats: Sequence[SeatHeld], tables: Sequence[TableLine]) -> list[str]:
        """Return a line for each table that is new, that has changed, or that is there no more."""
        entries = [
            entry
            for entry in lobby_entries(seats, [line for line in tables if makes_sense(line.rules)])
            if isinstance(entry, TableLine)
        ]
        lines = [
            self._told(entry)
            for entry in entries
            if self._states.get(entry.code) != _state(entry) and entry.code not in {held.code for held in seats}
        ]
        there = {entry.code for entry in entries} | {held.code for held in seats}
        for code in [code for code in self._states if code not in there]:
            del self._states[code]
            lines.append(f"{self._codes.index(code) + 1}: not there any more.")
        return lines

    def _told(self, entry: SeatHeld | TableLine) -> str:
        if entry.code not in self._codes:
            self._codes.append(entry.code)
        self._states[entry.code] = _state(entry)
        return f"{self._codes.index(entry.code) + 1}: {_words(entry)}"

    def code_of(self, typed: str) -> str | None:
        """Return the code of the table that a number or a code means, None where it is neither."""
        typed = typed.strip()
        if typed.isascii() and typed.isdigit() and len(typed) < CODE_LENGTH:
            number = int(typed)
            return self._codes[number - 1] if 1 <= number <= len(self._codes) else None
        code = table_code(typed)
        return code if len(code_and_side(code)[0]) == CODE_LENGTH else None


def _state(entry: SeatHeld | TableLine) -> str:
    if isinstance(entry, SeatHeld):
        return "your turn" if entry.yours else "your seat is kept"
    taken = entry.rules.players - entry.open_seats
    if entry.phase == "gathering":
        return f"{taken} of {entry.rules.players} seats taken"
    return {"over": "the game is over", "frozen": "stands still"}.get(entry.phase, "plays")


def _words(entry: SeatHeld | TableLine) -> str:
    words = [visible(entry.title) or code_text(entry.code), _state(entry)]
    if isinstance(entry, TableLine):
        if entry.needs_password:
            words.append("password")
        words += [rules_words(entry.rules).replace(" · ", ", "), " and ".join(map(visible, entry.names))]
    return f"{', '.join(word for word in words if word)}."
