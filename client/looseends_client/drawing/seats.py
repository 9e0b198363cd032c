"""Every seat: its name and score, its bid cards and what has become of them, and what the round is worth to it now.

Wide, a column a seat; narrow, a line a seat. Whose turn it is stands before the name as a shape.
"""

from __future__ import annotations

from looseends_client.bid_marks import Mark, bid_marks, points_if_over_now
from looseends_client.cards_text import Faces, card_text, points_text, suit_look
from looseends_client.company import where_they_are
from looseends_client.contest_words import side_at
from looseends_client.drawing.rows import Row, Span, column_widths, columns, cut_text, filled, spread, width_of
from looseends_client.drawing.scene import Scene
from looseends_core.cards import Card
from looseends_core.state import Phase


def seat_columns(scene: Scene, width: int, height: int) -> list[Row]:
    """Return the seats side by side in exactly `height` rows: name and score, bids, and the count of tricks."""
    faces = scene.faces
    players = scene.model.state.players
    widths = column_widths(width, players)
    cells = [_column(scene, seat, widths[seat] - (3 if seat else 2), height) for seat in range(players)]
    line = Span(faces.column, "line")
    return [
        columns([[Span(" "), *column[row]] for column in cells], widths, faces, between=line) for row in range(height)
    ]


def seat_lines(scene: Scene, width: int, height: int) -> list[Row]:
    """Return the seats one a line: name, score, bids, tricks won and what the round would score."""
    rows = [_line(scene, seat, width) for seat in range(scene.model.state.players)]
    blank = filled([], width, scene.faces)
    return (rows + [blank] * (height - len(rows)))[:height]


def _name(scene: Scene, seat: int, width: int) -> Row:
    model = scene.model
    turn = model.state.turn == seat and model.phase == "playing"
    info = model.seats[seat]
    note = " (bot)" if info.kind == "bot" else ""
    if info.stand_in:
        note = " (bot plays)"
    elif seat != model.seat and (where := where_they_are(info)):
        note = f" ({where})"
    mark = scene.faces.turn if turn else " "
    side = side_at(model.options.contest, seat, len(model.seats))
    name = f"{side} {model.names[seat]}" if side else model.names[seat]
    room = width - 2
    notes = (note, note.replace("(", "").replace(")", ""), "")
    text = next((name + short for short in notes if len(name + short) <= room), name)
    return [Span(f"{mark} ", "turn" if turn else ""), Span(cut_text(text, room, scene.faces), "strong")]


def _column(scene: Scene, seat: int, width: int, height: int) -> list[Row]:
    faces = scene.faces
    score: Row = [Span(str(scene.model.state.scores[seat]).replace("-", faces.minus), "strong")]
    name = _name(scene, seat, width - 1 - width_of(score))
    bids = _bid_rows(scene, seat, width, height - 2)
    return [spread(name, score, width, faces), *bids, _tally(scene, seat, width)]


def _tally(scene: Scene, seat: int, width: int) -> Row:
    state = scene.model.state
    faces = scene.faces
    if state.phase is Phase.DEALING and not state.results:
        return filled([], width, faces)
    if state.phase is Phase.PLANNING:
        return filled([Span("  "), Span(_planning_word(scene, seat), "dim")], width, faces)
    won, loose = state.won[seat], state.loose[seat]
    words = f"{won} won" + (f" {loose} loose" if loose else "")
    if len(words) + 7 > width - 2:
        words = f"{won}w" + (f" {loose}l" if loose else "")
    over = state.phase in (Phase.DEALING, Phase.OVER)
    if not (scene.counts_now or over):
        return filled([Span("  "), Span(words, "dim")], width, faces)
    now = points_text(points_if_over_now(state)[seat], faces)
    good = "good" if not now.startswith(faces.minus) else "bad"
    said = "made " if over else "now "
    fits = width >= len(words) + len(said) + len(now) + 3
    right: Row = [Span(said, "dim"), Span(now, good)] if fits else [Span(now, good)]
    return spread([Span("  "), Span(words, "dim")], right, width, faces)


def _planning_word(scene: Scene, seat: int) -> str:
    state = scene.model.state
    if seat in state.passed:
        return "" if state.snitching[seat] else "passed"
    most = state.rules.max_bid
    return f"bid {state.planned_bids(seat)} of {most}"


