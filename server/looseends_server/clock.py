"""Time, as something handed in: the one place of the server that reads a clock.

Everything that waits asks a `Clock`, so that a test can move time by hand.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Protocol


class Timer(Protocol):
    """Something that will be called; it can be called off."""

    def cancel(self) -> None:
        """Call it off; harmless when it has been called already."""


class Clock(Protocol):
    """Tells the time and calls back after some of it."""

    def monotonic(self) -> float:
        """Return seconds that never go back; their zero means nothing."""
        ...

    def wall(self) -> float:
        """Return seconds since 1970, for what has to outlive a restart."""
        ...

    def call_later(self, seconds: float, callback: Callable[[], None]) -> Timer:
        """Call back in the event loop after this many seconds."""
        ...


class LoopClock:
    """The real clock, on the running event loop."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.monotonic: Callable[[], float] = self._loop.time
        """The loop's own seconds; asked three times a move, so without a call between."""

    def wall(self) -> float:
        """Return seconds since 1970."""
        return time.time()

    def call_later(self, seconds: float, callback: Callable[[], None]) -> Timer:
        """Call back after this many seconds."""
        return self._loop.call_later(seconds, callback)
