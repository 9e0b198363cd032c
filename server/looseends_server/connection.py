"""One peer: its bytes in and out, its allowances, and who it turned out to be.

It knows frames, budgets and buffers, and nothing of tables: what a message means is decided in `requests`. It has
no task and no timer of its own; the house looks after silent ones in its sweep.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, cast

import msgspec
import structlog

from looseends_core.decide import Refusal
from looseends_protocol import limits as wire
from looseends_protocol.errors import ERRORS
from looseends_protocol.frames import FrameSplitter, FrameTooLong, FrameUnreadable, framed, unpacked
from looseends_protocol.messages import (
    Act,
    Done,
    Hello,
    MessageInvalid,
    MessageUnknown,
    Ping,
    Pong,
    Refused,
    Request,
    message_from_client,
    plain_act,
    request_id_of,
)
from looseends_server.addresses import is_loopback
from looseends_server.allowance import Allowance, Window

if TYPE_CHECKING:
    from looseends_server.house import House
    from looseends_server.people import Person
    from looseends_server.table import Table

log = structlog.get_logger()

WRITE_BUFFER_BYTES = 64 * 1024
"""What the transport may hold before it says that the peer does not read; the rest waits in our own queue."""


class Connection(asyncio.Protocol):
    """The server's end of one connection. `local` marks one inside this process, which no address limit touches."""

    __slots__ = (
        "_allowance",
        "_asked_at",
        "_behind_proxy",
        "_buffer",
        "_buffered",
        "_flush_due",
        "_most_buffered",
        "_outbox",
        "_paused",
        "_splitter",
        "_strikes",
        "_transport",
        "address",
        "closing",
        "counts_as_new",
        "games_asked",
        "greeting",
        "heard_at",
        "house",
        "key",
        "lobby_page",
        "local",
        "opened_at",
        "pending",
        "person",
        "resync_window",
        "reviewing",
        "seat",
        "secure",
        "table",
    )

    def __init__(self, house: House, *, local: bool = False, behind_proxy: tuple[str, bool] | None = None) -> None:
        """`behind_proxy` is what a proxy said of a peer: its address, and whether it came to the proxy over TLS."""
        limits = house.settings.limits
        now = house.clock.monotonic()
        self.house = house
        self.local = local
        self._behind_proxy = behind_proxy
        self.address = "local" if local else ""
        self.key = b""
        """The fingerprint of the SSH key of the person behind a door, as the door says; empty where there is none."""
        self.reviewing = False
        """Whether a finished game is being looked at again for this connection."""
        self.games_asked = False
        """Whether finished games are being searched for this connection."""
        self.person: Person | None = None
        self.table: Table | None = None
        self.seat: int | None = None
        self.lobby_page: int | None = None
        """The page of the lobby that is pushed to this peer, None for none."""
        self.pending = 0
        """Requests of this peer that wait at a table."""
        self.opened_at = self.heard_at = now
        self.closing = False
        self.greeting = False
        """Whether a hello of this peer is being worked on."""
        self.counts_as_new = False
        """Whether it was counted as a new connection of its address already."""
        self.secure = local
        """Whether nobody between the peer and us can read what travels."""
        self.resync_window = Window(limits.resyncs, limits.resync_seconds)
        self._allowance = Allowance(limits.burst_messages, limits.messages_per_second, now)
        self._strikes = Window(limits.strikes, limits.strike_seconds)
        self._splitter = FrameSplitter(wire.BEFORE_LOGIN)
        self._transport: asyncio.Transport | None = None
        self._buffer: list[bytes] = []
        self._buffered = 0
        self._most_buffered = limits.send_queue_bytes
        self._outbox = house.outbox
        self._flush_due = False
        self._paused = False
        self._asked_at = 0.0

    # ── the transport calls these ────────────────────────────────────────────────────────────────────────────────

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the transport; the house may turn it away at once."""
        transport = cast("asyncio.Transport", transport)  # uvloop's are no subclass of it
        self._transport = transport
        transport.set_write_buffer_limits(high=WRITE_BUFFER_BYTES)
        if self._behind_proxy is not None:
            self.address, self.secure = self._behind_proxy
        elif not self.local:
            peer = transport.get_extra_info("peername")
            self.address = str(peer[0]) if isinstance(peer, tuple) and peer else "unknown"
            encrypted = transport.get_extra_info("sslcontext") is not None
            self.secure = encrypted or is_loopback(self.address)
        self.house.connection_opened(self)

    def data_received(self, data: bytes) -> None:
        """Take bytes as they come and handle every frame that they complete."""
        if self.closing:
            return
        self.heard_at = self.house.clock.monotonic()
        only = self._splitter.only_frame(data)
        if only is not None:
            self._frame_received(only)
            return
        try:
            for payload in self._splitter.feed(data):
                self._frame_received(payload)
                if self.is_gone():
                    return
        except FrameTooLong as error:
            self.drop("frame/too_long", str(error))

    def pause_writing(self) -> None:
        """The peer does not read: keep what is for it until the queue is full."""
        self._paused = True

    def resume_writing(self) -> None:
        """The peer reads again."""
        self._paused = False
        self.flush()

    def connection_lost(self, exc: Exception | None) -> None:
        """The peer is gone: the house and its table are told."""
        self.closing = True
        self._transport = None
        self._buffer.clear()
        self._buffered = 0
        self.house.connection_closed(self)

    # ── frames in ────────────────────────────────────────────────────────────────────────────────────────────────

    def _frame_received(self, payload: bytes) -> None:
        if self.person is not None and (act := plain_act(payload)) is not None:
            self._handle(act)
            return
        try:
            content = unpacked(payload, self._splitter.caps)
        except FrameUnreadable:
            self._bad_frame("frame/unreadable", None)
            return
        try:
            message = message_from_client(content)
        except MessageUnknown:
            self._bad_frame("frame/unknown", request_id_of(content))
            return
        except MessageInvalid as error:
            self._bad_frame("frame/invalid", request_id_of(content), str(error))
            return
        if isinstance(message, Pong):
            self._pong_received()
            return
        assert isinstance(message, Request)
        if self.person is None and not isinstance(message, Hello):
            self._bad_frame("hello/first", message.id)
            return
        if not isinstance(message, Act) and not self.spend():
            self.too_fast(message.id)
            return
        if isinstance(message, Ping):
            self.send(Pong(message.id))
            return
        self._handle(message)

    def _handle(self, message: Request) -> None:
        try:
            self.house.handle(self, message)
        except Exception:
            log.exception("request failed", request=type(message).__name__, connection=id(self))
            self.refuse(message.id, "server/fault")

    def _pong_received(self) -> None:
        """Take the answer to our ping; one that nobody asked for costs a message like anything else."""
        if self._asked_at:
            self._asked_at = 0.0
        elif not self.spend():
            self.strike()

    def _bad_frame(self, error: str, request: int | None, detail: str = "") -> None:
        """Answer something that is no request; it costs a message and a strike."""
        self.spend()
        if self.strike():
            self.refuse(request, error, detail)

    def logged_in(self, person: Person) -> None:
        """Know this peer as a person from now on; larger frames are taken."""
        self.person = person
        self._splitter.caps = wire.FROM_CLIENT

    # ── allowances ───────────────────────────────────────────────────────────────────────────────────────────────

    def spend(self) -> bool:
        """Take one message from this peer's allowance; False where there is none left."""
        return self._allowance.spend(self.house.clock.monotonic())

    def strike(self) -> bool:
        """Count a message that should not have come; after too many the peer is dropped and False returned."""
        if self._strikes.admits(self.house.clock.monotonic()):
            return True
        self.drop("session/too_fast", "too many messages that could not be taken")
        return False

    def too_fast(self, request: int | None) -> None:
        """Refuse a message that came too fast, or drop the peer that never stops."""
        if self.strike():
            self.refuse(request, "session/too_fast", retry_after=1)

    def refuse_act(self, request: int, refusal: Refusal) -> None:
        """Refuse an action by the game's rules: unlike an accepted one it costs a message."""
        if self.spend():
            self.house.counts.refused[refusal.code] += 1
            self.send(Refused(refusal.code, refusal.sentence, request))
        else:
            self.too_fast(request)

    def charge(self, request: int, error: str) -> None:
        """Refuse an action for another reason; it costs a message too."""
        if self.spend():
            self.refuse(request, error)
        else:
            self.too_fast(request)

    # ── frames out ───────────────────────────────────────────────────────────────────────────────────────────────

    def send(self, message: msgspec.Struct) -> None:
        """Send a message to this peer alone."""
        self.send_frame(framed(message))

    def done(self, request: int) -> None:
        """Answer that a request was carried out."""
        self.send(Done(request))

    def refuse(
        self, request: int | None, error: str, text: str = "", *, suggestion: str = "", retry_after: int = 0
    ) -> None:
        """Answer that a request was not carried out, with the code's own sentence unless a better one is given."""
        self.house.counts.refused[error] += 1
        self.send(Refused(error, text or ERRORS[error], request, suggestion, retry_after))

    def send_frame(self, frame: bytes) -> None:
        """Put an encoded frame into the buffer, which is written once in this turn of the loop.

        A peer that has too much waiting is dropped, without a word: it would not read that either. Its table goes on.
        """
        transport = self._transport
        if transport is None or self.closing:
            return
        self._buffer.append(frame)
        self._buffered += len(frame)
        if self._buffered > self._most_buffered:
            log.info("peer does not read", connection=id(self), waiting=self._buffered)
            self.house.counts.dropped["peer/not_reading"] += 1
            self.abort()
            return
        if not (self._flush_due or self._paused):
            self._flush_due = True
            outbox = self._outbox
            if not outbox.due:
                outbox.begin()
            outbox.due.append(self)

    def flush(self) -> None:
        """Write what is in the buffer, as the house's outbox has it do once per loop turn."""
        self._flush_due = False
        transport = self._transport
        if transport is None or not self._buffer or self._paused:
            return
        frames = self._buffer
        self._buffered = 0
        written = frames.pop() if len(frames) == 1 else b"".join(frames)
        frames.clear()
        transport.write(written)

    def is_gone(self) -> bool:
        """Return whether this connection is closed, or about to be."""
        return self.closing

    # ── endings ──────────────────────────────────────────────────────────────────────────────────────────────────

    def drop(self, error: str, text: str = "", *, retry_after: int = 0) -> None:
        """Tell the peer why, and close. What it sends from now on is not read; nothing waits for it to read this."""
        if self.closing:
            return
        self.house.counts.dropped[error] += 1
        self.send(Refused(error, text or ERRORS[error], None, "", retry_after))
        self.flush()
        self.closing = True
        transport = self._transport
        if transport is None:
            return
        transport.close()
        if self._paused or transport.get_write_buffer_size():
            # A peer that does not read would keep the socket open for ever.
            self.house.clock.call_later(2.0, self._abort_transport)

    def abort(self) -> None:
        """Close at once, without a word: the peer does not read or does not answer."""
        self.closing = True
        self._buffer.clear()
        self._abort_transport()

    def _abort_transport(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    def look_after(self, now: float) -> None:
        """Drop a peer that is silent or never said hello; ask one that has been quiet for a while."""
        limits = self.house.settings.limits
        if self.closing:
            return
        if self.person is None:
            if now - self.opened_at > limits.handshake_seconds:
                self.drop("hello/late")
        elif self.local:
            return
        elif now - self.heard_at > limits.silence_seconds:
            self.drop("session/silent")
        elif now - max(self.heard_at, self._asked_at) > limits.ping_seconds:
            self._asked_at = now
            self.send(Ping(0))
