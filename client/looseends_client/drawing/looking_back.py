"""What the pages about finished games show: a game in one row, columns of numbers, how far a review has come, and the
score by trick as a small picture, each in however many cells there are.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from looseends_client.cards_text import ASCII_FACES, Faces, points_text
from looseends_client.drawing.rows import Row, Span, cut_text, filled, spread
from looseends_client.history.game_words import seats_words, variant_letters, when
from looseends_client.history.score_by_trick import Course
from looseends_protocol.messages import GameLine

LONG_FROM = 72
"""From this width days are written with their year, and columns have room."""
_NAME_LENGTHS = (64, 14, 10, 7, 5)
"""Letters of names that are tried, until a game has room in its row."""
_BARS = "▁▂▃▄▅▆▇█"
_PLAIN_BARS = "_.,-~=+#"
"""What stands for the bars where there are letters and strokes alone: each one stands higher or is darker."""


def game_row(line: GameLine, faces: Faces, width: int, *, chosen: bool) -> Row:
    """Return a finished game in one row."""
    mark = Span(f" {faces.turn if chosen else ' '} ", "turn")
    ended = Span(f"{when(line.ended_at, short=width < LONG_FROM)}  ", "dim")
    seats = Span(seats_words(line), "strong" if chosen else "")
    notes = [variant_letters(line.variants)]
    if not line.proven:
        notes.append("not proven" if width >= LONG_FROM else "np")
    if line.origin == "import" and width >= LONG_FROM:
        notes.append("imported")
    right = "  ".join(note for note in notes if note)
    room = width - cell_len(mark.text) - cell_len(ended.text) - cell_len(right) - 2
    tried = [seats_words(line, longest) for longest in _NAME_LENGTHS]
    told = next((words for words in tried if cell_len(words) <= room), tried[-1])
    seats = Span(told, "strong" if chosen else "")
    return spread([mark, ended, seats], [Span(f"{right} ", "dim")] if right else [], width, faces)


def bar_row(done: int, total: int, faces: Faces, width: int) -> Row:
    """Return how far something has come, as a bar in brackets."""
    room = max(1, width - 4)
    full = room if total <= 0 else max(0, min(room, room * done // total))
    fill, rest = ("#", ".") if faces is ASCII_FACES else ("█", "·")
    return filled([Span(" ["), Span(fill * full, "good"), Span(rest * (room - full), "dim"), Span("]")], width, faces)


def picture_rows(courses: Sequence[Course], names: Sequence[str], faces: Faces, width: int) -> list[Row]:
    """Return the score by trick: a row a seat, a bar a trick, the rounds one after the other with their points.

    All bars have one scale. Where a game has more tricks than there are cells, tricks are left out evenly, never the
    last of a round.
    """
    every = [points for course in courses for moment in course for points in moment]
    if not every:
        return []
    least, most = min(every), max(every)
    name_room = min(12, max(cell_len(name) for name in names)) + 2
    cells = _cells(courses, width - name_room - 1)
    rows: list[Row] = []
    for seat, name in enumerate(names):
        row: Row = filled([Span(f" {cut_text(name, name_room - 2, faces)} ")], name_room, faces)
        for course, shown in zip(courses, cells, strict=True):
            points = course[-1][seat]
            bars = "".join(_bar(course[at][seat], least, most, faces) for at in shown)
            row.append(Span(bars, "good" if points > 0 else "bad" if points < 0 else "dim"))
            row.append(Span(f" {points_text(points, faces):<{_POINTS_ROOM - 1}}", "dim"))
        rows.append(filled(row, width, faces))
    return rows


_POINTS_ROOM = 5
"""Cells of a round's points behind its bars."""


def _cells(courses: Sequence[Course], room: int) -> list[list[int]]:
    """Return which moments of each round are shown, so that all of them fit into so many cells."""
    bars = max(len(courses), room - _POINTS_ROOM * len(courses))
    longest = max(1, bars // len(courses))
    shown: list[list[int]] = []
    for course in courses:
        count = min(len(course), longest)
        last = len(course) - 1
        shown.append([last if count == 1 else round(place * last / (count - 1)) for place in range(count)])
    return shown


def _bar(points: int, least: int, most: int, faces: Faces) -> str:
    bars = _PLAIN_BARS if faces is ASCII_FACES else _BARS
    if most == least:
        return bars[len(bars) // 2]
    return bars[(points - least) * (len(bars) - 1) // (most - least)]


def table_row(label: Span, cells: Sequence[Span], faces: Faces, width: int, each: int) -> Row:
    """Return a label and cells that end in columns of a width."""
    row: Row = filled([Span(" "), label], max(1, width - each * len(cells) - 1), faces)
    for cell in cells:
        text = cut_text(cell.text, each - 1, faces)
        row += [Span(" " * (each - cell_len(text))), Span(text, cell.look)]
    return filled(row, width, faces)
