"""What stands in a window that is too small for the table: how much it needs, and how much there is."""

from __future__ import annotations

from looseends_client.cards_text import UNICODE_FACES
from looseends_client.drawing.rows import Row, Span, filled, wrapped
from looseends_client.widgets.lines import Lines


class TooSmall(Lines):
    """A sentence in however few cells there are."""

    def __init__(self, width: int, height: int, *, id: str | None = None) -> None:  # noqa: A002  # Textual's name for it
        super().__init__(id=id)
        self._needed = (width, height)

    def rows(self, width: int, height: int) -> list[Row]:
        """Return the sentence, broken to the width."""
        window = self.app.size
        text = (
            f"The table needs {self._needed[0]} columns by {self._needed[1]} rows; "
            f"this window has {window.width} by {window.height}. Make it larger."
        )
        rows = wrapped([Span(text)], width, UNICODE_FACES)[:height]
        blank = filled([], width, UNICODE_FACES)
        return [*(filled(row, width, UNICODE_FACES) for row in rows), *([blank] * (height - len(rows)))]
