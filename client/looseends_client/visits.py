"""Going to a table and leaving it: a wish becomes requests, and what the server pushes finds the table it is for.

It knows no screen. One table at a time, and one way to it at a time.
"""

from __future__ import annotations

from collections.abc import Callable, MutableSet

import msgspec

from looseends_client.attendance import Attendance
from looseends_client.game_client import NO_ID, GameClient
from looseends_core.rules import RuleSet
from looseends_protocol.messages import (
    Attending,
    CreateTable,
    Detached,
    JoinTable,
    PlayDaily,
    Push,
    Request,
    ShareReplay,
    TableOptions,
    WatchTable,
    WhatIf,
)

PRACTICE = "Practice"
"""The title of a table against bots alone."""


class TableWish(msgspec.Struct, frozen=True):
    """What somebody wants to play: rules, options, the bot for each other seat (none: people), a password or none.

    `coach` asks before a move that costs much; it is this program's affair alone.
    """

    rules: RuleSet
    options: TableOptions = TableOptions()
    bots: tuple[str, ...] = ()
    password: str = ""
    coach: bool = False
    copies: int = 1
    """Tables at which the same cards are dealt, this one among them."""


class Visits:
    """The table that a person is at, and the way there. `on_change` and `on_lost` are told of the present one alone."""

    def __init__(
        self,
        entropy: Callable[[int], bytes],
        on_change: Callable[[], None],
        on_lost: Callable[[str], None],
        muted: MutableSet[str] | None = None,
    ) -> None:
        self._entropy = entropy
        self._on_change = on_change
        self._on_lost = on_lost
        self.attendance: Attendance | None = None
        self.muted: MutableSet[str] = set() if muted is None else muted
        """Whom this person has muted, at whichever table they meet."""
        self._early: list[Push | Detached] | None = None
        """What a table told behind the answer that lets us in, before that answer was taken."""

    @property
    def busy(self) -> bool:
        """Whether we are at a table, or on the way to one."""
        return self.attendance is not None or self._early is not None

    def take(self, pushed: msgspec.Struct) -> None:
        """Hand a push to the table it is for, or keep it until we are there."""
        if self.attendance is not None:
            self.attendance.take(pushed)
        elif self._early is not None and isinstance(pushed, Push | Detached):
            self._early.append(pushed)

    async def make(self, client: GameClient, wish: TableWish) -> None:
        """Make a table, give the other seats to bots, and start where there are any.

        Raises RequestRefused, NotConnected or Misfit; `attendance` says whether there is a table all the same.
        """
        request = CreateTable(NO_ID, wish.rules, wish.options, wish.password, wish.copies)
        await self._enter(client, request, wish.password)
        attendance = self.attendance
        if attendance is None or not wish.bots:
            return
        for seat, level in enumerate(wish.bots, 1):
            await attendance.seat_bot(seat, level)
        await attendance.start()

    async def go(self, client: GameClient, request: JoinTable | WatchTable) -> None:
        """Take a seat at a table, or look at it. Raises RequestRefused, NotConnected or Misfit."""
        await self._enter(client, request, request.password)

    async def what_if(self, client: GameClient, request: WhatIf) -> None:
        """Go to a practice table at a moment of a finished game. Raises RequestRefused, NotConnected or Misfit."""
        await self._enter(client, request, "")
        if self.attendance is not None:
            self.attendance.is_kept = False

    async def share(self, client: GameClient, game: int) -> None:
        """Go to a new table at which a finished game is shown. Raises RequestRefused, NotConnected or Misfit."""
        await self._enter(client, ShareReplay(NO_ID, game), "")

    async def play_daily(self, client: GameClient) -> None:
        """Go to one's own deal of the day. Raises RequestRefused, NotConnected or Misfit."""
        await self._enter(client, PlayDaily(NO_ID), "")

    async def _enter(self, client: GameClient, request: Request, password: str) -> None:
        early: list[Push | Detached] = []
        self._early = early
        try:
            attending = await client.request(request, Attending)
            attendance = Attendance(client, attending, self._entropy, password=password, muted=self.muted)
        finally:
            self._early = None
        self.attendance = attendance
        attendance.on_change = lambda: self._told(attendance, self._on_change)
        attendance.on_detached = lambda text: self._told(attendance, lambda: self._on_lost(text))
        for push in early:
            attendance.take(push)

    def _told(self, attendance: Attendance, tell: Callable[[], None]) -> None:
        if attendance is self.attendance:
            tell()

    def end(self) -> Attendance | None:
        """Be at no table any more, and return the one that it was."""
        attendance, self.attendance = self.attendance, None
        return attendance
