"""The server is killed at every step of what it does, started again on what it left, and nothing that was seen is gone.

Worlds of eight tables, one for each set of variants, of persons and bots; every kill is at a named point inside a step
(see `serving`), and the games go on from kill to kill until they are over and their records are right.
"""

from __future__ import annotations

import asyncio
import itertools
import random
import tempfile
from collections import Counter
from pathlib import Path
from typing import Protocol

from looseends_core.rules import VARIANTS, rule_set
from looseends_protocol.messages import TableOptions
from looseends_server.limits import Limits, Pace
from tests.torture.disk import Disk
from tests.torture.line import Broken, Line, LineLost
from tests.torture.player import Player, TablePlan
from tests.torture.process import ServerProcess, check_log
from tests.torture.report import Report
from tests.torture.serving import POINTS, Kill, Order, Point, StoreKind

LIMITS = Limits(burst_messages=10_000, resyncs=1000, tables_per_person=20)
PACE = Pace(restart_grace_seconds=30.0)
CLOCK_SECONDS = 20
"""The turn clock of every second table: less than the grace, so that a test can tell the two apart."""
LIFE_SECONDS = 60.0
"""How long a life of the server may take before the games count as stuck."""
LONGEST = {"received": 120, "queued": 60, "writing": 60, "committed": 60, "partly-sent": 300}
"""The latest time of passing each point that a kill is planned for."""

SETS_OF_VARIANTS = [variants for size in range(4) for variants in itertools.combinations(VARIANTS, size)]


class Server(Protocol):
    """What a world needs of a server."""

    async def open_line(self) -> Line:
        """Return a fresh line to it. Raises OSError where nobody listens."""
        ...

    async def ended(self) -> int:
        """Return how it ended, once it has: -9 for the kill."""
        ...

    async def stop(self) -> None:
        """Ask it to end and wait until it has. Raises Broken where it does not."""
        ...

    async def gone(self) -> None:
        """Make sure that nothing is left of it."""
        ...


