"""Games that are over in lines: listed, told round by round, added up, and the ladder."""

from __future__ import annotations

from looseends_client.starting import StartAlone, StartLobby
from looseends_core.record import GameRecord
from tests.client.finished_games import keep
from tests.client.on_lines import on_lines
from tests.client.on_screen import opened
from tests.server.kept_games import record

MENU = StartAlone(None)


async def test_games_are_listed_by_numbers_and_told_round_by_round() -> None:
    async with opened() as (house, clock), on_lines(house, clock, MENU) as on:
        assert await on.type_until("games", "No finished game.")
        assert await on.type("game 1") == ["Type games first, then game and the number of one of them."]
        await keep(house, "ann", "bot:rookie", "bob", seed=3, ended_at=1000)
        await keep(house, "bob", "ann", seed=2, ended_at=2000)
        told = await on.type_until("games", "2: ")
        assert told[-2].startswith("1: ")
        assert "you" in told[-2]
        assert "bob" in told[-2]
        assert " won" in told[-2]
        assert told[-1].endswith("Plan B.")
        assert "*" not in "".join(told)
        lines = await on.type_until("gm 2", "proven")
        game: GameRecord = record("ann", "bot:rookie", "bob", seed=3, variants=("plan-b",))
        assert lines[0].startswith("3 players, Plan B")
        assert lines[1].startswith("Round 1: you ")
        assert game.scores is not None
        assert f"you {game.scores[0]}, rookie {game.scores[1]}, bob {game.scores[2]};" in lines[2]
        assert lines[-1] == "Deals proven."
        for typed in ("game 3", "game 0", "game x", "game 99999"):
            assert await on.type(typed) == ["Type games first, then game and the number of one of them."]
        told = await on.type_until("games rookie", "No finished game.")
        assert await on.type_until("games bot:rookie", "1: ")


async def test_only_the_newest_are_told_and_it_is_said() -> None:
    async with opened() as (house, clock), on_lines(house, clock, MENU) as on:
        await on.heard()
        for seed in range(1, 12):
            await keep(house, "ann", "bot:rookie", seed=seed, ended_at=seed)
        told = await on.type_until("games", "These are the newest 10.")
        assert sum(line.split(":")[0].isdigit() for line in told) == 10


async def test_numbers_and_ladder_are_told_in_a_line_each() -> None:
    async with opened() as (house, clock), on_lines(house, clock, StartLobby()) as on:
        assert await on.type("numbers") == ["ann: no games that may be seen."]
        assert await on.type("ladder bots") == ["Nobody is on this ladder yet."]
        await keep(house, "ann", "bob", seed=1)
        await keep(house, "ann", "bob", "bot:fox", seed=2)
        told = await on.type("numbers")
        assert told[0].startswith("ann, rating ")
        assert ": two games, " in told[0]
        assert [line.split(":")[0] for line in told[1:]] == ["2 players, Plan B", "3 players"]
        assert (await on.type("numbers bot:fox"))[0].startswith("fox: one game, ")
        rungs = await on.type("ladder")
        assert [line.split()[1] for line in rungs] in (["ann", "bob"], ["bob", "ann"])


async def test_what_is_refused_says_why() -> None:
    async with opened() as (house, clock), on_lines(house, clock, StartLobby()) as on:
        (told,) = await on.type("numbers " + "x" * 80)
        assert "64" in told
