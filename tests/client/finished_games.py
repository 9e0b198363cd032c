"""For tests: the screens on which somebody who has finished games looks back at them, with the house behind."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from looseends_client.screens.score_sheet import ScoreSheet
from looseends_client.screens.table import TableScreen
from looseends_client.starting import StartAlone
from looseends_core.rules import rule_set
from looseends_server.archive import game_to_keep
from looseends_server.house import House
from tests.client.on_screen import OnScreen, opened, seated_before_the_screen, wish
from tests.client.test_hint_and_coach import PlantedMinds, best_is, plant
from tests.server.kept_games import record

SMALL = rule_set(3, ["plan-b"], rounds=1, hand_size=5)
MENU = StartAlone(None)


async def keep(house: House, *seats: str, seed: int = 1, ended_at: float = 1000.0, mine: bool = True) -> None:
    """Keep a finished game in a house, of whoever is known there by these names."""
    of = record(*seats, seed=seed, variants=("plan-b",) if seed % 2 else ())
    people = [house.people.by_name(name) for name in of.players]
    identities = tuple(0 if person is None or not mine else person.identity for person in people)
    kept: asyncio.Future[object] = asyncio.get_running_loop().create_future()
    house.archive.keep(game_to_keep(of, ended_at, identities, origin="import", open_to_all=True), of, kept.set_result)
    assert await kept is None


@asynccontextmanager
async def looking_back(
    *games: tuple[str, ...], size: tuple[int, int] = (80, 24)
) -> AsyncIterator[tuple[OnScreen, House]]:
    """The list of somebody who has finished these games alone."""
    async with (
        opened() as (house, clock),
        seated_before_the_screen(house, clock, MENU, size=size) as on,
    ):
        for seed, seats in enumerate(games, 1):
            await keep(house, *seats, seed=seed, ended_at=1000.0 * seed)
        await on.press("h")
        await shown(on, "games of this folder")
        yield on, house


async def shown(on: OnScreen, text: str) -> None:
    await on.until_after_thinking(lambda: text in " ".join(on.text.split()))


@asynccontextmanager
async def after_a_game(**more: int) -> AsyncIterator[tuple[OnScreen, House, PlantedMinds]]:
    """Somebody before the sheet of a game that they have just finished, where a bot thinks what the test planted."""
    async with opened() as (house, clock):
        planted = PlantedMinds(best_is(lambda action: str(action) < "P", **more))
        plant(house, planted)
        async with seated_before_the_screen(house, clock, StartAlone(wish(SMALL))) as on:
            await on.until(lambda: isinstance(on.app.screen, TableScreen) and on.model.state.round == 1)
            await on.play_until(lambda: on.model.phase == "over")
            await on.until(lambda: isinstance(on.app.screen, ScoreSheet))
            await shown(on, "v review")
            yield on, house, planted
