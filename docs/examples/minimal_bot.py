"""A player that knows nothing but docs/protocol.md: it plays random legal actions to the end of one game.

    python minimal_bot.py HOST PORT NAME          makes a table for two, with a bot of the server on the other seat
    python minimal_bot.py HOST PORT NAME CODE     takes a seat at the table of that code, whose host starts the game

It needs the package msgpack and nothing else of No Loose Ends.
"""

from __future__ import annotations

import hashlib
import io
import random
import secrets
import socket
import sys
from typing import Any

import msgpack

RULES = {
    "players": 2,
    "variants": [],
    "scoring": "standard",
    "rounds": 3,
    "hand_size": 16,
    "max_bid": 6,
    "first_player": "random",
}
Message = dict[str, Any]


class Bot:
    """One connection, and the little of a game that choosing at random asks for."""

    def __init__(self, stream: io.BufferedRWPair, name: str, code: str) -> None:
        self.stream, self.name, self.code = stream, name, code
        self.level = ""
        self.requests = 0
        self.waiting = True
        self.sequence = self.game = self.number = self.round = self.players = self.passes = 0
        self.nonces: dict[int, bytes] = {}
        self.commitments: dict[int, bytes] = {}

    def send(self, tag: str, **fields: Any) -> None:
        """Write one frame: its length in four bytes, then the map. Everything but a pong is a request with an id."""
        if tag != "pong":
            self.requests += 1
            fields["id"] = self.requests
        payload = msgpack.packb({"t": tag, **fields})
        self.stream.write(len(payload).to_bytes(4, "big") + payload)
        self.stream.flush()

    def receive(self) -> Message:
        """Read one frame."""
        length = self.stream.read(4)
        payload = self.stream.read(int.from_bytes(length, "big"))
        if not payload:
            sys.exit("The server closed the connection.")
        message: Message = msgpack.unpackb(payload)
        return message

    def play(self) -> list[int]:
        """Play a game; return the score of each seat."""
        self.send("hello", v=1, nm=self.name, cl="minimal_bot")
        while True:
            message = self.receive()
            if "s" in message and message["t"] != "attending":
                self.sequence += 1
                if not self.waiting and message["s"] != self.sequence:  # a push is missing, and what it said with it
                    self.waiting = True
                    self.send("resync")
                if self.waiting:
                    continue
            scores = getattr(self, "on_" + message["t"].replace("-", "_"), lambda _message: None)(message)
            if scores:
                self.send("leave")
                return list(scores)

    def on_welcome(self, message: Message) -> None:
        """The server knows us: go to the table."""
        self.level = message["ls"][0][0]
        if self.code:
            self.send("join", c=self.code)
        else:
            self.send("create", ru=RULES, o={"bt": 0})  # nobody watches, so the other bot need not wait

    def on_attending(self, message: Message) -> list[int] | None:
        """The table as a whole: what happened so far, and where the pushes go on from."""
        self.sequence, self.game, self.players = message["s"], message["g"], message["ru"]["players"]
        self.number, self.waiting = message.get("fn", 0), False
        for proof in message.get("pr", ()):
            self.commitments[proof["r"]] = proof["cm"]
        if message.get("wn"):
            self.give_nonce(message["wn"])
        if message["ph"] == "gathering" and not self.code:
            self.send("seat-bot", st=1, lv=self.level)
            self.send("start")
        return self.on_ev(message)

    def on_began(self, message: Message) -> None:
        """A game begins: its state numbers count from 0."""
        self.game, self.number = message["g"], 0

    def on_commit(self, message: Message) -> None:
        """The server has fixed its secret, so now our nonce can be known."""
        self.commitments[message["r"]] = message["cm"]
        self.give_nonce(message["r"])

    def give_nonce(self, number: int) -> None:
        """Add our own 16 random bytes to the shuffle of a round."""
        self.nonces[number] = secrets.token_bytes(16)
        self.send("nonce", r=number, nc=self.nonces[number])

    def on_reveal(self, message: Message) -> None:
        """A round is over: the secret has to be the one that was promised, and our nonce one of those used."""
        number = message["r"]
        if hashlib.sha256(message["sc"]).digest() != self.commitments.get(number):
            sys.exit(f"Round {number}: the secret is not the one that was promised.")
        if number in self.nonces and self.nonces[number] not in message["ns"]:
            sys.exit(f"Round {number}: our nonce was not used.")

    def on_ev(self, message: Message) -> list[int] | None:
        """Count what happened; act where it is our turn."""
        events = message.get("e", [])
        self.number += len(events)
        for event in events:
            if event[0] == "dealt":
                self.round, self.passes = event[1], 0
            elif event[0] in ("passed", "double-crossed"):
                self.passes += 1
            elif event[0] == "ended":
                return list(event[1])
        if "l" in message:
            covering = events and events[-1][0] == "won"
            verb = "bid" if self.passes < self.players else "cover" if covering else "play"
            cards, may_pass, may_double_cross = message["l"]
            actions = [[verb, card] for card in cards]
            actions += [["pass"]] * may_pass + [["double-cross"]] * may_double_cross
            self.send("act", g=self.game, n=self.number, a=random.choice(actions))
        elif events and events[-1][0] == "scored":
            self.send("ready", r=self.round)
        return None

    def on_ping(self, message: Message) -> None:
        """The server asks whether we are still there."""
        self.send("pong", re=message["id"])

    def on_refused(self, message: Message) -> None:
        """A late action is no harm: what made it late is on its way. Anything else ends this bot."""
        if message["er"] != "action/stale":
            sys.exit(f"{message['er']}: {message['tx']}")

    def on_detached(self, message: Message) -> None:
        """We are at the table no more."""
        sys.exit(f"{message['er']}: {message['tx']}")


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    address = sys.argv[1], int(sys.argv[2])
    with socket.create_connection(address, timeout=120) as connection, connection.makefile("rwb") as stream:
        print("Scores:", *Bot(stream, sys.argv[3], "".join(sys.argv[4:])).play())
