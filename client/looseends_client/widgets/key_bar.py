"""The last line of a page: its keys, as many as fit, and how many more there are behind `?`."""

from __future__ import annotations

from rich.cells import cell_len
from textual.content import Content
from textual.events import Resize
from textual.widgets import Static

from looseends_protocol.people_text import visible

BETWEEN = "   "
"""What stands between two keys in the text of a bar."""


def fitting_keys(text: str, width: int) -> str:
    """Return the keys that fit into so many cells, from the first on, and behind `?` how many were left out."""
    if cell_len(text) <= width:
        return text
    keys = text.split(BETWEEN)
    for kept in range(len(keys) - 1, 0, -1):
        shorter = BETWEEN.join([*keys[:kept], f"? +{len(keys) - kept} keys"])
        if cell_len(shorter) <= width:
            return shorter
    return f"? +{len(keys)} keys"


class KeyBar(Static):
    """The line. `tell` changes what it says."""

    def __init__(self, text: str) -> None:
        super().__init__("", classes="bar", id="keys", markup=False)
        self._text = visible(text)

    def tell(self, text: str) -> None:
        """Say other keys."""
        self._text = visible(text)
        self._fit()

    def on_resize(self, event: Resize) -> None:
        """Fit the keys to the new width."""
        self._fit()

    def _fit(self) -> None:
        if self.size.width:
            self.update(Content(fitting_keys(self._text, self.size.width)), layout=False)
