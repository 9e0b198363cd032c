"""A form for a new table, or a new game against bots: every option with its value, changed with the arrows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import msgspec
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from looseends_client.cards_text import Faces
from looseends_client.drawing.rows import Row, Span, filled, wrapped
from looseends_client.screens.page import Ask, Page
from looseends_client.settings import DEFAULT_BOTS
from looseends_client.table_form import Option, options_of_a_table, shown_options, wish_of
from looseends_client.visits import TableWish
from looseends_client.widgets.lines import Lines
from looseends_core.rules import RulesError
from looseends_protocol.limits import PASSWORD_LENGTH


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


class NewTable(Page[TableWish | None]):
    """The form. Enter gives what is wished for, q nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,tab", "choose(1)", "the next option", show=False),
        Binding("up,shift+tab", "choose(-1)", "the option before", show=False),
        Binding("right,space", "change(1)", "change it, or write its text", show=False),
        Binding("left", "change(-1)", "change it back", show=False),
        Binding("enter", "done", "go", show=False),
        Binding("q,escape", "give_up", "back", show=False),
    ]

    def __init__(
        self, faces: Faces, levels: tuple[tuple[str, str], ...], *, alone: bool, usual: Sequence[str] = DEFAULT_BOTS
    ) -> None:
        """`usual` is the line-up that is offered first to somebody who is alone, as far as the server has it."""
        super().__init__()
        self._alone = alone
        self.heading = "No Loose Ends    a game against bots" if alone else "No Loose Ends    a new table"
        self.keys = "↑↓ option   ← → change   Enter go   q back"
        self._form = Form(options_of_a_table(levels, usual, alone=alone), faces)

    def middle(self) -> ComposeResult:
        """Yield the form."""
        yield self._form

    def on_mount(self) -> None:
        """Draw."""
        self._form.redraw()

    def wish(self) -> TableWish:
        """Return what the form says. Raises RulesError where the rules do not fit together."""
        return wish_of(self._form.options, alone=self._alone)

    def action_choose(self, step: int) -> None:
        """Choose another option."""
        self._form.chosen = (self._form.chosen + step) % len(self._form.shown)
        self._form.redraw()

    def action_change(self, step: int) -> None:
        """Change the chosen option, or ask for its text."""
        option = self._form.shown[self._form.chosen]
        self._form.answer = ""
        if not option.asks:
            option.at = (option.at + step) % len(option.values)
            self._form.redraw()
            return

        def typed(text: str | None) -> None:
            if text is not None:
                option.write(text)
                self._form.redraw()

        ask = Ask(option.asks, option.about, str(option.value), max_length=option.longest)
        self.app.push_screen(ask, typed)

    def action_done(self) -> None:
        """Give what is wished for, once its password is typed where it has one."""
        try:
            wish = self.wish()
        except RulesError as error:
            self._form.answer = str(error)
            self._form.redraw()
            return
        if not any(option.name == "password" and option.value for option in self._form.options):
            self.dismiss(wish)
            return

        def typed(password: str | None) -> None:
            if password:
                self.dismiss(msgspec.structs.replace(wish, password=password))

        self.app.push_screen(Ask("The password of your new table", max_length=PASSWORD_LENGTH, secret=True), typed)

    def action_give_up(self) -> None:
        """Give nothing."""
        self.dismiss(None)
