"""Going through the lessons at a real table: every step by key, wrong moves answered, lessons left and begun again."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from looseends_client.commands.school import school
from looseends_client.deal_proof import DealProof
from looseends_client.narration import plain
from looseends_client.screens.lesson import LEFT, LessonScreen, LessonSheet
from looseends_client.screens.lobby import LobbyScreen
from looseends_client.screens.menu import MenuScreen
from looseends_client.screens.page import Choice, TextPage, keys_of
from looseends_client.screens.score_sheet import ScoreRows, ScoreWord
from looseends_client.screens.table import TableScreen
from looseends_client.settings import Settings
from looseends_client.starting import AppSettings, School, StartAlone, StartLobby
from looseends_client.tutorial.lessons import LEARNER, LESSONS, Lesson
from looseends_client.tutorial.teacher import Teacher, sentence_of
from looseends_core.actions import PASS, Action, Bid, Cover, Play
from looseends_core.cards import name, parse
from tests.client.on_screen import QUICK, OnScreen, opened, seated_before_the_screen, wish

AT_ONCE = School(lambda lesson: school(lesson, "ann"), pace=0)


@asynccontextmanager
async def learning(
    start: StartAlone | StartLobby, *, size: tuple[int, int] = (80, 24), settings: AppSettings = QUICK
) -> AsyncIterator[OnScreen]:
    """Run the app of somebody who can go to school."""
    async with (
        opened() as (house, clock),
        seated_before_the_screen(house, clock, start, size=size, school=AT_ONCE, settings=settings) as on,
    ):
        yield on


def lesson_on(on: OnScreen) -> LessonScreen:
    """Return the lesson on top."""
    assert isinstance(on.app.screen, LessonScreen), on.app.screen
    return on.app.screen


async def shown(on: OnScreen, text: str) -> None:
    """Wait until the screen says a text of a lesson, however it is broken into rows."""
    words = plain(sentence_of(text))
    await on.until(lambda: words in " ".join(on.text.split()), seconds=0)


async def press_for(on: OnScreen, action: Action) -> None:
    """Press what takes an action."""
    if isinstance(action, Bid | Play | Cover):
        await on.press(*name(action.card).lower(), "enter")
    else:
        await on.press("p")


async def go_through(on: OnScreen, lesson: Lesson) -> None:
    """Do what a lesson says, from its first step to its sheet, reading every word."""
    teacher = Teacher(lesson)
    for step in lesson.steps:
        await shown(on, step.says)
        state = lesson_on(on).attendance.model.state
        wanted = teacher._course[state.number][0]  # pyright: ignore[reportPrivateUsage]
        tricks = len(state.tricks)
        await press_for(on, wanted)
        if isinstance(wanted, Play):
            await shown(on, lesson.tricks[tricks])
            await on.press("space")
    await shown(on, lesson.sheet)
    assert isinstance(on.app.screen, LessonSheet)


async def sheet_takes_keys(on: OnScreen) -> None:
    """Wait until a sheet that came by itself listens."""
    await on.until_after_thinking(lambda: "Enter:" in on.text)


async def test_all_lessons_by_their_own_words_and_then_a_game() -> None:
    async with learning(StartAlone(wish(), lesson=1)) as on:
        for lesson in LESSONS:
            await go_through(on, lesson)
            await sheet_takes_keys(on)
            await on.press("enter")
        await on.until_shown("That is the whole game.")
        await on.press("enter")
        await on.until(lambda: type(on.app.screen) is TableScreen and on.model.state.round == 1)


async def test_the_menu_leads_to_the_lessons_and_back() -> None:
    async with learning(StartAlone(None)) as on:
        await on.until_shown("Learn to play")
        await on.press("l")
        await shown(on, LESSONS[0].steps[0].says)
        await on.press("q", "q")
        await on.until(lambda: isinstance(on.app.screen, MenuScreen), seconds=0)
        assert on.app.attendance is None
        await on.press("l")
        await shown(on, LESSONS[0].steps[0].says)


async def test_newcomers_are_offered_the_lessons_first_and_others_are_not() -> None:
    async with learning(StartAlone(wish(), newcomer=True)) as on:
        await on.until_shown("Is this your first game?")
        await on.press("escape")
        assert on.text.index("Learn to play") < on.text.index("Play against bots")
        await on.press("enter")
        await shown(on, LESSONS[0].steps[0].says)
    async with learning(StartAlone(wish(), newcomer=True)) as on:
        await on.until_shown("Is this your first game?")
        await on.press("n")
        await on.until(lambda: type(on.app.screen) is TableScreen)
    async with learning(StartAlone(wish())) as on:
        await on.until(lambda: type(on.app.screen) is TableScreen)
        assert "first game" not in on.text


async def test_a_wrong_move_is_answered_and_nothing_is_lost() -> None:
    lesson = LESSONS[0]
    async with learning(StartAlone(None, lesson=1)) as on:
        await shown(on, lesson.steps[0].says)
        state = lesson_on(on).attendance.model.state
        before = state.number
        for keys in (("p",), ("r", "5", "enter"), ("g", "1", "1", "enter")):
            await on.press(*keys)
            await shown(on, lesson.steps[0].instead)
        await on.press("b", "1", "enter")
        assert state.number == before
        await on.press("g", "6", "enter")
        await shown(on, lesson.steps[1].says)
        await on.press("p")
        await shown(on, lesson.steps[2].says)
        await on.press("r", "5", "enter")
        await on.until_shown("You must follow Green.")
        assert len(state.trick) == 1


async def test_a_lesson_can_be_begun_again_and_another_chosen() -> None:
    async with learning(StartAlone(None, lesson=1)) as on:
        await shown(on, LESSONS[0].steps[0].says)
        await on.press("g", "6", "enter")
        await shown(on, LESSONS[0].steps[1].says)
        await on.press("q")
        assert isinstance(on.app.screen, Choice)
        await on.press("enter")
        await shown(on, LESSONS[0].steps[1].says)
        await on.press("q", "a")
        await shown(on, LESSONS[0].steps[0].says)
        await on.press("q", "3")
        await shown(on, LESSONS[2].steps[0].says)
        assert len(on.app.screen_stack) == 3, "one lesson stands in the place of another"


async def test_all_other_keys_of_a_table_work_in_a_lesson() -> None:
    async with learning(StartAlone(None, lesson=2)) as on:
        await shown(on, LESSONS[1].steps[0].says)
        await on.press("i")
        assert isinstance(on.app.screen, TextPage)
        await on.press("q", "s")
        await on.until_shown("score sheet")
        await on.press("q", "question_mark")
        await on.until_shown("all keys")


async def test_the_sheet_of_the_last_lesson_tells_its_numbers_and_the_end_leads_to_the_menu() -> None:
    async with learning(StartAlone(None, lesson=3)) as on:
        await go_through(on, LESSONS[2])
        await sheet_takes_keys(on)
        await on.press("right")
        assert "you: covered Y♠7 and R♥5, 2 at +2 each: +4" in on.app.screen.query_one(ScoreWord).text
        await on.press("enter")
        await on.until_shown("That is the whole game.")
        await on.press("escape")
        await on.until(lambda: isinstance(on.app.screen, MenuScreen), seconds=0)


@pytest.mark.parametrize("size", [(60, 20), (40, 19), (200, 60)])
async def test_a_lesson_has_room_for_its_words_and_its_table(size: tuple[int, int]) -> None:
    async with learning(StartAlone(None, lesson=1), size=size) as on:
        await on.until_shown("Lesson 1 of 3")
        await on.until(lambda: "R5" in on.text or "R♥5" in on.text, seconds=0)
        if size[0] >= 60:
            await shown(on, LESSONS[0].steps[0].says)


async def test_a_window_too_small_for_a_lesson_says_how_much_it_needs() -> None:
    async with learning(StartAlone(None, lesson=1), size=(40, 18)) as on:
        await on.until(lambda: "needs 40 columns by 19 rows" in " ".join(on.text.split()), seconds=0)


async def test_the_deal_of_a_lesson_is_proven_as_any_other() -> None:
    async with learning(StartAlone(None, lesson=2)) as on:
        await go_through(on, LESSONS[1])
        await shown(on, LESSONS[1].sheet)
        model = lesson_on_below(on).attendance.model
        assert model.seat == LEARNER
        assert model.proofs[1].proven
        assert "proven" not in on.text
        model.proofs[1] = DealProof(1, proven=False, words="the deal is another than was promised")
        on.app.screen.query_one(ScoreRows).redraw()
        await on.until_shown("the deal is another than was promised")


async def test_nothing_is_asked_while_a_finished_trick_is_read_and_no_number_stands_unexplained() -> None:
    async with learning(StartAlone(None, lesson=1)) as on:
        lesson = LESSONS[0]
        await on.until_shown("Lesson 1 of 3")
        for step, action in zip(lesson.steps[:3], (parse("G6"), None, parse("G11")), strict=True):
            await shown(on, step.says)
            await press_for(on, PASS if action is None else Play(action))
        await shown(on, lesson.tricks[0])
        assert "Press any key to go on." in on.text
        assert "You lead" not in on.text
        assert "now +" not in on.text
        await on.press("space")
        await shown(on, lesson.steps[3].says)
        await on.until_shown("You lead: play any card.")
        assert "Press any key" not in on.text


def lesson_on_below(on: OnScreen) -> LessonScreen:
    below = on.app.screen_stack[-2]
    assert isinstance(below, LessonScreen)
    return below


async def test_a_lesson_names_the_keys_that_the_learner_has() -> None:
    own = AppSettings(Settings(trick_pause=0, keys={"pass": ("f2",), "leave": ("f4",)}))
    async with learning(StartAlone(None, lesson=2), settings=own) as on:
        await on.until(lambda: "Press F2 to pass." in " ".join(on.text.split()), seconds=0)
        assert "F4 lessons" in on.lines[0]
        await on.press("f2")
        await shown(on, LESSONS[1].steps[1].says)


async def test_the_lobby_of_a_server_leads_to_the_lessons_and_back() -> None:
    async with learning(StartLobby()) as on:
        assert isinstance(on.app.screen, LobbyScreen)
        await on.press("l")
        await shown(on, LESSONS[0].steps[0].says)
        await on.press("q", "3")
        await go_through(on, LESSONS[2])
        await sheet_takes_keys(on)
        await on.press("enter")
        await on.until_shown("That is the whole game.")
        assert "against bots" not in on.text
        await on.press("escape")
        await on.until(lambda: isinstance(on.app.screen, LobbyScreen), seconds=0)


async def test_a_lesson_ends_with_the_connection_that_its_lobby_hung_on() -> None:
    async with (
        opened() as (house, clock),
        seated_before_the_screen(house, clock, StartLobby(), school=AT_ONCE) as on,
    ):
        await on.press("l")
        await shown(on, LESSONS[0].steps[0].says)
        lesson = lesson_on(on)
        (connection,) = house.connections
        connection.drop("session/kicked")
        await on.until_shown("The connection has ended.")
        assert lesson.way.result() == LEFT
        assert isinstance(on.app.screen_stack[-2], LobbyScreen)


async def test_without_a_school_there_is_nothing_to_learn() -> None:
    async with opened() as (house, clock), seated_before_the_screen(house, clock, StartLobby()) as on:
        await on.press("l")
        assert isinstance(on.app.screen, LobbyScreen)
        assert "learn to play" not in keys_of(on.app.screen)
