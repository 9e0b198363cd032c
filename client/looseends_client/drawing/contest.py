"""A contest as rows: the list of a day; what was made of each deal on one seat at every table; the sides of these."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from looseends_client.cards_text import Faces, points_text
from looseends_client.contest_words import (
    compared_at,
    fairness_of_sides,
    is_daily,
    means,
    result_lines,
    sides_of,
    standings,
)
from looseends_client.drawing.rows import Row, Span, cut_text, filled, wrapped
from looseends_protocol.messages import Contest

_COLUMN = 8
"""Cells of a deal: a blank, and as much as `deal 10` takes."""
_SCORE = 8
_NAME = 22
"""Cells of a name, as far as there is room."""
_LEAST_NAME = 10


def _blocks(deals: int, width: int) -> list[range]:
    """Return the deals that stand beside each other, as many as fit."""
    each = max(1, (width - _LEAST_NAME - 4 - _SCORE) // _COLUMN)
    return [range(first, min(deals, first + each)) for first in range(0, deals, each)]


def _right(text: str, width: int, look: str, faces: Faces) -> Row:
    text = cut_text(text, width - 1, faces)
    return [Span(" " * (width - cell_len(text))), Span(text, look)]


def _points(points: int | None, faces: Faces) -> tuple[str, str]:
    if points is None:
        return faces.dot, "dim"
    return points_text(points, faces), "good" if points > 0 else "bad" if points < 0 else "dim"


def _line(mark: str, name: Span, cells: Sequence[tuple[str, str]], score: Span, width: int, faces: Faces) -> Row:
    room = min(_NAME, max(_LEAST_NAME, width - 4 - _SCORE - _COLUMN * len(cells)))
    left = filled([Span(f"{mark:>3} ", "dim"), name], 4 + room, faces)
    row: Row = [*left]
    for text, look in cells:
        row += _right(text, _COLUMN, look, faces)
    return filled([*row, *_right(score.text, _SCORE, score.look, faces)], width, faces)


def _table(
    lines: Sequence[tuple[str, str, bool, Sequence[int | None], int | str]],
    columns: int,
    width: int,
    faces: Faces,
    *,
    of: str = "deal",
    last: str = "score",
) -> list[Row]:
    """Return lines of mark, name, whether it is the reader's, points of each deal or what else the columns are of, and
    score, under a heading.
    """
    rows: list[Row] = []
    for block in _blocks(columns, width):
        if rows:
            rows.append(filled([], width, faces))
        heads = [(f"{of} {number + 1}", "heading") for number in block]
        rows.append(_line("", Span("", ""), heads, Span(last, "heading"), width, faces))
        rows.append([Span(faces.rule * width, "line")])
        for mark, name, mine, points, score in lines:
            cells = [_points(points[number] if number < len(points) else None, faces) for number in block]
            shown = Span(str(score).replace("-", faces.minus), "strong")
            rows.append(_line(mark, Span(name, "strong good" if mine else ""), cells, shown, width, faces))
    return rows


def contest_rows(contest: Contest, seat: int, faces: Faces, width: int) -> list[Row]:
    """Return a contest as it is read: a day's list with the result to pass on; or one seat of several tables, and their
    sides in the place of a seat that there is not.
    """
    if is_daily(contest.contest):
        return _day_rows(contest, faces, width)
    if seat >= contest.rules.players:
        return _side_rows(contest, faces, width)
    return _seat_rows(contest, seat, faces, width)


def _day_rows(contest: Contest, faces: Faces, width: int) -> list[Row]:
    rows: list[Row] = [filled([], width, faces)]
    result = result_lines(contest, faces)
    if result is not None:
        rows += [filled([Span(f" {line}", "strong")], width, faces) for line in result]
        about = "c copies these three lines: no card can be told from them."
        rows += [filled([Span(" "), *row], width, faces) for row in wrapped([Span(about, "dim")], width - 2, faces)]
        rows.append(filled([], width, faces))
    lines = [(str(one.place), one.name, one.mine, one.points, one.score) for one in standings(contest)]
    return [*rows, *_table(lines, contest.rules.rounds, width, faces)]


def _seat_rows(contest: Contest, seat: int, faces: Faces, width: int) -> list[Row]:
    compared = compared_at(contest, seat)
    tables = len(compared)
    about = f"Seat {seat + 1} of {contest.rules.players}: the same hands at {tables} table{'' if tables == 1 else 's'}"
    rows = [
        filled([], width, faces),
        filled([Span(f" {about}", "heading")], width, faces),
        filled([], width, faces),
    ]
    lines = [("", row.name, row.mine, row.points, row.score) for row in compared]
    rows += _table(lines, contest.rules.rounds, width, faces)
    mean = means(compared)
    if tables > 1:
        rows.append([Span(faces.rule * width, "line")])
        for block in _blocks(contest.rules.rounds, width):
            cells = [(_mean_text(mean[number], faces) if number < len(mean) - 1 else "", "dim") for number in block]
            score = f"{mean[-1]:.1f}".replace("-", faces.minus)
            rows.append(_line("", Span("mean", "dim"), cells, Span(score, "dim"), width, faces))
    return rows


def _side_rows(contest: Contest, faces: Faces, width: int) -> list[Row]:
    rows = [
        filled([], width, faces),
        filled([Span(" Sides: from table to table each sits one seat further on", "heading")], width, faces),
        filled([], width, faces),
    ]
    sides = sides_of(contest)
    lines = [
        (
            side.letter,
            ", ".join(dict.fromkeys(side.names)),
            side.mine,
            side.points,
            _mean_text(side.mean, faces),
        )
        for side in sides
    ]
    rows += _table(lines, len(sides[0].points) if sides else 0, width, faces, of="table", last="mean")
    said = wrapped([Span(fairness_of_sides(contest), "dim")], width - 2, faces)
    return [*rows, filled([], width, faces), *(filled([Span(" "), *row], width, faces) for row in said)]


def _mean_text(mean: float, faces: Faces) -> str:
    sign = faces.plus if mean > 0 else faces.minus if mean < 0 else ""
    return f"{sign}{abs(mean):.1f}"
