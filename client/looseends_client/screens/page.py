"""Pages and dialogs: what all screens but the table are made of. Text of people goes in as plain `Content`."""

from __future__ import annotations

import re
from typing import Any, ClassVar, Generic, TypeVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.widgets import Input, Static

from looseends_client.drawing.rows import Row, Span, filled, wrapped
from looseends_client.widgets.key_bar import KeyBar
from looseends_client.widgets.lines import Lines
from looseends_client.widgets.looks import LooksScreen
from looseends_protocol.people_text import visible

R = TypeVar("R")


def shown(text: str) -> Content:
    """Return text of anybody as it may be drawn: harmless, and never read as markup."""
    return Content("\n".join(visible(line) for line in text.split("\n")))


class Page(LooksScreen[R], Generic[R]):
    """A full screen with a title above and its keys below. A subclass composes its middle."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("question_mark", "help", "all keys of this page", show=False)]
    heading = ""
    keys = "Enter or q: back"

    def compose(self) -> ComposeResult:
        """Yield title, middle and keys."""
        yield Static(shown(self.heading), classes="bar -title", id="heading", markup=False)
        yield from self.middle()
        yield KeyBar(self.keys)

    def middle(self) -> ComposeResult:
        """Yield what stands between title and keys."""
        raise NotImplementedError

    def action_help(self) -> None:
        """Show every key of this page."""
        self.app.push_screen(KeysPage("Keys", keys_of(self)))

    def set_keys(self, text: str) -> None:
        """Change the line of keys."""
        self.keys = text
        for bar in self.query(KeyBar):  # none yet before the page is composed
            bar.tell(text)


class Sheet(Lines):
    """Rows of any number, for a page that scrolls. `source` works them out for a width."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002  # Textual's name for it
        super().__init__(id=id, classes="-tall")

    def all_rows(self, width: int) -> list[Row]:
        """Return every row."""
        raise NotImplementedError

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        """Return how many rows there are at a width."""
        return max(1, len(self.all_rows(max(1, width))))

    def rows(self, width: int, height: int) -> list[Row]:
        """Return the rows that fit."""
        from looseends_client.cards_text import UNICODE_FACES

        rows = self.all_rows(width)[:height]
        return rows + [filled([], width, UNICODE_FACES)] * (height - len(rows))


