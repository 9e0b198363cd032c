"""The table's own themes, dark and light, and what the suits' colours are under any theme."""

from __future__ import annotations

from textual.theme import Theme

DARK = "looseends-dark"
LIGHT = "looseends-light"

_DARK_SUITS = {
    "suit-blue": "#7ab8ff",
    "suit-red": "#ff8a80",
    "suit-green": "#7fd98f",
    "suit-yellow": "#f2cf5b",
    "suit-getaway": "#c9c4d4",
}
_LIGHT_SUITS = {
    "suit-blue": "#0b57b8",
    "suit-red": "#b3261e",
    "suit-green": "#1b6e33",
    "suit-yellow": "#745300",
    "suit-getaway": "#46414f",
}

OUR_THEMES = (
    Theme(
        name=DARK,
        primary="#7ab8ff",
        secondary="#8fa3b8",
        accent="#f0b35a",
        warning="#f0b35a",
        error="#ff8a80",
        success="#7fd98f",
        foreground="#dfe6ea",
        background="#10201c",
        surface="#152923",
        panel="#1d352d",
        dark=True,
        variables=_DARK_SUITS,
    ),
    Theme(
        name=LIGHT,
        primary="#0b57b8",
        secondary="#4c6072",
        accent="#9a4d00",
        warning="#9a4d00",
        error="#b3261e",
        success="#1b6e33",
        foreground="#1c2622",
        background="#f3f1e7",
        surface="#e9e6d8",
        panel="#dcd8c6",
        dark=False,
        variables=_LIGHT_SUITS,
    ),
)


def suit_colours(dark: bool) -> dict[str, str]:
    """Return the suits' colours as theme variables, for themes that have none of their own."""
    return dict(_DARK_SUITS if dark else _LIGHT_SUITS)
