"""`looseends bench bots`: a house in which many bots think at once, and how late its event loop is meanwhile.

House, store, workers and clients are the real ones; only the sockets between clients and house are missing.
"""

from __future__ import annotations

import asyncio
import json
import random
import resource
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
from cyclopts import Parameter

from looseends_client.commands import CommandFailed
from looseends_client.commands.printing import print_line
from looseends_core.bots import LEVELS

if TYPE_CHECKING:
    from collections.abc import Callable

    from looseends_client.attendance import Attendance
    from looseends_client.game_client import GameClient
    from looseends_server.house import House

TICK_SECONDS = 0.005
"""How often the loop is asked how late it is."""
IDLE_SECONDS = 1.0
"""How long that is measured before there is any table: what the rest of the machine costs."""
WARMING_UP_SECONDS = 1.0
SEARCHING = tuple(name for name, level in LEVELS.items() if level.searches)


class Measured(msgspec.Struct, frozen=True):
    """What was measured. Lags and CPU a thought in milliseconds, the rest in the unit of its name."""

    bots: int
    players: int
    levels: tuple[str, ...]
    seconds: float
    workers: int
    loop: str
    idle_p99_ms: float
    """The lag before there was any table."""
    lag_p50_ms: float
    lag_p99_ms: float
    lag_max_ms: float
    thoughts: int
    thoughts_per_second: float
    cpu_ms_per_thought: float
    moves_per_second: float
    house_cpu_share: float
    """Of one core, the clients of the benchmark included."""
    outcomes: dict[str, int]


def bots(
    *,
    bots: int = 20,
    level: str = ",".join(SEARCHING),
    players: int = 4,
    seconds: float = 20.0,
    workers: int = 0,
    seed: int = 1,
    json: Annotated[bool, Parameter(negative=(), show_default=False)] = False,
) -> int:
    """Measure how late the server's event loop is while bots think in its worker processes.

    At each table one person, who acts at once, plays against bots without a pace, so that at every table a bot thinks
    all the time.

    Parameters
    ----------
    bots
        How many bots think at the same time: one at each of so many tables, 1 to 500.
    level
        The levels of the bots, with commas; tables take them in turn.
    players
        Seats at each table, 2 to 5.
    seconds
        How long to measure, 1 to 3600.
    workers
        Worker processes; 0 for one less than the machine has cores, but one at least.
    seed
        What all random numbers follow from.
    json
        Print one JSON object instead of lines.
    """
    levels = tuple(part.strip() for part in level.split(",") if part.strip())
    unknown = [name for name in levels if name not in LEVELS]
    if unknown or not levels:
        raise CommandFailed(f"--level must name levels, {', '.join(LEVELS)}, with commas, not {level!r}.")
    for option, value, least, most in (
        ("--bots", bots, 1, 500),
        ("--players", players, 2, 5),
        ("--seconds", seconds, 1, 3600),
        ("--workers", workers, 0, 256),
    ):
        if not least <= value <= most:
            raise CommandFailed(f"{option} must be from {least} to {most}, not {value}.")
    from looseends_server.fast_loop import run_in_fast_loop

    measured = run_in_fast_loop(_measured(bots, levels, players, seconds, workers, seed))
    show(measured, as_json=json)
    return 0


def show(measured: Measured, *, as_json: bool) -> None:
    """Print what was measured."""
    if as_json:
        print_line(json.dumps(msgspec.to_builtins(measured)))
        return
    outcomes = ", ".join(f"{count} {outcome.replace('_', ' ')}" for outcome, count in measured.outcomes.items())
    for line in (
        f"{measured.bots} tables of {measured.players} with {', '.join(measured.levels)}, {measured.seconds:g} s, "
        f"{measured.workers} worker process{'' if measured.workers == 1 else 'es'}, {measured.loop}",
        f"loop lag     p50 {measured.lag_p50_ms:.2f} ms   p99 {measured.lag_p99_ms:.2f} ms   "
        f"most {measured.lag_max_ms:.2f} ms   (p99 without tables {measured.idle_p99_ms:.2f} ms)",
        f"thoughts     {measured.thoughts_per_second:.1f} a second, {measured.cpu_ms_per_thought:.1f} ms of CPU each "
        f"({outcomes})",
        f"moves        {measured.moves_per_second:.1f} a second",
        f"house        {100 * measured.house_cpu_share:.0f} % of one core, the persons included",
    ):
        print_line(line)


async def _measured(
    bots: int, levels: tuple[str, ...], players: int, seconds: float, workers: int, seed: int
) -> Measured:
    from looseends_server.house import House
    from looseends_server.limits import Limits, Pace, ServerSettings
    from looseends_server.logs import log_to

    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="looseends-bench-")))
        log_to(stack.enter_context((folder / "log.jsonl").open("w", encoding="utf-8")), "warning", as_json=True)
        limits = Limits(burst_messages=1_000_000, messages_per_second=1_000_000, workers=workers)
        entropy = random.Random(seed).randbytes
        settings = ServerSettings("bench", limits=limits, pace=Pace(ready_seconds=None))
        house = await House.open(folder, settings, entropy=entropy)
        stack.push_async_callback(house.close)
        idle = await _lags(IDLE_SECONDS)
        for number in range(bots):
            person = Person(house, f"person {number}", random.Random(f"{seed}/{number}"))
            stack.push_async_callback(person.close)
            await person.sit_down(players, levels[number % len(levels)])
        # Until the workers are there, which nobody tells of.
        await _lags(WARMING_UP_SECONDS)
        return await _watch(house, bots, levels, players, seconds, idle)


