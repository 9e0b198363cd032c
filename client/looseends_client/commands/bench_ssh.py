"""`looseends bench ssh`: a real door with many people at tables, and what a key of theirs costs and takes.

The door is in the process of a real server, as `serve --ssh` has it; who comes in is a client of asyncssh in this
process. What is enough is in the documents.
"""

from __future__ import annotations

import asyncio
import contextlib
import json as json_text
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import asyncssh
import msgspec
from cyclopts import Parameter

from looseends_client.commands import CommandFailed
from looseends_client.commands.printing import print_line

if TYPE_CHECKING:
    from looseends_client.commands.bench_door import DoorMark

ANSWER_SECONDS = 60.0
"""After so long something that does not come is given up."""
ROUND_SECONDS = 4.0
"""Until three bots have acted and it is one's own turn again, at their usual pace."""
AT_ONCE = 4
"""How many people come in at the same time."""
FAILED = 1
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
_Flag = Parameter(negative=(), show_default=False)


class MeasuredDoor(msgspec.Struct, frozen=True):
    """What was measured. Bytes are those of the terminal, in true colour, without what SSH puts around them."""

    sessions: int
    seconds: float
    open_ms: float
    """From connecting to the lobby, with the key exchange, one after the other; median."""
    empty_rss_mb: float
    """Of the server with its door, after one person has come and gone."""
    session_mb: float
    """Memory for each person at a table of their own with three bots, that table included."""
    keys: int
    """How many keys were pressed, each session one a second."""
    key_ms: dict[str, float]
    """From a key to the first byte that it leads to: p50, p99 and the most."""
    cpu_share: float
    """Of one core, of the server's process while the keys were pressed."""
    first_screen_bytes: float
    move_bytes: float
    """The choice moves to another card; median."""
    card_bytes: float
    """A card is laid by oneself; median."""
    tick_bytes: float
    """A tick of the clock; median."""
    apps_left: int
    """Apps in memory after everybody has left, half of them without a word."""
    machine_load: float
    """The machine's load average of the last minute, at the end."""


def ssh(*, sessions: int = 100, seconds: float = 20.0, seed: int = 1, json: Annotated[bool, _Flag] = False) -> int:
    """Measure a door with many people at tables: memory, bytes, and how soon a key is answered.

    Parameters
    ----------
    sessions
        How many people, each at a table of their own with three bots: 1 to 500.
    seconds
        For how long each of them presses a key a second: 1 to 50, because a turn is 60 seconds.
    seed
        What the moments of the keys follow from.
    json
        Print one JSON object instead of lines.
    """
    if not 1 <= sessions <= 500:
        raise CommandFailed(f"--sessions must be from 1 to 500, not {sessions}.")
    if not 1 <= seconds <= 50:
        raise CommandFailed(f"--seconds must be from 1 to 50, not {seconds:g}.")
    with tempfile.TemporaryDirectory(prefix="looseends-bench-") as folder:
        measured = asyncio.run(_measure(Path(folder), sessions, seconds, random.Random(seed)))
    if json:
        print_line(json_text.dumps(msgspec.structs.asdict(measured)))
    else:
        _show(measured)
    return 0


def _show(found: MeasuredDoor) -> None:
    keys = ", ".join(f"{name} {value:.1f}" for name, value in found.key_ms.items())
    for line in (
        f"{found.sessions} people at tables in one process, load average {found.machine_load:.1f}",
        f"to come in: {found.open_ms:.0f} ms",
        f"memory: {found.empty_rss_mb:.0f} MB empty, {found.session_mb:.2f} MB a person",
        f"{found.keys} keys, each answered after: {keys} ms; {100 * found.cpu_share:.0f} % of a core",
        f"bytes: first screen {found.first_screen_bytes:.0f}, choice moved {found.move_bytes:.0f}, "
        f"card laid {found.card_bytes:.0f}, tick {found.tick_bytes:.0f}",
        f"apps left in memory after everybody has gone: {found.apps_left}",
    ):
        print_line(line)


