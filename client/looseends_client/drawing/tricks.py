"""The round so far: its finished tricks, one a row, or before the first of them its bids, one time round a row.

Each card stands under the seat that laid it; the card that won a trick is in brackets.
"""

from __future__ import annotations

from looseends_client.drawing.rows import Row, Span, card_span, column_widths, cut_text, filled, spread
from looseends_client.drawing.scene import Scene
from looseends_core.state import Phase, Trick

_NUMBER, _CELL, _TAIL = 3, 7, 14
"""Cells of a trick's number, of a card in brackets with a blank, and of the longest outcome."""
_HEADING_FROM = 8
"""From this height the list has a heading."""
_AIRY_FROM = 16
"""From this height there is a blank row between two, where all of a round would have room so."""
_OUTCOMES = {"covered": "covered", "promoted": "new bid", "loose": "loose end", None: ""}


def least_width_of_tricks(players: int) -> int:
    """Return the columns that a list of tricks needs."""
    return _NUMBER + _CELL * players + _TAIL


def tricks_rows(scene: Scene, width: int, height: int) -> list[Row]:
    """Return the tricks of the round in exactly `height` rows, the first on top; the bids where there is none yet.

    Where not all of them fit, the last ones stand there and how many came before.
    """
    if height <= 0:
        return []
    faces = scene.faces
    state = scene.model.state
    if state.tricks:
        heading = "tricks of this round"
        rows = [_trick_row(trick, number, scene, width) for number, trick in enumerate(state.tricks, 1)]
        most = state.tricks_in_round
    else:
        heading = "bids of this round" if state.phase in (Phase.PLANNING, Phase.PLAYING) else ""
        rows = _bids_rows(scene, width)
        most = state.rules.max_bid + 1
    has_head = height >= _HEADING_FROM and bool(rows)
    room = height - has_head
    earlier = 0
    if len(rows) > room:
        earlier = len(rows) - height + 1
        rows, has_head, room = rows[earlier:], True, height - 1
    head = [_head(heading, earlier, scene, width, named=height >= _HEADING_FROM)] if has_head else []
    blank = filled([], width, faces)
    if height >= _AIRY_FROM and 2 * most <= room:
        rows = [part for row in rows for part in (row, blank)]
    return [*head, *rows, *[blank] * (height - len(head) - len(rows))][:height]


def _head(heading: str, earlier: int, scene: Scene, width: int, *, named: bool) -> Row:
    """Return what stands above the list: what it is or whose columns these are, and how many rows came before."""
    faces = scene.faces
    told: Row = [Span(f"{faces.plus}{earlier} earlier ", "dim")] if earlier else []
    columns, indents = _seat_columns(scene, width)
    if indents[-1] or not named:
        return spread([Span(f" {heading}", "dim")], told, width, faces)
    row: Row = []
    for name, room, indent in zip(scene.model.names, columns, indents, strict=True):
        shown = cut_text(name, room - indent - 2, faces)
        row += filled([Span(" " * (indent + 1)), Span(shown, "dim")], room, faces)
    return spread(row, told, width, faces)


def _seat_columns(scene: Scene, width: int) -> tuple[list[int], list[int]]:
    """Return the columns of each seat and how far its card is indented: under the seats, as the trick above is.

    Where the last outcome would not have room then, they stand close together behind the number.
    """
    players = scene.model.state.players
    seats = column_widths(width, players)
    if seats[-1] >= _NUMBER + _CELL + _TAIL:
        return seats, [_NUMBER] * players
    shared = column_widths(max(players, width - _TAIL - _NUMBER), players)
    return [shared[0] + _NUMBER, *shared[1:]], [_NUMBER, *[0] * (players - 1)]


def _trick_row(trick: Trick, number: int, scene: Scene, width: int) -> Row:
    faces = scene.faces
    plays = dict(trick.plays)
    tail: Row = [Span(_OUTCOMES[trick.outcome], "dim"), Span(" ")]
    if trick.outcome == "covered" and trick.bid_card is not None:
        tail = [Span("covers ", "dim"), card_span(trick.bid_card, faces, clicks=False), Span(" ")]
    cells: list[Row] = []
    for seat in range(len(plays)):
        won = seat == trick.winner
        cells.append(
            [
                Span("[" if won else " ", "winning"),
                card_span(plays[seat], faces, clicks=False),
                Span("]" if won else "", "winning"),
            ]
        )
    return spread(_numbered(cells, number, scene, width), tail, width, faces)


def _numbered(cells: list[Row], number: int, scene: Scene, width: int) -> Row:
    """Return cells under their seats behind a number, without what fills the last one."""
    faces = scene.faces
    row: Row = []
    for seat, (cell, room, indent) in enumerate(zip(cells, *_seat_columns(scene, width), strict=True)):
        before = Span(f"{number:>2} ", "dim") if seat == 0 else Span(" " * indent)
        content = [before, *cell]
        row += filled(content, room, faces) if seat < len(cells) - 1 else content
    return row


def _bids_rows(scene: Scene, width: int) -> list[Row]:
    """Return the bids as they were laid, one time round the table a row, and who passed when."""
    state = scene.model.state
    if state.round == 0 or state.phase in (Phase.DEALING, Phase.OVER):
        return []
    rows: list[Row] = []
    for number in range(state.rules.max_bid + 2):
        cells = [_bid_cell(scene, seat, number, width) for seat in range(state.players)]
        if not any(cells):
            break
        rows.append(filled(_numbered(cells, number + 1, scene, width), width, scene.faces))
    return rows


def _bid_cell(scene: Scene, seat: int, number: int, width: int) -> Row:
    """Return what a seat did when its turn came for the `number`th time, counted from 0; nothing where it did not."""
    state = scene.model.state
    bids = state.bids[seat]
    if number < len(bids):
        return [Span(" "), card_span(bids[number], scene.faces, clicks=False)]
    if number > len(bids) or seat not in state.passed:
        return []
    word, short = "passed", "pass"
    if state.shown[seat] and not bids:
        word, short = "double-crossed", "cross"
    elif state.snitching[seat]:
        word = "snitches"
    columns, indents = _seat_columns(scene, width)
    return [Span(" "), Span(word if columns[seat] - indents[seat] - 2 >= len(word) else short, "dim")]
