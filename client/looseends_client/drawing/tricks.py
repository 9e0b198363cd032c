"""The finished tricks of the round, one a row, each card under the seat that played it; the winner's in brackets."""

from __future__ import annotations

from looseends_client.drawing.rows import Row, Span, card_span, column_widths, filled, spread
from looseends_client.drawing.scene import Scene
from looseends_core.state import Trick

_CELL, _TAIL = 10, 14
"""Cells of a card with its brackets and indent, and of the longest outcome."""
_OUTCOMES = {"covered": "covered", "promoted": "new bid", "loose": "loose end", None: ""}


def tricks_rows(scene: Scene, width: int, height: int) -> list[Row]:
    """Return the last tricks of the round in exactly `height` rows, the first of them on top."""
    tricks = scene.model.state.tricks
    first = max(0, len(tricks) - height)
    rows = [_trick_row(trick, number, scene, width) for number, trick in enumerate(tricks[first:], first + 1)]
    return rows + [filled([], width, scene.faces)] * (height - len(rows))


def _trick_row(trick: Trick, number: int, scene: Scene, width: int) -> Row:
    faces = scene.faces
    plays = dict(trick.plays)
    tail: Row = [Span(_OUTCOMES[trick.outcome], "dim"), Span(" ")]
    if trick.outcome == "covered" and trick.bid_card is not None:
        tail = [Span("covers ", "dim"), card_span(trick.bid_card, faces)._replace(card=None), Span(" ")]
    # Under the seats, as the trick above is, where the last column has room for the outcome too.
    seats = column_widths(width, len(plays))
    if seats[-1] < _CELL + _TAIL:
        seats = column_widths(width - _TAIL, len(plays))
    row: Row = []
    for seat, room in enumerate(seats):
        span = card_span(plays[seat], faces)._replace(card=None)
        number_text = f"{number:>2} " if seat == 0 else "   "
        won = seat == trick.winner
        cell = [
            Span(number_text, "dim"),
            Span("[" if won else " ", "winning"),
            span,
            Span("]" if won else "", "winning"),
        ]
        row += filled(cell, room, faces) if seat < len(seats) - 1 else cell
    return spread(row, tail, width, faces)
