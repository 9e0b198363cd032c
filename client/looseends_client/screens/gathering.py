"""A table before its game: who sits where, and what the host may do about it."""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from looseends_client.attendance import Attendance
from looseends_client.cards_text import Faces
from looseends_client.company import where_they_are
from looseends_client.contest_words import side_at
from looseends_client.drawing.log import MARKS
from looseends_client.drawing.rows import Row, Span, filled, wrapped
from looseends_client.game_client import NotConnected, RequestRefused
from looseends_client.screens.at_a_table import AtATable
from looseends_client.screens.page import Choice, Page, Question
from looseends_client.screens.rules_page import RulesPage
from looseends_client.table_words import code_text, options_words, rules_words
from looseends_client.widgets.lines import Lines
from looseends_protocol.people_text import visible


class Places(Lines):
    """The seats of a table that gathers, one a line, the talk below."""

    DEFAULT_CSS = "Places { height: 1fr; }"

    def __init__(self, attendance: Attendance, faces: Faces) -> None:
        super().__init__(id="places")
        self.attendance = attendance
        self.faces = faces
        self.chosen = 0
        self.answer = ""

    def rows(self, width: int, height: int) -> list[Row]:
        """Return invite code, rules, seats and the last lines of talk."""
        model = self.attendance.model
        faces = self.faces
        code: list[Row] = [[], [Span(" Invite code", "dim")], [Span(f" {code_text(model.code)}", "title")], []]
        about: list[Row] = []
        for text in (rules_words(model.rules), options_words(model.options)):
            about += [[Span(" "), *row] for row in wrapped([Span(text, "dim")], width - 2, faces)]
        rows: list[Row] = [[]]
        for seat, info in enumerate(model.seats):
            mark = faces.turn if seat == self.chosen else " "
            side = side_at(model.options.contest, seat, len(model.seats))
            place = f"seat {seat + 1}, side {side}  " if side else f"seat {seat + 1}  "
            row: Row = [Span(f" {mark} ", "turn"), Span(place, "dim")]
            if info.kind == "open":
                row.append(Span("open", "dim"))
            else:
                row.append(Span(model.names[seat], "strong"))
                if info.kind == "bot":
                    row.append(Span(f"  bot, {visible(info.level)}", "dim"))
                if info.kind == "person" and info.name == model.host:
                    row.append(Span("  host", "dim"))
                if seat != model.seat and (where := where_they_are(info)):
                    row.append(Span(f"  {where}", "bad" if where == "offline" else "dim"))
            rows.append(row)
        if model.watching:
            rows.append([Span(f"   watching: {', '.join(model.watching)}", "dim")])
        rows.append([])
        for said, look in ((self._what_now(), "strong"), (self.answer, "bad")):
            rows += [[Span(" "), *row] for row in wrapped([Span(said, look)], width - 2, faces) if said]
        rows.append([])
        rows = _within([*code, *about, *rows], about, height)
        room = max(0, height - len(rows))
        talk: list[Row] = []
        for line in [line for line in model.log if line.kind != "story"][-room:] if room else []:
            words = "".join(part for part in line.words if isinstance(part, str))
            line_said = [Span(f"{MARKS[line.kind]}{words}", line.kind)]
            talk += [[Span(" "), *row] for row in wrapped(line_said, width - 2, faces, indent=2)]
        rows += talk[-room:] if room else []
        blank = filled([], width, faces)
        return [filled(row, width, faces) for row in rows[:height]] + [blank] * (height - len(rows))

    def _what_now(self) -> str:
        model = self.attendance.model
        open_seats = sum(info.kind == "open" for info in model.seats)
        if model.am_host:
            if open_seats:
                return f"{open_seats} open: wait for people; b: a bot on the chosen seat, f: bots on all."
            return "Every seat is taken: press Enter to start."
        if open_seats:
            return f"Waiting for {open_seats} more."
        return f"Waiting for {visible(model.host)} to start."


def _within(rows: list[Row], least_needed: list[Row], height: int) -> list[Row]:
    """Return the rows, where they are too many without blank ones, and then without those that are least needed."""
    if len(rows) > height:
        rows = [row for row in rows if row]
    if len(rows) > height:
        rows = [row for row in rows if not any(row is other for other in least_needed)]
    return rows


