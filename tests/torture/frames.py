"""Frames for a fuzzer: right ones of every kind, right ones gone wrong, and what was never one. Pure, from a seed."""

from __future__ import annotations

import random
from typing import Any

import msgpack
import msgspec

from looseends_core.actions import DOUBLE_CROSS, PASS, Action, Bid, Cover, Play
from looseends_core.rules import VARIANTS, RuleSet
from looseends_protocol.limits import LENGTH_BYTES
from looseends_protocol.messages import (
    Act,
    AskHint,
    BeReady,
    CreateTable,
    GetRecord,
    GiveNonce,
    Hello,
    JoinTable,
    LeaveTable,
    ListTables,
    MakeCode,
    Ping,
    Request,
    Resync,
    Say,
    SeatBot,
    StartGame,
    StepAway,
    TableOptions,
    Unseat,
    WatchTable,
)

LARGEST_BEFORE_LOGIN = 1024
STRANGE: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    2**31,
    2**63,
    -(2**63),
    1.5,
    float("nan"),
    float("inf"),
    "",
    "\x1b[2J\x9b31m\u202e",
    "[@click=app.quit]x[/]",
    "a" * 400,
    b"",
    b"\x00" * 40,
    [],
    [[[[[]]]]],
    ["bid"],
    ["bid", 10**6],
    ["play", -1],
    {},
    {"t": {"t": "act"}},
    list(range(14)),
)
"""Values that some field may not expect."""


def with_length(payload: bytes) -> bytes:
    """Return the payload as a frame."""
    return len(payload).to_bytes(LENGTH_BYTES, "big") + payload


class FrameMaker:
    """Makes payloads. `game` and `number` are what an action is made for, so that some are right."""

    def __init__(self, rng: random.Random, code: str = "ABCDEFGHJK") -> None:
        self._rng = rng
        self._code = code
        self.game = 1
        self.number = 0
        self.round = 0
        self.legal: list[int] = []
        """Cards that may be bid, played or used to cover now."""

    def payload(self, kind: str) -> bytes:
        """Return the payload of a frame of that kind, one of `KINDS`."""
        made: bytes = getattr(self, f"_{kind}")()
        # A pong is the one message that nothing answers, and every answer is counted.
        return made if b"pong" not in made else b"\xc1"

    def _action(self) -> Action:
        rng = self._rng
        card = rng.choice(self.legal) if self.legal and rng.random() < 0.8 else rng.randrange(64)
        return rng.choice((Bid(card), Play(card), Cover(card), PASS, DOUBLE_CROSS))

    def _request(self) -> Request:
        rng = self._rng
        number = rng.randrange(2**31)
        match rng.randrange(24):
            case 0:
                return Hello(number, rng.randrange(4), name=rng.choice(("", "fuzz", "bot:x", "a\x1bb")))
            case 1:
                return rng.choice(
                    (
                        Hello(number, 1, token=rng.randbytes(32)),
                        Hello(number, 1, name="fuzz", door=rng.randbytes(32), fingerprint=rng.randbytes(32)),
                        Hello(number, 1, way_back="7GK3M0QX9T2V4WAZ", came_from="192.0.2.7"),
                        MakeCode(number, rng.choice(("back", "link"))),
                    )
                )
            case 2:
                return ListTables(number, rng.randrange(3), subscribe=rng.random() < 0.5)
            case 3:
                rules = RuleSet(
                    rng.randrange(7),
                    VARIANTS[: rng.randrange(4)],
                    "standard",
                    rng.randrange(25),
                    rng.randrange(20),
                    3,
                    "x",
                )
                return CreateTable(number, rules, TableOptions("\u202efuzz"))
            case 4:
                return JoinTable(number, self._code, rng.choice((None, 0, 4)), game=self.game, since=rng.randrange(99))
            case 5:
                return WatchTable(number, self._code)
            case 6:
                return SeatBot(number, rng.randrange(5), rng.choice(("rookie", "", "none")))
            case 7:
                return Unseat(number, rng.randrange(5))
            case 8:
                return StartGame(number)
            case 9:
                return GiveNonce(number, self.round + 1, rng.randbytes(16))
            case 10:
                return Say(number, rng.choice(("", "[/x", "[red]SYSTEM", "\x1b]0;x\x07", "é" * 300)))
            case 11:
                return Resync(number, self.game, rng.randrange(200))
            case 12:
                return rng.choice((GetRecord(number), AskHint(number, self.game, self.number)))
            case 13:
                return Ping(number)
            case 14:
                if rng.random() < 0.01:
                    return LeaveTable(number)
                return StepAway(number) if rng.random() < 0.1 else JoinTable(number, self._code)
            case 15 | 16:
                return BeReady(number, self.round)
            case _:
                return Act(number, self.game, self.number, self._action())

    def _valid(self) -> bytes:
        return msgspec.msgpack.encode(self._request())

    def _mutated(self) -> bytes:
        rng = self._rng
        content = bytearray(self._valid())
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(content) + 1)
            match rng.randrange(4):
                case 0 if at < len(content):
                    content[at] = rng.randrange(256)
                case 1:
                    content[at:at] = rng.randbytes(rng.randint(1, 3))
                case 2:
                    del content[at : at + rng.randint(1, 4)]
                case _:
                    content += content[: rng.randrange(8)]
        return bytes(content[:LARGEST_BEFORE_LOGIN])

    def _wrong_types(self) -> bytes:
        rng = self._rng
        content: dict[Any, Any] = msgspec.msgpack.decode(self._valid())
        for key in rng.sample(list(content), rng.randint(1, min(3, len(content)))):
            content[key] = rng.choice(STRANGE)
        if rng.random() < 0.1:
            content.pop(rng.choice(list(content)))
        return bytes(msgpack.packb(content) or b"")[:LARGEST_BEFORE_LOGIN]

    def _nested(self) -> bytes:
        depth = self._rng.randint(1, 1000)
        opening = self._rng.choice(
            (b"\x91", b"\x81\xa1t", b"\x81\xa1a", b"\xdd\x00\x00\x00\x01", b"\xdf\xff\xff\xff\xff")
        )
        return (b"\x82\xa1t\xa3act\xa1a" + opening * depth)[:LARGEST_BEFORE_LOGIN]

    def _random(self) -> bytes:
        return self._rng.randbytes(self._rng.randrange(40))

    def broken_stream(self) -> bytes:
        """Return bytes whose lengths do not hold: nothing after them can be read as frames."""
        rng = self._rng
        head = b"".join(with_length(self._valid()) for _ in range(rng.randrange(4)))
        match rng.randrange(4):
            case 0:
                return head + (2**32 - 1 - rng.randrange(2**31)).to_bytes(LENGTH_BYTES, "big") + rng.randbytes(30)
            case 1:
                return head + rng.randbytes(rng.randrange(1, 3000))
            case 2:
                return head + with_length(self._valid())[: -rng.randint(1, 5)]
            case _:
                return head + (16 * 1024 + 1).to_bytes(LENGTH_BYTES, "big") + b"\x80" * 100


KINDS: tuple[str, ...] = ("valid", "mutated", "wrong_types", "nested", "random")
