"""A peer that speaks the protocol over the in-memory transport, and a clock that moves by hand."""

from __future__ import annotations

import asyncio
import heapq
import random
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from looseends_core.rules import RuleSet, rule_set
from looseends_core.state import Phase, State, evolve
from looseends_protocol import limits as wire
from looseends_protocol.frames import FrameSplitter, framed, unpacked
from looseends_protocol.legal import actions_of
from looseends_protocol.messages import (
    Act,
    Attending,
    BeReady,
    CreateTable,
    GameBegan,
    GiveNonce,
    Happened,
    Hello,
    JoinTable,
    Legal,
    Ping,
    Pong,
    Push,
    Refused,
    Resync,
    RoundCommitted,
    SeatBot,
    StartGame,
    TableOptions,
    Welcome,
    message_from_server,
)
from looseends_server.house import House
from looseends_server.limits import Limits, ServerSettings
from looseends_server.memory_transport import connect_in_memory
from looseends_server.store.base import Store
from looseends_server.table import Table

M = TypeVar("M")
FAST = TableOptions(bots=0)
"""Options of a table whose bots do not wait for anybody to follow."""


class HandClock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 1000.0
        self._due: list[tuple[float, int, HandTimer]] = []
        self._count = 0

    def monotonic(self) -> float:
        return self.now

    def wall(self) -> float:
        return 1_700_000_000.0 + self.now

    def call_later(self, seconds: float, callback: Callable[[], None]) -> HandTimer:
        timer = HandTimer(callback)
        self._count += 1
        if seconds <= 0:
            asyncio.get_running_loop().call_soon(timer.run)
        else:
            heapq.heappush(self._due, (self.now + seconds, self._count, timer))
        return timer

    async def advance(self, seconds: float) -> None:
        """Move on, calling what falls due in between, and let everything that follows from it happen."""
        end = self.now + seconds
        while self._due and self._due[0][0] <= end:
            at, _, timer = heapq.heappop(self._due)
            self.now = max(self.now, at)
            timer.run()
            await settled()
        self.now = end
        await settled()

    async def jump(self, seconds: float) -> None:
        """Move on over a long quiet time: whatever fell due in it is called once, at its end."""
        await settled()
        self.now += seconds
        await self.advance(0)


class HandTimer:
    def __init__(self, callback: Callable[[], None]) -> None:
        self._callback: Callable[[], None] | None = callback

    def run(self) -> None:
        callback, self._callback = self._callback, None
        if callback is not None:
            callback()

    def cancel(self) -> None:
        self._callback = None


async def settled(turns: int = 30) -> None:
    """Let the loop run until everything in memory has arrived."""
    for _ in range(turns):
        await asyncio.sleep(0)


class Peer(asyncio.Protocol):
    """One client. It keeps every message it got, and folds what it hears of its table."""

    def __init__(self) -> None:
        self.heard: list[msgspec.Struct] = []
        self.raw = b""
        """Every byte it ever received."""
        self.lost = False
        self.table: Attending | None = None
        self.view: State | None = None
        self.game = 0
        self.legal: Legal | None = None
        self.commitments: dict[int, bytes] = {}
        self.nonces = True
        """Whether it gives its nonce when asked."""
        self.sequence = 0
        self.ready_for: tuple[int, int] = (0, 0)
        """The game and round that it has said to be ready after."""
        self.transport: asyncio.Transport | None = None
        self._splitter = FrameSplitter(wire.FROM_SERVER)
        self._arrived = asyncio.Event()
        self._next_id = 1
        self.rng = random.Random(1)
        self.token = b""
        self.may_miss = False
        """Whether a gap in the pushes is met with a resync, as a client meets it, and not with a failed test."""
        self.faults: list[str] = []
        """What the server said that it may not say."""
        self.waits_for_table = False

    # ── the transport ──
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.raw += data
        try:
            for payload in self._splitter.feed(data):
                self._hear(message_from_server(unpacked(payload, wire.FROM_SERVER)))
        except Exception as fault:
            self.faults.append(f"{type(fault).__name__}: {fault}")
            raise
        finally:
            self._arrived.set()

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost = True
        self._arrived.set()

    # ── what it understands ──
    def _hear(self, message: msgspec.Struct) -> None:
        self.heard.append(message)
        if isinstance(message, Push):
            if self.waits_for_table:
                return
            if self.may_miss and message.sequence > self.sequence + 1:
                self.post_resync()
                return
            assert message.sequence == self.sequence + 1, (message, self.sequence)
            self.sequence = message.sequence
        match message:
            case Ping():
                self.write(Pong(message.id))
            case Attending():
                self._attend(message)
            case GameBegan():
                self.game = message.game
                self.view = State(message.rules)
            case RoundCommitted():
                self.commitments[message.round] = message.commitment
                if self.nonces and self.table is not None and self.table.seat is not None:
                    self.post(GiveNonce(0, message.round, self.rng.randbytes(16)))
            case Happened():
                assert self.view is not None
                for event in message.events:
                    evolve(self.view, event)
                self.legal = message.legal
            case _:
                pass

    def _attend(self, message: Attending) -> None:
        if self.view is None or message.from_number == 0:
            self.view = State(message.rules)
        assert self.view.number == message.from_number
        for event in message.events:
            evolve(self.view, event)
        self.waits_for_table = False
        self.table = message
        self.game = message.game
        self.legal = message.legal
        self.sequence = message.sequence
        if message.want_nonce and self.nonces:
            self.post(GiveNonce(0, message.want_nonce, self.rng.randbytes(16)))

    # ── what it says ──
    def write(self, message: msgspec.Struct) -> None:
        assert self.transport is not None
        self.transport.write(framed(message))

    def post(self, message: msgspec.Struct) -> int:
        """Send a request under a fresh id and return that id, without waiting for its answer."""
        number = self._next_id
        self._next_id += 1
        self.write(msgspec.structs.replace(message, id=number))
        return number

    def post_resync(self, since: int = 0) -> int:
        """Ask for the table anew, and hear no push until it is there, as the protocol asks of a client."""
        self.waits_for_table = True
        return self.post(Resync(0, self.game, since))

    async def ask(self, message: msgspec.Struct) -> msgspec.Struct:
        """Send a request and return its answer."""
        number = self.post(message)
        answer: msgspec.Struct = await self.until(lambda: self.answer(number))
        return answer

    def answer(self, number: int) -> msgspec.Struct | None:
        return next((got for got in self.heard if getattr(got, "answers", None) == number), None)

    async def expect(self, message: msgspec.Struct, kind: type[M]) -> M:
        """Send a request and return its answer, which must be of that kind."""
        got = await self.ask(message)
        assert isinstance(got, kind), got
        return got

    async def refused(self, message: msgspec.Struct) -> str:
        """Send a request that must be refused and return the code."""
        return (await self.expect(message, Refused)).error

    async def until(self, fact: Callable[[], Any]) -> Any:
        """Wait for a fact; the value that it returns is returned. Fails after ten seconds."""
        async with asyncio.timeout(10):
            while not (value := fact()):
                assert not self.faults, self.faults
                assert not self.lost, f"the connection was lost; last heard: {self.heard[-3:]}"
                self._arrived.clear()
                await self._arrived.wait()
            return value

    def got(self, kind: type[M]) -> list[M]:
        """Return every message of a kind that came so far."""
        return [message for message in self.heard if isinstance(message, kind)]

    def close(self) -> None:
        assert self.transport is not None
        self.transport.close()

    # ── playing ──
    def act_if_due(self) -> bool:
        """Take a random legal action if it is this peer's turn."""
        view, legal = self.view, self.legal
        if view is None or legal is None:
            return False
        self.legal = None
        choices = actions_of(legal, view.phase)
        self.post(Act(0, self.game, view.number, self.rng.choice(choices)))
        return True


