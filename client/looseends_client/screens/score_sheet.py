"""The score sheet over the table: after a round until everybody is ready, after the game with who won and why."""

from __future__ import annotations

from typing import ClassVar, Protocol

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.geometry import Region
from textual.message import Message

from looseends_client.cards_text import Faces
from looseends_client.drawing.rows import Row, Span, filled, sentence_row, wrapped
from looseends_client.drawing.sheet import NOW, Cell, final_rows, lines_on, runs, sheet_rows, words_on
from looseends_client.game_client import NotConnected, RequestRefused
from looseends_client.messages import ContestWanted
from looseends_client.screens.page import Page, Sheet
from looseends_client.table_model import TableModel
from looseends_client.widgets.lines import Lines

KEYS_REST_SECONDS = 0.4
"""For this long a sheet that came up by itself takes no key: the last one pressed was meant for the table."""


class ScoreRows(Sheet):
    """The rows of one page: a round, the running one, or the whole game."""

    def __init__(self, model: TableModel, faces: Faces) -> None:
        super().__init__(id="rows")
        self.model = model
        self.faces = faces
        self.round: int | None = None
        """The round that is shown, NOW for the running one, None for the final sheet."""
        self.chosen: Cell | None = None
        """The number that is asked about."""
        self.shows_proofs = True
        """Whether a round's sheet says that its deal is proven; that one is not is always said."""

    def all_rows(self, width: int) -> list[Row]:
        """Return the sheet."""
        if self.round is None:
            return final_rows(self.model, self.faces, width, self.chosen)
        return sheet_rows(self.model, self.faces, width, self.round, self.chosen, proofs=self.shows_proofs)


class ScoreWord(Lines):
    """Where the chosen number comes from, always in the same place; how to ask while none is chosen."""

    DEFAULT_CSS = "ScoreWord { height: 3; padding: 0 1; }"

    def __init__(self, shown: ScoreRows) -> None:
        super().__init__(id="word")
        self._shown = shown

    def rows(self, width: int, height: int) -> list[Row]:
        """Return the sentence, broken to the width, at the bottom."""
        shown, faces = self._shown, self._shown.faces
        said: Row = [Span(f"{faces.arrows} and up, down: where a number comes from", "dim")]
        if shown.chosen is not None:
            said = sentence_row(words_on(shown.model, faces, shown.round, shown.chosen), faces)
        rows = wrapped(said, width, faces)[:height]
        return [filled([], width, faces)] * (height - len(rows)) + [filled(row, width, faces) for row in rows]


class LookBackWanted(Message):
    """Somebody wants to look back at the game of this sheet: at its replay, or at the review of it."""

    def __init__(self, model: TableModel, *, review: bool) -> None:
        super().__init__()
        self.origin = model.options.contest or model.code
        """Under what the server keeps the game."""
        self.scores = tuple(model.state.scores)
        self.played = model.seat is not None
        self.review = review


class AtTable(Protocol):
    """What a sheet needs of the table that it is of."""

    @property
    def model(self) -> TableModel:
        """The table."""
        ...

    async def be_ready(self) -> None:
        """Say that the last round has been seen. Raises RequestRefused or NotConnected."""
        ...


