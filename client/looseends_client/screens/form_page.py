"""A page with a form: every option with its value, one a line, changed with the arrows; a text is asked for.

What the options are, and what they come to, is each page's own.
"""

from __future__ import annotations

from typing import ClassVar, Generic, TypeVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from looseends_client.cards_text import Faces
from looseends_client.drawing.rows import Row, Span, filled, wrapped
from looseends_client.screens.page import Ask, Page
from looseends_client.table_form import Option, shown_options
from looseends_client.widgets.lines import Lines

R = TypeVar("R")


class Form(Lines):
    """The options, one a line, and a sentence about the chosen one."""

    DEFAULT_CSS = "Form { height: 1fr; }"

    def __init__(self, options: list[Option], faces: Faces) -> None:
        super().__init__(id="form")
        self.options = options
        self.faces = faces
        self.chosen = 0
        self.answer = ""

    @property
    def shown(self) -> list[Option]:
        """The options that say something as the others are set."""
        return shown_options(self.options)

    def rows(self, width: int, height: int) -> list[Row]:
        """Return the form; where there are fewer rows than options, those around the chosen one."""
        faces = self.faces
        options = self.shown
        room = max(1, height - 5)
        first = max(0, min(self.chosen - room // 2, len(options) - room))
        rows: list[Row] = [[Span(f"   {faces.plus}{first} above", "dim")] if first else []]
        for number, option in enumerate(options[first : first + room], first):
            chosen = number == self.chosen
            value = option.values[option.at][0]
            rows.append(
                [
                    Span(f" {faces.turn if chosen else ' '} ", "turn"),
                    *filled([Span(option.name, "strong" if chosen else "")], 18, faces),
                    Span(("< " if not option.asks else "> ") if chosen else "  ", "turn"),
                    Span(value, "strong"),
                    Span(" >" if chosen and not option.asks else "", "turn"),
                ]
            )
        below = len(options) - first - room
        rows.append([Span(f"   {faces.plus}{below} below", "dim")] if below > 0 else [])
        about = self.answer or options[self.chosen].sentence
        rows += [[Span(" "), *row] for row in wrapped([Span(about, "bad" if self.answer else "dim")], width - 2, faces)]
        blank = filled([], width, faces)
        return [filled(row, width, faces) for row in rows[:height]] + [blank] * (height - len(rows))


class FormPage(Page[R], Generic[R]):
    """A form. A subclass says what Enter gives; q gives nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,tab", "choose(1)", "the next option", show=False),
        Binding("up,shift+tab", "choose(-1)", "the option before", show=False),
        Binding("right,space", "change(1)", "change it, or write its text", show=False),
        Binding("left", "change(-1)", "change it back", show=False),
        Binding("enter", "done", "go", show=False),
        Binding("q,escape", "give_up", "back", show=False),
    ]

    def __init__(self, options: list[Option], faces: Faces) -> None:
        super().__init__()
        self.form = Form(options, faces)

    def middle(self) -> ComposeResult:
        """Yield the form."""
        yield self.form

    def on_mount(self) -> None:
        """Draw."""
        self.form.redraw()

    def show_answer(self, text: str) -> None:
        """Say what is wrong with the form as it is."""
        self.form.answer = text
        self.form.redraw()

    def action_choose(self, step: int) -> None:
        """Choose another option."""
        self.form.chosen = (self.form.chosen + step) % len(self.form.shown)
        self.form.redraw()

    def action_change(self, step: int) -> None:
        """Change the chosen option, or ask for its text."""
        option = self.form.shown[self.form.chosen]
        self.form.answer = ""
        if not option.asks:
            option.at = (option.at + step) % len(option.values)
            self.form.redraw()
            return

        def typed(text: str | None) -> None:
            if text is not None:
                option.write(text)
                self.form.redraw()

        ask = Ask(option.asks, option.about, str(option.value), max_length=option.longest)
        self.app.push_screen(ask, typed)

    def action_done(self) -> None:
        """Give what the form says."""
        raise NotImplementedError

    def action_give_up(self) -> None:
        """Give nothing."""
        self.dismiss(None)
