"""The deal of the day and tables with the same cards, from the keys that lead there to how they went."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator

import pytest

from looseends_client.contest_words import result_lines
from looseends_client.deal_proof import FIXED
from looseends_client.screens.contest import ContestPage
from looseends_client.screens.games import GamesScreen
from looseends_client.screens.gathering import GatheringScreen
from looseends_client.screens.lobby import LobbyScreen
from looseends_client.screens.menu import MenuScreen
from looseends_client.screens.new_table import NewTable
from looseends_client.screens.page import Choice, keys_of
from looseends_client.screens.replay import ReplayScreen
from looseends_client.screens.score_sheet import ScoreSheet
from looseends_client.screens.table import TableScreen
from looseends_client.starting import StartAlone, StartLobby
from looseends_core.bots import LEVELS
from looseends_core.rules import rule_set
from looseends_protocol.messages import (
    Attending,
    BeReady,
    CreateTable,
    GetContest,
    JoinTable,
    PlayDaily,
    SeatBot,
    StartGame,
)
from looseends_server import contests
from looseends_server.house import House
from looseends_server.limits import Limits, Pace, ServerSettings
from tests.client.finished_games import shown
from tests.client.on_screen import OnScreen, seated_before_the_screen
from tests.client.scripted_server import ClientClock
from tests.server.peers import Peer, arrive, settled

SHORT = rule_set(4, rounds=2, hand_size=4, max_bid=2)
Place = tuple[House, ClientClock]


@pytest.fixture(autouse=True)
def _short_days(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contests, "daily_rules", lambda day: SHORT)


@pytest.fixture
async def place() -> AsyncIterator[Place]:
    clock = ClientClock()
    settings = ServerSettings(limits=Limits(burst_messages=10_000, resyncs=1000), pace=Pace(ready_seconds=None))
    levels = dict.fromkeys((*contests.DAILY_LEVELS, "rookie"), LEVELS["rookie"])
    house = await House.open(None, settings, clock=clock, entropy=random.Random(1).randbytes, levels=levels)
    try:
        yield house, clock
    finally:
        await house.close()


async def play_the_day(on: OnScreen) -> None:
    """Press d, and play what comes to its end."""
    await on.press("d")
    await on.until(lambda: isinstance(on.app.screen, TableScreen) and on.model.state.round == 1)
    await on.play_until(lambda: on.model.phase == "over")
    await on.until(lambda: isinstance(on.app.screen, ScoreSheet))
    await shown(on, "how others did")


async def peer_plays(house: House, clock: ClientClock, peer: Peer) -> None:
    assert peer.table is not None
    table = house.tables[peer.table.code]
    for _ in range(500):
        if table.state.stage == "over":
            await settled()
            return
        peer.act_if_due()
        if table.state.stage == "between":
            peer.post(BeReady(0, table.state.play.round))
        await settled()
        await clock.advance(1)
    raise AssertionError("the game does not end")


class TestTheDealOfTheDay:
    async def test_is_played_from_the_lobby_once_and_then_shows_how_it_went(self, place: Place) -> None:
        house, clock = place
        bob, _ = await arrive(house, "bob")
        await bob.expect(PlayDaily(0), Attending)
        await peer_plays(house, clock, bob)
        async with seated_before_the_screen(house, clock, StartLobby()) as on:
            await play_the_day(on)
            assert "play again" not in on.text
            assert {proof.words for proof in on.model.proofs.values()} == {FIXED}
            await on.until_after_thinking(lambda: on.text.count(FIXED) == 2)
            await on.press("n")
            assert on.asked(BeReady)[-1].round == 1, "no rematch was asked for"
            assert "play again" not in keys_of(on.app.screen)
            score = on.model.state.scores[0]
            await on.press("c")
            await on.until(lambda: isinstance(on.app.screen, ContestPage))
            await shown(on, "Deal of 20")
            await shown(on, "bob")
            await shown(on, f"{score} point".replace("-", "−"))
            await shown(on, "of 2")
            await on.press("q", "q")
            await on.until(lambda: isinstance(on.app.screen, TableScreen))
            await on.press("q")
            await on.until(lambda: isinstance(on.app.screen, LobbyScreen))
            await on.press("d")
            await on.until(lambda: isinstance(on.app.screen, ContestPage))
            await shown(on, "the next one is there tomorrow")
            assert on.app.attendance is None
            await on.press("enter")
            await on.until(lambda: isinstance(on.app.screen, LobbyScreen))

    async def test_gives_three_lines_to_the_clipboard_that_stand_on_the_screen_too(
        self, place: Place, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async with seated_before_the_screen(*place, StartLobby()) as on:
            copied: list[str] = []
            monkeypatch.setattr(on.app, "copy_to_clipboard", copied.append)
            await play_the_day(on)
            await on.press("c")
            await on.until(lambda: isinstance(on.app.screen, ContestPage))
            page = on.app.screen
            assert isinstance(page, ContestPage)
            lines = result_lines(page.contest)
            assert lines is not None
            await shown(on, lines[0])
            rows = [line.strip() for line in on.lines]
            at = rows.index(lines[0])
            assert rows[at : at + 3] == list(lines)
            await on.press("c")
            assert copied == ["\n".join(lines)]
            assert "copy your result" in keys_of(on.app.screen)
            assert "the next seat" not in keys_of(on.app.screen)

    async def test_waits_for_whoever_leaves_it(self, place: Place) -> None:
        async with seated_before_the_screen(*place, StartLobby()) as on:
            await on.press("d")
            await on.until(lambda: isinstance(on.app.screen, TableScreen) and on.model.state.round == 1)
            code = on.model.code
            await on.press("q")
            assert isinstance(on.app.screen, Choice)
            await shown(on, "it waits for you")
            assert "give" not in on.text
            await on.press("enter")
            await on.until(lambda: isinstance(on.app.screen, LobbyScreen))
            await on.press("d")
            await on.until(lambda: isinstance(on.app.screen, TableScreen))
            assert on.model.code == code

    async def test_is_in_the_menu_too_where_the_program_has_one_of_its_own(self, place: Place) -> None:
        async with seated_before_the_screen(*place, StartAlone(None)) as on:
            assert isinstance(on.app.screen, MenuScreen)
            await shown(on, "Deal of the day")
            await play_the_day(on)
            await on.press("c")
            await on.until(lambda: isinstance(on.app.screen, ContestPage))
            await shown(on, "place 1 of 1")
            await on.press("q", "q", "q")
            await on.until(lambda: isinstance(on.app.screen, MenuScreen))
            await on.press("d")
            await on.until(lambda: isinstance(on.app.screen, ContestPage))

    async def test_can_be_looked_back_at_and_compared_from_the_list_of_games(self, place: Place) -> None:
        async with seated_before_the_screen(*place, StartLobby()) as on:
            await play_the_day(on)
            await on.press("b")
            await on.until(lambda: isinstance(on.app.screen, ReplayScreen))
            await on.press("e")
            assert isinstance(on.app.screen, ReplayScreen)
            assert {proof.words for proof in on.app.screen.scene.model.proofs.values()} == {FIXED}
            await on.press("q", "q", "q")
            await on.until(lambda: isinstance(on.app.screen, LobbyScreen))
            await on.press("g")
            await on.until(lambda: isinstance(on.app.screen, GamesScreen) and on.app.screen.chosen is not None)
            await on.press("c")
            await on.until(lambda: isinstance(on.app.screen, ContestPage))
            assert on.asked(GetContest)[-1].contest.startswith("daily 20")


class TestTablesWithTheSameCards:
    @pytest.mark.parametrize("size", [(80, 24), (60, 20)])
    async def test_are_opened_from_the_form_and_compared_seat_by_seat(
        self, place: Place, size: tuple[int, int]
    ) -> None:
        house, clock = place
        async with seated_before_the_screen(house, clock, StartLobby(), size=size) as on:
            await on.press("n")
            form = on.app.screen
            assert isinstance(form, NewTable)
            for option in form.form.options:
                wanted = {"players": 2, "rounds": 2, "cards each": 4, "most bids": 2, "bots' pace": 0}
                wanted["same cards at"] = 3
                if option.name in wanted:
                    option.at = [value for _, value in option.values].index(wanted[option.name])
            await on.press("enter")
            await on.until(lambda: isinstance(on.app.screen, GatheringScreen))
            assert on.asked(CreateTable)[-1].copies == 3
            others = [code for code in house.tables if code != on.model.code]
            assert len(others) == 2
            await on.until_after_thinking(lambda: all(code in "".join(on.text.split()) for code in others))
            await shown(on, "same cards at 3 tables, table 1")

            bob, _ = await arrive(house, "bob")
            await bob.expect(JoinTable(0, others[0]), Attending)
            await on.press("f", "enter")
            await on.until(lambda: isinstance(on.app.screen, TableScreen) and on.model.state.round == 1)
            await on.play_until(lambda: on.model.phase == "over")
            await on.until(lambda: isinstance(on.app.screen, ScoreSheet))
            await shown(on, "how others did")
            await on.press("c")
            await on.until(lambda: isinstance(on.app.screen, ContestPage))
            await shown(on, "Sides: from table to table each sits one seat further on")
            await shown(on, "With 3 tables for 2 seats the sides do not hold every hand equally often.")
            await on.press("right")
            await shown(on, "Seat 1 of 2: the same hands at 1 table")
            await on.press("q")

            await bob.ask(SeatBot(0, 1, "rookie"))
            await bob.ask(StartGame(0))
            await peer_plays(house, clock, bob)
            await on.press("c")
            await on.until(lambda: isinstance(on.app.screen, ContestPage))
            await shown(on, "table 3 mean")
            await on.press("right")
            await shown(on, "Seat 1 of 2: the same hands at 2 tables")
            await shown(on, "ann")
            await shown(on, "bob")
            await shown(on, "deal 2")
            await shown(on, "mean")
            await on.press("right")
            await shown(on, "Seat 2 of 2")
            assert on.text.count("bot ") == 2
            assert "copy" not in keys_of(on.app.screen)

    async def test_stand_in_the_lobby_as_what_they_are(self, place: Place) -> None:
        house, clock = place
        host, _ = await arrive(house, "host")
        await host.expect(CreateTable(0, rule_set(2), copies=2), Attending)
        async with seated_before_the_screen(house, clock, StartLobby()) as on:
            await on.until_shown("same cards at 2 tables, table 1")
            await on.until_after_thinking(lambda: "same cards at 2 tables, table 2" in on.text)

    @pytest.mark.parametrize("size", [(80, 24), (60, 20)])
    async def test_a_code_with_the_letter_of_a_side_leads_to_its_seat_and_names_have_the_letter(
        self, place: Place, size: tuple[int, int]
    ) -> None:
        house, clock = place
        bob, _ = await arrive(house, "bob")
        first = await bob.expect(CreateTable(0, rule_set(2, rounds=1, hand_size=4), copies=2), Attending)
        (second,) = (code for code in house.tables if code != first.code)
        cid, _ = await arrive(house, "cid")
        await cid.expect(JoinTable(0, f"{second}B"), Attending)
        async with seated_before_the_screen(house, clock, StartLobby(), size=size) as on:
            await on.press("c")
            await on.type(f"{second[:5].lower()}-{second[5:].lower()}-a")
            await on.press("enter")
            await on.until(lambda: isinstance(on.app.screen, GatheringScreen))
            assert on.model.seat == 1
            await shown(on, "seat 1, side B cid")
            await shown(on, "seat 2, side A you")
            await shown(on, "ann sat down for side A.")
            await cid.ask(StartGame(0))
            await on.until(lambda: isinstance(on.app.screen, TableScreen) and on.model.state.round == 1)
            await shown(on, "B cid")
            await shown(on, "A you")
