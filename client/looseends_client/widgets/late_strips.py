"""Rows that are painted only where a picture takes them.

For a change in one row Textual's compositor asks every widget between the first and the last changed row for all of its
rows, and looks at few of them. Its own way out is to keep every painted row of every widget, which was half of an
app's memory behind a door. Here a row is a promise that is kept when somebody looks at it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rich.style import Style
from textual.filter import ANSIToTruecolor
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

_SLOTS = tuple(Strip.__slots__)


class LateStrip(Strip):
    """A row that is painted by `paint` when anything is asked of it."""

    __slots__ = ("_paint",)

    def __init__(self, paint: Callable[[int], Strip], y: int) -> None:  # not Strip's own, which makes eight caches
        self._paint = (paint, y)

    def __getattr__(self, name: str) -> Any:
        """Paint the row: one of its slots is looked at, and none is filled yet."""
        if name not in _SLOTS:
            raise AttributeError(name)
        paint, y = self._paint
        painted = paint(y)
        for slot in _SLOTS:
            setattr(self, slot, getattr(painted, slot))
        return getattr(self, name)


class BlankWidget(Widget):
    """A widget that draws nothing but its background, for what others are laid out in."""

    _blank: tuple[int, Strip] | None = None

    def notify_style_update(self) -> None:
        """Forget the background of the theme before."""
        self._blank = None
        super().notify_style_update()

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return blank rows, the same one again and again; as Textual does where there is a border or the like."""
        if any(self.styles.gutter):
            return super().render_lines(crop)
        if self._blank is None or self._blank[0] != crop.width:
            self._blank = crop.width, filtered(self, Strip.blank(crop.width, self.rich_style))
        return [self._blank[1]] * crop.height


def in_true_colours(widget: Widget, style: Style) -> Style:
    """Return a style as the filter leaves it that turns the colours of a terminal, and dim ones, into true ones.

    Textual asks that filter for every piece of every row, though it makes the same of the same style.
    """
    for line_filter in widget.get_line_filters():
        if isinstance(line_filter, ANSIToTruecolor):
            _, background = widget.background_colors
            style = line_filter.truecolor_style(style, background.rich_color)
    return style


def filtered(widget: Widget, strip: Strip, *, true_colours: bool = False) -> Strip:
    """Return a row as the filters of its app leave it: fewer colours, none, or letters in the place of shapes.

    With `true_colours` its styles come from `in_true_colours`.
    """
    filters = widget.get_line_filters()
    if true_colours:
        filters = [kept for kept in filters if not isinstance(kept, ANSIToTruecolor)]
    if filters:
        _, background = widget.background_colors
        for line_filter in filters:
            strip = strip.apply_filter(line_filter, background)
    return strip
