"""The room between trick and hint: the round so far and the log, one above the other or side by side."""

from __future__ import annotations

from looseends_client.drawing.layout import Layout
from looseends_client.drawing.log import log_rows
from looseends_client.drawing.rows import Row, Span, columns
from looseends_client.drawing.scene import Scene
from looseends_client.drawing.tricks import tricks_rows


def middle_rows(scene: Scene, layout: Layout, width: int, height: int) -> list[Row]:
    """Return the tricks of the round and the log as the layout has them, in exactly `height` rows."""
    if layout.tricks_beside:
        line = Span(scene.faces.column, "line")
        widths = [layout.tricks_beside, width - layout.tricks_beside]
        tricks = tricks_rows(scene, widths[0], height)
        log = log_rows(scene, widths[1] - 1, height)
        return [columns(list(pair), widths, scene.faces, between=line) for pair in zip(tricks, log, strict=True)]
    tricks_height = min(height, layout.tricks)
    return [*tricks_rows(scene, width, tricks_height), *log_rows(scene, width, height - tricks_height)]
