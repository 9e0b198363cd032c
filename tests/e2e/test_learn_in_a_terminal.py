"""The lessons on a real terminal, followed by what they say alone, and then a whole game."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from looseends_client.cards_text import ASCII_FACES, UNICODE_FACES, Faces
from looseends_client.drawing.lesson import with_signs
from looseends_client.narration import plain
from looseends_client.tutorial.lessons import LEARNER, LESSONS, Lesson
from looseends_client.tutorial.teacher import Teacher, move_of, sentence_of
from looseends_client.widgets.letters_alone import in_letters
from looseends_core.actions import Bid, Cover, Play
from looseends_core.cards import name
from looseends_core.decide import deal_round, decide
from looseends_core.state import State, evolve
from tests.e2e.keyboard_player import FINAL, KeyboardPlayer
from tests.e2e.terminal import Terminal
from tests.e2e.tmux_pane import TmuxPane

pytestmark = pytest.mark.terminal


class Reader:
    """Somebody who reads what a lesson says, on a terminal with these faces."""

    def __init__(self, terminal: Terminal | TmuxPane, faces: Faces = UNICODE_FACES) -> None:
        self.terminal = terminal
        self._faces = faces

    def reads(self, text: str) -> None:
        """Wait until the lesson says this, however it is broken into rows."""
        said = with_signs(plain(sentence_of(text), self._faces), self._faces)
        words = in_letters(said, "ascii") if self._faces is ASCII_FACES else said
        self.terminal.until(lambda shown: words in " ".join(shown.split()))

    def goes_through(self, lesson: Lesson) -> None:
        """Do what a lesson says, and read every word of it."""
        state = State(lesson.rules)
        for event in deal_round(state, Teacher(lesson).deal()):
            evolve(state, event)
        steps, told = iter(lesson.steps), 0
        for written in lesson.moves:
            action = move_of(written)
            if state.turn == LEARNER:
                self.reads(next(steps).says)
                if isinstance(action, Bid | Play | Cover):
                    self.terminal.press(*name(action.card).lower(), "Enter")
                else:
                    self.terminal.press("p")
            assert state.turn is not None, "somebody is on turn for every move of a lesson"
            for event in decide(state, state.turn, action):
                evolve(state, event)
            if len(state.tricks) > told:
                self.reads(lesson.tricks[told])
                told += 1
                self.terminal.press("z")
        self.reads(lesson.sheet)
        self.terminal.until(lambda shown: "Enter: " in shown.rstrip().splitlines()[-1])

    def goes_through_all(self) -> None:
        """Go through every lesson, to the word at their end."""
        for lesson in LESSONS:
            self.goes_through(lesson)
            self.terminal.press("Enter")
        self.terminal.until(lambda shown: "That is the whole game." in shown)


@pytest.fixture
def pane(tmp_path: Path) -> Iterator[TmuxPane]:
    pane = TmuxPane(tmp_path, "play", "--tutorial", "--pace", "0", "--trick-pause", "0")
    yield pane
    pane.stop()


@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")
def test_the_lessons_and_then_a_whole_game_in_tmux_at_80x24(pane: TmuxPane) -> None:
    pane.shows("Lesson 1 of 3")
    assert pane.says("#{alternate_on}") == "1"
    Reader(pane).goes_through_all()
    pane.press("Enter")
    pane.shows("round 1 of 3")
    KeyboardPlayer(pane).play_until(lambda text: FINAL in text)
    final = pane.until(lambda text: text.count("deal proven") == 3 and "Enter: back" in text)
    assert re.search(r"wins? the game with|share", final), final
    pane.press("Enter")
    pane.shows("The game is over")
    pane.press("q")
    pane.shows("Learn to play")
    pane.press("q")
    pane.shows("ended with 0")
    assert pane.says("#{alternate_on} #{cursor_flag} #{mouse_any_flag}") == "0 1 0"


def test_the_lessons_in_letters_alone_at_60x20_and_out_again() -> None:
    with Terminal("learn", "--pace", "0", "--ascii", columns=60, rows=20) as terminal:
        Reader(terminal, ASCII_FACES).goes_through_all()
        assert terminal.text.isascii()
        terminal.press("Escape")
        terminal.shows("Learn to play")
        terminal.press("q")
        assert terminal.exit_code() == 0
        assert terminal.is_restored


def test_somebody_who_plays_for_the_first_time_is_offered_the_lessons(tmp_path: Path) -> None:
    home = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "data"), "XDG_STATE_HOME": str(tmp_path / "state")}
    with Terminal("play", environment=home) as terminal:
        terminal.shows("Is this your first game?")
        terminal.press("Enter")
        Reader(terminal).reads(LESSONS[0].steps[0].says)
        terminal.press("q")
        terminal.shows("Where to?")
        terminal.press("q")
        terminal.shows("Play against bots")
        terminal.press("q")
        assert terminal.exit_code() == 0
    with Terminal("play", environment=home) as again:
        again.shows("round 1 of 3")
