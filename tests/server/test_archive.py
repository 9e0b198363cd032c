"""A game that ends is kept once, with what it adds to its players' numbers, whatever happens around its end."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from looseends_core.numbers import numbers_of_game
from looseends_core.rules import rule_set
from looseends_protocol.messages import TableOptions
from looseends_server.archive import Archive, unpacked
from looseends_server.house import House
from looseends_server.limits import Limits, ServerSettings
from looseends_server.people import NOBODY
from looseends_server.store.base import StoreFailed
from looseends_server.store.games import GameKept, GameQuery, GameRow
from looseends_server.store.memory import MemoryStore
from looseends_server.store.sqlite import SqliteStore
from looseends_server.totals import BOTS, PEOPLE, Totals
from tests.server.conftest import Logged
from tests.server.faulty_store import FaultyStore
from tests.server.kept_games import game_of, record
from tests.server.peers import FAST, HandClock, open_house, play_on, seated_table, settled, start

RULES = rule_set(3, rounds=1, hand_size=5, max_bid=2)


async def play_a_game(house: House, options: TableOptions = FAST) -> str:
    """Let ann, bob and a rookie play to the end; return the table's code."""
    peers = await seated_table(house, ["ann", "bob"], RULES, options, bots=1)
    (table,) = house.tables.values()
    await start(peers)
    await play_on(peers, lambda: table.state.stage == "over")
    await settled()
    return table.code


def rows(house: House, identity: int = 1) -> list[GameRow]:
    return house.store.games().find(GameQuery(identity, mine=False))[0]


async def test_a_finished_game_is_kept_with_its_record_and_numbers() -> None:
    house = await open_house(HandClock())
    code = await play_a_game(house)
    (row,) = rows(house)
    assert [seat.name for seat in row.seats] == ["ann", "bob", "bot:rookie"]
    assert [seat.identity > 0 for seat in row.seats] == [True, True, False]
    assert (row.origin, row.players, row.variants, row.proven, row.open_to_all) == (code, 3, "", True, True)
    kept = house.store.games().record(row.game, row.seats[0].identity)
    assert kept is not None
    assert unpacked(kept).scores == tuple(seat.score for seat in row.seats)
    (numbers,) = house.archive.totals.standings_of("ann")
    assert (numbers.numbers.games, numbers.numbers.points) == (1, row.seats[0].score)
    assert house.archive.totals.rating_of("ann") is not None
    assert house.archive.totals.rating_of("bot:rookie") is None, "one bot alone is compared with nobody"
    await house.close()


async def test_a_private_table_is_open_to_its_players_alone() -> None:
    house = await open_house(HandClock())
    await play_a_game(house, TableOptions(private=True, bots=0))
    (row,) = rows(house)
    assert not row.open_to_all
    assert rows(house, identity=77) == []
    await house.close()


async def test_a_game_that_could_not_be_kept_is_kept_once_the_store_works_again(logged: Logged) -> None:
    clock, store = HandClock(), FaultyStore()
    house = await open_house(clock, store)
    store.fail_with("disk full", lambda change: isinstance(change, GameKept))
    await play_a_game(house)
    logged.expect("game not kept")
    assert rows(house) == []
    assert house.archive.totals.standings() == ()
    store.work_again()
    await clock.advance(601)
    await settled()
    assert len(rows(house)) == 1
    assert house.archive.totals.standings_of("ann")[0].numbers.games == 1
    await house.close()


async def test_a_process_that_ended_at_the_end_of_a_game_keeps_it_at_the_next_start_and_only_then() -> None:
    store = FaultyStore()
    house = await open_house(HandClock(), store)
    store.fail_with("gone", lambda change: isinstance(change, GameKept))
    house.archive.done.add((1, 1))  # as if the process had ended before the archive heard of it
    await play_a_game(house)
    again = await open_house(HandClock(), store.lose_unsynced())
    await settled()
    assert len(rows(again)) == 1
    third = await open_house(HandClock(), MemoryStore(store.kept))
    await settled()
    assert len(rows(third)) == 1
    assert third.archive.totals.standings_of("ann")[0].numbers.games == 1
    for one in (again, third):
        await one.close()


async def test_where_the_host_wants_no_ratings_there_are_none() -> None:
    settings = ServerSettings(limits=Limits(burst_messages=10_000), rated=False)
    house = await open_house(HandClock(), settings=settings)
    await play_a_game(house)
    assert house.archive.totals.standings_of("ann")
    assert house.archive.totals.ratings() == ()
    await house.close()


def test_people_and_bots_are_rated_apart_and_only_by_proven_games() -> None:
    totals = Totals()
    played = record("ann", "bob", "bot:rookie", "bot:steady", seed=4)
    kept, numbers = game_of(played), numbers_of_game(played)
    standings, ratings = totals.after(4, "", kept.seats, numbers, proven=True)
    assert {(one.ladder, one.who) for one in ratings} == {
        (PEOPLE, "ann"),
        (PEOPLE, "bob"),
        (BOTS, "bot:rookie"),
        (BOTS, "bot:steady"),
    }
    assert totals.after(4, "", kept.seats, numbers, proven=False) == (standings, ())
    totals.take(standings, ratings)
    scores = {seat.who: seat.score for seat in kept.seats}
    first, second = totals.leaders(PEOPLE)
    assert scores[first.who] >= scores[second.who]


