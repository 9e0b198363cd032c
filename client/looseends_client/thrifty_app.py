"""An app that writes to its terminal only what differs from what stands there. What is drawn is not decided here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar, Self, TypeVar

from rich.color import ColorSystem
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from textual._compositor import ChopsUpdate, CompositorUpdate, LayoutUpdate
from textual.app import App
from textual.binding import Binding, BindingType
from textual.events import Resize
from textual.screen import Screen

from looseends_client.painting import Picture
from looseends_client.terminal_abilities import Depth

R = TypeVar("R")

_SYSTEMS = {"16": ColorSystem.STANDARD, "256": ColorSystem.EIGHT_BIT, "true": ColorSystem.TRUECOLOR, "mono": None}


class _Written(CompositorUpdate):
    """An update of which it is known already what has to be written."""

    def __init__(self, sequence: str) -> None:
        self._sequence = sequence

    def render_segments(self, console: Console) -> str:
        """Return what is written."""
        return self._sequence

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        """Yield what is written, for whoever takes an update for something to print."""
        yield Segment(self._sequence)


def _pieces(update: ChopsUpdate | LayoutUpdate) -> Iterator[tuple[int, int, Iterable[Segment]]]:
    """Yield the pieces of an update of Textual's, each with its column and row, from the top down."""
    if isinstance(update, LayoutUpdate):
        for y, strips in enumerate(update.strips, update.region.y):
            x = update.region.x
            for strip in strips:
                yield x, y, strip
                x += strip.cell_length
        return
    for y in sorted({row for row, _, _ in update.spans}):
        for x, chop in update.chops[y].items():
            if chop is not None:
                yield x, y, chop


class ThriftyApp(App[R]):
    """An app whose updates are compared with what its terminal shows.

    Whoever loses bytes on the way to the terminal, or lets another program draw on it, calls `refresh` of the app: it
    repaints the whole window. So does Ctrl-L, as people know it from other programs.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+l", "repaint", show=False, priority=True)]
    colour_depth: Depth = "true"
    """How many colours are written. Textual's own measure is one for the whole process, this is one for each app."""
    _picture: Picture | None = None

    @property
    def picture(self) -> Picture:
        """What the terminal shows."""
        if self._picture is None:
            self._picture = Picture()
        return self._picture

    def refresh(self, *, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        """Repaint the whole window, whatever the terminal shows."""
        self.picture.forget()
        return super().refresh(repaint=repaint, layout=layout, recompose=recompose)

    def action_repaint(self) -> None:
        """Repaint the whole window."""
        self.refresh(layout=True)

    def on_resize(self, event: Resize) -> None:
        """Take nothing for granted of a window that has changed its size."""
        self.picture.forget()

    def _display(self, screen: Screen[object], renderable: RenderableType | None) -> None:
        """Write of an update only what differs. Called by Textual with every update."""
        update: RenderableType | None = renderable
        if isinstance(renderable, ChopsUpdate | LayoutUpdate) and self._writes:
            system = _SYSTEMS[self.colour_depth]
            written = self.picture.paint(_pieces(renderable), self.size.width, self.size.height, system)
            if not written and self.cursor_position == self._previous_cursor_position:
                self.post_display_hook()
                return
            update = _Written(written)
        super()._display(screen, update)

    @property
    def _writes(self) -> bool:
        """Whether an update of this moment is written to a terminal, by the same measure as Textual's own."""
        driver = self._driver
        return (
            self._running
            and not self._closed
            and not self._batch_count
            and not self.is_headless
            and driver is not None
            and not driver.is_inline
        )
