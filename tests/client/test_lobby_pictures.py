"""How the screens around a table look, as plain text, at every size that they are designed for.

`make test ARGS="tests/client/test_lobby_pictures.py --snapshot-update"` takes new ones: look at each before.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from syrupy.assertion import SnapshotAssertion

from looseends_client.screens.gathering import GatheringScreen
from looseends_client.starting import StartAlone, StartLobby
from looseends_client.table_words import code_text
from looseends_core.rules import rule_set
from looseends_protocol.messages import (
    Attending,
    CreateTable,
    JoinTable,
    SeatBot,
    StartGame,
    StepAway,
    TableOptions,
    WatchTable,
)
from tests.client.on_screen import OnScreen, opened, seated_before_the_screen
from tests.client.test_table_pictures import Picture
from tests.server.peers import Peer, arrive

SIZES = ((80, 24), (60, 20), (40, 16), (100, 30))
Reach = Callable[[OnScreen], Awaitable[None]]


@pytest.fixture
def picture(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.use_extension(Picture)


@asynccontextmanager
async def in_a_full_lobby() -> AsyncIterator[tuple[OnScreen, dict[str, Peer]]]:
    """A lobby with a few tables, seen by ann."""
    async with opened() as (house, clock):
        people = {name: (await arrive(house, name))[0] for name in ("bob", "cy", "dee", "eve")}
        friday = TableOptions(title="Friday evening", clock_seconds=60)
        table = await people["bob"].expect(CreateTable(0, rule_set(4, ["plan-b"]), friday), Attending)
        await people["cy"].expect(JoinTable(0, table.code), Attending)
        slow = TableOptions(absence="wait", spectators_talk=False)
        await people["dee"].expect(CreateTable(0, rule_set(2, ["getaway"], rounds=5), slow), Attending)
        running = await people["eve"].expect(CreateTable(0, rule_set(3), TableOptions(bots=0)), Attending)
        for seat in (1, 2):
            await people["eve"].ask(SeatBot(0, seat, "steady"))
        await people["eve"].ask(StartGame(0))
        fay, _ = await arrive(house, "A name of 20 letters")
        await fay.expect(WatchTable(0, running.code), Attending)
        locked = CreateTable(0, rule_set(5, ["double-cross", "getaway", "plan-b"]), TableOptions(), password="sesame")
        gil, _ = await arrive(house, "gil")
        await gil.expect(locked, Attending)
        start = StartLobby(come_back="looseends join 127.0.0.1:8749 --name ann")
        async with seated_before_the_screen(house, clock, start) as on:
            await on.until(lambda: "Friday evening" in on.text and "gil" in on.text)
            yield on, people
        for peer in (*people.values(), fay, gil):
            peer.close()


async def _pictures(on: OnScreen, picture: SnapshotAssertion) -> None:
    for width, height in SIZES:
        await on.pilot.resize_terminal(width, height)
        await on.pilot.pause()
        await on.settle()
        await on.pilot.pause()
        assert _with_one_code(on) == picture(name=f"{width}x{height}")


def _with_one_code(on: OnScreen) -> str:
    """Return the screen with a code that does not depend on what else the server drew by chance."""
    if on.app.attendance is None:
        return on.text
    return on.text.replace(code_text(on.model.code), "KITE2-345AB")


async def test_the_menu(picture: SnapshotAssertion) -> None:
    async with opened() as (house, clock), seated_before_the_screen(house, clock, StartAlone(None)) as on:
        await _pictures(on, picture)


async def test_the_lobby(picture: SnapshotAssertion) -> None:
    async with in_a_full_lobby() as (on, _):
        await _pictures(on, picture)


async def test_a_new_table(picture: SnapshotAssertion) -> None:
    async with in_a_full_lobby() as (on, _):
        await on.press("n", "down", "right", "down", "down", "down", "right", "right")
        await _pictures(on, picture)


async def _at_friday(on: OnScreen, people: dict[str, Peer]) -> None:
    while "▶ Friday" not in on.text:
        await on.press("down")
    await on.press("enter")
    await on.until(lambda: isinstance(on.app.screen, GatheringScreen))
    await people["bob"].ask(SeatBot(0, 3, "steady"))
    await people["cy"].ask(StepAway(0))
    await on.until_shown("elsewhere")


async def test_gathering(picture: SnapshotAssertion) -> None:
    async with in_a_full_lobby() as (on, people):
        await _at_friday(on, people)
        await _pictures(on, picture)


async def test_gathering_as_the_host_of_five(picture: SnapshotAssertion) -> None:
    async with in_a_full_lobby() as (on, _):
        await on.press("n", "right", "enter")
        await on.until(lambda: isinstance(on.app.screen, GatheringScreen))
        await _pictures(on, picture)


async def test_who_is_here(picture: SnapshotAssertion) -> None:
    async with in_a_full_lobby() as (on, people):
        await _at_friday(on, people)
        await on.press("w")
        await _pictures(on, picture)


async def test_talk(picture: SnapshotAssertion) -> None:
    async with in_a_full_lobby() as (on, people):
        await _at_friday(on, people)
        await on.press("t")
        await _pictures(on, picture)
