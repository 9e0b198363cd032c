"""The two lines above the hand: what is asked now, and what the chosen card would do, or why it may not.

All sentences come from the core and from `foresight`; nothing is decided here.
"""

from __future__ import annotations

from looseends_client.drawing.rows import Row, Span, cut_text, filled, sentence_row, spread, width_of
from looseends_client.drawing.scene import Scene
from looseends_client.foresight import what_is_asked, what_it_would_do
from looseends_client.narration import Sentence, capital
from looseends_core.state import Phase


def hint_rows(scene: Scene, width: int, height: int) -> list[Row]:
    """Return the hint in exactly `height` rows; in one row alone, an answer comes before what is asked."""
    faces = scene.faces
    asked = _asked_row(scene, width)
    second = _second(scene)
    detail = filled([Span(" "), *sentence_row(second[0], faces, second[1])], width, faces)
    if height <= 1:
        return [detail if second[0] and second[1] == "bad" else asked][:height]
    rows = [asked, detail]
    blank = filled([], width, faces)
    return rows + [blank] * (height - 2)


def _asked_row(scene: Scene, width: int) -> Row:
    model = scene.model
    left: Row = [Span(" ")]
    if model.my_turn:
        left.append(Span(f"{scene.faces.turn} ", "turn"))
    left += sentence_row(_asked(scene), scene.faces, "strong" if model.my_turn else "")
    right: Row = []
    seconds = model.seconds_left()
    if model.phase == "playing" and seconds is not None and model.my_turn:
        right = [Span(f"{seconds}s ", "bad" if seconds <= 10 else "turn")]
    if scene.typed:
        right = [Span(f"{scene.typed.upper()}_ ", "turn")]
    return spread(left, right, width, scene.faces)


def _asked(scene: Scene) -> Sentence:
    model = scene.model
    if model.phase == "playing":
        asked = what_is_asked(model.state, model.seat, model.names)
        if asked and isinstance(asked[0], str):
            return (capital(asked[0]), *asked[1:])
        return asked
    if model.phase == "between":
        return ("The round is over. Press s for the score sheet.",)
    if model.phase == "over":
        return ("The game is over. Press s for the score sheet, q to leave.",)
    if model.phase == "frozen":
        return ("The table waits until the server can save again.",)
    return ("The cards are being dealt.",)


def _second(scene: Scene) -> tuple[Sentence, str]:
    """Return the second line and its look: an answer, what is played ahead, or what the chosen card would do."""
    model = scene.model
    if scene.answer:
        return scene.answer, "bad"
    if scene.ahead is not None:
        return ("On your turn you play ", scene.ahead, " if you may. Enter takes it back."), "turn"
    seat = model.seat
    if scene.chosen is None or seat is None or model.phase != "playing":
        return (), ""
    if model.my_turn:
        return what_it_would_do(model.state, seat, scene.chosen), ""
    if model.state.phase is Phase.PLAYING:
        return ("Enter plays ", scene.chosen, " ahead, as soon as it is your turn."), "dim"
    return (), ""


def keys_row(scene: Scene, width: int) -> Row:
    """Return the last row: the keys that do something now, as many as fit, `?` always among them."""
    row: Row = [Span(" ")]
    shown = list(scene.keys)
    while shown:
        row = [Span(" ")]
        for place, (key, does) in enumerate(shown):
            row += [Span("  " if place else ""), Span(key, "key"), Span(f" {does}", "dim")]
        if width_of(row) <= width:
            break
        shown.pop(-2 if len(shown) > 1 else -1)
    return filled([Span(cut_text(span.text, width, scene.faces), span.look) for span in row], width, scene.faces)
