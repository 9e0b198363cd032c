"""The process that makes the load: it does what it is told on stdin, a line a step, and answers each with JSON.

The first line is a `Load`; then `connect`, `sit` and `play`, and `begin` and `end` around what is to be counted. It
ends with its stdin.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import ssl
import sys
import time
from collections.abc import Awaitable, Callable, Iterable
from random import Random
from typing import TypeVar

import msgspec

from looseends_client.load.coming_and_going import ComingAndGoing
from looseends_client.load.tables import LoadClient, LoadTable, Pacer, Tally
from looseends_core.rules import DEFAULT_ROUNDS
from looseends_server.fast_loop import run_in_fast_loop

AT_ONCE = 50
"""Connections that are opened, and tables that are filled, at the same time."""
DEALING_SECONDS = 100.0
"""What it may take until everybody sits with the cards dealt."""

_Item = TypeVar("_Item")


class Load(msgspec.Struct, frozen=True):
    """What is to be done. `rate` are moves a second over all tables, 0 for as many as there can be."""

    host: str
    port: int
    tables: int
    seats: int
    spectators: int = 0
    rate: float = 0.0
    tls: bool = False
    seed: int = 1
    rounds: int = DEFAULT_ROUNDS
    losses: float = 0.0
    """Connections a second that are lost in the middle of a game, and are back soon; with any, people play one game at
    a table and then the next at another."""


class Counted(msgspec.Struct, frozen=True):
    """What was counted between `begin` and `end`. Latencies are in seconds, the smallest first."""

    seconds: float
    moves: int
    bytes_received: int
    bytes_sent: int
    latencies: list[float]
    late: int
    """Moves of the given rate for which no table was ready."""
    games: int
    cpu_seconds: float
    failures: list[str]
    lost: int
    """Connections that ended though nobody wanted them to."""
    losses: int
    """Connections that were lost on purpose, and came back."""
    tables_left: int
    """Tables that everybody left after a game, for another."""


class Driver:
    """The tables, and what is done with them step by step."""

    def __init__(self, load: Load) -> None:
        self._load = load
        self._tally = Tally()
        self._pacer = Pacer(load.rate, self._tally)
        self.tables = [self._table(number) for number in range(load.tables)]
        self._moving: ComingAndGoing | None = None
        self._began = 0.0
        self._cpu = 0.0

    def _table(self, number: int) -> LoadTable:
        load = self._load
        rng = Random(f"{load.seed}/{number}")
        table = LoadTable(load.seats, self._tally, self._pacer, rng, load.rounds, one_game=load.losses > 0)
        for place in range(load.seats + load.spectators):
            seat = place if place < load.seats else None
            table.clients.append(LoadClient(f"load {number}-{place}", table, seat))
        return table

    async def connect(self) -> None:
        """Connect everybody and say hello."""
        await _some_at_once(self._connect, [client for table in self.tables for client in table.clients])

    async def _connect(self, client: LoadClient) -> None:
        loop, load = asyncio.get_running_loop(), self._load
        context = _trusting() if load.tls else None
        await loop.create_connection(lambda: client, load.host, load.port, ssl=context)
        await client.say_hello()

    async def sit(self) -> None:
        """Let everybody sit down and the games begin; every table is dealt, and nobody acts before `play`."""

        async def sit(table: LoadTable) -> None:
            for client in table.clients:
                await client.sit_down()
            await table.clients[0].start()
            await table.dealt.wait()

        async with asyncio.timeout(DEALING_SECONDS):
            await _some_at_once(sit, self.tables)

    def play(self) -> None:
        """Let everybody act, and come and go where that is wanted."""
        self._pacer.release()
        if self._load.losses:
            rng = Random(self._load.seed)
            self._moving = ComingAndGoing(self.tables, self._connect, self._load.losses, rng, self._tally.failures)

    def begin(self) -> None:
        """Count from here."""
        self._tally.begin()
        self._began = time.perf_counter()
        self._cpu = _own_cpu()

    def end(self) -> Counted:
        """Return what was counted."""
        tally = self._tally
        moving = self._moving
        return Counted(
            seconds=time.perf_counter() - self._began,
            moves=tally.moves,
            bytes_received=tally.bytes_received,
            bytes_sent=tally.bytes_sent,
            latencies=sorted(tally.latencies),
            late=tally.late,
            games=tally.games,
            cpu_seconds=_own_cpu() - self._cpu,
            failures=tally.failures[:20],
            lost=tally.lost,
            losses=moving.losses if moving else 0,
            tables_left=moving.tables_left if moving else 0,
        )


def _own_cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def _trusting() -> ssl.SSLContext:
    """Return what takes any certificate: the server is one that was started a moment ago on this machine."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


async def _some_at_once(do: Callable[[_Item], Awaitable[None]], items: Iterable[_Item]) -> None:
    left = iter(items)

    async def one_after_another() -> None:
        for item in left:
            await do(item)

    async with asyncio.TaskGroup() as group:
        for _ in range(AT_ONCE):
            group.create_task(one_after_another())


async def _obey(orders: asyncio.StreamReader) -> None:
    load = msgspec.json.decode(await orders.readline(), type=Load)
    driver = Driver(load)
    while order := (await orders.readline()).strip():
        answer: object = None
        if order == b"connect":
            await driver.connect()
        elif order == b"sit":
            await driver.sit()
        elif order == b"play":
            driver.play()
        elif order == b"begin":
            driver.begin()
        elif order == b"end":
            answer = driver.end()
        sys.stdout.buffer.write(msgspec.json.encode(answer) + b"\n")
        sys.stdout.buffer.flush()


class _Stdin(asyncio.StreamReaderProtocol):
    """Ends the process with its stdin, whatever it waits for: who started it may have been killed."""

    def connection_lost(self, exc: Exception | None) -> None:
        os._exit(0)


async def _run() -> None:
    orders = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: _Stdin(orders), sys.stdin)
    await _obey(orders)


def main() -> None:
    """Run until stdin ends."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        with contextlib.suppress(OSError, ValueError):  # macOS has a lower limit than it says
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    run_in_fast_loop(_run())


if __name__ == "__main__":
    main()
