"""Finished games are found, read, counted and forgotten by those who may, over the protocol."""

from __future__ import annotations

import json

import msgspec

from looseends_core.numbers import Numbers
from looseends_core.rules import rule_set
from looseends_core.verify import verify_text
from looseends_protocol.messages import (
    Attending,
    CreateTable,
    DeleteTraces,
    GameLine,
    Games,
    GetGame,
    GetLeaders,
    GetNumbers,
    JoinTable,
    Leaders,
    LeaveLists,
    ListGames,
    NumbersOf,
    RecordText,
    TableOptions,
    WatchTable,
)
from looseends_server.house import House
from looseends_server.people import NOBODY
from tests.server.peers import FAST, HandClock, Peer, arrive, open_house, play_on, settled, start

RULES = rule_set(2, variants=("plan-b",), rounds=1, hand_size=4, max_bid=2)
PRIVATE = TableOptions(private=True, bots=0)


async def play_one(
    house: House, first: Peer, second: Peer, options: TableOptions = FAST, watcher: Peer | None = None
) -> None:
    """Let two people play a short game to its end, with somebody who watches."""
    code = (await first.expect(CreateTable(0, RULES, options), Attending)).code
    await second.expect(JoinTable(0, code), Attending)
    if watcher is not None:
        await watcher.expect(WatchTable(0, code), Attending)
    table = house.tables[code]
    await start([first])
    await play_on([first, second], lambda: table.state.stage == "over")
    await settled()


async def games_of(peer: Peer, own: bool = True, **asked: object) -> tuple[GameLine, ...]:
    answer = await peer.expect(msgspec.structs.replace(ListGames(0, own=own), **asked), Games)
    return answer.games


async def test_a_game_is_listed_for_its_players_its_watchers_and_where_it_was_public_for_all() -> None:
    house = await open_house(HandClock())
    ann, bob, cid, dee = [(await arrive(house, name))[0] for name in ("ann", "bob", "cid", "dee")]
    await play_one(house, ann, bob, PRIVATE, watcher=cid)
    (game,) = await games_of(ann)
    assert (game.names, game.seat, game.variants, game.proven) == (("ann", "bob"), 0, ("plan-b",), True)
    assert [game.scores[seat] for seat in game.winners] == [max(game.scores)] * len(game.winners)
    assert (await games_of(bob))[0].seat == 1
    assert await games_of(cid) == ()
    assert (await games_of(cid, own=False))[0].seat is None
    assert await games_of(dee, own=False) == ()
    record = (await cid.expect(GetGame(0, game.game), RecordText)).record
    assert verify_text(record.encode()).fault is None
    assert tuple(json.loads(record)["scores"]) == game.scores
    assert await dee.refused(GetGame(0, game.game)) == "game/unknown"
    assert await dee.refused(GetGame(0, 99)) == "game/unknown"
    await play_one(house, ann, bob, FAST)
    assert [one.open_to_all for one in await games_of(dee, own=False)] == [True]
    await house.close()


async def test_games_are_found_by_player_rules_and_time() -> None:
    clock = HandClock()
    house = await open_house(clock)
    ann, bob, cid = [(await arrive(house, name))[0] for name in ("ann", "bob", "cid")]
    await play_one(house, ann, bob)
    first_ended = int(clock.wall())
    await clock.advance(100)
    await play_one(house, ann, cid)
    assert [game.names[1] for game in await games_of(ann)] == ["cid", "bob"]
    assert [game.names[1] for game in await games_of(ann, name="BOB")] == ["bob"]
    assert await games_of(ann, name="nobody") == ()
    assert [game.names[1] for game in await games_of(ann, since=first_ended + 50)] == ["cid"]
    assert [game.names[1] for game in await games_of(ann, until=first_ended + 50)] == ["bob"]
    assert len(await games_of(ann, variants=("plan-b",), players=2)) == 2
    assert await games_of(ann, variants=()) == ()
    assert await games_of(ann, players=3) == ()
    assert await games_of(ann, page=7) == ()
    await house.close()


async def test_numbers_and_ladder_are_those_of_the_games_and_who_left_the_lists_is_in_neither() -> None:
    house = await open_house(HandClock())
    ann, bob = [(await arrive(house, name))[0] for name in ("Ann", "bob")]
    assert (await ann.expect(GetNumbers(0), NumbersOf)).numbers == ()
    await play_one(house, ann, bob)
    (game,) = await games_of(ann)
    mine = await ann.expect(GetNumbers(0), NumbersOf)
    theirs = await bob.expect(GetNumbers(0, "ann"), NumbersOf)
    assert (theirs.name, theirs.numbers, theirs.rating) == (mine.name, mine.numbers, mine.rating)
    (line,) = mine.numbers
    numbers = Numbers(*line.numbers)
    assert (line.players, line.variants, numbers.games, numbers.points) == (2, ("plan-b",), 1, game.scores[0])
    ladder = (await bob.expect(GetLeaders(0), Leaders)).leaders
    assert {one.name for one in ladder} == {"Ann", "bob"}
    assert next(one.rating for one in ladder if one.name == "Ann") == mine.rating
    assert (await bob.expect(GetLeaders(0, "bots"), Leaders)).leaders == ()
    await ann.ask(LeaveLists(0))
    assert [one.name for one in (await bob.expect(GetLeaders(0), Leaders)).leaders] == ["bob"]
    assert (await bob.expect(GetNumbers(0, "ann"), NumbersOf)).numbers == ()
    own = await ann.expect(GetNumbers(0), NumbersOf)
    assert (own.numbers, own.out) == (mine.numbers, True)
    await ann.ask(LeaveLists(0, out=False))
    assert len((await bob.expect(GetLeaders(0), Leaders)).leaders) == 2
    await house.close()


async def test_who_deletes_their_traces_is_named_in_no_game_any_more() -> None:
    house = await open_house(HandClock())
    ann, bob = [(await arrive(house, name))[0] for name in ("ann", "bob")]
    await play_one(house, ann, bob)
    await ann.ask(DeleteTraces(0))
    assert await games_of(ann) == ()
    (game,) = await games_of(bob)
    assert game.names == (NOBODY, "bob")
    record = (await bob.expect(GetGame(0, game.game), RecordText)).record
    assert "ann" not in record
    assert verify_text(record.encode()).fault is None
    assert (await ann.expect(GetNumbers(0), NumbersOf)).numbers == ()
    assert [one.name for one in (await bob.expect(GetLeaders(0), Leaders)).leaders] == ["bob"]
    await house.close()


async def test_one_search_at_a_time_and_every_request_is_answered_once() -> None:
    house = await open_house(HandClock())
    ann, _ = await arrive(house, "ann")
    first = ann.post(ListGames(0))
    assert await ann.refused(ListGames(0)) == "game/busy"
    assert isinstance(await ann.until(lambda: ann.answer(first)), Games)
    assert await games_of(ann) == ()
    await house.close()
