"""A widget that draws rows of spans itself, and of a change only the cells that differ.

One such widget stands for a whole region of the table: it costs a fifth of a tree of small widgets, on the wire and in
memory. What the rows say is decided in `drawing`.
"""

from __future__ import annotations

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.events import Click, Resize
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from looseends_client.drawing.rows import Row, clicked_card, row_text
from looseends_client.widgets.late_strips import LateStrip, filtered, in_true_colours
from looseends_client.widgets.looks import LooksScreen
from looseends_core.cards import Card


class Lines(Widget):
    """A region of rows, on a `LooksScreen`. A subclass says which rows; `redraw` brings the screen up to date."""

    DEFAULT_CSS = "Lines { height: 1; width: 1fr; }"

    class CardClicked(Message):
        """A card in this region was clicked; `again` says that it is the second of two clicks."""

        def __init__(self, card: Card, again: bool) -> None:
            super().__init__()
            self.card = card
            self.again = again

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002  # Textual's name for it
        super().__init__(id=id, classes=classes)
        self._rows: list[Row] = []
        self._styles: dict[str, Style] = {}

    def rows(self, width: int, height: int) -> list[Row]:
        """Return what to draw: `height` rows of `width` cells each."""
        raise NotImplementedError

    def redraw(self) -> None:
        """Work the rows out anew and repaint the cells in which they differ from what is shown."""
        width, height = self.size
        if not width or not height:
            self._rows = []
            return
        before, self._rows = self._rows, self.rows(width, height)
        if len(before) != len(self._rows):
            self.refresh()
            return
        changed = [
            Region(start, y, end - start, 1)
            for y, (old, new) in enumerate(zip(before, self._rows, strict=True))
            if old != new
            for start, end in [changed_cells(old, new, width)]
            if end > start
        ]
        if changed:
            self.refresh(*changed)

    def on_resize(self, event: Resize) -> None:
        """Draw for the new size."""
        self._rows = []
        self.redraw()

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return rows that are painted when they are looked at, or as Textual does where something is around them."""
        if any(self.styles.gutter):
            return super().render_lines(crop)
        paint = self._paint
        return [LateStrip(paint, y) for y in crop.line_range]

    def _paint(self, y: int) -> Strip:
        return filtered(self, self.render_line(y), true_colours=True)

    def notify_style_update(self) -> None:
        """Forget the styles of the theme before."""
        self._styles.clear()
        super().notify_style_update()

    def render_line(self, y: int) -> Strip:
        """Return one row as it is painted."""
        width = self.size.width
        if y >= len(self._rows):
            return Strip.blank(width, self.style_of(""))
        segments = [Segment(span.text, self.style_of(span.look)) for span in self._rows[y]]
        return Strip(segments).adjust_cell_length(width, self.style_of(""))

    def style_of(self, look: str) -> Style:
        """Return the style that a look has in the present theme."""
        style = self._styles.get(look)
        if style is None:
            style = self.rich_style
            for word in look.split():
                added, opacity = self._looks_screen.look(word)
                style += added
                style += self._faded(style, opacity)
            style = self._styles[look] = in_true_colours(self, style)
        return style

    @property
    def _looks_screen(self) -> LooksScreen[object]:
        screen = self.screen
        assert isinstance(screen, LooksScreen), "Lines are drawn on a screen that knows looks"
        return screen

    def _faded(self, style: Style, opacity: float) -> Style:
        """Return the style's own colour, so much of it as `opacity` says, over the background."""
        if opacity >= 1 or style.color is None:
            return Style()
        _, background = self.background_colors
        return Style(color=background.blend(Color.from_rich_color(style.color), opacity).rich_color)

    @property
    def text(self) -> str:
        """What is drawn, as plain text: for tests, and for whoever cannot see colour."""
        return "\n".join(row_text(row) for row in self._rows)

    def on_click(self, event: Click) -> None:
        """Tell which card was clicked."""
        if 0 <= event.y < len(self._rows):
            card = clicked_card(self._rows[event.y], event.x)
            if card is not None:
                event.stop()
                self.post_message(self.CardClicked(card, again=event.chain > 1))


def changed_cells(old: Row, new: Row, width: int) -> tuple[int, int]:
    """Return the first cell in which two rows differ, and the cell after the last one."""
    start = 0
    for before, after in zip(old, new, strict=False):
        if before != after:
            break
        start += cell_len(after.text)
    end = width
    for before, after in zip(reversed(old), reversed(new), strict=False):
        if before != after or end <= start:
            break
        end -= cell_len(after.text)
    return min(start, width), max(min(start, width), end)
