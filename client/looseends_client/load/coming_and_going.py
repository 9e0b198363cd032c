"""People who come and go: a line that breaks in the middle of a game, a game that is over, the next at another table.

For soaks. Who somebody is outlives all of it: they come back with their token.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from random import Random

from looseends_client.load.tables import LoadClient, LoadTable

AWAY_SECONDS = 3.0
"""How long somebody is away at most: well before a bot plays for them."""
BETWEEN_GAMES_SECONDS = 2.0
"""How long people wait at most between two games."""


class ComingAndGoing:
    """Moves the clients of tables about until the process ends. What goes wrong is added to `failures`."""

    def __init__(
        self,
        tables: Sequence[LoadTable],
        connect: Callable[[LoadClient], Awaitable[None]],
        losses_per_second: float,
        rng: Random,
        failures: list[str],
    ) -> None:
        self.losses = 0
        self.tables_left = 0
        self._tables = tables
        self._connect = connect
        self._losses_per_second = losses_per_second
        self._rng = rng
        self._failures = failures
        self._moving = {table: asyncio.Lock() for table in tables}
        loop = asyncio.get_running_loop()
        self._tasks = {loop.create_task(self._play_on(table)) for table in tables}
        self._tasks.add(loop.create_task(self._lose()))

    async def _play_on(self, table: LoadTable) -> None:
        """Let the people of a table leave it after each game and play the next at another."""
        while True:
            await table.over.wait()
            async with self._moving[table]:
                await self._or_fail(self._go_to_another(table))
            self.tables_left += 1

    async def _go_to_another(self, table: LoadTable) -> None:
        for client in table.clients:
            await client.leave()
        await asyncio.sleep(self._rng.random() * BETWEEN_GAMES_SECONDS)
        table.begin_anew()
        table.clients = [self._again(client) for client in table.clients]
        for client in table.clients:
            await self._connect(client)
        for client in table.clients:
            await client.sit_down()
        await table.clients[0].start()

    async def _lose(self) -> None:
        """Lose a connection now and then."""
        while True:
            await asyncio.sleep(1 / self._losses_per_second)
            table = self._rng.choice(self._tables)
            if table.dealt.is_set() and not table.over.is_set() and not self._moving[table].locked():
                task = asyncio.get_running_loop().create_task(self._lose_one(table))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _lose_one(self, table: LoadTable) -> None:
        async with self._moving[table]:
            await self._or_fail(self._lose_and_come_back(table, self._rng.randrange(len(table.clients))))

    async def _lose_and_come_back(self, table: LoadTable, place: int) -> None:
        lost = table.clients[place]
        lost.break_line()
        table.lose()
        self.losses += 1
        await asyncio.sleep(self._rng.random() * AWAY_SECONDS)
        back = table.clients[place] = self._again(lost)
        await self._connect(back)
        await back.sit_down()

    async def _or_fail(self, moving: Awaitable[None]) -> None:
        try:
            await moving
        except OSError as error:
            self._failures.append(str(error))

    def _again(self, client: LoadClient) -> LoadClient:
        return LoadClient(client.name, client.table, client.seat, client.token)
