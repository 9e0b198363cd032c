"""The table in a window of tmux; a whole game in one follows the lessons in `test_learn_in_a_terminal`."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

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


def test_a_window_of_tmux_that_grows_and_shrinks_shows_the_whole_table_again(pane: TmuxPane) -> None:
    pane.shows("Enter bid")
    for columns, rows in ((160, 50), (60, 20), (1, 1), (100, 30)):
        pane.resize(columns, rows)
    pane.resize(30, 10)
    pane.shows("The table needs")
    pane.resize(80, 24)
    pane.until(lambda text: "Enter bid" in text and "round 1 of 3" in text)
