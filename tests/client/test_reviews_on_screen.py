"""A game that just ended is reviewed from its sheet, looked back at, and played on from, on the screen."""

from __future__ import annotations

from looseends_client.screens.menu import MenuScreen
from looseends_client.screens.replay import ReplayScreen
from looseends_client.screens.review import ReviewScreen
from looseends_client.screens.score_sheet import ScoreSheet
from looseends_client.screens.table import TableScreen
from looseends_protocol.messages import (
    ReviewGame,
    WhatIf,
)
from tests.client.finished_games import after_a_game, keep, looking_back, shown


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
