"""The hands of a finished game, open on the table: one after the other, what may be played by the seat on turn standing
out. Whoever still plays never sees this: a hand that is not known is none of these rows.
"""

from __future__ import annotations

from collections.abc import Sequence

from looseends_client.cards_text import Faces, card_text, suit_look
from looseends_client.drawing.rows import Row, Span, cut_text, filled, spread, width_of
from looseends_core.cards import SUIT_OF, Card, CardSet, cards_in

_NAME = 10


def open_hand_rows(
    names: Sequence[str],
    hands: Sequence[CardSet],
    turn: int | None,
    may: CardSet,
    faces: Faces,
    width: int,
    height: int,
) -> list[Row]:
    """Return the hands in exactly `height` rows; `hands` are as many as `names`.

    `turn` is which of them is on turn and `may` what it may act with; its other cards are written small. Where there is
    room a hand takes a second row; where there is none its last cards are counted.
    """
    for shape in (True, False):
        rows: list[Row] = []
        for place, (name, hand) in enumerate(zip(names, hands, strict=True)):
            rows += _hand(name, list(cards_in(hand)), may if place == turn else None, faces, width, shape=shape)
        if len(rows) <= height:
            break
    else:
        rows = [
            _one_row(name, list(cards_in(hand)), may if place == turn else None, faces, width)
            for place, (name, hand) in enumerate(zip(names, hands, strict=True))
        ]
    if len(rows) > height > 0:
        more: Row = [Span(f" {faces.plus}{len(rows) - height} hands", "dim")]
        rows[height - 1] = spread(rows[height - 1], more, width, faces)
    blank = filled([], width, faces)
    return ([filled(row, width, faces) for row in rows] + [blank] * (height - len(rows)))[:height]


def _name(name: str, on_turn: bool, faces: Faces) -> Row:
    mark = Span(f"{faces.turn if on_turn else ' '} ", "turn")
    return filled([mark, Span(cut_text(name, _NAME - 2, faces), "strong")], _NAME, faces)


def _cards(cards: Sequence[Card], may: CardSet | None, faces: Faces, *, shape: bool) -> list[Row]:
    """Return each card as it is written, a stroke before a suit that follows another."""
    written: list[Row] = []
    before: Card | None = None
    for card in cards:
        text = card_text(card, faces, shape=shape)
        apart = before is not None and SUIT_OF[before] != SUIT_OF[card]
        lies = may is not None and not may >> card & 1
        stroke = Span(faces.column if apart else " ", "line" if apart else "")
        look = "dim" if lies else "strong" if may is not None else ""
        written.append([stroke, Span(text.lower() if lies else text, f"{suit_look(card)} {look}".strip())])
        before = card
    return written


def _hand(name: str, cards: Sequence[Card], may: CardSet | None, faces: Faces, width: int, *, shape: bool) -> list[Row]:
    rows: list[Row] = [_name(name, may is not None, faces)]
    for card in _cards(cards, may, faces, shape=shape):
        if width_of(rows[-1]) + width_of(card) > width:
            rows.append([Span(" " * _NAME)])
        rows[-1] += card
    return rows


def _one_row(name: str, cards: Sequence[Card], may: CardSet | None, faces: Faces, width: int) -> Row:
    written = _cards(cards, may, faces, shape=False)
    shown = len(written)
    while True:
        rest: Row = [Span(f" {faces.plus}{len(written) - shown}", "dim")] if shown < len(written) else []
        row = [*_name(name, may is not None, faces), *(span for card in written[:shown] for span in card), *rest]
        if not shown or width_of(row) <= width:
            return row
        shown -= 1