def connect(house: House) -> Peer:
    """Return a peer on a new connection to the house."""
    peer = Peer()
    connect_in_memory(house.connection(), peer)
    return peer


async def arrive(house: House, name: str, token: bytes = b"") -> tuple[Peer, Welcome]:
    """Return a peer that has said hello, and its welcome."""
    peer = connect(house)
    welcome = await peer.expect(Hello(0, wire.PROTOCOL_MAJOR, name=name, token=token), Welcome)
    peer.token = welcome.token or token
    return peer, welcome


async def come_back(house: House, old: Peer, *, knowing: bool = True) -> Peer:
    """Return the same person on a new connection, at the table where the old one was; the old one is left as it is.

    With `knowing` it holds what the old one held, and asks only for what came since.
    """
    assert old.table is not None
    peer, _ = await arrive(house, "", old.token)
    game = since = 0
    if knowing and old.view is not None:
        peer.view, game, since = old.view.copy(), old.game, old.view.number
    await peer.expect(JoinTable(0, old.table.code, game=game, since=since), Attending)
    return peer


async def seated_table(
    house: House,
    names: list[str],
    rules: RuleSet | None = None,
    options: TableOptions = FAST,
    bots: int = 0,
    level: str = "rookie",
) -> list[Peer]:
    """Return peers that sit at one table, the first its host, bots of a level on the seats behind them."""
    peers = [(await arrive(house, name))[0] for name in names]
    rules = rules or rule_set(len(names) + bots)
    table = await peers[0].expect(CreateTable(0, rules, options), Attending)
    for peer in peers[1:]:
        await peer.expect(JoinTable(0, table.code), Attending)
    for seat in range(len(names), len(names) + bots):
        await peers[0].ask(SeatBot(0, seat, level))
    return peers


async def play_on(peers: list[Peer], until: Callable[[], Any]) -> None:
    """Let every peer act when it is due, and be ready between rounds, until a fact holds."""
    async with asyncio.timeout(10):
        while not until():
            for peer in peers:
                peer.act_if_due()
                view = peer.view
                between = view is not None and view.round > 0 and view.phase is Phase.DEALING and not peer.lost
                if view is not None and between and peer.ready_for != (peer.game, view.round):
                    peer.ready_for = (peer.game, view.round)
                    peer.post(BeReady(0, view.round))
            await asyncio.sleep(0)


def stage_of(table: Table) -> str:
    """Return the stage of a table; a type checker does not take it for what it was a moment ago."""
    return table.state.stage


async def start(peers: list[Peer]) -> None:
    await peers[0].ask(StartGame(0))


async def open_house(
    clock: HandClock | None = None, store: Store | None = None, settings: ServerSettings | None = None, seed: int = 1
) -> House:
    """Return a house on memory, with random bytes that a seed fixes."""
    rng = random.Random(seed)
    settings = settings or ServerSettings(limits=Limits(burst_messages=10_000))
    return await House.open(None, settings, clock=clock, entropy=rng.randbytes, store=store)