class GatheringScreen(Page[str], AtATable[str]):  # Page first: Textual styles by the first base alone
    """A table that waits for its players. Dismissed with `away` or `left` when the person goes."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,right,tab", "choose(1)", "the next seat", show=False),
        Binding("up,left,shift+tab", "choose(-1)", "the seat before", show=False),
        Binding("enter", "start", "host: start, once every seat is taken", show=False),
        Binding("b", "bot", "host: give the chosen seat to a bot", show=False),
        Binding("f", "fill", "host: give every open seat to a bot of your settings", show=False),
        Binding("x", "unseat", "host: take whoever sits there off the chosen seat", show=False),
        Binding("t", "talk", "say something to the table", show=False),
        Binding("w", "people", "who is here; mute somebody", show=False),
        Binding("l", "log", "all that was said", show=False),
        Binding("i", "rules", "the rules, those of this table first", show=False),
        Binding("q", "leave", "leave (asks how)", show=False),
    ]

    def __init__(self, attendance: Attendance, faces: Faces, levels: tuple[tuple[str, str], ...]) -> None:
        super().__init__()
        self.attendance = attendance
        self._levels = levels
        self._places = Places(attendance, faces)
        self.heading = f"No Loose Ends    {attendance.model.title or 'a table'}"
        self._choose_open()

    @property
    def table_faces(self) -> Faces:
        """With which signs this screen draws."""
        return self._places.faces

    def middle(self) -> ComposeResult:
        """Yield the seats."""
        yield self._places

    def on_mount(self) -> None:
        """Draw."""
        self.table_changed()

    def _choose_open(self) -> None:
        seats = self.attendance.model.seats
        opened = [seat for seat, info in enumerate(seats) if info.kind == "open"]
        self._places.chosen = opened[0] if opened else self._places.chosen

    def table_changed(self) -> None:
        """Follow the table."""
        self._places.redraw()
        host = "Enter start   b bot   f fill with bots   x free   " if self.attendance.model.am_host else ""
        self.set_keys(f"↑↓ seats   {host}t talk   w who   i rules   q leave")

    def show_answer(self, text: str) -> None:
        """Show a sentence below the seats."""
        self._places.answer = visible(text)
        self._places.redraw()

    def _ask(self, work: Coroutine[object, object, None]) -> None:
        self.run_worker(self._asked(work))

    async def _asked(self, work: Coroutine[object, object, None]) -> None:
        self._places.answer = ""
        try:
            await work
        except (RequestRefused, NotConnected) as error:
            self._places.answer = visible(str(error))
        self._places.redraw()

    def action_choose(self, step: int) -> None:
        """Choose another seat."""
        self._places.chosen = (self._places.chosen + step) % len(self.attendance.model.seats)
        self._places.redraw()

    def action_start(self) -> None:
        """Start the game."""
        if self.attendance.model.am_host:
            self._ask(self.attendance.start())

    def action_bot(self) -> None:
        """Ask which bot, and seat it."""
        model = self.attendance.model
        if not model.am_host:
            return
        seat = self._places.chosen
        if model.seats[seat].kind != "open":
            self._choose_open()
            seat = self._places.chosen
        if not self._levels or model.seats[seat].kind != "open":
            self.show_answer("Every seat is taken." if self._levels else "This server has no bots.")
            return
        ways = {str(number): f"{name}: {about}" for number, (name, about) in enumerate(self._levels, 1)}

        def chosen(way: str | None) -> None:
            if way is not None:
                self._ask(self._seat(seat, self._levels[int(way) - 1][0]))

        self.app.push_screen(Choice(f"Which bot for seat {seat + 1}?", "Press its number.", ways), chosen)

    def action_fill(self) -> None:
        """Give every open seat to a bot, of the levels that the settings name, or of those that the server has."""
        if not self.attendance.model.am_host:
            return
        known = [name for name, _ in self._levels]
        levels = [level for level in self.usual_bots if level in known] or known[-1:]
        if levels:
            self._ask(self._fill(levels))
        else:
            self.show_answer("This server has no bots.")

    async def _fill(self, levels: Sequence[str]) -> None:
        seats = [seat for seat, info in enumerate(self.attendance.model.seats) if info.kind == "open"]
        for place, seat in enumerate(seats):
            await self.attendance.seat_bot(seat, levels[place % len(levels)])

    async def _seat(self, seat: int, level: str) -> None:
        await self.attendance.seat_bot(seat, level)
        self._choose_open()

    def action_unseat(self) -> None:
        """Free the chosen seat."""
        model = self.attendance.model
        seat = self._places.chosen
        if not model.am_host:
            return
        if seat == model.seat:
            self.show_answer("That is your own seat: q gives it up.")
        elif model.seats[seat].kind == "open":
            self.show_answer("Nobody sits there.")
        elif model.seats[seat].kind == "bot":
            self._ask(self.attendance.unseat(seat))
        else:

            def answered(yes: bool | None) -> None:
                if yes:
                    self._ask(self.attendance.unseat(seat))

            question = f"Take {model.names[seat]} off the seat? They may sit down again while it is open."
            self.app.push_screen(Question(question, "take them off it"), answered)

    def action_rules(self) -> None:
        """Show the rules."""
        self.app.push_screen(RulesPage(self.attendance.model.rules))

    def action_leave(self) -> None:
        """Ask how to leave."""
        if self.attendance.model.seat is None:
            self.dismiss("left")
            return
        ways = {"Enter": "go to the lobby and keep your seat for now", "x": "give your seat up", "Esc": "stay"}

        def chosen(way: str | None) -> None:
            if way is not None:
                self.dismiss("away" if way == "Enter" else "left")

        self.app.push_screen(Choice("Leave the table?", "", ways), chosen)
