"""How often something may happen: a refilling allowance and a sliding window. Pure; time is passed in."""

from __future__ import annotations


class Allowance:
    """A bucket of `burst` messages that fills again at `per_second`."""

    __slots__ = ("_burst", "_filled_at", "_left", "_per_second")

    def __init__(self, burst: int, per_second: float, now: float) -> None:
        self._burst = float(burst)
        self._per_second = per_second
        self._left = float(burst)
        self._filled_at = now

    def spend(self, now: float) -> bool:
        """Take one out; False where there is none, and then nothing is taken."""
        left = self._left + (now - self._filled_at) * self._per_second
        self._left = left if left < self._burst else self._burst
        self._filled_at = now
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True


class Window:
    """At most `most` times within any `seconds`."""

    __slots__ = ("_most", "_seconds", "_times")

    def __init__(self, most: int, seconds: float) -> None:
        self._most = most
        self._seconds = seconds
        self._times: list[float] | None = None
        """The oldest first; made when first needed, and a list, as a deque of one is ten times as large."""

    def admits(self, now: float) -> bool:
        """Count one more time; False where that would be too many, and then it is not counted."""
        times = self._times
        if times is None:
            times = self._times = []
        while times and now - times[0] >= self._seconds:
            del times[0]
        if len(times) >= self._most:
            return False
        times.append(now)
        return True

    def is_empty(self, now: float) -> bool:
        """Return whether nothing was counted within the window."""
        return not self._times or now - self._times[-1] >= self._seconds

    def seconds_left(self, now: float) -> int:
        """Return how many whole seconds, rounded up, until one more time is admitted."""
        times = self._times
        if not times or len(times) < self._most:
            return 0
        return max(1, int(self._seconds - (now - times[0])) + 1)
