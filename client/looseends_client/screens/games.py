"""The games that are over: a page of them, to look for, look back at, save, and be taken out of.

Each key asks the server through the desk in a worker; what the server says is shown here when it comes.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message

from looseends_client.cards_text import Faces
from looseends_client.contest_words import is_contest
from looseends_client.drawing.looking_back import game_row
from looseends_client.drawing.rows import Row, Span, filled, spread, wrapped
from looseends_client.game_client import NotConnected, RequestRefused
from looseends_client.history.desk import GamesDesk
from looseends_client.history.search import NoSuchDay, Search, options_of_search, search_of
from looseends_client.messages import ContestWanted
from looseends_client.screens.form_page import FormPage
from looseends_client.screens.numbers import LadderPage, NumbersPage
from looseends_client.screens.page import Ask, Page, SureQuestion
from looseends_client.screens.saving import save_games
from looseends_client.widgets.lines import Lines
from looseends_protocol.messages import GameLine, Games
from looseends_protocol.people_text import visible

TakeIn = Callable[[str], Awaitable[str]]
"""Takes in the games of a file, by its name, and says in a sentence what came of it."""
FORGET = (
    "Delete your traces? Your name goes out of every finished game, for good: others keep those games, with somebody "
    "on your seat. Your numbers and your rating are gone."
)
FORGET_AGAIN = "Really? Nobody can bring it back, not even the host. The games in progress stay yours."


class ReplayWanted(Message):
    """Somebody wants to look back at a game: at its replay, or at the review of it."""

    def __init__(self, line: GameLine, *, review: bool) -> None:
        super().__init__()
        self.line = line
        self.review = review


class GameRows(Lines):
    """The games, one a row."""

    DEFAULT_CSS = "GameRows { height: 1fr; }"

    def __init__(self, faces: Faces, *, alone: bool) -> None:
        super().__init__(id="games")
        self.faces = faces
        self._alone = alone
        self.page = Games(0, ())
        self.search = Search()
        self.chosen = 0
        self.answer = "One moment ..."

    def rows(self, width: int, height: int) -> list[Row]:
        """Return which games these are, as many of them as fit, and at the bottom what was answered."""
        answer = wrapped([Span(self.answer, "bad")], width - 2, self.faces)[: max(1, height // 3)]
        below = [filled([Span(" "), *row], width, self.faces) for row in answer]
        return [*self._list(width, height - len(below)), *below][-height:]

    def _list(self, width: int, height: int) -> list[Row]:
        faces, games = self.faces, self.page.games
        self.chosen = max(0, min(self.chosen, len(games) - 1))
        whose = "your games" if self.search.own else "all games that you may see"
        if self._alone:
            whose = "games" if self.search.words else "games of this folder; `looseends games list` shows all"
        words = f"{whose} {self.search.words}".rstrip()
        pages = f"page {self.page.page + 1} of {self.page.pages}: PgUp PgDn " if self.page.pages > 1 else ""
        rows: list[Row] = [spread([Span(f" {words}", "dim")], [Span(pages, "dim")], width, faces)]
        room = max(1, height - 1)
        first = max(0, min(self.chosen - room // 2, len(games) - room))
        for number, line in enumerate(games[first : first + room], first):
            rows.append(game_row(line, faces, width, chosen=number == self.chosen))
        if not games and not self.answer:
            rows.append([Span(" There is no game here yet: one that is played to its end is kept.", "dim")])
        rows = [filled(row, width, faces) for row in rows][:height]
        return rows + [filled([], width, faces)] * (height - len(rows))


class GamesScreen(Page[None]):
    """The list. `alone` says that these are the games of this program itself; `saves` that files may be written."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,tab", "choose(1)", "the next game", show=False),
        Binding("up,shift+tab", "choose(-1)", "the game before", show=False),
        Binding("pagedown", "page(1)", "the next page", show=False),
        Binding("pageup", "page(-1)", "the page before", show=False),
        Binding("enter", "replay", "look back at it, move by move", show=False),
        Binding("v", "review", "the review: what fox would have done in your place", show=False),
        Binding("c", "contest", "of a contest: how others did with the same cards", show=False),
        Binding("slash,f", "search", "look for games", show=False),
        Binding("n", "numbers", "your numbers, and anybody's", show=False),
        Binding("t", "ladder", "the ladder: who is strongest", show=False),
        Binding("e", "save", "write this game to a file", show=False),
        Binding("a", "save_all", "write all of these games to a file", show=False),
        Binding("m", "take_in", "take in games from a file", show=False),
        Binding("x", "forget", "delete your traces (asks twice)", show=False),
        Binding("q,escape", "leave", "back", show=False),
    ]
    heading = "No Loose Ends    games that are over"
    keys = "↑↓ Enter look back   v review   / search   n numbers   t ladder   e save   q back   ? all keys"

    def __init__(
        self, desk: GamesDesk, faces: Faces, *, alone: bool, saves: bool, take_in: TakeIn | None = None
    ) -> None:
        super().__init__()
        self._desk = desk
        self._alone = alone
        self._saves = saves
        self._take_in = take_in
        self._rows = GameRows(faces, alone=alone)
        self._rows.search = Search(own=not alone)

    def middle(self) -> ComposeResult:
        """Yield the list."""
        yield self._rows

    def on_mount(self) -> None:
        """Ask for the first page."""
        self._ask_for(0)

    # ── what the server says ────────────────────────────────────────────────────────────────────────────────────

    def show_answer(self, text: str) -> None:
        """Show a sentence."""
        self._rows.answer = visible(text)
        self._rows.redraw()

    def _ask_for(self, page: int) -> None:
        self.run_worker(self._fetch(page), group="page", exclusive=True)

    async def _fetch(self, page: int) -> None:
        try:
            found = await self._desk.page(self._rows.search, page)
        except (RequestRefused, NotConnected) as error:
            self.show_answer(str(error))
            return
        self._rows.page = found
        self._rows.chosen = 0
        self.show_answer("")

    # ── keys ────────────────────────────────────────────────────────────────────────────────────────────────────

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Say of keys that reach this machine's files whether they do that here."""
        if action in ("save", "save_all"):
            return self._saves
        if action == "take_in":
            return self._take_in is not None
        return super().check_action(action, parameters)

    @property
    def chosen(self) -> GameLine | None:
        """The chosen game."""
        games = self._rows.page.games
        return games[self._rows.chosen] if games else None

    def action_choose(self, step: int) -> None:
        """Choose another game."""
        games = self._rows.page.games
        if games:
            self._rows.chosen = (self._rows.chosen + step) % len(games)
            self.show_answer("")

    def action_page(self, step: int) -> None:
        """Ask for another page."""
        wanted = self._rows.page.page + step
        if 0 <= wanted < self._rows.page.pages:
            self._ask_for(wanted)

    def action_replay(self) -> None:
        """Look back at the chosen game."""
        self._look_back(review=False)

    def action_review(self) -> None:
        """Ask for the review of the chosen game."""
        if self.chosen is not None and self.chosen.seat is None:
            self.show_answer("A review is of decisions of your own: you did not play this game.")
        else:
            self._look_back(review=True)

    def _look_back(self, *, review: bool) -> None:
        if self.chosen is not None:
            self.show_answer("")
            self.post_message(ReplayWanted(self.chosen, review=review))

    def action_contest(self) -> None:
        """Show how others did with the cards of the chosen game."""
        if self.chosen is None:
            return
        if is_contest(self.chosen.origin):
            self.show_answer("")
            self.post_message(ContestWanted(self.chosen.origin))
        else:
            self.show_answer("The cards of this game were dealt at its own table alone.")

    def action_search(self) -> None:
        """Fill in what is looked for."""

        def wanted(search: Search | None) -> None:
            if search is not None:
                self._rows.search = search
                self._ask_for(0)

        self.app.push_screen(SearchForm(self._rows.search, self._rows.faces, alone=self._alone), wanted)

    def action_numbers(self) -> None:
        """Show one's own numbers."""
        self.app.push_screen(NumbersPage(self._desk, self._rows.faces))

    def action_ladder(self) -> None:
        """Show the ladder."""
        self.app.push_screen(LadderPage(self._desk, self._rows.faces))

    def action_save(self) -> None:
        """Ask for a file, and write the chosen game to it."""
        line = self.chosen
        if line is not None:
            self._save(f"game-{line.game}.jsonl", [line])

    def action_save_all(self) -> None:
        """Ask for a file, and write every game that is looked for to it."""
        if self.chosen is not None:
            self._save("games.jsonl", None)

    def _save(self, name: str, lines: list[GameLine] | None) -> None:
        def typed(file: str | None) -> None:
            if file:
                work = save_games(self._desk, file, lines or self._rows.search, self.show_answer)
                self.run_worker(work, group="files", exclusive=True)

        about = "The file must not exist yet: nothing is written over."
        what = "this game" if lines else "all of these games"
        self.app.push_screen(Ask(f"Write {what} to which file?", about, name, done="write it"), typed)

    def action_take_in(self) -> None:
        """Ask for a file, and take in its games."""
        take_in = self._take_in

        def typed(file: str | None) -> None:
            if file and take_in is not None:
                self.run_worker(self._take(take_in, file), group="files", exclusive=True)

        about = "Every record in it is checked first."
        self.app.push_screen(Ask("Take in the games of which file?", about, done="take them in"), typed)

    async def _take(self, take_in: TakeIn, file: str) -> None:
        self.show_answer("One moment ...")
        said = await take_in(file)
        await self._fetch(0)
        self.show_answer(said)

    def action_forget(self) -> None:
        """Ask twice, and be taken out of every game."""

        def sure(yes: bool | None) -> None:
            if yes:
                self.app.push_screen(SureQuestion(FORGET_AGAIN), quite_sure)

        def quite_sure(yes: bool | None) -> None:
            if yes:
                self.run_worker(self._forget())

        self.app.push_screen(SureQuestion(FORGET), sure)

    async def _forget(self) -> None:
        self.show_answer("One moment ...")
        try:
            await self._desk.delete_traces()
        except (RequestRefused, NotConnected) as error:
            self.show_answer(str(error))
            return
        await self._fetch(0)
        self.show_answer("Your traces are deleted.")

    def action_leave(self) -> None:
        """Go back."""
        self.dismiss(None)


class SearchForm(FormPage[Search | None]):
    """What is looked for. Enter looks, q gives up."""

    heading = "No Loose Ends    look for games"
    keys = "↑↓ what   ← → change   Enter look   q back"

    def __init__(self, search: Search, faces: Faces, *, alone: bool) -> None:
        super().__init__(options_of_search(search, alone=alone), faces)
        self._alone = alone

    def action_done(self) -> None:
        """Give what is looked for, or say which day is none."""
        try:
            search = search_of(self.form.options, alone=self._alone)
        except NoSuchDay as error:
            self.show_answer(str(error))
        else:
            self.dismiss(search)
