"""The client's end of the connection: requests and their answers, pushes, heartbeat, and coming back after a loss.

It knows no widget and no table. Time and randomness come in from outside, so that tests need neither.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from typing import Protocol, TypeVar, cast

import msgspec

from looseends_client.connector import Connector
from looseends_client.tls import ServerNotTrusted
from looseends_protocol.frames import FrameSplitter, FrameTooLong, FrameUnreadable, framed, unpacked
from looseends_protocol.limits import FROM_SERVER, PROTOCOL_MAJOR, PROTOCOL_MINOR
from looseends_protocol.messages import (
    Answer,
    Hello,
    MessageInvalid,
    MessageUnknown,
    Ping,
    Pong,
    Refused,
    Request,
    Welcome,
    message_from_server,
)
from looseends_protocol.people_text import visible

PING_SECONDS = 30.0
"""Silence after which the client asks whether the server still lives."""
SILENCE_SECONDS = 75.0
"""Silence after which a connection counts as lost: two pings and a half."""
HELLO_SECONDS = 15.0
"""How long the answer to a hello may take: as long as a server waits for the hello."""
FIRST_WAIT_SECONDS = 0.5
LONGEST_WAIT_SECONDS = 30.0
"""Waits between attempts to come back double from the first to the longest, each between half and all of that."""
STEADY_SECONDS = 10.0
"""After a connection that lasted so long the waits begin anew; one that breaks sooner makes them longer still."""
NO_ID = 0
"""The id of a request that has not been sent: `GameClient.request` gives it one."""

FINAL_REFUSALS = frozenset(
    {
        "hello/insecure",
        "hello/password",
        "hello/token",
        "hello/version",
        "name/invalid",
        "name/taken",
        "session/banned",
        "session/kicked",
        "session/taken_over",
    }
)
"""After these there is no use in coming back by oneself."""


class Timer(Protocol):
    """A call that has not happened yet."""

    def cancel(self) -> None:
        """Let it not happen."""


class Clock(Protocol):
    """What the client needs of time; an event loop is one."""

    def time(self) -> float:
        """Return monotonic seconds."""
        ...

    def call_later(self, delay: float, callback: Callable[[], object], /) -> Timer:
        """Call in so many seconds."""
        ...


class Connected(msgspec.Struct, frozen=True):
    """The server knows who we are; `again` says that a lost connection is back."""

    welcome: Welcome
    again: bool


class ConnectionWasLost(msgspec.Struct, frozen=True):
    """The connection is gone; the next attempt comes in `wait` seconds."""

    wait: float


class ConnectionClosed(msgspec.Struct, frozen=True):
    """The connection is gone for good: the server's code, empty where it was not the server's word, and a sentence."""

    error: str
    text: str


ConnectionEvent = Connected | ConnectionWasLost | ConnectionClosed


class RequestRefused(Exception):
    """The server did not do what was asked. `str` of it is a sentence for people that may be drawn."""

    def __init__(self, refusal: Refused) -> None:
        super().__init__(visible(refusal.text))
        self.refusal = refusal


class NotConnected(Exception):
    """The connection was lost before the answer came, or is not there. Whether the server did it is not known."""

    def __init__(self) -> None:
        super().__init__("There is no connection to the server at the moment.")


A = TypeVar("A", bound=Answer)


class _Wire(asyncio.Protocol):
    """One connection: bytes to messages and back, for the client that made it."""

    def __init__(self, client: GameClient) -> None:
        self._client = client
        self._splitter = FrameSplitter(FROM_SERVER)
        self.transport: asyncio.Transport | None = None
        self.gone = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)  # uvloop's are no subclass of it
        if self.gone:
            self.transport.abort()

    def data_received(self, data: bytes) -> None:
        try:
            for payload in self._splitter.feed(data):
                try:
                    message = message_from_server(unpacked(payload, FROM_SERVER))
                except (MessageUnknown, MessageInvalid, FrameUnreadable):
                    continue  # a newer server says more than we understand; a gap in pushes is found by its number
                self._client.heard(self, message)
        except FrameTooLong:
            self.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self.gone = True
        self._client.wire_lost(self)

    def send(self, message: msgspec.Struct) -> None:
        if self.transport is not None and not self.transport.is_closing():
            self.transport.write(framed(message))

    def close(self) -> None:
        self.gone = True
        if self.transport is not None:
            self.transport.abort()


class DoorPass(msgspec.Struct, frozen=True):
    """What an SSH door says of the person it connects: the server's secret first, then where they are and their key."""

    secret: bytes
    came_from: str = ""
    fingerprint: bytes = b""


