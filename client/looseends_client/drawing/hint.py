"""The lines above the hand: what is asked now, and what the chosen card would do, or why it may not.

All sentences come from the core and from `foresight`; nothing is decided here.
"""

from __future__ import annotations

from looseends_client.cards_text import Faces
from looseends_client.drawing.rows import (
    Row,
    Span,
    cut_text,
    filled,
    sentence_row,
    spread,
    width_of,
    wrapped,
    wrapped_in_company,
)
from looseends_client.drawing.scene import Scene
from looseends_client.foresight import what_is_asked, what_it_would_do
from looseends_client.narration import Sentence, capital
from looseends_core.state import Phase


def hint_rows(scene: Scene, width: int, height: int) -> list[Row]:
    """Return the hint in exactly `height` rows, broken where a row is too narrow; an answer keeps its room first."""
    faces = scene.faces
    right = _right(scene)
    beside = width - (width_of(right) + 1 if right else 1)
    said, look = _second(scene)
    if look == "hint":
        # Whoever asked for it has read what is asked of them, and needs the room.
        hint = _broken([Span(" "), *sentence_row(said, faces, "")], beside, height, faces)
        return _padded([spread(hint[0], right, width, faces), *hint[1:]], width, height, faces)
    room = max(1, height - 1) if height > 1 else int(look == "bad")
    detail = _broken([Span(" "), *sentence_row(said, faces, look)], width, room, faces) if said else []
    asked = _broken(_asked_row(scene), beside, height - len(detail), faces)
    if asked:
        asked[0] = spread(asked[0], right, width, faces)
    return _padded([*asked, *detail], width, height, faces)


def _padded(rows: list[Row], width: int, height: int, faces: Faces) -> list[Row]:
    rows = [filled(row, width, faces) for row in rows]
    return rows + [filled([], width, faces)] * (height - len(rows))


def _broken(row: Row, width: int, count: int, faces: Faces) -> list[Row]:
    """Return a row broken into at most so many; where there are more, the last of them says so."""
    rows = wrapped_in_company(row, width, faces, indent=1)
    if len(rows) <= count:
        return rows
    rows = wrapped(row, width, faces, indent=1)[:count]  # full rows: what does not fit is to be little
    return [*rows[:-1], filled([*rows[-1], Span(f" {faces.ellipsis}", "dim")], width, faces)] if rows else []


def _asked_row(scene: Scene) -> Row:
    mine = scene.model.my_turn and not scene.is_read
    mark: Row = [Span(f" {scene.faces.turn} ", "turn")] if mine else [Span(" ")]
    return [*mark, *sentence_row(_asked(scene), scene.faces, "strong" if mine else "")]


def _right(scene: Scene) -> Row:
    """Return what stands at the right end: what is typed of a card's name, or the seconds left of one's own turn."""
    if scene.typed:
        return [Span(f"{scene.typed.upper()}_ ", "turn")]
    seconds = scene.model.seconds_left()
    if scene.model.my_turn and seconds is not None:
        return [Span(f"{seconds}s ", "bad" if seconds <= 10 else "turn")]
    return []


def _asked(scene: Scene) -> Sentence:
    model = scene.model
    if scene.is_read:
        return ("Press any key to go on.",)
    if model.phase == "playing":
        asked = what_is_asked(model.state, model.seat, model.names)
        if asked and isinstance(asked[0], str):
            return (capital(asked[0]), *asked[1:])
        return asked
    if model.phase == "between":
        return (f"The round is over. Press {scene.table_keys.shown('score-sheet')} for the score sheet.",)
    if model.phase == "over":
        sheet, leave = scene.table_keys.shown("score-sheet"), scene.table_keys.shown("leave")
        return (f"The game is over. Press {sheet} for the score sheet, {leave} to leave.",)
    if model.phase == "frozen":
        return ("The table waits until the server can save again.",)
    return ("The cards are being dealt.",)


def _second(scene: Scene) -> tuple[Sentence, str]:
    """Return the second line and its look: an answer, what is played ahead, or what the chosen card would do."""
    model = scene.model
    if scene.answer:
        return scene.answer, "bad"
    if scene.aside:
        return scene.aside, ""
    if scene.hint:
        return scene.hint, "hint"
    if scene.hint_waits:
        return ("A hint is being thought of.",), "dim"
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
    """Return the last row: the keys that do something now, as many as fit, the last always, with how many more."""
    row: Row = [Span(" ")]
    shown = list(scene.keys)
    while shown:
        left_out = len(scene.keys) - len(shown)
        row = [Span(" ")]
        for place, (key, does) in enumerate(shown):
            more = f" {scene.faces.plus}{left_out}" if left_out and place == len(shown) - 1 else ""
            row += [Span("  " if place else ""), Span(key, "key"), Span(f"{more} {does}", "dim")]
        if width_of(row) <= width or len(shown) == 1:
            break
        # How to act and how to get out stay longest, beside how to find all the rest.
        shown.pop(-3 if len(shown) > 4 else 0 if len(shown) == 4 else -2)
    return filled([Span(cut_text(span.text, width, scene.faces), span.look) for span in row], width, scene.faces)
