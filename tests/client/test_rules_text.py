"""The rules in the program: everything that a table plays, its own numbers, what is special there first."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from hypothesis import given
from textual.containers import VerticalScroll
from textual.pilot import Pilot

from looseends_client.cards_text import points_text
from looseends_client.rules_text import VARIANT_TITLES, rules_text
from looseends_client.screens.page import KeysPage, keys_of
from looseends_client.screens.rules_page import RulesPage, TextRows
from looseends_core.rules import VARIANTS, RuleSet, rule_set
from looseends_core.scoring import ScoringTable
from tests.client.games import any_rules, full_game
from tests.client.table_app import TableApp


def headings(text: str) -> list[str]:
    return [line[2:] for line in text.split("\n") if line.startswith("# ")]


def part(text: str, heading: str) -> str:
    """Return what stands under a heading."""
    _, _, rest = text.partition(f"# {heading}\n")
    return rest.partition("\n# ")[0]


@given(any_rules())
def test_a_table_tells_its_variants_first_and_only_those_and_its_own_numbers(rules: RuleSet) -> None:
    text = rules_text(rules)
    own = [VARIANT_TITLES[variant] for variant in VARIANTS if variant in rules.variants]
    assert headings(text)[: 2 + len(own)] == ["In a nutshell", "At this table", *own]
    for variant in VARIANTS:
        assert (f"# {VARIANT_TITLES[variant]}" in text) == (variant in rules.variants)
    table = part(text, "At this table")
    assert f"{rules.hand_size} cards each, at most {rules.max_bid} to bid" in table
    assert ("goes round" in table) == (rules.first_player == "rotate")
    assert f"{rules.rounds} round" in part(text, "The end")
    ranks = 12 if rules.players <= 3 else 15
    assert f"1 to {ranks}, {ranks} highest." in part(text, "Cards")


@pytest.mark.parametrize("scoring", ["standard", "simplified", ScoringTable(3, -2, -4, 7, 20)], ids=str)
def test_every_line_of_the_scoring_is_told_with_its_number(scoring: str | ScoringTable) -> None:
    rules = rule_set(4, scoring=scoring)
    worth = part(rules_text(rules), "Scoring a round")
    table = rules.table
    said = [points_text(table.covered), points_text(table.loose_end), points_text(table.snitch)]
    if table.loose_end_with_snitch != table.loose_end:
        said.append(points_text(table.loose_end_with_snitch))
    if table.perfect_crime:
        said.append(points_text(table.perfect_crime))
    assert sorted(re.findall(r"^ +([+−]?\d+)  ", worth, re.MULTILINE)) == sorted(said)
    assert ("Perfect Crime" in worth) == bool(table.perfect_crime)


def test_variants_that_meet_are_told_as_they_work_together() -> None:
    alone = rules_text(rule_set(4, ["getaway"]))
    assert "Plan B or not" not in alone
    assert "the trick is a loose end" in part(alone, "Covering")
    together = rules_text(rule_set(4, VARIANTS))
    assert "Plan B or not" in part(together, "Getaway cards")
    assert "holds Getaway cards alone" in part(together, "Double-Cross")
    assert "becomes a bid card (Plan B)" in part(together, "Covering")
    assert "Any number of players can snitch" not in part(together, "Snitching")
    assert "Any number of players can snitch" in part(alone, "Snitching")
    assert "cannot bid" not in rules_text(rule_set(4, ["double-cross"]))
    assert "may bid nothing" in rules_text(rule_set(4, ["double-cross"], max_bid=0))


def test_without_a_table_the_usual_game_comes_first_and_every_variant_after_it() -> None:
    told = headings(rules_text())
    assert told[0] == "In a nutshell"
    assert told[-5:] == ["Variants", *VARIANT_TITLES.values(), "Simplified scoring"]
    assert "At this table" not in told
    cards = part(rules_text(), "Cards")
    assert "15 with four players, 16 with two or three, 12 with five" in cards


class TestThePage:
    """The rules on a screen of 80 by 24."""

    async def test_tab_goes_from_heading_to_heading_and_round(self) -> None:
        async with on_a_page(rule_set(4, VARIANTS)) as (pilot, page):
            top = first_row(page)
            assert top == "In a nutshell"
            seen = [top]
            for _ in range(30):
                await pilot.press("tab")
                if first_row(page) == top:
                    break
                seen.append(first_row(page))
            assert seen[1:5] == ["At this table", *VARIANT_TITLES.values()]
            assert first_row(page) == top
            await pilot.press("tab", "tab", "shift+tab")
            assert first_row(page) == "At this table"

    async def test_a_word_is_found_marked_and_found_again(self) -> None:
        async with on_a_page(rule_set(4)) as (pilot, page):
            await pilot.press("slash", *"TRUMP", "enter")
            await pilot.pause()
            assert first_row(page).startswith("> ")
            first = page.query_one(VerticalScroll).scroll_offset.y
            await pilot.press("n")
            assert page.query_one(VerticalScroll).scroll_offset.y > first
            assert '"TRUMP" stands in' in page.keys
            await pilot.press("slash", *"chess", "enter")
            await pilot.pause()
            assert '"chess" stands nowhere' in page.keys
            await pilot.press("n")

    async def test_question_mark_lists_these_keys(self) -> None:
        async with on_a_page(rule_set(2)) as (pilot, _):
            await pilot.press("question_mark")
            assert isinstance(pilot.app.screen, KeysPage)
            assert "find a word" in keys_of(pilot.app.screen_stack[-2])


@asynccontextmanager
async def on_a_page(rules: RuleSet) -> AsyncIterator[tuple[Pilot[None], RulesPage]]:
    """Show the rules."""
    app = TableApp(rules, full_game(rules)[:1])
    async with app.run_test(size=(80, 24)) as pilot:
        page = RulesPage(rules)
        await app.push_screen(page)
        await pilot.pause()
        yield pilot, page


def first_row(page: RulesPage) -> str:
    """Return the first row that is seen of the text."""
    at = round(page.query_one(VerticalScroll).scroll_offset.y)
    return page.query_one(TextRows).text.split("\n")[at].strip()
