"""The app of one person at a real server in the same process, driven by keys and read as plain text."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, MutableSet
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import msgspec
from textual import events
from textual.pilot import Pilot
from textual.strip import Strip

from looseends_client.app import LooseEndsApp
from looseends_client.attendance import Attendance
from looseends_client.game_client import GameClient
from looseends_client.screens.table import TableScreen
from looseends_client.settings import Settings
from looseends_client.starting import AppSettings, Dial, School, StartAlone, StartLobby
from looseends_client.table_model import TableModel
from looseends_client.visits import TableWish
from looseends_core.actions import Action
from looseends_core.rules import RuleSet, rule_set
from looseends_core.state import Trick
from looseends_protocol.messages import Act, Answer, Request, TableOptions
from looseends_server.house import House
from looseends_server.limits import Limits, Pace, ServerSettings
from tests.client.at_house import CutLine
from tests.client.scripted_server import ClientClock, ScriptedServer
from tests.server.peers import open_house, settled

A = TypeVar("A", bound=Answer)
S = TypeVar("S")
TURNS = 60
"""Turns of the loop in which everything that a key sets off has happened."""
CHARACTERS = {"space": " ", "question_mark": "?", "enter": "\r", "tab": "\t"}
"""What a terminal sends with keys that have a name."""
QUICK = AppSettings(Settings(trick_pause=0))
"""Settings with which nothing waits to be read."""


class Recording(GameClient):
    """A client that remembers what it asked for."""

    asked: list[Request]

    async def request(self, message: Request, expected: type[A]) -> A:
        self.asked.append(message)
        return await super().request(message, expected)


class OnScreen:
    """One person before a screen."""

    def __init__(self, app: LooseEndsApp, pilot: Pilot[None], clock: ClientClock, line: CutLine | None = None) -> None:
        self.app = app
        self.pilot = pilot
        self.clock = clock
        self._line = line
        self.rng = random.Random(3)

    @property
    def line(self) -> CutLine:
        """The line to the house."""
        assert self._line is not None
        return self._line

    @property
    def strips(self) -> list[Strip]:
        """What the screen shows, as it is painted."""
        return self.app.screen._compositor.render_strips()  # pyright: ignore[reportPrivateUsage]

    @property
    def lines(self) -> list[str]:
        """What the screen shows, a string a row, without spaces at the ends."""
        return [strip.text.rstrip() for strip in self.strips]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def table(self) -> Attendance:
        assert self.app.attendance is not None
        return self.app.attendance

    @property
    def model(self) -> TableModel:
        return self.table.model

    @property
    def screen(self) -> TableScreen:
        """The table, which must be on top."""
        assert isinstance(self.app.screen, TableScreen), self.app.screen
        return self.app.screen

    def held(self) -> Trick | None:
        """The finished trick that lies on the table to be read."""
        return self.screen.scene.held

    def asked(self, kind: type[S]) -> list[S]:
        client = self.app.client
        assert isinstance(client, Recording)
        return [message for message in client.asked if isinstance(message, kind)]

    @property
    def acted(self) -> list[Action]:
        return [act.action for act in self.asked(Act)]

    async def settle(self) -> None:
        """Let messages and answers arrive, without any time going by at the server."""
        await settled(TURNS)

    async def until(self, fact: Callable[[], Any], *, seconds: float = 0.7) -> None:
        """Let time go by in steps until a fact holds."""
        for _ in range(400):
            await self.settle()
            if fact():
                return
            await self.clock.advance(seconds)
        raise AssertionError(f"what was waited for never came; on screen:\n{self.text}")

    async def until_shown(self, text: str) -> None:
        """Wait until the screen shows a text, without any time going by at the server."""
        await self.until(lambda: text in self.text, seconds=0)

    async def until_after_thinking(self, fact: Callable[[], Any]) -> None:
        """Wait for a fact that needs more than turns of the loop: another thread, or the screen to be painted."""
        async with asyncio.timeout(20):
            while not fact():
                await self.pilot.pause()

    async def press(self, *keys: str) -> None:
        """Press keys, each after the one before has had its effect."""
        for key in keys:
            self.strike(key)
            await self.settle()

    def strike(self, key: str) -> None:
        """Press a key, and wait for nothing."""
        self.app.post_message(events.Key(key, CHARACTERS.get(key, key if len(key) == 1 else None)))

    async def type(self, text: str) -> None:
        await self.press(*("space" if letter == " " else letter for letter in text))

    async def play_until(self, fact: Callable[[], Any]) -> None:
        """Take any legal action when due, past the screen, and be ready between rounds, until a fact holds."""
        said_ready = (0, 0)
        for _ in range(600):
            await self.settle()
            if fact():
                return
            model = self.model
            if model.my_turn:
                await self.table.act(self.rng.choice(model.legal()))
            elif model.phase == "between" and said_ready != (model.game, model.state.round):
                said_ready = (model.game, model.state.round)
                await self.table.be_ready()
            await self.clock.advance(0.7)
        raise AssertionError(f"what was waited for never came; on screen:\n{self.text}")

    async def watch_out(self) -> None:
        """Wait for one's own turn."""
        await self.until(lambda: self.model.my_turn and self.model.phase == "playing")


