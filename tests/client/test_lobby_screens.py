"""From the lobby to a table and back: listing, making, joining, watching, gathering, and being taken off a seat."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest

from looseends_client.screens.gathering import GatheringScreen
from looseends_client.screens.lobby import LobbyScreen
from looseends_client.screens.page import Ask
from looseends_client.screens.table import TableScreen
from looseends_client.starting import StartLobby
from looseends_core.bots import LEVELS
from looseends_core.rules import rule_set
from looseends_protocol.messages import (
    Attending,
    CreateTable,
    JoinTable,
    LeaveTable,
    Notice,
    Said,
    Say,
    SeatBot,
    StartGame,
    StepAway,
    Unseat,
    WatchTable,
)
from looseends_server.house import House
from tests.client.on_screen import OnScreen, opened, seated_before_the_screen
from tests.client.scripted_server import ClientClock
from tests.server.peers import FAST, Peer, arrive

RULES = rule_set(3, ["plan-b"], rounds=1, hand_size=4)
Place = tuple[House, ClientClock]


@pytest.fixture
async def place() -> AsyncIterator[Place]:
    async with opened() as place:
        yield place


@pytest.fixture
async def on(place: Place) -> AsyncIterator[OnScreen]:
    start = StartLobby(come_back="looseends join 127.0.0.1:8749 --name ann")
    async with seated_before_the_screen(*place, start) as on:
        yield on


async def table_of(place: Place, name: str = "bob", password: str = "") -> tuple[Peer, Attending]:
    """Return somebody who has made a table, and that table."""
    host, _ = await arrive(place[0], name)
    return host, await host.expect(CreateTable(0, RULES, FAST, password=password), Attending)


def code_in(text: str) -> str:
    found = re.search(r"[0-9A-Z]{5}-[0-9A-Z]{5}", text)
    assert found is not None
    return found[0].replace("-", "")


class TestTheLobby:
    async def test_an_empty_one_says_how_to_begin_and_how_to_come_back(self, on: OnScreen) -> None:
        await on.until_shown("No table is open.")
        assert "Press p to play" in on.text
        assert "Press n for one with other rules, d for the deal of the day." in on.text
        assert "you are ann" in on.text
        assert "To come back: looseends join 127.0.0.1:8749 --name ann" in " ".join(on.text.split())

    async def test_tables_of_others_are_listed_with_rules_seats_and_people(self, on: OnScreen, place: Place) -> None:
        host, _ = await table_of(place)
        await on.until(lambda: "bob's table" in on.text)
        assert "1 of 3 seats taken" in on.text
        assert "3 players · Plan B" in on.text
        host.close()

    async def test_a_long_list_is_turned_page_by_page(self, on: OnScreen, place: Place) -> None:
        hosts = [await arrive(place[0], f"host {number}") for number in range(11)]
        for host, _ in hosts:
            for _ in range(5):
                await host.expect(CreateTable(0, RULES, FAST), Attending)
        await place[1].advance(2)
        await on.until_shown("page 1 of 2")
        first = on.text
        await on.press("pagedown")
        await on.until_shown("page 2 of 2")
        assert on.text != first
        await on.press("pagedown", "pageup")
        await on.until_shown("page 1 of 2")
        for host, _ in hosts:
            host.close()

    async def test_enter_sits_down_once_however_often_it_is_pressed(self, on: OnScreen, place: Place) -> None:
        host, table = await table_of(place)
        await on.until(lambda: "bob's table" in on.text)
        for _ in range(3):
            on.strike("enter")
        await on.until(lambda: isinstance(on.app.screen, GatheringScreen))
        assert len(on.asked(JoinTable)) == 1
        assert sum(isinstance(screen, GatheringScreen) for screen in on.app.screen_stack) == 1
        assert on.model.code == table.code
        host.close()

    async def test_a_table_with_a_password_asks_for_it_until_it_is_right(self, on: OnScreen, place: Place) -> None:
        host, _ = await table_of(place, password="sesame")
        await on.until(lambda: "password, 1 of 3" in on.text)
        await on.press("enter")
        await on.until(lambda: isinstance(on.app.screen, Ask))
        await on.type("wrong")
        await on.press("enter")
        await on.until_after_thinking(lambda: "That is not the password." in on.text)
        await on.type("sesame")
        assert "sesame" not in on.text
        await on.press("enter")
        await on.until_after_thinking(lambda: isinstance(on.app.screen, GatheringScreen))
        host.close()

    async def test_w_watches_and_shows_no_hand(self, on: OnScreen, place: Place) -> None:
        host, _ = await table_of(place)
        for seat in (1, 2):
            await host.ask(SeatBot(0, seat, "rookie"))
        await host.ask(StartGame(0))
        await on.until(lambda: "playing" in on.text)
        await on.press("w")
        await on.until(lambda: isinstance(on.app.screen, TableScreen))
        assert len(on.asked(WatchTable)) == 1
        await on.until_shown("You watch: every hand is hidden.")
        await on.press("enter", "right", "b", "1", "p", "d")
        assert on.acted == []
        await on.press("q")
        await on.until(lambda: isinstance(on.app.screen, LobbyScreen))
        assert len(on.asked(LeaveTable)) == 1
        host.close()

    async def test_c_goes_to_a_table_by_its_code(self, on: OnScreen, place: Place) -> None:
        host, table = await table_of(place)
        await on.press("c")
        await on.type(f"{table.code[:5].lower()}-{table.code[5:].lower()}")
        await on.press("enter")
        await on.until(lambda: isinstance(on.app.screen, GatheringScreen))
        assert on.model.code == table.code
        host.close()

    @pytest.mark.parametrize("typed", ["nosuch1", "[/x", "zz-zz"])
    async def test_a_code_that_is_none_is_said_so(self, on: OnScreen, typed: str) -> None:
        await on.press("c")
        await on.type(typed)
        await on.press("enter")
        await on.until_shown("There is no such table.")
        assert isinstance(on.app.screen, LobbyScreen)

    async def test_a_code_of_nothing_asks_nothing(self, on: OnScreen) -> None:
        await on.press("c", "enter")
        assert on.asked(JoinTable) == []
        assert isinstance(on.app.screen, LobbyScreen)

    async def test_q_ends_the_app(self, on: OnScreen) -> None:
        await on.press("q")
        assert not on.app.is_running or on.app._exit  # pyright: ignore[reportPrivateUsage]


class TestANewTable:
    async def test_the_form_makes_the_table_that_it_says(self, on: OnScreen) -> None:
        await on.press("n")
        await on.until_shown("a new table")
        await on.press("left", "down", "down", "right", "enter")
        await on.until(lambda: isinstance(on.app.screen, GatheringScreen))
        (made,) = on.asked(CreateTable)
        assert (made.rules.players, made.rules.variants, made.password) == (3, ("getaway",), "")

    async def test_a_password_is_asked_for_behind_the_form(self, on: OnScreen) -> None:
        await on.press("n")
        await on.until_shown("a new table")
        while "> password" not in on.text.replace("▶", ">"):
            await on.press("down")
        await on.press("right", "enter")
        await on.until(lambda: isinstance(on.app.screen, Ask))
        await on.type("sesame")
        await on.press("enter")
        await on.until_after_thinking(lambda: isinstance(on.app.screen, GatheringScreen))
        (made,) = on.asked(CreateTable)
        assert made.password == "sesame"
        assert "locked" not in made.options.title

    async def test_q_makes_none(self, on: OnScreen) -> None:
        await on.press("n")
        await on.until_shown("a new table")
        await on.press("q")
        assert on.asked(CreateTable) == []
        assert isinstance(on.app.screen, LobbyScreen)


class TestGathering:
    async def _open(self, on: OnScreen) -> str:
        await on.press("n")
        await on.until_shown("a new table")
        await on.press("left", "enter")
        await on.until(lambda: isinstance(on.app.screen, GatheringScreen))
        return code_in(on.text)

    async def test_the_code_stands_on_a_line_of_its_own(self, on: OnScreen) -> None:
        code = await self._open(on)
        assert any(line.strip().replace("-", "") == code == on.model.code for line in on.lines)

    async def test_the_host_seats_bots_frees_a_seat_and_starts(self, on: OnScreen) -> None:
        await self._open(on)
        assert "2 open" in on.text
        await on.press("enter")
        await on.until_shown("Every seat must be taken before the game can start.")
        for _ in range(2):
            await on.press("b")
            await on.until_shown("Which bot")
            await on.press("1")
        await on.until_shown("Every seat is taken: press Enter to start.")
        await on.press("b")
        await on.until_shown("Every seat is taken.")
        await on.press("x")
        await on.until_shown("1 open")
        assert len(on.asked(Unseat)) == 1
        await on.press("b")
        await on.until_shown("Which bot")
        await on.press("1")
        await on.until_shown("press Enter to start")
        await on.press("enter")
        await on.until(lambda: isinstance(on.app.screen, TableScreen))
        assert len(on.asked(StartGame)) == 2, "one too early, which was refused"
        assert not any(isinstance(screen, GatheringScreen) for screen in on.app.screen_stack)

    async def test_every_level_is_listed_with_its_line_of_character(self, on: OnScreen) -> None:
        await self._open(on)
        await on.press("b")
        await on.until_shown("Which bot")
        told = " ".join(on.text.replace("┃", " ").split())
        for number, level in enumerate(LEVELS.values(), 1):
            assert f"{number} {level.name}: {level.character}" in told

    async def test_nobody_frees_their_own_seat_or_an_open_one(self, on: OnScreen) -> None:
        await self._open(on)
        await on.press("x")
        await on.until_shown("Nobody sits there.")
        await on.press("up", "x")
        await on.until_shown("That is your own seat: q gives it up.")
        assert on.asked(Unseat) == []

    async def test_others_come_talk_and_go(self, on: OnScreen, place: Place) -> None:
        code = await self._open(on)
        bob, _ = await arrive(place[0], "bob")
        await bob.expect(JoinTable(0, code), Attending)
        await on.until_shown("bob sat down.")
        await bob.ask(Say(0, "hello [@click=app.quit]x[/]"))
        await on.until_shown("bob: hello [@click=app.quit]x[/]")
        await on.press("t")
        await on.type("hi bob")
        await on.press("enter")
        await on.until_shown("you: hi bob")
        assert bob.got(Said)[-1].line.text == "hi bob"
        await bob.ask(LeaveTable(0))
        await on.until_shown("2 open")
        bob.close()

    async def test_stepping_away_keeps_the_seat_and_enter_goes_back_to_it(self, on: OnScreen) -> None:
        await self._open(on)
        await on.press("q")
        await on.until_shown("keep your seat")
        await on.press("enter")
        await on.until(lambda: isinstance(on.app.screen, LobbyScreen))
        assert len(on.asked(StepAway)) == 1
        await on.until_shown("your seat is kept")
        await on.press("enter")
        await on.until(lambda: isinstance(on.app.screen, GatheringScreen))
        assert on.model.seat == 0

    async def test_giving_the_seat_up_leaves_for_good(self, on: OnScreen) -> None:
        await self._open(on)
        await on.press("q", "x")
        await on.until(lambda: isinstance(on.app.screen, LobbyScreen))
        assert len(on.asked(LeaveTable)) == 1
        await on.settle()
        assert "your seat is kept" not in on.text

    async def test_whoever_is_taken_off_the_seat_is_told_in_the_lobby(self, on: OnScreen, place: Place) -> None:
        host, _ = await table_of(place)
        await on.until(lambda: "bob's table" in on.text)
        await on.press("enter")
        await on.until(lambda: isinstance(on.app.screen, GatheringScreen))
        await on.press("t")  # even with a dialog open
        await host.ask(Unseat(0, 1))
        await on.until(lambda: isinstance(on.app.screen, LobbyScreen))
        await on.until_shown("The host of the table took you off your seat.")
        host.close()


class TestTheServersWord:
    async def test_a_notice_is_shown_in_the_lobby_and_at_the_table(self, on: OnScreen, place: Place) -> None:
        (connection,) = place[0].connections
        connection.send(Notice("Tea at five.\x1b[2J"))
        await on.until_shown("Tea at five.[2J")
        await on.press("n", "enter")
        await on.until(lambda: isinstance(on.app.screen, GatheringScreen))
        connection.send(Notice("[red]Cake[/] too."))
        await on.until_shown("* [red]Cake[/] too.")

    async def test_being_connected_elsewhere_is_final_and_said(self, on: OnScreen, place: Place) -> None:
        (connection,) = place[0].connections
        connection.drop("session/taken_over")
        await on.until_shown("You connected from somewhere else; that connection goes on.")
        await on.clock.advance(1000)
        await on.settle()
        assert len(on.line.transports) == 1
        await on.press("enter")
        assert on.app._exit  # pyright: ignore[reportPrivateUsage]

    async def test_a_lost_connection_is_shown_and_comes_back(self, on: OnScreen) -> None:
        on.line.cut()
        await on.until_shown("connection lost, trying again")
        await on.until(lambda: on.app.client.online)
        await on.settle()
        assert "connection lost" not in on.text


async def test_a_code_on_the_command_line_goes_straight_to_that_table(place: Place) -> None:
    host, table = await table_of(place)
    async with seated_before_the_screen(*place, StartLobby(table.code)) as on:
        await on.until(lambda: isinstance(on.app.screen, GatheringScreen))
        assert on.model.code == table.code
    host.close()


async def test_a_seat_in_a_running_game_is_gone_back_to_at_once(place: Place) -> None:
    async with AsyncExitStack() as stack:
        first = await stack.enter_async_context(seated_before_the_screen(*place, StartLobby()))
        token = first.app.client._token  # pyright: ignore[reportPrivateUsage]
        await first.press("n")
        await first.until_shown("a new table")
        await first.press("left", "left", "enter")
        await first.until(lambda: isinstance(first.app.screen, GatheringScreen))
        await first.press("b")
        await first.until_shown("Which bot")
        await first.press("1")
        await first.until_shown("press Enter to start")
        await first.press("enter")
        await first.until(lambda: isinstance(first.app.screen, TableScreen) and first.model.state.round == 1)
        code = first.model.code
    async with seated_before_the_screen(*place, StartLobby(), token=token) as again:
        await again.until(lambda: isinstance(again.app.screen, TableScreen))
        assert (again.model.code, again.model.seat) == (code, 0)
