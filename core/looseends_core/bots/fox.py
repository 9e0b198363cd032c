"""The fox: sharp's search with more work."""

from __future__ import annotations

import random

from looseends_core.bots.bidding import Bidding
from looseends_core.bots.plausibility import PlausibleWorlds
from looseends_core.bots.search import Effort
from looseends_core.bots.thought import Stop, Thought
from looseends_core.bots.weighing import Draw, Way, Worth, think
from looseends_core.state import State

_FEW = 4
"""Deals that fit, of which one is taken by how plausible it is."""


def _plausible_world(view: State, bidding: Bidding, rng: random.Random) -> Draw:
    return PlausibleWorlds(view, bidding, rng, _FEW).draw


def _points_of_the_round(_view: State) -> Worth:
    return lambda _outcome, lead: lead


WAY = Way(Effort(units=130_000, worlds=800), plans=60, worlds_of=_plausible_world, worth_of=_points_of_the_round)


def think_as_fox(view: State, rng: random.Random, stop: Stop) -> Thought:
    """Return what the fox thinks of every legal action of the seat on turn."""
    return think(view, rng, stop, WAY)
