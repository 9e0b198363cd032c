"""The whole log of a table, to scroll through: every line that the table itself has room for the last of."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll

from looseends_client.drawing.log import line_rows
from looseends_client.drawing.rows import Row, Span, filled
from looseends_client.drawing.scene import Scene
from looseends_client.screens.page import Page, Sheet


class LogLines(Sheet):
    """Every line of the log, a heading before each round."""

    def __init__(self, scene: Scene) -> None:
        super().__init__(id="log-lines")
        self.scene = scene

    def all_rows(self, width: int) -> list[Row]:
        """Return every line, long ones broken."""
        rows: list[Row] = []
        before = 0
        for line in self.scene.model.log:
            if line.round != before:
                before = line.round
                rows += [[Span(f" Round {before}", "heading")]]
            rows += [[Span(" "), *row] for row in line_rows(line, self.scene, width - 2)]
        return [filled(row, width, self.scene.faces) for row in rows]


class WholeLog(Page[None]):
    """The page, open at the newest line."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "scroll_by(1)", "a line down", show=False),
        Binding("up,k", "scroll_by(-1)", "a line up", show=False),
        Binding("pagedown,space", "scroll_by(15)", "a page down", show=False),
        Binding("pageup", "scroll_by(-15)", "a page up", show=False),
        Binding("enter,q,escape,l", "close", "back", show=False),
    ]
    keys = "↑↓ PgUp PgDn scroll   Enter or q back"

    def __init__(self, scene: Scene) -> None:
        super().__init__()
        self._lines = LogLines(scene)
        self.heading = "No Loose Ends    what happened"

    def middle(self) -> ComposeResult:
        """Yield the lines."""
        with VerticalScroll(classes="body", can_focus=False):
            yield self._lines

    def on_mount(self) -> None:
        """Begin at the end."""
        self.call_after_refresh(lambda: self.query_one(VerticalScroll).scroll_end(animate=False))

    def table_changed(self) -> None:
        """Follow the table; whoever reads at the end stays there."""
        body = self.query_one(VerticalScroll)
        at_end = body.scroll_offset.y >= body.max_scroll_y
        self._lines.refresh(layout=True)
        self._lines.redraw()
        if at_end:
            self.call_after_refresh(lambda: body.scroll_end(animate=False))

    def action_scroll_by(self, rows: int) -> None:
        """Scroll."""
        self.query_one(VerticalScroll).scroll_relative(y=rows)

    def action_close(self) -> None:
        """Go back."""
        self.dismiss(None)
