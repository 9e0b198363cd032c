"""A client that keeps every frame it receives as it came, and plays random legal actions."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

import msgspec

from looseends_core.events import Event
from looseends_core.state import Phase, State, evolve, fold
from looseends_protocol import limits as wire
from looseends_protocol.frames import FrameSplitter, framed, unpacked
from looseends_protocol.legal import actions_of
from looseends_protocol.messages import (
    Act,
    Attending,
    BeReady,
    GameBegan,
    GiveNonce,
    Happened,
    Hello,
    Legal,
    Ping,
    Pong,
    RoundCommitted,
    Welcome,
    message_from_server,
)
from looseends_server.house import House
from looseends_server.memory_transport import connect_in_memory

M = TypeVar("M")


@dataclass
class Stream:
    """What one connection received, in order, without the length in front of each frame; `name` is whose it was."""

    name: str
    payloads: list[bytes] = field(default_factory=list)


class HeardPeer(asyncio.Protocol):
    """One connection. `stream` is all that came over it; what it makes of that is only good enough to play."""

    def __init__(self, name: str, chance: random.Random) -> None:
        self.stream = Stream(name)
        self.token = b""
        """What proves that it is who it is: given with its first welcome, or taken over from the one before."""
        self.lost = False
        self.seated = False
        self.game = 0
        self.held: list[Event] = []
        """The events of the game that it was told, from the first on."""
        self.legal: Legal | None = None
        self.ready_for = (0, 0)
        """The game and round that it has said to be ready after."""
        self.answers: dict[int, msgspec.Struct] = {}
        self._view: State | None = None
        self._chance = chance
        self._splitter = FrameSplitter(wire.FROM_SERVER)
        self._arrived = asyncio.Event()
        self._last_id = 0
        self._transport: asyncio.Transport | None = None

    # ── the transport calls these ──
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        for payload in self._splitter.feed(data):
            self.stream.payloads.append(payload)
            self._hear(message_from_server(unpacked(payload, wire.FROM_SERVER)))
        self._arrived.set()

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost = True
        self._arrived.set()

    # ── what it hears ──
    def _hear(self, message: msgspec.Struct) -> None:
        match message:
            case Ping():
                self.write(Pong(message.id))
            case Attending():
                self.seated = message.seat is not None
                self.held = [*self.held[: message.from_number], *message.events]
                self.game, self.legal = message.game, message.legal
                self._view = fold(message.rules, self.held)
                if message.want_nonce:
                    self._give_nonce(message.want_nonce)
            case GameBegan():
                self.game, self.held, self._view = message.game, [], State(message.rules)
            case RoundCommitted() if self.seated:
                self._give_nonce(message.round)
            case Happened():
                assert self._view is not None
                self.held += message.events
                for event in message.events:
                    evolve(self._view, event)
                self.legal = message.legal
            case _:
                pass
        number = getattr(message, "answers", None)
        if isinstance(number, int):
            self.answers[number] = message

    def _give_nonce(self, number: int) -> None:
        self.post(GiveNonce(0, number, self._chance.randbytes(16)))

    # ── what it says ──
    def write(self, message: msgspec.Struct) -> None:
        assert self._transport is not None
        self._transport.write(framed(message))

    def post(self, message: msgspec.Struct) -> int:
        """Send a request under a fresh id, which is returned, without waiting for the answer."""
        self._last_id += 1
        self.write(msgspec.structs.replace(message, id=self._last_id))
        return self._last_id

    async def ask(self, message: msgspec.Struct) -> msgspec.Struct:
        """Send a request and return its answer, a refusal too."""
        number = self.post(message)
        async with asyncio.timeout(10):
            while number not in self.answers:
                assert not self.lost, f"no answer to {message}"
                self._arrived.clear()
                await self._arrived.wait()
        return self.answers[number]

    async def expect(self, message: msgspec.Struct, kind: type[M]) -> M:
        """Send a request and return its answer, which has to be of that kind."""
        answer = await self.ask(message)
        assert isinstance(answer, kind), answer
        return answer

    def close(self) -> None:
        assert self._transport is not None
        self._transport.close()

    # ── what it does at the table ──
    def number(self) -> int:
        """Return the state number that it knows."""
        return len(self.held)

    def act_if_due(self) -> None:
        """Take a random legal action if it is on turn."""
        legal, self.legal = self.legal, None
        if legal is not None and self._view is not None:
            choices = actions_of(legal, self._view.phase)
            self.post(Act(0, self.game, self.number(), self._chance.choice(choices)))

    def be_ready_if_asked(self) -> None:
        """Say once after each round that the next may come."""
        if self._view is None or self._view.round == 0:
            return
        after = (self.game, self._view.round)
        if self._view.phase is Phase.DEALING and self.ready_for != after:
            self.ready_for = after
            self.post(BeReady(0, self._view.round))


async def arrive(
    house: House, name: str, chance: random.Random, token: bytes = b"", follow: Callable[[Stream], None] | None = None
) -> tuple[HeardPeer, Welcome]:
    """Return a peer that has said hello, and its welcome; `follow` is given its stream before anything comes."""
    peer = HeardPeer(name, chance)
    if follow is not None:
        follow(peer.stream)
    connect_in_memory(house.connection(), peer)
    welcome = await peer.expect(Hello(0, wire.PROTOCOL_MAJOR, name=name, token=token), Welcome)
    peer.token = token or welcome.token
    return peer, welcome
