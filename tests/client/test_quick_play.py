"""Playing without choosing: the table that `p` leads to, seats filled with bots at once, and the same people again."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from looseends_client.lobby_list import table_to_play_at
from looseends_client.screens.gathering import GatheringScreen
from looseends_client.screens.lobby import LobbyScreen
from looseends_client.screens.page import Question
from looseends_client.screens.table import TableScreen
from looseends_client.starting import StartLobby
from looseends_client.widgets.key_bar import BETWEEN, fitting_keys
from looseends_core.rules import rule_set
from looseends_protocol.messages import (
    Attending,
    BeReady,
    CreateTable,
    JoinTable,
    LeaveTable,
    Refused,
    SeatBot,
    StartGame,
    TableLine,
    TableOptions,
    TablePhase,
    Unseat,
    WatchTable,
)
from tests.client.on_screen import OnScreen, opened, seated_before_the_screen
from tests.client.test_lobby_screens import Place
from tests.server.peers import arrive

THREE = rule_set(3, rounds=1, hand_size=4)


def line(code: str, open_seats: int, *, phase: TablePhase = "gathering", password: bool = False) -> TableLine:
    return TableLine(code, code, "bob", THREE, TableOptions(), phase, open_seats, needs_password=password)


def test_quick_play_goes_to_the_table_that_is_closest_to_its_start() -> None:
    tables = [line("A", 2), line("B", 1), line("C", 1), line("D", 0), line("E", 1, phase="over")]
    found = table_to_play_at(tables)
    assert found is not None
    assert found.code == "B"


def test_quick_play_leaves_out_what_nobody_can_just_sit_down_at() -> None:
    assert table_to_play_at([line("A", 1, password=True), line("B", 0), line("C", 1, phase="playing")]) is None
    assert table_to_play_at([]) is None


@given(
    st.lists(st.text("abc →", min_size=1, max_size=12).filter(lambda key: BETWEEN not in key), min_size=1), st.data()
)
def test_keys_that_do_not_fit_are_counted(keys: list[str], data: st.DataObject) -> None:
    text = BETWEEN.join(keys)
    width = data.draw(st.integers(10, 60))
    shown = fitting_keys(text, width)
    assert cell_len(shown) <= width
    if shown != text:
        *kept, more = shown.split(BETWEEN)
        assert more == f"? +{len(text.split(BETWEEN)) - len(kept)} keys"


@pytest.fixture
async def place() -> AsyncIterator[Place]:
    async with opened() as place:
        yield place


@pytest.fixture
async def on(place: Place) -> AsyncIterator[OnScreen]:
    async with seated_before_the_screen(*place, StartLobby()) as on:
        await on.until_shown("you are ann")
        yield on


async def test_p_sits_down_at_an_open_table(on: OnScreen, place: Place) -> None:
    bob, _ = await arrive(place[0], "bob")
    table = await bob.expect(CreateTable(0, THREE, TableOptions()), Attending)
    await on.until(lambda: "bob's table" in on.text)
    await on.press("p")
    await on.until(lambda: isinstance(on.app.screen, GatheringScreen))
    assert on.model.code == table.code
    assert on.asked(CreateTable) == []
    bob.close()


async def test_p_opens_a_public_table_where_there_is_none_and_f_and_enter_play_it_with_the_usual_bots(
    on: OnScreen,
) -> None:
    await on.press("p")
    await on.until(lambda: isinstance(on.app.screen, GatheringScreen))
    (made,) = on.asked(CreateTable)
    assert (made.rules, made.options.private, made.password) == (rule_set(4), False, "")
    await on.press("f")
    await on.until_shown("press Enter to start")
    assert [seated.level for seated in on.asked(SeatBot)] == [
        on.app.own.bots[seat % len(on.app.own.bots)] for seat in range(3)
    ]
    await on.press("enter")
    await on.until(lambda: isinstance(on.app.screen, TableScreen))


async def test_f_is_the_host_s_alone(on: OnScreen, place: Place) -> None:
    bob, _ = await arrive(place[0], "bob")
    await bob.expect(CreateTable(0, THREE, TableOptions()), Attending)
    await on.until(lambda: "bob's table" in on.text)
    await on.press("p")
    await on.until(lambda: isinstance(on.app.screen, GatheringScreen))
    await on.press("f", "b", "x", "enter")
    await on.settle()
    assert not on.asked(SeatBot)
    assert not on.asked(Unseat)
    assert not on.asked(StartGame)
    bob.close()


async def test_a_person_is_taken_off_a_seat_only_on_yes(on: OnScreen, place: Place) -> None:
    await on.press("p")
    await on.until(lambda: isinstance(on.app.screen, GatheringScreen))
    bob, _ = await arrive(place[0], "bob")
    await bob.expect(JoinTable(0, on.model.code), Attending)
    await on.until_shown("bob sat down.")
    await on.press("x")
    assert isinstance(on.app.screen, Question)
    await on.press("n")
    assert on.asked(Unseat) == []
    await on.press("x", "y")
    await on.until_shown("bob was removed.")
    bob.close()


async def test_the_lobby_tells_the_pace_of_a_table_and_who_watches(on: OnScreen, place: Place) -> None:
    bob, _ = await arrive(place[0], "bob")
    options = TableOptions(clock_seconds=90, absence="wait", spectators_talk=False)
    table = await bob.expect(CreateTable(0, THREE, options), Attending)
    cy, _ = await arrive(place[0], "cy")
    await cy.expect(WatchTable(0, table.code), Attending)
    await place[1].advance(2)
    await on.until(lambda: "1 watching" in on.text)
    assert "90 seconds a turn · waits for who is away" in on.text
    bob.close()
    cy.close()


async def test_a_rematch_keeps_people_seats_rules_options_password_and_spectators(place: Place) -> None:
    house, _ = place
    rules = rule_set(3, ["plan-b"], rounds=1, hand_size=3)
    options = TableOptions(title="Friday", bots=0, clock_seconds=90, absence="wait", hint=False)
    bob, _ = await arrive(house, "bob")
    table = await bob.expect(CreateTable(0, rules, options, password="sesame"), Attending)
    await bob.ask(SeatBot(0, 1, "rookie"))
    cy, _ = await arrive(house, "cy")
    await cy.expect(WatchTable(0, table.code, password="sesame"), Attending)
    async with seated_before_the_screen(house, place[1], StartLobby(table.code)) as on:
        await on.until_shown("The table's password")
        await on.type("sesame")
        await on.press("enter")
        await on.until_after_thinking(lambda: isinstance(on.app.screen, GatheringScreen))
        await bob.ask(StartGame(0))
        for game in (1, 2):
            for _ in range(300):
                await on.settle()
                bob.act_if_due()
                model = on.model
                if model.game == game and model.phase == "over":
                    break
                if model.my_turn:
                    await on.table.act(on.rng.choice(model.legal()))
                await on.clock.advance(0.3)
            assert (on.model.game, on.model.phase) == (game, "over")
            assert on.model.rules == rules
            assert on.model.options == options
            assert (on.model.title, on.model.names, on.model.seat) == ("Friday", ["bob", "rookie", "you"], 2)
            assert on.model.watching == ("cy",)
            assert cy.view is not None
            assert cy.view.winners is not None
            stranger, _ = await arrive(house, f"stranger {game}")
            refused = await stranger.ask(WatchTable(0, table.code))
            assert isinstance(refused, Refused)
            assert refused.error == "table/password"
            stranger.close()
            await bob.ask(BeReady(0, on.model.state.round))
            await on.table.be_ready()
    bob.close()
    cy.close()


async def test_the_gathering_screen_says_what_to_do_in_the_smallest_window(on: OnScreen) -> None:
    await on.press("n")
    await on.until_shown("a new table")
    await on.press("right", "down", "right", "down", "right", "down", "right", "enter")
    await on.until(lambda: isinstance(on.app.screen, GatheringScreen))
    assert on.model.rules.players == 5
    await on.pilot.resize_terminal(40, 16)
    await on.settle()
    words = " ".join(on.text.split())
    assert "4 open: wait for people; b: a bot on the chosen seat, f: bots on all." in words
    assert all(f"seat {seat}" in words for seat in range(1, 6))
    assert "? +" in on.lines[-1]
    await on.pilot.resize_terminal(80, 24)
    await on.settle()
    assert isinstance(on.app.screen, GatheringScreen | LobbyScreen)


async def test_the_chosen_table_stays_chosen_when_others_come_and_go(on: OnScreen, place: Place) -> None:
    house = place[0]
    people = [await arrive(house, name) for name in ("bob", "cy", "dee")]
    tables = [await peer.expect(CreateTable(0, THREE, TableOptions()), Attending) for peer, _ in people]
    await on.until(lambda: "dee's table" in on.text)
    while "▶ cy's table" not in on.text:
        await on.press("down")
    await people[0][0].ask(LeaveTable(0))
    more, _ = await arrive(house, "eve")
    await more.expect(CreateTable(0, THREE, TableOptions()), Attending)
    await on.until(lambda: "bob's table" not in on.text and "eve's table" in on.text)
    assert "▶ cy's table" in on.text
    await on.press("enter")
    await on.until(lambda: isinstance(on.app.screen, GatheringScreen))
    assert on.model.code == tables[1].code
    for peer in (*(peer for peer, _ in people), more):
        peer.close()


async def test_tables_out_of_sight_are_counted_above_and_below(on: OnScreen, place: Place) -> None:
    people = [(await arrive(place[0], f"host {number}"))[0] for number in range(8)]
    for peer in people:
        await peer.expect(CreateTable(0, THREE, TableOptions()), Attending)
    await on.until(lambda: "+3 more below" in on.text)
    assert "above" not in on.text
    await on.press(*["down"] * 7)
    assert "+3 more above" in on.text
    assert "below" not in on.text
    for peer in people:
        peer.close()
