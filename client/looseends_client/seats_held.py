"""The seats that a person has at a server: which of them to go back to, and how the list changes with a table left."""

from __future__ import annotations

import msgspec

from looseends_client.table_model import TableModel
from looseends_protocol.messages import SeatHeld, Welcome

NOT_TOLD = "There is no connection, so the server does not know that you gave up your seat."
NOT_RUNNING = ("over", "gathering")
"""Phases of a table to which nobody is led back by itself."""


def seat_to_go_back_to(welcome: Welcome | None) -> str:
    """Return the code of the one running game in which this person has a seat; empty where there is a choice."""
    held = [seat for seat in (welcome.seats if welcome is not None else ()) if seat.phase not in NOT_RUNNING]
    return held[0].code if len(held) == 1 else ""


def all_unfinished(welcome: Welcome | None) -> list[SeatHeld]:
    """Return the running games in which this person has a seat, the newest first."""
    held = welcome.seats if welcome is not None else ()
    return [seat for seat in reversed(held) if seat.phase not in NOT_RUNNING]


def unfinished(welcome: Welcome | None) -> SeatHeld | None:
    """Return the newest running game in which this person has a seat."""
    return next(iter(all_unfinished(welcome)), None)


def after_leaving(welcome: Welcome, model: TableModel, *, keep_seat: bool) -> Welcome:
    """Return the welcome with its seats as they are after a table was left, the seat there kept or given up."""
    seats = tuple(held for held in welcome.seats if held.code != model.code)
    if keep_seat and model.seat is not None:
        seats = (*seats, SeatHeld(model.code, model.title, model.seat, model.phase, yours=model.my_turn))
    return msgspec.structs.replace(welcome, seats=seats)
