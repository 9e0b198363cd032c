"""A window that is dragged about wildly while a game runs: nothing breaks, and the last size is drawn right."""

from __future__ import annotations

import random

import pytest

from tests.e2e.keyboard_player import KeyboardPlayer
from tests.e2e.terminal import Terminal

pytestmark = pytest.mark.terminal

REPAINT = "\x0c"
"""Ctrl-L."""


def last_line(text: str) -> str:
    """Return the last line that anything stands on."""
    return next((line for line in reversed(text.splitlines()) if line.strip()), "")


def test_a_game_goes_on_through_any_sizes_and_the_last_one_is_drawn_right() -> None:
    rng = random.Random(1)
    with Terminal("play", "--players", "5", "--bots", "rookie", "--pace", "0", "--trick-pause", "0") as terminal:
        player = KeyboardPlayer(terminal, bids=1)
        terminal.shows("Enter bid")
        for _ in range(12):
            for _ in range(rng.randint(1, 12)):
                terminal.resize(rng.randint(1, 200), rng.randint(1, 60))
                terminal.look()
            terminal.resize(*rng.choice([(80, 24), (60, 20), (100, 30), (160, 50), (72, 20)]))
            terminal.until(lambda text: " keys" in last_line(text) or "Enter" in last_line(text))
            player.act()
        terminal.resize(80, 24)
        terminal.until(lambda text: "Enter" in text.splitlines()[23])  # nobody but this player can do anything now
        terminal.settled()
        shown = terminal.text
        terminal.scribble(b"\x1b[2J")
        terminal.press(REPAINT)
        terminal.until(lambda text: last_line(text) == last_line(shown))
        terminal.settled()
        assert terminal.text == shown
        terminal.press("\x11")
        assert terminal.exit_code() == 0
        assert terminal.is_restored
