"""A program as a process: started in a group of its own, asked one line at a time, and ended with all that it started.

It may be slow, dead, talkative, silent or hostile: every wait has an end, every line a longest length. What to do in
the place of a program that fails is not decided here. Needs what Linux and macOS have: process groups, and pipes that
can be waited for.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import shlex
import shutil
import signal
import subprocess
import threading
import time

LINE_LIMIT = 4096
"""Longest line that is read from a program, in bytes; the longest action has 12."""
ENDING_SECONDS = 1.0
"""How long a program may take to end by itself once its input has ended, before it is killed."""
_AT_ONCE = 65536


class ProgramFault(Exception):
    """The program did not answer as it should, and is of no use until it is started anew; the message is a sentence."""


def words_of(command: str) -> list[str]:
    """Return the words of a command line. Raises ValueError, with what to do, where no such program can be started."""
    if not can_run_programs():
        raise ValueError("programs as bots need process groups, which this system does not have")
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ValueError(f"{command!r} cannot be read as a command: {error}") from error
    if not words:
        raise ValueError("the command is empty: name a program")
    if shutil.which(words[0]) is None:
        raise ValueError(f"there is no program {words[0]!r} that can be run: check the path, and chmod +x it")
    return words


def can_run_programs() -> bool:
    """Return whether this system has what it takes to run a program and to be rid of it."""
    return os.name == "posix"


class Program:
    """One running program. `ask` writes a line and returns the line that it answers."""

    def __init__(self, words: list[str]) -> None:
        """Start it. Raises ProgramFault where that cannot be done."""
        try:
            # A session of its own: Ctrl-C is for us alone, and whatever it starts can be found again by its group.
            self._process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, start_new_session=True
            )
        except (OSError, ValueError) as error:
            raise ProgramFault(f"cannot be started: {getattr(error, 'strerror', None) or error}") from error
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        for stream in (self._stdin, self._stdout):
            os.set_blocking(stream.fileno(), False)
        self._unread = b""
        self._ended = False
        self._is_waited_for = False
        self._killing = threading.Lock()

    def ask(self, line: bytes, seconds: float) -> bytes:
        """Write a line (its newline at the end) and return the next one that the program writes, without its newline.

        Raises ProgramFault where that takes more than so many seconds, where the program ends, does not read, writes a
        longer line than LINE_LIMIT, or wrote something before it was asked.
        """
        if self._unread or self._arrived():
            raise ProgramFault("wrote more than one line for one view")
        deadline = time.monotonic() + seconds
        left = memoryview(line)
        with selectors.DefaultSelector() as ready:
            ready.register(self._stdin, selectors.EVENT_WRITE)
            ready.register(self._stdout, selectors.EVENT_READ)
            while b"\n" not in self._unread:
                if len(self._unread) > LINE_LIMIT:
                    raise ProgramFault(f"wrote a line of more than {LINE_LIMIT} bytes")
                if self._ended:
                    raise ProgramFault("ended")
                waiting = deadline - time.monotonic()
                if waiting <= 0:
                    raise ProgramFault(f"took more than {seconds:g} seconds")
                for key, _ in ready.select(waiting):
                    if key.fileobj is self._stdout:
                        self._unread += self._arrived()
                    elif left:
                        left = left[self._written(left) :]
                        if not left:
                            ready.unregister(self._stdin)
        answer, _, self._unread = self._unread.partition(b"\n")
        if left:
            raise ProgramFault("wrote a line before it had read the view")
        if len(answer) > LINE_LIMIT:
            raise ProgramFault(f"wrote a line of more than {LINE_LIMIT} bytes")
        return answer

    def _written(self, line: memoryview) -> int:
        try:
            return self._stdin.write(line) or 0
        except BlockingIOError:
            return 0
        except OSError as error:
            raise ProgramFault("does not read what it is asked") from error

    def _arrived(self) -> bytes:
        """Return what there is to read now, as far as one read goes; note the end of it."""
        try:
            part = self._stdout.read(_AT_ONCE)
        except OSError:
            part = b""
        if part == b"":
            self._ended = True
        return part or b""

    def close(self, *, kindly: bool = True) -> None:
        """End the program and everything that it started and that is still in its group.

        Kindly, it has ENDING_SECONDS to end by itself when its input does.
        """
        with contextlib.suppress(OSError):
            self._stdin.close()
        if kindly:
            self._wait_for_the_end()
        with self._killing:
            self._kill()
            self._process.wait()
            self._is_waited_for = True
        self._stdout.close()

    def kill(self) -> None:
        """Kill the program and all that is in its group, from any thread: whoever waits for an answer sees it end."""
        with self._killing:
            self._kill()

    def _kill(self) -> None:
        # Never after the process has been waited for: from then on its number may belong to somebody else.
        if not self._is_waited_for:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def _wait_for_the_end(self) -> None:
        deadline = time.monotonic() + ENDING_SECONDS
        with selectors.DefaultSelector() as ready:
            ready.register(self._stdout, selectors.EVENT_READ)
            while not self._ended and (waiting := deadline - time.monotonic()) > 0:
                if ready.select(waiting):
                    self._arrived()
