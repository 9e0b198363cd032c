"""How a contest went: the list of a day with a result to pass on, or what was made of each deal, seat by seat."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll

from looseends_client.cards_text import Faces
from looseends_client.contest_words import contest_title, is_daily, result_lines, sides_of
from looseends_client.drawing.contest import contest_rows
from looseends_client.drawing.rows import Row, Span, filled, wrapped
from looseends_client.screens.page import Page, Sheet
from looseends_protocol.messages import Contest
from looseends_protocol.people_text import visible

COPIED = "Three lines are on the clipboard, where the terminal lets programs write there."


class ContestRows(Sheet):
    """The rows of a contest."""

    def __init__(self, contest: Contest, faces: Faces, word: str) -> None:
        super().__init__(id="rows")
        self.contest = contest
        self.faces = faces
        self._word = word
        own = next((line.seat for line in contest.lines if line.seat is not None), None)
        players = contest.rules.players
        self.pages = players + bool(sides_of(contest))
        """The seats, and the sides where there are any."""
        self.seat = players if self.pages > players else own or 0
        """The seat that is compared at all tables; the number of players for the sides."""

    def all_rows(self, width: int) -> list[Row]:
        """Return every row, under a word on why they are shown where there is one."""
        said = wrapped([Span(self._word, "strong")], width - 2, self.faces) if self._word else []
        word = [filled([Span(" "), *row], width, self.faces) for row in said]
        return [*word, *contest_rows(self.contest, self.seat, self.faces, width)]


class ContestPage(Page[None]):
    """How a contest went, as far as it has been played."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,tab", "seat(1)", "the next seat", show=False),
        Binding("left,shift+tab", "seat(-1)", "the seat before", show=False),
        Binding("down", "scroll_by(1)", "a line down", show=False),
        Binding("up", "scroll_by(-1)", "a line up", show=False),
        Binding("pagedown,space", "scroll_by(10)", "a page down", show=False),
        Binding("pageup", "scroll_by(-10)", "a page up", show=False),
        Binding("c", "copy", "copy your result of the day, three lines that give nothing away", show=False),
        Binding("enter,q,escape", "close", "back", show=False),
    ]

    def __init__(self, contest: Contest, faces: Faces, *, word: str = "") -> None:
        """`word` says why the page is shown, where it was not asked for by its name."""
        super().__init__()
        self.contest = contest
        self._rows = ContestRows(contest, faces, visible(word))
        self.heading = f"No Loose Ends    {contest_title(contest.contest)}"
        seats = "seats and sides" if self._rows.pages > contest.rules.players else "seats"
        own = "c copy result" if is_daily(contest.contest) else f"{faces.arrows} {seats}"
        self.keys = f"{own}   ↑↓ scroll   Enter or q back   ? keys"

    def middle(self) -> ComposeResult:
        """Yield the rows."""
        with VerticalScroll(classes="body", can_focus=False):
            yield self._rows

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Say that a day has a result to copy, and several tables have seats to leaf through."""
        daily = is_daily(self.contest.contest)
        if action == "copy":
            return daily
        return not daily if action == "seat" else super().check_action(action, parameters)

    def show_answer(self, text: str) -> None:
        """Show a sentence."""
        self.notify(text, markup=False)

    def action_seat(self, step: int) -> None:
        """Compare another seat, or the sides."""
        self._rows.seat = (self._rows.seat + step) % self._rows.pages
        self._rows.refresh(layout=True)
        self._rows.redraw()

    def action_scroll_by(self, rows: int) -> None:
        """Scroll."""
        self.query_one(VerticalScroll).scroll_relative(y=rows, animate=False)

    def action_copy(self) -> None:
        """Put the result on the clipboard."""
        lines = result_lines(self.contest, self._rows.faces)
        if lines is not None:
            self.app.copy_to_clipboard("\n".join(lines))
            self.show_answer(COPIED)

    def action_close(self) -> None:
        """Go back."""
        self.dismiss(None)
