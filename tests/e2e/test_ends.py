"""Every way in which a program on a terminal ends leaves that terminal to the shell as it was."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest

from tests.e2e.terminal import Terminal

pytestmark = pytest.mark.terminal


@pytest.fixture
def table() -> Iterator[Terminal]:
    with Terminal("play", "--pace", "0", "--trick-pause", "0") as terminal:
        terminal.shows("Enter bid")
        assert not terminal.is_restored
        yield terminal


def test_sigterm_gives_the_terminal_back(table: Terminal) -> None:
    table.process.send_signal(signal.SIGTERM)
    assert table.exit_code() == 143
    assert table.is_restored


def test_ctrl_q_gives_the_terminal_back_and_keeps_the_game(table: Terminal) -> None:
    table.press("\x11")
    assert table.exit_code() == 0
    assert table.is_restored
    with Terminal("play") as again:
        again.shows("You have a game that is not finished.")


def test_a_window_that_is_closed_ends_the_program_and_keeps_the_game(table: Terminal) -> None:
    assert table.hang_up() == -signal.SIGHUP
    with Terminal("play") as again:
        again.shows("You have a game that is not finished.")
