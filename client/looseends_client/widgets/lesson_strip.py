"""What a lesson says, above its table or its score sheet. What it says is decided by the teacher."""

from __future__ import annotations

from looseends_client.cards_text import Faces
from looseends_client.drawing.lesson import STRIP_ROWS, strip_rows
from looseends_client.drawing.rows import Row
from looseends_client.narration import Sentence
from looseends_client.tutorial.lessons import Lesson
from looseends_client.widgets.lines import Lines

LESSONS_KEY = ("q", "lessons")
"""The key that leads to the other lessons, and out."""
GO_ON_KEY = ("any key", "go on")


class LessonStrip(Lines):
    """The strip, docked above what the lesson is about."""

    DEFAULT_CSS = f"LessonStrip {{ dock: top; height: {STRIP_ROWS}; }}"

    def __init__(self, lesson: Lesson, faces: Faces, says: Sentence = (), keys: tuple[str, str] = LESSONS_KEY) -> None:
        super().__init__(id="lesson")
        self._lesson = lesson
        self.faces = faces
        self._says = says
        self._keys = keys

    def say(self, sentence: Sentence, keys: tuple[str, str] = LESSONS_KEY) -> None:
        """Say something else, where there is something; and which key matters."""
        self._says = sentence or self._says
        self._keys = keys
        self.redraw()

    def rows(self, width: int, height: int) -> list[Row]:
        """Return the strip."""
        return strip_rows(self._lesson, self._says, self._keys, self.faces, width, height)
