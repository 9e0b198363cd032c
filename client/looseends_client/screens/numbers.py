"""What somebody's games add up to, and who stands where on the ladder."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll

from looseends_client.cards_text import Faces
from looseends_client.drawing.looking_back import LONG_FROM, table_row
from looseends_client.drawing.rows import Row, Span, filled, wrapped
from looseends_client.game_client import NotConnected, RequestRefused
from looseends_client.history.desk import GamesDesk
from looseends_client.history.game_words import (
    NUMBER_HEADINGS,
    kind_of_games,
    number_cells,
    numbers_of,
    player_name,
    rating_text,
)
from looseends_client.screens.page import Ask, Page, Sheet
from looseends_client.widgets.lines import Lines
from looseends_core.numbers import Numbers
from looseends_protocol.messages import Leader, NumbersOf

_MEANT = (
    "mean: points of a game. crimes: Perfect Crimes. snitch: without a trick, of all tried. exact: all bids covered "
    "and nothing loose, of all rounds with a bid. loose: loose ends a round."
)


class NumberRows(Sheet):
    """The numbers, a row for each kind of games, all of them first."""

    def __init__(self, faces: Faces) -> None:
        super().__init__(id="rows")
        self.faces = faces
        self.of: NumbersOf | None = None
        self.answer = "One moment ..."

    def all_rows(self, width: int) -> list[Row]:
        """Return every row."""
        faces = self.faces
        rows: list[Row] = []
        if self.answer:
            rows += [*wrapped([Span(f" {self.answer}", "bad")], width, faces), []]
        if self.of is not None:
            rows += self._numbers(self.of, width)
        return [filled(row, width, faces) for row in rows]

    def _numbers(self, of: NumbersOf, width: int) -> list[Row]:
        faces = self.faces
        rated = f"   rating {rating_text(of.rating)}" if of.rating is not None else "   no rating yet"
        rows: list[Row] = [[Span(f" {player_name(of.name)}", "strong"), Span(rated, "dim")]]
        if of.out:
            rows.append([Span(" You are in no list, and others see none of this.", "dim")])
        rows.append([])
        if not of.numbers:
            return [*rows, [Span(" No games that may be seen.", "dim")]]
        each = 8 if width >= LONG_FROM else 6
        heads = [Span(head[: each - 1], "dim") for head in NUMBER_HEADINGS]
        rows.append(table_row(Span("", ""), heads, faces, width, each))
        total = sum((numbers_of(line) for line in of.numbers), Numbers())
        rows.append(table_row(Span("all games", "strong"), self._cells(total, "strong"), faces, width, each))
        rows += [
            table_row(
                Span(kind_of_games(line, short=width < LONG_FROM)), self._cells(numbers_of(line)), faces, width, each
            )
            for line in of.numbers
        ]
        return [*rows, [], *([Span(" "), *row] for row in wrapped([Span(_MEANT, "dim")], width - 2, faces))]

    def _cells(self, numbers: Numbers, look: str = "") -> list[Span]:
        return [Span(cell.replace("-", self.faces.minus), look) for cell in number_cells(numbers)]


class NumbersPage(Page[None]):
    """The numbers of one player, one's own at first."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "name", "somebody else's numbers, by their name", show=False),
        Binding("m", "mine", "your own", show=False),
        Binding("o", "out", "be left out of all lists, or be in them again", show=False),
        Binding("t", "ladder", "the ladder", show=False),
        Binding("down", "scroll_by(1)", "a line down", show=False),
        Binding("up", "scroll_by(-1)", "a line up", show=False),
        Binding("enter,q,escape", "leave", "back", show=False),
    ]
    heading = "No Loose Ends    numbers"
    keys = "n somebody's   m yours   o leave the lists   t ladder   q back"

    def __init__(self, desk: GamesDesk, faces: Faces, name: str = "") -> None:
        super().__init__()
        self._desk = desk
        self._rows = NumberRows(faces)
        self._whose = name

    def middle(self) -> ComposeResult:
        """Yield the numbers."""
        with VerticalScroll(classes="body", can_focus=False):
            yield self._rows

    def on_mount(self) -> None:
        """Ask for them."""
        self._ask_for(self._whose)

    def _ask_for(self, name: str) -> None:
        self._whose = name
        self.run_worker(self._fetch(), group="numbers", exclusive=True)

    async def _fetch(self) -> None:
        try:
            self._rows.of, self._rows.answer = await self._desk.numbers(self._whose), ""
        except (RequestRefused, NotConnected) as error:
            self._rows.answer = str(error)
        self._show()

    def _show(self) -> None:
        out = self._rows.of is not None and self._rows.of.out
        self.set_keys(
            f"n somebody's   m yours   o {'be in the lists' if out else 'leave the lists'}   t ladder   q back"
        )
        self._rows.refresh(layout=True)
        self._rows.redraw()

    def action_name(self) -> None:
        """Ask for a name."""

        def typed(name: str | None) -> None:
            if name:
                self._ask_for(name)

        self.app.push_screen(Ask("Whose numbers?", "A name, or a bot such as bot:fox.", max_length=64), typed)

    def action_mine(self) -> None:
        """Show one's own."""
        self._ask_for("")

    def action_out(self) -> None:
        """Leave the lists, or come back into them."""
        self.run_worker(self._leave_or_come_back())

    async def _leave_or_come_back(self) -> None:
        try:
            own = await self._desk.numbers()
            await self._desk.leave_lists(out=not own.out)
        except (RequestRefused, NotConnected) as error:
            self._rows.answer = str(error)
            self._show()
        else:
            self._whose = ""
            await self._fetch()

    def action_ladder(self) -> None:
        """Show the ladder."""
        self.app.push_screen(LadderPage(self._desk, self._rows.faces))

    def action_scroll_by(self, rows: int) -> None:
        """Scroll."""
        self.query_one(VerticalScroll).scroll_relative(y=rows)

    def action_leave(self) -> None:
        """Go back."""
        self.dismiss(None)