def wish(rules: RuleSet | None = None, *, bots: int = 0) -> TableWish:
    """Return a game against bots that act after so many milliseconds."""
    rules = rules or rule_set(3, rounds=2, hand_size=6)
    return TableWish(rules, TableOptions(title="Friday", private=True, bots=bots), ("rookie",) * (rules.players - 1))


@asynccontextmanager
async def opened(seed: int = 1, **settings: Any) -> AsyncIterator[tuple[House, ClientClock]]:
    """Open a house on memory with a clock that stands still."""
    clock = ClientClock()
    pace = Pace(ready_seconds=None)
    chosen = msgspec.structs.replace(
        ServerSettings(limits=Limits(burst_messages=10_000, resyncs=1000), pace=pace), **settings
    )
    house = await open_house(clock, settings=chosen, seed=seed)
    try:
        yield house, clock
    finally:
        await house.close()


@asynccontextmanager
async def seated_before_the_screen(
    house: House,
    clock: ClientClock,
    start: StartAlone | StartLobby,
    *,
    name: str = "ann",
    size: tuple[int, int] = (80, 24),
    settings: AppSettings = QUICK,
    dial: Dial | None = None,
    token: bytes = b"",
    school: School | None = None,
    muted: MutableSet[str] | None = None,
) -> AsyncIterator[OnScreen]:
    """Run the app of one person until the test has done with it."""
    line = CutLine(house)
    client = Recording(line.connect, name=name, token=token, clock=clock, rng=random.Random(1))
    client.asked = []
    app = LooseEndsApp(
        client, start, settings=settings, dial=dial, entropy=random.Random(4).randbytes, school=school, muted=muted
    )
    async with _running(app, client, size) as pilot:
        yield OnScreen(app, pilot, clock, line)


@asynccontextmanager
async def at_a_scripted_server(
    server: ScriptedServer, start: StartAlone | StartLobby, *, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[OnScreen]:
    """Run the app of one person at a server that follows a script."""
    clock = ClientClock()
    client = Recording(server.connect, name="ann", clock=clock, rng=random.Random(1))
    client.asked = []
    app = LooseEndsApp(client, start, settings=QUICK, entropy=random.Random(4).randbytes)
    async with _running(app, client, size) as pilot:
        yield OnScreen(app, pilot, clock)


@asynccontextmanager
async def _running(app: LooseEndsApp, client: GameClient, size: tuple[int, int]) -> AsyncIterator[Pilot[None]]:
    await client.connect()
    try:
        async with app.run_test(size=size) as pilot:
            await settled(TURNS)
            yield pilot
    finally:
        await client.close()
        await settled()


@asynccontextmanager
async def alone(
    rules: RuleSet | None = None,
    *,
    bots: int = 0,
    seed: int = 1,
    size: tuple[int, int] = (80, 24),
    settings: AppSettings = QUICK,
) -> AsyncIterator[OnScreen]:
    """Run the app of somebody who plays against bots, from the deal on."""
    async with (
        opened(seed) as (house, clock),
        seated_before_the_screen(house, clock, StartAlone(wish(rules, bots=bots)), size=size, settings=settings) as on,
    ):
        await on.until(lambda: isinstance(on.app.screen, TableScreen) and on.model.state.round == 1)
        yield on
