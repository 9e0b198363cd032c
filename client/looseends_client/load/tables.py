"""Tables of people who take any legal action, known only as far as that needs: numbers, no cards.

The actions are those of the legal list that the push carries. How many messages the server allows is kept to, so that
its default limits can stay on.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from random import Random
from typing import Any, Literal, cast

import msgspec

from looseends_core.actions import BIDS, COVERS, DOUBLE_CROSS, PASS, PLAYS, Action
from looseends_core.rules import DEFAULT_ROUNDS, rule_set
from looseends_core.shuffle import NONCE_BYTES
from looseends_protocol.frames import framed
from looseends_protocol.limits import LENGTH_BYTES, PROTOCOL_MAJOR, PROTOCOL_MINOR
from looseends_protocol.messages import (
    Act,
    BeReady,
    CreateTable,
    GiveNonce,
    Hello,
    JoinTable,
    LeaveTable,
    Pong,
    StartGame,
    WatchTable,
)

ALLOWED_AT_ONCE = 5
ALLOWED_PER_SECOND = 4.0
"""A little under what the server allows besides actions on one's own turn."""


class Heard(msgspec.Struct):
    """Of any message of the server what is looked at, under the keys of the wire."""

    t: str
    s: int = 0
    e: list[list[Any]] = []
    l: tuple[tuple[int, ...], bool, bool] | None = None  # noqa: E741
    re: int = 0
    id: int = 0
    g: int = 0
    r: int = 0
    c: str = ""
    er: str = ""
    k: str = ""
    tk: bytes = b""
    wn: int = 0
    fn: int = 0


_HEARD = msgspec.msgpack.Decoder(Heard)


class Tally:
    """What all tables together count. Seconds are of `time.perf_counter`."""

    def __init__(self) -> None:
        self.begin()
        self.failures: list[str] = []
        """What the server refused, by code; nothing is refused to whoever plays right."""
        self.lost = 0
        """Connections that ended though nobody wanted them to."""
        self.games = 0
        """Games that were played to their end."""

    def begin(self) -> None:
        """Count anew."""
        self.moves = 0
        """Moves that all of their table's clients have."""
        self.bytes_received = 0
        self.bytes_sent = 0
        self.latencies: list[float] = []
        """From a move sent to the last of the table's clients having it."""
        self.late = 0
        """Moves of the given rate for which no table was ready."""


class Pacer:
    """Lets moves go: at once, or so many a second over all tables, whoever has waited longest first."""

    def __init__(self, rate: float, tally: Tally) -> None:
        """`rate` are moves a second, 0 for as many as there can be. Nothing goes before `release`."""
        self._rate = rate
        self._tally = tally
        self._held = True
        self._waiting: deque[Callable[[], None]] = deque()
        self._due = 0.0
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None

    def take(self, move: Callable[[], None]) -> None:
        """Let a move go now or when its time has come."""
        if self._held or self._rate:
            self._waiting.append(move)
        else:
            move()

    def hold(self) -> None:
        """Let nothing go any more."""
        self._held = True
        if self._timer is not None:
            self._timer.cancel()

    def release(self) -> None:
        """Let moves go from now on."""
        self._held = False
        if self._rate:
            self._due = time.perf_counter()
            self._tick()
        while not self._rate and self._waiting:
            self._waiting.popleft()()

    def _tick(self) -> None:
        now = time.perf_counter()
        while self._due <= now:
            self._due += 1 / self._rate
            if self._waiting:
                self._waiting.popleft()()
            else:
                self._tally.late += 1
        self._timer = self._loop.call_later(max(0.0, self._due - now), self._tick)


