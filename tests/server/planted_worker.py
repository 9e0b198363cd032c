"""A worker process whose minds have faults, and a searching level that is none: for tests of what a house does then.

Run as a program by the house under test. Imports of it by a test are for the names of the levels alone.
"""

from __future__ import annotations

import hashlib
import os
import random
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from looseends_core.actions import PASS, PLAYS, Action
from looseends_core.bots import Level
from looseends_core.bots.steady import choose_as_steady
from looseends_core.bots.thought import Stop, Thought, unsearched
from looseends_core.decide import legal_actions
from looseends_core.state import State
from looseends_server import mind_process
from looseends_server.mind_messages import Answer, frame_of


def _steadily(view: State, rng: random.Random) -> Thought:
    return unsearched(choose_as_steady(view, rng), legal_actions(view))


def plain(view: State, rng: random.Random, _stop: Stop) -> Thought:
    """Think of nothing much, and well."""
    return _steadily(view, rng)


def dies(_view: State, _rng: random.Random, _stop: Stop) -> Thought:
    """Be gone in the middle of a thought, as after a kill -9."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("killed before")


def dies_once(view: State, rng: random.Random, _stop: Stop) -> Thought:
    """Be gone in the middle of the first thought of all workers; the file that LOOSEENDS_TEST_ONCE names remembers."""
    once = Path(os.environ["LOOSEENDS_TEST_ONCE"])
    if not once.exists():
        once.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return _steadily(view, rng)


def hangs(_view: State, _rng: random.Random, _stop: Stop) -> Thought:
    """Sleep for ever, which takes no CPU that a watchdog could count."""
    while True:
        signal.pause()


def goes_on(view: State, rng: random.Random, stop: Stop) -> Thought:
    """Think for ever, but hear when it is told to stop."""
    thought = _steadily(view, rng)
    while not stop():
        pass
    return thought


def is_deaf(_view: State, _rng: random.Random, _stop: Stop) -> Thought:
    """Think for ever and hear nothing."""
    while True:
        pass


def is_lost_in_c(_view: State, _rng: random.Random, _stop: Stop) -> Thought:
    """Count for ever in one call of a library, in which no signal handler of Python's runs."""
    hashlib.pbkdf2_hmac("sha256", b"a hand", b"a deal", 2**31 - 1)
    raise AssertionError("killed before")


def fails(_view: State, _rng: random.Random, _stop: Stop) -> Thought:
    """Have a fault."""
    raise ZeroDivisionError("secret of a hand")


def cheats(view: State, _rng: random.Random, _stop: Stop) -> Thought:
    """Choose what may not be chosen."""
    allowed = legal_actions(view)
    everything: tuple[Action, ...] = (*PLAYS, PASS)
    other = next(action for action in everything if action not in allowed)
    return unsearched(other, allowed)


def babbles(_view: State, _rng: random.Random, _stop: Stop) -> Thought:
    """Answer with bytes that are no answer, and go on as if that were nothing."""
    os.write(mind_process.CHANNEL, b"\x00\x00\x00\x05hello")
    return _steadily(_view, _rng)


def booms(_view: State, _rng: random.Random, _stop: Stop) -> Thought:
    """Announce more bytes than there can be."""
    os.write(mind_process.CHANNEL, b"\xff\xff\xff\xff")
    return _steadily(_view, _rng)


def repeats(view: State, rng: random.Random, _stop: Stop) -> Thought:
    """Answer twice, first to a question that nobody asked."""
    thought = _steadily(view, rng)
    os.write(mind_process.CHANNEL, frame_of(Answer(4_000_000, thought)))
    return thought


def _level(name: str, mind: Callable[[State, random.Random, Stop], Thought]) -> Level:
    return Level(name, "For tests.", choose_as_steady, mind)


LEVELS: dict[str, Level] = {
    "steady": Level("steady", "For tests.", choose_as_steady),
    **{
        name: _level(name, mind)
        for name, mind in {
            "plain": plain,
            "dies": dies,
            "dies-once": dies_once,
            "hangs": hangs,
            "goes-on": goes_on,
            "is-deaf": is_deaf,
            "is-lost-in-c": is_lost_in_c,
            "fails": fails,
            "cheats": cheats,
            "babbles": babbles,
            "booms": booms,
            "repeats": repeats,
        }.items()
    },
}
WORKER = (sys.executable, "-P", str(Path(__file__)))
"""The command that starts it."""

if __name__ == "__main__":
    mind_process.KILLED_AFTER = 0
    mind_process.main(LEVELS)
