"""What the host may do where the store fails or the house is busy; the front door is tested with the command."""

from __future__ import annotations

import pytest

from looseends_protocol.messages import Detached, Resync, Say, SeatsChanged, StartGame
from looseends_server.admin import Admin, AdminRefused
from looseends_server.admin_requests import Announce, Ban, CloseTable, Kick, Mute, Status, Unban
from looseends_server.house import House
from looseends_server.store.base import TableForgotten
from tests.server.faulty_store import FaultyStore
from tests.server.peers import HandClock, arrive, open_house, play_on, seated_table, settled, start


def admin_of(house: House) -> Admin:
    return Admin(house, lambda: None)


async def test_a_ban_that_cannot_be_kept_bans_nobody() -> None:
    disk = FaultyStore()
    house = await open_house(store=disk)
    ann, _ = await arrive(house, "ann")
    disk.fail_with("disk full")
    for request in (Ban("ann"), Mute("ann"), Ban("10.0.0.1", 60)):
        with pytest.raises(AdminRefused, match="cannot save that, so nothing was changed: disk full"):
            await admin_of(house).carry_out(request)
    assert not ann.lost
    assert not house.bans
    person = house.people.by_name("ann")
    assert person is not None
    assert not person.muted
    await house.close()


async def test_a_ban_ends_by_itself() -> None:
    clock = HandClock()
    house = await open_house(clock)
    _, welcome = await arrive(house, "ann")
    await admin_of(house).carry_out(Ban("ann", 3600))
    assert (await admin_of(house).carry_out(Status()))["bans"] == 1
    await clock.advance(3601)
    assert (await admin_of(house).carry_out(Status()))["bans"] == 0
    back, _ = await arrive(house, "", welcome.token)
    assert not back.lost
    await house.close()


async def test_the_ban_of_somebody_who_was_forgotten_can_be_lifted() -> None:
    house = await open_house()
    await arrive(house, "Ann")
    await admin_of(house).carry_out(Ban("Ann"))
    person = house.people.by_name("Ann")
    assert person is not None
    house.people.forget(person)
    await admin_of(house).carry_out(Unban("ANN"))
    assert not house.bans
    await house.close()


@pytest.mark.parametrize("seconds", [0.0, -1.0, float("nan"), float("inf"), 1e300])
async def test_a_ban_lasts_a_time_that_can_be_written_down(seconds: float) -> None:
    house = await open_house()
    with pytest.raises(AdminRefused, match="lasts longer than no time"):
        await admin_of(house).carry_out(Ban("10.0.0.1", seconds))
    await house.close()


async def test_a_table_that_cannot_be_forgotten_goes_on() -> None:
    disk = FaultyStore()
    house = await open_house(store=disk)
    peers = await seated_table(house, ["ann", "ben"])
    await start(peers)
    await play_on(peers, lambda: house.counts.moves > 5)
    (code,) = house.tables
    disk.fail_with("disk full", lambda change: isinstance(change, TableForgotten))
    with pytest.raises(AdminRefused, match="disk full"):
        await admin_of(house).carry_out(CloseTable(code))
    moves = house.counts.moves
    await play_on(peers, lambda: house.counts.moves > moves + 10)
    assert not any(isinstance(message, Detached) for peer in peers for message in peer.heard)
    await house.close()


async def test_a_table_is_closed_in_the_middle_of_a_game_and_stays_closed() -> None:
    clock = HandClock()
    house = await open_house(clock)
    peers = await seated_table(house, ["ann", "ben"], bots=1)
    await start(peers)
    await play_on(peers, lambda: house.counts.moves > 5)
    (code,) = house.tables
    result = await admin_of(house).carry_out(CloseTable(code))
    assert result["told"] == 2
    await settled()
    heard = [len(peer.heard) for peer in peers]
    for peer in peers:
        assert await peer.refused(Resync(0)) == "table/not_here"
        assert any(isinstance(message, Detached) and message.error == "table/closed" for message in peer.heard)
    await clock.advance(600)
    for peer, count in zip(peers, heard, strict=True):
        assert not any(isinstance(message, SeatsChanged) for message in peer.heard[count:])
    assert not house.tables
    await house.close()


async def test_a_table_that_stands_still_can_be_closed() -> None:
    disk = FaultyStore()
    house = await open_house(HandClock(), disk)
    peers = await seated_table(house, ["ann", "ben"])
    disk.fail_with("disk full")
    assert await peers[0].refused(StartGame(0)) == "server/cannot_save"
    disk.work_again()
    (code,) = house.tables
    await admin_of(house).carry_out(CloseTable(code))
    clock = house.clock
    assert isinstance(clock, HandClock)
    await clock.advance(60)
    assert not house.tables
    assert await peers[0].refused(Say(0, "hello")) == "table/not_here"
    await house.close()


async def test_what_names_nobody_is_refused() -> None:
    house = await open_house()
    for request in (Kick("ann"), Ban("ann"), Unban("ann"), Unban("10.0.0.1"), Mute(""), Announce(" "), CloseTable("x")):
        with pytest.raises(AdminRefused):
            await admin_of(house).carry_out(request)
    await house.close()
