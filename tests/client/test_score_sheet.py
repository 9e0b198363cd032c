"""Asking a score sheet where its numbers come from: the cursor, the sentence below, the pages, in every size."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest
from textual.pilot import Pilot

from looseends_client.cards_text import UNICODE_FACES
from looseends_client.drawing.rows import row_text
from looseends_client.drawing.sheet import Cell, final_rows, lines_on, sheet_rows, words_on
from looseends_client.narration import plain
from looseends_client.screens.page import KeysPage
from looseends_client.screens.score_sheet import ScoreRows, ScoreSheet, ScoreWord
from looseends_core.events import Event, GameEnded, RoundScored
from looseends_core.rules import RuleSet, rule_set
from tests.client.games import full_game
from tests.client.scenes import FOUR, FOUR_HANDS, PLANNED, played, scene_of
from tests.client.table_app import TableApp

RUNNING = played(FOUR, FOUR_HANDS, [*PLANNED, "G15", "G2", "G6", "G11"])
THREE = rule_set(3, ["plan-b"], rounds=3, hand_size=6)
GAME = full_game(THREE)


@asynccontextmanager
async def sheet_of(
    rules: RuleSet, events: Sequence[Event], size: tuple[int, int] = (80, 24)
) -> AsyncIterator[tuple[Pilot[None], ScoreSheet]]:
    """Show the sheet of a table after these events, to seat 0."""
    app = TableApp(rules, events)
    async with app.run_test(size=size) as pilot:
        sheet = app.screen if isinstance(app.screen, ScoreSheet) else ScoreSheet(app.attendance, UNICODE_FACES)
        if app.screen is not sheet:
            await app.push_screen(sheet)
        sheet._take_keys()  # pyright: ignore[reportPrivateUsage]  # those that come up by themselves rest first
        await pilot.pause()
        yield pilot, sheet


def word(sheet: ScoreSheet) -> str:
    """Return the sentence below the sheet, in one line."""
    return " ".join(sheet.query_one(ScoreWord).text.split())


def up_to_round(events: Sequence[Event], number: int) -> list[Event]:
    ends = [at for at, event in enumerate(events) if isinstance(event, RoundScored)]
    return list(events[: ends[number - 1] + 1])


async def test_arrows_and_tab_ask_about_one_number_after_the_other() -> None:
    async with sheet_of(FOUR, RUNNING) as (pilot, sheet):
        assert "where a number comes from" in word(sheet)
        await pilot.press("right")
        assert word(sheet) == "Round 1 so far, you: covered G♣12: +2"
        await pilot.press("tab")
        assert word(sheet).startswith("Round 1 so far, bob: a snitch who wins no trick")
        await pilot.press("left", "down")
        assert word(sheet) == (
            "Round 1 so far, you: R♥14 and Y♠6 still open, 2 loose ends at −2 each, as long as bob snitches: −4"
        )
        assert "[2: −4]" in sheet.query_one(ScoreRows).text
        await pilot.press("up", "up")
        assert word(sheet) == "you: 5 at the start, −2 in round 1: 3"


def test_no_number_moves_when_another_is_asked_about() -> None:
    model = scene_of(FOUR, RUNNING).model
    for width in (80, 60, 40):
        before = [row_text(row) for row in sheet_rows(model, UNICODE_FACES, width, 0)]
        for line in lines_on(model, 0):
            for seat in range(4):
                rows = sheet_rows(model, UNICODE_FACES, width, 0, Cell(line, seat))
                after = [row_text(row).replace("[", " ").replace("]", " ").rstrip() for row in rows]
                assert after == before


async def test_pages_go_round_with_r_and_the_question_stays_where_it_can() -> None:
    async with sheet_of(THREE, up_to_round(GAME, 3)[:-1]) as (pilot, sheet):
        assert "Round 3 so far" in sheet.query_one(ScoreRows).text
        await pilot.press("right", "r")
        assert "Round 1, you" in word(sheet)
        await pilot.press("r")
        assert "Round 2, you" in word(sheet)
        await pilot.press("pageup", "pageup")
        assert "Round 3 so far, you" in word(sheet)


async def test_the_final_sheet_tells_how_each_round_and_the_whole_came_about() -> None:
    assert isinstance(GAME[-1], GameEnded)
    async with sheet_of(THREE, GAME) as (pilot, sheet):
        await pilot.press("right")
        assert word(sheet) == "you: everybody begins the game with 5"
        await pilot.press("down")
        assert word(sheet).startswith("Round 1, you: ")
        await pilot.press("up", "up")
        assert word(sheet).endswith(f"in round 3: {str(GAME[-1].scores[0]).replace('-', '−')}")
        await pilot.press("pageup")
        assert "Round 3" in sheet.query_one(ScoreRows).text
        assert word(sheet).startswith("you: 5 at the start")


async def test_question_mark_shows_every_key_of_the_sheet_and_closes_that_page_again() -> None:
    async with sheet_of(FOUR, RUNNING) as (pilot, sheet):
        await pilot.press("question_mark")
        page = pilot.app.screen
        assert isinstance(page, KeysPage)
        text = page._text  # pyright: ignore[reportPrivateUsage]
        assert text.index("→ Tab") < text.index("r PgDn") < text.index("Ctrl-P")
        assert "where the next number comes from" in text
        assert "Enter" in text
        await pilot.press("question_mark")
        assert pilot.app.screen is sheet


@pytest.mark.parametrize("size", [(60, 20), (40, 16)])
async def test_the_sentence_stays_in_the_window_however_small(size: tuple[int, int]) -> None:
    async with sheet_of(FOUR, RUNNING, size) as (pilot, sheet):
        await pilot.press("right", "down")
        assert word(sheet).startswith("Round 1 so far, you: R♥14 and Y♠6 still open")
        below = sheet.query_one(ScoreWord).region
        assert below.bottom <= size[1] - 1


def test_every_cell_of_every_page_has_words() -> None:
    for rules, events in ((THREE, GAME), (FOUR, RUNNING), (THREE, up_to_round(GAME, 1)), (THREE, GAME[:1])):
        model = scene_of(rules, events).model
        pages: list[int | None] = [*range(1, len(model.accounts) + 1), 0, *([None] if model.phase == "over" else [])]
        for page in pages:
            for line in lines_on(model, page):
                for seat in range(rules.players):
                    cell = Cell(line, seat)
                    assert plain(words_on(model, UNICODE_FACES, page, cell))
                    if page is None:
                        rows = final_rows(model, UNICODE_FACES, 80, cell)
                    else:
                        rows = sheet_rows(model, UNICODE_FACES, 80, page, cell)
                    assert sum(span.text == "[" for row in rows for span in row) == 1, (page, cell)


def test_what_is_said_of_the_reader_begins_as_a_sentence_does() -> None:
    rules = rule_set(2, rounds=1, hand_size=2)
    model = scene_of(rules, played(rules, ["B1 R1", "Y1 R2"], ["bid R1", "bid Y1", "pass", "pass", "R2", "B1"])).model
    told = [row_text(row).strip() for row in sheet_rows(model, UNICODE_FACES, 80, 1)]
    assert "You covered every bid and left nothing loose: a Perfect Crime." in told