class GameClient:
    """A person's connection to a server, through as many losses as it takes.

    `on_push` gets every message that answers nothing; `on_event` gets what happens to the connection. Both are called
    in the event loop and must not block. `keep_token` is given a new identity's name and token once.
    """

    def __init__(
        self,
        connector: Connector,
        *,
        name: str = "",
        token: bytes = b"",
        password: str = "",
        keep_token: Callable[[str, bytes], None] | None = None,
        clock: Clock | None = None,
        rng: random.Random | None = None,
        program: str = "looseends",
        door: DoorPass | None = None,
    ) -> None:
        self._connector = connector
        self.name = name
        self._token = token
        self.password = password
        """The server's, for the next hello."""
        self.way_back = ""
        """The code that says who this is, in the place of a token, for the next hello."""
        self._door = door
        self._keep_token = keep_token
        self._clock = clock
        self._rng = rng or random.SystemRandom()
        self._program = program
        self.on_push: Callable[[msgspec.Struct], None] = lambda message: None
        self.on_event: Callable[[ConnectionEvent], None] = lambda event: None
        self.welcome: Welcome | None = None
        self.online = False
        self._wire: _Wire | None = None
        self._pending: dict[int, asyncio.Future[Answer]] = {}
        self._last_id = NO_ID
        self._heard_at = 0.0
        self._heartbeat: Timer | None = None
        self._retry: Timer | None = None
        self._attempts = 0
        self._welcomed_at = 0.0
        self._parting: Refused | None = None
        """The word with which the server ends this connection, once it has come."""
        self._closed = False
        self._comeback: asyncio.Task[None] | None = None

    @property
    def clock(self) -> Clock:
        """The clock that this client goes by."""
        return self._clock or asyncio.get_running_loop()

    # ── connecting ──────────────────────────────────────────────────────────────────────────────────────────────

    async def connect(self) -> Welcome:
        """Connect and say hello. Raises OSError, RequestRefused or NotConnected, and may be called again then."""
        self._closed = False
        return await self._say_hello(again=False)

    def call_me(self, name: str) -> None:
        """Take another name for the next `connect`, as after `name/taken`; an identity kept so far is let go."""
        self.name, self._token = name, b""

    async def _say_hello(self, *, again: bool) -> Welcome:
        # Known before it is joined, because a server that turns us away says so at once.
        wire = self._wire = _Wire(self)
        self._parting = None
        try:
            await self._join(wire)
            welcome = await self._introduced(wire)
        except BaseException:
            self._drop_wire()
            raise
        if welcome.token:
            self._token = welcome.token
            if self._keep_token is not None:
                self._keep_token(welcome.name, welcome.token)
        if wire.gone:  # lost right behind its welcome
            raise NotConnected
        self.name = welcome.name
        self.welcome = welcome
        self.online = True
        self._welcomed_at = self.clock.time()
        self._beat()
        self.on_event(Connected(welcome, again))
        return welcome

    async def _join(self, wire: _Wire) -> None:
        try:
            await self._connector(lambda: wire)
        except TimeoutError as error:
            raise OSError("nothing answered there in time") from error
        except UnicodeError as error:
            raise OSError("that cannot be the name of a host") from error
        if wire.gone:
            raise NotConnected() if self._parting is None else RequestRefused(self._parting)
        self._heard_at = self.clock.time()

    async def _introduced(self, wire: _Wire) -> Welcome:
        hello = Hello(
            NO_ID,
            PROTOCOL_MAJOR,
            PROTOCOL_MINOR,
            name="" if self._token else self.name,
            token=self._token,
            hello_password=self.password,
            client=self._program,
            way_back="" if self._token else self.way_back,
        )
        if self._door is not None:
            hello = msgspec.structs.replace(
                hello, door=self._door.secret, came_from=self._door.came_from, fingerprint=self._door.fingerprint
            )
        deadline = self.clock.call_later(HELLO_SECONDS, wire.close)
        try:
            return await self._ask(wire, hello, Welcome)
        finally:
            deadline.cancel()

    def _drop_wire(self) -> None:
        wire, self._wire = self._wire, None
        if wire is not None:
            wire.close()

    async def close(self) -> None:
        """End the connection for good; the seat at a table stays."""
        self._closed = True
        for timer in (self._heartbeat, self._retry):
            if timer is not None:
                timer.cancel()
        if self._comeback is not None:
            self._comeback.cancel()
        self._drop_wire()
        self._fail_pending()
        self.online = False

    # ── talking ─────────────────────────────────────────────────────────────────────────────────────────────────

    async def request(self, message: Request, expected: type[A]) -> A:
        """Send a request (its id is given here) and return its answer.

        Raises RequestRefused with the server's reason, NotConnected where the connection is not there or goes first.
        """
        wire = self._wire
        if wire is None or not self.online:
            raise NotConnected
        return await self._ask(wire, message, expected)

    async def _ask(self, wire: _Wire, message: Request, expected: type[A]) -> A:
        number = self._next_id()
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._pending[number] = future
        wire.send(msgspec.structs.replace(message, id=number))
        try:
            answer = await future
        finally:
            self._pending.pop(number, None)
        if not isinstance(answer, expected):
            raise NotConnected
        return answer

    def _next_id(self) -> int:
        self._last_id = self._last_id % 2**30 + 1
        return self._last_id

    def heard(self, wire: _Wire, message: msgspec.Struct) -> None:
        """Take a message of the server; called by the connection."""
        if wire is not self._wire:
            return
        self._heard_at = self.clock.time()
        if isinstance(message, Ping):
            wire.send(Pong(message.id))
        elif isinstance(message, Refused):
            self._refused(message)
        elif isinstance(message, Answer):
            future = self._pending.get(message.answers)
            if future is not None and not future.done():
                future.set_result(message)
        else:
            self.on_push(message)

    def _refused(self, refusal: Refused) -> None:
        if refusal.answers is None:
            self._parting = refusal
            return
        future = self._pending.get(refusal.answers)
        if future is not None and not future.done():
            future.set_exception(RequestRefused(refusal))

    # ── losing it and coming back ───────────────────────────────────────────────────────────────────────────────

    def wire_lost(self, wire: _Wire) -> None:
        """Take note that a connection is gone; called by the connection."""
        if wire is not self._wire:
            return
        self._wire = None
        was_online, self.online = self.online, False
        # Whoever only says hello is told why not; for the rest, a server that goes comes back.
        self._fail_pending(self._parting if self._is_final(self._parting) or not was_online else None)
        if self._heartbeat is not None:
            self._heartbeat.cancel()
        if not was_online or self._closed:
            return
        if self.clock.time() - self._welcomed_at >= STEADY_SECONDS:
            self._attempts = 0
        if self._parting is not None and self._is_final(self._parting):
            self._give_up(self._parting.error, self._parting.text)
        else:
            self._come_back_later()

    @staticmethod
    def _is_final(refusal: Refused | None) -> bool:
        return refusal is not None and refusal.error in FINAL_REFUSALS

    def _fail_pending(self, why: Refused | None = None) -> None:
        for future in self._pending.values():
            if not future.done():
                future.set_exception(NotConnected() if why is None else RequestRefused(why))
                # A request that nobody waits for any more is no news.
                future.exception()

    def _come_back_later(self) -> None:
        if self._closed:
            return
        longest = min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2**self._attempts)
        wait = longest * (0.5 + 0.5 * self._rng.random())
        self._attempts = min(self._attempts + 1, 16)
        self._retry = self.clock.call_later(wait, self._try_again)
        self.on_event(ConnectionWasLost(wait))

    def _try_again(self) -> None:
        self._comeback = asyncio.get_running_loop().create_task(self._come_back())

    async def _come_back(self) -> None:
        try:
            await self._say_hello(again=True)
        except RequestRefused as error:
            if self._is_final(error.refusal):
                self._give_up(error.refusal.error, error.refusal.text)
            else:
                self._come_back_later()
        except ServerNotTrusted as error:
            self._give_up("", str(error))
        except (OSError, NotConnected):
            self._come_back_later()

    def _give_up(self, error: str, text: str) -> None:
        self._closed = True
        self.on_event(ConnectionClosed(error, visible(text)))

    def _beat(self) -> None:
        """Ask whether the server lives when it has been silent, and drop the connection when it stays so."""
        if self._heartbeat is not None:
            self._heartbeat.cancel()
        wire = self._wire
        if wire is None:
            return
        silent = self.clock.time() - self._heard_at
        if silent >= SILENCE_SECONDS:
            wire.close()
            self.wire_lost(wire)
            return
        if silent >= PING_SECONDS:
            wire.send(Ping(self._next_id()))
        due = SILENCE_SECONDS - silent if silent >= PING_SECONDS else PING_SECONDS - silent
        self._heartbeat = self.clock.call_later(min(due, PING_SECONDS), self._beat)
