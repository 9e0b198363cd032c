"""What a house and its worker processes say to each other: questions one way, answers the other, as frames on a socket.

Both ends import this, so it stands on the core alone. A question holds what one seat may know and nothing else: the
redacted events of its game.
"""

from __future__ import annotations

import msgspec

from looseends_core.bots.thought import Thought
from looseends_core.events import Event
from looseends_core.rules import RuleSet

LENGTH_BYTES = 4
"""A frame begins with its length without these bytes, big-endian."""
LARGEST_FRAME = 4 * 1024 * 1024
"""Bytes of a frame: far above the events of a game of twenty rounds, far below what hurts."""


class Question(msgspec.Struct, frozen=True, array_like=True):
    """What should the seat on turn do? `events` are its game as that seat may know it, from the first on.

    `seed` fixes every random number of the thought. After `cpu_seconds` of the worker's own CPU the best action so far
    is taken.
    """

    level: str
    rules: RuleSet
    events: tuple[Event, ...]
    seed: str
    number: int = 0
    cpu_seconds: float = 0.0


class Answer(msgspec.Struct, frozen=True, array_like=True):
    """The thought about the question of this number, or None and in a few words what failed.

    `cpu_seconds` is what it took; `struck` says that the thought was broken off for taking too long.
    """

    number: int
    thought: Thought | None
    cpu_seconds: float = 0.0
    struck: bool = False
    failure: str = ""


class FrameBroken(Exception):
    """What came is no frame of the other end."""


_encoder = msgspec.msgpack.Encoder()


def frame_of(message: Question | Answer) -> bytes:
    """Return a message as a frame."""
    content = _encoder.encode(message)
    return len(content).to_bytes(LENGTH_BYTES, "big") + content


def frame_length(head: bytes | bytearray) -> int:
    """Return how many bytes follow the length that a frame begins with. Raises FrameBroken."""
    length = int.from_bytes(head[:LENGTH_BYTES], "big")
    if length > LARGEST_FRAME:
        raise FrameBroken(f"a frame of {length} bytes")
    return length
