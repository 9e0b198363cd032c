"""Who may do what: spectators, strangers and the wrong seat change nothing, whatever they send."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from looseends_core.actions import PASS, Bid, Cover, DoubleCross, Play
from looseends_core.rules import rule_set
from looseends_protocol.messages import (
    FROM_CLIENT,
    Act,
    AskHint,
    Attending,
    BeReady,
    CreateTable,
    DeleteTraces,
    Done,
    GetContest,
    GetGame,
    GetLeaders,
    GetNumbers,
    GetRecord,
    GiveNonce,
    Hello,
    JoinTable,
    LeaveLists,
    LeaveTable,
    ListGames,
    ListTables,
    LookAt,
    MakeCode,
    Ping,
    PlayDaily,
    Pong,
    Refused,
    Request,
    Resync,
    ReviewGame,
    Say,
    SeatBot,
    ShareReplay,
    StartGame,
    StepAway,
    TableOptions,
    Unseat,
    WatchTable,
    WhatIf,
)
from looseends_server.house import House
from looseends_server.table import Table
from tests.server.peers import FAST, HandClock, Peer, arrive, open_house, play_on, seated_table, settled, start

AT_THE_TABLE: list[Request] = [
    *(Act(0, 1, number, action) for number in range(12) for action in (PASS, Bid(3), Play(3), Cover(3), DoubleCross())),
    *(BeReady(0, number) for number in range(3)),
    *(GiveNonce(0, number, bytes(16)) for number in range(3)),
    *(SeatBot(0, seat, "rookie") for seat in range(5)),
    *(Unseat(0, seat) for seat in range(5)),
    AskHint(0, 1, 4),
    StartGame(0),
]
"""Everything that could change a game."""
HARMLESS = (GetRecord, LeaveTable, Resync, Say, StepAway)
"""Requests at a table that change no game, whoever sends them; leaving is a spectator's own affair."""
IN_THE_HALL = (Hello, MakeCode, ListTables, CreateTable, JoinTable, WatchTable, Ping, Pong)
OF_FINISHED_GAMES = (DeleteTraces, GetGame, GetLeaders, GetNumbers, LeaveLists, ListGames, ReviewGame, WhatIf)
OF_CONTESTS = (GetContest, PlayDaily)
OF_SHARED_REPLAYS = (LookAt, ShareReplay)


def test_every_request_is_looked_at_here() -> None:
    elsewhere = {*HARMLESS, *IN_THE_HALL, *OF_FINISHED_GAMES, *OF_CONTESTS, *OF_SHARED_REPLAYS}
    looked_at = {type(request) for request in AT_THE_TABLE} | elsewhere
    assert looked_at == set(FROM_CLIENT)


STAGES = ("gathering", "dealing", "playing", "between", "over")


async def at_stage(stage: str) -> tuple[House, list[Peer], Table]:
    house = await open_house(HandClock())
    players = await seated_table(house, ["ann", "bob"], rule_set(2, rounds=1 if stage == "over" else 2), FAST)
    assert players[0].table is not None
    table = house.tables[players[0].table.code]
    for peer in players:
        peer.nonces = stage != "dealing"
        peer.ready_for = (1, 1)
    if stage != "gathering":
        await start(players)
        await play_on(
            players, lambda: table.state.stage == stage and (stage != "playing" or table.state.play.number > 4)
        )
    await settled()
    return house, players, table


async def spectator(house: House, players: list[Peer], table: Table) -> Peer:
    peer, _ = await arrive(house, "eve")
    await peer.expect(WatchTable(0, table.code), Attending)
    return peer


async def stranger(house: House, players: list[Peer], table: Table) -> Peer:
    peer, _ = await arrive(house, "eve")
    return peer


async def somebody_at_another_table(house: House, players: list[Peer], table: Table) -> Peer:
    peer, _ = await arrive(house, "eve")
    await peer.expect(CreateTable(0, rule_set(2)), Attending)
    return peer


Who = Callable[[House, list[Peer], Table], Awaitable[Peer]]


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("who", [spectator, stranger, somebody_at_another_table])
async def test_nobody_without_a_seat_changes_a_game(who: Who, stage: str) -> None:
    house, players, table = await at_stage(stage)
    peer = await who(house, players, table)
    await settled()
    heard = [len(player.heard) for player in players]
    facts = table.journal_length
    for request in AT_THE_TABLE:
        if who is somebody_at_another_table and isinstance(request, SeatBot | Unseat | StartGame):
            continue
        answer = await peer.ask(request)
        assert isinstance(answer, Refused), (request, answer)
    assert table.journal_length == facts
    assert [len(player.heard) for player in players] == heard


@pytest.mark.parametrize("stage", STAGES)
async def test_a_seat_that_is_not_on_turn_changes_nothing_by_acting(stage: str) -> None:
    _house, players, table = await at_stage(stage)
    facts = table.journal_length
    for seat, peer in enumerate(players):
        if table.state.play.turn == seat:
            continue
        for request in AT_THE_TABLE:
            if isinstance(request, Act):
                await peer.refused(request)
        now = Act(0, table.state.game, table.state.play.number, PASS)
        error = await peer.refused(now)
        expected = {"playing": "action/not_your_turn", "gathering": "table/not_started"}
        assert error == expected.get(stage, error)
    assert table.journal_length == facts


@pytest.mark.parametrize("stage", STAGES)
async def test_a_guest_of_the_table_does_nothing_that_is_the_hosts(stage: str) -> None:
    _house, (_ann, bob), table = await at_stage(stage)
    facts = table.journal_length
    for request in AT_THE_TABLE:
        if isinstance(request, SeatBot | Unseat | StartGame):
            assert await bob.refused(request) == "table/not_host"
    assert table.journal_length == facts


@pytest.mark.parametrize("stage", STAGES)
async def test_the_host_does_nothing_to_a_running_game_but_remove_others(stage: str) -> None:
    _house, (ann, _bob), table = await at_stage(stage)
    if not table.state.running:
        return
    facts = table.journal_length
    for request in (*(SeatBot(0, seat, "rookie") for seat in range(5)), StartGame(0), Unseat(0, 0), Unseat(0, 2)):
        await ann.refused(request)
    assert table.journal_length == facts


async def test_spectators_see_no_hand_and_talk_only_where_the_table_lets_them() -> None:
    house = await open_house(HandClock())
    options = TableOptions(bots=0, spectators_talk=False)
    players = await seated_table(house, ["ann", "bob"], rule_set(2), options)
    assert players[0].table is not None
    code = players[0].table.code
    watcher, _ = await arrive(house, "eve")
    await watcher.expect(WatchTable(0, code), Attending)
    await start(players)
    await play_on(players, lambda: players[0].view and players[0].view.number > 4)
    await settled()
    assert watcher.view is not None
    assert not any(watcher.view.hand_known)
    assert await watcher.refused(Say(0, "hello")) == "chat/off"
    await watcher.expect(LeaveTable(0), Done)


async def test_a_table_may_have_no_spectators() -> None:
    house = await open_house(HandClock())
    players = await seated_table(house, ["ann", "bob"], rule_set(2), TableOptions(bots=0, spectators=False))
    assert players[0].table is not None
    watcher, _ = await arrive(house, "eve")
    assert await watcher.refused(WatchTable(0, players[0].table.code)) == "table/no_spectators"
