"""Which region of the table takes which rows and columns, for every size of window.

Rows are numbers here, drawn elsewhere. Nothing depends on the phase: no region moves between two of them.
"""

from __future__ import annotations

import msgspec

from looseends_client.drawing.tricks import least_width_of_tricks

MIN_WIDTH, MIN_HEIGHT = 40, 16
COLUMNS_FROM = 72
"""From this width seats stand side by side; below it each has a line."""
SIDE_FROM = 120
"""From this width a score sheet and the log stand beside the table."""
_SIDE_LEAST, _SIDE_MOST, _MAIN_WISHED = 46, 80, 100
_LOG_LEAST = 44
"""Columns that a log beside the tricks needs, so that most of its sentences take one row or two."""
_TALL_FROM = 40
"""From this height cards are drawn large."""


class Layout(msgspec.Struct, frozen=True):
    """Rows of each region, from the top down, and the columns of what stands beside the table (0: nothing).

    `seats_in_lines` says that each seat has a line of its own. `middle` lies between trick and hint: of it `tricks`
    rows are the list of finished tricks and the rest is the log; where `tricks_beside` is not 0 the tricks stand left
    of the log in so many columns, and both have all of its rows. With a `side` the log stands there, below `sheet` rows
    of the score sheet.
    """

    seats_in_lines: bool
    seats: int
    rules: bool
    trick: int
    middle: int
    tricks: int
    hint: int
    hand: int
    tricks_beside: int = 0
    side: int = 0
    sheet: int = 0


def fits(width: int, height: int) -> bool:
    """Return whether the table can be drawn in a window of this size."""
    return width >= MIN_WIDTH and height >= MIN_HEIGHT


def plan_layout(width: int, height: int, players: int, rounds: int = 3) -> Layout:
    """Return the layout for a window that `fits`; its rows add up to the height."""
    if width < COLUMNS_FROM or height < 20:
        return _narrow(height, players)
    side = max(_SIDE_LEAST, min(_SIDE_MOST, width - _MAIN_WISHED)) if width >= SIDE_FROM and height >= 24 else 0
    tall = height >= _TALL_FROM
    seats = 2 + (4 if tall else 3 if height >= 26 else 2)
    trick = 9 if tall else 5 if height >= 22 else 4
    hint, hand = 2, 5 if tall else 3
    middle = height - (1 + 1 + seats + 1 + trick + 1 + hint + hand + 1)
    beside = least_width_of_tricks(players)
    tricks = 0
    if side:
        beside, tricks = 0, middle
    elif width - beside >= _LOG_LEAST and middle >= 4:
        tricks = middle
    else:
        beside, tricks = 0, middle // 2 if middle >= 10 else 0
    return Layout(
        seats_in_lines=False,
        seats=seats,
        rules=True,
        trick=trick,
        middle=middle,
        tricks=tricks,
        tricks_beside=beside,
        hint=hint,
        hand=hand,
        side=side,
        sheet=min(10 + rounds, height // 2) if side else 0,
    )


def _narrow(height: int, players: int) -> Layout:
    rules = height >= 19
    hand = 3 if height >= 20 else 2
    trick, hint = 3, 3  # sentences are broken more often here
    middle = height - (1 + players + 3 * rules + trick + hint + hand + 1)
    return Layout(
        seats_in_lines=True,
        seats=players,
        rules=rules,
        trick=trick,
        middle=middle,
        tricks=0,
        hint=hint,
        hand=hand,
    )