class Visitor(asyncssh.SSHClientSession[bytes]):
    """Somebody at a terminal, who notes what comes and when."""

    def __init__(self) -> None:
        self.received = 0
        self.latencies: list[float] = []
        self.channel: asyncssh.SSHClientChannel[bytes] | None = None
        self.over = asyncio.Event()
        self._pressed_at = 0.0
        self._text = ""
        self._news = asyncio.Event()

    def connection_made(self, chan: asyncssh.SSHClientChannel[bytes]) -> None:
        """Take the channel."""
        self.channel = chan

    def data_received(self, data: bytes, datatype: Any) -> None:
        """Note what came."""
        if self._pressed_at:
            self.latencies.append(time.perf_counter() - self._pressed_at)
            self._pressed_at = 0.0
        self.received += len(data)
        self._text = (self._text + data.decode("utf-8", "replace"))[-20_000:]
        self._news.set()

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that it is over."""
        self.over.set()
        self._news.set()

    def press(self, keys: str) -> None:
        """Press keys, and measure how long it takes until something is drawn."""
        assert self.channel is not None
        self._text = ""
        self._pressed_at = time.perf_counter()
        self.channel.write(keys.encode())

    async def until(self, words: str) -> None:
        """Wait until words are drawn. Raises CommandFailed where they never are."""
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                while words not in _ESCAPES.sub("", self._text):
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            raise CommandFailed(f"A screen with {words!r} never came.", FAILED) from None

    async def costs(self, keys: str, seconds: float) -> int:
        """Press keys and return how many bytes are drawn within a time."""
        before = self.received
        if keys:
            self.press(keys)
        await asyncio.sleep(seconds)
        return self.received - before


class Person:
    """One connection and its session."""

    def __init__(self, port: int, number: int) -> None:
        self._port = port
        self._name = f"p{number}"
        self.connection: asyncssh.SSHClientConnection | None = None
        self.visitor = Visitor()
        self.open_seconds = 0.0

    async def come_in(self) -> None:
        """Come to the lobby."""
        began = time.perf_counter()
        self.connection = await asyncssh.connect(
            "127.0.0.1",
            self._port,
            username=self._name,
            client_keys=[asyncssh.generate_private_key("ssh-ed25519")],
            known_hosts=None,
            config=None,
            agent_path=None,
        )
        await self.connection.create_session(
            lambda: self.visitor, term_type="xterm-direct", term_size=(80, 24), encoding=None
        )
        await self.visitor.until("you are")
        self.open_seconds = time.perf_counter() - began

    async def sit_down(self) -> None:
        """Open a table, fill it with bots, and wait for the own turn."""
        for key, words in (("n", "How many sit"), ("\r", "Invite code"), ("f", "to start"), ("\r", "round 1")):
            self.visitor.press(key)
            await self.visitor.until(words)
        await self.visitor.until("Enter bid")

    async def leave(self, *, with_a_word: bool) -> None:
        """Leave by the key, or let the line drop."""
        assert self.connection is not None
        if with_a_word:
            assert self.visitor.channel is not None
            self.visitor.channel.write_eof()
            await asyncio.wait_for(self.visitor.over.wait(), ANSWER_SECONDS)
        self.connection.abort()
        with contextlib.suppress(Exception):
            await self.connection.wait_closed()


class DoorProcess:
    """The server's process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def line(self) -> str:
        """Return its next line. Raises CommandFailed where it ends instead."""
        assert self._process.stdout is not None
        line = await asyncio.wait_for(self._process.stdout.readline(), ANSWER_SECONDS)
        if not line:
            raise CommandFailed("The server of the benchmark ended.", FAILED)
        return line.decode()

    async def mark(self) -> DoorMark:
        """Ask what it used."""
        from looseends_client.commands.bench_door import DoorMark

        assert self._process.stdin is not None
        self._process.stdin.write(b"\n")
        return msgspec.json.decode(await self.line(), type=DoorMark)


