"""The whole table as one widget: the regions of `drawing`, each with the rows that `drawing.layout` gives it.

Were each region a widget of its own, a table would be some twenty of them, each with its queue, its styles and its
task: most of the memory of somebody at a table, and most of what a key costs.
"""

from __future__ import annotations

from collections.abc import Callable

from looseends_client.drawing.hand import hand_rows
from looseends_client.drawing.hint import hint_rows, keys_row
from looseends_client.drawing.layout import MIN_HEIGHT, MIN_WIDTH, Layout, fits, plan_layout
from looseends_client.drawing.log import log_rows
from looseends_client.drawing.middle import middle_rows
from looseends_client.drawing.rows import Row, Span
from looseends_client.drawing.scene import Scene
from looseends_client.drawing.seats import seat_columns, seat_lines
from looseends_client.drawing.side import side_sheet_rows
from looseends_client.drawing.too_small import too_small_rows
from looseends_client.drawing.top import top_row
from looseends_client.drawing.trick import trick_rows
from looseends_client.widgets.lines import Lines
from looseends_core.state import Phase

WITH_A_CLOCK = ("trick", "hint")
"""The regions in which seconds are shown."""
WITH_A_CHOICE = ("hint", "hand", "keys")
"""The regions that show which card is chosen and what would become of it; `seats` do where a bid is to be covered."""


class WholeTable(Lines):
    """One table. `redraw` brings it up to date with the scene, the others where only so much of the scene is new."""

    DEFAULT_CSS = "WholeTable { width: 100%; height: 100%; }"

    def __init__(self, scene: Scene, *, rows_above: int = 0) -> None:
        super().__init__(id="whole")
        self.scene = scene
        self._rows_above = rows_above
        self._drawn: dict[str, list[Row]] = {}
        """The rows of each region as they were drawn last, for `_drawn_for`."""
        self._drawn_for: tuple[int, int, Layout] | None = None
        """The width, height and layout of what was drawn. A window changes its size before it says so, and in between a
        second goes by or a card is chosen."""
        self.is_drawn = True
        """Whether the window is large enough for the table, so that it is there to be seen."""

    def middle_rows(self, layout: Layout, width: int, height: int) -> list[Row]:
        """Return the region between trick and hint."""
        return middle_rows(self.scene, layout, width, height)

    def plan(self, width: int, height: int) -> Layout:
        """Return the layout for a window in which the table fits."""
        rules = self.scene.model.state.rules
        return plan_layout(width, height, rules.players, rules.rounds)

    def lay_out(self, width: int, height: int) -> None:
        """Know before the first picture whether the table fits into so many columns and rows, and draw it."""
        self.is_drawn = fits(width, height)
        self.redraw()

    def redraw(self) -> None:
        """Redraw what differs."""
        self._drawn.clear()
        super().redraw()

    def redraw_clocks(self) -> None:
        """Redraw where only seconds have gone by."""
        self._redraw_only(WITH_A_CLOCK)

    def redraw_choice(self) -> None:
        """Redraw where only another card is chosen: half of what a key costs is to work out the whole table."""
        covering = self.scene.model.state.phase is Phase.COVERING
        self._redraw_only((*WITH_A_CHOICE, "seats") if covering else WITH_A_CHOICE)

    def _redraw_only(self, names: tuple[str, ...]) -> None:
        for name in names:
            self._drawn.pop(name, None)
        super().redraw()

    def rows(self, width: int, height: int) -> list[Row]:
        """Return every region from the top down, with what stands beside them; or how much room is missing."""
        self.is_drawn = fits(width, height)
        if not self.is_drawn:
            self._drawn.clear()
            needed = (MIN_WIDTH, MIN_HEIGHT + self._rows_above)
            return too_small_rows(needed, (self.app.size.width, self.app.size.height), width, height)
        layout = self.plan(width, height)
        if self._drawn_for != (width, height, layout):
            self._drawn_for = width, height, layout
            self._drawn.clear()
        main = width - layout.side
        rows: list[Row] = []
        for name, count, draw in self._regions(layout):
            if name not in self._drawn:
                self._drawn[name] = draw(main, count) if count else []
            rows += self._drawn[name]
        return self._with_side(rows, layout, height) if layout.side else rows

    def _regions(self, layout: Layout) -> list[tuple[str, int, Callable[[int, int], list[Row]]]]:
        """Return each region with its rows and what draws it into so many columns and rows."""
        scene = self.scene
        seats = seat_lines if layout.seats_in_lines else seat_columns
        between = int(layout.rules)
        return [
            ("top", 1, lambda width, height: [top_row(scene, width)]),
            ("rule 1", between, self._rule),
            ("seats", layout.seats, lambda width, height: seats(scene, width, height)),
            ("rule 2", between, self._rule),
            ("trick", layout.trick, lambda width, height: trick_rows(scene, width, height)),
            ("middle", layout.middle, lambda width, height: self.middle_rows(layout, width, height)),
            ("rule 3", between, self._rule),
            ("hint", layout.hint, lambda width, height: hint_rows(scene, width, height)),
            ("hand", layout.hand, lambda width, height: hand_rows(scene, width, height)),
            ("keys", 1, lambda width, height: [keys_row(scene, width)]),
        ]

    def _rule(self, width: int, height: int) -> list[Row]:
        return [[Span(self.scene.faces.rule * width, "line")]]

    def _with_side(self, rows: list[Row], layout: Layout, height: int) -> list[Row]:
        """Return the rows with score sheet and log beside them, behind a line."""
        width = layout.side - 1
        if "side" not in self._drawn:
            sheet = side_sheet_rows(self.scene, width, layout.sheet)
            self._drawn["side"] = [*sheet, *log_rows(self.scene, width, height - layout.sheet)]
        line = Span(self.scene.faces.column, "line")
        return [[*row, line, *beside] for row, beside in zip(rows, self._drawn["side"], strict=True)]
