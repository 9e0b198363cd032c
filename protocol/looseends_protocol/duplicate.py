"""Duplicate tables: the same deals at several tables, and sides whose people sit one seat further on at each.

The deals stay as they are, each answering to its own proof; what rotates are the people. So with as many tables as
seats every side has held every hand once. Pure: names and numbers go in and come out.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from looseends_protocol.codes import table_code
from looseends_protocol.limits import CODE_LENGTH

DUPLICATE = "duplicate "
"""In front of what names a table of a duplicate, in the options of a table."""
SIDES = "ABCDE"
"""The sides, one a seat."""
_NAME = re.compile(rf"{DUPLICATE}([0-9A-Z]{{{CODE_LENGTH}}})/([1-9])/([1-9])")


class DuplicateTable(NamedTuple):
    """One of the tables: the code of the first, its number from 1, and of how many it is."""

    first: str
    number: int
    of: int

    @property
    def contest(self) -> str:
        """What the options of the table call it."""
        return f"{DUPLICATE}{self.first}/{self.number}/{self.of}"

    @property
    def all(self) -> list[DuplicateTable]:
        """Every table of the duplicate."""
        return [self._replace(number=number) for number in range(1, self.of + 1)]

    def side_at(self, seat: int, players: int) -> str:
        """Return the side that sits there."""
        return SIDES[(seat - self.number + 1) % players]

    def seat_of(self, side: str, players: int) -> int | None:
        """Return the seat of a side at this table, from 0; None where the table has no such side."""
        place = SIDES.find(side)
        return (place + self.number - 1) % players if len(side) == 1 and 0 <= place < players else None


def duplicate_table(contest: str) -> DuplicateTable | None:
    """Return which table of a duplicate is called this; None where it is none, or one of a server before sides."""
    found = _NAME.fullmatch(contest)
    if found is None or int(found[2]) > int(found[3]):
        return None
    return DuplicateTable(found[1], int(found[2]), int(found[3]))


def code_and_side(typed: str) -> tuple[str, str]:
    """Return a table's code and the side that somebody plays for there, empty where the code is typed alone.

    A side is one more letter behind the code: `K7QP2-MX0VD-B`.
    """
    code = table_code(typed)
    if len(code) == CODE_LENGTH + 1 and code[-1] in SIDES:
        return code[:-1], code[-1]
    return code, ""