@contextlib.asynccontextmanager
async def _door(folder: Path, sessions: int) -> AsyncIterator[tuple[DoorProcess, int]]:
    words = [sys.executable, "-m", "looseends_client.commands.bench_door", str(folder), "--sessions", str(sessions)]
    process = await asyncio.create_subprocess_exec(
        *words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
    )
    try:
        door = DoorProcess(process)
        found = None
        while found is None:
            found = re.match(r"SSH on 127\.0\.0\.1:(\d+),", await door.line())
        yield door, int(found[1])
    finally:
        assert process.stdin is not None
        process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), 10)
        except TimeoutError:
            process.kill()
            await process.wait()


async def _measure(folder: Path, sessions: int, seconds: float, rng: random.Random) -> MeasuredDoor:
    async with _door(folder, sessions) as (door, port):
        first = Person(port, 0)
        await first.come_in()
        first_screen = first.visitor.received
        await first.sit_down()
        ticks, moves, cards = await _bytes_of(first.visitor)
        await first.leave(with_a_word=True)
        await _until_inside(door, 0)
        empty = await door.mark()
        people = [Person(port, number) for number in range(1, sessions + 1)]
        await _come_in(people)
        seated = await door.mark()
        for person in people:
            person.visitor.latencies.clear()
        cpu_before = seated.cpu_seconds
        began = time.perf_counter()
        await asyncio.gather(*(_press(person.visitor, seconds, rng.random()) for person in people))
        lasted = time.perf_counter() - began
        after = await door.mark()
        latencies = sorted(latency for person in people for latency in person.visitor.latencies)
        for number, person in enumerate(people):
            await person.leave(with_a_word=number % 2 == 0)
        left = await _until_inside(door, 0)
        return MeasuredDoor(
            sessions=sessions,
            seconds=round(lasted, 1),
            open_ms=1000 * statistics.median(person.open_seconds for person in people),
            empty_rss_mb=empty.rss_bytes / 1e6,
            session_mb=(seated.rss_bytes - empty.rss_bytes) / sessions / 1e6,
            keys=len(latencies),
            key_ms={
                "p50": 1000 * latencies[len(latencies) // 2],
                "p99": 1000 * latencies[int(len(latencies) * 0.99)],
                "most": 1000 * latencies[-1],
            },
            cpu_share=(after.cpu_seconds - cpu_before) / lasted,
            first_screen_bytes=first_screen,
            move_bytes=statistics.median(moves),
            card_bytes=statistics.median(cards),
            tick_bytes=statistics.median(ticks),
            apps_left=left.apps,
            machine_load=os.getloadavg()[0],
        )


async def _bytes_of(visitor: Visitor) -> tuple[list[int], list[int], list[int]]:
    """Return what ticks, moves of the choice and own cards cost, each as a list of bytes."""
    await asyncio.sleep(1)
    ticks = [cost for _ in range(30) if (cost := await visitor.costs("", 0.1))]
    moves = [await visitor.costs("\x1b[C", 0.15) for _ in range(10)]
    cards: list[int] = []
    for _ in range(3):
        cards.append(await visitor.costs("\r", 0.25))
        await asyncio.sleep(ROUND_SECONDS)
    return ticks, moves, cards


async def _come_in(people: list[Person]) -> None:
    """Let everybody come in and sit down, a few at a time."""
    waiting = iter(people)

    async def one_after_the_other() -> None:
        for person in waiting:
            await person.come_in()
            await person.sit_down()

    await asyncio.gather(*(one_after_the_other() for _ in range(AT_ONCE)))


async def _press(visitor: Visitor, seconds: float, offset: float) -> None:
    """Press a key a second, the choice to the right and back, beginning anywhere in the first second."""
    loop = asyncio.get_running_loop()
    began = loop.time() + offset
    for number in range(int(seconds)):
        await asyncio.sleep(max(0.0, began + number - loop.time()))
        visitor.press("\x1b[D" if number % 2 else "\x1b[C")


async def _until_inside(door: DoorProcess, count: int) -> DoorMark:
    """Wait until so many are inside, and no app of anybody else is left, as far as it ever comes to that."""
    mark = await door.mark()
    for _ in range(200):
        if mark.inside == mark.apps == count:
            break
        await asyncio.sleep(0.05)
        mark = await door.mark()
    return mark
