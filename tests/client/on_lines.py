"""The line mode of one person at a server in the same process: a test types lines, and reads those that come back."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from looseends_client.connector import Connector
from looseends_client.game_client import GameClient
from looseends_client.plain.conversation import Conversation
from looseends_client.plain.line_mode import LineMode
from looseends_client.plain.wording import CardStyle
from looseends_client.starting import StartAlone, StartLobby
from looseends_client.unproven_deals import KeepUnproven
from looseends_server.house import House
from tests.client.at_house import CutLine
from tests.client.line_channel import MemoryChannel
from tests.client.scripted_server import ClientClock
from tests.server.peers import settled

TURNS = 60
"""Turns of the loop in which everything that a line sets off has happened."""


class OnLines:
    """One person at the line mode."""

    def __init__(self, mode: LineMode, channel: MemoryChannel, client: GameClient, clock: ClientClock) -> None:
        self.mode = mode
        self.channel = channel
        self.client = client
        self.clock = clock
        self.token = b""
        """What the server knows this person by, where it has told this client."""
        self._read = 0
        self._ended: asyncio.Task[int] = asyncio.ensure_future(mode.run())

    async def heard(self) -> list[str]:
        """Return the lines that have come since the last time, once everything has arrived."""
        await settled(TURNS)
        new = self.channel.written[self._read :]
        self._read = len(self.channel.written)
        return new.removesuffix("\n").split("\n") if new else []

    async def type(self, *lines: str) -> list[str]:
        """Type lines and return what comes back."""
        await self.heard()
        self.channel.type(*lines)
        return await self.heard()

    async def until(self, fact: Callable[[str], object]) -> str:
        """Let time go by until a fact holds of a new line, and return that line."""
        heard: list[str] = []
        for _ in range(400):
            self.channel.spoke.clear()
            new = await self.heard()
            found = next((line for line in new if fact(line)), None)
            if found is not None:
                return found
            heard += new
            await self.clock.advance(0.05)
            if not self.channel.spoke.is_set():
                # What a thread works on, such as a password's hash, comes by the real clock.
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self.channel.spoke.wait(), 0.02)
        raise AssertionError("it was never said; this was:\n" + "\n".join(heard[-30:]))

    async def type_until(self, line: str, words: str) -> list[str]:
        """Type a line and return what comes back, up to a line with these words."""
        await self.heard()
        at = len(self.channel.written)
        self.channel.type(line)
        await self.says(words)
        return self.channel.written[at:].removesuffix("\n").split("\n")

    async def says(self, words: str) -> str:
        """Let time go by until a new line has these words."""
        return await self.until(lambda line: words in line)

    @property
    def has_ended(self) -> bool:
        return self._ended.done()

    async def ends(self) -> int:
        """Return the exit code, once the person has gone."""
        return await asyncio.wait_for(self._ended, 20)

    async def stop(self) -> None:
        """End what still runs."""
        self.mode.end()
        await settled(TURNS)
        for _ in range(50):
            if self._ended.done():
                break
            await self.clock.advance(0.2)
        await asyncio.gather(self._ended, return_exceptions=True)


@asynccontextmanager
async def on_lines(
    house: House | Connector,
    clock: ClientClock,
    start: StartAlone | StartLobby | None = None,
    *,
    name: str = "ann",
    token: bytes = b"",
    interactive: bool = False,
    style: CardStyle = "letters",
    keep_unproven: KeepUnproven | None = None,
    channel: MemoryChannel | None = None,
) -> AsyncIterator[OnLines]:
    """Run the line mode of one person until the test has done with it."""
    connector = CutLine(house).connect if isinstance(house, House) else house
    kept = [token]
    client = GameClient(
        connector,
        name=name,
        token=token,
        keep_token=lambda name, token: kept.append(token),
        clock=clock,
        rng=random.Random(1),
    )
    await client.connect()
    channel = channel or MemoryChannel(interactive=interactive)
    mode = LineMode(
        Conversation(channel),
        client,
        start or StartLobby(),
        style=style,
        bots=("rookie",),
        entropy=random.Random(4).randbytes,
        keep_unproven=keep_unproven,
    )
    on = OnLines(mode, channel, client, clock)
    on.token = kept[-1]
    try:
        yield on
    finally:
        await on.stop()
        await client.close()
        await settled()
