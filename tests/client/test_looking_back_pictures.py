"""How the pages about finished games look, as plain text, at the sizes that they are designed for.

`make test ARGS="tests/client/test_looking_back_pictures.py --snapshot-update"` takes new ones: look at each before.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator

import pytest
from syrupy.assertion import SnapshotAssertion

from looseends_client.settings import Settings
from looseends_client.starting import AppSettings
from looseends_core.record import GameRecord
from looseends_server.archive import game_to_keep
from looseends_server.house import House
from tests.client.finished_games import MENU, shown
from tests.client.on_screen import OnScreen, opened, seated_before_the_screen
from tests.client.test_hint_and_coach import PlantedMinds, best_is, plant
from tests.client.test_replay_screen import whole_game
from tests.client.test_table_pictures import Picture

SIZES = ((80, 24), (60, 20))
WHOLE = whole_game("ann", "bot:fox", "bob", "bot:steady", variants=("getaway", "plan-b"))
LONG = whole_game("a name of 20 letters", "ann", "bot:sharp", "another of 20 letter", "bot:sharp", rounds=3)
LETTERS = AppSettings(Settings(suits="letters", trick_pause=0))


@pytest.fixture
def picture(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.use_extension(Picture)


@pytest.fixture(autouse=True)
def one_time_everywhere(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    if not hasattr(time, "tzset"):
        pytest.skip("this system has one time zone, its own")
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


async def keep(house: House, record: GameRecord, ended_at: float, origin: str = "KITE2345AB") -> None:
    people = [house.people.by_name(name) for name in record.players]
    identities = tuple(0 if person is None else person.identity for person in people)
    kept: asyncio.Future[object] = asyncio.get_running_loop().create_future()
    game = game_to_keep(record, ended_at, identities, origin=origin, open_to_all=True)
    house.archive.keep(game, record, kept.set_result)
    assert await kept is None


async def go(on: OnScreen, page: str) -> None:
    await on.press("h")
    await shown(on, "imported" if on.app.size.width >= 72 else "sharp")
    if page == "games":
        return
    keys, words = {
        "numbers": ("n", "all games"),
        "ladder": ("t", "rating"),
        "search": ("slash", "Somebody who played"),
        "replay": ("enter", "as you saw it"),
        "review": ("v", "fox has looked at all"),
    }[page.split()[0]]
    await on.press("down", keys)
    await shown(on, words)
    if page.startswith("replay"):
        await on.press("r", "d", "down", "down", "d")
    if page == "replay open":
        await on.press("o")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("page", ["games", "numbers", "ladder", "search", "replay", "replay open", "review"])
async def test_pages_of_games_that_are_over(page: str, size: tuple[int, int], picture: SnapshotAssertion) -> None:
    assert await pictured(page, size, AppSettings(Settings(trick_pause=0))) == picture


@pytest.mark.parametrize("page", ["games", "replay open", "review"])
async def test_pages_in_letters_alone(page: str, picture: SnapshotAssertion) -> None:
    seen = await pictured(page, (80, 24), LETTERS)
    assert seen.isascii()
    assert seen == picture


async def pictured(page: str, size: tuple[int, int], settings: AppSettings) -> str:
    async with opened() as (house, clock):
        plant(house, PlantedMinds(best_is(lambda action: str(action) < "P")))
        async with seated_before_the_screen(house, clock, MENU, size=size, settings=settings) as on:
            await keep(house, WHOLE, 1_790_000_000)
            await keep(house, LONG, 1_790_090_000, "import")
            await go(on, page)
            await on.pilot.pause()
            return on.text + "\n"
