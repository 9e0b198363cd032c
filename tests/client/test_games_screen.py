"""Looking back on the screen, at a real house: the list, the search, files, traces, numbers, reviews, and what if."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest

from looseends_client.commands.finished_records import take_in
from looseends_client.history.desk import TRIES
from looseends_client.screens.games import GamesScreen
from looseends_client.screens.menu import MenuScreen
from looseends_client.screens.replay import ReplayScreen
from looseends_client.screens.review import ReviewScreen
from looseends_client.screens.score_sheet import ScoreSheet
from looseends_client.screens.table import TableScreen
from looseends_client.starting import StartAlone, StartLobby
from looseends_core.record import record_to_json
from looseends_core.rules import rule_set
from looseends_core.verify import verify_lines
from looseends_protocol.messages import (
    GameLine,
    Games,
    GetGame,
    ListGames,
    RecordText,
    Refused,
    Request,
    ReviewGame,
    WhatIf,
)
from looseends_server.archive import game_to_keep
from looseends_server.house import House
from tests.client.on_screen import QUICK, OnScreen, at_a_scripted_server, opened, seated_before_the_screen, wish
from tests.client.scripted_server import Line, ScriptedServer
from tests.client.test_hint_and_coach import PlantedMinds, best_is, plant
from tests.server.kept_games import record

LISTED = GameLine(1, 1000, ("ann", "x"), (1, 2), (1,), seat=0)
NO_LINE = "There is no connection to the server"
SMALL = rule_set(3, ["plan-b"], rounds=1, hand_size=5)
MENU = StartAlone(None)


async def keep(house: House, *seats: str, seed: int = 1, ended_at: float = 1000.0, mine: bool = True) -> None:
    """Keep a finished game in a house, of whoever is known there by these names."""
    of = record(*seats, seed=seed, variants=("plan-b",) if seed % 2 else ())
    people = [house.people.by_name(name) for name in of.players]
    identities = tuple(0 if person is None or not mine else person.identity for person in people)
    kept: asyncio.Future[object] = asyncio.get_running_loop().create_future()
    house.archive.keep(game_to_keep(of, ended_at, identities, origin="import", open_to_all=True), of, kept.set_result)
    assert await kept is None


@asynccontextmanager
async def looking_back(
    *games: tuple[str, ...], size: tuple[int, int] = (80, 24)
) -> AsyncIterator[tuple[OnScreen, House]]:
    """The list of somebody who has finished these games alone."""
    async with (
        opened() as (house, clock),
        seated_before_the_screen(house, clock, MENU, size=size) as on,
    ):
        for seed, seats in enumerate(games, 1):
            await keep(house, *seats, seed=seed, ended_at=1000.0 * seed)
        await on.press("h")
        await shown(on, "games of this folder")
        yield on, house


async def shown(on: OnScreen, text: str) -> None:
    await on.until_after_thinking(lambda: text in " ".join(on.text.split()))


@asynccontextmanager
async def after_a_game(**more: int) -> AsyncIterator[tuple[OnScreen, House, PlantedMinds]]:
    """Somebody before the sheet of a game that they have just finished, where a bot thinks what the test planted."""
    async with opened() as (house, clock):
        planted = PlantedMinds(best_is(lambda action: str(action) < "P", **more))
        plant(house, planted)
        async with seated_before_the_screen(house, clock, StartAlone(wish(SMALL))) as on:
            await on.until(lambda: isinstance(on.app.screen, TableScreen) and on.model.state.round == 1)
            await on.play_until(lambda: on.model.phase == "over")
            await on.until(lambda: isinstance(on.app.screen, ScoreSheet))
            await shown(on, "v review")
            yield on, house, planted


GAMES = (("ann", "bot:rookie", "bob"), ("ann", "bot:fox"), ("bob", "ann", "bot:fox"))


# ── the list ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
async def test_finished_games_are_listed_newest_first_and_gone_through(size: tuple[int, int]) -> None:
    async with looking_back(*GAMES, size=size) as (on, _):
        rows = [line for line in on.lines if "you " in line]
        assert len(rows) == 3
        assert [("bob" in row, "fox" in row) for row in rows] == [(True, True), (False, True), (True, False)]
        assert rows[0].startswith(" ▶")
        await on.press("down", "enter")
        await on.until_after_thinking(lambda: isinstance(on.app.screen, ReplayScreen))
        assert "as you saw it" in on.text
        await on.press("q", "up", "down", "up", "up")
        assert isinstance(on.app.screen, GamesScreen)
        assert on.lines[4].startswith(" ▶")
        await on.press("question_mark")
        assert "delete your traces (asks twice)" in on.text
        await on.press("q", "q")
        assert isinstance(on.app.screen, MenuScreen)


async def test_no_game_yet_is_said() -> None:
    async with looking_back() as (on, _):
        assert "There is no game here yet" in on.text
        await on.press("down", "enter", "v", "e", "a", "pagedown")
        assert isinstance(on.app.screen, GamesScreen)


async def test_games_are_looked_for_by_a_form() -> None:
    async with looking_back(*GAMES) as (on, _):
        await on.press("slash", "right")
        await on.type("bob")
        await on.press("enter", "down", "right", "right", "enter")
        await shown(on, "games with bob, 3 players")
        assert len([line for line in on.lines if "you " in line]) == 2
        await on.press("slash", "down", "down", "down", "right")
        await on.type("never")
        await on.press("enter", "enter")
        assert "A day is written like 2026-11-30, not never." in on.text
        await on.press("right")
        await on.press(*["backspace"] * 5)
        await on.type("2100-01-01")
        await on.press("enter", "enter")
        await shown(on, "from 2100-01-01")
        assert "There is no game here yet" in on.text
        await on.press("f", "q")
        assert isinstance(on.app.screen, GamesScreen)


async def test_a_long_list_has_pages() -> None:
    async with looking_back(*[("ann", "bot:rookie")] * 52) as (on, _):
        assert "page 1 of 2" in on.text
        await on.press("pageup", "pagedown")
        await shown(on, "page 2 of 2")
        assert len([line for line in on.lines if "you " in line]) == 2
        await on.press("pageup")
        await shown(on, "page 1 of 2")


# ── files ────────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_games_are_written_to_a_new_file_and_never_over_another(tmp_path: Path) -> None:
    async with looking_back(*GAMES) as (on, _):
        one, all_ = tmp_path / "one.jsonl", tmp_path / "all.jsonl"
        for key, file, said in (("e", one, "1 game written"), ("a", all_, "3 games written")):
            await on.press(key)
            await clear_and_type(on, str(file))
            await on.press("enter")
            await shown(on, said)
            verdicts = list(verify_lines(file.read_bytes().splitlines()))
            assert [verdict.fault for verdict in verdicts] == [None] * int(said[0])
        before = one.read_bytes()
        await on.press("e")
        await clear_and_type(on, str(one))
        await on.press("enter")
        await shown(on, "is there already and stays as it is")
        assert one.read_bytes() == before
        await on.press("e")
        await clear_and_type(on, str(tmp_path / "no" / "where.jsonl"))
        await on.press("enter")
        await shown(on, "cannot be written")


async def clear_and_type(on: OnScreen, text: str) -> None:
    await on.press("end", *["backspace"] * 20)
    await on.type(text)


async def test_games_are_taken_in_from_a_file_where_one_is_alone(tmp_path: Path) -> None:
    file = tmp_path / "friends.jsonl"
    good, bare = record("eve", "bob", seed=5), record("eve", "ann", seed=6, proven=False)
    lines = [msgspec.json.encode(record_to_json(one)) for one in (good, bare)]
    broken = msgspec.json.encode(record_to_json(good)).replace(b'"standard"', b'"none"')
    undone = msgspec.structs.replace(good, rounds=(), scores=None, winners=None)
    lines += [broken, msgspec.json.encode(record_to_json(undone))]
    file.write_bytes(b"\n".join(lines))
    async with opened() as (house, clock), seated_before_the_screen(house, clock, MENU) as on:
        on.app._take_in = lambda name: take_in(house, name)  # pyright: ignore[reportPrivateUsage]
        await on.press("h")
        await shown(on, "There is no game here yet")
        await on.press("m")
        await on.type(str(file))
        await on.press("enter")
        await shown(on, "2 taken in, 0 there already, 2 not right. The deals of 1 are not proven.")
        assert "Line 3: rules" in " ".join(on.text.split())
        assert "eve" in on.text
        assert "imported" in on.text
        await on.press("m")
        await on.type(str(file))
        await on.press("enter")
        await shown(on, "0 taken in, 2 there already")
        await on.press("m")
        await on.type(str(tmp_path / "none"))
        await on.press("enter")
        await shown(on, "cannot be read")


async def test_a_server_of_others_is_no_place_to_take_games_in_to() -> None:
    async with opened() as (house, clock), seated_before_the_screen(house, clock, StartLobby()) as on:
        await on.press("g")
        await shown(on, "your games")
        await on.press("m")
        assert isinstance(on.app.screen, GamesScreen)
        await on.press("slash")
        assert "whose" in on.text


async def test_whoever_is_served_as_a_stranger_reaches_no_file_of_this_machine(tmp_path: Path) -> None:
    strangers = msgspec.structs.replace(QUICK, served_to_strangers=True)
    async with (
        opened() as (house, clock),
        seated_before_the_screen(house, clock, StartLobby(), settings=strangers) as on,
    ):
        await keep(house, "ann", "bob", seed=1)
        await on.press("g")
        await shown(on, "you ")
        await on.press("e", "a", "m")
        assert isinstance(on.app.screen, GamesScreen)
        await on.press("question_mark")
        assert "write" not in on.text
        assert "take in" not in on.text


# ── traces, numbers, ladder ──────────────────────────────────────────────────────────────────────────────────────────


async def test_traces_are_deleted_after_two_questions_and_not_after_one() -> None:
    async with looking_back(*GAMES) as (on, house):
        await on.press("x", "enter")
        assert "Your name goes out of every finished game" in " ".join(on.text.replace("┃", " ").split())
        await on.press("n")
        await on.press("x", "y")
        assert "Nobody can bring it back" in " ".join(on.text.replace("┃", " ").split())
        await on.press("n")
        assert "you " in on.text
        await on.press("x", "y", "y")
        await shown(on, "Your traces are deleted.")
        assert "somebody" in on.text
        assert "you " not in on.text.replace("all games that you may", "")
        person = house.people.by_name("ann")
        assert person is not None
        assert not house.archive.totals.standings_of("ann")


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
async def test_numbers_are_shown_of_oneself_and_of_whoever_is_named(size: tuple[int, int]) -> None:
    async with looking_back(*GAMES, size=size) as (on, _):
        await on.press("n")
        await shown(on, "all games")
        assert " ann" in on.text
        assert ("3 players, Plan B" if size[0] == 80 else "3 players PB") in on.text
        all_games = next(line for line in on.lines if "all games" in line).split()
        assert all_games[2] == "3"
        await on.press("n")
        await on.type("bot:fox")
        await on.press("enter")
        await shown(on, "fox no rating yet")
        await on.press("n")
        await on.type("nobody")
        await on.press("enter")
        await shown(on, "No games that may be seen.")
        await on.press("m")
        await shown(on, "all games 3")
        await on.press("o")
        await shown(on, "You are in no list")
        assert "o be in the lists" in on.text
        await on.press("o", "down", "up")
        await on.until_after_thinking(lambda: "You are in no list" not in on.text)


async def test_the_ladder_leads_to_the_numbers_of_whoever_stands_there() -> None:
    async with looking_back(*GAMES) as (on, _):
        await on.press("t")
        await shown(on, "people rating games")
        assert "ann" in on.text
        assert "bob" in on.text
        await on.press("down", "enter")
        await shown(on, "all games")
        await on.press("t", "b")
        await shown(on, "Nobody yet")
        await on.press("enter", "down", "q", "q", "q")
        assert isinstance(on.app.screen, GamesScreen)


# ── from the sheet ───────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_game_that_just_ended_is_reviewed_from_its_sheet_and_played_on_from_its_costliest_decision() -> None:
    async with after_a_game() as (on, house, planted):
        planted.holds = True
        await on.press("v")
        await on.until_after_thinking(lambda: isinstance(on.app.screen, ReviewScreen))
        assert "fox looks at your decisions: 0 of" in on.text
        assert "[····" in on.text
        assert "What each round was worth, trick by trick" in on.text
        planted.give()
        await shown(on, "fox has looked at all")
        assert "Points a decision, beside fox:" in on.text
        assert "What cost most" in on.text
        assert "better" in on.text
        screen = on.app.screen
        assert isinstance(screen, ReviewScreen)
        costliest = screen.review.costliest()
        await on.press("down", "up", "enter")
        await on.until_after_thinking(lambda: isinstance(on.app.screen, ReplayScreen))
        replay = on.app.screen
        assert isinstance(replay, ReplayScreen)
        assert replay.stop.number == costliest[0].number
        assert "fox would" in on.text
        await on.press("w")
        assert "What if?" in on.text
        await on.press("enter")
        await on.until(lambda: isinstance(on.app.screen, TableScreen))
        (asked,) = on.asked(WhatIf)
        assert (asked.number, asked.level) == (costliest[0].number, "sharp")
        assert on.model.state == replay.replay.view(asked.number, 0)
        assert on.model.my_turn
        other = next(action for action in on.model.legal() if action != costliest[0].taken)
        await on.table.act(other)
        await on.until(lambda: on.model.state.number > asked.number)
        await on.press("q", "x")
        await on.until(lambda: isinstance(on.app.screen, ReplayScreen))
        await on.press("f")
        await on.until_after_thinking(lambda: isinstance(on.app.screen, ReviewScreen))
        assert len(on.asked(ReviewGame)) == 1  # what is known is not asked again
        await on.press("enter")
        assert isinstance(on.app.screen, ReplayScreen)
        await on.press("q")
        assert isinstance(on.app.screen, MenuScreen)
        assert len(house.archive.totals.standings_of("ann")) == 1  # the table played on at counts for nothing


async def test_a_game_that_just_ended_is_looked_back_at_from_its_sheet() -> None:
    async with after_a_game() as (on, _, _planted):
        await on.press("b")
        await on.until_after_thinking(lambda: isinstance(on.app.screen, ReplayScreen))
        await on.press("b", "w")
        screen = on.app.screen
        assert isinstance(screen, ReplayScreen)
        if screen.stop.turn != 0:
            assert "What if begins at a decision of yours" in on.text
        else:
            assert "What if?" in on.text
            await on.press("escape")
        await on.press("q")
        assert isinstance(on.app.screen, ScoreSheet)


async def test_a_review_of_a_game_of_others_is_not_offered() -> None:
    async with looking_back() as (on, house):
        await keep(house, "eve", "bob", seed=3)
        await on.press("q", "h")
        await shown(on, "eve")
        await on.press("v")
        assert "you did not play this game" in on.text
        await on.press("enter")
        await on.until_after_thinking(lambda: isinstance(on.app.screen, ReplayScreen))
        assert "every hand open" in on.text
        await on.press("f", "w")
        assert isinstance(on.app.screen, ReplayScreen)


async def test_a_review_that_is_refused_says_why_and_can_be_asked_again() -> None:
    async with after_a_game() as (on, house, _):
        house.levels = {}
        await on.press("v")
        await on.until_after_thinking(lambda: isinstance(on.app.screen, ReviewScreen))
        assert "fox looks" not in on.text
        refused = len(on.asked(ReviewGame))
        await on.press("q", "v")
        await on.until_after_thinking(lambda: len(on.asked(ReviewGame)) == refused + 1)


async def test_a_review_ends_with_a_lost_connection_and_begins_again() -> None:
    async with after_a_game() as (on, _, planted):
        planted.holds = True
        await on.press("v")
        await on.until_after_thinking(lambda: isinstance(on.app.screen, ReviewScreen))
        on.line.cut()
        await on.until(lambda: on.app.client.online and "The connection was lost" in on.text)
        planted.holds = False
        await on.press("f")
        await shown(on, "fox has looked at all")
        assert len(on.asked(ReviewGame)) == 2
        await on.press("f")
        assert isinstance(on.app.screen, ReviewScreen)


async def test_without_a_connection_every_page_says_so() -> None:
    server = ScriptedServer()
    server.on_request = lambda line, request: line.say(Games(request.id, (LISTED,)))
    async with at_a_scripted_server(server, StartAlone(None)) as on:
        await on.press("h")
        await on.until_shown("you 1, x 2*")
        server.out_of_reach = ConnectionRefusedError()
        server.line.hang_up()
        await on.settle()
        for keys in (("enter",), ("v",), ("pagedown", "enter"), ("x", "y", "y")):
            await on.press("down", *keys)
            await on.until_shown(NO_LINE)
        await on.press("n")
        await on.until_shown(NO_LINE)
        await on.press("o", "q", "t")
        await on.until_shown(NO_LINE)
        await on.press("b", "enter")
        await on.until_shown(NO_LINE)


# ── a server that answers badly ──────────────────────────────────────────────────────────────────────────────────────


async def test_a_busy_server_is_asked_again_and_at_last_its_refusal_told() -> None:
    server = ScriptedServer()
    busy = 3

    def answer(line: Line, request: Request) -> None:
        nonlocal busy
        if isinstance(request, ListGames):
            busy -= 1
            if busy >= 0:
                line.say(Refused("game/busy", "One search at a time.", request.id, retry_after=1))
            else:
                line.say(Games(request.id, ()))

    server.on_request = answer
    async with at_a_scripted_server(server, StartAlone(None)) as on:
        await on.press("h")
        await on.until(lambda: "There is no game here yet" in on.text)
        busy = TRIES + 5
        await on.press("q", "h")
        await on.until(lambda: "One search at a time." in on.text)


async def test_a_record_that_is_not_right_is_not_shown() -> None:
    server = ScriptedServer()
    texts = iter(("{}", "[[[", '{"format": 1}'))

    def answer(line: Line, request: Request) -> None:
        if isinstance(request, ListGames):
            line.say(Games(request.id, (LISTED,)))
        elif isinstance(request, GetGame):
            line.say(RecordText(request.id, next(texts)))

    server.on_request = answer
    async with at_a_scripted_server(server, StartAlone(None)) as on:
        await on.press("h")
        for _ in range(3):
            await on.press("enter")
            await on.until_shown("The record of this game is not right")
            await on.press("down")
