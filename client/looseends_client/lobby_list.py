"""In which order a lobby is listed, and which tables of it this program can play. Nothing is drawn here."""

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
