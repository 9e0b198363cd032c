"""The table in full colour, as SVG: what text alone does not show. Few, because each changes with Textual's version.

Look at each in a browser before you take it: `make test ARGS="tests/client/test_table_svg.py --snapshot-update"`.
"""

from __future__ import annotations

from collections.abc import Callable

from textual.pilot import Pilot

from looseends_client.themes import LIGHT
from tests.client.scenes import FOUR
from tests.client.table_app import TableApp
from tests.client.test_table_pictures import COVER, PLANNING, TRICK

Compare = Callable[..., bool]


def test_a_trick_in_the_dark_theme(snap_compare: Compare) -> None:
    assert snap_compare(TableApp(FOUR, TRICK, bots=1), press=["right"], terminal_size=(80, 24))


def test_a_choice_to_cover_in_the_light_theme(snap_compare: Compare) -> None:
    async def in_the_light(pilot: Pilot[None]) -> None:
        pilot.app.theme = LIGHT
        await pilot.pause()

    assert snap_compare(TableApp(FOUR, COVER, bots=1), run_before=in_the_light, terminal_size=(80, 24))


def test_planning_in_a_large_window(snap_compare: Compare) -> None:
    assert snap_compare(TableApp(FOUR, PLANNING, bots=1), press=["g", "1", "5"], terminal_size=(120, 40))
