"""Passwords: hashed by a library made for it, off the event loop, one at a time, and only so many tries.

A password is never kept and never logged; what is kept is its Argon2id hash.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import structlog
from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

log = structlog.get_logger()

T = TypeVar("T")

MOST_WAITING = 64
"""Hashes that may wait for their turn; each takes some tens of milliseconds and 64 MiB while it runs."""


class PasswordDesk:
    """Makes and checks hashes in one thread of its own, in the order they were asked for."""

    def __init__(self) -> None:
        self._hasher = PasswordHasher()
        self._thread: ThreadPoolExecutor | None = None
        self._waiting = 0

    @property
    def busy(self) -> bool:
        """Whether so many wait that a further one has to be turned away."""
        return self._waiting >= MOST_WAITING

    def hash(self, password: str, then: Callable[[str | None], None]) -> None:
        """Hash a password, then call back in the event loop; with None where there was no memory for it."""
        self._ask(lambda: self._hashed(password), then)

    def check(self, hashed: str, password: str, then: Callable[[bool], None]) -> None:
        """Say whether a password is the one that was hashed, then call back in the event loop."""
        self._ask(lambda: self._fits(hashed, password), then)

    def _hashed(self, password: str) -> str | None:
        try:
            return self._hasher.hash(password)
        except Argon2Error as error:
            log.error("password not hashed", error=str(error))
            return None

    def _fits(self, hashed: str, password: str) -> bool:
        try:
            return self._hasher.verify(hashed, password)
        except (Argon2Error, InvalidHashError):
            return False

    def _ask(self, work: Callable[[], T], then: Callable[[T], None]) -> None:
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, "password")
        loop = asyncio.get_running_loop()
        self._waiting += 1

        def answer(result: T) -> None:
            self._waiting -= 1
            then(result)

        def run() -> None:
            result = work()
            loop.call_soon_threadsafe(answer, result)

        self._thread.submit(run)

    def close(self) -> None:
        """Let the thread end; what waits is not answered."""
        if self._thread is not None:
            self._thread.shutdown(wait=True, cancel_futures=True)


class Tries:
    """Wrong tries at one thing by one place: so many a minute, then a wait that doubles with each further one."""

    __slots__ = ("_blocked_until", "_most", "_times", "_wait")

    FIRST_WAIT = 30.0
    LONGEST_WAIT = 3600.0
    SECONDS = 60.0

    def __init__(self, most: int) -> None:
        self._most = most
        self._times: list[float] = []
        self._wait = 0.0
        self._blocked_until = 0.0

    def seconds_to_wait(self, now: float) -> int:
        """Return how long until the next try is looked at, 0 for now."""
        return max(0, int(self._blocked_until - now) + 1) if now < self._blocked_until else 0

    def failed(self, now: float) -> None:
        """Count a wrong try."""
        self._times = [at for at in self._times if now - at < self.SECONDS]
        self._times.append(now)
        if len(self._times) >= self._most:
            self._wait = min(self.LONGEST_WAIT, self._wait * 2 or self.FIRST_WAIT)
            self._blocked_until = now + self._wait

    def is_stale(self, now: float) -> bool:
        """Return whether nothing of this needs to be remembered any more."""
        return now - max(self._blocked_until, self._times[-1] if self._times else 0.0) > self.LONGEST_WAIT


class TryBook:
    """The tries of every place and every table; `most` as in `Tries`."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._of: dict[str, Tries] = {}

    def seconds_to_wait(self, who: str, now: float) -> int:
        """Return how long this one has to wait before its next try is looked at."""
        tries = self._of.get(who)
        return tries.seconds_to_wait(now) if tries else 0

    def failed(self, who: str, now: float) -> None:
        """Count a wrong try of this one."""
        self._of.setdefault(who, Tries(self._most)).failed(now)

    def tidy(self, now: float) -> None:
        """Forget those that have been quiet for long."""
        for who in [who for who, tries in self._of.items() if tries.is_stale(now)]:
            del self._of[who]
