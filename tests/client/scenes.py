"""Tables at a chosen moment, for tests of what is drawn: dealt, bid and played by hand, seen from one seat."""

from __future__ import annotations

from collections.abc import Sequence

from looseends_client.cards_text import UNICODE_FACES, Faces
from looseends_client.drawing.scene import Scene
from looseends_client.table_model import TableModel
from looseends_core.actions import DOUBLE_CROSS, PASS, Action, Bid, Cover, Play
from looseends_core.cards import parse
from looseends_core.decide import deal_round, decide
from looseends_core.events import Event
from looseends_core.rules import RuleSet, rule_set
from looseends_core.shuffle import Deal
from looseends_core.state import State, evolve
from tests.client.games import attending


def action_of(step: str) -> Action:
    """Return the action of a step: `bid R3`, `pass`, `double-cross`, `cover R3`, or a card to play."""
    word, _, card = step.partition(" ")
    if word == "pass":
        return PASS
    if word == "double-cross":
        return DOUBLE_CROSS
    if word == "bid":
        return Bid(parse(card))
    return Cover(parse(card)) if word == "cover" else Play(parse(word))


def played(rules: RuleSet, hands: Sequence[str], steps: Sequence[str], first: int = 0) -> list[Event]:
    """Return the full events of a round dealt so, after these steps of whoever is on turn."""
    state = State(rules)
    events = deal_round(state, Deal(tuple(tuple(parse(card) for card in hand.split()) for hand in hands), first))
    for event in events:
        evolve(state, event)
    for step in steps:
        assert state.turn is not None, "somebody is on turn for each step"
        for event in decide(state, state.turn, action_of(step)):
            evolve(state, event)
            events.append(event)
    return events


def scene_of(
    rules: RuleSet, events: Sequence[Event], seat: int | None = 0, *, bots: int = 0, faces: Faces = UNICODE_FACES
) -> Scene:
    """Return a table after these events as one seat's screen shows it."""
    model = TableModel(lambda: 0.0)
    model.attend(attending(rules, events, seat, bots=bots))
    return Scene(model, faces)


FOUR_HANDS = (
    "B2 B9 R3 R11 R14 G5 G12 G15 Y1 Y6 Y8 Y12 B1 G1 R1",
    "B3 B4 R2 R4 R5 G2 G3 G4 Y2 Y3 Y4 Y5 G7 R6 B5",
    "B6 B7 R7 R8 R9 G6 G8 G9 Y7 Y9 Y10 Y11 B8 R10 G10",
    "B10 B11 R12 R13 R15 G11 G13 G14 Y13 Y14 Y15 B12 B13 B14 B15",
)
FOUR = rule_set(4, rounds=3)
PLANNED = ["bid R14", "pass", "bid G9", "bid Y13", "bid G12", "bid R9", "pass", "bid Y6", "pass", "pass"]
"""Seat 0 bids R14, G12 and Y6, seat 1 snitches, seat 2 bids G9 and R9, seat 3 bids Y13; seat 0 leads."""
COVERING = [
    *("bid G12", "pass", "bid G9", "bid Y13", "bid G5", "bid R9", "pass", "bid Y6", "pass", "pass"),
    *("G15", "G2", "G6", "G11"),
]
"""Seat 0 wins the first trick with G15 and has two bids that it can cover."""
