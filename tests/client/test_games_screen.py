"""Looking back on the screen, at a real house: the list, the search, files, traces, numbers, reviews, and what if."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from looseends_client.commands.finished_records import take_in
from looseends_client.history.desk import TRIES
from looseends_client.screens.games import GamesScreen
from looseends_client.screens.menu import MenuScreen
from looseends_client.screens.replay import ReplayScreen
from looseends_client.starting import StartAlone, StartLobby
from looseends_core.record import record_to_json
from looseends_core.verify import verify_lines
from looseends_protocol.messages import (
    GameLine,
    Games,
    GetGame,
    ListGames,
    RecordText,
    Refused,
    Request,
)
from tests.client.finished_games import keep, looking_back, shown
from tests.client.on_screen import QUICK, OnScreen, at_a_scripted_server, opened, seated_before_the_screen
from tests.client.scripted_server import Line, ScriptedServer
from tests.server.kept_games import record

LISTED = GameLine(1, 1000, ("ann", "x"), (1, 2), (1,), seat=0)
NO_LINE = "There is no connection to the server"
MENU = StartAlone(None)


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
