"""A change paints the rows that changed and no others, and a table is few widgets: both are what many people cost."""

from __future__ import annotations

import pytest
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from looseends_client.screens.gathering import GatheringScreen
from looseends_client.screens.table import TableScreen
from looseends_client.starting import StartLobby
from looseends_client.widgets.late_strips import LateStrip
from looseends_client.widgets.lines import Lines
from tests.client.on_screen import OnScreen, alone, opened, seated_before_the_screen


def test_a_late_row_is_painted_once_and_then_as_good_as_any() -> None:
    painted: list[int] = []

    def paint(y: int) -> Strip:
        painted.append(y)
        return Strip([Segment("a card", Style(bold=True)), Segment(" more")])

    late = LateStrip(paint, 7)
    assert painted == []
    assert late.text == "a card more"
    assert late.cell_length == 11
    assert [part.text for part in late.divide([2, 11])] == ["a ", "card more"]
    assert list(late) == list(paint(7))
    assert late == paint(7)
    assert painted.count(7) == 3, "once for the row, twice by this test"
    with pytest.raises(AttributeError):
        _ = late.no_such_thing


async def test_a_choice_that_moves_paints_the_rows_that_it_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    async with alone() as on:
        await on.watch_out()
        painted: list[int] = []
        paint = Lines.render_line

        def counted(lines: Lines, y: int) -> Strip:
            painted.append(y)
            return paint(lines, y)

        monkeypatch.setattr(Lines, "render_line", counted)
        before = on.lines
        painted.clear()
        await on.press("right")
        pictured = len(painted)
        changed = sum(one != other for one, other in zip(before, on.lines, strict=True))
        assert changed
        assert pictured <= 3 * changed, "each changed row a few times at most, and no row that stays"


async def test_somebody_at_a_table_has_a_handful_of_widgets() -> None:
    async with opened() as place, seated_before_the_screen(*place, StartLobby()) as on:
        await on.press("p")
        await on.until(lambda: isinstance(on.app.screen, GatheringScreen))
        await on.press("f", "enter")
        await on.until(lambda: isinstance(on.app.screen, TableScreen))
        assert nodes(on) <= 10


def nodes(on: OnScreen) -> int:
    """Return how many nodes of Textual's the screens hold, those behind component classes included."""
    widgets = [widget for screen in on.app.screen_stack for widget in screen.walk_children(Widget, with_self=True)]
    behind = sum(len(widget._component_styles) for widget in widgets)  # pyright: ignore[reportPrivateUsage]
    return len(widgets) + behind