class ScoreSheet(Page[None]):
    """The sheet. Enter says ready where that is asked, and goes back to the table otherwise."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,tab", "choose(1)", "where the next number comes from", show=False),
        Binding("left,shift+tab", "choose(-1)", "the number before", show=False),
        Binding("down", "choose_line(1)", "the number below", show=False),
        Binding("up", "choose_line(-1)", "the number above", show=False),
        Binding("r,pagedown", "turn(1)", "the next round's sheet", show=False),
        Binding("pageup", "turn(-1)", "the sheet of the round before", show=False),
        Binding("enter", "go_on", "go on: the next round, or back to the table", show=False),
        Binding("n", "new_game", "after the game: play again", show=False),
        Binding("b", "look_back(False)", "after the game: look back at it, move by move", show=False),
        Binding("v", "look_back(True)", "after the game: the review, what fox would have done", show=False),
        Binding("c", "contest", "after the game: how others did with the same cards", show=False),
        Binding("q,s,escape", "close", "back to the table", show=False),
    ]

    def __init__(self, attendance: AtTable, faces: Faces) -> None:
        super().__init__()
        self._attendance = attendance
        self._model = attendance.model
        self._game = self._model.game
        self._rows = ScoreRows(self._model, faces)
        self._word = ScoreWord(self._rows)
        self._rows.round = self._last_page()
        self.heading = "No Loose Ends    score sheet"
        self._takes_keys = False

    def _pages(self) -> list[int | None]:
        """Return the pages there are: the rounds that are over, the running one, the whole game once it is over."""
        pages: list[int | None] = [*range(1, len(self._model.state.results) + 1)]
        if runs(self._model):
            pages.append(NOW)
        if self._model.state.winners is not None:
            pages.append(None)
        return pages or [NOW]

    def _last_page(self) -> int | None:
        return self._pages()[-1]

    def middle(self) -> ComposeResult:
        """Yield the rows, and where a word on one of them stands."""
        with VerticalScroll(classes="body", can_focus=False):
            yield self._rows
        yield self._word

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
            and (model.has_rematch or model.phase == "between")
            and model.game == self._game
        )

    def table_changed(self) -> None:
        """Follow the table; close when the next round has been dealt."""
        if self._model.phase in ("playing", "dealing") and self.opened_for_ready:
            self.dismiss(None)
            return
        if self._rows.round not in self._pages():
            self._turn_to(self._last_page())
        self._show()

    def _turn_to(self, page: int | None) -> None:
        self._rows.round = page
        if self._rows.chosen is not None and self._rows.chosen.line not in lines_on(self._model, page):
            self._rows.chosen = None

    def _show(self) -> None:
        self._rows.refresh(layout=True)
        self._rows.redraw()
        self._word.redraw()
        self._show_keys()

    came_by_itself = False
    """Whether the sheet came up without being asked for, so that a key may still be meant for the table below."""

    opened_for_ready = False
    """Whether the sheet was opened because a round ended, and so closes when the next begins."""

    def _show_keys(self) -> None:
        if not self._takes_keys:
            self.set_keys("")
            return
        pages = "   r other rounds" if len(self._pages()) > 1 else ""
        others = "   c how others did" if self.can_compare else ""
        back = "   v review   b look back" if self.can_look_back else ""
        self.set_keys(f"{self.words_for_enter()}{others}{back}{pages}   ? keys")

    can_be_looked_back_at = True
    """Whether the server keeps a game like this one when it is over."""

    @property
    def can_look_back(self) -> bool:
        """Whether there is a game to look back at."""
        return self.can_be_looked_back_at and self._model.phase == "over" and self._model.game == self._game

    @property
    def can_compare(self) -> bool:
        """Whether the same cards were dealt elsewhere, to be compared with by who has played them to the end."""
        return self.can_look_back and bool(self._model.options.contest) and self._model.seat is not None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Say that there is nothing to look back at before the end."""
        if action == "contest":
            return self.can_compare
        if action == "new_game":
            return self._model.has_rematch
        return self.can_look_back if action == "look_back" else super().check_action(action, parameters)

    def action_look_back(self, review: bool) -> None:
        """Look back at the game that is over."""
        if self._takes_keys:
            self.post_message(LookBackWanted(self._model, review=review))

    def action_contest(self) -> None:
        """Show how others did with the same cards."""
        if self._takes_keys:
            self.post_message(ContestWanted(self._model.options.contest))

    def show_answer(self, text: str) -> None:
        """Show a sentence."""
        self.notify(text, markup=False)

    def words_for_enter(self) -> str:
        """Return what Enter does now, and what is waited for."""
        model = self._model
        waiting = ""
        alone = len(model.persons) <= 1
        if model.phase in ("between", "over") and not alone:
            waiting = f" ({len(model.ready)} of {len(model.persons)} ready)"
            seconds = model.ready_seconds_left()
            if seconds is not None and model.phase == "between":
                waiting += f", next round in {seconds}s"
        if self.asks_ready and model.phase == "between":
            return "Enter: next round" if alone else f"Enter: ready{waiting}"
        if self.asks_ready:
            return f"Enter: back to the table   n: play again{waiting}"
        if model.phase in ("between", "over") and model.seat in model.ready:
            return f"Waiting for the others{waiting}   Enter: back"
        return "Enter: back"

    def action_turn(self, step: int) -> None:
        """Turn to another page; past the last one comes the first."""
        pages = self._pages()
        at = pages.index(self._rows.round) if self._rows.round in pages else 0
        self._turn_to(pages[(at + step) % len(pages)])
        self._show()

    def action_choose(self, step: int) -> None:
        """Ask about the number `step` places on, line by line."""
        lines = lines_on(self._model, self._rows.round)
        seats = self._model.state.players
        cells = [Cell(line, seat) for line in lines for seat in range(seats)]
        self._ask_about(cells, step)

    def action_choose_line(self, step: int) -> None:
        """Ask about the number of the same seat `step` lines on."""
        seat = self._rows.chosen.seat if self._rows.chosen is not None else self._model.seat or 0
        self._ask_about([Cell(line, seat) for line in lines_on(self._model, self._rows.round)], step)

    def _ask_about(self, cells: list[Cell], step: int) -> None:
        chosen = self._rows.chosen
        if chosen is not None and chosen in cells:
            self._rows.chosen = cells[(cells.index(chosen) + step) % len(cells)]
        else:
            self._rows.chosen = next((cell for cell in cells if cell.seat == self._model.seat), cells[0])
        self._rows.redraw()
        self._word.redraw()
        self._show_chosen()

    def _show_chosen(self) -> None:
        """Scroll to the chosen number where it is out of sight."""
        rows = self._rows.all_rows(max(1, self._rows.size.width))
        at = next((y for y, row in enumerate(rows) if any(span.text == "[" for span in row)), 0)
        self.query_one(VerticalScroll).scroll_to_region(Region(0, at, 1, 1), animate=False)

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
