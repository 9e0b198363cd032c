"""The strip above the table of a lesson: which lesson it is, and in two lines what to do now and why."""

from __future__ import annotations

from looseends_client.cards_text import UNICODE_FACES, Faces
from looseends_client.drawing.rows import Row, Span, filled, sentence_row, spread, wrapped
from looseends_client.narration import Sentence
from looseends_client.tutorial.lessons import LESSONS, Lesson

STRIP_ROWS = 3
"""Rows of the strip: its heading, and two of text."""


def with_signs(text: str, faces: Faces) -> str:
    """Return a text with the signs that the table is drawn with in the place of those that it was written with."""
    return text.translate(str.maketrans("".join(UNICODE_FACES.signs), "".join(faces.signs)))


def strip_rows(
    lesson: Lesson, says: Sentence, keys: tuple[str, str], faces: Faces, width: int, height: int
) -> list[Row]:
    """Return the strip in exactly `height` rows, with a key and what it does at the right of its heading.

    The text keeps its room before the heading does.
    """
    key, does = keys
    heading = spread(
        [Span(f" Lesson {lesson.number} of {len(LESSONS)}", "title"), Span(f"  {lesson.title}", "heading")],
        [Span(key, "key"), Span(f" {does} ", "dim")],
        width,
        faces,
    )
    said = tuple(with_signs(part, faces) if isinstance(part, str) else part for part in says)
    text = [[Span("  "), *row] for row in wrapped(sentence_row(said, faces), width - 4, faces)]
    rows = [heading, *text] if height >= STRIP_ROWS else text
    return [filled(row, width, faces) for row in (rows + [[]] * height)[:height]]
