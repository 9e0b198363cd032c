"""The middle of the table: the trick as it lies, a finished one for as long as it is read, or the order of planning.

Each card lies under the seat that played it. The winning card so far has the heavy frame.
"""

from __future__ import annotations

from looseends_client.cards_text import Faces, Frame, card_text, suit_look, suit_text
from looseends_client.drawing.rows import (
    Row,
    Span,
    card_span,
    column_widths,
    cut_text,
    filled,
    sentence_row,
    spread,
    width_of,
)
from looseends_client.drawing.scene import Scene
from looseends_client.foresight import winning_now
from looseends_client.narration import capital, does
from looseends_core.cards import SUIT_LETTERS, Card
from looseends_core.state import Phase, Trick
from looseends_core.tricks import lead_suit_of

BOX_WIDTH = 8
TALL_ROWS = 9
"""Rows of a trick whose cards are drawn large."""
_ORDINALS = ("1st", "2nd", "3rd", "4th", "5th")


def trick_rows(scene: Scene, width: int, height: int) -> list[Row]:
    """Return the trick in exactly `height` rows: what is led and who wins, then names and cards a column each."""
    faces = scene.faces
    rows: list[Row] = [led_row(scene, width)]
    players = scene.model.state.players
    widths = column_widths(width, players)
    boxes = [_box(scene, seat, tall=height >= TALL_ROWS) for seat in range(players)]
    if height >= TALL_ROWS:
        rows.append(filled([], width, faces))
    if height >= 5:
        rows.append(_side_by_side([_name(scene, seat, widths[seat]) for seat in range(players)], widths, scene))
    if height >= 4:
        rows += [_side_by_side([box[n] for box in boxes], widths, scene) for n in range(len(boxes[0]))]
    elif height >= 2:
        if height >= 3:
            rows.append(_side_by_side([_name(scene, seat, widths[seat]) for seat in range(players)], widths, scene))
        rows.append(_side_by_side([_small(scene, seat) for seat in range(players)], widths, scene))
    blank = filled([], width, faces)
    return (rows + [blank] * (height - len(rows)))[:height]


def _side_by_side(cells: list[Row], widths: list[int], scene: Scene) -> Row:
    row: Row = []
    for cell, width in zip(cells, widths, strict=True):
        indent = 3 if width >= 14 else 1
        row += filled([Span(" " * indent), *cell], width, scene.faces)
    return row


def _name(scene: Scene, seat: int, width: int) -> Row:
    return [Span(cut_text(scene.model.names[seat], width - 4, scene.faces), "dim")]


def led_row(scene: Scene, width: int) -> Row:
    """Return what is led and who is winning, or what a finished trick came to."""
    faces = scene.faces
    state = scene.model.state
    if scene.held is not None:
        label = [Span("Last trick  ", "strong")] if scene.looks_back else []
        return filled([Span(" "), *label, *_told(scene, scene.held)], width, faces)
    if state.phase is Phase.COVERING:
        trick = state.tricks[-1]
        won = capital(does(scene.model.names[trick.winner], "won", "won"))
        return filled([Span(" "), *sentence_row((f"{won} the trick with ", trick.card), faces)], width, faces)
    if state.phase is Phase.PLANNING:
        begins = scene.model.names[state.first]
        left: Row = [Span(" Planning", "strong"), Span(f"  {does(begins, 'began', 'began')}", "dim")]
        passed = ", ".join(scene.model.names[seat] for seat in state.passed)
        return spread(left, [Span(f"passed: {passed} ", "dim")] if passed else [], width, faces)
    if state.phase in (Phase.DEALING, Phase.OVER):
        return filled([Span(" "), Span(_waiting_word(scene), "dim")], width, faces)
    winning = winning_now(state)
    if winning is None:
        leader = scene.model.names[state.leader] if state.leader is not None else ""
        return filled([Span(" "), Span(capital(does(leader, "lead")), "dim")], width, faces)
    lead = lead_suit_of([card for _, card in state.trick])
    seat, card = winning
    is_ = "are" if scene.model.names[seat] == "you" else "is"
    right = sentence_row((f"{scene.model.names[seat]} {is_} winning with ", card, " "), faces, "")
    for words in (True, False):
        led: Row = [Span(" led ", "dim"), _suit_led(lead, faces, words=words)]
        if width_of(led) + width_of(right) < width:
            break
    return spread(led, right, width, faces)