class World:
    """Eight tables of one number of players on one folder, and everybody who plays there."""

    def __init__(
        self,
        players: int,
        seed: int,
        folder: Path,
        *,
        rounds: int = 3,
        store: StoreKind = "durable",
        disk: Disk | None = None,
    ) -> None:
        self.rng = random.Random(f"{seed} {players}")
        self.counts: Counter[str] = Counter()
        self.wants_more = True
        self._rounds = rounds
        self._store: StoreKind = store
        self._disk = disk
        self._folder = folder / "folder"
        self._log = folder / "log"

        self.players: list[Player] = []
        self._plans = [self._plan(players, place, variants) for place, variants in enumerate(SETS_OF_VARIANTS)]
        for plan in self._plans:
            for number in range(plan.persons):
                self.players.append(Player(plan, number, self.rng, PACE.restart_grace_seconds, lambda: self.wants_more))

    def _plan(self, players: int, place: int, variants: tuple[str, ...]) -> TablePlan:
        rules = rule_set(players, variants, rounds=self._rounds)
        clock = CLOCK_SECONDS if place % 2 else 0
        options = TableOptions(f"p{players} t{place}", clock, ("bot", "wait", "clock")[place % 3], bots=0)
        return TablePlan(options.title, rules, options, persons=self.rng.randint(2, players) if place else 1)

    async def endure(self, kills: int) -> None:
        """Play through so many kills, then to the end of every game. Raises Broken."""
        while self.counts["kills"] < kills:
            point = POINTS[self.counts["lives"] % len(POINTS)]
            await self.live(self._kill_at(point))
        self.wants_more = False
        await self.live(None)
        if not all(player.finished.is_set() for player in self.players):
            raise Broken("games did not come to their end")

    def _kill_at(self, point: Point) -> Kill:
        return Kill(point, self.rng.randint(1, LONGEST[point]), self.rng.choice((0, 1, 1, 2)))

    async def live(self, kill: Kill | None) -> None:
        """Start the server, let everybody play until it dies, or where it is not to die, to the end."""
        self.counts["lives"] += 1
        started_at = asyncio.get_running_loop().time()
        server = await self.start(kill)
        try:
            await self._play_on(server, kill, started_at)
        finally:
            await server.gone()
        self.look_at_what_is_left(kill)
        self._count_uneven_tables()

    async def start(self, kill: Kill | None) -> Server:
        """Start the server on what its last life left."""
        folder, environment = self._folder, None
        if self._disk is not None:
            folder, environment = self._disk.power_on()
        order = Order(folder=str(folder), limits=LIMITS, pace=PACE, store=self._store, kill=kill)
        return await ServerProcess.start(order, self._log, environment)

    def look_at_what_is_left(self, kill: Kill | None) -> None:
        """Lose what the disk loses, and see that no log tells of a fault. Raises Broken."""
        if self._disk is not None and kill is not None:
            self._disk.power_off()
        check_log(self._log)

    async def _play_on(self, server: Server, kill: Kill | None, started_at: float) -> None:
        try:
            async with asyncio.timeout(LIFE_SECONDS), asyncio.TaskGroup() as group:
                for player in self.players:
                    if not player.finished.is_set():
                        group.create_task(self._life_of(player, server, started_at))
                if kill is None:
                    await asyncio.gather(*(player.finished.wait() for player in self.players))
                    await server.stop()
        except* Broken as broken:
            raise broken.exceptions[0] from None
        except* TimeoutError:
            raise Broken(f"stuck in life {self.counts['lives']} ({kill}): {self._standing()}") from None
        status = await server.ended()
        if kill is not None and status != -9:
            raise Broken(f"the server ended with {status}, it was to be killed at {kill}")
        if kill is not None:
            self.counts["kills"] += 1
            self.counts[f"killed {kill.point}"] += 1

    async def _life_of(self, player: Player, server: Server, started_at: float) -> None:
        try:
            line = await server.open_line()
        except OSError:
            line = None
        try:
            if line is not None:
                await player.live(line, started_at)
        except LineLost:
            pass
        finally:
            if line is not None:
                line.abort()
        if line is None or line.last_refusal not in ("", "server/closing"):
            # A server that lives has to take everybody, and to drop nobody.
            async with asyncio.timeout(5):
                await server.ended()

    def _count_uneven_tables(self) -> None:
        """Count the tables of which one saw more than another when the server died."""
        for plan in self._plans:
            seen = [(player.witness.game, len(player.witness.events)) for player in self.players if player.plan is plan]
            self.counts["tables that were told unevenly"] += len(set(seen)) > 1

    def _standing(self) -> list[str]:
        return [
            f"{player.witness.name}: {player.witness.phase} game {player.witness.game} at {len(player.witness.events)}"
            for player in self.players
            if not player.finished.is_set()
        ]

    def report(self) -> Counter[str]:
        """Return what was counted, by the world and by everybody in it."""
        total = Counter(self.counts)
        for player in self.players:
            total.update(player.witness.counts)
        return total


async def run(kills: int, seed: int, tables_of: tuple[int, ...] = (2, 3, 4, 5)) -> Counter[str]:
    """Kill a server so many times in all, spread over worlds of 2 to 5 players that run at once. Raises Broken."""
    with tempfile.TemporaryDirectory(prefix="looseends-torture-") as temporary:
        worlds: list[World] = []
        for players in tables_of:
            folder = Path(temporary) / str(players)
            folder.mkdir()
            worlds.append(World(players, seed, folder))
        each = -(-kills // len(worlds))
        together = asyncio.Semaphore(2)

        async def endure(world: World) -> None:
            async with together:
                await world.endure(each)

        try:
            async with asyncio.TaskGroup() as group:
                for world in worlds:
                    group.create_task(endure(world))
        except* Broken as broken:
            raise broken.exceptions[0] from None
        total: Counter[str] = Counter()
        for world in worlds:
            total.update(world.report())
        return total


def main(kills: int = 800, seed: int = 1) -> int:
    """Run this part, print its counts, and return 0 where every promise was kept."""
    return Report("kill at every step").of(run(kills, seed))


if __name__ == "__main__":
    raise SystemExit(main())
