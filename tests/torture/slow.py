"""Peers who do not read what they are sent, or a byte a second: they are dropped, the table they watch goes on.

Each has the smallest window that the system allows, so that what it does not read waits at the server and not between.
"""

from __future__ import annotations

import asyncio
import random
import socket
from collections import Counter
from collections.abc import Callable

import msgspec

from looseends_core.rules import rule_set
from looseends_protocol import limits as wire
from looseends_protocol.frames import framed
from looseends_protocol.messages import Done, Hello, Say, SeatsChanged, TableOptions, WatchTable
from looseends_server.limits import Limits
from tests.torture.line import HOST, Broken, Line, LineLost
from tests.torture.player import Player, TablePlan
from tests.torture.process import ServerProcess, serving
from tests.torture.report import Report
from tests.torture.serving import Order

LIMITS = Limits(burst_messages=10**6, chat_lines=10**6, resyncs=10_000, spectators=200)
GAME_SECONDS = 30.0
LONGEST_TALK = 30_000
"""Lines that are said before a peer who reads nothing counts as never dropped: tens of megabytes."""
PER_PEER_BYTES = LIMITS.send_queue_bytes + 128 * 1024
"""What the server may hold for one peer: its queue, and what the transport took before it said stop."""
SPARE_BYTES = 16 * 1024 * 1024
ONE_BYTE_SECONDS = 1.0


class SlowPeer:
    """A spectator who says hello and reads nothing, or a byte a second."""

    def __init__(self, name: str, *, reads: bool) -> None:
        self.name = name
        self.bytes_read = 0
        self._reads = reads
        self._socket = socket.socket()
        self._reader: asyncio.Task[None] | None = None

    async def watch(self, port: int, code: str) -> None:
        """Connect and ask to watch, without waiting for an answer."""
        loop = asyncio.get_running_loop()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)  # the system rounds it up to its least
        self._socket.setblocking(False)
        await loop.sock_connect(self._socket, (HOST, port))
        hello = Hello(1, wire.PROTOCOL_MAJOR, name=self.name)
        await loop.sock_sendall(self._socket, framed(hello))
        await loop.sock_recv(self._socket, 1)  # the welcome has begun
        await loop.sock_sendall(self._socket, framed(WatchTable(2, code)))
        if self._reads:
            self._reader = asyncio.create_task(self._read_slowly())

    async def _read_slowly(self) -> None:
        loop = asyncio.get_running_loop()
        never = loop.create_future()
        while True:
            await asyncio.wait({never}, timeout=ONE_BYTE_SECONDS)  # this is how slowly it reads
            try:
                self.bytes_read += len(await loop.sock_recv(self._socket, 1))
            except OSError:
                return

    async def close(self) -> None:
        if self._reader is not None:
            self._reader.cancel()
            await asyncio.gather(self._reader, return_exceptions=True)
        self._socket.close()


class Table:
    """A table where one person plays against a bot and sees who watches."""

    def __init__(self, seed: int) -> None:
        self.plan = TablePlan("slow", rule_set(2), TableOptions("slow", bots=0), persons=1)
        self.player = Player(self.plan, 0, random.Random(seed), 0.0, lambda: True)
        self.watching: set[str] = set()
        self.came: set[str] = set()
        self._news = asyncio.Event()

    def heard(self, message: msgspec.Struct) -> None:
        """Take note of who watches, and of every event."""
        if isinstance(message, SeatsChanged):
            self.watching = set(message.watching)
            self.came |= self.watching
        self._news.set()

    @property
    def events(self) -> tuple[int, int]:
        """How far the games at the table have come."""
        return self.player.witness.game, len(self.player.witness.events)

    async def becomes(self, fact: Callable[[], bool]) -> None:
        """Return when the fact holds. Raises Broken where it does not come to that."""
        try:
            async with asyncio.timeout(GAME_SECONDS):
                while not fact():
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            raise Broken(f"the table of a slow reader does not go on: {self.events}, {sorted(self.came)}") from None


async def run(peers: int, seed: int) -> Counter[str]:
    """Let so many peers not read, and as many read a byte a second. Raises Broken."""
    async with serving(Order(limits=LIMITS)) as server:
        table = Table(seed)
        line = await Line.open(server.port or 0)
        playing = asyncio.create_task(_play(table, line))
        talker = await Line.open(server.port or 0)
        await talker.hello("talker")
        await table.plan.made.wait()
        await talker.ask(WatchTable(0, table.plan.code))
        slow = [SlowPeer(f"reader {number}", reads=number % 2 == 1) for number in range(2 * peers)]
        try:
            counts = await _outlast(server, table, talker, slow)
        finally:
            for peer in slow:
                await peer.close()
            line.abort()
            await asyncio.gather(playing, return_exceptions=True)
        if table.player.fault is not None:
            raise table.player.fault
        return counts


async def _play(table: Table, line: Line) -> None:
    await table.player.live(line, 0.0, also=table.heard)


async def _outlast(server: ServerProcess, table: Table, talker: Line, slow: list[SlowPeer]) -> Counter[str]:
    counts: Counter[str] = Counter()
    before = server.resident_bytes()
    for peer in slow:
        await peer.watch(server.port or 0, table.plan.code)
    names = {peer.name for peer in slow}
    most = before
    said = 0
    await table.becomes(lambda: names <= table.came)
    while names & table.watching:
        if said >= LONGEST_TALK:
            raise Broken(f"{len(names & table.watching)} peers who do not read are still there after {said} lines")
        try:
            await talker.expect(Say(0, "漢" * 300), Done)
        except LineLost:
            raise Broken("a peer who reads was dropped with those who do not") from None
        said += 1
        if said % 100 == 0:
            most = max(most, server.resident_bytes())
    before_that = table.events
    await table.becomes(lambda: table.events > before_that)
    bound = before + len(slow) * PER_PEER_BYTES + SPARE_BYTES
    if most > bound:
        raise Broken(f"{len(slow)} slow readers made the server grow from {before:,} to {most:,} bytes")
    counts["peers that read nothing, dropped"] = sum(not peer.bytes_read for peer in slow)
    counts["peers that read a byte a second, dropped"] = sum(peer.bytes_read > 0 for peer in slow)
    counts["lines said until the last was dropped"] = said
    counts["MiB resident before"] = before >> 20
    counts["MiB resident at the most"] = most >> 20
    counts["MiB resident allowed"] = bound >> 20
    counts["games at their table meanwhile"] = table.events[0]
    return counts


def main(peers: int = 20, seed: int = 1) -> int:
    """Run this part, print its counts, and return 0 where every promise was kept."""
    return Report("slow readers").of(run(peers, seed))


if __name__ == "__main__":
    raise SystemExit(main())
