"""A table of people: talk, lost connections, score sheets that wait for everybody, rematches, last words."""

from __future__ import annotations

import pytest

from looseends_client.screens import score_sheet
from looseends_client.screens.lobby import LobbyScreen
from looseends_client.screens.page import Ask, Choice
from looseends_client.screens.score_sheet import ScoreRows, ScoreSheet
from looseends_client.screens.table import TableScreen
from looseends_client.starting import StartLobby
from looseends_core.events import GameEnded
from looseends_core.rules import rule_set
from looseends_protocol.messages import (
    Act,
    Attending,
    BeReady,
    CreateTable,
    Happened,
    LeaveTable,
    Notice,
    Say,
    StepAway,
    TableOptions,
    Unseat,
)
from tests.client.on_screen import opened, seated_before_the_screen
from tests.client.two_people import two_at_a_table
from tests.server.peers import FAST, arrive, settled


@pytest.fixture(autouse=True)
def _keys_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(score_sheet, "KEYS_REST_SECONDS", 0.001)


class TestTalk:
    async def test_lines_of_others_of_oneself_and_of_the_table_are_told_apart_by_more_than_colour(self) -> None:
        async with two_at_a_table() as two:
            await two.bob.ask(Say(0, "* bob has won everything"))
            await two.on.press("t")
            assert isinstance(two.on.app.screen, Ask)
            await two.on.type("hi there")
            await two.on.press("enter")
            await two.on.until_shown("you: hi there")
            lines = [line.rpartition("│")[2].strip() for line in two.on.lines]
            assert "> bob: * bob has won everything" in lines
            assert "< you: hi there" in lines
            assert "* bob has won everything" not in lines
            assert [line.kind for line in two.on.model.log if line.kind != "story"][-2:] == ["talk", "own"]

    async def test_letters_typed_into_talk_never_reach_the_table(self) -> None:
        async with two_at_a_table() as two:
            await two.play_until(lambda: two.on.model.my_turn)
            before = len(two.on.acted)
            await two.on.press("t")
            await two.on.type("pdq b12")
            await two.on.press("escape")
            assert two.on.acted[before:] == []
            assert two.on.asked(Say) == []
            assert two.on.screen.scene.typed == ""

    async def test_a_line_that_is_refused_says_why(self) -> None:
        async with two_at_a_table() as two:
            for _ in range(6):
                await two.on.press("t", "x", "enter")
            await two.on.until_shown("Too many lines: wait a little.")


class TestALostConnection:
    async def test_is_shown_on_the_table_which_is_whole_again_when_it_is_back(self) -> None:
        async with two_at_a_table() as two:
            on = two.on
            await two.play_until(lambda: on.model.my_turn)
            on.line.cut()
            await on.until_shown("connection lost, trying again")
            await on.press("p")
            assert "There is no connection to the server at the moment." in on.text
            await two.bob.ask(Say(0, "where are you?"))
            await on.until(lambda: on.app.client.online)
            await on.until_shown("bob: where are you?")
            assert "connection lost" not in on.text
            await two.play_until(lambda: on.model.phase == "between")
            assert on.model.state.results

    async def test_what_a_bot_did_meanwhile_is_told_in_a_sentence(self) -> None:
        options = TableOptions(bots=0, clock_seconds=30)
        async with two_at_a_table(rule_set(2, rounds=1, hand_size=6), options) as two:
            on = two.on
            await two.play_until(lambda: on.model.my_turn and on.model.state.tricks)
            dial = on.app.client._connector  # pyright: ignore[reportPrivateUsage]

            async def unreachable(make: object) -> object:
                raise OSError("unreachable")

            on.app.client._connector = unreachable  # type: ignore[assignment]
            on.line.cut()
            for _ in range(3):
                two.bob.act_if_due()
                await on.clock.advance(31)
            on.app.client._connector = dial  # pyright: ignore[reportPrivateUsage]
            await on.until(lambda: on.app.client.online)
            await on.until(lambda: any("While you were away" in str(line.words) for line in on.model.log))
            (told,) = [line for line in on.model.log if "While you were away" in str(line.words)]
            assert told.kind == "system"
            assert "a bot acted for you" in str(told.words)

    async def test_a_seat_that_was_taken_away_meanwhile_leads_to_the_lobby_with_the_reason(self) -> None:
        async with opened() as (house, clock):
            bob, _ = await arrive(house, "bob")
            table = await bob.expect(CreateTable(0, rule_set(2), FAST), Attending)
            async with seated_before_the_screen(house, clock, StartLobby(table.code)) as on:
                await on.until(lambda: on.app.attendance is not None)
                on.line.cut()
                await settled()
                await bob.ask(Unseat(0, 1))
                await bob.ask(LeaveTable(0))
                await on.until(lambda: on.app.client.online)
                await on.until(lambda: isinstance(on.app.screen, LobbyScreen) or on.model.host == "ann")
            bob.close()


