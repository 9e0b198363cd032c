"""The first row of the table: which table, which round and trick, and which variants are played."""

from __future__ import annotations

from looseends_client.drawing.rows import Row, Span, spread, width_of
from looseends_client.drawing.scene import Scene
from looseends_client.table_words import variant_words
from looseends_core.rules import VARIANTS
from looseends_core.state import Phase
from looseends_protocol.people_text import visible

_LETTERS = {"double-cross": "DC", "getaway": "G", "plan-b": "PB"}


def top_row(scene: Scene, width: int) -> Row:
    """Return the first row of the table."""
    model = scene.model
    state = model.state
    faces = scene.faces
    wide = width >= 60
    of = " of " if wide else "/"
    where: Row = [Span(f"  round {max(1, state.round)}{of}{state.rules.rounds}", "")]
    if state.phase in (Phase.PLAYING, Phase.COVERING):
        number = len(state.tricks) + (state.phase is Phase.PLAYING)
        where.append(Span(f"  trick {min(number, state.tricks_in_round)}{of}{state.tricks_in_round}", ""))
    elif state.phase is Phase.PLANNING:
        where.append(Span("  planning", ""))
    game: Row = [Span(" No Loose Ends" if wide else " NLE", "title")]
    title: Row = [Span(f"  {model.title or visible(model.code)}", "dim")]
    words, letters = _at_the_end(scene)
    right: Row = [Span(f"{words} ", "bad" if scene.online else "dim")]
    short: Row = [Span(f"{letters} ", "bad" if scene.online else "dim")]
    # What matters least goes first where not everything fits: words become letters, then the title goes, then the rest.
    whole, untitled = [*game, *title, *where], [*game, *where]
    for left, end in (
        (whole, right),
        (untitled, right),
        (whole, short),
        (untitled, short),
        (where, short),
        (where, [Span("offline ", "bad")] if scene.online else []),
        ([], [Span("offline ", "bad")] if scene.online else []),
    ):
        if width_of(left) + width_of(end) < width:
            break
    return spread(left, end, width, faces)


def _at_the_end(scene: Scene) -> tuple[str, str]:
    """Return what is wrong with the connection, or else the variants, in full and by their first letters."""
    if scene.online:
        return scene.online, scene.online
    rules = scene.model.state.rules
    joint = f" {scene.faces.dot} "
    letters = [_LETTERS[variant] for variant in VARIANTS if variant in rules.variants]
    return variant_words(rules, joint), " ".join(letters)
