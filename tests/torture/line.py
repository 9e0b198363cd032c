"""One real connection to a server, as a client has it: frames both ways and answers to requests. It keeps nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

import msgspec

from looseends_protocol import limits as wire
from looseends_protocol.frames import FrameSplitter, framed, unpacked
from looseends_protocol.messages import Answer, Hello, Ping, Pong, Refused, Request, Welcome, message_from_server

M = TypeVar("M", bound=msgspec.Struct)

HOST = "127.0.0.1"


class LineLost(Exception):
    """The connection ended before the answer came."""


class Broken(AssertionError):
    """The server broke a promise; the message says which."""


class Line(asyncio.Protocol):
    """A connection. `hear` gets every message that is not the answer to `ask`."""

    def __init__(self, hear: Callable[[msgspec.Struct], None] | None = None) -> None:
        self.hear = hear or (lambda message: None)
        self.lost = asyncio.Event()
        self.last_refusal = ""
        """The code of the last refusal that named no request: why the server ended this connection, if it did."""
        self._splitter = FrameSplitter(wire.FROM_SERVER)
        self._transport: asyncio.Transport | None = None
        self._asked: dict[int, asyncio.Future[msgspec.Struct]] = {}
        self._last_id = 0

    @classmethod
    async def open(cls, port: int, hear: Callable[[msgspec.Struct], None] | None = None) -> Line:
        """Return a line to the port. Raises OSError."""
        line = cls(hear)
        await asyncio.get_running_loop().create_connection(lambda: line, HOST, port)
        return line

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        for payload in self._splitter.feed(data):
            self._take(message_from_server(unpacked(payload, wire.FROM_SERVER)))

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost.set()
        for future in self._asked.values():
            if not future.done():
                future.set_exception(LineLost(self.last_refusal))
                future.exception()  # nobody may be waiting for it any more

    def _take(self, message: msgspec.Struct) -> None:
        if isinstance(message, Ping):
            self.write(Pong(message.id))
            return
        if isinstance(message, Refused) and message.answers is None:
            self.last_refusal = message.error
        if isinstance(message, Answer | Refused) and message.answers is not None:
            future = self._asked.pop(message.answers, None)
            if future is not None and not future.done():
                future.set_result(message)
                return
        self.hear(message)

    def write(self, message: msgspec.Struct) -> None:
        """Send a message as it is."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(framed(message))

    def write_bytes(self, content: bytes) -> None:
        """Send bytes as they are."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(content)

    def post(self, message: Request) -> int:
        """Send a request under a fresh id, which is returned; its answer goes to `hear`."""
        self._last_id += 1
        self.write(msgspec.structs.replace(message, id=self._last_id))
        return self._last_id

    async def ask(self, message: Request) -> msgspec.Struct:
        """Send a request and return its answer, a refusal too. Raises LineLost."""
        if self.lost.is_set():
            raise LineLost(self.last_refusal)
        future: asyncio.Future[msgspec.Struct] = asyncio.get_running_loop().create_future()
        self._asked[self.post(message)] = future
        return await future

    async def expect(self, message: Request, kind: type[M]) -> M:
        """Send a request and return its answer, which has to be of that kind. Raises LineLost, Broken."""
        answer = await self.ask(message)
        if not isinstance(answer, kind):
            raise Broken(f"{type(message).__name__} was answered {answer}")
        return answer

    async def hello(self, name: str, token: bytes = b"") -> Welcome:
        """Say who this is. Raises LineLost, Broken."""
        return await self.expect(Hello(0, wire.PROTOCOL_MAJOR, name=name, token=token), Welcome)

    def abort(self) -> None:
        """End the connection without a word, as a broken line does."""
        if self._transport is not None:
            self._transport.abort()