class TextPage(Page[None]):
    """A page of text to read."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "scroll_by(1)", "a line down", show=False),
        Binding("up,k", "scroll_by(-1)", "a line up", show=False),
        Binding("pagedown,space", "scroll_by(15)", "a page down", show=False),
        Binding("pageup", "scroll_by(-15)", "a page up", show=False),
        Binding("home", "scroll_to_top", "to the beginning", show=False),
        Binding("enter,q,escape", "close", "back", show=False),
    ]
    keys = "↑↓ scroll   Enter or q back"

    def __init__(self, heading: str, text: str) -> None:
        super().__init__()
        self.heading = heading
        self._text = text

    def middle(self) -> ComposeResult:
        """Yield the text."""
        with VerticalScroll(classes="body", can_focus=False):
            yield Static(self._content(), markup=False)

    def _content(self) -> Content:
        """Return the text with its headings, lines that begin with `# `, standing out."""
        lines = [
            Content.styled(visible(line[2:]), "bold $accent") if line.startswith("# ") else shown(line)
            for line in self._text.split("\n")
        ]
        return Content("\n").join(lines)

    def action_close(self) -> None:
        """Go back."""
        self.dismiss(None)

    def action_scroll_by(self, rows: int) -> None:
        """Scroll the text."""
        self.query_one(VerticalScroll).scroll_relative(y=rows)

    def action_scroll_to_top(self) -> None:
        """Scroll to the beginning."""
        self.query_one(VerticalScroll).scroll_home(animate=False)


_HUNG = re.compile(r" *(?:\S.*? {2,})?")
"""What stands before the place to which the later rows of a line are indented."""


class HungLines(Sheet):
    """Lines of which the later rows stand below what the first row explains."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._lines = [visible(line) for line in text.split("\n")]

    def all_rows(self, width: int) -> list[Row]:
        """Return every row."""
        from looseends_client.cards_text import UNICODE_FACES

        rows: list[Row] = []
        for line in self._lines:
            found = _HUNG.match(line)
            indent = len(found[0]) if found else 0
            rows += wrapped([Span(line)], width, UNICODE_FACES, indent if indent < width // 2 else 2)
        return [filled(row, width, UNICODE_FACES) for row in rows]


class KeysPage(TextPage):
    """The keys of the page below; the key that opened it closes it too."""

    def middle(self) -> ComposeResult:
        """Yield a line for each key."""
        with VerticalScroll(classes="body", can_focus=False):
            yield HungLines(self._text)

    def action_help(self) -> None:
        """Go back."""
        self.action_close()


_KEY_NAMES = {
    "question_mark": "?",
    "left": "←",
    "right": "→",
    "up": "↑",
    "down": "↓",
    "enter": "Enter",
    "escape": "Esc",
    "space": "Space",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "home": "Home",
    "tab": "Tab",
    "backspace": "Backspace",
}


def key_name(key: str) -> str:
    """Return how a key is called for people: `Shift-Tab`, `Ctrl-P`, `w`."""
    *held, last = key.split("+")
    return "-".join([*(part.capitalize() for part in held), _KEY_NAMES.get(last, last.upper() if held else last)])


def _is_active(screen: Screen[Any], binding: Binding) -> bool:
    """Return whether the screen listens to a binding at the moment."""
    return any(key in screen.active_bindings for key in binding.key.split(","))


def keys_of(screen: Screen[Any]) -> str:
    """Return every key that a screen listens to, a line for each thing that it does, the program's own keys last."""
    told: list[tuple[str, str]] = []
    for kind in type(screen).__mro__:
        bindings = kind.__dict__.get("BINDINGS", ()) if kind.__module__.startswith("looseends_client.") else ()
        told += [
            (" ".join(key_name(key) for key in binding.key.split(",")), binding.description)
            for binding in bindings
            if isinstance(binding, Binding) and binding.description and _is_active(screen, binding)
        ]
    if screen.app.use_command_palette:
        told.append((key_name(screen.app.COMMAND_PALETTE_BINDING), "everything that can be done here, to choose from"))
    told.append((key_name("ctrl+q"), "end the program"))
    return "\n".join(f"  {keys:<18}{does}" for keys, does in told)


class Dialog(ModalScreen[R], Generic[R]):
    """A box over what was there. Every key is its own: none reaches the screen below."""


class Question(Dialog[bool]):
    """A question before something that cannot be undone. Enter or y is yes, every other key is no."""

    def __init__(self, question: str, yes: str, no: str = "any other key: no") -> None:
        super().__init__()
        self._question = question
        self._answers = f"Enter or y: {yes}     {no}"

    def compose(self) -> ComposeResult:
        """Yield the question and what answers it."""
        with Vertical():
            yield Static(shown(self._question), classes="title", markup=False)
            yield Static(shown(self._answers), markup=False)

    def on_key(self, event: object) -> None:
        """Take whichever key as the answer."""
        from textual.events import Key

        assert isinstance(event, Key)
        event.stop()
        event.prevent_default()
        self.dismiss(event.key in ("enter", "y"))


class SureQuestion(Dialog[bool]):
    """A question that the key before it must not answer by itself, so Enter is no answer: y is yes, n or Esc no."""

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        """Yield the question and what answers it."""
        with Vertical():
            yield Static(shown(self._question), classes="title", markup=False)
            yield Static(shown("y: yes, do it     n or Esc: choose again"), markup=False)

    def on_key(self, event: object) -> None:
        """Take a key that answers."""
        from textual.events import Key

        assert isinstance(event, Key)
        event.stop()
        event.prevent_default()
        if event.key in ("y", "n", "escape"):
            self.dismiss(event.key == "y")


class Choice(Dialog[str | None]):
    """A few ways to go on, each with its key; Esc is none of them, and says so where no way of that key does."""

    def __init__(self, title: str, text: str, ways: dict[str, str]) -> None:
        super().__init__()
        self._title = title
        self._text = text
        self._ways = ways if "Esc" in ways else {**ways, "Esc": "never mind"}

    def compose(self) -> ComposeResult:
        """Yield the text and the ways."""
        with Vertical():
            yield Static(shown(self._title), classes="title", markup=False)
            if self._text:
                yield Static(shown(self._text), markup=False)
            longest = max(map(len, self._ways))
            yield Static(
                shown("\n".join(f"  {key:<{longest}}  {does}" for key, does in self._ways.items())), markup=False
            )

    def on_key(self, event: object) -> None:
        """Take a key that is one of the ways."""
        from textual.events import Key

        assert isinstance(event, Key)
        event.stop()
        event.prevent_default()
        pressed = key_name(event.key)
        if pressed in self._ways:
            self.dismiss(None if pressed == "Esc" else pressed)


class Line(Input):
    """A line to type that takes nothing which steers a terminal, from a paste neither."""

    def replace(self, text: str, start: int, end: int) -> None:
        """Put text in the place of other text."""
        super().replace(visible(text), start, end)


class Ask(Dialog[str | None]):
    """One line to type, with a sentence about it. Enter gives it, which is called `done`; Esc gives up."""

    def __init__(
        self,
        title: str,
        text: str = "",
        value: str = "",
        *,
        done: str = "done",
        max_length: int = 300,
        secret: bool = False,
    ) -> None:
        super().__init__()
        self._title = title
        self._text = text
        self._done = done
        self._value = value
        self._max_length = max_length
        self._secret = secret

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "give_up", show=False)]

    def compose(self) -> ComposeResult:
        """Yield the title, a sentence and the line."""
        with Vertical():
            yield Static(shown(self._title), classes="title", markup=False)
            yield Line(self._value, max_length=self._max_length, password=self._secret)
            if self._text:
                yield Static(shown(self._text), markup=False)
            yield Static(shown(f"Enter: {self._done}     Esc: never mind"), markup=False)

    def on_mount(self) -> None:
        """Put the cursor into the line, without a blink that would be sent to the terminal again and again."""
        line = self.query_one(Input)
        line.cursor_blink = False
        line.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Give what was typed."""
        event.stop()
        self.dismiss(event.value.strip() or None)

    def action_give_up(self) -> None:
        """Give nothing."""
        self.dismiss(None)
