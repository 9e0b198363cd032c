"""The lobby of a server: your own tables first, then the open ones; a new one, one by its code, one to watch."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message

from looseends_client.cards_text import Faces
from looseends_client.drawing.rows import Row, Span, filled, spread, wrapped
from looseends_client.lobby_list import lobby_entries, makes_sense, table_to_play_at
from looseends_client.messages import DailyWanted
from looseends_client.screens.new_table import NewTable
from looseends_client.screens.page import Ask, Page
from looseends_client.screens.rules_page import RulesPage
from looseends_client.table_words import options_words, rules_words
from looseends_client.visits import TableWish
from looseends_client.widgets.lines import Lines
from looseends_core.rules import rule_set
from looseends_protocol.codes import table_code
from looseends_protocol.messages import SeatHeld, TableLine, TableOptions, Welcome
from looseends_protocol.people_text import visible


class TableChosen(Message):
    """Somebody wants to go to a table, to sit or to watch."""

    def __init__(self, code: str, *, watch: bool = False) -> None:
        super().__init__()
        self.code = code
        self.watch = watch


class TableWished(Message):
    """Somebody wants a new table."""

    def __init__(self, wish: TableWish) -> None:
        super().__init__()
        self.wish = wish


class PageWanted(Message):
    """Somebody wants to see another page of the list."""

    def __init__(self, page: int) -> None:
        super().__init__()
        self.page = page


class GamesWanted(Message):
    """Somebody wants to see the games that are over."""


class LobbyLeft(Message):
    """Somebody wants to leave the server."""


_PLAYERS_AT_ONCE = 4
"""Seats of a table that is opened for somebody who just wants to play."""
_WORDS_FROM = 56
"""From this width the seats of a table are told in words."""
_ROWS_OF_ENTRY = 4
"""Rows of a table in the list: who, what is played, how fast, and a blank one."""


class TableList(Lines):
    """The tables, a few rows each."""

    DEFAULT_CSS = "TableList { height: 1fr; }"

    def __init__(self, faces: Faces) -> None:
        super().__init__(id="tables")
        self.faces = faces
        self.seats: tuple[SeatHeld, ...] = ()
        self.tables: tuple[TableLine, ...] = ()
        self.chosen = 0
        self.answer = ""
        self.which_page = ""
        """Which page of the server's list this is, empty where there is one alone."""
        self.come_back = ""
        """The command that brings one back to this server, empty where there is none."""

    @property
    def entries(self) -> list[SeatHeld | TableLine]:
        """Own seats first, then tables at which one has none."""
        return lobby_entries(self.seats, self.tables)

    def change(self, *, seats: tuple[SeatHeld, ...] | None = None, tables: tuple[TableLine, ...] | None = None) -> None:
        """Take another list of either kind. The chosen table stays chosen, wherever it stands now."""
        entries = self.entries
        chosen = entries[self.chosen].code if self.chosen < len(entries) else ""
        self.seats = self.seats if seats is None else seats
        self.tables = self.tables if tables is None else tables
        self.chosen = next((n for n, entry in enumerate(self.entries) if entry.code == chosen), self.chosen)
        self.redraw()

    def rows(self, width: int, height: int) -> list[Row]:
        """Return as many tables as fit, the chosen one among them, or a word on how to begin."""
        faces = self.faces
        entries = self.entries
        self.chosen = max(0, min(self.chosen, len(entries) - 1))
        rows: list[Row] = [[Span(f" {self.which_page}", "dim")] if self.which_page else []]
        if self.answer:
            rows += [[Span(" "), *row] for row in wrapped([Span(self.answer, "bad")], width - 2, faces)]
            rows.append([])
        if not entries:
            rows += [
                [Span(" No table is open.", "strong")],
                [Span(" Press p to play: a table for four is opened, and others will see it here.", "dim")],
                [Span(" Press n for one with other rules, d for the deal of the day.", "dim")],
            ]
        foot = self._how_to_come_back(width) if height >= 12 else []
        room = max(1, (height - len(rows) - len(foot)) // _ROWS_OF_ENTRY)
        first = max(0, min(self.chosen - room + 1, len(entries) - room))
        if first:
            rows[0] = spread(rows[0], [Span(f"{faces.plus}{first} more above ", "dim")], width, faces)
        for number, entry in enumerate(entries[first : first + room], first):
            rows += self._entry(entry, width, chosen=number == self.chosen)
        hidden = len(entries) - min(len(entries), first + room)
        if hidden and rows:
            rows[-1] = [Span(f"   {faces.plus}{hidden} more below", "dim")]
        rows = rows[: height - len(foot)]
        rows += [[]] * (height - len(foot) - len(rows)) + foot
        return [filled(row, width, faces) for row in rows]

    def _how_to_come_back(self, width: int) -> list[Row]:
        if not self.come_back:
            return []
        kept = "Your seats are kept. To come back: " if self.seats else "To come back: "
        words: Row = [Span(kept, "dim"), Span(self.come_back, "strong")]
        if max(map(len, self.come_back.split())) <= width - 4:
            return [[Span(" "), *row] for row in wrapped(words, width - 2, self.faces, indent=2)]
        # An address with a pin is longer than a row, and has to be copied whole: broken anywhere, never cut.
        pieces = [self.come_back[at : at + width - 2] for at in range(0, len(self.come_back), max(1, width - 2))]
        return [[Span(" "), words[0]], *([Span(" "), Span(piece, "strong")] for piece in pieces)]

    def _entry(self, entry: SeatHeld | TableLine, width: int, *, chosen: bool) -> list[Row]:
        faces = self.faces
        mark = Span(f" {faces.turn if chosen else ' '} ", "turn")
        title = Span(visible(entry.title) or visible(entry.code), "strong")
        if isinstance(entry, SeatHeld):
            now = "your turn" if entry.yours else "your seat is kept"
            line = next((table for table in self.tables if table.code == entry.code), None)
            about = rules_words(line.rules) if line is not None else entry.phase
            pace = options_words(line.options) if line is not None else ""
            return [
                spread([mark, title], [Span(f"{now} ", "good")], width, faces),
                [Span(f"   {about}", "dim")],
                [Span(f"   {pace}", "dim")],
                [],
            ]
        taken = entry.rules.players - entry.open_seats
        state = f"{taken} of {entry.rules.players} seats taken" if entry.phase == "gathering" else f"{entry.phase}"
        lock = "password, " if entry.needs_password else ""
        if width < _WORDS_FROM and entry.phase == "gathering":
            state, lock = f"{taken}/{entry.rules.players}", "locked " if entry.needs_password else ""
        names = ", ".join(visible(name) for name in entry.names)
        watching: Row = [Span(f"{entry.watching} watching ", "dim")] if entry.watching else []
        return [
            spread([mark, title, Span(f"  {names}", "")], [Span(f"{lock}{state} ", "")], width, faces),
            [Span(f"   {rules_words(entry.rules)}", "dim")],
            spread([Span(f"   {options_words(entry.options)}", "dim")], watching, width, faces),
            [],
        ]


def _plays(entry: SeatHeld | TableLine) -> bool:
    """Return whether one can only watch there: no seat is free, or the game has begun without one."""
    return isinstance(entry, TableLine) and (entry.phase != "gathering" or not entry.open_seats)


class LobbyScreen(Page[None]):
    """What stands open at a server."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,tab", "choose(1)", "the next table", show=False),
        Binding("up,shift+tab", "choose(-1)", "the table before", show=False),
        Binding("enter", "enter", "sit down there, or watch one that plays", show=False),
        Binding("p", "play", "play now: sit down at the table that starts first, or open one", show=False),
        Binding("w", "watch", "watch", show=False),
        Binding("n", "new", "a new table with rules of yours", show=False),
        Binding("c", "code", "go to a table by its invite code", show=False),
        Binding("pagedown", "page(1)", "the next page of a long list", show=False),
        Binding("pageup", "page(-1)", "the page before", show=False),
        Binding("d", "daily", "the deal of the day, one try; how it went once you have played", show=False),
        Binding("g", "games", "games that are over, yours first; numbers and ladder", show=False),
        Binding("i", "rules", "the rules", show=False),
        Binding("l", "app.learn", "learn to play, in three minutes", show=False),
        Binding("q", "leave", "leave the server", show=False),
    ]
    other_keys = "p play now   w watch   n new   c code   d daily   g games   i rules   q leave"

    def __init__(self, faces: Faces, welcome: Welcome, *, come_back: str = "") -> None:
        super().__init__()
        self._faces = faces
        self._list = TableList(faces)
        self.welcome = welcome
        self._list.seats = welcome.seats
        self._list.come_back = come_back
        self.keys = self._all_keys()
        self.page = 0
        """The page of the list that is shown, from 0."""
        self._pages = 1
        self.heading = f"{visible(welcome.server)}    you are {visible(welcome.name)}"

    def middle(self) -> ComposeResult:
        """Yield the list."""
        yield self._list

    def _all_keys(self) -> str:
        """Return the line of keys: Enter goes back to one's seat, sits down, or watches where no seat is free."""
        entry = self._chosen()
        if entry is None:
            return self.other_keys
        does = "watch" if _plays(entry) else "sit down" if isinstance(entry, TableLine) else "go back to it"
        return f"↑↓ Enter {does}   {self.other_keys}"

    def show_tables(self, tables: tuple[TableLine, ...], page: int = 0, pages: int = 1) -> None:
        """Show a page of the lobby, and which one it is where there are several."""
        self.page, self._pages = page, max(1, pages)
        self._list.which_page = f"page {page + 1} of {pages}: PgUp and PgDn turn it" if pages > 1 else ""
        self._list.change(tables=tuple(line for line in tables if makes_sense(line.rules)))
        self.set_keys(self._all_keys())

    def action_page(self, step: int) -> None:
        """Ask for the next page of the list, or the one before."""
        wanted = self.page + step
        if 0 <= wanted < self._pages:
            self._list.chosen = 0
            self.post_message(PageWanted(wanted))

    def show_seats(self, seats: tuple[SeatHeld, ...]) -> None:
        """Show where one has a seat."""
        self._list.change(seats=seats)
        self.set_keys(self._all_keys())

    def show_answer(self, text: str) -> None:
        """Show why something was refused."""
        self._list.answer = visible(text)
        self._list.redraw()

    def action_choose(self, step: int) -> None:
        """Choose another table."""
        entries = self._list.entries
        if entries:
            self._list.chosen = (self._list.chosen + step) % len(entries)
            self._list.redraw()
            self.set_keys(self._all_keys())

    def action_enter(self) -> None:
        """Sit down at the chosen table; watch one that plays already."""
        entry = self._chosen()
        if entry is None:
            self.action_new()
        else:
            self._go(entry.code, watch=_plays(entry))

    def action_play(self) -> None:
        """Sit down at the table that starts first, or open one where none has a free seat for anybody."""
        table = table_to_play_at(self._list.tables)
        if table is not None:
            self._go(table.code, watch=False)
        else:
            self.show_answer("")
            self.post_message(TableWished(TableWish(rule_set(_PLAYERS_AT_ONCE), TableOptions(clock_seconds=60))))

    def action_watch(self) -> None:
        """Watch the chosen table."""
        entry = self._chosen()
        if entry is not None:
            self._go(entry.code, watch=True)

    def _chosen(self) -> SeatHeld | TableLine | None:
        entries = self._list.entries
        return entries[self._list.chosen] if entries else None

    def _go(self, code: str, *, watch: bool) -> None:
        self.show_answer("")
        self.post_message(TableChosen(code, watch=watch))

    def action_new(self) -> None:
        """Fill in the form of a new table."""

        def wished(wish: TableWish | None) -> None:
            if wish is not None:
                self.post_message(TableWished(wish))

        self.app.push_screen(NewTable(self._faces, self.welcome.levels, alone=False), wished)

    def action_code(self) -> None:
        """Ask for a table's code."""

        def typed(code: str | None) -> None:
            if code:
                self._go(table_code(code), watch=False)

        self.app.push_screen(Ask("The table's code", "As you were told it, capitals or not.", done="go there"), typed)

    def action_daily(self) -> None:
        """Play the deal of the day, or see how it went."""
        self.show_answer("")
        self.post_message(DailyWanted())

    def action_games(self) -> None:
        """Show the games that are over."""
        self.post_message(GamesWanted())

    def action_rules(self) -> None:
        """Show the rules."""
        self.app.push_screen(RulesPage())

    def action_leave(self) -> None:
        """Leave the server."""
        self.post_message(LobbyLeft())
