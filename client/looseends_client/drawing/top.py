"""The first row of the table: which table, which round and trick, and which variants are played."""

from __future__ import annotations

from looseends_client.drawing.rows import Row, Span, spread, width_of
from looseends_client.drawing.scene import Scene
from looseends_core.rules import VARIANTS, RuleSet
from looseends_core.state import Phase
from looseends_protocol.people_text import visible

VARIANT_NAMES = {"double-cross": "Double-Cross", "getaway": "Getaway", "plan-b": "Plan B"}


def variant_words(rules: RuleSet, joint: str = " · ") -> str:
    """Return the variants of a rule set by name, in one order; empty where none is played."""
    return joint.join(VARIANT_NAMES[variant] for variant in VARIANTS if variant in rules.variants)


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
    right: Row = [Span(f"{_at_the_end(scene, wide)} ", "bad" if scene.online else "dim")]
    # What matters least goes first where not everything fits: the title, then the game's name, then the variants.
    for left, end in (([*game, *title, *where], right), ([*game, *where], right), (where, right), (where, [])):
        if width_of(left) + width_of(end) < width:
            break
    return spread(left, end, width, faces)


def _at_the_end(scene: Scene, wide: bool) -> str:
    """Return what is wrong with the connection, or the variants: by their first letters where there is little room."""
    if scene.online:
        return scene.online
    words = variant_words(scene.model.state.rules, f" {scene.faces.dot} ")
    return words if wide else "".join(word[0] for word in words.replace("-", " ").split() if word.isalpha())
