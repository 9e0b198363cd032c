"""The first row of the table: which table, which round and trick, and which variants are played."""

from __future__ import annotations

from looseends_client.drawing.rows import Row, Span, spread
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
    title = model.title or visible(model.code)
    wide = width >= 60
    left: Row = [Span(" No Loose Ends" if wide else " NLE", "title")]
    if title:
        left.append(Span(f"  {title}", "dim"))
    left.append(Span(f"  round {max(1, state.round)} of {state.rules.rounds}", ""))
    if state.phase in (Phase.PLAYING, Phase.COVERING):
        number = len(state.tricks) + (state.phase is Phase.PLAYING)
        left.append(Span(f"  trick {min(number, state.tricks_in_round)} of {state.tricks_in_round}", ""))
    elif state.phase is Phase.PLANNING:
        left.append(Span("  planning", ""))
    words = variant_words(state.rules, f" {faces.dot} ")
    if scene.online:
        return spread(left, [Span(f"{scene.online} ", "bad")], width, faces)
    if not wide:
        words = "".join(word[0] for word in words.replace("-", " ").split() if word.isalpha())
    return spread(left, [Span(f"{words} ", "dim")] if words else [], width, faces)
