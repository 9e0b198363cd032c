"""The score sheet beside the table: every round with what it made, the running one as it stands, and what counts."""

from __future__ import annotations

from rich.cells import cell_len

from looseends_client.bid_marks import points_if_over_now
from looseends_client.cards_text import Faces, points_text
from looseends_client.drawing.rows import Row, Span, cut_text, filled
from looseends_client.drawing.scene import Scene
from looseends_core.rules import STARTING_POINTS, RuleSet
from looseends_core.state import Phase

_LABEL = 12


def side_sheet_rows(scene: Scene, width: int, height: int) -> list[Row]:
    """Return the sheet in exactly `height` rows; of rounds that do not fit the first are left out, and counted."""
    faces = scene.faces
    model = scene.model
    state = model.state
    above = [
        _row("Score", [Span(name, "strong") for name in model.names], faces, width, "heading"),
        [Span(faces.rule * width, "line")],
    ]
    rounds = [_row("start", [Span(str(STARTING_POINTS), "dim")] * state.players, faces, width)]
    for number, results in enumerate(state.results, 1):
        rounds.append(_row(f"round {number}", [_points(result.points, faces) for result in results], faces, width))
    if state.phase in (Phase.PLAYING, Phase.COVERING):
        now = [_points(points, faces) for points in points_if_over_now(state)]
        rounds.append(_row("now so far", now, faces, width, "turn"))
    scores = [Span(str(score).replace("-", faces.minus), "strong") for score in state.scores]
    below = [[Span(faces.rule * width, "line")], _row("total", scores, faces, width, "strong")]
    counts = [filled([], width, faces), *_what_counts(state.rules, faces, width)]
    room = height - len(above) - len(below)
    if len(rounds) > room:
        left_out = len(rounds) - max(0, room - 1)
        told = filled([Span(f" {faces.plus}{left_out} earlier", "dim")], width, faces)
        rounds = [told, *rounds[left_out:]]
    rows = [*above, *rounds, *below]
    if len(rows) + len(counts) <= height:
        rows += counts
    return (rows + [filled([], width, faces)] * (height - len(rows)))[:height]


def _row(label: str, cells: list[Span], faces: Faces, width: int, look: str = "") -> Row:
    each = max(1, (width - _LABEL - 1) // len(cells))
    row: Row = filled([Span(f" {label}", look)], _LABEL, faces)
    for cell in cells:
        text = cut_text(cell.text, each - 1, faces)
        row += [Span(" " * max(0, each - cell_len(text))), Span(text, cell.look)]
    return filled(row, width, faces)


def _points(points: int, faces: Faces) -> Span:
    return Span(points_text(points, faces), "good" if points > 0 else "bad" if points < 0 else "dim")


def _what_counts(rules: RuleSet, faces: Faces, width: int) -> list[Row]:
    """Return what each thing is worth at this table."""
    table = rules.table
    loose = f"loose end {points_text(table.loose_end, faces)}"
    if table.loose_end_with_snitch != table.loose_end:
        loose += f" ({points_text(table.loose_end_with_snitch, faces)} beside a snitch)"
    parts = [f"covered {points_text(table.covered, faces)}", loose]
    if table.perfect_crime:
        parts.append(f"Perfect Crime {points_text(table.perfect_crime, faces)}")
    parts.append(f"snitch {points_text(table.snitch, faces)}")
    lines = [parts[0]]
    for part in parts[1:]:
        longer = f"{lines[-1]} {faces.dot} {part}"
        lines[-1:] = [longer] if cell_len(longer) <= width - 2 else [lines[-1], part]
    return [filled([Span(f" {line}", "dim")], width, faces) for line in lines]
