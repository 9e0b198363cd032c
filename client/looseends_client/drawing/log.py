"""The log: the last lines of the story and of talk, newest at the bottom. Who speaks is marked by more than colour."""

from __future__ import annotations

from looseends_client.drawing.rows import Row, Span, filled, sentence_row, wrapped
from looseends_client.drawing.scene import Scene
from looseends_client.table_model import LogLine

MARKS = {"story": "  ", "talk": "> ", "own": "< ", "system": "* "}
"""What a line begins with: of the round's story nothing, of others an arrow to the reader, of the reader one away."""
_LOOKS = {"story": "", "talk": "talk", "own": "own", "system": "system"}


def log_rows(scene: Scene, width: int, height: int) -> list[Row]:
    """Return the last lines of the log in exactly `height` rows, long ones broken; the newest stands at the bottom."""
    faces = scene.faces
    rows: list[Row] = []
    for line in reversed(scene.model.log):
        whole = line_rows(line, scene, width - 2)
        if rows and len(rows) + len(whole) > height:
            break  # a sentence without its beginning reads as nonsense
        rows = [*whole, *rows]
    if len(rows) > height:
        rows = rows[:height]
        if rows:
            rows[-1] = [*rows[-1], Span(f" {faces.ellipsis}", "dim")]
    blank = filled([], width, faces)
    return [blank] * (height - len(rows)) + [filled([Span(" "), *row], width, faces) for row in rows]


def line_rows(line: LogLine, scene: Scene, width: int) -> list[Row]:
    """Return one line of the log, broken at a width."""
    look = _LOOKS[line.kind]
    row = [Span(MARKS[line.kind], "dim"), *sentence_row(line.words, scene.faces, look)]
    return wrapped(row, width, scene.faces, indent=4)
