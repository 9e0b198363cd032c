"""The fox: searches longer than sharp, in deals made likely by what the others bid, and with the match in mind.

It reads in a bid why somebody would lay that card, and plays the last round to win the game and not for points alone.
"""

from __future__ import annotations

import random

from looseends_core.bots.bidding import Bidding
from looseends_core.bots.plausibility import PlausibleWorlds
from looseends_core.bots.rollout import AS_ALL, EAGER, PATIENT, Outcome
from looseends_core.bots.search import Effort
from looseends_core.bots.thought import Stop, Thought
from looseends_core.bots.weighing import Draw, Way, Worth, think
from looseends_core.state import State

_FEW = 2
"""Deals that fit, of which one is taken by how plausible it is."""


def _plausible_world(view: State, bidding: Bidding, rng: random.Random) -> Draw:
    return PlausibleWorlds(view, bidding, rng, _FEW).draw


_GAME_WON = 3.0
"""Points that winning the game is worth to it in the last round, beside the points themselves."""


def points_and_the_game(view: State) -> Worth:
    """Return the lead in points of the round, and in the last round with what winning the game is worth."""
    if view.round < view.rules.rounds:
        return lambda _outcome, lead: lead
    assert view.turn is not None, "somebody is on turn"
    seat = view.turn
    scores = view.scores
    others = [other for other in range(view.players) if other != seat]

    def worth(outcome: Outcome, lead: float) -> float:
        points = outcome.points
        # A tie goes to the better last round ([E2]).
        mine = (scores[seat] + points[seat], points[seat])
        shared = 1
        for other in others:
            theirs = (scores[other] + points[other], points[other])
            if theirs > mine:
                return lead
            shared += theirs == mine
        return lead + _GAME_WON / shared

    return worth


WAY = Way(
    Effort(units=110_000, worlds=700),
    plans=40,
    world_units=65.0,
    looks=3,
    neighbours=24,
    styles=(AS_ALL, PATIENT, EAGER),
    worlds_of=_plausible_world,
    worth_of=points_and_the_game,
)


def think_as_fox(view: State, rng: random.Random, stop: Stop) -> Thought:
    """Return what the fox thinks of every legal action of the seat on turn."""
    return think(view, rng, stop, WAY)
