"""The legal list that travels with a turn, from and to the core's actions."""

from __future__ import annotations

from looseends_core.actions import BIDS, COVERS, DOUBLE_CROSS, PASS, PLAYS, Action
from looseends_core.cards import ordered
from looseends_core.decide import legal_cards, may_double_cross, may_pass
from looseends_core.state import Phase, State
from looseends_protocol.messages import Legal


def legal_of(state: State) -> Legal:
    """Return what the seat on turn may do; the state must know that seat's hand."""
    cards = ordered(legal_cards(state))
    seat = state.turn
    if seat is None or state.phase is not Phase.PLANNING:
        return Legal(cards)
    return Legal(cards, may_pass(state, seat), may_double_cross(state, seat))


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
