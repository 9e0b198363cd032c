"""Being at a table: the model kept in step with the server, nonces given, gaps healed, and what a person may ask of it.

It knows no widget. Whoever draws the table is told of changes by one callback.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, MutableSet
from typing import TypeVar

import msgspec

from looseends_client.game_client import NO_ID, GameClient, NotConnected, RequestRefused, Timer
from looseends_client.table_model import Gap, Misfit, TableModel
from looseends_core.actions import Action
from looseends_core.shuffle import NONCE_BYTES
from looseends_protocol.messages import (
    Act,
    Answer,
    AskHint,
    Attending,
    BeReady,
    Contest,
    Detached,
    Done,
    GetContest,
    GetRecord,
    GiveNonce,
    Hint,
    JoinTable,
    LeaveTable,
    LookAt,
    Push,
    RecordText,
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
from looseends_protocol.people_text import visible

A = TypeVar("A", bound=Answer)


RETRY_SECONDS = 2.0
"""Least wait before a table that could not be given just now is asked for again."""
WAIT_AND_ASK_AGAIN = frozenset({"table/frozen", "table/busy", "table/tries"})
"""Refusals of a table that pass; any other that begins with `table/` says that we are not at it any more."""


class Attendance:
    """One table that this client is at, from the moment the server let it in.

    `entropy` gives so many random bytes; `password` is that of the table, which a spectator is asked for again after
    a lost connection; `muted` are those whose talk is left out, and may grow. `on_change` is called after every change
    of the model; `on_detached` when we are at the table no more, with a sentence. Raises Misfit where the server shows
    what cannot be a table.
    """

    def __init__(
        self,
        client: GameClient,
        attending: Attending,
        entropy: Callable[[int], bytes],
        *,
        password: str = "",
        muted: MutableSet[str] | None = None,
    ) -> None:
        self._client = client
        self._entropy = entropy
        self._password = password
        me = client.welcome.name if client.welcome is not None else ""
        self.model = TableModel(lambda: client.clock.time(), me, muted)
        self.on_change: Callable[[], None] = lambda: None
        self.on_detached: Callable[[str], None] = lambda text: None
        self._tasks: set[asyncio.Task[None]] = set()
        self._asking = False
        """Whether the table is being asked for; pushes wait meanwhile."""
        self._held_back: list[Push] = []
        self._again: Timer | None = None
        self._refused_with = ""
        """The last word on why the table cannot be given just now: it is told once."""
        self.over = False
        self.is_kept = True
        """Whether the server keeps games of this table when they are over: all but those that are only tried out."""
        self._take_over(attending)

    # ── what the server says ────────────────────────────────────────────────────────────────────────────────────

    def take(self, message: msgspec.Struct) -> None:
        """Take a push, whatever it is; one that is not this table's is left alone."""
        if self.over:
            return
        if isinstance(message, Detached):
            self._end(message.text)
        elif isinstance(message, Push):
            if self._asking:
                self._held_back.append(message)
                return
            self._take(message)
            self.on_change()

    def _take(self, push: Push) -> None:
        try:
            self.model.take(push)
        except Gap:
            self._ask_later(Resync(NO_ID, self.model.game, self.model.state.number))
            return
        except Misfit:
            self._ask_later(Resync(NO_ID))
            return
        if isinstance(push, RoundCommitted) and self.model.seat is not None:
            self._give_nonce(push.round)

    def _give_nonce(self, round_number: int) -> None:
        if self.model.options.contest:
            return  # the deal is fixed, and nobody is asked
        nonce = self.model.nonce_of(round_number)
        if nonce is None:
            nonce = self._entropy(NONCE_BYTES)
            self.model.gave_nonce(round_number, nonce)
        self._in_background(self._ask_quietly(GiveNonce(NO_ID, round_number, nonce)))

    def _take_over(self, attending: Attending) -> None:
        self.model.attend(attending)
        self._refused_with = ""
        if self._again is not None:
            self._again.cancel()
        if attending.want_nonce and attending.seat is not None:
            self._give_nonce(attending.want_nonce)

    def _end(self, text: str) -> None:
        self.over = True
        if self._again is not None:
            self._again.cancel()
        self.on_detached(visible(text))

    # ── asking for the table again ──────────────────────────────────────────────────────────────────────────────

    async def come_back(self) -> None:
        """Take the seat again after the connection was lost and found; only what was missed is sent."""
        if not self._asking and not self.over:
            self._asking = True
            await self._ask_for_table(self._return())

    def _return(self) -> Request:
        model = self.model
        game, since = model.game, model.state.number
        if model.seat is None:
            return WatchTable(NO_ID, model.code, password=self._password, game=game, since=since)
        return JoinTable(NO_ID, model.code, game=game, since=since)

    def _ask_later(self, request: Request) -> None:
        if not self._asking and not self.over:
            self._asking = True
            self._in_background(self._ask_for_table(request))

    async def _ask_for_table(self, request: Request) -> None:
        try:
            attending = await self._client.request(request, Attending)
            try:
                self._take_over(attending)
            except Gap:
                self._take_over(await self._client.request(Resync(NO_ID), Attending))
        except RequestRefused as error:
            self._table_refused(error, request)
        except (Misfit, Gap):
            self._in_background(self._ask_quietly(StepAway(NO_ID)))
            self._end(str(Misfit()))
        except NotConnected:
            pass  # the client comes back by itself, and so do we
        finally:
            self._asking = False
            held_back, self._held_back = self._held_back, []
        for push in held_back:
            self.take(push)
        self.on_change()

    def _table_refused(self, error: RequestRefused, request: Request) -> None:
        refusal = error.refusal
        if refusal.error.startswith("table/") and refusal.error not in WAIT_AND_ASK_AGAIN:
            self._end(refusal.text)
            return
        if str(error) != self._refused_with:
            self._refused_with = str(error)
            self.model.tell(str(error))
        wait = max(RETRY_SECONDS, refusal.retry_after)
        self._again = self._client.clock.call_later(wait, lambda: self._ask_later(request))

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

    async def hint(self) -> Hint:
        """Ask what a strong bot would do at the state that is shown."""
        return await self._client.request(AskHint(NO_ID, self.model.game, self.model.state.number), Hint)

    async def be_ready(self) -> None:
        """Say that the last round has been seen."""
        await self._client.request(BeReady(NO_ID, self.model.state.round), Done)

    async def record(self) -> str:
        """Ask for the record of the rounds that are over, as JSON text."""
        return (await self._client.request(GetRecord(NO_ID), RecordText)).record

    async def contest(self) -> Contest:
        """Ask how the contest went that the table belongs to."""
        return await self._client.request(GetContest(NO_ID, self.model.options.contest), Contest)

    async def look_at(self, number: int) -> None:
        """Host of a shared replay: lead everybody to the moment at a state number."""
        await self._client.request(LookAt(NO_ID, number), Done)

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