class Rungs(Lines):
    """The ladder, one player a row."""

    DEFAULT_CSS = "Rungs { height: 1fr; }"

    def __init__(self, faces: Faces) -> None:
        super().__init__(id="ladder")
        self.faces = faces
        self.leaders: tuple[Leader, ...] = ()
        self.bots = False
        self.chosen = 0
        self.answer = "One moment ..."

    def rows(self, width: int, height: int) -> list[Row]:
        """Return as many as fit, the chosen one among them."""
        faces = self.faces
        each = 9
        heads = [Span("rating", "dim"), Span("games", "dim")]
        rows: list[Row] = [table_row(Span("bots" if self.bots else "people", "heading"), heads, faces, width, each)]
        room = max(1, height - 2)
        first = max(0, min(self.chosen - room // 2, len(self.leaders) - room))
        for number, leader in enumerate(self.leaders[first : first + room], first):
            chosen = number == self.chosen
            mark = faces.turn if chosen else " "
            label = Span(f"{mark} {number + 1:>3}  {player_name(leader.name)}", "strong" if chosen else "")
            cells = [Span(rating_text(leader.rating).replace("-", faces.minus)), Span(str(leader.games), "dim")]
            rows.append(table_row(label, cells, faces, width, each))
        if not self.leaders and not self.answer:
            word = "Nobody yet: a game counts when every deal of it is proven and two of a kind played it to the end."
            rows += [[Span(" "), *row] for row in wrapped([Span(word, "dim")], width - 2, faces)]
        rows = [filled(row, width, faces) for row in rows][: height - 1]
        rows += [filled([], width, faces)] * (height - 1 - len(rows))
        return [*rows, filled([Span(f" {self.answer}", "bad")], width, faces)][-height:]


class LadderPage(Page[None]):
    """The ladder of people, or that of bots."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,tab", "choose(1)", "the next rung", show=False),
        Binding("up,shift+tab", "choose(-1)", "the rung before", show=False),
        Binding("b", "bots", "bots, or people again", show=False),
        Binding("enter", "numbers", "their numbers", show=False),
        Binding("q,escape", "leave", "back", show=False),
    ]
    heading = "No Loose Ends    ladder"
    keys = "↑↓ Enter numbers   b bots or people   q back"

    def __init__(self, desk: GamesDesk, faces: Faces) -> None:
        super().__init__()
        self._desk = desk
        self._rungs = Rungs(faces)

    def middle(self) -> ComposeResult:
        """Yield the ladder."""
        yield self._rungs

    def on_mount(self) -> None:
        """Ask for it."""
        self._ask()

    def _ask(self) -> None:
        self.run_worker(self._fetch(), group="ladder", exclusive=True)

    async def _fetch(self) -> None:
        rungs = self._rungs
        try:
            rungs.leaders, rungs.answer = (await self._desk.leaders(bots=rungs.bots)).leaders, ""
        except (RequestRefused, NotConnected) as error:
            rungs.answer = str(error)
        rungs.chosen = 0
        rungs.redraw()

    def action_choose(self, step: int) -> None:
        """Choose another rung."""
        if self._rungs.leaders:
            self._rungs.chosen = (self._rungs.chosen + step) % len(self._rungs.leaders)
            self._rungs.redraw()

    def action_bots(self) -> None:
        """Show the other ladder."""
        self._rungs.bots = not self._rungs.bots
        self._ask()

    def action_numbers(self) -> None:
        """Show the numbers of whoever is chosen."""
        if self._rungs.leaders:
            name = self._rungs.leaders[self._rungs.chosen].name
            self.app.push_screen(NumbersPage(self._desk, self._rungs.faces, name))

    def action_leave(self) -> None:
        """Go back."""
        self.dismiss(None)
