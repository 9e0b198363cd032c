"""With sixteen colours every suit keeps a hue of its own, and no text disappears."""

from __future__ import annotations

import pytest
from rich.color import Color
from textual.color import Color as AnyColour

from looseends_client.sixteen_colours import background_code, text_code
from looseends_client.themes import OUR_THEMES, suit_colours

HUES = {"suit-blue": "4", "suit-red": "1", "suit-green": "2", "suit-yellow": "3"}


@pytest.mark.parametrize("dark", [True, False])
@pytest.mark.parametrize("share", [1.0, 0.7])
def test_a_suit_keeps_its_hue_bright_or_faded(dark: bool, share: float) -> None:
    theme = next(theme for theme in OUR_THEMES if theme.dark is dark)
    assert theme.background is not None
    behind = AnyColour.parse(theme.background)
    for name, hue in HUES.items():
        colour = behind.blend(AnyColour.parse(suit_colours(dark)[name]), share)
        assert text_code(colour.rich_color)[1] == hue, name
    getaway = text_code(behind.blend(AnyColour.parse(suit_colours(dark)["suit-getaway"]), share).rich_color)
    assert getaway in ("37", "90", "97")


@pytest.mark.parametrize(
    ("colour", "code"),
    [
        ("#000000", "30"),
        ("#404040", "90"),
        ("#a0a0a0", "37"),
        ("#ffffff", "97"),
        ("#dfe6ea", "97"),
        ("#1c2622", "30"),
        ("#ff0000", "31"),
        ("#ff9999", "91"),
        ("#00ffff", "36"),
        ("#ff00ff", "35"),
        ("#020300", "30"),
    ],
)
def test_greys_stay_grey_and_hues_stay_hues(colour: str, code: str) -> None:
    assert text_code(Color.parse(colour)) == code


def test_what_is_one_of_the_sixteen_already_stays_it() -> None:
    assert text_code(Color.parse("bright_green")) == "92"
    assert text_code(Color.default()) == "39"
    assert background_code(Color.default()) == "49"
    assert background_code(Color.parse("#10201c")) == "40"
