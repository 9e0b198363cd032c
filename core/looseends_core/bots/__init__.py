"""Players that the program brings along. They see what their seat sees, and choose among what is legal.

A bot is a function from a view and a source of random numbers to an action. It may not import the server, look at
a full state, or keep anything between two calls that it could not compute again from its view. The same view and the
same random numbers give the same action on every run and every machine: a bot iterates over no set, takes no hash,
and draws with `rng.random()` alone, which is the one method whose numbers Python promises to keep.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import msgspec

from looseends_core.actions import Action
from looseends_core.bots.rookie import choose_as_rookie
from looseends_core.bots.steady import choose_as_steady
from looseends_core.state import State

Bot = Callable[[State, random.Random], Action]
"""Chooses the action of `view.turn`, whose hand the view knows, out of `legal_actions(view)`."""


class Level(msgspec.Struct, frozen=True):
    """One strength of bot that a table can seat: its name, its character in one line, and how it chooses."""

    name: str
    character: str
    choose: Bot

    @property
    def player_name(self) -> str:
        """The name of such a player in a record: `bot:steady`."""
        return f"bot:{self.name}"


LEVELS: dict[str, Level] = {
    level.name: level
    for level in (
        Level(
            "rookie",
            "Knows the rules and little else: bids a few cards and plays what comes to hand.",
            choose_as_rookie,
        ),
        Level(
            "steady", "Bids what it can expect to win, covers it cheaply, and ducks once it is done.", choose_as_steady
        ),
    )
}
"""Every level by its name, weakest first."""
