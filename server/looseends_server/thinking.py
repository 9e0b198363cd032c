"""How long a bot may think in the server's own loop: CPU time of this process, after which its thought is broken off.

Only levels that take well under a millisecond are called here; this is for the day on which one of them has a fault.
"""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType

THINKING_SECONDS = 0.5
"""CPU seconds for one choice: hundreds of times what a level of the loop needs, and short enough for everybody else."""


class ThoughtTooLong(Exception):
    """A bot did not come to a choice in its time."""


def _break_off(_signal: int, _frame: FrameType | None) -> None:
    raise ThoughtTooLong(f"no choice within {THINKING_SECONDS} s of CPU")


@contextlib.contextmanager
def bounded_thought() -> Iterator[None]:
    """Break off what runs inside after THINKING_SECONDS, by raising ThoughtTooLong in it.

    Signals reach the main thread of a POSIX system alone; anywhere else nothing is bounded.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGVTALRM, _break_off)
    signal.setitimer(signal.ITIMER_VIRTUAL, THINKING_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
        signal.signal(signal.SIGVTALRM, before)
