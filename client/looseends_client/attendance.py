"""Being at a table: the model kept in step with the server, nonces given, gaps healed, and what a person may ask of it.

It knows no widget. Whoever draws the table is told of changes by one callback.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from typing import TypeVar

import msgspec

from looseends_client.game_client import NO_ID, GameClient, NotConnected, RequestRefused
from looseends_client.table_model import Gap, TableModel
from looseends_core.actions import Action
from looseends_core.shuffle import NONCE_BYTES
from looseends_protocol.messages import (
    Act,
    Answer,
    Attending,
    BeReady,
    Detached,
    Done,
    GiveNonce,
    JoinTable,
    LeaveTable,
    Push,
    Request,
    Resync,
    RoundCommitted,
    Say,
    SeatBot,
    StartGame,
    StepAway,
    Unseat,
    WatchTable,
)

A = TypeVar("A", bound=Answer)


class Attendance:
    """One table that this client is at, from the moment the server let it in.

    `entropy` gives so many random bytes. `on_change` is called after every change of the model; `on_detached` when the
    server says that we are at the table no more, with its sentence.
    """

    def __init__(self, client: GameClient, attending: Attending, entropy: Callable[[int], bytes]) -> None:
        self._client = client
        self._entropy = entropy
        self.model = TableModel(lambda: client.clock.time())
        self.on_change: Callable[[], None] = lambda: None
        self.on_detached: Callable[[str], None] = lambda text: None
        self._tasks: set[asyncio.Task[None]] = set()
        self._resyncing = False
        self._held_back: list[Push] = []
        self.over = False
        self._take_over(attending)

    # ── what the server says ────────────────────────────────────────────────────────────────────────────────────

    def take(self, message: msgspec.Struct) -> None:
        """Take a push, whatever it is; one that is not this table's is left alone."""
        if self.over:
            return
        if isinstance(message, Detached):
            self.over = True
            self.on_detached(message.text)
        elif isinstance(message, Push):
            if self._resyncing:
                self._held_back.append(message)
                return
            self._take(message)
            self.on_change()

    def _take(self, push: Push) -> None:
        try:
            self.model.take(push)
        except Gap:
            self._in_background(self._resync())
            return
        if isinstance(push, RoundCommitted) and self.model.seat is not None:
            self._give_nonce(push.round)

    def _give_nonce(self, round_number: int) -> None:
        nonce = self.model.nonce_of(round_number)
        if nonce is None:
            nonce = self._entropy(NONCE_BYTES)
            self.model.gave_nonce(round_number, nonce)
        self._in_background(self._ask_quietly(GiveNonce(NO_ID, round_number, nonce)))

    def _take_over(self, attending: Attending) -> None:
        self.model.attend(attending)
        if attending.want_nonce and attending.seat is not None:
            self._give_nonce(attending.want_nonce)

    async def come_back(self) -> None:
        """Take the seat again after the connection was lost and found; only what was missed is sent."""
        model = self.model
        game, since = model.game, model.state.number
        if model.seat is None:
            again: Request = WatchTable(NO_ID, model.code, game=game, since=since)
        else:
            again = JoinTable(NO_ID, model.code, game=game, since=since)
        await self._ask_for_table(again)

    async def _resync(self) -> None:
        await self._ask_for_table(Resync(NO_ID, self.model.game, self.model.state.number))

    async def _ask_for_table(self, request: Request) -> None:
        if self._resyncing:
            return
        self._resyncing = True
        try:
            attending = await self._client.request(request, Attending)
            try:
                self._take_over(attending)
            except Gap:
                self._take_over(await self._client.request(Resync(NO_ID), Attending))
        except RequestRefused as error:
            self.model.tell(error.refusal.text)
            if error.refusal.error.startswith("table/") and error.refusal.error not in ("table/frozen", "table/busy"):
                self.over = True
                self.on_detached(error.refusal.text)
        except NotConnected:
            pass  # the client comes back by itself, and so do we
        finally:
            self._resyncing = False
            held_back, self._held_back = self._held_back, []
        for push in held_back:
            self._take(push)
        self.on_change()

    def _in_background(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _ask_quietly(self, request: Request) -> None:
        # Too late, or asked again after coming back: the round goes on with zeros, and its proof says so.
        with contextlib.suppress(RequestRefused, NotConnected):
            await self._client.request(request, Answer)

    # ── what a person asks; each raises RequestRefused or NotConnected ──────────────────────────────────────────

    async def act(self, action: Action) -> None:
        """Take an action at the state that is shown."""
        await self._client.request(Act(NO_ID, self.model.game, self.model.state.number, action), Done)

    async def be_ready(self) -> None:
        """Say that the last round has been seen."""
        await self._client.request(BeReady(NO_ID, self.model.state.round), Done)

    async def say(self, text: str) -> None:
        """Say a line to the table."""
        await self._client.request(Say(NO_ID, text), Done)

    async def seat_bot(self, seat: int, level: str) -> None:
        """Host: give a seat to a bot."""
        await self._client.request(SeatBot(NO_ID, seat, level), Done)

    async def unseat(self, seat: int) -> None:
        """Host: take whoever sits there off the seat."""
        await self._client.request(Unseat(NO_ID, seat), Done)

    async def start(self) -> None:
        """Host: start the game."""
        await self._client.request(StartGame(NO_ID), Done)

    async def leave(self, *, keep_seat: bool) -> None:
        """Go from the table: away for now, or for good."""
        self.over = True
        await self._client.request(StepAway(NO_ID) if keep_seat else LeaveTable(NO_ID), Done)
