"""The sharp player: tries each action in deals that fit all it has seen, and takes the one that comes out best.

Every deal that fits is as good as any other to it, and it thinks of this round alone.
"""

from __future__ import annotations

import random

from looseends_core.bots.bidding import Bidding
from looseends_core.bots.rollout import AS_ALL
from looseends_core.bots.search import Effort
from looseends_core.bots.thought import Stop, Thought
from looseends_core.bots.weighing import Draw, Way, Worth, think
from looseends_core.bots.worlds import Worlds
from looseends_core.state import State


def _any_world(view: State, _bidding: Bidding, rng: random.Random) -> Draw:
    worlds = Worlds(view)
    return lambda: worlds.draw(rng)


def _points_of_the_round(_view: State) -> Worth:
    return lambda _outcome, lead: lead


WAY = Way(
    Effort(units=9_000, worlds=120),
    plans=20,
    world_units=14.0,
    looks=0,
    neighbours=0,
    styles=(AS_ALL,),
    worlds_of=_any_world,
    worth_of=_points_of_the_round,
)


def think_as_sharp(view: State, rng: random.Random, stop: Stop) -> Thought:
    """Return what sharp thinks of every legal action of the seat on turn."""
    return think(view, rng, stop, WAY)
