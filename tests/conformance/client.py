"""A client over a socket that holds every message against the page, and answers what a client has to answer.

It fails at once where a server breaks a promise: a field that is not as the page says, an answer that comes twice or
for nothing, a push out of turn, a legal list for the wrong seat, a deal that was not fair.
"""

from __future__ import annotations

import hashlib
import secrets
import selectors
import socket
import ssl
import time
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

import msgpack

from tests.conformance.address import SECONDS
from tests.conformance.fold import Fold
from tests.conformance.page import Page
from tests.conformance.shuffle import deal_of

Message = dict[str, Any]
T = TypeVar("T")
MOST_BYTES = 262_144
"""What a frame to a client may have, without its length."""
PATIENCE = 5
"""Seconds to wait that are still only the pace of a server and no answer to a test."""
_PAGE = Page()


class Reachable(Protocol):
    """Whatever a socket can be connected to."""

    def connect(self) -> socket.socket:
        """Return a connected socket."""
        ...


class Closed(Exception):
    """The server has closed the connection."""


class Client:
    """One connection. `heard` is all that came over it, in order; `fold` the game at the table where it is."""

    def __init__(self, server: Reachable, *, gives_nonces: bool = True) -> None:
        self.heard: list[Message] = []
        self.answers: dict[int, Message] = {}
        self.closed = False
        self.welcome: Message = {}
        self.table: Message = {}
        """The last `attending`, its seats and phase brought up to date by pushes."""
        self.fold: Fold | None = None
        self.game = 0
        self.sequence = 0
        self.legal: list[Any] | None = None
        self.commitments: dict[int, bytes] = {}
        self.nonces: dict[int, tuple[int, bytes]] = {}
        """By round: the request that gave a nonce, and the nonce."""
        self.proven: set[tuple[int, int]] = set()
        """Games and rounds whose deal was found fair."""
        self._gives_nonces = gives_nonces
        self._entering = False
        self._last_id = 0
        self._tags: dict[int, str] = {}
        self._buffer = b""
        self._socket = server.connect()

    # ── sending ──
    def send_bytes(self, data: bytes) -> None:
        self._socket.sendall(data)

    def send_payload(self, payload: bytes) -> None:
        self.send_bytes(len(payload).to_bytes(4, "big") + payload)

    def send(self, message: Message) -> None:
        payload: bytes = msgpack.packb(message) or b""
        self.send_payload(payload)

    def post(self, tag: str, **fields: Any) -> int:
        """Send a request and return its id, without waiting for the answer."""
        self._last_id += 1
        self._tags[self._last_id] = tag
        self._entering = self._entering or tag in ("create", "join", "watch", "resync")
        self.send({"t": tag, "id": self._last_id, **fields})
        return self._last_id

    def ask(self, tag: str, **fields: Any) -> Message:
        """Send a request and return its answer; again, after the seconds that it says, where it came too fast."""
        while True:
            answer = self._answer_to(self.post(tag, **fields))
            if answer.get("er") != "session/too_fast" or answer.get("ra", 0) > PATIENCE:
                return answer
            self.listen_for(answer.get("ra", 1))

    def _answer_to(self, number: int) -> Message:
        return self.until(lambda: self.answers.get(number))

    def expect(self, kind: str, tag: str, **fields: Any) -> Message:
        """Send a request and return its answer, which has to be of that kind."""
        answer = self.ask(tag, **fields)
        assert answer["t"] == kind, answer
        return answer

    def refusal(self, tag: str, **fields: Any) -> str:
        """Send a request that has to be refused and return the code."""
        return str(self.expect("refused", tag, **fields)["er"])

    # ── receiving ──
    def until(self, fact: Callable[[], T | None]) -> T:
        """Take messages until a fact holds and return it. Raises Closed, and AssertionError when it never comes."""
        gives_up = time.monotonic() + SECONDS
        while not (value := fact()):
            if self.closed:
                raise Closed(f"closed after {self.heard[-3:]}")
            assert time.monotonic() < gives_up, f"it never came; the last messages were {self.heard[-3:]}"
            self.take(gives_up - time.monotonic())
        return value

    def until_closed(self) -> Message:
        """Take messages until the server closes, and return the last of them."""
        self.until(lambda: self.closed)
        return self.heard[-1]

    def listen_for(self, seconds: float) -> None:
        """Take what comes in so many seconds: what a client does that was told to wait."""
        ends = time.monotonic() + seconds
        while not self.closed and (left := ends - time.monotonic()) > 0:
            self.take(left)

    def take(self, seconds: float) -> None:
        """Take what has come or comes within so many seconds, once."""
        self._socket.settimeout(max(seconds, 0.001))
        try:
            part = self._socket.recv(65_536)
            while isinstance(self._socket, ssl.SSLSocket) and part and self._socket.pending():
                part += self._socket.recv(65_536)  # what TLS has read already makes no socket ready again
        except TimeoutError:
            return
        except ConnectionError:
            part = b""
        if not part:
            self.closed = True
            return
        self._buffer += part
        while len(self._buffer) >= 4:
            length = int.from_bytes(self._buffer[:4], "big")
            assert length <= MOST_BYTES, f"a frame of {length} bytes"
            if len(self._buffer) < 4 + length:
                return
            payload, self._buffer = self._buffer[4 : 4 + length], self._buffer[4 + length :]
            self._hear(msgpack.unpackb(payload))

    def fileno(self) -> int:
        return self._socket.fileno()

    def pushes(self, tag: str) -> list[Message]:
        """Return every message of that kind that has come."""
        return [message for message in self.heard if message["t"] == tag]

    def close(self) -> None:
        self._socket.close()

    # ── what each message means ──
    def _hear(self, message: Message) -> None:
        fault = _PAGE.why_not(message)
        assert not fault, f"{fault}: {message}"
        self.heard.append(message)
        number = message.get("re")
        if number is not None and number in self._tags:
            assert number not in self.answers, f"request {number} was answered twice: {message}"
            self.answers[number] = message
            if self._tags[number] in ("create", "join", "watch", "resync"):
                self._entering = False
        if "s" in message and message["t"] != "attending":
            if self._entering:
                return
            assert message["s"] == self.sequence + 1, f"push {message['s']} came after {self.sequence}"
            self.sequence += 1
        getattr(self, "_on_" + message["t"].replace("-", "_"), lambda _: None)(message)

    def _on_ping(self, message: Message) -> None:
        self.send({"t": "pong", "re": message["id"]})

    def _on_welcome(self, message: Message) -> None:
        self.welcome = message

    def _on_attending(self, message: Message) -> None:
        kept = self.fold.events[: message.get("fn", 0)] if self.fold is not None and message.get("fn") else []
        assert len(kept) == message.get("fn", 0), "events were left out that the client did not say it holds"
        self.table, self.sequence, self.game = message, message["s"], message["g"]
        self.fold = Fold(message["ru"], message.get("st"))
        for event in [*kept, *message.get("e", [])]:
            self.fold.apply(event)
        for proof in message.get("pr", []):
            self.commitments[proof["r"]] = proof["cm"]
            assert bool(proof.get("sc")) == self._is_round_over(proof["r"]), "a secret too early, or too late"
        self._take_legal(message)
        if message.get("wn"):
            self._give_nonce(message["wn"])

    def _is_round_over(self, number: int) -> bool:
        assert self.fold is not None
        return len([event for event in self.fold.events if event[0] == "scored"]) >= number

    def _on_began(self, message: Message) -> None:
        assert message["g"] == self.game + 1
        self.game, self.fold = message["g"], Fold(message["ru"], self.table.get("st"))
        self.commitments, self.nonces = {}, {}

    def _on_commit(self, message: Message) -> None:
        assert len(message["cm"]) == 32
        self.commitments[message["r"]] = message["cm"]
        self.table = {**self.table, "ph": "dealing"}
        if self.table.get("st") is not None:
            self._give_nonce(message["r"])

    def _give_nonce(self, number: int) -> None:
        if self._gives_nonces and number not in self.nonces:
            nonce = secrets.token_bytes(16)
            self.nonces[number] = self.post("nonce", r=number, nc=nonce), nonce

    def _on_ev(self, message: Message) -> None:
        assert self.fold is not None
        assert message["e"], "a push of no events"
        for event in message["e"]:
            self.fold.apply(event)
        self._take_legal(message)

    def _take_legal(self, message: Message) -> None:
        assert self.fold is not None
        self.legal = message.get("l")
        on_turn = self.fold.turn is not None and self.fold.turn == self.fold.seat
        assert (self.legal is not None) == on_turn, f"seat {self.fold.seat} had the legal list of {self.fold.turn}"
        if self.legal is not None:
            assert self.legal[:3] == self.fold.legal(), f"{self.legal} is not {self.fold.legal()}"

    def _on_seats(self, message: Message) -> None:
        kept = {"wa": [], "ck": None, **{key: value for key, value in message.items() if key not in ("t", "s")}}
        self.table = {**self.table, **kept}

    def _on_detached(self, message: Message) -> None:
        self.table, self.fold, self.legal = {}, None, None

    def _on_reveal(self, message: Message) -> None:
        """Check the deal of the round that is over, as docs/protocol.md asks of a client."""
        fold, number, nonces = self.fold, message["r"], message["ns"]
        assert fold is not None
        assert hashlib.sha256(message["sc"]).digest() == self.commitments[number]
        assert len(nonces) == fold.rules["players"]
        assert all(len(nonce) == 16 for nonce in nonces)
        given, nonce = self.nonces.get(number, (0, b""))
        if fold.seat is not None and self.answers.get(given, {}).get("t") == "done":
            assert nonces[fold.seat] == nonce, "the nonce that was taken was not used"
        hands, first = deal_of(fold.rules, number, message["sc"], nonces)
        dealt = [event for event in fold.events if event[0] == "dealt"][number - 1]
        if fold.rules["first_player"] == "random" or number == 1:
            assert dealt[2] == first
        if fold.seat is not None:
            assert dealt[3][fold.seat] == hands[fold.seat]
        assert all(shown <= set(hand) for shown, hand in zip(fold.shown, hands, strict=True))
        self.proven.add((self.game, number))


def take_all(clients: list[Client], fact: Callable[[], T | None], meanwhile: Callable[[], None] = lambda: None) -> T:
    """Take what comes to any of these clients until a fact holds; `meanwhile` runs after each look that found none."""
    gives_up = time.monotonic() + SECONDS
    with selectors.DefaultSelector() as ready:
        for client in clients:
            ready.register(client, selectors.EVENT_READ, client)
        while True:
            if value := fact():
                return value
            meanwhile()
            left = gives_up - time.monotonic()
            assert left > 0, f"it never came; the last messages were {[client.heard[-3:] for client in clients]}"
            for key, _ in ready.select(left):
                key.data.take(left)
                if key.data.closed:
                    raise Closed(f"closed after {key.data.heard[-3:]}")
