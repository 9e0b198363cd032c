"""A bot of one's own at a table of a server: it sits there as a player does, through the same client, and plays.

It knows no level, no program and no command: how an action is chosen comes in from outside, and so does whoever is told
what happens. Time is the client's clock.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Callable

import msgspec

from looseends_client.attendance import Attendance
from looseends_client.game_client import (
    NO_ID,
    Connected,
    ConnectionClosed,
    ConnectionEvent,
    ConnectionWasLost,
    GameClient,
    NotConnected,
    RequestRefused,
)
from looseends_client.visits import Visits
from looseends_core.actions import Action
from looseends_core.state import State
from looseends_protocol.messages import JoinTable
from looseends_protocol.people_text import visible

Choose = Callable[[State, random.Random, float | None], Action]
"""Chooses for the seat on turn, within so many seconds (None: no clock runs). Called in a thread of its own."""

SPARE_SECONDS = 1.0
"""What is left of a turn's clock for the way to the server and back."""
LEAST_SECONDS = 0.25
"""What a decision may take however late it is."""
AGAIN_SECONDS = 1.0
"""Least wait before something that the server could not do just now is asked for again."""
GOODBYE_SECONDS = 2.0
"""How long the word that one leaves may take."""


class TableGone(Exception):
    """The bot is at the table no more, or the server is gone for good; the message is the server's sentence."""


class SeatedBot:
    """One bot, from its way to the table to its way out. `client` is connected already; `tell` is given sentences."""

    def __init__(
        self,
        client: GameClient,
        choose: Choose,
        rng: random.Random,
        tell: Callable[[str], None],
        entropy: Callable[[int], bytes],
    ) -> None:
        self._client = client
        self._choose = choose
        self._rng = rng
        self._tell = tell
        self._news = asyncio.Event()
        self._gone: str | None = None
        self._visits = Visits(entropy, on_change=self._news.set, on_lost=self._lost)
        self._tasks: set[asyncio.Task[None]] = set()
        self._said_ready = (0, 0)
        self._scored = 0
        """The game whose end was told last."""
        self.games = 0
        """Games that were played to the end."""

    async def play(self, code: str, password: str = "", games: int | None = None) -> None:
        """Take a seat at the table and play, so many games (None: rematches as long as there are any), then leave.

        Raises RequestRefused or NotConnected where there is no way to the table, Misfit where it is none, TableGone
        where the bot is sent away or the table ends before.
        """
        self._client.on_push = self._visits.take
        self._client.on_event = self._happened
        try:
            await self._visits.go(self._client, JoinTable(NO_ID, code, password=password))
            attendance = self._visits.attendance
            assert attendance is not None, "going to a table ends there, or raises"
            self._tell(f"At table {attendance.model.code} as {visible(self._client.name)}.")
            self._news.set()
            while games is None or self.games < games:
                await self._news.wait()
                self._news.clear()
                if self._gone is not None:
                    raise TableGone(self._gone)
                await self._go_on(attendance)
        finally:
            await self._leave()

    async def _go_on(self, attendance: Attendance) -> None:
        """Do what is due at the table now, if anything is."""
        model = attendance.model
        if not self._client.online:
            return  # the client comes back by itself, and then there is news
        try:
            if model.my_turn:
                await self._take_turn(attendance)
            elif model.phase == "over" and self._scored != model.game:
                self._scored = model.game
                self.games += 1
                self._tell(f"Game over: {_result(attendance)}.")
                self._news.set()
            elif model.phase in ("between", "over") and self._said_ready != (model.game, model.state.round):
                round_over = (model.game, model.state.round)
                await attendance.be_ready()
                self._said_ready = round_over
        except RequestRefused as error:
            # Late is no harm: what made it late is on its way. Anything else may be better in a moment.
            wait = max(AGAIN_SECONDS, error.refusal.retry_after)
            self._client.clock.call_later(wait, self._news.set)
        except NotConnected:
            pass

    async def _take_turn(self, attendance: Attendance) -> None:
        model = attendance.model
        asked_at = (model.game, model.state.number)
        seconds = model.seconds_left()
        within = None if seconds is None else max(LEAST_SECONDS, seconds - SPARE_SECONDS)
        action = await asyncio.to_thread(self._choose, model.state.copy(), self._rng, within)
        if (model.game, model.state.number) == asked_at and model.my_turn:
            await attendance.act(action)

    def _lost(self, text: str) -> None:
        self._gone = text
        self._news.set()

    def _happened(self, event: ConnectionEvent) -> None:
        match event:
            case Connected(again=True):
                self._tell("The connection is back.")
                if self._visits.attendance is not None:
                    task = asyncio.get_running_loop().create_task(self._visits.attendance.come_back())
                    self._tasks.add(task)
                    task.add_done_callback(self._tasks.discard)
            case ConnectionWasLost(wait=wait):
                self._tell(f"The connection is lost: trying again in {max(1, round(wait))} s.")
            case ConnectionClosed(text=text):
                self._lost(text.strip() or "The server ended the connection.")
            case _:
                pass

    async def _leave(self) -> None:
        attendance = self._visits.end()
        if attendance is not None and self._gone is None and self._client.online:
            with contextlib.suppress(RequestRefused, NotConnected, TimeoutError):
                async with asyncio.timeout(GOODBYE_SECONDS):
                    await attendance.leave(keep_seat=False)
        self._client.on_push = _unheard
        self._client.on_event = lambda event: None


def _unheard(_pushed: msgspec.Struct) -> None:
    pass


def _result(attendance: Attendance) -> str:
    model = attendance.model
    names = [visible(info.name) for info in model.seats]
    return ", ".join(f"{name} {points}" for name, points in zip(names, model.state.scores, strict=True))
