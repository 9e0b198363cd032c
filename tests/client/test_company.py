"""The people at a table: phrases, muting, who is here and where, what was said and done."""

from __future__ import annotations

import pytest

from looseends_client.company import company_of, where_they_are
from looseends_client.screens import score_sheet
from looseends_client.screens.gathering import GatheringScreen
from looseends_client.screens.people_here import PeopleHere
from looseends_client.screens.table import TableScreen
from looseends_client.screens.talk import Talk
from looseends_client.screens.whole_log import WholeLog
from looseends_client.settings import DEFAULT_PHRASES, Settings
from looseends_client.starting import AppSettings, StartLobby
from looseends_protocol.messages import (
    Attending,
    CreateTable,
    Done,
    JoinTable,
    ListTables,
    Say,
    SeatInfo,
    StepAway,
    TableOptions,
    Tables,
    Unseat,
    WatchTable,
)
from tests.client.on_screen import opened, seated_before_the_screen
from tests.client.two_people import TWO_ROUNDS, two_at_a_table
from tests.server.peers import FAST, arrive


@pytest.fixture(autouse=True)
def _keys_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(score_sheet, "KEYS_REST_SECONDS", 0.001)


@pytest.mark.parametrize(
    ("info", "where"),
    [
        (SeatInfo("open"), ""),
        (SeatInfo("bot", level="rookie", connected=True), ""),
        (SeatInfo("person", "bob", connected=True), ""),
        (SeatInfo("person", "bob", away="lost"), "offline"),
        (SeatInfo("person", "bob", away="lost", elsewhere=True), "elsewhere"),
        (SeatInfo("person", "bob"), "offline"),
        (SeatInfo("person", "bob", away="left", elsewhere=True), "left"),
        (SeatInfo("person", "bob", away="removed"), "removed"),
    ],
)
def test_where_somebody_is(info: SeatInfo, where: str) -> None:
    assert where_they_are(info) == where


async def test_t_and_a_digit_say_a_phrase() -> None:
    async with two_at_a_table() as two:
        await two.on.press("t")
        assert isinstance(two.on.app.screen, Talk)
        await two.on.until_shown(f"2  {DEFAULT_PHRASES[1]}")
        await two.on.press("2")
        await two.on.until_shown(f"you: {DEFAULT_PHRASES[1]}")
        assert [said.text for said in two.on.asked(Say)] == [DEFAULT_PHRASES[1]]


async def test_the_phrases_are_those_of_the_settings() -> None:
    settings = AppSettings(own=Settings(trick_pause=0, phrases=("Ahoy!",)))
    async with opened() as (house, clock):
        bob, _ = await arrive(house, "bob")
        table = await bob.expect(CreateTable(0, TWO_ROUNDS, FAST), Attending)
        async with seated_before_the_screen(house, clock, StartLobby(table.code), settings=settings) as on:
            await on.until(lambda: on.app.attendance is not None)
            await on.press("t")
            await on.until_shown("1  Ahoy!")
            assert DEFAULT_PHRASES[1] not in on.text
            await on.press("2")
            assert isinstance(on.app.screen, Talk), "there is no second one"
            await on.press("backspace", "1")
            await on.until_shown("you: Ahoy!")


async def test_a_digit_behind_other_letters_is_a_digit() -> None:
    async with two_at_a_table() as two:
        await two.on.press("t")
        await two.on.type("R3 or Y2")
        assert isinstance(two.on.app.screen, Talk)
        for _ in "R3 or Y2":
            await two.on.press("backspace")
        await two.on.press("0")
        assert isinstance(two.on.app.screen, Talk), "there is no phrase for 0"
        await two.on.press("enter")
        await two.on.until_shown("you: 0")


async def test_phrases_that_do_not_fit_are_counted() -> None:
    async with two_at_a_table() as two:
        await two.on.press("t")
        await two.on.pilot.resize_terminal(40, 16)
        await two.on.settle()
        await two.on.until_shown("+4 more")
        assert DEFAULT_PHRASES[4] in two.on.text
        await two.on.press("9")
        await two.on.until(lambda: [said.text for said in two.on.asked(Say)] == [DEFAULT_PHRASES[8]])


async def test_who_is_muted_is_not_heard_until_they_are_heard_again() -> None:
    async with two_at_a_table() as two:
        on = two.on
        await on.press("w")
        assert isinstance(on.app.screen, PeopleHere)
        await on.until_shown("bob")
        await on.press("m")
        await on.until_shown("muted by you")
        await two.bob.ask(Say(0, "first"))
        await two.bob.ask(Say(0, "second"))
        await on.press("q")
        await on.settle()
        assert "first" not in on.text
        await on.press("w", "m")
        assert "muted by you" not in on.text
        await on.press("w")
        await two.bob.ask(Say(0, "third"))
        await on.until_shown("> bob: third")
        assert "second" not in on.text
        assert not any("mut" in str(asked) for asked in on.asked(Say))


async def test_oneself_and_bots_cannot_be_muted() -> None:
    async with two_at_a_table() as two:
        await two.on.press("w", "down", "m")
        await two.on.settle()
        assert "muted by you" not in two.on.text
        assert two.on.lines[3].split()[-1] == "you"


