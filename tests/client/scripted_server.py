"""A server that does what a test tells it, on the in-memory transport, and a clock that both ends go by."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from typing import TypeVar

import msgspec

from looseends_client.game_client import NO_ID, ConnectionEvent, GameClient
from looseends_protocol.frames import FrameSplitter, framed, unpacked
from looseends_protocol.limits import FROM_CLIENT, PROTOCOL_MAJOR, PROTOCOL_MINOR
from looseends_protocol.messages import Done, Hello, LeaveTable, Refused, Request, Welcome, message_from_client
from looseends_server.memory_transport import connect_in_memory
from tests.server.peers import HandClock, HandTimer, settled

M = TypeVar("M")
TOKEN = b"t" * 32


class ClientClock(HandClock):
    """The hand clock under the names that a client asks by."""

    def time(self) -> float:
        return self.now

    def call_later(self, seconds: float, callback: Callable[[], object]) -> HandTimer:
        def call() -> None:
            callback()

        return super().call_later(seconds, call)

    async def advance(self, seconds: float) -> None:
        await settled()
        await super().advance(seconds)


class Line(asyncio.Protocol):
    """The server's end of one connection: it keeps what it hears, and answers a hello unless it is told not to."""

    def __init__(self, server: ScriptedServer) -> None:
        self.server = server
        self.heard: list[msgspec.Struct] = []
        self.lost = False
        self.transport: asyncio.Transport | None = None
        self._splitter = FrameSplitter(FROM_CLIENT)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.server.on_arrival(self)

    def data_received(self, data: bytes) -> None:
        for payload in self._splitter.feed(data):
            message = message_from_client(unpacked(payload, FROM_CLIENT))
            self.heard.append(message)
            if isinstance(message, Hello):
                self.server.on_hello(self, message)
            elif isinstance(message, Request):
                self.server.on_request(self, message)

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost = True

    def say(self, message: msgspec.Struct) -> None:
        self.say_bytes(framed(message))

    def say_bytes(self, data: bytes) -> None:
        assert self.transport is not None
        self.transport.write(data)

    def hang_up(self, *last_words: msgspec.Struct) -> None:
        for word in last_words:
            self.say(word)
        assert self.transport is not None
        self.transport.close()

    def got(self, kind: type[M]) -> list[M]:
        return [message for message in self.heard if isinstance(message, kind)]


def welcome(line: Line, hello: Hello, **more: object) -> None:
    """Answer a hello as a server does: with a token for whoever has none."""
    token = b"" if hello.token else TOKEN
    answer = Welcome(hello.id, PROTOCOL_MAJOR, PROTOCOL_MINOR, hello.name or "ann", "a server", token=token)
    line.say(msgspec.structs.replace(answer, **more))


def refuse_hello(error: str, text: str = "No.", suggestion: str = "") -> Callable[[Line, Hello], None]:
    """Return what answers a hello with a refusal."""
    return lambda line, hello: line.say(Refused(error, text, hello.id, suggestion))


class ScriptedServer:
    """Lets a client in, and does nothing else unless a test sets one of the three functions."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.on_arrival: Callable[[Line], None] = lambda line: None
        self.on_hello: Callable[[Line, Hello], None] = welcome
        self.on_request: Callable[[Line, Request], None] = lambda line, request: None
        self.out_of_reach: Exception | None = None
        """What an attempt to connect raises, None while the server can be reached."""
        self.attempts = 0

    @property
    def line(self) -> Line:
        """The last connection."""
        return self.lines[-1]

    async def connect(self, make: Callable[[], asyncio.Protocol]) -> asyncio.Transport:
        """Join a client; this is its connector."""
        self.attempts += 1
        if self.out_of_reach is not None:
            raise self.out_of_reach
        line = Line(self)
        self.lines.append(line)
        return connect_in_memory(line, make())


class ClientAt:
    """A client at a scripted server, with everything that it told."""

    def __init__(self, server: ScriptedServer, clock: ClientClock, *, token: bytes = b"", seed: int = 1) -> None:
        self.kept: list[tuple[str, bytes]] = []
        self.events: list[ConnectionEvent] = []
        self.pushed: list[msgspec.Struct] = []
        self.client = GameClient(
            server.connect,
            name="ann",
            token=token,
            keep_token=lambda name, kept: self.kept.append((name, kept)),
            clock=clock,
            rng=random.Random(seed),
        )
        self.client.on_event = self.events.append
        self.client.on_push = self.pushed.append

    def is_online(self) -> bool:
        return self.client.online

    def told(self, kind: type[M]) -> list[M]:
        return [event for event in self.events if isinstance(event, kind)]


__all__ = ["TOKEN", "ClientAt", "ClientClock", "Line", "ScriptedServer", "refuse_hello", "settled", "welcome"]


def answer_done(line: Line, request: Request) -> None:
    """Answer any request as carried out."""
    line.say(Done(request.id))


def asked(at: ClientAt) -> asyncio.Task[Done]:
    """Return a request that is under way."""
    return asyncio.ensure_future(at.client.request(LeaveTable(NO_ID), Done))
