"""The regions of a table put together, with the rows and columns that `drawing.layout` gives each of them."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.events import Resize

from looseends_client.drawing.layout import MIN_HEIGHT, MIN_WIDTH, Layout, fits, plan_layout
from looseends_client.drawing.scene import Scene
from looseends_client.widgets.regions import (
    Hand,
    Hint,
    Keys,
    LogArea,
    Middle,
    Region,
    RuleLine,
    Seats,
    SideSheet,
    Top,
    TrickArea,
)
from looseends_client.widgets.too_small import TooSmall


class WholeTable(Horizontal):
    """Every region of one table. `lay_out` fits them to a window; `redraw` brings them up to date with the scene."""

    DEFAULT_CSS = "WholeTable { width: 100%; height: 100%; }"

    def __init__(self, scene: Scene, *, rows_above: int = 0) -> None:
        super().__init__(id="whole")
        self.scene = scene
        self._rows_above = rows_above
        self._regions: list[Region] = []
        self.is_drawn = True
        """Whether the window is large enough for the table, so that it is there to be seen."""

    def compose(self) -> ComposeResult:
        """Yield the regions from the top down, what stands beside them, and what stands there where none fits."""
        scene = self.scene
        with Vertical(id="main"):
            yield Top(scene, id="top")
            yield RuleLine(scene, id="rule-1")
            yield Seats(scene, id="seats")
            yield RuleLine(scene, id="rule-2")
            yield TrickArea(scene, id="trick")
            yield self.middle()
            yield RuleLine(scene, id="rule-3")
            yield Hint(scene, id="hint")
            yield Hand(scene, id="hand")
            yield Keys(scene, id="keys")
        with Vertical(id="side"):
            yield SideSheet(scene, id="side-sheet")
            yield LogArea(scene, id="side-log")
        yield TooSmall(MIN_WIDTH, MIN_HEIGHT + self._rows_above, id="too-small")

    def middle(self) -> Middle:
        """Return the region between trick and hint."""
        return Middle(self.scene, id="middle")

    def plan(self, width: int, height: int) -> Layout:
        """Return the layout for a window in which the table fits."""
        rules = self.scene.model.state.rules
        return plan_layout(width, height, rules.players, rules.rounds)

    def on_mount(self) -> None:
        """Know the regions."""
        self._regions = list(self.query(Region))

    def on_resize(self, event: Resize) -> None:
        """Lay out anew for what a window, and whatever else stands in it, leaves."""
        self.lay_out(event.size.width, event.size.height)

    def lay_out(self, width: int, height: int) -> None:
        """Give every region its place in so many columns and rows."""
        enough = fits(width, height)
        layout = self.plan(width, height) if enough else None
        self.is_drawn = enough
        self.query_one("#main").display = enough
        self.query_one("#too-small").display = not enough
        side = self.query_one("#side")
        side.display = layout is not None and layout.side > 0
        if layout is None:
            return
        side.styles.width = layout.side or 1
        self.query_one("#side-sheet").styles.height = max(1, layout.sheet)
        self.query_one("#seats", Seats).in_lines = layout.seats_in_lines
        self.query_one("#middle", Middle).layout_of_table = layout
        for name, rows in _rows_of(layout).items():
            region = self.query_one(f"#{name}")
            region.display = rows > 0
            region.styles.height = max(1, rows)
        self.redraw()  # a region whose size stays is told of no resize, and may be drawn another way now

    def redraw(self) -> None:
        """Redraw what differs."""
        for region in self._regions:
            region.redraw()

    def redraw_clocks(self) -> None:
        """Redraw the regions in which seconds are shown."""
        for name in ("trick", "hint"):
            self.query_one(f"#{name}", Region).redraw()


def _rows_of(layout: Layout) -> dict[str, int]:
    rules = int(layout.rules)
    return {
        "seats": layout.seats,
        "rule-1": rules,
        "rule-2": rules,
        "rule-3": rules,
        "trick": layout.trick,
        "middle": layout.middle,
        "hint": layout.hint,
        "hand": layout.hand,
    }
