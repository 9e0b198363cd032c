"""A store that measures another one: how long a commit takes, and whether the last one worked.

It stands between the house and its store only where somebody reads the numbers.
"""

from __future__ import annotations

import time
from bisect import bisect_left

from looseends_server.store.base import Change, OnDone, Store, Stored, StoreFailed
from looseends_server.store.games import GamesReader

BUCKETS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Upper bounds in seconds of the histogram of commits; one more bucket is without a bound."""


class MeasuredStore:
    """Passes everything on to `store` and counts."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.buckets = [0] * (len(BUCKETS) + 1)
        """How many changes became durable within each bound and above the one before."""
        self.seconds = 0.0
        """The sum of their times from `write` to the call back."""
        self.failures = 0
        self.failing = ""
        """Why the last change could not be made durable, empty where it could."""

    def load(self) -> Stored:
        """As `Store.load`."""
        return self.store.load()

    def write(self, change: Change, on_done: OnDone) -> None:
        """As `Store.write`, with the time that it takes."""
        began = time.perf_counter()

        def done(error: StoreFailed | None) -> None:
            if error is None:
                took = time.perf_counter() - began
                self.buckets[bisect_left(BUCKETS, took)] += 1
                self.seconds += took
                self.failing = ""
            else:
                self.failures += 1
                self.failing = str(error)
            on_done(error)

        self.store.write(change, done)

    async def flush(self) -> None:
        """As `Store.flush`."""
        await self.store.flush()

    def games(self) -> GamesReader:
        """As `Store.games`."""
        return self.store.games()

    async def close(self) -> None:
        """As `Store.close`."""
        await self.store.close()
