"""A whole game in tmux, and the terminal that it leaves behind."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.keyboard_player import FINAL, KeyboardPlayer
from tests.e2e.tmux_pane import TmuxPane

pytestmark = [
    pytest.mark.terminal,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]


@pytest.fixture
def pane(tmp_path: Path) -> Iterator[TmuxPane]:
    pane = TmuxPane(tmp_path, "play", "--pace", "0", "--trick-pause", "0")
    yield pane
    pane.stop()


def test_a_whole_game_in_tmux_leaves_the_terminal_as_it_was(pane: TmuxPane) -> None:
    pane.shows("Enter bid")
    assert pane.says("#{alternate_on}") == "1"
    KeyboardPlayer(pane).play_until(lambda text: FINAL in text)
    final = pane.until(lambda text: text.count("deal proven") == 3 and "Enter: back" in text)
    assert re.search(r"wins? the game with|win together|share", final), final
    pane.press("Enter")
    pane.shows("The game is over")
    pane.press("q")
    pane.shows("Play against bots")
    pane.press("q")
    pane.shows("ended with 0")
    assert pane.says("#{alternate_on} #{cursor_flag} #{mouse_any_flag}") == "0 1 0"


def test_a_window_of_tmux_that_grows_and_shrinks_shows_the_whole_table_again(pane: TmuxPane) -> None:
    pane.shows("Enter bid")
    for columns, rows in ((160, 50), (60, 20), (1, 1), (100, 30)):
        pane.resize(columns, rows)
    pane.resize(30, 10)
    pane.shows("The table needs")
    pane.resize(80, 24)
    pane.until(lambda text: "Enter bid" in text and "round 1 of 3" in text)
