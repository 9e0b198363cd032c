"""When the garbage collector runs in a process that holds many apps.

A full collection looks at every object of every app, and nobody is answered meanwhile: with a hundred apps that took
200 ms, every few seconds. What was imported is set aside for good, and full collections run when somebody has left, or
when a quarter more than before has come together.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator

THRESHOLDS = (2_000, 25, 100)
"""Young objects are looked at by the thousand, which takes two milliseconds: by fifty thousand it took sixty, and every
thirtieth key waited for that. A full collection comes after millions of new ones, and by Python's own rule only where a
quarter more than before has grown old: screens that people have left are among that.
"""
LEAST_LEFT = 16
"""So many have to have left, or half as many as are still in, before a full collection while people play."""


@contextlib.contextmanager
def rare_full_collections() -> Iterator[None]:
    """Collect all garbage seldom from here on, until the end of the block. Enter it when everything is imported."""
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


class LeftBehind:
    """Counts apps that ended, and collects what they left where that is worth the time it takes."""

    def __init__(self) -> None:
        self._left = 0

    def one_left(self, inside: int) -> None:
        """Take note that an app ended and so many are still in; collect where nobody is disturbed, or it is due."""
        self._left += 1
        if not inside or self._left >= max(LEAST_LEFT, inside // 2):
            self._left = 0
            gc.collect()
