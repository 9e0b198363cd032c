"""People and bans are forgotten by a stated rule, and nobody by mistake."""

from __future__ import annotations

import pytest

from looseends_protocol.messages import Hello
from looseends_server.admin import Admin
from looseends_server.admin_requests import Ban, Mute
from looseends_server.house import TIDY_SECONDS, House
from looseends_server.limits import Pace, ServerSettings
from looseends_server.store.base import IdentityForgotten
from tests.server.faulty_store import FaultyStore
from tests.server.peers import HandClock, Peer, arrive, connect, open_house, seated_table, settled

LONG = 2 * TIDY_SECONDS
SETTINGS = ServerSettings(pace=Pace(forget_guest_seconds=LONG))


async def leave(peer: Peer) -> None:
    assert peer.transport is not None
    peer.transport.close()
    await settled()


async def remembered(house: House, clock: HandClock, seconds: float) -> list[str]:
    await clock.advance(seconds)
    return sorted(person.name for person in house.people)


async def test_a_guest_who_was_not_seen_for_long_is_forgotten_and_the_name_is_free() -> None:
    clock = HandClock()
    disk = FaultyStore()
    house = await open_house(clock, disk, SETTINGS)
    ann, welcome = await arrive(house, "ann")
    await leave(ann)
    assert await remembered(house, clock, LONG - TIDY_SECONDS) == ["ann"]
    assert await remembered(house, clock, 2 * TIDY_SECONDS) == []
    assert not disk.kept.identities
    stranger = connect(house)
    assert await stranger.refused(Hello(0, 1, token=welcome.token)) == "hello/token"
    again, _ = await arrive(house, "ann")
    assert again.transport is not None
    await house.close()


async def test_nobody_is_forgotten_who_is_here_or_seated_or_banned_or_muted() -> None:
    clock = HandClock()
    house = await open_house(clock, None, SETTINGS)
    await arrive(house, "here")
    seated = await seated_table(house, ["seated", "other"])
    for name in ("banned", "muted"):
        peer, _ = await arrive(house, name)
        await leave(peer)
    await Admin(house, lambda: None).carry_out(Ban("banned"))
    await Admin(house, lambda: None).carry_out(Mute("muted"))
    for peer in seated:
        await leave(peer)
    for person in house.people:
        person.seen_at -= 2 * LONG
    assert await remembered(house, clock, TIDY_SECONDS + 2) == ["banned", "here", "muted", "other", "seated"]
    await house.close()


async def test_who_could_not_be_forgotten_is_still_known() -> None:
    clock = HandClock()
    disk = FaultyStore()
    house = await open_house(clock, disk, SETTINGS)
    ann, welcome = await arrive(house, "ann")
    await leave(ann)
    disk.fail_with("disk full", lambda change: isinstance(change, IdentityForgotten))
    assert await remembered(house, clock, LONG + TIDY_SECONDS) == ["ann"]
    back, _ = await arrive(house, "", welcome.token)
    assert not back.lost
    await house.close()


@pytest.mark.parametrize("seconds", [TIDY_SECONDS / 2, None])
async def test_a_ban_that_has_run_out_is_not_kept(seconds: float | None) -> None:
    clock = HandClock()
    disk = FaultyStore()
    house = await open_house(clock, disk)
    await Admin(house, lambda: None).carry_out(Ban("10.0.0.1", seconds))
    await clock.advance(TIDY_SECONDS + 2)
    assert len(disk.kept.bans) == len(house.bans) == (0 if seconds else 1)
    await house.close()
