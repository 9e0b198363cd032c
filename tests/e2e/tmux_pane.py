"""A program in tmux, where people really play over SSH: a pane to read and to type into."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.e2e.terminal import SECONDS


class TmuxPane:
    """One program in a pane on a tmux server of its own, which stays when the program has ended.

    It is `looseends` with these arguments, or another `command` where one is named.
    A look is a process of its own, which is what paces every wait here.
    """

    def __init__(
        self, folder: Path, *arguments: str, columns: int = 80, rows: int = 24, command: list[str] | None = None
    ) -> None:
        # A socket in a folder of this test: no other server's, and none that is still going down.
        self._tmux = ["tmux", "-S", str(folder / "tmux"), "-f", "/dev/null"]
        inherited = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "TMUX")}
        self._environment = inherited | {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
        # A dead pane has no cursor to look at: behind the program a shell says how it ended and stays.
        words = command or [sys.executable, "-m", "looseends_client", *arguments]
        shell = f"{shlex.join(words)}; echo ended with $?; exec cat"
        self._run("new-session", "-d", "-x", str(columns), "-y", str(rows), "-s", "game", shell)
        self.text = ""
        """What stood in the pane at the last look, a line a row."""

    def _run(self, *arguments: str) -> str:
        return subprocess.run(
            [*self._tmux, *arguments], env=self._environment, capture_output=True, text=True, check=True
        ).stdout

    def look(self) -> None:
        """See what stands in the pane now."""
        self.text = self._run("capture-pane", "-p", "-t", "game")

    def painted(self) -> str:
        """Return what stands in the pane with the colours it has."""
        return self._run("capture-pane", "-e", "-p", "-t", "game")

    def paste(self, text: str) -> None:
        """Paste a text, bracketed where the program has asked for that."""
        self._run("set-buffer", text)
        self._run("paste-buffer", "-p", "-t", "game")

    def press(self, *keys: str) -> None:
        """Type keys, by the names that tmux has for them."""
        self._run("send-keys", "-t", "game", *keys)

    def until(self, fact: Callable[[str], object]) -> str:
        """Return the pane as soon as a fact holds of it. Fails with the pane where it never does."""
        deadline = time.monotonic() + SECONDS
        while not fact(self.text):
            if time.monotonic() > deadline:
                raise AssertionError(f"what was waited for never came. The pane:\n{self.text}")
            self.look()
        return self.text

    def shows(self, words: str) -> str:
        """Return the pane as soon as these words stand in it."""
        return self.until(lambda text: words in text)

    def settled(self, seconds: float = 0.0) -> None:
        """Return when two looks one after the other see the same."""
        before = ""
        while before != self.text:
            before = self.text
            self.look()

    def changed(self) -> None:
        """Return as soon as the pane differs from what it shows now."""
        before = self.text
        self.until(lambda text: text != before)

    def resize(self, columns: int, rows: int) -> None:
        """Give the pane another size."""
        self._run("resize-window", "-t", "game", "-x", str(columns), "-y", str(rows))

    def says(self, what: str) -> str:
        """Return what tmux knows of the pane, in its own format language."""
        return self._run("display", "-p", "-t", "game", what).strip()

    def stop(self) -> None:
        """End the program, the pane and the server."""
        self._run("kill-server")
