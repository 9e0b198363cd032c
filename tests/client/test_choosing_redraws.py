"""Choosing a card redraws a part of the table alone: what stands there is what a whole redraw would draw."""

from __future__ import annotations

import pytest

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
