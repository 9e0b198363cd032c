"""Kept games are found again, by those who may see them, the same in every store."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from looseends_core.numbers import Numbers
from looseends_server.archive import game_to_keep, packed, record_json, unpacked
from looseends_server.people import NOBODY
from looseends_server.store.base import Change, Store
from looseends_server.store.games import (
    GameKept,
    GameQuery,
    GamesReader,
    LeftOut,
    Rating,
    Standing,
    StandingsReplaced,
    TracesDeleted,
)
from looseends_server.store.memory import MemoryStore
from looseends_server.store.sqlite import SqliteStore
from tests.server.kept_games import game_of, record
from tests.server.stores import Told


def both(folder: Path) -> list[Store]:
    return [MemoryStore(), SqliteStore(folder)]


def asked_of_both(folder: Path, changes: list[Change], ask: Callable[[GamesReader], object]) -> object:
    """Return what both stores answer after these changes; they have to answer the same."""

    async def answers() -> list[object]:
        found = []
        for store in both(folder):
            store.load()
            assert await Told(store).failures(*changes) == [None] * len(changes)
            reader = store.games()
            found.append(ask(reader))
            reader.close()
            await store.close()
        return found

    in_memory, on_disk = asyncio.run(answers())
    assert in_memory == on_disk
    return on_disk


ANN_BOB = record("ann", "bob", seed=1)
ANN_BOT = record("ann", "bot:rookie", seed=2, variants=("plan-b",))
BOB_DEE = record("bob", "Dee", "cid", seed=3)
GAMES: list[Change] = [
    GameKept(game_of(ANN_BOB, ended_at=1000.0, watched_by=(3,))),
    GameKept(game_of(ANN_BOT, ended_at=3000.0)),
    GameKept(game_of(BOB_DEE, ended_at=2000.0, open_to_all=True)),
]


def found(query: GameQuery) -> Callable[[GamesReader], object]:
    def ask(reader: GamesReader) -> object:
        rows, count = reader.find(query)
        return [[seat.name for seat in row.seats] for row in rows], count

    return ask


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (GameQuery(1), [["ann", "bot:rookie"], ["ann", "bob"]]),
        (GameQuery(2), [["bob", "Dee", "cid"], ["ann", "bob"]]),
        (GameQuery(9), []),
        (GameQuery(0), []),
        (GameQuery(9, mine=False), [["bob", "Dee", "cid"]]),
        (GameQuery(3, mine=False), [["bob", "Dee", "cid"], ["ann", "bob"]]),
        (GameQuery(0, mine=False, see_all=True), [["ann", "bot:rookie"], ["bob", "Dee", "cid"], ["ann", "bob"]]),
        (GameQuery(1, mine=False, who="bob"), [["bob", "Dee", "cid"], ["ann", "bob"]]),
        (GameQuery(1, who="bot:rookie"), [["ann", "bot:rookie"]]),
        (GameQuery(2, who="dee"), [["bob", "Dee", "cid"]]),
        (GameQuery(2, since=1500.0), [["bob", "Dee", "cid"]]),
        (GameQuery(2, until=2000.0), [["ann", "bob"]]),
        (GameQuery(2, players=3), [["bob", "Dee", "cid"]]),
        (GameQuery(1, variants="plan-b"), [["ann", "bot:rookie"]]),
        (GameQuery(1, variants=""), [["ann", "bob"]]),
        (GameQuery(1, who="' OR 1=1 --"), []),
    ],
)
def test_a_list_has_what_was_asked_for_newest_first_and_nothing_that_the_asker_may_not_see(
    tmp_path: Path, query: GameQuery, expected: list[list[str]]
) -> None:
    assert asked_of_both(tmp_path, GAMES, found(query)) == (expected, len(expected))


def test_pages_follow_each_other(tmp_path: Path) -> None:
    pages = [found(GameQuery(2, offset=offset, limit=1)) for offset in range(3)]
    answered = asked_of_both(tmp_path, GAMES, lambda reader: [page(reader) for page in pages])
    assert answered == [([["bob", "Dee", "cid"]], 2), ([["ann", "bob"]], 2), ([], 2)]


@pytest.mark.parametrize(
    ("game", "identity", "sees"),
    [
        (1, 1, True),
        (1, 2, True),
        (1, 3, True),
        (1, 4, False),
        (1, 0, False),
        (3, 9, True),
        (2, 2, False),
        (7, 1, False),
    ],
)
def test_a_record_is_open_to_players_spectators_and_where_the_table_was_public_to_all(
    tmp_path: Path, game: int, identity: int, sees: bool
) -> None:
    assert (asked_of_both(tmp_path, GAMES, lambda reader: reader.record(game, identity)) is not None) == sees


def test_the_owner_of_the_folder_sees_every_record_as_it_was_kept(tmp_path: Path) -> None:
    kept = asked_of_both(tmp_path, GAMES, lambda reader: reader.record(2, 0, see_all=True))
    assert isinstance(kept, bytes)
    assert unpacked(kept) == ANN_BOT


def test_a_game_is_kept_once(tmp_path: Path) -> None:
    standing = Standing("ann", 2, "", Numbers(games=7))
    again = GameKept(game_of(ANN_BOB, ended_at=9.0), (standing,))

    def ask(reader: GamesReader) -> object:
        return reader.find(GameQuery(1))[1], reader.standings(), reader.has(game_of(ANN_BOB).digest)

    assert asked_of_both(tmp_path, [*GAMES, again], ask) == (2, [], True)


def test_totals_are_written_with_a_game_and_replaced_whole(tmp_path: Path) -> None:
    first = Standing("ann", 2, "", Numbers(games=1))
    second = Standing("ann", 2, "", Numbers(games=2))
    other = Standing("bob", 3, "plan-b", Numbers(games=5, points=-3))
    rating = Rating("people", "ann", 25.5, 8.1, 1)
    kept: list[Change] = [GameKept(game_of(ANN_BOB), (first,), (rating,)), GameKept(game_of(BOB_DEE), (second, other))]

    def ask(reader: GamesReader) -> object:
        return reader.standings(), reader.ratings()

    assert asked_of_both(tmp_path / "a", kept, ask) == ([second, other], [rating])
    assert asked_of_both(tmp_path / "b", [*kept, StandingsReplaced((other,), ())], ask) == ([other], [])


def test_deleted_traces_leave_the_game_and_nobody_on_the_seat(tmp_path: Path) -> None:
    nameless = packed(record(NOBODY, "bob", seed=1))

    bobs: list[bytes] = []

    def ask(reader: GamesReader) -> object:
        rows, _ = reader.find(GameQuery(2))
        bobs.append(reader.record(1, 2) or b"")
        return (
            [(seat.identity, seat.who, seat.name) for seat in rows[-1].seats],
            reader.find(GameQuery(1))[1],
            reader.record(1, 1),
            [number for number, _, _ in reader.games_of(1)],
        )

    changes = [*GAMES, TracesDeleted(1, ((1, nameless),), NOBODY, "gone:7")]
    assert asked_of_both(tmp_path, changes, ask) == ([(0, "gone:7", NOBODY), (2, "bob", "bob")], 1, None, [2])
    assert all(unpacked(kept).players == (NOBODY, "bob") for kept in bobs)


def test_who_wants_to_be_in_no_list_is_kept(tmp_path: Path) -> None:
    changes: list[Change] = [LeftOut(1, True), LeftOut(2, True), LeftOut(2, True), LeftOut(1, False), LeftOut(5, False)]
    assert asked_of_both(tmp_path, changes, lambda reader: reader.left_out()) == {2}


def test_every_game_is_read_in_the_order_in_which_it_was_kept(tmp_path: Path) -> None:
    def ask(reader: GamesReader) -> object:
        return [(row.game, unpacked(kept)) for row, kept in reader.every_game()]

    assert asked_of_both(tmp_path, GAMES, ask) == [(1, ANN_BOB), (2, ANN_BOT), (3, BOB_DEE)]


@given(st.binary(max_size=60))
@settings(max_examples=50)
def test_bytes_that_are_no_record_are_told_as_such(noise: bytes) -> None:
    with pytest.raises(ValueError, match=r".*"):
        unpacked(noise)


def test_a_record_that_would_fill_the_memory_is_not_unpacked() -> None:
    with pytest.raises(ValueError, match="more than"):
        record_json(zlib.compress(b" " * (8 * 2**20)))


def test_an_unfinished_game_is_not_kept() -> None:
    unfinished = record("ann", "bob")
    with pytest.raises(ValueError, match="not over"):
        game_to_keep(msgspec.structs.replace(unfinished, scores=None), 0.0, (1, 2), origin="")
