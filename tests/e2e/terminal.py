"""A program on a real terminal: a pty that it owns, and an emulator that reads what it draws.

Whoever tests waits for what stands on the screen, never for time to pass.
"""

from __future__ import annotations

import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from types import TracebackType

import pyte

SECONDS = 30.0
"""What anything on a screen may take before a test gives up on it."""
KEYS = {"Enter": b"\r", "Right": b"\x1b[C", "Left": b"\x1b[D", "Down": b"\x1b[B", "Up": b"\x1b[A", "Escape": b"\x1b"}
_UNREADABLE = re.compile(rb"\x1b\[[<>=][0-9;]*[a-zA-Z]|\x1b\[\?[0-9;]*\$[py]|\x1b[P\]_^][^\x07\x1b]*(?:\x07|\x1b\\)")
"""Private sequences that the emulator would print as text: keyboard protocols, queries, titles."""
_UNFINISHED = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*|[P\]_^][^\x07\x1b]*\x1b?)?\Z")
"""A sequence whose end has not been read yet."""
_MODES = (1049, 1000, 1002, 1003, 1004, 1006, 1015, 2004)
"""The alternate screen, mouse reports, focus reports and bracketed paste: on while the program runs, off after it."""


def take_terminal() -> None:
    """In a new process: make standard input the terminal of its session, and mind that it hangs up.

    A window that is closed hangs up on its session, which only a session with this terminal notices. Whoever runs the
    tests may have been told not to mind, which programs inherit.
    """
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


class Terminal:
    """One program on a terminal of `columns` by `rows`, ended with the `with` block it is used in.

    It is `looseends` unless another `program` is named.
    """

    def __init__(
        self,
        *arguments: str,
        columns: int = 80,
        rows: int = 24,
        environment: dict[str, str] | None = None,
        program: tuple[str, ...] = (sys.executable, "-m", "looseends_client"),
    ) -> None:
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        self.raw = b""
        """Every byte that was drawn."""
        self._unread = b""
        self._main, theirs = os.openpty()
        _set_size(theirs, columns, rows)
        # COLUMNS and LINES would win over the terminal's real size; TERM and locale are this terminal's.
        inherited = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
        self.process = subprocess.Popen(
            [*program, *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            preexec_fn=take_terminal,
            env=inherited | {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8"} | (environment or {}),
        )
        os.close(theirs)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()

    def kill(self) -> None:
        """End the program at once, as a closed window or a lost machine would."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        self.process.wait(SECONDS)
        self._close()

    def hang_up(self) -> int:
        """Take the terminal away, as closing its window does, and return how the program ended."""
        self._close()
        return self.process.wait(SECONDS)

    def _close(self) -> None:
        if self._main >= 0:
            os.close(self._main)
            self._main = -1

    def _read(self, seconds: float) -> bool:
        """Take what was drawn, waiting for it; False where the program has gone."""
        ready, _, _ = select.select([self._main], [], [], max(0.0, seconds))
        if not ready:
            return True
        try:
            drawn = os.read(self._main, 65536)
        except OSError:  # the other end of a pty is gone
            return False
        self.raw += drawn
        drawn = self._unread + drawn
        unfinished = _UNFINISHED.search(drawn)
        readable = drawn[: unfinished.start()] if unfinished else drawn
        self._unread = drawn[len(readable) :]
        self._stream.feed(_UNREADABLE.sub(b"", readable))
        return True

    def until_written(self, sequence: bytes) -> None:
        """Return as soon as the program has written this sequence, wherever in what it wrote."""
        deadline = time.monotonic() + SECONDS
        while sequence not in self.raw:
            if not self._read(0.25) or time.monotonic() > deadline:
                raise AssertionError(f"{sequence!r} was never written")

    def scribble(self, drawn: bytes) -> None:
        """Let another program write on the same terminal, of which this one knows nothing."""
        self._stream.feed(drawn)

    def fileno(self) -> int:
        """Return the descriptor that is readable when something has been drawn."""
        return self._main

    def look(self) -> None:
        """Take what has been drawn so far."""
        self._read(0)

    @property
    def text(self) -> str:
        """What stands on the screen, a line a row."""
        return "\n".join(self.screen.display)

    def until(self, fact: Callable[[str], object], seconds: float = SECONDS) -> str:
        """Return the screen as soon as a fact holds of its text. Fails with the screen where it never does."""
        deadline = time.monotonic() + seconds
        while not fact(self.text):
            left = deadline - time.monotonic()
            alive = self._read(min(left, 0.25))
            if fact(self.text):
                break
            if left <= 0 or not alive:
                raise AssertionError(f"what was waited for never came. The screen:\n{self.text}")
        return self.text

    def changed(self) -> None:
        """Return as soon as the screen differs from what it shows now."""
        before = self.text
        self.until(lambda text: text != before)

    def settled(self, seconds: float = 0.15) -> None:
        """Take what is drawn until nothing more comes for a moment, so that no half-drawn picture is looked at."""
        while select.select([self._main], [], [], seconds)[0]:
            if not self._read(0):
                return

    def shows(self, words: str, seconds: float = SECONDS) -> str:
        """Return the screen as soon as these words stand on it."""
        return self.until(lambda text: words in text, seconds)

    def press(self, *keys: str) -> None:
        """Type keys: by a name of KEYS, or as the text that they are."""
        for key in keys:
            os.write(self._main, KEYS.get(key, key.encode()))

    def resize(self, columns: int, rows: int) -> None:
        """Give the terminal another size."""
        self.screen.resize(rows, columns)
        _set_size(self._main, columns, rows)  # of which the system tells the program

    def exit_code(self) -> int:
        """Return the exit code, after everything that was drawn has been read."""
        deadline = time.monotonic() + SECONDS
        while self._read(0.25):
            if self.process.poll() is not None and not select.select([self._main], [], [], 0)[0]:
                break
            if time.monotonic() > deadline:
                raise AssertionError(f"the program never ended. The screen:\n{self.text}")
        return self.process.wait(SECONDS)

    @property
    def is_restored(self) -> bool:
        """Whether the terminal was left as it was found: its own screen, a cursor, nothing reported."""
        switches = [(f"\x1b[?{mode}h".encode(), f"\x1b[?{mode}l".encode()) for mode in _MODES]
        switches.append((b"\x1b[?25l", b"\x1b[?25h"))
        return all(self.raw.rfind(off) >= self.raw.rfind(on) for on, off in switches) and b"\x1b[?1049h" in self.raw


def _set_size(descriptor: int, columns: int, rows: int) -> None:
    fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
