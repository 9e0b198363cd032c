"""Lines that go dead without a word, under the client that people use: both sides notice, it comes back, nothing is
missed or doubled.

Time runs fast for the client and the server's limits are short, so that minutes of silence take seconds.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable
from functools import partial

import msgspec

from looseends_client.attendance import Attendance
from looseends_client.connector import tcp_connector
from looseends_client.game_client import (
    FIRST_WAIT_SECONDS,
    LONGEST_WAIT_SECONDS,
    NO_ID,
    Connected,
    ConnectionEvent,
    ConnectionWasLost,
    GameClient,
    NotConnected,
    Timer,
)
from looseends_client.table_model import TableModel
from looseends_core.rules import rule_set
from looseends_core.state import Phase, fold
from looseends_protocol.messages import (
    Attending,
    CreateTable,
    JoinTable,
    Resync,
    SeatInfo,
    SeatsChanged,
    TableOptions,
    WatchTable,
)
from looseends_server.limits import Limits, Pace
from tests.torture.line import HOST, Broken, Line
from tests.torture.process import serving
from tests.torture.proxy import CUTS, Cut, DroppingProxy
from tests.torture.report import Report
from tests.torture.serving import Order

LIMITS = Limits(ping_seconds=1.0, silence_seconds=3.0, burst_messages=10**6, resyncs=10_000)
PACE = Pace(away_seconds=3600.0, host_seconds=3600.0)
FASTER = 30.0
"""How many seconds pass for the client in one."""
NOTICE_SECONDS = 20.0
"""Real seconds in which either side has to notice; it takes about three."""
ATTEMPTS = 4
"""Attempts to come back that fail before the line is whole again."""


class FastClock:
    """The loop's clock, faster."""

    def time(self) -> float:
        return asyncio.get_running_loop().time() * FASTER

    def call_later(self, delay: float, callback: Callable[[], object], /) -> Timer:
        return asyncio.get_running_loop().call_later(delay / FASTER, callback)


