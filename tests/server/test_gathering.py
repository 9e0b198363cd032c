"""A table before its game: who sits where, who may start."""

from __future__ import annotations

import msgspec
import pytest

from looseends_core.rules import rule_set
from looseends_protocol.messages import (
    Attending,
    CreateTable,
    Detached,
    Done,
    GameBegan,
    JoinTable,
    LeaveTable,
    ListTables,
    Request,
    SeatBot,
    SeatsChanged,
    StartGame,
    TableOptions,
    Tables,
    Unseat,
    WatchTable,
)
from looseends_server.house import House
from tests.server.peers import FAST, HandClock, Peer, arrive, open_house, settled


async def opened(players: int = 3, options: TableOptions = FAST) -> tuple[House, Peer, str]:
    house = await open_house(HandClock())
    host, _ = await arrive(house, "ann")
    table = await host.expect(CreateTable(0, rule_set(players), options), Attending)
    assert (table.seat, table.host, table.phase) == (0, "ann", "gathering")
    return house, host, table.code


async def join(house: House, name: str, code: str, seat: int | None = None) -> Peer:
    peer, _ = await arrive(house, name)
    await peer.expect(JoinTable(0, code, seat), Attending)
    return peer


def names_at(peer: Peer) -> list[str]:
    return [seat.name for seat in peer.got(SeatsChanged)[-1].seats]


async def test_who_joins_gets_the_first_open_seat_or_the_one_named_and_everybody_hears_of_it() -> None:
    house, host, code = await opened()
    cy = await join(house, "cy", code, 2)
    bob = await join(house, "bob", code)
    assert cy.table is not None
    assert bob.table is not None
    assert (cy.table.seat, bob.table.seat) == (2, 1)
    for peer in (host, cy, bob):
        await settled()
        assert names_at(peer) == ["ann", "bob", "cy"]


async def test_a_seat_that_is_taken_or_not_there_and_a_full_table_are_refused_by_name() -> None:
    house, _host, code = await opened(2)
    bob, _ = await arrive(house, "bob")
    assert await bob.refused(JoinTable(0, code, 0)) == "table/seat_taken"
    assert await bob.refused(JoinTable(0, code, 2)) == "table/no_such_seat"
    assert await bob.refused(JoinTable(0, "0000000000")) == "table/unknown"
    await bob.expect(JoinTable(0, code, 1), Attending)
    cy, _ = await arrive(house, "cy")
    assert await cy.refused(JoinTable(0, code)) == "table/full"


async def test_n_and_k_more_joiners_at_once_fill_the_seats_once_each() -> None:
    house, _host, code = await opened(5)
    joiners = [(await arrive(house, f"p{number}"))[0] for number in range(12)]
    ids = [peer.post(JoinTable(0, code)) for peer in joiners]
    await settled()
    answers = [peer.answer(number) for peer, number in zip(joiners, ids, strict=True)]
    seats = [answer.seat for answer in answers if isinstance(answer, Attending)]
    assert sorted(seat for seat in seats if seat is not None) == [1, 2, 3, 4]
    assert sum(getattr(answer, "error", "") == "table/full" for answer in answers) == 8


async def test_the_host_seats_bots_and_takes_them_off() -> None:
    house, host, code = await opened()
    assert await host.refused(SeatBot(0, 1, "nobody")) == "table/no_level"
    assert await host.refused(SeatBot(0, 0, "rookie")) == "table/seat_taken"
    assert await host.refused(SeatBot(0, 4, "rookie")) == "table/no_such_seat"
    await host.expect(SeatBot(0, 1, "rookie"), Done)
    await host.expect(SeatBot(0, 2, "rookie"), Done)
    await settled()
    assert [(seat.kind, seat.name) for seat in host.got(SeatsChanged)[-1].seats] == [
        ("person", "ann"),
        ("bot", "rookie"),
        ("bot", "rookie 2"),
    ]
    late, _ = await arrive(house, "late")
    assert await late.refused(JoinTable(0, code)) == "table/full"
    await host.expect(Unseat(0, 1), Done)
    await late.expect(JoinTable(0, code), Attending)
    assert await host.refused(Unseat(0, 0)) == "table/nobody_there"
    assert await host.refused(Unseat(0, 4)) == "table/no_such_seat"


