"""Which region of the table takes which rows and columns, for every size of window.

Rows are numbers here, widgets are elsewhere. Nothing depends on the phase: no region moves between two of them.
"""

from __future__ import annotations

import msgspec

MIN_WIDTH, MIN_HEIGHT = 40, 16
COLUMNS_FROM = 72
"""From this width seats stand side by side; below it each has a line."""
SIDE_FROM = 120
"""From this width a score sheet and the log stand beside the table."""
SIDE_WIDTH = 46


class Layout(msgspec.Struct, frozen=True):
    """Rows of each region, from the top down, and the columns of what stands beside the table (0: nothing).

    `seats_in_lines` says that each seat has a line of its own. `tricks` is the list of finished tricks, `log` the
    lines below it; with a side panel the log stands there.
    """

    seats_in_lines: bool
    seats: int
    rules: bool
    trick: int
    tricks: int
    log: int
    hint: int
    hand: int
    side: int


def fits(width: int, height: int) -> bool:
    """Return whether the table can be drawn in a window of this size."""
    return width >= MIN_WIDTH and height >= MIN_HEIGHT


def plan_layout(width: int, height: int, players: int) -> Layout:
    """Return the layout for a window that `fits`; its rows add up to the height."""
    if width < COLUMNS_FROM or height < 20:
        return _narrow(height, players)
    side = SIDE_WIDTH if width >= SIDE_FROM and height >= 24 else 0
    bids = 2 if height < 26 else 3 if height < 40 else 4
    seats = bids + 2
    trick = 5 if height >= 22 else 4
    hint, hand = 2, 3
    left = height - (1 + 1 + seats + 1 + trick + 1 + hint + hand + 1)
    tricks = 0
    if side:
        tricks, log = left, 0
    elif left >= 10:
        tricks = left // 2
        log = left - tricks
    else:
        log = left
    return Layout(
        seats_in_lines=False,
        seats=seats,
        rules=True,
        trick=trick,
        tricks=tricks,
        log=log,
        hint=hint,
        hand=hand,
        side=side,
    )


def _narrow(height: int, players: int) -> Layout:
    rules = height >= 19
    hand = 3 if height >= 20 else 2
    trick, hint = 3, 3  # sentences are broken more often here
    log = height - (1 + players + 3 * rules + trick + hint + hand + 1)
    return Layout(
        seats_in_lines=True, seats=players, rules=rules, trick=trick, tricks=0, log=log, hint=hint, hand=hand, side=0
    )
