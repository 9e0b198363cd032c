"""Saying something to the table: a line to type, or one of the reader's phrases by its digit."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.events import Resize
from textual.widgets import Input, Static

from looseends_client.screens.page import Ask, Line, shown
from looseends_protocol.limits import CHAT_LENGTH

_ROWS_BESIDES = 8
"""Rows of the dialog besides its phrases: frame, title, line and what the keys do."""


class Talk(Ask):
    """A line to say. A digit says its phrase at once, as long as nothing else has been typed."""

    def __init__(self, phrases: Sequence[str]) -> None:
        super().__init__("Say to the table")
        self._phrases = phrases
        self._before = ""

    def compose(self) -> ComposeResult:
        """Yield the title, the line, what the keys do, and the phrases."""
        keys = "Enter: say it   Esc: never mind" + ("   a digit: its phrase" if self._phrases else "")
        with Vertical():
            yield Static(shown(self._title), classes="title", markup=False)
            yield Line(max_length=CHAT_LENGTH)
            yield Static(shown(keys), markup=False)
            yield Static("", id="phrases", markup=False)

    def on_resize(self, event: Resize) -> None:
        """Show as many phrases as there is room for, and say how many more there are."""
        room = max(1, event.size.height * 9 // 10 - _ROWS_BESIDES)
        lines = [f"  {number}  {phrase}" for number, phrase in enumerate(self._phrases, 1)]
        if len(lines) > room:
            lines[room - 1 :] = [f"  +{len(lines) - room + 1} more"]
        self.query_one("#phrases", Static).update(shown("\n".join(lines)))

    def on_input_changed(self, event: Input.Changed) -> None:
        """Say the phrase whose digit was typed."""
        before, self._before = self._before, event.value
        if before == "" and event.value.isdecimal() and 1 <= int(event.value) <= len(self._phrases):
            self.dismiss(self._phrases[int(event.value) - 1])