async def test_a_person_taken_off_is_told_and_their_seat_is_open() -> None:
    house, host, code = await opened()
    bob = await join(house, "bob", code)
    await host.expect(Unseat(0, 1), Done)
    await settled()
    assert bob.got(Detached)[-1].error == "table/removed"
    assert await bob.refused(LeaveTable(0)) == "table/not_here"
    assert names_at(host)[1] == ""
    await bob.expect(JoinTable(0, code), Attending)


async def test_only_the_host_may_seat_bots_unseat_and_start() -> None:
    house, _host, code = await opened()
    bob = await join(house, "bob", code)
    watcher, _ = await arrive(house, "eve")
    await watcher.expect(WatchTable(0, code), Attending)
    requests: list[Request] = [SeatBot(0, 2, "rookie"), Unseat(0, 0), StartGame(0)]
    for request in requests:
        for peer in (bob, watcher):
            assert await peer.refused(request) == "table/not_host"


async def test_a_game_starts_only_with_every_seat_taken_and_only_once() -> None:
    house, host, code = await opened(2)
    assert await host.refused(StartGame(0)) == "table/seats_open"
    bob = await join(house, "bob", code)
    await host.expect(StartGame(0), Done)
    await settled()
    assert bob.got(GameBegan)[-1].game == 1
    assert await host.refused(StartGame(0)) == "table/started"
    assert await host.refused(SeatBot(0, 1, "rookie")) == "table/started"
    late, _ = await arrive(house, "late")
    assert await late.refused(JoinTable(0, code)) == "table/started"


async def test_who_leaves_before_the_game_frees_the_seat() -> None:
    house, host, code = await opened(2)
    bob = await join(house, "bob", code)
    await bob.expect(LeaveTable(0), Done)
    await settled()
    assert names_at(host) == ["ann", ""]
    assert await bob.refused(LeaveTable(0)) == "table/not_here"
    await join(house, "cy", code)


async def test_a_spectator_who_sits_down_is_announced_and_watches_no_more() -> None:
    house, host, code = await opened(2)
    bob, _ = await arrive(house, "bob")
    await bob.expect(WatchTable(0, code), Attending)
    await settled()
    assert host.got(SeatsChanged)[-1].watching == ("bob",)
    await bob.expect(JoinTable(0, code), Attending)
    await settled()
    last = host.got(SeatsChanged)[-1]
    assert (last.watching, last.seats[1].name, last.seats[1].connected) == ((), "bob", True)


async def test_rules_outside_their_limits_make_no_table() -> None:
    house = await open_house(HandClock())
    ann, _ = await arrive(house, "ann")
    wrong = msgspec.structs.replace(rule_set(2), hand_size=40)
    assert await ann.refused(CreateTable(0, wrong)) == "table/rules"
    assert not house.tables


async def test_a_private_table_is_not_listed_and_is_joined_by_its_code_however_typed() -> None:
    house, _host, code = await opened(3, TableOptions(private=True))
    bob, _ = await arrive(house, "bob")
    assert (await bob.expect(ListTables(0), Tables)).tables == ()
    typed = code.lower().replace("0", "o").replace("1", "l")
    await bob.expect(JoinTable(0, f"{typed[:5]}-{typed[5:]}"), Attending)
    assert len(code) == 10, "50 bits"


@pytest.mark.parametrize("enter", [JoinTable, WatchTable])
async def test_a_table_password_is_asked_of_strangers_and_not_of_those_who_sit_there(
    enter: type[JoinTable] | type[WatchTable],
) -> None:
    house = await open_house(HandClock())
    ann, _ = await arrive(house, "ann")
    table = await ann.expect(CreateTable(0, rule_set(3), FAST, "carrot"), Attending)
    kept = house.tables[table.code].state.password
    assert kept.startswith("$argon2id$"), "a password is kept as its hash"
    bob, _ = await arrive(house, "bob")
    listed = await bob.expect(ListTables(0), Tables)
    assert listed.tables[0].needs_password
    assert await bob.refused(enter(0, table.code)) == "table/password"
    assert await bob.refused(enter(0, table.code, password="turnip")) == "table/password"
    await bob.expect(enter(0, table.code, password="carrot"), Attending)
    again, _ = await arrive(house, "", ann.token)
    await again.expect(JoinTable(0, table.code), Attending)
    await house.close()
