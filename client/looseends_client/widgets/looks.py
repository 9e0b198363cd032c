"""The looks that spans may name, and the screen that knows what each means in the present theme.

They are kept once a screen: kept by every region of a table they were most of what starting it cost.
"""

from __future__ import annotations

from typing import ClassVar, TypeVar

from textual.screen import Screen

R = TypeVar("R")

LOOKS = (
    "blue",
    "red",
    "green",
    "yellow",
    "getaway",
    "strong",
    "dim",
    "title",
    "turn",
    "chosen",
    "chosen-card",
    "winning",
    "card",
    "line",
    "good",
    "bad",
    "open",
    "snitch",
    "talk",
    "own",
    "system",
    "key",
    "heading",
)
"""Every look that a span may name; `table.tcss` says what it means in each theme."""


class LooksScreen(Screen[R]):
    """A screen on which `Lines` can be drawn."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"look--{look}" for look in LOOKS}
