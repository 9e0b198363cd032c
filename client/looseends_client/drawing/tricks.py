"""The finished tricks of the round, one a row, each card under the seat that played it; the winner's in brackets."""

from __future__ import annotations

from looseends_client.drawing.rows import Row, Span, card_span, column_widths, filled
from looseends_client.drawing.scene import Scene
from looseends_core.state import Trick

_OUTCOMES = {"covered": "covered", "promoted": "new bid", "loose": "loose end", None: ""}


def tricks_rows(scene: Scene, width: int, height: int) -> list[Row]:
    """Return the last tricks of the round in exactly `height` rows, the newest at the bottom."""
    faces = scene.faces
    tricks = scene.model.state.tricks
    first = max(0, len(tricks) - height)
    rows = [_trick_row(trick, number, scene, width) for number, trick in enumerate(tricks[first:], first + 1)]
    blank = filled([], width, faces)
    return [blank] * (height - len(rows)) + rows


def _trick_row(trick: Trick, number: int, scene: Scene, width: int) -> Row:
    faces = scene.faces
    plays = dict(trick.plays)
    tail: Row = [Span(_OUTCOMES[trick.outcome], "dim")]
    if trick.outcome == "covered" and trick.bid_card is not None:
        tail = [Span("covers ", "dim"), card_span(trick.bid_card, faces)._replace(card=None)]
    head: Row = [Span(f" {number:>2} ", "dim")]
    middle: Row = []
    for seat, room in enumerate(column_widths(width - 4 - 13, len(plays))):
        span = card_span(plays[seat], faces)._replace(card=None)
        cell: Row = [Span("[", "winning"), span, Span("]", "winning")] if seat == trick.winner else [Span(" "), span]
        middle += filled(cell, room, faces)
    return filled([*head, *middle, *tail], width, faces)
