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
from looseends_core.bots.thought import Mind, Stop, Thought, never, unsearched
from looseends_core.decide import legal_actions
from looseends_core.state import State

Bot = Callable[[State, random.Random], Action]
"""Chooses the action of `view.turn`, whose hand the view knows, out of `legal_actions(view)`."""


class Level(msgspec.Struct, frozen=True):
    """One strength of bot that a table can seat: its name, its character in one line, and how it chooses.

    `mind` is how a level that searches thinks; such a level takes tens of milliseconds of CPU for a choice, where one
    without takes less than one.
    """

    name: str
    character: str
    choose: Bot
    mind: Mind | None = None

    @property
    def player_name(self) -> str:
        """The name of such a player in a record: `bot:steady`."""
        return f"bot:{self.name}"

    @property
    def searches(self) -> bool:
        """Whether a choice takes so much CPU that it does not belong in a process that others wait for."""
        return self.mind is not None

    def think(self, view: State, rng: random.Random, stop: Stop = never) -> Thought:
        """Return what the level thinks of each legal action; `best` is what `choose` chooses with the same numbers.

        A level that does not search gives its choice and has weighed nothing (`worlds` is 0).
        """
        if self.mind is not None:
            return self.mind(view, rng, stop)
        return unsearched(self.choose(view, rng), legal_actions(view))


# The minds of these two are loaded when they are first asked: their tables take some time and memory to make.


def _think_as_sharp(view: State, rng: random.Random, stop: Stop) -> Thought:
    from looseends_core.bots.sharp import think_as_sharp

    return think_as_sharp(view, rng, stop)


def _choose_as_sharp(view: State, rng: random.Random) -> Action:
    return _think_as_sharp(view, rng, never).best


def _think_as_fox(view: State, rng: random.Random, stop: Stop) -> Thought:
    from looseends_core.bots.fox import think_as_fox

    return think_as_fox(view, rng, stop)


def _choose_as_fox(view: State, rng: random.Random) -> Action:
    return _think_as_fox(view, rng, never).best


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
        Level(
            "sharp",
            "Plays every card out in its head before it lays one, and snitches when the hand is right.",
            _choose_as_sharp,
            _think_as_sharp,
        ),
        Level(
            "fox",
            "Reads in your bids what you hold, minds the score, and never throws a card away.",
            _choose_as_fox,
            _think_as_fox,
        ),
    )
}
"""Every level by its name, weakest first."""
