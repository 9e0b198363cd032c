"""The screen of settings: each with its value, its sentence and its default; what is changed holds at once and is kept.

What a setting is lives in `settings`, where it is kept in `settings_file`; here it is only shown and typed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from looseends_client.cards_text import Faces
from looseends_client.drawing.rows import Row, Span, cut_text, filled, wrapped
from looseends_client.screens.page import Ask, Page
from looseends_client.settings import SETTINGS, Kind, Setting, Settings, ValueRefused, as_text, from_text
from looseends_client.widgets.lines import Lines

if TYPE_CHECKING:
    from textual.widgets import Input

NAME_WIDTH = 16
ROWS_BELOW = 7
"""Rows below the settings: a blank one, the sentence, what wins over the file, the answer or the first fault."""


class Owner(Protocol):
    """Whoever has the settings: the app."""

    faces: Faces

    @property
    def own(self) -> Settings:
        """The settings that hold now."""
        ...

    @property
    def faults(self) -> list[str]:
        """What is wrong with the file, a line each."""
        ...

    @property
    def where_kept(self) -> str:
        """The file's place, empty where nothing is kept."""
        ...

    def won_over(self, key: str) -> str:
        """What wins over the file for a setting, empty where nothing does."""
        ...

    def themes(self) -> list[str]:
        """The names of all themes."""
        ...

    def change_setting(self, key: str, value: Any) -> str:
        """Let a setting hold from now on; return what became of it. Raises ValueRefused."""
        ...