class LoadTable:
    """One table and its clients: seats first, then spectators."""

    __slots__ = (
        "_flying",
        "_passes",
        "_phase",
        "_sequence",
        "clients",
        "code",
        "dealt",
        "game",
        "listening",
        "number",
        "one_game",
        "over",
        "pacer",
        "players",
        "rng",
        "round",
        "rounds",
        "sent_at",
        "tally",
    )

    def __init__(
        self,
        players: int,
        tally: Tally,
        pacer: Pacer,
        rng: Random,
        rounds: int = DEFAULT_ROUNDS,
        *,
        one_game: bool = False,
    ) -> None:
        """With `one_game` nobody wants another when it is over."""
        self.players = players
        self.rounds = rounds
        self.one_game = one_game
        self.tally = tally
        self.pacer = pacer
        self.rng = rng
        self.clients: list[LoadClient] = []
        self.begin_anew()

    def begin_anew(self) -> None:
        """Know nothing of a table: whoever sits down next makes one."""
        self.code = ""
        self.listening = 0
        """How many of the clients are at the table."""
        self.game = 0
        self.number = 0
        """The state number that the next action is made for."""
        self.round = 0
        self.dealt = asyncio.Event()
        """Set once the first round is dealt."""
        self.over = asyncio.Event()
        """Set once a game is over."""
        self.sent_at = 0.0
        """When the move was sent whose push is waited for, 0 for none."""
        self._sequence = 0
        self._passes = 0
        self._phase: Literal["bid", "play", "cover"] = "bid"
        self._flying: dict[int, list[float]] = {}
        """Moves that some clients do not have yet, by sequence: when they were sent, and how many clients lack them."""

    def heard(self, heard: Heard, now: float) -> None:
        """Fold a push that some client of the table has; each is folded once."""
        if heard.s > self._sequence:
            self._sequence = heard.s
            if heard.t == "ev":
                self._fold(heard.e)
                if self.sent_at:
                    self._flying[heard.s] = [self.sent_at, self.listening]
                    self.sent_at = 0.0
            elif heard.t == "began":
                self.game, self.number = heard.g, 0
            elif heard.t == "commit":
                self.round = heard.r
        if heard.t == "ev" and (flying := self._flying.get(heard.s)) is not None:
            flying[1] -= 1
            if not flying[1]:
                del self._flying[heard.s]
                self.tally.moves += 1
                self.tally.latencies.append(now - flying[0])

    def catch_up(self, heard: Heard) -> None:
        """Take over from a client that has just come to the table what nobody was there to hear."""
        if heard.s > self._sequence:
            self._sequence = heard.s
            self.sent_at = 0.0
            # Another client may have heard some of it since this one asked.
            self._fold(heard.e[max(0, self.number - heard.fn) :])

    def _fold(self, events: list[list[Any]]) -> None:
        self.number += len(events)
        for event in events:
            tag = event[0]
            if tag == "played" or tag == "bid":
                continue
            if tag == "dealt":
                self.dealt.set()
                self._phase = "bid"
                self._passes = 0
            elif tag == "won":
                self._phase = "cover"
            elif tag == "passed" or tag == "double-crossed":
                self._passes += 1
                if self._passes == self.players:
                    self._phase = "play"
            elif tag == "covered" or tag == "promoted" or tag == "loose":
                self._phase = "play"
            elif tag == "ended":
                self.tally.games += 1
                self.over.set()

    def lose(self) -> None:
        """Count on one client less; what was on its way to it is not waited for."""
        self.listening -= 1
        self._flying.clear()

    def any_of(self, legal: tuple[tuple[int, ...], bool, bool]) -> Action:
        """Return any action of a legal list, each as likely as another."""
        cards, may_pass, may_double_cross = legal
        place = int(self.rng.random() * (len(cards) + may_pass + may_double_cross))
        if place < len(cards):
            kinds = {"bid": BIDS, "play": PLAYS, "cover": COVERS}
            return cast("Action", kinds[self._phase][cards[place]])
        return PASS if may_pass and place == len(cards) else DOUBLE_CROSS


