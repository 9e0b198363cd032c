"""A table whose bots think in worker processes goes on, and keeps every rule, whatever becomes of a thought."""

from __future__ import annotations

import asyncio
import random

import pytest

from looseends_core.bots import LEVELS
from looseends_core.events import Event, RoundDealt
from looseends_core.rules import rule_set
from looseends_core.state import fold
from looseends_protocol.messages import LeaveTable, StepAway, TableOptions
from looseends_server.bot_turn import question_of
from looseends_server.house import House
from looseends_server.limits import Limits, ServerSettings
from looseends_server.minds import Minds
from looseends_server.store.memory import MemoryStore
from tests.server.asked_of_workers import BLINK, is_alive, pids, question, until
from tests.server.conftest import Logged
from tests.server.peers import FAST, HandClock, Peer, arrive, come_back, play_on, seated_table, settled, start
from tests.server.planted_worker import LEVELS as PLANTED
from tests.server.planted_worker import WORKER

SMALL = rule_set(2, rounds=1, hand_size=3, max_bid=1)


async def house_with(clock: HandClock | None = None, store: MemoryStore | None = None) -> House:
    rng = random.Random(1)
    limits = Limits(burst_messages=10_000, workers=1, thought_cpu_seconds=BLINK)
    return await House.open(
        None,
        ServerSettings(limits=limits),
        clock=clock,
        entropy=rng.randbytes,
        store=store,
        levels=PLANTED,
        worker=WORKER,
    )


async def table_with(house: House, level: str, options: TableOptions = FAST) -> list[Peer]:
    peers = await seated_table(house, ["ann"], SMALL, options, bots=1, level=level)
    await start(peers)
    return peers


@pytest.mark.parametrize("level", sorted(set(PLANTED) - {"steady", "hangs", "dies-once", "is-lost-in-c"}))
async def test_a_table_goes_on_whatever_becomes_of_a_thought(level: str, logged: Logged) -> None:
    house = await house_with()
    peers = await table_with(house, level)
    await play_to_the_end(peers)
    if level in ("fails", "is-deaf"):
        logged.expect("bot failed")
    if level == "cheats":
        logged.expect("bot chose what is not legal")
    await house.close()


async def play_to_the_end(peers: list[Peer]) -> None:
    await play_on(peers, lambda: peers[0].view is not None and peers[0].view.winners is not None)


async def play_until_bot_thinks(house: House, peers: list[Peer]) -> None:
    await play_on(peers, lambda: house.minds.workers > 0)


async def test_a_table_goes_on_when_its_bot_hangs() -> None:
    clock = HandClock()
    house = await house_with(clock)
    peers = await table_with(house, "hangs")

    async def pass_time() -> None:
        while True:
            await clock.advance(20)

    passing = asyncio.create_task(pass_time())
    await play_to_the_end(peers)
    passing.cancel()
    await house.close()


async def test_the_same_seed_plays_the_same_game() -> None:
    played: list[list[Event]] = []
    for _ in range(2):
        house = await house_with()
        peers = await table_with(house, "plain")
        await play_to_the_end(peers)
        played.append(next(iter(house.tables.values())).state.events)
        await house.close()
    assert played[0] == played[1]


async def test_a_worker_is_told_what_the_seat_knows_and_nothing_else() -> None:
    house = await house_with()
    peers = await table_with(house, "plain")
    await play_on(peers, lambda: peers[0].view is not None and peers[0].view.round == 1)
    table = next(iter(house.tables.values()))
    asked = question_of(table, 1, "plain")
    [dealt] = [event for event in asked.events if isinstance(event, RoundDealt)]
    assert dealt.hands[0] is None
    assert dealt.hands[1] is not None
    assert fold(asked.rules, asked.events) == table.view_of(1)
    await house.close()


async def test_a_house_that_ends_while_a_bot_thinks_leaves_nothing_and_plays_on_after_a_restart() -> None:
    store = MemoryStore()
    house = await house_with(store=store)
    peers = await table_with(house, "hangs")
    await play_until_bot_thinks(house, peers)
    await until(lambda: bool(pids(house.minds)))
    started = pids(house.minds)
    await house.close()
    assert not any(is_alive(pid) for pid in started)
    again = await House.open(None, house.settings, store=MemoryStore(store.kept), levels={"hangs": LEVELS["rookie"]})
    back = await come_back(again, peers[0])
    await play_to_the_end([back])
    await again.close()


async def test_a_table_whose_people_go_while_its_bot_thinks_sleeps_and_goes_on_when_they_are_back() -> None:
    clock = HandClock()
    house = await house_with(clock)
    peers = await table_with(house, "goes-on")
    await play_until_bot_thinks(house, peers)
    table = next(iter(house.tables.values()))
    number = table.state.play.number
    await peers[0].ask(StepAway(0))
    await until(lambda: house.counts.thoughts["cut_short"])
    await settled()
    assert table.state.play.number == number, "nobody is there, so nobody acts"
    back, _ = await arrive(house, "", peers[0].token)
    del back
    returned = await come_back(house, peers[0])
    await play_on([returned], lambda: table.state.play.number > number)
    await house.close()


async def test_a_table_that_is_closed_while_its_bot_thinks_wants_no_answer_any_more() -> None:
    house = await house_with()
    peers = await table_with(house, "goes-on")
    await play_until_bot_thinks(house, peers)
    table = next(iter(house.tables.values()))
    await peers[0].ask(LeaveTable(0))
    await until(lambda: table.closed and not house.tables)
    await until(lambda: house.counts.thoughts["cut_short"])
    assert house.minds.waiting == 0
    await house.close()


async def test_a_thought_for_a_state_that_is_gone_is_dropped(logged: Logged) -> None:
    """After a fault the table begins anew from its facts; what was thought before it is not played twice."""
    clock = HandClock()
    house = await house_with(clock)
    peers = await table_with(house, "goes-on")
    peers[0].may_miss = True
    await play_until_bot_thinks(house, peers)
    table = next(iter(house.tables.values()))
    table.stillness.wait_after_fault()
    await clock.advance(house.settings.pace.retry_seconds)
    assert not table.frozen
    await play_on(peers, lambda: table.state.stage == "over")
    assert logged.events("error") == []
    await house.close()


async def test_a_queue_that_was_full_is_asked_again() -> None:
    clock = HandClock()
    house = await house_with(clock)
    house.minds = Minds(Limits(waiting_thoughts=1, workers=1), clock, house.counts, WORKER)
    in_the_way = [house.minds.ask(question("plain"), lambda _: None)]
    peers = await table_with(house, "plain")
    table = next(iter(house.tables.values()))
    del in_the_way

    async def pass_time() -> None:
        while True:
            await clock.advance(1)

    passing = asyncio.create_task(pass_time())
    await play_on(peers, lambda: table.state.stage == "over")
    passing.cancel()
    await house.close()


async def test_a_bots_pace_is_no_longer_for_the_thought_it_takes() -> None:
    clock = HandClock()
    house = await house_with(clock)
    peers = await table_with(house, "plain", TableOptions(bots=5000))
    await play_until_bot_thinks(house, peers)
    table = next(iter(house.tables.values()))
    number = table.state.play.number
    await until(lambda: house.counts.thoughts["whole"])
    await settled()
    assert table.state.play.number == number, "the thought is there, and waits for its pace"
    await clock.advance(5)
    await until(lambda: table.state.play.number > number)
    await house.close()