def _bid_rows(scene: Scene, seat: int, width: int, height: int) -> list[Row]:
    """Return the bid cards in `height` rows, spaced where there is room, and `+n` for those that do not fit."""
    faces = scene.faces
    state = scene.model.state
    marks = bid_marks(state, seat)
    blank = filled([], width, faces)
    if not marks:
        if state.snitching[seat]:
            word = "snitching" if state.won[seat] == 0 else "failed snitch"
            return [filled([Span("  "), Span(cut_text(word, width - 2, faces), "snitch")], width, faces)] + [blank] * (
                height - 1
            )
        return [blank] * height
    for spaced in (True, False):
        rows = _packed(scene, seat, marks, width - 2, spaced)
        if len(rows) <= height:
            break
    else:
        rows = _with_rest(scene, seat, marks, width - 2, height)
    rows = [filled([Span("  "), *row], width, faces) for row in rows]
    return rows + [blank] * (height - len(rows))


def _packed(scene: Scene, seat: int, marks: list[tuple[Card, Mark]], width: int, spaced: bool) -> list[Row]:
    rows: list[Row] = [[]]
    for card, mark in marks:
        token = _token(scene, seat, card, mark, spaced)
        between = 2 if spaced else 1
        if rows[-1] and width_of(rows[-1]) + between + width_of(token) > width:
            rows.append([])
        if rows[-1]:
            rows[-1].append(Span(" " * between))
        rows[-1] += token
    return rows


def _with_rest(scene: Scene, seat: int, marks: list[tuple[Card, Mark]], width: int, height: int) -> list[Row]:
    """Return as many bids as fit and how many more there are; open ones come first, for they still matter."""
    order = [pair for pair in marks if pair[1] is Mark.OPEN] + [pair for pair in marks if pair[1] is not Mark.OPEN]
    for shown in range(len(order) - 1, -1, -1):
        rest: Row = [Span(f"{scene.faces.plus}{len(order) - shown}", "dim")]
        rows = _packed(scene, seat, order[:shown], width, spaced=False)
        if len(rows) < height:
            rows.append([])
        if len(rows) == height and width_of(rows[-1]) + 1 + width_of(rest) <= width:
            rows[-1] += [Span(" "), *rest] if rows[-1] else rest
            return rows
    return [[]]


def _token(scene: Scene, seat: int, card: Card, mark: Mark, spaced: bool) -> Row:
    faces = scene.faces
    look = suit_look(card)
    text = card_text(card, faces)
    if scene.model.my_turn and scene.model.state.phase is Phase.COVERING and seat == scene.model.seat:
        if card == scene.chosen:
            chosen = Span(text, f"{look} strong chosen-card", card)
            return [Span("[", "chosen", card), chosen, Span("]", "chosen", card)]
        if card in scene.selectable:  # another one that this trick may cover
            return [Span("(", "chosen", card), Span(text, f"{look} strong", card), Span(")", "chosen", card)]
    gap = " " if spaced else ""
    shown = f"{look} {'strong' if mark is Mark.OPEN else 'dim'}"
    return [Span(text, shown, card), Span(f"{gap}{_glyph(mark, faces)}", mark_look(mark), card)]


def mark_look(mark: Mark) -> str:
    """Return the look of a mark."""
    return {Mark.COVERED: "good", Mark.OPEN: "open", Mark.HOPELESS: "bad"}[mark]


def _glyph(mark: Mark, faces: Faces) -> str:
    return {Mark.COVERED: faces.covered, Mark.OPEN: faces.open, Mark.HOPELESS: faces.hopeless}[mark]


def _line(scene: Scene, seat: int, width: int) -> Row:
    faces = scene.faces
    state = scene.model.state
    name_width = 12 if width >= 56 else 8
    name = filled(_name(scene, seat, name_width), name_width, faces)
    score = f"{state.scores[seat]:>3}".replace("-", faces.minus)
    if state.phase is Phase.PLANNING:
        right: Row = [Span(_planning_word(scene, seat), "dim")]
    else:
        loose = f" {state.loose[seat]}l" if state.loose[seat] else ""
        now = points_text(points_if_over_now(state)[seat], faces)
        good = "good" if not now.startswith(faces.minus) else "bad"
        right = [Span(f"{state.won[seat]}w{loose} ", "dim"), Span(f"{now:>3}", good)]
    room = width - name_width - 5 - width_of(right) - 1
    marks = bid_marks(state, seat)
    bids: Row = []
    if state.snitching[seat] and not marks:
        bids = [Span("snitching" if not state.won[seat] else "failed snitch", "snitch")]
    elif marks:
        rows = _packed(scene, seat, marks, room, spaced=False)
        bids = rows[0] if len(rows) == 1 else _with_rest(scene, seat, marks, room, 1)[0]
    return [*name, Span(score, "strong"), Span("  "), *spread(bids, right, width - name_width - 5, faces)]
