"""A client at a table of a real server in the same process, on a line that a test can cut, by a clock moved by hand."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from typing import Any

import msgspec

from looseends_client.attendance import Attendance
from looseends_client.game_client import NO_ID, Connected, ConnectionEvent, GameClient
from looseends_core.redact import redact
from looseends_core.rules import RuleSet, rule_set
from looseends_core.state import State, fold
from looseends_protocol.messages import Attending, CreateTable, JoinTable, Request, TableOptions, WatchTable
from looseends_server.house import House
from looseends_server.memory_transport import connect_in_memory
from tests.client.scripted_server import ClientClock
from tests.server.peers import FAST, settled

SHORT = rule_set(3, ["plan-b"], rounds=2, hand_size=5)
"""A game that is over soon."""


class CutLine:
    """A connector to a house that remembers its connections."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.transports: list[asyncio.Transport] = []

    async def connect(self, make: Callable[[], asyncio.Protocol]) -> asyncio.Transport:
        transport = connect_in_memory(self.house.connection(), make())
        self.transports.append(transport)
        return transport

    def cut(self) -> None:
        """End the present connection, as a lost network does."""
        self.transports[-1].abort()


class Guest:
    """One person: a client, the table it is at, and all that was told of either."""

    def __init__(self, house: House, name: str, clock: ClientClock) -> None:
        self.clock = clock
        self.line = CutLine(house)
        self.client = GameClient(self.line.connect, name=name, clock=clock, rng=random.Random(1))
        self.client.on_event = self._happened
        self.client.on_push = self._pushed
        self.attendance: Attendance | None = None
        self.events: list[ConnectionEvent] = []
        self.detached: list[str] = []
        self.drops: Callable[[msgspec.Struct], bool] = lambda pushed: False
        """Whether a push is lost on the way."""
        self.drawn = 0
        self.rng = random.Random(2)
        self._coming_back: set[asyncio.Task[None]] = set()

    def _pushed(self, pushed: msgspec.Struct) -> None:
        if self.attendance is not None and not self.drops(pushed):
            self.attendance.take(pushed)

    def _happened(self, event: ConnectionEvent) -> None:
        self.events.append(event)
        if isinstance(event, Connected) and event.again and self.attendance is not None:
            task = asyncio.get_running_loop().create_task(self.attendance.come_back())
            self._coming_back.add(task)
            task.add_done_callback(self._coming_back.discard)

    def entropy(self, count: int) -> bytes:
        self.drawn += 1
        return self.rng.randbytes(count)

    @property
    def at(self) -> Attendance:
        assert self.attendance is not None
        return self.attendance

    def is_online(self) -> bool:
        return self.client.online

    async def go(self, request: Request) -> Attendance:
        """Go to a table."""
        self.attendance = Attendance(self.client, await self.client.request(request, Attending), self.entropy)
        self.attendance.on_detached = self.detached.append
        return self.attendance

    async def sit_alone(self, rules: RuleSet = SHORT, options: TableOptions = FAST) -> Attendance:
        """Make a table with bots on the other seats and start it."""
        at = await self.go(CreateTable(NO_ID, rules, options))
        for seat in range(1, rules.players):
            await at.seat_bot(seat, "rookie")
        await at.start()
        return at

    async def join(self, code: str) -> Attendance:
        return await self.go(JoinTable(NO_ID, code))

    async def watch(self, code: str, password: str = "") -> Attendance:
        return await self.go(WatchTable(NO_ID, code, password=password))

    async def play_until(self, fact: Callable[[], Any]) -> None:
        """Act when due and be ready between rounds until a fact holds, while the clock goes on."""
        model = self.at.model
        said_ready = (0, 0)
        for _ in range(3000):
            await settled(5)
            if fact():
                return
            if self.client.online and model.my_turn:
                await self.at.act(self.rng.choice(model.legal()))
            elif self.client.online and model.phase == "between" and said_ready != (model.game, model.state.round):
                said_ready = (model.game, model.state.round)
                await self.at.be_ready()
            await self.clock.advance(0.05)
        raise AssertionError("what was waited for never came")

    def as_the_server_knows(self) -> State:
        """Return this reader's view, folded from the server's own events."""
        table = self.line.house.tables[self.at.model.code]
        return fold(table.state.rules, [redact(event, self.at.model.seat) for event in table.state.events])