def _suit_led(suit: int | None, faces: Faces, *, words: bool) -> Span:
    """Return the suit that is led, by name or where there is little room by its letter."""
    if suit is None:
        return Span("no suit yet" if words else faces.dot)
    text = suit_text(suit, faces) if words else f"{SUIT_LETTERS[suit]}{faces.shapes[suit]}"
    return Span(text, f"{suit_look(suit * 15)} strong")


def _waiting_word(scene: Scene) -> str:
    phase = scene.model.phase
    if phase == "frozen":
        return "The table waits: the server cannot save the game at the moment."
    if phase == "over":
        return "The game is over."
    return "The round is over." if phase == "between" else "The cards are being dealt."


def _told(scene: Scene, trick: Trick) -> Row:
    """Return in words what a finished trick came to."""
    winner = capital(does(scene.model.names[trick.winner], "won", "won"))
    begin = (f"{winner} with ", trick.card)
    if trick.outcome == "covered" and trick.bid_card is not None:
        return sentence_row((*begin, " and covered ", trick.bid_card), scene.faces, "")
    if trick.outcome == "promoted":
        return sentence_row((*begin, ": it becomes a bid card"), scene.faces, "")
    if trick.outcome == "loose":
        return sentence_row((*begin, ": a loose end"), scene.faces, "")
    return sentence_row(begin, scene.faces, "")


def _shown_plays(scene: Scene) -> tuple[dict[int, Card], int | None]:
    """Return the cards that lie by seat, and the seat whose card wins."""
    state = scene.model.state
    trick = scene.held
    if trick is None and state.tricks and state.phase in (Phase.COVERING, Phase.DEALING, Phase.OVER):
        trick = state.tricks[-1]  # the last of a round lies until the next is dealt
    if trick is not None:
        return dict(trick.plays), trick.winner
    winning = winning_now(state)
    return dict(state.trick), winning[0] if winning else None


def _waits_for(scene: Scene, seat: int) -> bool:
    state = scene.model.state
    return scene.held is None and state.turn == seat and state.phase in (Phase.PLANNING, Phase.PLAYING)


def _clock(scene: Scene) -> str:
    """Return the seconds left, or the sign of whose turn it is where no clock runs."""
    left = scene.model.seconds_left()
    return scene.faces.turn if left is None else f"{left}s"


def _box(scene: Scene, seat: int, *, tall: bool) -> list[Row]:
    """Return the rows of what lies before a seat: three of them, five where cards are drawn large."""
    faces = scene.faces
    plays, winner = _shown_plays(scene)
    if seat in plays:
        frame, look = (faces.heavy, "winning") if seat == winner else (faces.thin, "card")
        return _framed(frame, look, [card_span(plays[seat], faces, "strong")], card_text(plays[seat], faces), tall)
    if _waits_for(scene, seat):
        clock = _clock(scene)
        return _framed(faces.dashed, "turn", [Span(clock, "turn")], clock, tall)
    above: list[Row] = [[], []] if tall else [[]]
    return [*above, [Span(_planning_word(scene, seat), "dim")], *above]


def _framed(frame: Frame, look: str, inside: Row, text: str, tall: bool) -> list[Row]:
    room = BOX_WIDTH - 2 + (2 if tall else 0)
    left = (room - len(text)) // 2
    right = room - len(text) - left
    blank: list[Row] = [[Span(frame.side + " " * room + frame.side, look)]] if tall else []
    return [
        [Span(frame.top_left + frame.top * room + frame.top_right, look)],
        *blank,
        [Span(frame.side + " " * left, look), *inside, Span(" " * right + frame.side, look)],
        *blank,
        [Span(frame.bottom_left + frame.bottom * room + frame.bottom_right, look)],
    ]


def _planning_word(scene: Scene, seat: int) -> str:
    state = scene.model.state
    if state.phase is not Phase.PLANNING or seat not in state.passed:
        return ""
    place = _ORDINALS[state.passed.index(seat)]
    return f"passed {place}"


def _small(scene: Scene, seat: int) -> Row:
    """Return what lies before a seat as one short word, the winning card in brackets."""
    faces = scene.faces
    plays, winner = _shown_plays(scene)
    if seat in plays:
        card = plays[seat]
        if seat == winner:
            return [Span("[", "winning"), card_span(card, faces, "strong"), Span("]", "winning")]
        return [Span(" "), card_span(card, faces, "strong")]
    if _waits_for(scene, seat):
        return [Span(_clock(scene), "turn")]
    return [Span(_planning_word(scene, seat), "dim")]
