"""Finished games, made for the tests of what is kept of them."""

from __future__ import annotations

from looseends_core.record import GameRecord, record_of
from looseends_core.rules import rule_set
from looseends_server.archive import game_to_keep
from looseends_server.store.games import KeptGame
from tests.strategies import play_game

PEOPLE = {"ann": 1, "bob": 2, "cid": 3, "Dee": 4}
"""Names and identities."""


def record(*names: str, seed: int = 1, variants: tuple[str, ...] = (), proven: bool = True) -> GameRecord:
    """Return the record of a short game of these players that a seed fixes."""
    rules = rule_set(len(names), variants=variants, rounds=1, hand_size=5, max_bid=2)
    return record_of(rules, names, play_game(rules, seed, proven=proven).events)


def game_of(
    of: GameRecord, *, ended_at: float = 1000.0, open_to_all: bool = False, watched_by: tuple[int, ...] = ()
) -> KeptGame:
    """Return a record as it is kept, by people whose identities are those of PEOPLE."""
    identities = tuple(PEOPLE.get(name, 0) for name in of.players)
    return game_to_keep(of, ended_at, identities, origin="TABLE", open_to_all=open_to_all, watched_by=watched_by)
