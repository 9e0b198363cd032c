"""Somebody at the line mode: plays from the lines that are printed and nothing else, through a pipe or a pty."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from tests.e2e.terminal import take_terminal

SECONDS = 30.0
"""What any line may take before a test gives up on it."""

LOOSEENDS = (sys.executable, "-m", "looseends_client")

_HAND = re.compile(r"Your hand, .* cards?: (.*)\.")
_LAID = re.compile(r"You (?:bid|lead|play) ([BRGY]\d+|X)\.")
_COVER = re.compile(r"cover ([BRGY]\d+)")
_FOLLOW = re.compile(r"follow (Blue|Red|Green|Yellow)")


class Lines:
    """A process of `looseends` behind two pipes: lines go in, lines come out. Ended with its `with` block."""

    def __init__(
        self, *arguments: str, environment: dict[str, str] | None = None, program: tuple[str, ...] = LOOSEENDS
    ) -> None:
        self.process = subprocess.Popen(
            [*program, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **(environment or {})},
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._input = self.process.stdin
        self._output = self.process.stdout
        self._unread = b""
        self.raw = b""
        """Every byte that was printed."""
        self.lines: list[str] = []
        """Every whole line that was read."""
        self._typed_at = 0
        """How many lines had been read when the last one was typed."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        self.process.wait(SECONDS)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None and not stream.closed:
                stream.close()

    def fileno(self) -> int:
        """Return the descriptor that is readable when something has been printed."""
        return self._output.fileno()

    def type(self, line: str) -> None:
        """Type a line."""
        self.type_bytes(f"{line}\n".encode())

    def type_bytes(self, data: bytes) -> None:
        """Type anything."""
        self._typed_at = len(self.lines)
        self._input.write(data)
        self._input.flush()

    def read(self) -> list[str]:
        """Return the lines that come next, at least one, empty at the end. Fails where none comes."""
        deadline = time.monotonic() + SECONDS
        while True:
            left = deadline - time.monotonic()
            ready, _, _ = select.select([self], [], [], max(0.0, left))
            if not ready:
                raise AssertionError("nothing more was said after:\n" + "\n".join(self.lines[-30:]))
            received = self._receive()
            self.raw += received
            if not received:
                return []
            self._unread += received
            whole = self._cut()
            if whole:
                new = [line.decode() for line in whole]
                self.lines += new
                return new

    def _receive(self) -> bytes:
        return os.read(self._output.fileno(), 65536)

    def _cut(self) -> list[bytes]:
        """Take the whole lines out of what has not been read."""
        *whole, self._unread = self._unread.split(b"\n")
        return whole

    def until(self, fact: Callable[[str], object]) -> str:
        """Return the first line since the last one was typed of which a fact holds."""
        at = self._typed_at
        while True:
            for line in self.lines[at:]:
                if fact(line):
                    return line
            at = len(self.lines)
            if not self.read():
                raise AssertionError("it ended after:\n" + "\n".join(self.lines[-30:]))

    def says(self, words: str) -> str:
        """Return the first line with these words since the last one was typed."""
        return self.until(lambda line: words in line)

    def ends(self) -> int:
        """Close the input, read to the end, and return the exit code."""
        if not self._input.closed:
            self._input.close()
        return self.exit_code()

    def exit_code(self) -> int:
        """Read to the end, and return the exit code."""
        while self.read():
            pass
        return self.process.wait(SECONDS)

    @property
    def errors(self) -> str:
        """What was printed on the error output, once the process has ended."""
        assert self.process.stderr is not None
        return self.process.stderr.read().decode()


class PtyLines(Lines):
    """The same on a terminal of no abilities, on which a prompt stays at the end of an open line."""

    def __init__(self, *arguments: str, environment: dict[str, str] | None = None) -> None:
        self._main, theirs = os.openpty()
        self.process = subprocess.Popen(
            [*LOOSEENDS, *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            preexec_fn=take_terminal,  # so that Ctrl-C reaches it
            env={**os.environ, "TERM": "dumb", **(environment or {})},
        )
        os.close(theirs)
        self._unread = b""
        self.raw = b""
        self.lines = []
        self._typed_at = 0

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        self.process.wait(SECONDS)
        os.close(self._main)

    def fileno(self) -> int:
        return self._main

    def type_bytes(self, data: bytes) -> None:
        self._typed_at = len(self.lines)
        os.write(self._main, data)

    def _receive(self) -> bytes:
        try:
            return os.read(self._main, 65536)
        except OSError:  # the other end of a pty is gone
            return b""

    def _cut(self) -> list[bytes]:
        *whole, self._unread = self._unread.replace(b"\r\n", b"\n").split(b"\n")
        if self._unread.endswith(b": "):
            whole.append(self._unread[:-1])
            self._unread = b""
        return whole

    def ends(self) -> int:
        self.type_bytes(b"\x04")
        return self.exit_code()


class LinePlayer:
    """Plays at a `Lines`: bids `bids` cards a round and then any card that the lines allow."""

    def __init__(self, lines: Lines, *, bids: int = 2) -> None:
        self.lines = lines
        self._bids = bids
        self._laid = 0
        self._read = 0
        self.hand: list[str] = []
        self.game_is_over = False

    def hear(self) -> bool:
        """Take in what was printed, act where that is asked; False where the program has ended."""
        if self._read == len(self.lines.lines) and not self.lines.read():
            return False
        while self._read < len(self.lines.lines):
            line = self.lines.lines[self._read]
            self._read += 1
            self._take(line)
        return True

    def _take(self, line: str) -> None:
        hand, laid = _HAND.fullmatch(line), _LAID.fullmatch(line)
        if hand is not None:
            self.hand = re.findall(r"[BRGY]\d+|X", hand[1])
            self._laid = 0
        elif laid is not None:
            self.hand.remove(laid[1])
            self._laid += line.startswith("You bid")
        elif line.startswith("Your turn"):
            self.lines.type(self._answer(line))
        elif line == "Type ready for the next round:":
            self.lines.type("ready")
        elif line.startswith("Type ready to play again"):
            self.game_is_over = True

    def _answer(self, asked: str) -> str:
        cover, follow = _COVER.search(asked), _FOLLOW.search(asked)
        if cover is not None:
            return cover[1]
        if "bid a card" in asked or asked.endswith("pass:"):
            can_bid = "bid a card" in asked and any(card != "X" for card in self.hand)
            if can_bid and ("must bid" in asked or self._laid < self._bids):
                return next(card for card in self.hand if card != "X")
            return "pass"
        if follow is not None:
            return next(card for card in self.hand if card.startswith(follow[1][0]))
        return self.hand[0]

    def play_to_the_end(self) -> None:
        """Play until the game is over."""
        while not self.game_is_over:
            assert self.hear(), "\n".join(self.lines.lines[-30:])


def play_together(*players: LinePlayer) -> None:
    """Let all of them play until the game is over for everybody."""
    while not all(player.game_is_over for player in players):
        printed, _, _ = select.select([player.lines for player in players], [], [], SECONDS)
        assert printed, "nobody is asked anything:\n" + "\n\n".join(
            "\n".join(player.lines.lines[-20:]) for player in players
        )
        for player in players:
            if player.lines in printed:
                assert player.hear()
