"""What is asked of the reader now, as the words of a prompt; empty while nothing is.

The rule that holds is told by `foresight`; this only turns it into a prompt.
"""

from __future__ import annotations

import msgspec

from looseends_client.foresight import what_is_asked
from looseends_client.plain.wording import Wording
from looseends_client.table_model import TableModel
from looseends_core.cards import cards_in
from looseends_core.decide import coverable
from looseends_core.state import Phase


class Asked(msgspec.Struct, frozen=True):
    """What is asked: `moment` differs whenever it is asked anew, though the words may be the same."""

    words: str
    moment: tuple[int, ...] = ()


NOTHING = Asked("")


def asked_at_table(model: TableModel, wording: Wording) -> Asked:
    """Return what a table asks of its reader."""
    if model.seat is None:
        return NOTHING
    moment = (model.game, model.state.number)
    if model.my_turn:
        seconds = model.seconds_left()
        clock = f" ({seconds} seconds)" if seconds is not None else ""
        return Asked(f"Your turn{clock}, {_turn(model, wording)}", (1, *moment))
    if model.phase == "gathering" and model.am_host and all(info.kind != "open" for info in model.seats):
        return Asked("Every seat is taken, type start", (2, *moment))
    if model.phase == "between" and model.seat not in model.ready:
        return Asked("Type ready for the next round", (3, *moment))
    if model.phase == "over" and not model.has_rematch:
        return Asked("Type contest for how others did, or leave", (4, *moment))
    if model.phase == "over" and model.seat not in model.ready:
        return Asked("Type ready to play again, or leave", (4, *moment))
    return NOTHING


def _turn(model: TableModel, wording: Wording) -> str:
    assert model.seat is not None, "somebody who watches is never on turn"
    state = model.state
    if state.phase is Phase.COVERING:
        choice = wording.either(list(cards_in(coverable(state))))
        return f"you won with {wording.card(state.tricks[-1].card)}, cover {choice}"
    said = wording.sentence(what_is_asked(state, model.seat, model.names)).rstrip(".").replace(": ", ", ")
    return said[:1].lower() + said[1:]
