"""The score sheet over the table: after a round until everybody is ready, after the game with who won and why."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll

from looseends_client.attendance import Attendance
from looseends_client.cards_text import Faces
from looseends_client.drawing.rows import Row
from looseends_client.drawing.sheet import final_rows, sheet_rows
from looseends_client.game_client import NotConnected, RequestRefused
from looseends_client.screens.page import Page, Sheet
from looseends_client.table_model import TableModel

KEYS_REST_SECONDS = 0.4
"""For this long a sheet that came up by itself takes no key: the last one pressed was meant for the table."""


class ScoreRows(Sheet):
    """The rows of one round, or of the whole game."""

    def __init__(self, model: TableModel, faces: Faces) -> None:
        super().__init__(id="rows")
        self.model = model
        self.faces = faces
        self.round: int | None = None
        """The round that is shown, None for the final sheet."""

    def all_rows(self, width: int) -> list[Row]:
        """Return the sheet."""
        if self.round is None:
            return final_rows(self.model, self.faces, width)
        return sheet_rows(self.model, self.faces, width, self.round)


class ScoreSheet(Page[None]):
    """The sheet. Enter says ready where that is asked, and goes back to the table otherwise."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "go_on", show=False),
        Binding("q,s,escape", "close", show=False),
        Binding("left", "turn(-1)", show=False),
        Binding("right", "turn(1)", show=False),
        Binding("down", "scroll_by(1)", show=False),
        Binding("up", "scroll_by(-1)", show=False),
        Binding("n", "new_game", show=False),
    ]

    def __init__(self, attendance: Attendance, faces: Faces) -> None:
        super().__init__()
        self._attendance = attendance
        self._model = attendance.model
        self._game = self._model.game
        self._rows = ScoreRows(self._model, faces)
        self._rows.round = self._last_page()
        self.heading = "No Loose Ends    score sheet"
        self._takes_keys = False

    def _last_page(self) -> int | None:
        results = self._model.state.results
        return None if self._model.state.winners is not None else max(1, len(results))

    def middle(self) -> ComposeResult:
        """Yield the rows."""
        with VerticalScroll(classes="body", can_focus=False):
            yield self._rows

    def on_mount(self) -> None:
        """Show what can be done, and keep the seconds running."""
        self.set_interval(1.0, self._show_keys)
        if self.came_by_itself:
            self.set_timer(KEYS_REST_SECONDS, self._take_keys)
        else:
            self._take_keys()

    def _take_keys(self) -> None:
        self._takes_keys = True
        self._show_keys()

    @property
    def asks_ready(self) -> bool:
        """Whether the table waits for us: for the next round, or for a rematch."""
        model = self._model
        return (
            model.phase in ("between", "over")
            and model.seat is not None
            and model.seat not in model.ready
            and model.game == self._game
        )

    def table_changed(self) -> None:
        """Follow the table; close when the next round has been dealt."""
        if self._model.phase in ("playing", "dealing") and self.opened_for_ready:
            self.dismiss(None)
            return
        self._rows.refresh(layout=True)
        self._rows.redraw()
        self._show_keys()

    came_by_itself = False
    """Whether the sheet came up without being asked for, so that a key may still be meant for the table below."""

    opened_for_ready = False
    """Whether the sheet was opened because a round ended, and so closes when the next begins."""

    def _show_keys(self) -> None:
        if not self._takes_keys:
            self.set_keys("")
            return
        model = self._model
        waiting = ""
        alone = len(model.persons) <= 1
        if model.phase in ("between", "over") and not alone:
            waiting = f" ({len(model.ready)} of {len(model.persons)} ready)"
            seconds = model.ready_seconds_left()
            if seconds is not None and model.phase == "between":
                waiting += f", next round in {seconds}s"
        if self.asks_ready and model.phase == "between":
            first = "Enter: next round" if alone else f"Enter: ready{waiting}"
        elif self.asks_ready:
            first = f"Enter: back to the table   n: play again{waiting}"
        elif model.phase in ("between", "over") and model.seat in model.ready:
            first = f"Waiting for the others{waiting}   Enter: back"
        else:
            first = "Enter: back"
        pages = "   ← → other rounds" if len(model.state.results) > 1 or model.state.winners is not None else ""
        self.set_keys(first + pages)

    def action_turn(self, step: int) -> None:
        """Turn to another round's sheet."""
        pages: list[int | None] = [*range(1, len(self._model.state.results) + 1)]
        if self._model.state.winners is not None:
            pages.append(None)
        if self._rows.round in pages:
            at = max(0, min(len(pages) - 1, pages.index(self._rows.round) + step))
            self._rows.round = pages[at]
            self.table_changed()

    def action_scroll_by(self, rows: int) -> None:
        """Scroll the sheet."""
        self.query_one(VerticalScroll).scroll_relative(y=rows, animate=False)

    async def action_go_on(self) -> None:
        """Say ready between two rounds; go back to the table otherwise."""
        if not self._takes_keys:
            return
        if self.asks_ready and self._model.phase == "between":
            await self._ready()
        else:
            self.dismiss(None)

    async def action_new_game(self) -> None:
        """After the game: say that we would play again."""
        if self._takes_keys and self.asks_ready and self._model.phase == "over":
            self.opened_for_ready = True
            await self._ready()

    async def _ready(self) -> None:
        try:
            await self._attendance.be_ready()
        except RequestRefused as error:
            self.notify(str(error), markup=False)
        except NotConnected as error:
            self.notify(str(error), markup=False)

    def action_close(self) -> None:
        """Go back to the table."""
        if self._takes_keys:
            self.dismiss(None)
