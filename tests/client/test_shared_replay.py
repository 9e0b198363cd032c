"""A replay together on the screen: one leads by the keys of any replay, another follows, or looks elsewhere."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from looseends_client.cards_text import ASCII_FACES, UNICODE_FACES
from looseends_client.drawing.rows import row_text, width_of
from looseends_client.drawing.shared_replay import leading_words, shared_rows
from looseends_client.screens.games import GamesScreen
from looseends_client.screens.lobby import LobbyScreen
from looseends_client.screens.page import Question, keys_of
from looseends_client.screens.people_here import PeopleHere
from looseends_client.screens.replay import ReplayScreen
from looseends_client.screens.shared_replay import SharedReplay
from looseends_client.starting import StartAlone, StartLobby
from looseends_client.table_model import TableModel
from looseends_protocol.messages import (
    Attending,
    Games,
    ListGames,
    LookAt,
    LookedAt,
    Said,
    Say,
    ShareReplay,
    TableOptions,
    WatchTable,
)
from looseends_server.house import House
from tests.client.finished_games import keep, shown
from tests.client.on_screen import OnScreen, opened, seated_before_the_screen
from tests.client.scripted_server import ClientClock
from tests.server.peers import Peer, arrive

Place = tuple[House, ClientClock]


@pytest.fixture
async def place() -> AsyncIterator[Place]:
    async with opened() as place:
        yield place


def replay_of(on: OnScreen) -> SharedReplay:
    assert isinstance(on.app.screen, SharedReplay), on.app.screen
    return on.app.screen


async def share(on: OnScreen, house: House) -> None:
    """Go from the lobby to a game of ann and bob, and share it from its third moment on."""
    await keep(house, "ann", "bob", "bot:rookie")
    await on.press("g")
    await on.until_after_thinking(lambda: isinstance(on.app.screen, GamesScreen) and on.app.screen.chosen is not None)
    await on.press("enter")
    await on.until_after_thinking(lambda: isinstance(on.app.screen, ReplayScreen))
    await on.press("right", "right", "p")
    await on.until_after_thinking(lambda: isinstance(on.app.screen, SharedReplay))
    await on.settle()


@asynccontextmanager
async def following(place: Place, size: tuple[int, int] = (80, 24)) -> AsyncIterator[tuple[OnScreen, Peer, str]]:
    """Somebody before a screen at a replay that bob leads."""
    house, clock = place
    bob, _ = await arrive(house, "bob")
    await keep(house, "bob", "ann", "bot:rookie")
    (game,) = (await bob.expect(ListGames(0), Games)).games
    code = (await bob.expect(ShareReplay(0, game.game), Attending)).code
    async with seated_before_the_screen(house, clock, StartLobby(code, watch=True), size=size) as on:
        await on.until_after_thinking(lambda: isinstance(on.app.screen, SharedReplay))
        await on.settle()
        yield on, bob, code
    bob.close()


async def test_who_shares_a_replay_leads_the_others_through_it(place: Place) -> None:
    house, clock = place
    async with seated_before_the_screen(house, clock, StartLobby()) as on:
        await share(on, house)
        replay = replay_of(on)
        assert replay.at == 2
        await shown(on, "you lead; nobody else is here yet")
        code = on.model.code
        await shown(on, f"{code[:5]}-{code[5:]}")
        bob, _ = await arrive(house, "bob")
        told = await bob.expect(WatchTable(0, code), Attending)
        assert told.looking_at == replay.stop.number
        await on.settle()
        await shown(on, "you lead, 1 follow")
        await on.press("pagedown")
        assert bob.got(LookedAt)[-1].number == replay.stop.number
        await bob.ask(Say(0, "why the nine?"))
        await on.settle()
        await shown(on, "> bob: why the nine?")
        await on.press("t")
        await on.type("no idea")
        await on.press("enter")
        await on.settle()
        assert bob.got(Said)[-1].line.text == "no idea"
        assert "back to who leads" not in on.text
        assert "follow again" not in keys_of(on.app.screen)
        await on.press("q")
        assert isinstance(on.app.screen, Question)
        await on.press("y")
        await on.until(lambda: type(on.app.screen) is ReplayScreen)
        await on.settle()
        assert code not in house.tables
        bob.close()


async def test_keys_held_down_tell_where_one_looks_last_and_no_faster_than_is_heard(place: Place) -> None:
    house, clock = place
    async with seated_before_the_screen(house, clock, StartLobby()) as on:
        await share(on, house)
        before = len(on.asked(LookAt))
        for _ in range(12):
            on.strike("right")
        replay = replay_of(on)
        await on.until(lambda: replay.at == 14, seconds=0)
        await on.settle()
        told = on.asked(LookAt)[before:]
        assert told[-1].number == replay.stop.number
        assert len(told) <= 12
        assert house.tables[on.model.code].looking_at == replay.stop.number


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
async def test_who_follows_sees_what_is_led_to_looks_elsewhere_and_comes_back(
    place: Place, size: tuple[int, int]
) -> None:
    async with following(place, size) as (on, bob, _):
        replay = replay_of(on)
        assert replay.at == len(replay.replay.stops) - 1
        assert replay.replay.seat == 1, "ann sees it from her own seat"
        await shown(on, "bob leads, you follow")
        await bob.ask(LookAt(0, replay.replay.stops[3].number))
        await on.settle()
        assert replay.at == 3
        await shown(on, "4 of")
        await on.press("right")
        assert replay.at == 4
        await shown(on, "you look elsewhere: c goes back to bob")
        assert on.asked(LookAt) == []
        await bob.ask(LookAt(0, replay.replay.stops[9].number))
        await on.settle()
        assert replay.at == 4
        await on.press("c")
        assert replay.at == 9
        await shown(on, "bob leads, you follow")
        await bob.ask(LookAt(0, replay.replay.stops[10].number))
        await on.settle()
        assert replay.at == 10
        assert "follow again" in keys_of(on.app.screen)
        assert "others come by a code" not in keys_of(on.app.screen)


async def test_who_follows_talks_sees_who_is_here_and_leaves_without_being_asked(place: Place) -> None:
    async with following(place) as (on, bob, code):
        await on.press("t")
        await on.type("hello")
        await on.press("enter")
        await on.settle()
        assert bob.got(Said)[-1].line.text == "hello"
        await shown(on, "< you: hello")
        await on.press("h")
        assert isinstance(on.app.screen, PeopleHere)
        await shown(on, "Watching (2)")
        await on.press("q", "s", "enter", "q")
        await on.until(lambda: isinstance(on.app.screen, LobbyScreen))
        assert code in place[0].tables


async def test_its_code_leads_there_from_the_lobby(place: Place) -> None:
    async with following(place) as (on, _, code):
        await on.press("q")
        await on.until(lambda: isinstance(on.app.screen, LobbyScreen))
        await on.press("c")
        await on.type(code.lower())
        await on.press("enter")
        await on.until_after_thinking(lambda: "bob leads, you follow" in on.text)
        assert isinstance(on.app.screen, SharedReplay)


async def test_it_ends_for_those_who_follow_when_who_leads_is_gone(place: Place) -> None:
    async with following(place) as (on, bob, _):
        house = place[0]
        table = house.tables[on.model.code]
        bob.close()
        await on.settle()
        await shown(on, "bob, who leads, is not here at the moment")
        back, _ = await arrive(house, "", bob.token)
        await back.expect(WatchTable(0, table.code), Attending)
        await on.settle()
        await shown(on, "bob leads, you follow")
        house.close_table(table, lambda error: None)
        await on.until(lambda: isinstance(on.app.screen, LobbyScreen))
        await shown(on, "That table was closed.")
        back.close()


async def test_a_lost_connection_comes_back_to_where_it_is_led_meanwhile(place: Place) -> None:
    async with following(place) as (on, bob, _):
        replay = replay_of(on)
        on.line.cut()
        await on.settle()
        await bob.ask(LookAt(0, replay.replay.stops[2].number))
        await on.until(lambda: on.app.client.online and replay.at == 2)
        await shown(on, "bob leads, you follow")


async def test_nobody_is_offered_to_share_where_nobody_could_come(place: Place) -> None:
    house, clock = place
    async with seated_before_the_screen(house, clock, StartAlone(None)) as on:
        await keep(house, "ann", "bot:rookie")
        await on.press("h")
        await shown(on, "rookie")
        await on.press("enter")
        await on.until_after_thinking(lambda: isinstance(on.app.screen, ReplayScreen))
        assert "others come by a code" not in keys_of(on.app.screen)
        await on.press("p")
        assert on.asked(ShareReplay) == []


@pytest.mark.parametrize("width", [40, 60, 80])
def test_the_words_over_it_fit_every_width(width: int) -> None:
    model = TableModel(lambda: 0.0, "ann")
    model.options = TableOptions(replay=True)
    model.host, model.code, model.watching = "A name of 20 letters", "KITE234567", ("A name of 20 letters", "ann")
    assert leading_words(model, astray=False) == ("A name of 20 letters leads, you follow", "turn")
    assert leading_words(model, astray=True)[0].endswith("c goes back to A name of 20 letters")
    for faces in (UNICODE_FACES, ASCII_FACES):
        rows = shared_rows(model, faces, width, astray=False)
        assert [width_of(row) for row in rows] == [width, width]
        assert "A name of 20 letters leads" in row_text(rows[0])
        assert ("KITE2-34567" in row_text(rows[0])) == (width > 40)
    model.host, model.watching = "ann", ("ann",)
    assert "you lead" in row_text(shared_rows(model, UNICODE_FACES, width, astray=False)[0])
    assert "KITE2-34567" in row_text(shared_rows(model, UNICODE_FACES, width, astray=False)[0])
