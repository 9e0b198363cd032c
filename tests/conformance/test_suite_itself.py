"""The suite notices a server that breaks a promise: here one breaks each, message by message."""

from __future__ import annotations

import hashlib
import socket
from collections.abc import Iterator
from typing import Any

import msgpack
import pytest

from tests.conformance.client import Client
from tests.conformance.people import RULES
from tests.conformance.shuffle import deal_of

SECRET, NONCES = bytes(32), [bytes(16), bytes(16)]
HANDS, FIRST = deal_of(RULES, 1, SECRET, NONCES)
ATTENDING: dict[str, Any] = {
    "t": "attending",
    "re": 1,
    "s": 0,
    "c": "7GK3M0QX9T",
    "ti": "x",
    "ru": RULES,
    "o": {"ti": "x"},
    "ph": "gathering",
    "h": "ann",
    "ss": [{"k": "person", "nm": "ann", "on": True}, {"k": "bot", "nm": "rookie", "lv": "rookie", "on": True}],
    "g": 0,
    "st": FIRST,
}
BEGAN: dict[str, Any] = {"t": "began", "s": 1, "g": 1, "ru": RULES}
COMMIT: dict[str, Any] = {"t": "commit", "s": 2, "r": 1, "cm": hashlib.sha256(SECRET).digest()}
OWN = [HANDS[seat] if seat == FIRST else None for seat in range(2)]
CARDS = sorted(HANDS[FIRST])
LEGAL = [CARDS, True, False]
DEALT: dict[str, Any] = {"t": "ev", "s": 3, "e": [["dealt", 1, FIRST, OWN, None]], "l": LEGAL}
REVEAL: dict[str, Any] = {"t": "reveal", "s": 4, "r": 1, "sc": SECRET, "ns": NONCES}
GAME: list[dict[str, Any]] = [ATTENDING, BEGAN, COMMIT, DEALT]


class OneEnd:
    """A server whose part the test plays, at the end that is `ours`."""

    def __init__(self) -> None:
        self.ours, self._theirs = socket.socketpair()

    def connect(self) -> socket.socket:
        return self._theirs


class Ours:
    """Both ends: the client of the suite and the socket that it believes."""

    def __init__(self) -> None:
        server = OneEnd()
        self.client = Client(server, gives_nonces=False)
        self.socket = server.ours
        self.client.post("create")

    def say(self, *messages: dict[str, Any]) -> None:
        for message in messages:
            payload: bytes = msgpack.packb(message) or b""
            self.socket.sendall(len(payload).to_bytes(4, "big") + payload)
            self.client.take(1.0)


@pytest.fixture
def ours() -> Iterator[Ours]:
    pair = Ours()
    yield pair
    pair.socket.close()
    pair.client.close()


def test_it_takes_what_is_right(ours: Ours) -> None:
    ours.say(*GAME, REVEAL)

    assert ours.client.proven == {(1, 1)}


BROKEN: dict[str, list[dict[str, Any]]] = {
    "an answer that comes twice": [ATTENDING, {"t": "done", "re": 1}],
    "a push that is left out": [ATTENDING, {**BEGAN, "s": 2}],
    "a push that comes twice": [ATTENDING, BEGAN, BEGAN],
    "a field that is missing": [ATTENDING, {"t": "began", "s": 1, "g": 1}],
    "a field of the wrong kind": [{**ATTENDING, "h": 3}],
    "a message of no kind": [{"t": "secret"}],
    "a game that is left out": [ATTENDING, {**BEGAN, "g": 2}],
    "the hand of somebody else": [ATTENDING, BEGAN, COMMIT, {**DEALT, "e": [["dealt", 1, FIRST, HANDS, None]]}],
    "no legal list on one's own turn": [ATTENDING, BEGAN, COMMIT, {"t": "ev", "s": 3, "e": DEALT["e"]}],
    "a legal list that lacks a card": [ATTENDING, BEGAN, COMMIT, {**DEALT, "l": [CARDS[1:], True, False]}],
    "a legal list on somebody else's turn": [
        *GAME,
        {"t": "ev", "s": 4, "e": [["passed", FIRST]], "l": LEGAL},
    ],
    "a push of no events": [*GAME, {"t": "ev", "s": 4, "e": []}],
    "an action of somebody who is not on turn": [*GAME, {"t": "ev", "s": 4, "e": [["passed", 1 - FIRST]]}],
    "a card that was not in the hand": [*GAME, {"t": "ev", "s": 4, "e": [["bid", FIRST, HANDS[1 - FIRST][0]]]}],
    "a secret that was not promised": [*GAME, {**REVEAL, "sc": bytes([1] * 32)}],
    "a deal that does not follow from the secret": [*GAME, {**REVEAL, "ns": [bytes([1] * 16), bytes(16)]}],
    "a nonce that is left out": [*GAME, {**REVEAL, "ns": [bytes(16)]}],
    "a secret while the round runs": [
        {**ATTENDING, "g": 1, "ph": "playing", "pr": [{"r": 1, "cm": COMMIT["cm"], "sc": SECRET}]}
    ],
    "events left out that nobody holds": [{**ATTENDING, "g": 1, "fn": 4}],
}


@pytest.mark.parametrize("messages", BROKEN.values(), ids=BROKEN.keys())
def test_it_notices(ours: Ours, messages: list[dict[str, Any]]) -> None:
    with pytest.raises(AssertionError):
        ours.say(*messages)