async def test_a_host_takes_somebody_off_the_table_in_a_game_and_a_bot_plays_on() -> None:
    async with opened() as (house, clock), seated_before_the_screen(house, clock, StartLobby()) as on:
        await on.press("n", "left", "left", "enter")
        await on.until(lambda: isinstance(on.app.screen, GatheringScreen))
        bob, _ = await arrive(house, "bob")
        await bob.expect(JoinTable(0, on.model.code), Attending)
        await on.press("enter")
        await on.until(lambda: isinstance(on.app.screen, TableScreen) and on.model.state.round == 1)
        await on.press("w", "x")
        assert isinstance(on.app.screen, PeopleHere), "nobody takes themselves off"
        await on.press("down", "x")
        await on.until_shown("Take bob off the table? A bot plays on there.")
        await on.press("n")
        assert on.asked(Unseat) == []
        await on.press("x", "y")
        await on.until_shown("removed · a bot plays")
        assert [asked.seat for asked in on.asked(Unseat)] == [1]


async def test_nobody_but_the_host_takes_anybody_off() -> None:
    async with two_at_a_table() as two:
        await two.on.press("w", "x", "y")
        await two.on.settle()
        assert two.on.asked(Unseat) == []
        assert "take off" not in two.on.text


async def test_who_watches_is_listed_and_follows_them() -> None:
    async with opened() as (house, clock):
        bob, _ = await arrive(house, "bob")
        table = await bob.expect(CreateTable(0, TWO_ROUNDS, FAST), Attending)
        async with seated_before_the_screen(house, clock, StartLobby(table.code)) as on:
            await on.until(lambda: on.app.attendance is not None)
            await on.press("w")
            await on.until_shown("Nobody watches.")
            cy, _ = await arrive(house, "cy")
            await cy.expect(WatchTable(0, table.code), Attending)
            await on.until_shown("Watching (1)")
            await on.until_shown("cy")
            await on.press("down", "down", "m")
            await on.until_shown("cy   muted by you")
            await cy.expect(StepAway(0), Done)
            await on.until_shown("Nobody watches.")


async def test_a_spectator_sees_themselves_and_their_own_lines_as_their_own() -> None:
    async with opened() as (house, clock):
        bob, _ = await arrive(house, "bob")
        table = await bob.expect(CreateTable(0, TWO_ROUNDS, FAST), Attending)
        async with seated_before_the_screen(house, clock, StartLobby(), name="cy") as on:
            await on.until_shown("bob's table")
            await on.press("w")
            await on.until(lambda: on.app.attendance is not None)
            assert on.model.code == table.code
            assert on.model.seat is None
            await on.press("t", "1")
            await on.until_shown(f"< you: {DEFAULT_PHRASES[0]}")
            await on.press("w")
            await on.until_shown("cy   you")


async def test_spectators_talk_only_where_the_host_lets_them() -> None:
    options = TableOptions(bots=0, spectators_talk=False)
    async with opened() as (house, clock):
        bob, _ = await arrive(house, "bob")
        await bob.expect(CreateTable(0, TWO_ROUNDS, options), Attending)
        async with seated_before_the_screen(house, clock, StartLobby(), name="cy") as on:
            await on.until_shown("bob's table")
            await on.press("w")
            await on.until(lambda: on.app.attendance is not None)
            await on.press("t", "1")
            await on.until_shown("pectators")
            assert not [line for line in on.model.log if line.kind == "own"]


async def test_somebody_in_the_lobby_is_elsewhere_and_somebody_gone_offline() -> None:
    async with opened() as (house, clock):
        bob, _ = await arrive(house, "bob")
        table = await bob.expect(CreateTable(0, TWO_ROUNDS, FAST), Attending)
        async with seated_before_the_screen(house, clock, StartLobby(table.code)) as on:
            await on.until(lambda: on.app.attendance is not None)
            await bob.expect(StepAway(0), Done)
            await on.until_shown("bob  host  elsewhere")
            bob.close()
            await on.until_shown("bob  host  offline")
            back, _ = await arrive(house, "", bob.token)
            await back.expect(ListTables(0), Tables)
            await on.until_shown("bob  host  elsewhere")
            assert company_of(on.model)[0].about == ("host", "elsewhere")


async def test_the_whole_log_is_read_from_its_end_and_follows() -> None:
    async with two_at_a_table() as two:
        on = two.on
        await two.play_until(lambda: on.model.phase == "between")
        await on.pilot.resize_terminal(44, 16)
        await on.until_after_thinking(lambda: "Enter: ready" in on.text)  # the sheet takes keys
        await on.press("q", "l")
        assert isinstance(on.app.screen, WholeLog)
        await on.until_after_thinking(lambda: "Round 1 is over" in on.text)
        for line in ("oh", "and now?", "well done"):
            await two.bob.ask(Say(0, line))
        await on.until_after_thinking(lambda: "> bob: well done" in on.text)
        await on.press("pageup", "pageup", "up")
        await on.until_after_thinking(lambda: "Round 1 of " in on.text and "well done" not in on.text)
        await on.press("l")
        assert on.app.screen is not None
        assert not isinstance(on.app.screen, WholeLog)
