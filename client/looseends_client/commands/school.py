"""The house in which a lesson is played: a server of its own inside this process, on memory, for one learner.

It is the server that others join over the network. What makes a lesson of it is handed in where a house takes its
levels and its random bytes anyway: the others at the table are levels that follow the lesson, and the secret of the
one round is the lesson's. Nothing of this can be asked for through the protocol.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from looseends_client.game_client import GameClient
from looseends_client.starting import School
from looseends_client.tutorial.lessons import Lesson
from looseends_client.tutorial.teacher import Teacher
from looseends_core.shuffle import SECRET_BYTES

USUAL_PACE = 600
"""Milliseconds that the others wait before they act, where nothing else is said."""


def school_of(client: GameClient, pace: int = USUAL_PACE) -> School:
    """Return where the person of a client learns, under the name that they have there."""
    return School(lambda lesson: school(lesson, client.name), pace)


@asynccontextmanager
async def school(lesson: Lesson, name: str) -> AsyncIterator[GameClient]:
    """Open a house for the lesson, with its learner connected, until the lesson is left."""
    # Only here, so that whoever joins a server elsewhere does not wait for one of their own to load.
    from looseends_server.house import House
    from looseends_server.limits import Limits, Pace, ServerSettings
    from looseends_server.memory_transport import connect_in_memory

    # The table waits for its one player for as long as they read.
    settings = ServerSettings(
        name="learn by playing", limits=Limits(burst_messages=200, resyncs=200), pace=Pace(ready_seconds=None)
    )

    def entropy(count: int) -> bytes:
        # The secret of a round is that long; so is a token, which opens nothing but this house.
        return lesson.secret if count == SECRET_BYTES else secrets.token_bytes(count)

    house = await House.open(None, settings, entropy=entropy, levels=Teacher(lesson).others())

    async def connector(make: Callable[[], asyncio.Protocol]) -> asyncio.Transport:
        return connect_in_memory(house.connection(), make())

    client = GameClient(connector, name=name)
    try:
        await client.connect()
        yield client
    finally:
        await client.close()
        await house.close()