class Person:
    """Somebody with the real client behind a proxy, at a table with a bot, and a watcher with a sound line."""

    def __init__(self, name: str, port: int, rng: random.Random) -> None:
        self.counts: Counter[str] = Counter()
        self._name = name
        self._port = port
        self._rng = rng
        self._proxy = DroppingProxy(port)
        self._client: GameClient
        self._attendance: Attendance
        self._events: list[ConnectionEvent] = []
        self._snapshots: list[tuple[int, Attending]] = []
        self._seats: tuple[SeatInfo, ...] = ()
        self._news = asyncio.Event()
        self._acting: asyncio.Task[None] | None = None

    async def endure(self, cuts: list[Cut]) -> None:
        """Sit down, and play through every cut. Raises Broken."""
        await self._proxy.open()
        client = self._client = GameClient(
            tcp_connector(HOST, self._proxy.port), name=self._name, clock=FastClock(), rng=self._rng
        )
        client.on_event = self._happened
        try:
            await client.connect()
            rules = rule_set(2, ("double-cross", "getaway", "plan-b"), rounds=20)
            attending = await client.request(CreateTable(NO_ID, rules, TableOptions(bots=0)), Attending)
            attendance = self._attendance = Attendance(client, attending, self._rng.randbytes)
            client.on_push = attendance.take
            attendance.on_change = self._news.set
            watcher = await Line.open(self._port, self._watch)
            await watcher.hello(f"{self._name} watcher")
            watcher.post(WatchTable(0, attending.code))
            await attendance.seat_bot(1, "rookie")
            await attendance.start()
            for cut in cuts:
                await self._play(self._rng.randint(3, 12))
                await self._lose(cut)
                await self._come_back()
                await self._play(3)
                await self._compare()
            watcher.abort()
        finally:
            await client.close()
            self._proxy.close()

    # ── what is heard ────────────────────────────────────────────────────────────────────────────────────────────

    def _happened(self, event: ConnectionEvent) -> None:
        self._events.append(event)
        self._news.set()

    def _watch(self, message: msgspec.Struct) -> None:
        if isinstance(message, SeatsChanged | Attending):
            self._seats = message.seats
            self._news.set()

    async def _until(self, what: str, fact: Callable[[], bool]) -> None:
        try:
            async with asyncio.timeout(NOTICE_SECONDS):
                while not fact():
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            raise Broken(f"{self._name}: {what}, {self._events[-3:]}") from None

    # ── playing ──────────────────────────────────────────────────────────────────────────────────────────────────

    async def _play(self, actions: int) -> None:
        """Take so many actions, getting ready between rounds, and stop on turn."""
        model = self._attendance.model
        for _ in range(actions):
            await self._on_turn()
            number = model.state.number
            await self._attendance.act(self._rng.choice(model.legal()))
            # The answer comes before the push that tells what became of it.
            await self._until("an action is not told", partial(_has_moved, model, number))
        await self._on_turn()

    async def _on_turn(self) -> None:
        model = self._attendance.model
        readied = 0

        def round_is_over() -> bool:
            return model.state.phase is Phase.DEALING and model.phase == "between" and readied != model.state.round

        while not model.my_turn:
            if round_is_over():
                readied = model.state.round
                await self._attendance.be_ready()
            await self._until("the game does not go on", lambda: model.my_turn or round_is_over())

    # ── the line ─────────────────────────────────────────────────────────────────────────────────────────────────

    async def _lose(self, cut: Cut) -> None:
        """Cut the line: the client has to show it, and the table that the person is gone."""
        self._events.clear()
        self._proxy.cut = cut
        self._proxy.refuses = True
        await self._until("the client does not notice", lambda: bool(self._losses()))
        await self._until("the table does not notice", lambda: self._seats[0].away == "lost")
        self.counts[f"lines cut: {cut}"] += 1
        await self._until("the client gives up", lambda: len(self._losses()) > ATTEMPTS)
        for attempt, wait in enumerate(self._losses()):
            longest = min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2**attempt)
            if not longest / 2 <= wait <= longest:
                raise Broken(f"attempt {attempt} waited {wait} s, not {longest / 2} to {longest}")
        self.counts["attempts to come back that failed"] += len(self._losses())

    def _losses(self) -> list[float]:
        return [event.wait for event in self._events if isinstance(event, ConnectionWasLost)]

    async def _come_back(self) -> None:
        model = self._attendance.model
        number = model.state.number
        self._proxy.heal()
        if self._rng.random() < 0.5:
            # The first connection that is taken again swallows the hello.
            self._proxy.cut = "both"
            lost = len(self._losses())
            await self._until(
                "a hello that nobody answers is waited for without end", lambda: len(self._losses()) > lost
            )
            self._proxy.heal()
            self.counts["hellos swallowed"] += 1
        await self._until("the client does not come back", lambda: isinstance(self._events[-1], Connected))
        since = await self._client.request(JoinTable(NO_ID, model.code, game=model.game, since=number), Attending)
        if since.from_number != number:
            raise Broken(f"asked for what follows {number}, got what follows {since.from_number}")
        await self._attendance.come_back()
        await self._until("the table does not notice that somebody is back", lambda: self._seats[0].away == "")
        self.counts["resumed from the last number"] += 1

    async def _compare(self) -> None:
        """On turn, while nothing moves: what was added up is what the server has."""
        model = self._attendance.model
        whole = await self._client.request(Resync(NO_ID), Attending)
        if fold(whole.rules, whole.events) != model.state or whole.sequence != model.sequence:
            raise Broken(f"{self._name} has {model.state!r}, the server {fold(whole.rules, whole.events)!r}")
        self.counts["events compared with the whole table"] += len(whole.events)


def _has_moved(model: TableModel, number: int) -> bool:
    return model.state.number != number


async def run(persons: int, cuts: int, seed: int) -> Counter[str]:
    """Cut the lines of so many persons so often each. Raises Broken."""
    async with serving(Order(limits=LIMITS, pace=PACE)) as server:
        everybody = [Person(f"person {n}", server.port or 0, random.Random(f"{seed} {n}")) for n in range(persons)]
        plans: list[list[Cut]] = [[CUTS[(number + place) % 3] for place in range(cuts)] for number in range(persons)]
        try:
            async with asyncio.TaskGroup() as group:
                for person, plan in zip(everybody, plans, strict=True):
                    group.create_task(person.endure(plan))
        except* Broken as broken:
            raise broken.exceptions[0] from None
        except* NotConnected:
            raise Broken("a sound line was lost") from None
    total: Counter[str] = Counter()
    for person in everybody:
        total.update(person.counts)
    return total


def main(persons: int = 12, cuts: int = 6, seed: int = 1) -> int:
    """Run this part, print its counts, and return 0 where every promise was kept."""
    return Report("half-open lines").of(run(persons, cuts, seed))


if __name__ == "__main__":
    raise SystemExit(main())
