"""In which order a lobby is listed, which tables of it this program can play, and which one somebody who just wants to
play is led to. Nothing is drawn here.
"""

from __future__ import annotations

from collections.abc import Sequence

from looseends_core.rules import RulesError, RuleSet, check_rules
from looseends_protocol.messages import SeatHeld, TableLine


def makes_sense(rules: RuleSet) -> bool:
    """Return whether these are rules that this program knows: a newer server may list others."""
    try:
        check_rules(rules)
    except RulesError:
        return False
    return True


def lobby_entries(seats: Sequence[SeatHeld], tables: Sequence[TableLine]) -> list[SeatHeld | TableLine]:
    """Return own seats first, then the tables that gather, then the others; none twice."""
    own = {held.code for held in seats}
    gathering = [line for line in tables if line.code not in own and line.phase == "gathering"]
    others = [line for line in tables if line.code not in own and line.phase != "gathering"]
    return [*seats, *gathering, *others]


def table_to_play_at(tables: Sequence[TableLine]) -> TableLine | None:
    """Return the open table that is closest to its start, the first of several; None where there is no free seat.

    One that asks for a password is left out.
    """
    free = [line for line in tables if line.phase == "gathering" and line.open_seats and not line.needs_password]
    return min((line for line in free if makes_sense(line.rules)), key=lambda line: line.open_seats, default=None)
