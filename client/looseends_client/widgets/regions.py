"""The regions of the table, each a `Lines` over one function of `drawing`. They hold only the scene they share."""

from __future__ import annotations

from looseends_client.drawing.hand import hand_rows
from looseends_client.drawing.hint import hint_rows, keys_row
from looseends_client.drawing.layout import Layout
from looseends_client.drawing.log import log_rows
from looseends_client.drawing.middle import middle_rows
from looseends_client.drawing.rows import Row, Span
from looseends_client.drawing.scene import Scene
from looseends_client.drawing.seats import seat_columns, seat_lines
from looseends_client.drawing.side import side_sheet_rows
from looseends_client.drawing.top import top_row
from looseends_client.drawing.trick import trick_rows
from looseends_client.widgets.lines import Lines


class Region(Lines):
    """A region of a table that draws from the scene."""

    def __init__(self, scene: Scene, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self.scene = scene


class Top(Region):
    """Which table, round and trick."""

    def rows(self, width: int, height: int) -> list[Row]:
        """Return the first row."""
        return [top_row(self.scene, width)]


class RuleLine(Region):
    """A line between two regions."""

    def rows(self, width: int, height: int) -> list[Row]:
        """Return the line."""
        return [[Span(self.scene.faces.rule * width, "line")]]


class Seats(Region):
    """Every seat: score, bids, tricks."""

    in_lines = False

    def rows(self, width: int, height: int) -> list[Row]:
        """Return the seats side by side, or one a line."""
        draw = seat_lines if self.in_lines else seat_columns
        return draw(self.scene, width, height)


class TrickArea(Region):
    """The running trick, a finished one that is still read, or the order of planning."""

    def rows(self, width: int, height: int) -> list[Row]:
        """Return the trick."""
        return trick_rows(self.scene, width, height)


class Middle(Region):
    """The finished tricks of the round and the log, as far as neither stands at the side."""

    layout_of_table: Layout | None = None

    def rows(self, width: int, height: int) -> list[Row]:
        """Return the tricks and the lines."""
        if self.layout_of_table is None:
            return log_rows(self.scene, width, height)
        return middle_rows(self.scene, self.layout_of_table, width, height)


class LogArea(Region):
    """The last lines of the log."""

    def rows(self, width: int, height: int) -> list[Row]:
        """Return the lines."""
        return log_rows(self.scene, width, height)


class Hint(Region):
    """What is asked, and what the chosen card would do."""

    def rows(self, width: int, height: int) -> list[Row]:
        """Return the hint."""
        return hint_rows(self.scene, width, height)


class Hand(Region):
    """The reader's hand."""

    def rows(self, width: int, height: int) -> list[Row]:
        """Return the hand."""
        return hand_rows(self.scene, width, height)


class Keys(Region):
    """The keys that do something now."""

    def rows(self, width: int, height: int) -> list[Row]:
        """Return the row of keys."""
        return [keys_row(self.scene, width)]


class SideSheet(Region):
    """The score sheet beside the table, where there is room for it."""

    def rows(self, width: int, height: int) -> list[Row]:
        """Return the sheet."""
        return side_sheet_rows(self.scene, width, height)
