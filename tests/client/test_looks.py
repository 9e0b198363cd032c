"""Looks can be told apart and read, in the table's own themes and in Textual's."""

from __future__ import annotations

from itertools import combinations

import pytest
from rich.style import Style
from textual.color import Color

from looseends_client.cards_text import SUIT_LOOKS
from looseends_client.themes import DARK, LIGHT
from looseends_client.widgets.lines import Lines
from looseends_client.widgets.looks import LOOKS
from looseends_client.widgets.whole_table import WholeTable
from tests.client.scenes import FOUR, FOUR_HANDS, PLANNED, played
from tests.client.table_app import TableApp

TRICK = played(FOUR, FOUR_HANDS, [*PLANNED, "G15", "G2", "G6", "G11", "R3", "R2", "R7", "R12", "R13"])


def contrast(style: Style) -> float:
    """Return the contrast of text and background as WCAG 2 defines it, 1 to 21."""
    assert style.color is not None
    assert style.bgcolor is not None
    text, behind = (_luminance(Color.from_rich_color(colour)) for colour in (style.color, style.bgcolor))
    return (max(text, behind) + 0.05) / (min(text, behind) + 0.05)


def _luminance(colour: Color) -> float:
    parts = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in colour.normalized]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


async def _styles(theme: str, looks: list[str]) -> dict[str, Style]:
    app = TableApp(FOUR, TRICK)
    async with app.run_test(size=(80, 24)) as pilot:
        app.theme = theme
        await pilot.pause()
        region: Lines = app.screen.query_one(WholeTable)
        return {look: region.style_of(look) for look in looks}


@pytest.mark.parametrize("theme", [DARK, LIGHT, "textual-dark", "textual-light", "nord", "solarized-light"])
async def test_suits_are_readable_differ_and_keep_their_colour_when_dim(theme: str) -> None:
    dim = [f"{suit} dim" for suit in SUIT_LOOKS]
    styles = await _styles(theme, [*SUIT_LOOKS, *dim, "", "dim"])
    own = theme in (DARK, LIGHT)
    for suit in SUIT_LOOKS:
        assert contrast(styles[suit]) >= (4.5 if own else 3.0), suit
        assert contrast(styles[f"{suit} dim"]) < contrast(styles[suit])
        assert contrast(styles[f"{suit} dim"]) >= (2.5 if own else 1.8), suit
    for one, other in combinations((*SUIT_LOOKS, *dim), 2):
        assert styles[one].color != styles[other].color, (one, other)


@pytest.mark.parametrize("theme", [DARK, LIGHT])
async def test_every_look_has_a_style_that_can_be_read(theme: str) -> None:
    styles = await _styles(theme, list(LOOKS))
    for look, style in styles.items():
        assert contrast(style) >= (1.5 if look == "line" else 2.5), look


async def test_a_card_that_may_not_be_played_is_drawn_dim_in_its_suit_s_colour() -> None:
    app = TableApp(FOUR, TRICK)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        hand = app.screen.query_one(WholeTable)
        segments = [segment for y in range(24) for segment in hand.render_line(y)]
        lying = [segment for segment in segments if segment.text == "B♦1"][-1]
        standing = [segment for segment in segments if segment.text == "R♥1"][-1]
        assert lying.style == hand.style_of("blue dim")
        assert standing.style == hand.style_of("red strong")
        assert lying.style != hand.style_of("dim")
