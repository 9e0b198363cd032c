"""Every wait of `Pace` is as long as the host set it: what it holds back happens then, and not before."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import msgspec
import pytest

from looseends_core.rules import rule_set
from looseends_protocol.messages import Said, SeatsChanged, StartGame, TableOptions
from looseends_server.house import TIDY_SECONDS, House
from looseends_server.limits import Limits, Pace, ServerSettings
from looseends_server.table import Table
from tests.server.faulty_store import FaultyStore
from tests.server.peers import (
    HandClock,
    Peer,
    arrive,
    come_back,
    open_house,
    play_on,
    seated_table,
    settled,
    stage_of,
    start,
)

Fact = Callable[[], object]

NEVER = dict.fromkeys(Pace.__struct_fields__, 1e9)
"""Every other wait, so that nothing but the one in question can bring a fact about."""


class Scene:
    """A house with one wait that ends."""

    def __init__(self, field: str, seconds: float) -> None:
        self.clock = HandClock()
        self.store = FaultyStore()
        pace = msgspec.convert({**NEVER, field: seconds}, Pace)
        self.settings = ServerSettings(limits=Limits(burst_messages=10_000), pace=pace)

    async def house(self) -> House:
        return await open_house(self.clock, self.store, self.settings)

    async def gathering(self) -> tuple[House, list[Peer], Table]:
        house = await self.house()
        peers = await seated_table(house, ["ann", "bob", "cy"])
        assert peers[0].table is not None
        return house, peers, house.tables[peers[0].table.code]

    async def at(self, stage: str, clock_seconds: int = 0) -> tuple[House, list[Peer], Table]:
        """Return two people in a game, or after it; nobody says to be ready for more."""
        house = await self.house()
        rules = rule_set(2, rounds=1 if stage == "over" else 2, hand_size=4, max_bid=2)
        options = TableOptions(bots=0, clock_seconds=clock_seconds)
        peers = await seated_table(house, ["ann", "bob"], rules, options)
        assert peers[0].table is not None
        table = house.tables[peers[0].table.code]
        for peer in peers:
            peer.ready_for = (1, 1)
        await start(peers)
        await play_on(peers, lambda: table.state.stage == stage)
        await settled()
        return house, peers, table


async def leave_alone(peers: list[Peer]) -> None:
    for peer in peers:
        peer.close()
    await settled()


async def nonces(scene: Scene) -> Fact:
    _house, peers, table = await scene.gathering()
    for peer in peers:
        peer.nonces = False
    await peers[0].ask(StartGame(0))
    return lambda: stage_of(table) == "playing"


async def ready(scene: Scene) -> Fact:
    _house, _peers, table = await scene.at("between")
    return lambda: stage_of(table) == "playing"


async def away(scene: Scene) -> Fact:
    _house, peers, table = await scene.at("playing")
    due = peers[table.state.play.turn or 0]
    due.close()
    other = next(peer for peer in peers if peer is not due)
    return lambda: any(seat.stand_in for push in other.got(SeatsChanged) for seat in push.seats)


async def host(scene: Scene) -> Fact:
    _house, (ann, bob, _cy), _table = await scene.gathering()
    ann.close()
    return lambda: bob.got(SeatsChanged)[-1].host == "bob"


async def unseat(scene: Scene) -> Fact:
    _house, (ann, bob, _cy), _table = await scene.gathering()
    bob.close()
    return lambda: ann.got(SeatsChanged)[-1].seats[1].kind == "open"


async def follow(scene: Scene) -> Fact:
    house, (ann, bob, _cy), _table = await scene.gathering()
    await arrive(house, "", ann.token)
    return lambda: "ann lost the connection." in [push.line.text for push in bob.got(Said)]


async def restart_grace(scene: Scene) -> Fact:
    _house, peers, table = await scene.at("playing", clock_seconds=30)
    scene.store = scene.store.lose_unsynced()
    house = await scene.house()
    for peer in peers:
        await come_back(house, peer)
    now = house.tables[table.code]
    number = now.state.play.number
    return lambda: now.state.play.number > number


async def retry(scene: Scene) -> Fact:
    _house, peers, table = await scene.at("playing")
    scene.store.fail_with("disk full")
    for peer in peers:
        peer.act_if_due()
    await settled()
    assert table.frozen
    scene.store.work_again()
    return lambda: not table.frozen


async def forget_gathering(scene: Scene) -> Fact:
    house, peers, _table = await scene.gathering()
    await leave_alone(peers)
    return lambda: not house.tables


async def forget_over(scene: Scene) -> Fact:
    house, peers, _table = await scene.at("over")
    await leave_alone(peers)
    return lambda: not house.tables


async def forget_unfinished(scene: Scene) -> Fact:
    house, peers, _table = await scene.at("playing")
    await leave_alone(peers)
    return lambda: not house.tables


async def forget_guest(scene: Scene) -> Fact:
    house = await scene.house()
    ann, _ = await arrive(house, "ann")
    await leave_alone([ann])
    return lambda: house.people.by_name("ann") is None


SCENES: dict[str, Callable[[Scene], Awaitable[Fact]]] = {
    "nonce_seconds": nonces,
    "ready_seconds": ready,
    "away_seconds": away,
    "host_seconds": host,
    "unseat_seconds": unseat,
    "follow_seconds": follow,
    "restart_grace_seconds": restart_grace,
    "retry_seconds": retry,
    "forget_gathering_seconds": forget_gathering,
    "forget_over_seconds": forget_over,
    "forget_unfinished_seconds": forget_unfinished,
    "forget_guest_seconds": forget_guest,
}
"""What each wait holds back."""


def test_every_wait_has_its_scene() -> None:
    assert tuple(SCENES) == Pace.__struct_fields__


@pytest.mark.parametrize("seconds", [100.0, 2500.0])
@pytest.mark.parametrize("field", SCENES)
async def test_it_happens_after_the_wait_and_not_before(field: str, seconds: float) -> None:
    scene = Scene(field, seconds)
    happened = await SCENES[field](scene)
    slack = TIDY_SECONDS if field.startswith("forget") else 0.0
    await scene.clock.advance(1)
    await scene.clock.jump(seconds - 3)
    assert not happened()
    await scene.clock.jump(2.5)
    await scene.clock.jump(slack)
    await scene.clock.advance(2)
    assert happened()
