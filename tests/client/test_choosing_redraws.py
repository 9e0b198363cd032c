"""Choosing a card, or a second going by, redraws a part of the table alone: what stands there is what a whole redraw
would draw."""

from __future__ import annotations

import pytest

from looseends_client.drawing.rows import width_of
from looseends_client.widgets.whole_table import WholeTable
from looseends_core.events import Event
from looseends_core.rules import RuleSet
from tests.client.scenes import COVERING, FOUR, FOUR_HANDS, PLANNED, played
from tests.client.table_app import TableApp, at_size

MOMENTS = {
    "planning": played(FOUR, FOUR_HANDS, []),
    "planning with bids": played(FOUR, FOUR_HANDS, PLANNED[:4]),
    "playing": played(FOUR, FOUR_HANDS, PLANNED),
    "covering": played(FOUR, FOUR_HANDS, COVERING),
}


@pytest.mark.parametrize("size", [(60, 20), (140, 40)])
@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("seat", [0, 2])
async def test_after_each_choice_the_table_is_as_a_whole_redraw_leaves_it(
    moment: str, size: tuple[int, int], seat: int
) -> None:
    rules: RuleSet = FOUR
    events: list[Event] = MOMENTS[moment]
    app = TableApp(rules, events, seat)
    async with app.run_test(size=size) as pilot:
        await at_size(pilot, *size)
        table = app.screen.query_one(WholeTable)
        drawn = {table.text}
        for key in ("right", "right", "left", "down", "b", "backspace", "tab", "right"):
            await pilot.press(key)
            await pilot.pause()
            shown = table.text
            drawn.add(shown)
            table.redraw()
            assert table.text == shown, key
        if app.table.scene.selectable:
            assert len(drawn) > 1, "no key changed anything, so that this shows nothing"


SIZES = [(60, 20), (60, 24), (80, 24), (100, 30), (120, 24), (140, 40), (200, 60), (40, 16)]


async def test_no_region_of_another_size_is_left_when_the_window_changed_and_has_not_said_so_yet() -> None:
    app = TableApp(FOUR, MOMENTS["playing"], 0)
    async with app.run_test(size=SIZES[0]) as pilot:
        await at_size(pilot, *SIZES[0])
        table = app.screen.query_one(WholeTable)
        for width, height in [size for first in SIZES for second in SIZES for size in (first, second)]:
            mixed = table.rows(width, height)
            table.redraw()
            assert mixed == table.rows(width, height)
            assert len(mixed) == height
            assert {width_of(row) for row in mixed} == {width}
