"""Who is at the table: who sits where and where they are, who watches, and whose talk the reader does not want.

A host takes people off the table here, also in the middle of a game.
"""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from looseends_client.attendance import Attendance
from looseends_client.cards_text import Faces
from looseends_client.company import Companion, company_of
from looseends_client.drawing.rows import Row, Span, filled
from looseends_client.game_client import NotConnected, RequestRefused
from looseends_client.screens.page import Page, Question
from looseends_client.table_model import TableModel
from looseends_client.widgets.lines import Lines


class People(Lines):
    """Everybody at the table, one a line."""

    DEFAULT_CSS = "People { height: 1fr; }"

    def __init__(self, model: TableModel, faces: Faces) -> None:
        super().__init__(id="people")
        self.model = model
        self.faces = faces
        self.chosen = 0

    def rows(self, width: int, height: int) -> list[Row]:
        """Return as many as fit, the chosen one among them, and how many more there are."""
        faces = self.faces
        company = company_of(self.model)
        self.chosen = max(0, min(self.chosen, len(company) - 1))
        rows: list[Row] = []
        places: list[int] = []
        for number, companion in enumerate(company):
            if companion.role == "watcher" and (number == 0 or company[number - 1].role == "seat"):
                rows += [[], [Span(f" Watching ({len(company) - number})", "heading")]]
            places.append(len(rows))
            rows.append(self._row(companion, chosen=number == self.chosen))
        if not self.model.watching:
            rows += [[], [Span(" Nobody watches.", "dim")]]
        room = max(1, height - 2)
        first = max(0, min(places[self.chosen] - room + 1, len(rows) - room))
        hidden = sum(place >= first + room for place in places)
        shown: list[Row] = [[], *rows[first : first + room]]
        shown.append([Span(f"   {faces.plus}{hidden} more", "dim")] if hidden else [])
        blank = filled([], width, faces)
        return ([filled(row, width, faces) for row in shown] + [blank] * (height - len(shown)))[:height]

    def _row(self, companion: Companion, *, chosen: bool) -> Row:
        place = f"seat {companion.seat + 1}  " if companion.seat is not None else "        "
        about = f" {self.faces.dot} ".join(companion.about)
        return [
            Span(f" {self.faces.turn if chosen else ' '} ", "turn"),
            Span(place, "dim"),
            Span(companion.shown, "strong"),
            Span(f"   {about}" if about else "", "dim"),
        ]


class PeopleHere(Page[None]):
    """The page. It follows the table while it is open."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,tab", "choose(1)", "the next one", show=False),
        Binding("up,shift+tab", "choose(-1)", "the one before", show=False),
        Binding("m", "mute", "mute or hear again, for yourself alone", show=False),
        Binding("x", "remove", "host: take somebody off the table (asks first)", show=False),
        Binding("enter,q,escape,w", "close", "back", show=False),
    ]

    def __init__(self, attendance: Attendance, faces: Faces) -> None:
        super().__init__()
        self._attendance = attendance
        self._model = attendance.model
        self._people = People(self._model, faces)
        host = "   x take off" if self._model.am_host else ""
        self.keys = f"↑↓ choose   m mute for yourself, or hear again{host}   Enter or q back"
        self.heading = "No Loose Ends    who is here"

    def middle(self) -> ComposeResult:
        """Yield the people."""
        yield self._people

    def table_changed(self) -> None:
        """Follow the table."""
        self._people.redraw()

    def action_choose(self, step: int) -> None:
        """Choose somebody else."""
        self._people.chosen = (self._people.chosen + step) % len(company_of(self._model))
        self._people.redraw()

    def action_mute(self) -> None:
        """Leave out from now on what the chosen one says, or show it again."""
        companion = company_of(self._model)[self._people.chosen]
        if companion.name_sent:
            self._model.mute(companion.name_sent, not self._model.mutes(companion.name_sent))
            self._people.redraw()

    def action_remove(self) -> None:
        """Host: ask, and take the chosen person off the seat; in a game a bot plays on there."""
        companion = company_of(self._model)[self._people.chosen]
        seat = companion.seat
        if not self._model.am_host or seat is None or not companion.name_sent:
            return
        meanwhile = (
            "They may sit down again while a seat is open."
            if self._model.phase in ("gathering", "over")
            else "A bot plays on there. They may watch, and sit down again once this game is over."
        )

        def answered(yes: bool | None) -> None:
            if yes:
                self.run_worker(self._remove(seat))

        question = f"Take {companion.shown} off the table? {meanwhile}"
        self.app.push_screen(Question(question, "take them off"), answered)

    async def _remove(self, seat: int) -> None:
        try:
            await self._attendance.unseat(seat)
        except (RequestRefused, NotConnected) as error:
            self.notify(str(error), markup=False)

    def action_close(self) -> None:
        """Go back."""
        self.dismiss(None)
