"""Every screen and dialog survives every size of window, and terminals that show letters alone."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from rich.cells import cell_len

from looseends_client.screens import score_sheet
from looseends_client.screens.gathering import GatheringScreen
from looseends_client.screens.lobby import LobbyScreen
from looseends_client.screens.table import TableScreen
from looseends_client.settings import Settings
from looseends_client.starting import AppSettings, StartAlone, StartLobby
from looseends_client.widgets.letters_alone import in_letters
from looseends_core.rules import rule_set
from tests.client.on_screen import OnScreen, alone, opened, seated_before_the_screen

SIZES = ((1, 1), (200, 60), (1, 30), (120, 1), (39, 15), (60, 20))
ASCII = AppSettings(Settings(trick_pause=0, suits="letters"))


@pytest.fixture(autouse=True)
def _keys_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(score_sheet, "KEYS_REST_SECONDS", 0.001)


Reach = Callable[[OnScreen], Awaitable[None]]


async def to(on: OnScreen, *keys: str) -> None:
    await on.press(*keys)


async def lobby_with_tables(on: OnScreen) -> None:
    for _ in range(3):
        await on.press("n", "enter")
        await on.until(lambda: isinstance(on.app.screen, GatheringScreen))
        await on.press("q", "enter")
        await on.until(lambda: isinstance(on.app.screen, LobbyScreen))
    await on.settle()


async def gathering(on: OnScreen) -> None:
    await on.press("n", "enter")
    await on.until(lambda: isinstance(on.app.screen, GatheringScreen))


async def gathering_dialog(on: OnScreen) -> None:
    await gathering(on)
    await on.press("q")


PAGES: dict[str, Reach] = {
    "lobby": lambda on: to(on),
    "lobby with tables": lobby_with_tables,
    "form": lambda on: to(on, "n", "down", "down"),
    "rules": lambda on: to(on, "i"),
    "gathering": gathering,
    "leaving": gathering_dialog,
}


@asynccontextmanager
async def in_the_lobby(settings: AppSettings) -> AsyncIterator[OnScreen]:
    async with opened() as (house, clock):
        start = StartLobby(come_back="looseends join 127.0.0.1:8749 --name ann")
        async with seated_before_the_screen(house, clock, start, settings=settings) as on:
            yield on


async def storm(on: OnScreen) -> None:
    """Go through all sizes and back, and see that every row is as wide as the window, and the picture the same."""
    await on.pilot.pause()
    before = on.text
    for width, height in SIZES:
        await on.pilot.resize_terminal(width, height)
        await on.settle()
        assert len(on.strips) == height
        assert {strip.cell_length for strip in on.strips} == {width}
    await on.pilot.resize_terminal(80, 24)
    await on.until_after_thinking(lambda: on.text == before)


@pytest.mark.parametrize("page", PAGES)
async def test_pages_of_a_server(page: str) -> None:
    async with in_the_lobby(AppSettings(Settings(trick_pause=0))) as on:
        await PAGES[page](on)
        await storm(on)


async def test_the_menu() -> None:
    async with opened() as (house, clock), seated_before_the_screen(house, clock, StartAlone(None)) as on:
        await storm(on)


@pytest.mark.parametrize("keys", [("s",), ("i",), ("question_mark",), ("q",)], ids=str)
async def test_what_stands_over_the_table(keys: tuple[str, ...]) -> None:
    async with alone(rule_set(5, ["getaway", "plan-b", "double-cross"], rounds=1, hand_size=4)) as on:
        await on.play_until(lambda: on.model.phase == "over")
        await on.until_shown("Enter: back")
        await on.press("q")
        assert isinstance(on.app.screen, TableScreen)
        if keys != ("q",):
            await on.press(*keys)
        await storm(on)


@pytest.mark.parametrize("page", PAGES)
async def test_in_letters_alone_pages_of_a_server_are_ascii(page: str) -> None:
    async with in_the_lobby(ASCII) as on:
        await PAGES[page](on)
        await on.settle()
        assert on.text.isascii(), on.text


async def test_in_letters_alone_the_table_and_its_sheets_are_ascii() -> None:
    async with alone(rule_set(3, ["getaway", "plan-b"], rounds=2, hand_size=5), settings=ASCII) as on:
        await on.play_until(lambda: on.model.state.tricks and on.model.my_turn)
        for key in ("right", "s", "q", "i", "q", "question_mark", "q"):
            await on.press(key)
            await on.settle()
            assert on.text.isascii(), on.text
        await on.play_until(lambda: on.model.phase == "over")
        await on.settle()
        assert on.text.isascii(), on.text


@pytest.mark.parametrize(
    ("text", "encoding", "shown"),
    [
        ("ann ▶ B♦15 … ━┓", "ascii", "ann > B 15 ~ =+"),
        ("Jürgen", "ascii", "J?rgen"),
        ("Jürgen", "iso8859-1", "Jürgen"),
        ("Jürgen ↑", "utf-8", "Jürgen ^"),
        ("世界", "iso8859-1", "????"),
        ("世界", "no such encoding", "????"),
        ("plain", "ascii", "plain"),
    ],
)
def test_letters_alone_take_as_many_cells_and_leave_what_can_be_shown(text: str, encoding: str, shown: str) -> None:
    assert in_letters(text, encoding) == shown
    assert cell_len(in_letters(text, encoding)) == cell_len(text)