class SettingsForm(Lines):
    """The settings, one a line, and what there is to say about the chosen one."""

    DEFAULT_CSS = "SettingsForm { height: 1fr; }"

    def __init__(self, owner: Owner) -> None:
        super().__init__(id="form")
        self.owner = owner
        self.chosen = 0
        self.answer = ""

    @property
    def setting(self) -> Setting:
        """The chosen setting."""
        return list(SETTINGS.values())[self.chosen]

    def rows(self, width: int, height: int) -> list[Row]:
        """Return the form; where there are fewer rows than settings, those around the chosen one."""
        faces = self.owner.faces
        settings = list(SETTINGS.values())
        room = max(1, height - ROWS_BELOW)
        first = max(0, min(self.chosen - room // 2, len(settings) - room))
        rows = [self._line(number, width) for number in range(first, min(first + room, len(settings)))]
        rows.append([])
        for text, look in self._below():
            rows += [[Span(" "), *row] for row in wrapped([Span(text, look)], width - 2, faces)]
        if len(rows) > height:
            rows = [*rows[: height - 1], [Span(f" {faces.ellipsis}", "dim")]]
        blank = filled([], width, faces)
        return [filled(row, width, faces) for row in rows] + [blank] * (height - len(rows))

    def _line(self, number: int, width: int) -> Row:
        faces = self.owner.faces
        setting = list(SETTINGS.values())[number]
        chosen = number == self.chosen
        turns = chosen and _turns(setting)
        value = as_text(setting.key, getattr(self.owner.own, setting.key))
        if setting.kind is Kind.TABLE:
            value = f"{len(getattr(self.owner.own, setting.key))} of your own"
        return [
            Span(f" {faces.turn if chosen else ' '} ", "turn"),
            *filled([Span(setting.key.replace("_", " "), "strong" if chosen else "")], NAME_WIDTH, faces),
            Span("< " if turns else "  ", "turn"),
            Span(cut_text(value or faces.dot, max(1, width - NAME_WIDTH - 7), faces), "strong" if chosen else ""),
            Span(" >" if turns else "", "turn"),
        ]

    def _below(self) -> list[tuple[str, str]]:
        setting = self.setting
        default = as_text(setting.key, setting.default) or "empty"
        lines = [(setting.sentence, "")]
        if setting.kind is Kind.TABLE:
            lines.append((f"Write them into {self.owner.where_kept or 'a settings file'}, under [keys].", "dim"))
        else:
            lines.append((f"Usually: {default}", "dim"))
        if winner := self.owner.won_over(setting.key):
            lines.append((f"{winner} says so for this run, whatever the file says.", "dim"))
        if self.answer:
            lines.append((self.answer, "good" if self.answer.endswith("Kept.") else "bad"))
        elif faults := self.owner.faults:
            more = f" (+{len(faults) - 1})" if len(faults) > 1 else ""
            lines.append((f"{faults[0]}{more}", "bad"))
        return lines


class AskSetting(Ask):
    """A line to type a setting's value into, which may be empty."""

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Give what was typed, nothing too."""
        event.stop()
        event.prevent_default()  # what any other question would do with it
        self.dismiss(event.value.strip())


class SettingsPage(Page[None]):
    """The page. It closes with q or Esc; every change has been made by then."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,tab", "choose(1)", "the next setting", show=False),
        Binding("up,shift+tab", "choose(-1)", "the setting before", show=False),
        Binding("right,space", "turn(1)", "the next value", show=False),
        Binding("left", "turn(-1)", "the value before", show=False),
        Binding("enter", "type", "type a value", show=False),
        Binding("d", "default", "the usual value", show=False),
        Binding("q,escape", "close", "back", show=False),
    ]
    heading = "No Loose Ends    settings"
    keys = "↑↓ setting   ← → change   Enter type   d usual   q back"

    def __init__(self, owner: Owner) -> None:
        super().__init__()
        self._form = SettingsForm(owner)

    def middle(self) -> ComposeResult:
        """Yield the form."""
        yield self._form

    def action_choose(self, step: int) -> None:
        """Choose another setting."""
        self._form.chosen = (self._form.chosen + step) % len(SETTINGS)
        self._form.answer = ""
        self._form.redraw()

    def action_turn(self, step: int) -> None:
        """Give the chosen setting its next value, where it has a few."""
        form = self._form
        setting = form.setting
        values = _values(setting, form.owner)
        if not values:
            self.action_type()
            return
        now = getattr(form.owner.own, setting.key)
        at = values.index(now) if now in values else -step
        self._change(values[(at + step) % len(values)])

    def action_type(self) -> None:
        """Ask for a value of the chosen setting; of one with a few values, take the next."""
        form = self._form
        setting = form.setting
        if _turns(setting):
            self.action_turn(1)
            return
        if setting.kind is Kind.TABLE:
            form.answer = f"Keys are written into {form.owner.where_kept or 'a settings file'}, not typed here."
            form.redraw()
            return

        def typed(text: str | None) -> None:
            if text is not None:
                self._change_to_text(text)

        now = as_text(setting.key, getattr(form.owner.own, setting.key))
        parts = f", {setting.between} between them" if setting.kind in (Kind.LIST, Kind.SOME) else ""
        hint = f"{setting.expected}{parts}"
        self.app.push_screen(AskSetting(setting.key, f"{hint[0].upper()}{hint[1:]}.", now), typed)

    def _change_to_text(self, text: str) -> None:
        try:
            value = from_text(self._form.setting.key, text)
        except ValueRefused as error:
            self._form.answer = f"{error}."
            self._form.redraw()
        else:
            self._change(value)

    def action_default(self) -> None:
        """Give the chosen setting its usual value."""
        if self._form.setting.kind is not Kind.TABLE:
            self._change(self._form.setting.default)

    def _change(self, value: Any) -> None:
        form = self._form
        form.answer = form.owner.change_setting(form.setting.key, value)
        form.redraw()

    def action_close(self) -> None:
        """Go back."""
        self.dismiss(None)


def _turns(setting: Setting) -> bool:
    """Return whether a setting's values are few enough to go through one by one."""
    return setting.kind in (Kind.CHOICE, Kind.SWITCH) or setting.key == "theme"


def _values(setting: Setting, owner: Owner) -> list[Any]:
    """Return the values that a setting can have, where they are few."""
    if setting.key == "theme":
        return list(owner.themes())
    if setting.kind is Kind.SWITCH:
        return [True, False]
    return list(setting.words) if setting.kind is Kind.CHOICE else []
