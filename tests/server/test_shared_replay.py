"""A finished game is looked at together: one leads, everybody follows, and nothing is played there."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from looseends_core.actions import PASS
from looseends_core.record import record_from_json
from looseends_core.rules import rule_set
from looseends_core.verify import check_record
from looseends_protocol.messages import (
    Act,
    AskHint,
    Attending,
    BeReady,
    CreateTable,
    Detached,
    Done,
    Games,
    GetRecord,
    JoinTable,
    LeaveTable,
    ListGames,
    ListTables,
    LookAt,
    LookedAt,
    RecordText,
    Resync,
    Said,
    Say,
    SeatBot,
    SeatsChanged,
    ShareReplay,
    StartGame,
    StepAway,
    TableOptions,
    Tables,
    Unseat,
    WatchTable,
)
from looseends_server.house import House
from looseends_server.limits import Limits, Pace, ServerSettings
from tests.server.peers import HandClock, Peer, arrive, play_on, settled, start

RULES = rule_set(3, variants=("plan-b",), rounds=2, hand_size=4, max_bid=2)
PLENTY = ServerSettings(limits=Limits(burst_messages=10_000, resyncs=1000))


async def house_with_a_game(
    folder: Path | None = None, *, private: bool = False, settings: ServerSettings = PLENTY
) -> tuple[House, Peer, Peer, int]:
    """Return a house in which ann, bob and a rookie have finished a game, and the game's number."""
    house = await House.open(folder, settings, clock=HandClock(), entropy=random.Random(5).randbytes)
    ann, bob = [(await arrive(house, name))[0] for name in ("ann", "bob")]
    options = TableOptions(bots=0, private=private)
    code = (await ann.expect(CreateTable(0, RULES, options), Attending)).code
    await bob.expect(JoinTable(0, code), Attending)
    await ann.ask(SeatBot(0, 2, "rookie"))
    table = house.tables[code]
    await start([ann, bob])
    await play_on([ann, bob], lambda: table.state.stage == "over")
    for peer in (ann, bob):
        await peer.ask(LeaveTable(0))
    await settled()
    for _ in range(50):
        found = (await ann.expect(ListGames(0), Games)).games
        if found:
            return house, ann, bob, found[0].game
        await settled()
    raise AssertionError("the game was not kept")


async def test_a_finished_game_stands_at_a_table_at_which_nobody_sits() -> None:
    house, ann, _, game = await house_with_a_game()
    told = await ann.expect(ShareReplay(0, game), Attending)
    end = len(told.events)
    assert (told.phase, told.seat, told.host, told.looking_at) == ("over", None, "ann", end)
    assert (told.options.replay, told.options.private, told.options.spectators_talk) == (True, True, True)
    assert [(seat.kind, seat.name) for seat in told.seats] == [("person", "ann"), ("person", "bob"), ("bot", "rookie")]
    record = record_from_json(json.loads((await ann.expect(GetRecord(0), RecordText)).record))
    check_record(record)
    assert record.players == ("ann", "bob", "bot:rookie")
    assert record.winners is not None
    assert all(played.fairness is not None for played in record.rounds)
    await house.close()


async def test_only_who_may_see_a_game_may_share_it() -> None:
    house, ann, _, game = await house_with_a_game(private=True)
    dee, _ = await arrive(house, "dee")
    assert await dee.refused(ShareReplay(0, game)) == "game/unknown"
    assert await ann.refused(ShareReplay(0, game + 1)) == "game/unknown"
    await ann.expect(ShareReplay(0, game), Attending)
    await house.close()


async def test_its_host_leads_everybody_follows_and_who_comes_later_stands_there_too() -> None:
    house, ann, bob, game = await house_with_a_game()
    code = (await ann.expect(ShareReplay(0, game), Attending)).code
    await bob.expect(WatchTable(0, code), Attending)
    assert isinstance(await ann.ask(LookAt(0, 7)), Done)
    await bob.until(lambda: bob.got(LookedAt))
    assert [push.number for push in bob.got(LookedAt)] == [push.number for push in ann.got(LookedAt)] == [7]
    cid, _ = await arrive(house, "cid")
    late = await cid.expect(WatchTable(0, code), Attending)
    assert late.looking_at == 7
    assert late.watching == ("ann", "bob", "cid")
    assert await cid.refused(LookAt(0, 3)) == "table/not_host"
    assert (await bob.expect(Resync(0), Attending)).looking_at == 7
    assert isinstance(await ann.ask(LookAt(0, 2**31 - 1)), Done)
    assert ann.got(LookedAt)[-1].number == len(late.events)
    assert isinstance(await cid.expect(GetRecord(0), RecordText), RecordText)
    await house.close()


