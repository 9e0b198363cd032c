"""Frames of every right and wrong kind, a million of them, against a real server: each is answered, nothing grows.

Every frame whose length holds has to be answered exactly once, so frames are counted by their answers and not by what
was written. Most go to a server whose patience is long, so that they are read and not dropped; the rest to one with
the limits as they come.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections import Counter

import msgspec

from looseends_core.rules import rule_set
from looseends_protocol.frames import FrameSplitter
from looseends_protocol.limits import FROM_SERVER
from looseends_protocol.messages import Attending, CreateTable, Ping, Pong, SeatBot, TableOptions
from looseends_server.limits import Limits
from tests.torture.frames import KINDS, FrameMaker, with_length
from tests.torture.line import HOST, Broken, Line
from tests.torture.process import ServerProcess, serving
from tests.torture.report import Report
from tests.torture.serving import Order

PATIENT = Limits(burst_messages=10**6, messages_per_second=10**6, strikes=20_000, chat_lines=1000, resyncs=10_000)
FRAMES_A_CONNECTION = 10_000
"""After so many a connection is given up for a new one: half of the strikes that it has."""
BATCH = 100
"""Frames that are written at once; the answers of one batch fit what the server holds for a peer that reads."""
CONNECTIONS = 8
ANSWER_SECONDS = 20.0
GROWTH_BYTES = 16 * 1024 * 1024
"""What the server may hold more at any time after the first tenth of the frames than it held then."""
MEASUREMENTS = 20


class FuzzLine(asyncio.Protocol):
    """A connection that counts answers and follows where the game at its table stands."""

    def __init__(self, maker: FrameMaker) -> None:
        self.maker = maker
        self.answers = 0
        self.faults = 0
        self.refused: Counter[str] = Counter()
        self.lost = False
        self.table_closed = False
        self.events = 0
        self._splitter = FrameSplitter(FROM_SERVER)
        self._news = asyncio.Event()
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        for payload in self._splitter.feed(data):
            self._take(msgspec.msgpack.decode(payload))
        self._news.set()

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost = True
        self._news.set()

    def _take(self, message: dict[str, object]) -> None:
        tag = message["t"]
        legal = message.get("l")
        if isinstance(legal, list):
            self.maker.legal = legal[0]
        if "re" in message or tag == "refused":
            self.answers += 1
        if tag == "refused":
            self.refused[str(message["er"])] += 1
        elif tag == "ev" and isinstance(events := message["e"], list):
            self.events += len(events)
            self.maker.number += len(events)
            self.maker.round += sum(event[0] == "dealt" for event in events)
        elif tag == "detached":
            self.table_closed = True
        elif tag == "began":
            self.maker.game, self.maker.number, self.maker.round = int(str(message["g"])), 0, 0
        elif tag == "attending" and isinstance(events := message.get("e", []), list):
            self.maker.game, start = int(str(message["g"])), int(str(message.get("fn", 0)))
            self.maker.number = start + len(events)

    async def send(self, payloads: list[bytes]) -> None:
        """Send frames and wait until each is answered, or the connection is lost. Raises Broken."""
        assert self._transport is not None
        due = self.answers + len(payloads)
        self._transport.write(b"".join(map(with_length, payloads)))
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                while self.answers < due and not self.lost:
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            missing = due - self.answers
            raise Broken(f"{missing} of {len(payloads)} frames were not answered: {payloads[:5]}") from None
        if self.answers > due:
            raise Broken(f"{self.answers - due} frames of {len(payloads)} were answered twice")

    def write(self, content: bytes) -> None:
        assert self._transport is not None
        self._transport.write(content)

    async def end_of_stream(self) -> None:
        """Return when the server has ended the connection."""
        while not self.lost:
            self._news.clear()
            await self._news.wait()

    def close(self) -> None:
        assert self._transport is not None
        self._transport.abort()


class Fuzzer:
    """Many connections to one server, and what came of them."""

    def __init__(self, server: ServerProcess, frames: int, seed: int) -> None:
        self.counts: Counter[str] = Counter()
        self.answered = 0
        self.resident: list[int] = []
        self._server = server
        self._frames = frames
        self._seed = seed
        self._tokens: dict[int, bytes] = {}
        self._places: dict[int, str] = {}

    async def flood(self) -> None:
        """Send all frames over several connections, two of which never say hello. Raises Broken."""
        await asyncio.gather(*(self._flood_over(number) for number in range(CONNECTIONS)))

    async def _flood_over(self, number: int) -> None:
        rng = random.Random(f"{self._seed} {number}")
        logs_in = number >= 2
        while self.answered < self._frames:
            line = await self._connected(number, rng) if logs_in else await fuzz_line(self._server, FrameMaker(rng))
            while self._goes_on(line):
                kinds = rng.choices(KINDS, (4, 4, 4, 1, 1), k=BATCH)
                before = line.answers
                await line.send([line.maker.payload(kind) for kind in kinds])
                self._count(kinds[: line.answers - before], "after" if logs_in else "before")
            if line.refused["server/fault"]:
                raise Broken(f"{line.refused['server/fault']} requests met a fault of the server")
            self.counts["connections"] += 1
            self.counts["events of games that went on meanwhile"] += line.events
            if line.table_closed:
                self.counts["tables closed after everybody had left"] += 1
                del self._places[number]
            line.close()

    def _goes_on(self, line: FuzzLine) -> bool:
        worn_out = line.lost or line.table_closed or line.answers >= FRAMES_A_CONNECTION
        return not worn_out and self.answered < self._frames

    def _count(self, kinds: list[str], when: str) -> None:
        self.answered += len(kinds)
        self.counts["frames answered"] += len(kinds)
        self.counts[f"frames {when} login"] += len(kinds)
        self.counts.update(f"frames: {kind.replace('_', ' ')}" for kind in kinds)
        if self.answered >= self._frames * (len(self.resident) + 1) / MEASUREMENTS:
            self.resident.append(self._server.resident_bytes())

    async def _connected(self, number: int, rng: random.Random) -> FuzzLine:
        """Return a connection of a person who sits at a table with a bot."""
        if number not in self._places:
            line = await Line.open(self._server.port or 0)
            welcome = await line.hello(f"fuzz {number}", self._tokens.get(number, b""))
            self._tokens.setdefault(number, welcome.token)
            table = await line.expect(CreateTable(0, rule_set(2), TableOptions(bots=0)), Attending)
            await line.ask(SeatBot(0, 1, "rookie"))
            self._places[number] = table.code
            line.abort()
        fuzz = await fuzz_line(self._server, FrameMaker(rng, self._places[number]))
        hello = {"t": "hello", "id": 1, "v": 1, "tk": self._tokens[number]}
        join = {"t": "join", "id": 2, "c": self._places[number]}
        for request in (hello, join, {"t": "start", "id": 3}):
            await fuzz.send([msgspec.msgpack.encode(request)])
        return fuzz

    def check_memory(self) -> None:
        """Raise Broken where the server grew by more than the bound after the first tenth."""
        settled = self.resident[MEASUREMENTS // 10 - 1 :]
        if max(settled) - settled[0] > GROWTH_BYTES:
            raise Broken(f"the server grew from {settled[0]:,} to {max(settled):,} bytes: {settled}")
        self.counts["MiB resident after a tenth of the frames"] = settled[0] >> 20
        self.counts["MiB resident at the most after that"] = max(settled) >> 20
        self.counts["KiB resident more at the end than after a tenth"] = (settled[-1] - settled[0]) >> 10


async def fuzz_line(server: ServerProcess, maker: FrameMaker) -> FuzzLine:
    """Return a fresh connection."""
    line = FuzzLine(maker)
    await asyncio.get_running_loop().create_connection(lambda: line, HOST, server.port or 0)
    return line


async def break_streams(server: ServerProcess, streams: int, seed: int) -> Counter[str]:
    """Send streams whose lengths do not hold, each over a connection of its own. Raises Broken."""
    rng = random.Random(seed)
    counts: Counter[str] = Counter()
    for _ in range(streams):
        line = await fuzz_line(server, FrameMaker(rng))
        line.write(line.maker.broken_stream())
        if rng.random() < 0.5:
            line.close()  # in the middle of a frame
        else:
            # Whoever announced more than it may is told and dropped; the others owe bytes, and are ended by us.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(0.05):
                    await line.end_of_stream()
            counts["broken streams that the server ended"] += line.lost
            line.close()
        counts["broken streams"] += 1
        if line.refused["server/fault"]:
            raise Broken("a broken stream met a fault of the server")
    return counts


async def lose_patience(server: ServerProcess, peers: int, seed: int) -> Counter[str]:
    """Send nothing but bad frames to a server with the limits as they come: each peer has to be dropped."""
    rng = random.Random(seed)
    counts: Counter[str] = Counter()
    for _ in range(peers):
        line = await fuzz_line(server, FrameMaker(rng))
        await line.send([line.maker.payload("random") for _ in range(BATCH)])
        if not line.lost:
            raise Broken(f"{BATCH} bad frames in a row and the server still listens")
        counts["peers dropped for their bad frames"] += 1
        counts["frames answered before the drop"] += line.answers
    return counts


async def check_answers_at_once(server: ServerProcess) -> Counter[str]:
    """A fresh client is welcomed and answered. Raises Broken."""
    began = time.monotonic()
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            line = await Line.open(server.port or 0)
            await line.hello(f"fresh {began:.0f}"[-20:])
            await line.expect(Ping(0), Pong)
    except TimeoutError:
        raise Broken("a fresh client is not answered after the fuzzing") from None
    line.abort()
    return Counter(
        {"milliseconds until a fresh client was welcomed and answered": int(1000 * (time.monotonic() - began))}
    )


async def run(frames: int, streams: int, peers: int, seed: int) -> Counter[str]:
    """Fuzz a patient server with so many frames and broken streams, then one as it comes with so many peers."""
    async with serving(Order(limits=PATIENT)) as server:
        fuzzer = Fuzzer(server, frames, seed)
        await fuzzer.flood()
        counts = fuzzer.counts
        counts += await break_streams(server, streams, seed)
        fuzzer.check_memory()
        counts += await check_answers_at_once(server)
    async with serving() as server:
        counts += await lose_patience(server, peers, seed)
        counts += await check_answers_at_once(server)
    return counts


def main(frames: int = 2_000_000, streams: int = 2_000, peers: int = 500, seed: int = 1) -> int:
    """Run this part, print its counts, and return 0 where every promise was kept."""
    return Report("frame fuzz").of(run(frames, streams, peers, seed))


if __name__ == "__main__":
    raise SystemExit(main())
