"""The rules as a page: from heading to heading with Tab, to any word with `/`."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll

from looseends_client.cards_text import UNICODE_FACES
from looseends_client.drawing.rows import Row, Span, filled, row_text, wrapped
from looseends_client.rules_text import rules_text
from looseends_client.screens.page import Ask, Sheet, TextPage
from looseends_core.rules import RuleSet


class TextRows(Sheet):
    """A text of headings and paragraphs, broken to the width; every row with the wanted word is marked."""

    def __init__(self, text: str) -> None:
        super().__init__(id="text")
        self._lines = text.split("\n")
        self.wanted = ""

    def all_rows(self, width: int) -> list[Row]:
        """Return the text."""
        rows: list[Row] = []
        for line in self._lines:
            heading = line.startswith("# ")
            indent = len(line) - len(line.lstrip())
            words = [Span(line[2:], "heading")] if heading else [Span(line)]
            rows += wrapped(words, width - 2, UNICODE_FACES, indent=indent + 5 if indent else 0) if line else [[]]
        return [
            filled([Span("> " if self._is_wanted(row) else "  ", "turn"), *row], width, UNICODE_FACES) for row in rows
        ]

    def _is_wanted(self, row: Row) -> bool:
        return bool(self.wanted) and self.wanted in row_text(row).lower()

    def headings(self, width: int) -> list[int]:
        """Return the rows in which headings stand."""
        return [at for at, row in enumerate(self.all_rows(width)) if any(span.look == "heading" for span in row)]

    def found(self, width: int) -> list[int]:
        """Return the rows in which the wanted word stands."""
        return [at for at, row in enumerate(self.all_rows(width)) if row and row[0].text == "> "]


class RulesPage(TextPage):
    """The rules of a table, or of the game where none is given."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "heading(1)", "to the next heading", show=False),
        Binding("shift+tab", "heading(-1)", "to the heading before", show=False),
        Binding("slash", "find", "find a word", show=False),
        Binding("n", "find_next", "where the word stands next", show=False),
    ]
    keys = "↑↓ scroll   Tab next heading   / find   Enter or q back   ? keys"

    def __init__(self, rules: RuleSet | None = None) -> None:
        super().__init__("The rules", "")
        self._rows = TextRows(rules_text(rules))

    def middle(self) -> ComposeResult:
        """Yield the text."""
        with VerticalScroll(classes="body", can_focus=False):
            yield self._rows

    @property
    def _width(self) -> int:
        return max(1, self._rows.size.width)

    def _go_to(self, rows: list[int], step: int) -> None:
        """Scroll to the next of these rows, or the one before; past the last comes the first."""
        body = self.query_one(VerticalScroll)
        here = round(body.scroll_offset.y)
        if step > 0:
            there = next((row for row in rows if row > here), rows[0])
        else:
            there = next((row for row in reversed(rows) if row < here), rows[-1])
        body.scroll_to(y=there, animate=False, immediate=True)

    def action_heading(self, step: int) -> None:
        """Go to another heading. At the end of the page, where no heading can come to the top, begin again."""
        body = self.query_one(VerticalScroll)
        if step > 0 and body.scroll_offset.y >= body.max_scroll_y:
            body.scroll_home(animate=False, immediate=True)
        else:
            self._go_to(self._rows.headings(self._width), step)

    def action_find(self) -> None:
        """Ask for a word, mark it everywhere, and go to where it stands first."""

        def typed(word: str | None) -> None:
            self._rows.wanted = (word or "").lower()
            self._rows.redraw()
            found = self._rows.found(self._width)
            if found:
                self.query_one(VerticalScroll).scroll_to(y=found[0], animate=False)
            if word:
                where = f"in {len(found)} lines   n the next" if found else "nowhere"
                self.set_keys(f'"{word}" stands {where}   / another word   q back')

        self.app.push_screen(Ask("Find in the rules", done="find it", max_length=40), typed)

    def action_find_next(self) -> None:
        """Go to where the word stands next."""
        found = self._rows.found(self._width)
        if found:
            self._go_to(found, 1)
