"""The menu: what a person who has no table in front of them can do."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message

from looseends_client.cards_text import Faces
from looseends_client.drawing.rows import Row, Span, centred, filled
from looseends_client.screens.page import Page
from looseends_client.widgets.lines import Lines


class MenuChosen(Message):
    """A line of the menu was chosen, by its key."""

    def __init__(self, key: str) -> None:
        super().__init__()
        self.key = key


class MenuLines(Lines):
    """The name of the game and the lines of the menu."""

    DEFAULT_CSS = "MenuLines { height: 1fr; }"

    def __init__(self, faces: Faces) -> None:
        super().__init__(id="menu")
        self.faces = faces
        self.lines: list[tuple[str, str, str]] = []
        self.chosen = 0
        self.answer = ""

    def rows(self, width: int, height: int) -> list[Row]:
        """Return the menu in the middle of the screen."""
        faces = self.faces
        card: Row = []
        for look, letter, shape, rank in zip(
            ("blue", "red", "green", "yellow"), "BRGY", faces.shapes, ("15", "3", "7", "12"), strict=False
        ):
            card += [Span(f" {letter}{shape}{rank} ", f"{look} strong")]
        rows: list[Row] = [
            centred([Span("N O   L O O S E   E N D S", "title")], width, faces),
            centred(card, width, faces),
            centred([Span("Bid cards, then win exactly the tricks that cover them.", "dim")], width, faces),
            [],
        ]
        widest = max((len(line[1]) + len(line[2]) for line in self.lines), default=0) + 8
        left = max(0, (width - widest) // 2)
        for number, (key, text, more) in enumerate(self.lines):
            chosen = number == self.chosen
            rows.append(
                [
                    Span(" " * left),
                    Span(f"{faces.turn if chosen else ' '} ", "turn"),
                    Span(f"{key}  ", "key"),
                    Span(text, "strong" if chosen else ""),
                    Span(f"  {more}" if more else "", "dim"),
                ]
            )
        rows += [[], centred([Span(self.answer, "bad")], width, faces)]
        above = max(0, (height - len(rows)) // 3)
        blank = filled([], width, faces)
        rows = [filled(row, width, faces) for row in rows]
        return ([blank] * above + rows + [blank] * height)[:height]


_WAYS = {
    "g": "go on with your game",
    "p": "play against bots",
    "d": "the deal of the day: the same for everybody here, one try",
    "h": "look back at games that are over",
    "l": "learn to play, in three minutes",
    "j": "join a server",
    "i": "the rules",
    "s": "settings",
    "q": "quit",
}
"""What each letter of the menu does, whether or not the menu has it at the moment."""


class MenuScreen(Page[None]):
    """Play, join, read, quit."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,tab", "choose(1)", "the next line", show=False),
        Binding("up,shift+tab", "choose(-1)", "the line before", show=False),
        Binding("enter", "take", "what the line says", show=False),
        *(Binding(key, f"take('{key}')", does, show=False) for key, does in _WAYS.items()),
    ]
    heading = "No Loose Ends"
    keys = "↑↓ Enter, or the letter   ? keys"

    def __init__(self, faces: Faces, *, can_join: bool, can_learn: bool = False, newcomer: bool = False) -> None:
        super().__init__()
        self._menu = MenuLines(faces)
        self._can_join = can_join
        self._can_learn = can_learn
        self._newcomer = newcomer
        self.show_unfinished("")

    def middle(self) -> ComposeResult:
        """Yield the menu."""
        yield self._menu

    def show_unfinished(self, about: str) -> None:
        """Offer an unfinished game, where there is one."""
        lines = [("g", "Go on with your game", about)] if about else []
        lines += [("p", "Play against bots", ""), ("d", "Deal of the day", "(one try)")]
        if self._can_learn:
            lines.insert(0 if self._newcomer else len(lines), ("l", "Learn to play", "(three minutes)"))
        if self._can_join:
            lines.append(("j", "Join a server", ""))
        lines.append(("h", "Games that are over", ""))
        self._menu.lines = [*lines, ("i", "The rules", ""), ("s", "Settings", ""), ("q", "Quit", "")]
        self._menu.chosen = 0
        if self._menu.is_mounted:
            self._menu.redraw()

    def show_answer(self, text: str) -> None:
        """Say why something did not work."""
        self._menu.answer = text
        self._menu.redraw()

    def action_choose(self, step: int) -> None:
        """Choose another line."""
        self._menu.chosen = (self._menu.chosen + step) % len(self._menu.lines)
        self._menu.redraw()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Say that a letter does nothing whose line is not there."""
        if action == "take" and parameters:
            return any(line[0] == parameters[0] for line in self._menu.lines)
        return super().check_action(action, parameters)

    def action_take(self, key: str = "") -> None:
        """Take the chosen line, or the one with this key."""
        taken = key or self._menu.lines[self._menu.chosen][0]
        if any(line[0] == taken for line in self._menu.lines):
            self.show_answer("")
            self.post_message(MenuChosen(taken))
