"""Going through the lessons, one house and one table after the other, until the learner has had enough."""

from __future__ import annotations

from textual.app import App

from looseends_client.cards_text import Faces
from looseends_client.messages import TableChanged
from looseends_client.screens.lesson import AGAIN, LEFT, NEXT, LessonScreen
from looseends_client.screens.page import Choice
from looseends_client.starting import School
from looseends_client.tutorial.lessons import LESSONS, NONCE, OTHERS, Lesson
from looseends_client.visits import PRACTICE, TableWish, Visits
from looseends_protocol.messages import TableOptions

PLAY = "play"
"""What the learner may want after the last lesson."""
_END = "A real game has three rounds and hands of 12 to 16 cards; most points win. At the table, ? shows every key."


async def learn(app: App[None], school: School, faces: Faces, first: int = 1, *, may_play: bool = True) -> bool:
    """Teach from the lesson with this number on; return whether the learner wants a game now.

    `may_play` says that one is offered at the end. Runs in a worker, because it waits for the learner.
    """
    number = first
    below: LessonScreen | None = None
    while True:
        lesson = LESSONS[number - 1]
        below, way = await _one_lesson(app, school, faces, lesson, below)
        if way == NEXT and lesson is LESSONS[-1]:
            number, way = 1, await _what_now(app, may_play=may_play)
        elif way == NEXT:
            number += 1
        elif way.isdecimal():
            number = int(way)
        if way in (PLAY, LEFT):
            while below in app.screen_stack:  # it is gone already where the app went elsewhere by itself
                app.pop_screen()
            return way == PLAY


async def _one_lesson(
    app: App[None], school: School, faces: Faces, lesson: Lesson, below: LessonScreen | None
) -> tuple[LessonScreen, str]:
    """Play one lesson in the place of the one before; return its screen, which still stands, and how it ended."""
    shown: list[LessonScreen] = []

    def changed() -> None:
        for screen in shown:
            screen.post_message(TableChanged())

    async with school.open(lesson) as client:
        visits = Visits(lambda count: NONCE[:count], on_change=changed, on_lost=lambda text: None)
        client.on_push = visits.take
        options = TableOptions(title=PRACTICE, private=True, bots=school.pace, hint=False)
        await visits.make(client, TableWish(lesson.rules, options, OTHERS))
        assert visits.attendance is not None, "a table that could not be made has raised"
        screen = LessonScreen(visits.attendance, faces, lesson)
        shown.append(screen)
        await (app.push_screen(screen) if below is None else app.switch_screen(screen))
        way = await screen.way
        visits.end()
    return screen, way


async def _what_now(app: App[None], *, may_play: bool) -> str:
    play = {"Enter": "play a game against bots"} if may_play else {}
    ways = {**play, "a": "the lessons again", "Esc": "back"}
    chosen = await app.push_screen_wait(Choice("That is the whole game.", _END, ways))
    return {"Enter": PLAY, "a": AGAIN}.get(chosen or "", LEFT)