async def rebuilt(archive: Archive) -> tuple[int | None, bool]:
    told: asyncio.Future[tuple[int | None, bool]] = asyncio.get_running_loop().create_future()
    archive.rebuild(lambda games, differs: told.set_result((games, differs)))
    return await asyncio.wait_for(told, 10)


async def kept_in(archive: Archive, *names: str, seed: int) -> None:
    told: list[StoreFailed | None] = []
    of = record(*names, seed=seed)
    archive.keep(game_of(of), of, told.append)
    await settled()
    assert told == [None]


async def test_what_is_folded_anew_equals_the_running_totals_and_mends_them_where_they_are_wrong() -> None:
    store = MemoryStore()
    store.load()
    archive = Archive(store)
    for seed in range(8):
        names = [("ann", "bob"), ("ann", "bob", "bot:rookie", "bot:rookie", "bot:steady"), ("bob", "Dee", "cid")]
        await kept_in(archive, *names[seed % 3], seed=seed)
    before = archive.totals
    assert await rebuilt(archive) == (8, False)
    assert archive.totals.standings() == before.standings()
    assert archive.totals.ratings() == before.ratings()
    archive.totals.rename("ann", "gone:1")
    assert await rebuilt(archive) == (8, True)
    assert archive.totals.standings() == tuple(store.games().standings()) == before.standings()
    await archive.close()


async def test_deleted_traces_are_gone_from_games_numbers_and_ladder_and_stay_so() -> None:
    store = MemoryStore()
    store.load()
    archive = Archive(store)
    for seed in range(45):
        await kept_in(archive, "ann", "bob", seed=seed)
    told: asyncio.Future[StoreFailed | None] = asyncio.get_running_loop().create_future()
    archive.delete_traces(1, "Ann", "77", told.set_result)
    assert await asyncio.wait_for(told, 10) is None
    assert store.games().find(GameQuery(1))[1] == 0
    assert store.games().find(GameQuery(2))[1] == 45
    assert b"ann" not in b"".join(unpacked(kept).players[0].encode() for _, kept in store.games().every_game())
    assert archive.totals.standings_of("ann") == ()
    assert archive.totals.rating_of("ann") is None
    assert [rating.who for rating in archive.totals.leaders(PEOPLE)] == ["bob"]
    assert await rebuilt(archive) == (45, False)
    assert archive.totals.standings_of("ann") == ()
    assert archive.totals.standings_of(NOBODY) == ()
    assert archive.totals.standings_of("bob")[0].numbers.games == 45
    await archive.close()


@pytest.mark.parametrize("out", [True, False])
async def test_who_is_left_out_of_lists_is_so_after_a_restart_too(out: bool) -> None:
    store = MemoryStore()
    store.load()
    archive = Archive(store)
    told: list[StoreFailed | None] = []
    archive.leave_out(3, True, told.append)
    archive.leave_out(3, out, told.append)
    await settled()
    assert told == [None, None]
    assert (3 in archive.left_out) == (3 in Archive(store).left_out) == out
    await archive.close()


async def test_a_game_that_ends_while_all_are_folded_anew_is_counted_once() -> None:
    store = MemoryStore()
    store.load()
    archive = Archive(store)
    await kept_in(archive, "ann", "bob", seed=1)
    told: asyncio.Future[tuple[int | None, bool]] = asyncio.get_running_loop().create_future()
    archive.rebuild(lambda games, differs: told.set_result((games, differs)))
    of = record("ann", "bob", seed=2)
    kept: asyncio.Future[StoreFailed | None] = asyncio.get_running_loop().create_future()
    archive.keep(game_of(of), of, kept.set_result)
    assert await asyncio.wait_for(told, 10) == (1, False)
    assert await asyncio.wait_for(kept, 10) is None
    assert archive.totals.standings_of("ann")[0].numbers.games == 2
    assert await rebuilt(archive) == (2, False)
    await archive.close()


async def test_games_that_wait_while_the_house_closes_are_left_to_the_next_start(tmp_path: Path) -> None:
    faults: list[dict[str, object]] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: faults.append(context))
    house = await open_house(store=SqliteStore(tmp_path))
    told: list[StoreFailed | None] = []
    for seed in range(3):  # each waits for the one before
        of = record("ann", "bob", seed=seed)
        house.archive.keep(game_of(of), of, told.append)
    await house.close()
    assert faults == []
    assert told == [None], "what had begun is kept, and nothing else is said to be"


async def test_a_game_that_ends_while_the_house_closes_is_kept_at_the_next_start(tmp_path: Path) -> None:
    house = await open_house(store=SqliteStore(tmp_path))
    house.archive.done.add((1, 1))  # as if its last move were still being written
    await play_a_game(house)
    await house.archive.close()
    house.archive.done.clear()
    house.archive.keep_game_of(*house.tables.values())
    await house.close()
    again = await open_house(store=SqliteStore(tmp_path))
    async with asyncio.timeout(10):
        while not rows(again):
            await again.store.flush()
    await again.close()


async def test_nothing_is_remembered_of_a_table_that_was_let_go() -> None:
    house = await open_house()
    code = await play_a_game(house)
    assert house.archive.done
    house.close_table(house.tables[code], lambda error: None)
    await settled()
    assert not house.tables
    assert not house.archive.done
    await house.close()