async def _lags(seconds: float) -> list[float]:
    """Return by how many seconds the loop was late, asked every tick for so long, the smallest first."""
    loop = asyncio.get_running_loop()
    lags: list[float] = []
    end = time.perf_counter() + seconds
    # The clock of uvloop goes on in whole milliseconds, so lateness is measured by another.
    while (began := time.perf_counter()) < end:
        woken: asyncio.Future[None] = loop.create_future()
        loop.call_later(TICK_SECONDS, woken.set_result, None)
        await woken
        lags.append(max(0.0, time.perf_counter() - began - TICK_SECONDS))
    return sorted(lags)


async def _watch(
    house: House, bots: int, levels: tuple[str, ...], players: int, seconds: float, idle: list[float]
) -> Measured:
    """Measure a house that plays by itself."""
    counts = house.counts
    thoughts, thinking, moves = counts.thoughts.copy(), counts.thinking_seconds, counts.moves
    cpu, began = _own_cpu(), time.perf_counter()
    lags = await _lags(seconds)
    lasted = time.perf_counter() - began
    outcomes = counts.thoughts - thoughts
    answered = sum(count for outcome, count in outcomes.items() if outcome != "lost")
    return Measured(
        bots=bots,
        players=players,
        levels=levels,
        seconds=round(lasted, 1),
        workers=house.minds.workers,
        loop=type(asyncio.get_running_loop()).__module__.partition(".")[0],
        idle_p99_ms=1000 * idle[len(idle) * 99 // 100],
        lag_p50_ms=1000 * lags[len(lags) // 2],
        lag_p99_ms=1000 * lags[len(lags) * 99 // 100],
        lag_max_ms=1000 * lags[-1],
        thoughts=answered,
        thoughts_per_second=answered / lasted,
        cpu_ms_per_thought=1000 * (counts.thinking_seconds - thinking) / max(1, answered),
        moves_per_second=(counts.moves - moves) / lasted,
        house_cpu_share=(_own_cpu() - cpu) / lasted,
        outcomes=dict(outcomes),
    )


def _own_cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


class Person:
    """Somebody at a table who acts at once, so that the bots are never waited for."""

    def __init__(self, house: House, name: str, rng: random.Random) -> None:
        self._house = house
        self._name = name
        self._rng = rng
        self._client: GameClient | None = None
        self._at: Attendance | None = None
        self._changed = asyncio.Event()
        self._playing: asyncio.Task[None] | None = None

    async def sit_down(self, players: int, level: str) -> None:
        """Make a table, give the other seats to bots of a level, and begin to play."""
        from looseends_client.attendance import Attendance
        from looseends_client.game_client import NO_ID, GameClient
        from looseends_core.rules import rule_set
        from looseends_protocol.messages import Attending, CreateTable, TableOptions
        from looseends_server.memory_transport import connect_in_memory

        async def connector(make: Callable[[], asyncio.Protocol]) -> asyncio.Transport:
            return connect_in_memory(self._house.connection(), make())

        client = self._client = GameClient(connector, name=self._name)
        client.on_push = self._pushed
        await client.connect()
        made = CreateTable(NO_ID, rule_set(players), TableOptions(title="bench", bots=0))
        attending = await client.request(made, Attending)
        at = self._at = Attendance(client, attending, self._rng.randbytes)
        at.on_change = self._changed.set
        for seat in range(1, players):
            await at.seat_bot(seat, level)
        await at.start()
        self._playing = asyncio.get_running_loop().create_task(self._play(at))

    def _pushed(self, pushed: msgspec.Struct) -> None:
        if self._at is not None:
            self._at.take(pushed)

    async def _play(self, at: Attendance) -> None:
        """Act when due, and want the next round and the next game."""
        ready_for = (0, 0)
        choose = LEVELS["rookie"].choose
        while True:
            model = at.model
            if model.my_turn:
                await at.act(choose(model.state, self._rng))
            elif model.phase in ("between", "over") and ready_for != (model.game, model.state.round):
                ready_for = (model.game, model.state.round)
                await at.be_ready()
            else:
                self._changed.clear()
                await self._changed.wait()

    async def close(self) -> None:
        """Stop and go. Raises what went wrong while playing."""
        if self._playing is not None and not self._playing.done():
            self._playing.cancel()
            await asyncio.wait([self._playing])
        if self._client is not None:
            await self._client.close()
        if self._playing is not None and not self._playing.cancelled():
            self._playing.result()
