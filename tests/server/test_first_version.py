"""A server goes on from a state folder that its first version left: every game, identity and ban of it."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from pathlib import Path

import pytest

from looseends_core.state import Phase
from looseends_core.verify import verify_text
from looseends_protocol.messages import (
    Attending,
    Games,
    GetGame,
    GetNumbers,
    JoinTable,
    ListGames,
    NumbersOf,
    RecordText,
    Welcome,
)
from looseends_server.house import House
from looseends_server.limits import Limits, ServerSettings
from looseends_server.store.folder import DATABASE, make_folder
from looseends_server.store.schema import MIGRATIONS
from tests.server.peers import HandClock, Peer, arrive, play_on

KEPT = Path(__file__).parent / "first_version" / "looseends.sql"
TOKENS = {
    "ann": "38b4e652e44da7f2370d9e260e27136550a4a3a6d07f5c0c332f8b1224083fd2",
    "bob": "2b902f8911e81818f8c99d5d5d9831957504d90e945de2e8f54ee781cc75f636",
    "cid": "5930263938b370a1b5769fa0f1483f95a90d9df2f130d60fcf04bd93f50ae695",
    "Dee": "14da8c659ce2b10cccdaebf990d19838b0d7ec0b3e97818ecb96c4dbadbe1722",
    "eve": "47d58fa3c55018300372555fd235f11829fb388c22e44cb637f01210c3707a90",
}
FINISHED, RUNNING = "2GK44T600P", "PN4D5B4K3B"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder, as it was."""
    kept = tmp_path / "state"
    make_folder(kept)
    with contextlib.closing(sqlite3.connect(kept / DATABASE, isolation_level=None)) as connection:
        connection.executescript(KEPT.read_text("utf-8"))
    return kept


async def house_on(folder: Path) -> House:
    settings = ServerSettings(limits=Limits(burst_messages=10_000))
    return await House.open(folder, settings, clock=HandClock())


async def everybody(house: House) -> dict[str, tuple[Peer, Welcome]]:
    return {name: await arrive(house, name, bytes.fromhex(token)) for name, token in TOKENS.items()}


async def test_everybody_is_known_and_has_their_seat(folder: Path) -> None:
    house = await house_on(folder)
    people = await everybody(house)
    assert {name: welcome.name for name, (_, welcome) in people.items()} == {name: name for name in TOKENS}
    seats = {
        name: [(seat.code, seat.seat, seat.phase) for seat in welcome.seats] for name, (_, welcome) in people.items()
    }
    assert seats["ann"] == [(FINISHED, 0, "over")]
    assert seats["Dee"] == [(RUNNING, 1, "playing")]
    assert [(seat, phase) for _, seat, phase in seats["eve"]] == [(0, "gathering")]
    assert ("address", "192.0.2.7") in house.bans
    await house.close()


async def test_the_game_that_ran_goes_on_to_its_end(folder: Path) -> None:
    house = await house_on(folder)
    people = await everybody(house)
    cid, dee = people["cid"][0], people["Dee"][0]
    for peer in (cid, dee):
        await peer.expect(JoinTable(0, RUNNING), Attending)
    table = house.tables[RUNNING]
    assert (table.state.play.number, table.state.play.phase) == (17, Phase.PLAYING)
    await play_on([cid, dee], lambda: table.state.stage == "over")
    async with asyncio.timeout(10):
        while not (games := (await cid.expect(ListGames(0), Games)).games):
            await house.store.flush()
    (game,) = games
    record = (await dee.expect(GetGame(0, game.game), RecordText)).record
    assert verify_text(record.encode()).fault is None
    await house.close()


async def test_the_game_that_was_finished_is_found_again_with_what_it_adds_up_to(folder: Path) -> None:
    house = await house_on(folder)
    people = await everybody(house)
    await house.store.flush()
    ann = people["ann"][0]
    (game,) = (await ann.expect(ListGames(0), Games)).games
    assert (game.names, game.scores) == (("ann", "bob", "bot:rookie"), (3, 14, 3))
    assert len((await ann.expect(GetNumbers(0), NumbersOf)).numbers) == 1
    await house.close()


async def open_and_close(folder: Path) -> None:
    await (await house_on(folder)).close()


def test_the_folder_is_upgraded_once_and_a_copy_of_it_stays(folder: Path) -> None:
    for _ in range(2):
        asyncio.run(open_and_close(folder))
    copies = [file.name for file in folder.iterdir() if file.name.startswith("looseends-before-schema-")]
    assert copies == [f"looseends-before-schema-{len(MIGRATIONS)}.db"]
    with contextlib.closing(sqlite3.connect(folder / copies[0])) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)
