"""The form of a new table: it can say everything that a table can be, and nothing that it cannot."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from looseends_client.screens.gathering import GatheringScreen
from looseends_client.screens.page import Ask
from looseends_client.starting import StartLobby
from looseends_client.table_form import options_of_a_table, own_scoring, shown_options, wish_of
from looseends_core.rules import RulesError, RuleSet, check_rules
from looseends_core.scoring import ScoringTable
from looseends_protocol.messages import CreateTable, TableOptions
from tests.client.on_screen import opened, seated_before_the_screen

LEVELS = (("rookie", "plays anything"), ("steady", "counts"))


@given(st.data(), st.booleans())
def test_however_it_is_set_it_makes_a_table_or_says_why_not(data: st.DataObject, alone: bool) -> None:
    options = options_of_a_table(LEVELS, ("steady",), alone=alone)
    for option in options:
        option.at = data.draw(st.integers(0, len(option.values) - 1), label=option.name)
    try:
        wish = wish_of(options, alone=alone)
    except RulesError:
        return
    check_rules(wish.rules)
    assert len(wish.bots) == (wish.rules.players - 1 if alone else 0)


def test_every_field_of_rules_and_options_can_be_set() -> None:
    changed: set[str] = set()
    plain = wish_of(options_of_a_table(LEVELS, (), alone=False), alone=False)
    count = len(options_of_a_table(LEVELS, (), alone=False))
    for place, step in itertools.product(range(count), (1, 7)):
        options = options_of_a_table(LEVELS, (), alone=False)
        if options[place].asks:
            options[place].write("Friday")
        else:
            options[place].at = (options[place].at + step) % len(options[place].values)
        try:
            wish = wish_of(options, alone=False)
        except RulesError:
            continue
        for before, after in ((plain.rules, wish.rules), (plain.options, wish.options)):
            changed |= {name for name in before.__struct_fields__ if getattr(before, name) != getattr(after, name)}
    named_by_the_server = {"contest", "replay"}
    assert changed == {*RuleSet.__struct_fields__, *TableOptions.__struct_fields__} - named_by_the_server


def test_own_numbers_are_five_whole_ones() -> None:
    assert own_scoring("2, −1,-2,+5, 10") == ScoringTable(2, -1, -2, 5, 10)
    for written in ("", "1,2,3,4", "1,2,3,4,5,6", "1,2,3,4,x", "1,2,3,4,5.0", "1,2,3,4,²", "1,2,3,4,99999"):
        with pytest.raises(RulesError, match="five whole numbers"):
            own_scoring(written)


def test_an_option_that_says_nothing_as_the_others_are_set_is_not_shown() -> None:
    options = options_of_a_table(LEVELS, (), alone=False)
    by_name = {option.name: option for option in options}
    shown = [option.name for option in shown_options(options)]
    assert "own numbers" not in shown
    assert "they may talk" in shown
    by_name["scoring"].at = 2
    by_name["spectators"].at = 0
    shown = [option.name for option in shown_options(options)]
    assert "own numbers" in shown
    assert "they may talk" not in shown


async def test_title_and_own_numbers_are_written_in_the_form() -> None:
    async with (
        opened() as (house, clock),
        seated_before_the_screen(house, clock, StartLobby(), size=(60, 20)) as on,
    ):
        await on.press("n")
        await on.until_shown("a new table")

        async def down_to(name: str) -> None:
            for _ in range(30):
                if f"▶ {name}" in on.text:
                    return
                await on.press("down")
            raise AssertionError(f"{name} never came:\n{on.text}")

        await down_to("scoring")
        await on.press("right", "right", "down", "space")
        assert isinstance(on.app.screen, Ask)
        for _ in range(20):
            await on.press("backspace")
        await on.type("1,2")
        await on.press("enter")
        await down_to("title")
        await on.until_shown("above")
        await on.press("right")
        assert isinstance(on.app.screen, Ask)
        await on.type("Friday")
        await on.press("enter", "enter")
        await on.until_shown("must be five whole numbers")
        await down_to("own numbers")
        await on.press("space", *["backspace"] * 3)
        await on.type("3,-1,-3,4,12")
        await on.press("enter", "enter")
        await on.until(lambda: isinstance(on.app.screen, GatheringScreen))
        (made,) = on.asked(CreateTable)
        assert made.rules.scoring == ScoringTable(3, -1, -3, 4, 12)
        assert made.options.title == "Friday"
        assert "own scoring" in " ".join(on.text.split())
