"""A worker process: it thinks about one question after the other, and ends when nobody is left to ask.

It is started as a program of its own with a socket as its standard input, holds nothing between two questions, and
imports the core alone, so that it is small and starts fast. It may not know the server, a table, or anything that a
seat may not know.
"""

from __future__ import annotations

import contextlib
import os
import random
import resource
import signal
import time
from collections.abc import Mapping
from types import FrameType

import msgspec

from looseends_core.bots import LEVELS, Level
from looseends_core.state import fold
from looseends_server.mind_messages import LENGTH_BYTES, Answer, FrameBroken, Question, frame_length, frame_of

CHANNEL = 0
"""The file descriptor of the socket."""
NICENESS = 10
"""Whatever else the machine has to do, the house itself above all, comes first."""
KILLED_AFTER = 2
"""Whole seconds of CPU beyond the second strike after which the kernel ends a worker that heard neither."""


class ThoughtTooLong(Exception):
    """A thought went on long after it was told to stop."""


class Watchdog:
    """Counts the CPU time of this process: first it asks the thought to stop, as much later again it breaks it off."""

    def __init__(self) -> None:
        self.struck = False
        self._watching = False
        signal.signal(signal.SIGPROF, self._strike)

    def begin(self, seconds: float) -> None:
        """Watch from now on; the first strike comes after so many seconds of CPU."""
        self.struck = False
        self._watching = True
        used = time.process_time()
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        last = int(used + 2 * seconds) + 1 + KILLED_AFTER
        if hard == resource.RLIM_INFINITY or last < hard:
            resource.setrlimit(resource.RLIMIT_CPU, (last, hard))
        signal.setitimer(signal.ITIMER_PROF, seconds, seconds)

    def end(self) -> None:
        """Watch no longer."""
        self._watching = False
        signal.setitimer(signal.ITIMER_PROF, 0.0)

    def _strike(self, _signal: int, _frame: FrameType | None) -> None:
        if not self._watching:
            return
        if self.struck:
            raise ThoughtTooLong
        self.struck = True

    def has_struck(self) -> bool:
        """Return whether the thought is to come to its end."""
        return self.struck


def answered(question: Question, levels: Mapping[str, Level], watchdog: Watchdog) -> Answer:
    """Return what comes of a question, whatever its level does."""
    before = time.process_time()
    watchdog.begin(question.cpu_seconds)
    thought = None
    failure = ""
    try:
        view = fold(question.rules, question.events)
        thought = levels[question.level].think(view, random.Random(question.seed), watchdog.has_struck)
    except Exception as error:
        # Its text may name cards, and what is said here goes into a log.
        failure = type(error).__name__
    finally:
        watchdog.end()
    return Answer(question.number, thought, time.process_time() - before, watchdog.struck, failure)


def serve(levels: Mapping[str, Level]) -> None:
    """Answer questions until the other end is gone."""
    watchdog = Watchdog()
    decoder = msgspec.msgpack.Decoder(Question)
    while (content := _frame_read()) is not None:
        _write(frame_of(answered(decoder.decode(content), levels, watchdog)))


def _frame_read() -> bytes | None:
    """Return the next frame without its length, None where there will be none."""
    head = _read(LENGTH_BYTES)
    return _read(frame_length(head)) if head is not None else None


def _read(count: int) -> bytes | None:
    parts: list[bytes] = []
    while count:
        part = os.read(CHANNEL, count)
        if not part:
            return None
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def _write(data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(CHANNEL, rest) :]


def main(levels: Mapping[str, Level] = LEVELS) -> None:
    """Be a worker until the house is gone."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # told to all processes at once, it is the house that ends us
    with contextlib.suppress(OSError):  # a system that lets us be neither is no reason not to think
        os.nice(NICENESS)
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    with contextlib.suppress(OSError, FrameBroken, msgspec.MsgspecError):  # the house is gone, or is no house
        serve(levels)


if __name__ == "__main__":
    main()
