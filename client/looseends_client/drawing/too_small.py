"""What stands in a window that is too small for the table: how much it needs, and how much there is."""

from __future__ import annotations

from looseends_client.cards_text import UNICODE_FACES
from looseends_client.drawing.rows import Row, Span, filled, wrapped


def too_small_rows(needed: tuple[int, int], window: tuple[int, int], width: int, height: int) -> list[Row]:
    """Return the sentence in exactly `height` rows, broken to the width. Sizes are columns and rows."""
    text = (
        f"The table needs {needed[0]} columns by {needed[1]} rows; "
        f"this window has {window[0]} by {window[1]}. Make it larger."
    )
    rows = wrapped([Span(text)], width, UNICODE_FACES)[:height]
    return [filled(row, width, UNICODE_FACES) for row in (rows + [[]] * height)[:height]]