async def test_everybody_may_talk_and_nobody_plays() -> None:
    house, ann, bob, game = await house_with_a_game()
    told = await ann.expect(ShareReplay(0, game), Attending)
    await bob.expect(WatchTable(0, told.code), Attending)
    await bob.ask(Say(0, "why the red nine?"))
    await ann.until(lambda: ann.got(Said) and ann.got(Said)[-1].line.name == "bob")
    length = house.tables[told.code].journal_length
    number = len(told.events)
    for peer in (ann, bob):
        for request in (
            Act(0, told.game, number, PASS),
            AskHint(0, told.game, number),
            BeReady(0, 2),
            StartGame(0),
            SeatBot(0, 0, "rookie"),
            Unseat(0, 1),
        ):
            assert await peer.refused(request) == "replay/shown", request
    cid, _ = await arrive(house, "cid")
    assert (await cid.expect(JoinTable(0, told.code), Attending)).seat is None, "who wants to sit down watches"
    assert house.tables[told.code].journal_length == length
    assert len((await ann.expect(ListGames(0), Games)).games) == 1, "it is no game of its own"
    assert await ann.refused(ShareReplay(0, game + 7)) == "game/unknown"
    await house.close()


@pytest.mark.parametrize("leaving", [LeaveTable(0), StepAway(0), CreateTable(0, RULES)])
async def test_it_closes_when_its_host_leaves(leaving: LeaveTable | StepAway | CreateTable) -> None:
    house, ann, bob, game = await house_with_a_game()
    code = (await ann.expect(ShareReplay(0, game), Attending)).code
    await bob.expect(WatchTable(0, code), Attending)
    await ann.ask(leaving)
    await bob.until(lambda: bob.got(Detached))
    assert bob.got(Detached)[-1].error == "table/closed"
    assert code not in house.tables
    assert await bob.refused(WatchTable(0, code)) == "table/unknown"
    await house.close()


async def test_it_goes_on_when_another_leaves_or_its_host_loses_the_connection() -> None:
    house, ann, bob, game = await house_with_a_game()
    code = (await ann.expect(ShareReplay(0, game), Attending)).code
    await bob.expect(WatchTable(0, code), Attending)
    await bob.ask(LeaveTable(0))
    await bob.expect(WatchTable(0, code), Attending)
    ann.close()
    await bob.until(lambda: bob.got(SeatsChanged) and bob.got(SeatsChanged)[-1].watching == ("bob",))
    assert bob.got(SeatsChanged)[-1].host == "ann"
    back, _ = await arrive(house, "", ann.token)
    await back.expect(WatchTable(0, code), Attending)
    assert isinstance(await back.ask(LookAt(0, 3)), Done)
    await bob.until(lambda: bob.got(LookedAt))
    await house.close()


async def test_it_is_forgotten_some_time_after_everybody_has_gone_and_not_before() -> None:
    pace = Pace(forget_over_seconds=600)
    house, ann, _, game = await house_with_a_game(settings=ServerSettings(limits=PLENTY.limits, pace=pace))
    assert isinstance(house.clock, HandClock)
    code = (await ann.expect(ShareReplay(0, game), Attending)).code
    for _ in range(15):
        await house.clock.advance(60)
    ann.close()
    await settled()
    for _ in range(8):
        await house.clock.advance(60)
    assert code in house.tables
    for _ in range(8):
        await house.clock.advance(60)
    assert code not in house.tables
    await house.close()


async def test_it_outlives_a_restart_and_stands_at_the_end_then(tmp_path: Path) -> None:
    house, ann, _, game = await house_with_a_game(tmp_path)
    told = await ann.expect(ShareReplay(0, game), Attending)
    await ann.ask(LookAt(0, 5))
    await house.close()
    house = await House.open(tmp_path, PLENTY, clock=HandClock())
    back, _ = await arrive(house, "", ann.token)
    again = await back.expect(WatchTable(0, told.code), Attending)
    assert (again.looking_at, again.events) == (len(told.events), told.events)
    assert isinstance(await back.ask(LookAt(0, 4)), Done)
    await house.close()


async def test_such_tables_count_among_those_that_somebody_may_have_open() -> None:
    limits = Limits(burst_messages=10_000, resyncs=1000, tables_per_person=2)
    house, ann, _, game = await house_with_a_game(settings=ServerSettings(limits=limits))
    for _ in range(2):
        await ann.expect(ShareReplay(0, game), Attending)
        ann.close()
        ann, _ = await arrive(house, "", ann.token)
    assert await ann.refused(ShareReplay(0, game)) == "table/too_many"
    await house.close()


async def test_the_lobby_leaves_it_out_and_no_client_makes_one_by_its_options() -> None:
    house, ann, bob, game = await house_with_a_game()
    code = (await ann.expect(ShareReplay(0, game), Attending)).code
    assert code not in {line.code for line in (await bob.expect(ListTables(0), Tables)).tables}
    made = await bob.expect(CreateTable(0, RULES, TableOptions(replay=True)), Attending)
    assert not made.options.replay
    assert made.looking_at is None
    assert await bob.refused(LookAt(0, 0)) == "replay/none"
    await house.close()
