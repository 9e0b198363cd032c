"""The loss of power without a disk: a server in this process, on a store that holds its last commits back.

What the store says is durable is judged by the same people as everywhere; only the cut is different.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import structlog.testing

from looseends_server.clock import LoopClock, Timer
from looseends_server.house import House
from looseends_server.limits import ServerSettings
from looseends_server.memory_transport import connect_in_memory
from looseends_server.store.base import Change, OnDone
from tests.server.faulty_store import FaultyStore
from tests.torture.kills import LIMITS, PACE, Server, World
from tests.torture.line import Broken, Line
from tests.torture.serving import STALLED_SECONDS, Kill


class CutClock(LoopClock):
    """A clock whose timers do nothing any more once the power is cut."""

    def __init__(self) -> None:
        super().__init__()
        self.has_power = True

    def call_later(self, seconds: float, callback: Callable[[], None]) -> Timer:
        return super().call_later(seconds, lambda: callback() if self.has_power else None)


class CutStore(FaultyStore):
    """Holds back what is written from the `after`th change on, 0 for never; `tells_early` makes it a liar."""

    after = 0
    tells_early = False
    on_held: Callable[[], None] = staticmethod(lambda: None)

    def write(self, change: Change, on_done: OnDone) -> None:
        self.after -= 1
        if self.after == 0:
            self.hold()
            self.on_held()
        if self.tells_early:
            asyncio.get_running_loop().call_soon(on_done, None)
            super().write(change, lambda _failure: None)
        else:
            super().write(change, on_done)


class HeldServer:
    """A house in this process, until its power is cut."""

    def __init__(self, house: House, clock: CutClock, store: CutStore, cut: Callable[[FaultyStore], None]) -> None:
        self._house = house
        self._clock = clock
        self._store = store
        self._on_cut = cut
        self._lines: list[Line] = []
        self._ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def open_line(self) -> Line:
        if self._ended.done():
            raise ConnectionRefusedError
        line = Line()
        connect_in_memory(self._house.connection(), line)
        self._lines.append(line)
        return line

    def cut(self) -> None:
        """Cut the power."""
        if not self._ended.done():
            self._clock.has_power = False
            self._on_cut(self._store.lose_unsynced())
            self._ended.set_result(-9)
            self._house.passwords.close()
            for line in self._lines:
                line.abort()

    async def ended(self) -> int:
        return await asyncio.shield(self._ended)

    async def stop(self) -> None:
        self._ended.set_result(0)
        await self._house.close()

    async def gone(self) -> None:
        self.cut()


class HeldWorld(World):
    """A world whose server loses its power instead of being killed."""

    def __init__(self, players: int, seed: int, *, tells_early: bool = False) -> None:
        super().__init__(players, seed, Path())
        self._tells_early = tells_early
        self._kept = FaultyStore()

    async def start(self, kill: Kill | None) -> Server:
        store, clock = CutStore(self._kept.kept), CutClock()
        store.tells_early = self._tells_early
        house = await House.open(None, ServerSettings(limits=LIMITS, pace=PACE), clock=clock, store=store)
        server = HeldServer(house, clock, store, self._keep)
        if kill is not None:
            store.after = kill.after

            def cut_soon() -> None:
                clock.call_later(STALLED_SECONDS, server.cut)

            store.on_held = cut_soon
        return server

    def _keep(self, store: FaultyStore) -> None:
        self._kept = store

    async def live(self, kill: Kill | None) -> None:
        with structlog.testing.capture_logs() as lines:
            await super().live(kill)
        for line in lines:
            if line["log_level"] in ("error", "critical"):
                raise Broken(f"the server's log says: {line}")

    def look_at_what_is_left(self, kill: Kill | None) -> None:
        """There is no disk to look at."""