class LoadClient(asyncio.Protocol):
    """One connection: a person at a seat, or a spectator for whom `seat` is None."""

    __slots__ = (
        "_allowed",
        "_answers",
        "_filled_at",
        "_loop",
        "_next_id",
        "_rest",
        "_waited_for",
        "leaving",
        "name",
        "seat",
        "table",
        "token",
        "transport",
    )

    def __init__(self, name: str, table: LoadTable, seat: int | None, token: bytes = b"") -> None:
        """`token` is that of an earlier connection of the same person, empty for somebody new."""
        self.name = name
        self.token = token
        self.table = table
        self.seat = seat
        self.leaving = False
        """Whether the end of the connection is wanted."""
        self.transport: asyncio.Transport | None = None
        self._loop = asyncio.get_running_loop()
        self._rest = b""
        self._next_id = 1
        self._allowed = float(ALLOWED_AT_ONCE)
        self._filled_at = self._loop.time()
        self._waited_for = 0
        self._answers: asyncio.Future[Heard] | None = None

    # ── the transport calls these ────────────────────────────────────────────────────────────────────────────────

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the transport."""
        self.transport = cast("asyncio.Transport", transport)  # uvloop's are no subclass of it

    def connection_lost(self, exc: Exception | None) -> None:
        """Count a connection that was lost."""
        self.transport = None
        if not self.leaving:
            self.table.tally.lost += 1
        if self._answers is not None and not self._answers.done():
            self._answers.set_exception(ConnectionError("the server ended the connection"))

    def data_received(self, data: bytes) -> None:
        """Take frames as they come."""
        now = time.perf_counter()
        self.table.tally.bytes_received += len(data)
        if self._rest:
            data = self._rest + data
        at, end = 0, len(data)
        while end - at > LENGTH_BYTES:
            after = at + LENGTH_BYTES + int.from_bytes(data[at : at + LENGTH_BYTES], "big")
            if after > end:
                break
            self._heard(_HEARD.decode(data[at + LENGTH_BYTES : after]), now)
            at = after
        self._rest = data[at:]

    def _heard(self, heard: Heard, now: float) -> None:
        kind = heard.t
        if kind == "ev":
            table = self.table
            table.heard(heard, now)
            if heard.l is not None:
                self._take_turn(heard.l)
            elif self.seat is not None and heard.e[-1][0] in ("scored", "ended") and not table.one_game:
                self._send_allowed(BeReady(0, table.round))
        elif kind == "done" or (heard.re and heard.re != self._waited_for):
            pass
        elif kind == "ping":
            self.send(Pong(heard.id))
        elif heard.s and not heard.re:
            self.table.heard(heard, now)
            if kind == "commit" and self.seat is not None:
                self._send_allowed(GiveNonce(0, heard.r, self.table.rng.randbytes(NONCE_BYTES)))
        elif kind == "notice":
            self.leaving = self.leaving or heard.k == "closing"
        if kind == "refused":
            self.table.tally.failures.append(heard.er)
        if heard.re and heard.re == self._waited_for and self._answers is not None and not self._answers.done():
            self._answers.set_result(heard)

    # ── out ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def _take_turn(self, legal: tuple[tuple[int, ...], bool, bool]) -> None:
        table = self.table
        action = table.any_of(legal)

        def move() -> None:
            if self.transport is not None and not self.leaving:
                table.sent_at = time.perf_counter()
                self.send(Act(self._number(), table.game, table.number, action))

        table.pacer.take(move)

    def _number(self) -> int:
        self._next_id += 1
        return self._next_id

    def send(self, message: msgspec.Struct) -> None:
        """Send a message now."""
        if self.transport is not None:
            frame = framed(message)
            self.table.tally.bytes_sent += len(frame)
            self.transport.write(frame)

    def _send_allowed(self, message: msgspec.Struct) -> None:
        """Send a request that counts for the allowance, as soon as there is one."""
        now = self._loop.time()
        self._allowed = min(ALLOWED_AT_ONCE, self._allowed + (now - self._filled_at) * ALLOWED_PER_SECOND)
        self._filled_at = now
        self._allowed -= 1
        message = msgspec.structs.replace(message, id=self._number())
        if self._allowed >= 0:
            self.send(message)
        else:
            self._loop.call_later(-self._allowed / ALLOWED_PER_SECOND, self.send, message)

    async def ask(self, message: msgspec.Struct) -> Heard:
        """Send a request and return its answer. Raises ConnectionError where it is refused."""
        number = self._waited_for = self._number()
        self._answers = self._loop.create_future()
        self._allowed -= 1
        self.send(msgspec.structs.replace(message, id=number))
        heard = await self._answers
        self._answers = None
        if heard.er:
            raise ConnectionError(f"the server refused {type(message).__name__}: {heard.er}")
        return heard

    async def say_hello(self) -> None:
        """Become somebody new, or who this person was before."""
        heard = await self.ask(Hello(0, PROTOCOL_MAJOR, PROTOCOL_MINOR, self.name, self.token, client="load"))
        self.token = heard.tk or self.token

    async def sit_down(self) -> None:
        """Make the table, or take a seat or watch at it."""
        table = self.table
        if self.seat is None:
            heard = await self.ask(WatchTable(0, table.code))
        elif not table.code:
            heard = await self.ask(CreateTable(0, rule_set(table.players, rounds=table.rounds)))
            table.code = heard.c
        else:
            heard = await self.ask(JoinTable(0, table.code, self.seat, "", table.game, table.number))
        table.listening += 1
        table.catch_up(heard)
        if heard.l is not None:
            self._take_turn(heard.l)
        if heard.wn:
            self._send_allowed(GiveNonce(0, heard.wn, table.rng.randbytes(NONCE_BYTES)))

    async def start(self) -> None:
        """Start the game of the table that this client made."""
        await self.ask(StartGame(0))

    def break_line(self) -> None:
        """Lose the connection without a word."""
        self.leaving = True
        if self.transport is not None:
            self.transport.abort()

    async def leave(self) -> None:
        """Leave the table for good, and the server."""
        self.leaving = True
        await self.ask(LeaveTable(0))
        if self.transport is not None:
            self.transport.close()
