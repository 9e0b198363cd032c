"""A lesson: a table like any other, with a strip above it that says what to do, and a teacher who waits for that move.

Only the learner's own screen is held back; the table is a real one and knows nothing of the lesson.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from textual.app import ComposeResult

from looseends_client.attendance import Attendance
from looseends_client.cards_text import Faces
from looseends_client.drawing.lesson import STRIP_ROWS
from looseends_client.messages import TableChanged
from looseends_client.screens.page import Choice
from looseends_client.screens.score_sheet import ScoreSheet
from looseends_client.screens.table import TableScreen
from looseends_client.tutorial.lessons import LESSONS, Lesson
from looseends_client.tutorial.teacher import Teacher, sentence_of
from looseends_client.widgets.lesson_strip import GO_ON_KEY, LESSONS_KEY, LessonStrip
from looseends_core.actions import Action

NEXT, AGAIN, LEFT = "next", "again", "left"
"""How a lesson ends; the number of another lesson is the fourth way."""
UNTIL_A_KEY = 3600.0
"""Seconds that a finished trick lies in a lesson: it is read at leisure."""


class LessonScreen(TableScreen):
    """The table of one lesson. `way` is set when the learner has done with it; who opened it takes it away then."""

    rows_above = STRIP_ROWS
    gives_hints = False

    def __init__(self, attendance: Attendance, faces: Faces, lesson: Lesson) -> None:
        super().__init__(attendance, faces, trick_pause=UNTIL_A_KEY, alone=True)
        self.lesson = lesson
        self.scene.at_leisure = True
        self.scene.counts_now = lesson.counts_now
        self._teacher = Teacher(lesson, lambda name: self.scene.table_keys.shown(name))
        self._strip = LessonStrip(lesson, faces)
        self.way: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def compose(self) -> ComposeResult:
        """Yield the strip and the table."""
        yield self._strip
        yield from super().compose()

    def on_table_changed(self, message: TableChanged) -> None:
        """Follow the table of the lesson, which is this screen's alone."""
        message.stop()
        self.table_changed()

    def draw(self) -> None:
        """Redraw what differs, the strip included."""
        lies = self.scene.held is not None
        says = self.scene.table_keys.in_words(self._teacher.says(self.attendance.model.state, trick_lies=lies))
        self._strip.say(says, GO_ON_KEY if lies else (self.scene.table_keys.shown("leave"), LESSONS_KEY[1]))
        super().draw()

    def _do(self, action: Action) -> None:
        """Take the move that the lesson waits for, and say of any other why not that one."""
        instead = self._teacher.instead(self.attendance.model.state, action)
        if instead:
            self.scene.answer = instead
            self.draw()
            return
        super()._do(action)

    def _open_sheet(self, *, for_ready: bool, by_itself: bool = False) -> None:
        if self.attendance.model.phase != "over":
            super()._open_sheet(for_ready=for_ready, by_itself=by_itself)
            return
        sheet = LessonSheet(self.attendance, self.scene.faces, self.lesson, lambda: self._end(NEXT))
        sheet.came_by_itself = by_itself
        self.app.push_screen(sheet)

    def on_unmount(self) -> None:
        """Be over, whoever took the screen away."""
        self._end(LEFT)

    def _end(self, way: str) -> None:
        if not self.way.done():
            self.way.set_result(way)

    def action_leave(self) -> None:
        """Ask where to go from here: on, again, another lesson, or out. Nothing is lost by any of them."""
        self._let_go()
        others = {str(other.number): f"lesson {other.number}: {other.title}" for other in LESSONS}
        ways = {"Enter": "go on with this lesson", "a": "begin it again", **others, "q": "leave"}

        def chosen(way: str | None) -> None:
            if way == "q":
                self._end(LEFT)
            elif way == "a":
                self._end(AGAIN)
            elif way in others:
                self._end(way)

        self.app.push_screen(Choice("Where to?", "Lessons can be left and begun again at any time.", ways), chosen)


class LessonSheet(ScoreSheet):
    """The score sheet of a lesson, with a word on it. Enter goes on to what follows."""

    can_be_looked_back_at = False

    def __init__(self, attendance: Attendance, faces: Faces, lesson: Lesson, go_on: Callable[[], None]) -> None:
        super().__init__(attendance, faces)
        self._rows.shows_proofs = False
        self._strip = LessonStrip(lesson, faces, sentence_of(lesson.sheet), ("Enter", "go on"))
        self._go_on = go_on
        self._last = lesson is LESSONS[-1]

    def compose(self) -> ComposeResult:
        """Yield the strip and the sheet."""
        yield self._strip
        yield from super().compose()

    def _pages(self) -> list[int | None]:
        """Return the one page: a lesson is about its round, and nobody wins a game by it."""
        return [1]

    def words_for_enter(self) -> str:
        """Return what Enter does here."""
        return "Enter: that was the last one" if self._last else "Enter: the next lesson"

    async def action_go_on(self) -> None:
        """Go on to the next lesson."""
        if self._takes_keys:
            self.dismiss(None)
            self._go_on()
