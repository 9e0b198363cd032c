"""A whole game in tmux, where people really play over SSH, and the terminal that it leaves behind."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.e2e.keyboard_player import FINAL, cards_in_hand

pytestmark = [
    pytest.mark.terminal,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]

SECONDS = 60.0


class Tmux:
    """One pane of 80 by 24 on a tmux server of its own, which stays when the program in it has ended."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        # A socket in a folder of this test: no other server's, and none that is still going down.
        self._tmux = ["tmux", "-S", str(folder / "tmux"), "-f", "/dev/null"]
        inherited = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "TMUX")}
        self._environment = inherited | {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
        # A dead pane has no cursor to look at: behind the program a shell says how it ended and stays.
        command = shlex.join([sys.executable, "-m", "looseends_client", *arguments])
        shell = f"{command}; echo ended with $?; exec cat"
        self._run("new-session", "-d", "-x", "80", "-y", "24", "-s", "game", shell)

    def _run(self, *arguments: str) -> str:
        return subprocess.run(
            [*self._tmux, *arguments], env=self._environment, capture_output=True, text=True, check=True
        ).stdout

    @property
    def text(self) -> str:
        return self._run("capture-pane", "-p", "-t", "game")

    def press(self, *keys: str) -> None:
        self._run("send-keys", "-t", "game", *keys)

    def until(self, fact: Callable[[str], object]) -> str:
        """Return the pane as soon as a fact holds of it; each look is a process, which paces this loop."""
        deadline = time.monotonic() + SECONDS
        while not fact(text := self.text):
            if time.monotonic() > deadline:
                raise AssertionError(f"what was waited for never came. The pane:\n{text}")
        return text

    def says(self, what: str) -> str:
        return self._run("display", "-p", "-t", "game", what).strip()

    def stop(self) -> None:
        self._run("kill-server")


@pytest.fixture
def pane(tmp_path: Path) -> Iterator[Tmux]:
    tmux = Tmux(tmp_path, "play", "--pace", "0", "--trick-pause", "0")
    yield tmux
    tmux.stop()


def test_a_whole_game_in_tmux_leaves_the_terminal_as_it_was(pane: Tmux) -> None:
    pane.until(lambda text: "Enter bid" in text)
    assert pane.says("#{alternate_on}") == "1"
    answered: object = None

    def play(text: str) -> bool:
        nonlocal answered
        rows = text.rstrip().splitlines()
        if FINAL in text or not rows:
            return FINAL in text
        turn = re.search(r"Enter (bid|play|cover)|Enter: (ready)", rows[-1])
        asked = (rows[0], turn and turn[0], cards_in_hand(text))
        if turn is None or asked == answered:
            return False
        answered = asked
        if turn[1] == "bid" and re.search(r"\((?:[2-9]) of|the most", text):
            pane.press("p")
        elif turn[1] in ("bid", "play"):
            pane.press("Right", "Enter")
        else:
            pane.press("Enter")
        return False

    pane.until(play)
    final = pane.until(lambda text: text.count("deal proven") == 3 and "Enter: back" in text)
    assert re.search(r"wins? the game with|win together|share", final), final
    pane.press("Enter")
    pane.until(lambda text: "The game is over" in text)
    pane.press("q")
    pane.until(lambda text: "Play against bots" in text)
    pane.press("q")
    pane.until(lambda text: "ended with 0" in text)
    assert pane.says("#{alternate_on} #{cursor_flag} #{mouse_any_flag}") == "0 1 0"
