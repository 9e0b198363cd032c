"""The table of a replay: that of a game, with a strip above it, and with every hand open where that is wanted."""

from __future__ import annotations

from looseends_client.drawing.layout import Layout
from looseends_client.drawing.replay import (
    STRIP_ROWS,
    ReplayScene,
    replay_middle_rows,
    strip_row,
    with_room_for_hands,
)
from looseends_client.drawing.rows import Row
from looseends_client.widgets.lines import Lines
from looseends_client.widgets.whole_table import WholeTable


class ReplayStrip(Lines):
    """Which moment this is, and who sees it so."""

    DEFAULT_CSS = f"ReplayStrip {{ dock: top; height: {STRIP_ROWS}; }}"

    def __init__(self, scene: ReplayScene) -> None:
        super().__init__(id="strip")
        self.scene = scene

    def rows(self, width: int, height: int) -> list[Row]:
        """Return the strip."""
        return [strip_row(self.scene, width)]


class ReplayTable(WholeTable):
    """Every region of a table in a replay."""

    def __init__(self, scene: ReplayScene, *, rows_above: int = STRIP_ROWS) -> None:
        super().__init__(scene, rows_above=rows_above)
        self._replayed = scene

    def middle_rows(self, layout: Layout, width: int, height: int) -> list[Row]:
        """Return the tricks and the log, or the open hands."""
        return replay_middle_rows(self._replayed, layout, width, height)

    def plan(self, width: int, height: int) -> Layout:
        """Return the layout, with room for the hands that are open."""
        return with_room_for_hands(super().plan(width, height), self._replayed.hands_in_middle)