class TestScoreSheets:
    async def test_comes_up_by_itself_says_ready_and_goes_with_the_next_deal(self) -> None:
        async with two_at_a_table() as two:
            on = two.on
            await two.play_until(lambda: isinstance(on.app.screen, ScoreSheet))
            await on.until_shown("Enter: ready (0 of 2 ready)")
            assert "Round 1" in on.text
            await on.press("enter")
            assert len(on.asked(BeReady)) == 1
            await on.until_shown("Waiting for the others (1 of 2 ready)")
            await two.bob.ask(BeReady(0, 1))
            await on.until(lambda: isinstance(on.app.screen, TableScreen) and on.model.state.round == 2)

    async def test_a_sheet_that_came_by_itself_takes_no_key_that_was_meant_for_the_table(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(score_sheet, "KEYS_REST_SECONDS", 1000)
        async with two_at_a_table() as two:
            on = two.on
            await two.play_until(lambda: isinstance(on.app.screen, ScoreSheet))
            await on.press("enter", "q", "n")
            assert isinstance(on.app.screen, ScoreSheet)
            assert on.asked(BeReady) == []

    async def test_looking_at_the_table_again_keeps_the_question_open(self) -> None:
        async with two_at_a_table() as two:
            on = two.on
            await two.play_until(lambda: isinstance(on.app.screen, ScoreSheet))
            await on.until_shown("Enter: ready")
            await on.press("q")
            assert isinstance(on.app.screen, TableScreen)
            await on.until_shown("The round is over")
            await on.press("enter")
            assert isinstance(on.app.screen, ScoreSheet)
            await on.press("enter")
            assert len(on.asked(BeReady)) == 1

    async def test_the_last_sheet_says_who_won_and_n_asks_for_a_rematch(self) -> None:
        async with two_at_a_table(rule_set(2, rounds=1, hand_size=3)) as two:
            on = two.on
            await two.play_until(lambda: isinstance(on.app.screen, ScoreSheet) and on.model.phase == "over")
            await on.until_shown("Final score")
            assert "the game with" in on.text or "share the win" in on.text
            await on.press("pageup")
            await on.until_shown("this round")
            await on.press("r")
            await on.until_shown("n: play again (0 of 2 ready)")
            await on.press("n")
            await on.until_shown("(1 of 2 ready)")
            await two.bob.ask(BeReady(0, 1))
            await on.until(lambda: isinstance(on.app.screen, TableScreen) and on.model.game == 2)
            await on.until(lambda: on.model.state.round == 1)

    async def test_a_deal_that_does_not_prove_is_said_on_the_sheet_and_in_the_log(self) -> None:
        async with two_at_a_table() as two:
            on = two.on
            await on.settle()
            seen = on.model._rounds[1]  # pyright: ignore[reportPrivateUsage]
            seen.commitment = b"another promise".ljust(32)
            await two.play_until(lambda: isinstance(on.app.screen, ScoreSheet))
            await on.until_shown("✗ Round 1: deal not proven: the secret is not the one that was promised")
            sheet = on.app.screen.query_one(ScoreRows)
            told = [span for row in sheet.all_rows(76) for span in row if "promised" in span.text]
            assert told
            assert all("bad" in span.look for span in told), "in red"
            await on.press("q")
            assert any(line.kind == "system" and "not proven" in str(line.words) for line in on.model.log)


class TestLeaving:
    async def test_says_what_becomes_of_the_seat_and_keeps_it(self) -> None:
        async with two_at_a_table() as two:
            on = two.on
            await on.press("q")
            assert isinstance(on.app.screen, Choice)
            await on.until_shown("leave for now: a bot plays until you are back")
            await on.press("enter")
            await on.until(lambda: isinstance(on.app.screen, LobbyScreen))
            assert len(on.asked(StepAway)) == 1
            await on.until(lambda: "your seat is kept" in on.text or "your turn" in on.text)

    async def test_giving_up_while_the_connection_is_lost_says_that_the_server_does_not_know(self) -> None:
        async with two_at_a_table() as two:
            on = two.on
            on.line.cut()
            await on.settle()
            await on.press("q", "x")
            said = "the server does not know that you gave up your seat"
            await on.until(lambda: said in " ".join(on.text.split()), seconds=0)

    async def test_a_table_that_cannot_be_is_left_with_a_sentence(self) -> None:
        async with two_at_a_table() as two:
            on = two.on
            table = on.line.house.tables[two.code]
            table.state.events.append(GameEnded((9, 9), (0,)))  # from now on the server tells nonsense
            on.table.take(Happened(on.model.sequence + 1, (GameEnded((9, 9), (0,)),)))
            await on.until(lambda: isinstance(on.app.screen, LobbyScreen))
            await on.until_shown("cannot have happened in the game")
            assert len(on.asked(StepAway)) == 1


class TestTheServersWord:
    async def test_a_notice_stands_in_the_log(self) -> None:
        async with two_at_a_table() as two:
            for connection in list(two.on.line.house.connections):
                connection.send(Notice("Back in five minutes."))
            await two.on.until_shown("* Back in five minutes.")

    async def test_a_final_word_ends_the_table_and_says_why(self) -> None:
        async with two_at_a_table() as two:
            on = two.on
            connection = next(c for c in on.line.house.connections if c.person is not None and c.person.name == "ann")
            await on.press("s")
            connection.drop("session/banned")
            await on.until_shown("You may not use this server.")
            assert isinstance(on.app.screen, Choice)
            before = len(on.asked(Act))
            await on.press("p", "b", "enter")
            assert len(on.asked(Act)) == before
            assert on.app._exit  # pyright: ignore[reportPrivateUsage]
