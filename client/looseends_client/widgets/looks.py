"""The looks that spans may name, and the screen that knows what each means in the present theme.

They are asked for once a theme and kept for all: kept by every region of a table they were most of what starting it
cost, and kept by every screen a third of an app's memory.
"""

from __future__ import annotations

from typing import TypeVar

from rich.style import Style
from textual.dom import DOMNode
from textual.screen import Screen

from looseends_client.widgets.late_strips import BlankWidget

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


MOST_THEMES = 64
"""Themes whose looks are kept, with everybody's own suit colours; when there are more all are let go."""

Look = tuple[Style, float]
"""What a look adds to a style, and how much of the text's colour stands over its background."""
_KNOWN: dict[tuple[object, ...], dict[str, Look]] = {}


# Screen comes first: Textual styles by the first base alone. Its `arrange` names a parameter as Widget's does not.
class LooksScreen(Screen[R], BlankWidget):  # pyright: ignore[reportIncompatibleMethodOverride]
    """A screen on which `Lines` can be drawn.

    Its looks are component classes in all but name: Textual would keep a node for each of them on every screen, and
    forty nodes are a third of an app. Here a node is made to ask what it looks like, and what it said is everybody's.
    """

    def look(self, name: str) -> Look:
        """Return a look in the present theme. Raises KeyError where there is none of this name."""
        if name not in LOOKS:
            raise KeyError(name)
        variables = self.app.theme_variables
        key = (self.app.theme, frozenset(self.pseudo_classes), *sorted(variables.items()))
        if key not in _KNOWN and len(_KNOWN) >= MOST_THEMES:
            _KNOWN.clear()
        known = _KNOWN.setdefault(key, {})
        if name not in known:
            node = DOMNode(classes=f"look--{name}")
            node._attach(self)  # pyright: ignore[reportPrivateUsage]
            self.app.stylesheet.apply(node, animate=False)
            known[name] = node.styles.partial_rich_style, node.styles.text_opacity
        return known[name]
