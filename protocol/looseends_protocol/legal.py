"""The legal list that travels with a turn, from and to the core's actions."""

from __future__ import annotations

from looseends_core.actions import BIDS, COVERS, DOUBLE_CROSS, PASS, PLAYS, Action, Bid, Cover, Play
from looseends_core.decide import legal_actions
from looseends_core.state import Phase, State
from looseends_protocol.messages import Legal


def legal_of(state: State) -> Legal:
    """Return what the seat on turn may do; the state must know that seat's hand."""
    allowed = legal_actions(state)
    cards = [action.card for action in allowed if isinstance(action, Bid | Play | Cover)]
    planning = state.phase is Phase.PLANNING
    return Legal(tuple(cards), planning and PASS in allowed, planning and DOUBLE_CROSS in allowed)


def actions_of(legal: Legal, phase: Phase) -> list[Action]:
    """Return the actions that a legal list means in a phase, as `legal_actions` would order them."""
    kinds: dict[Phase, tuple[Action, ...]] = {Phase.PLANNING: BIDS, Phase.PLAYING: PLAYS, Phase.COVERING: COVERS}
    of_cards = kinds.get(phase, ())
    allowed: list[Action] = [of_cards[card] for card in legal.cards] if of_cards else []
    if legal.may_pass:
        allowed.append(PASS)
    if legal.may_double_cross:
        allowed.append(DOUBLE_CROSS)
    return allowed
