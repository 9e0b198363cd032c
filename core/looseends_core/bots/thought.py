"""What a bot that searches has found out: each action with its worth, for the choice, for a hint and for a coach.

Everything in here was counted in sampled worlds, deals that fit all that the seat has seen, each played out to the end
of the round. Words about it are the client's business and do not live here.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import msgspec

from looseends_core.actions import Action
from looseends_core.cards import Card
from looseends_core.state import State

NOT_ASKED = -1.0
"""Stands where a share makes no sense for an action: what a pass wins, how often somebody who bid snitches."""

Stop = Callable[[], bool]
"""Asked between counted pieces of work whether to end the thought with the best so far.

A piece is a few milliseconds of CPU at most. Where it is never true the thought depends on view and random numbers
alone; a thought that was stopped depends on when.
"""


def never() -> bool:
    """Return that the thought may go on to its end."""
    return False


class Weighed(msgspec.Struct, frozen=True):
    """One legal action and what came of it. All shares are of the worlds in which it was tried, 0 to 1, or NOT_ASKED.

    An action that was never tried has `worlds` 0; its numbers are zeros and NOT_ASKED, and mean nothing.
    """

    action: Action
    points: float = 0.0
    """Mean, over the worlds, of the seat's own points of this round less the mean of the other seats' points of it."""
    error: float = 0.0
    """Standard error of `points`. Worlds are shared by the actions, so a difference of two is surer than this says."""
    own: float = 0.0
    """Mean of the seat's own points of this round, as the score sheet will show them."""
    worlds: int = 0
    """How many worlds it was tried in."""
    wins: float = NOT_ASKED
    """A card to play: how often it wins the running trick."""
    cover: Card | None = None
    """A card to play: the own bid card that the running trick covers most often, None where it never covers any.
    A card to bid: that card. A choice to cover: the card chosen."""
    covers: float = NOT_ASKED
    """A card to play: how often the running trick covers `cover` (worlds in which it does not win are among those in
    which it does not). A card to bid: how often it is covered by the end of the round."""
    loose: float = NOT_ASKED
    """A card to play: how often it wins the running trick and covers nothing, which is a loose end, or under Plan B a
    new bid card."""
    snitches: float = NOT_ASKED
    """An action of a seat that is, or by it becomes, a snitch without a trick: how often it ends the round so."""
    perfect: float = NOT_ASKED
    """An action of a seat that is no snitch: how often it makes a Perfect Crime; 0 where the scoring has none."""


class Thought(msgspec.Struct, frozen=True):
    """The outcome of thinking about one decision: the action to take, and all that were weighed."""

    best: Action
    """A member of the legal actions; the first of `weighed`."""
    weighed: tuple[Weighed, ...]
    """Every legal action once, best first in the order that the bot ranks them. A bot that thinks of the whole game
    may rank otherwise than by `points`, which are of this round."""
    worlds: int = 0
    """Worlds that were sampled; 0 where none were, because there is only one action or the level does not search."""
    playouts: int = 0
    """Rounds that were played out to the end."""


Mind = Callable[[State, random.Random, Stop], Thought]
"""Thinks about what `view.turn` should do, whose hand the view knows."""


def unsearched(best: Action, allowed: list[Action]) -> Thought:
    """Return the thought of somebody who knows what to do and has counted nothing: the action, then the others."""
    return Thought(best, (Weighed(best), *(Weighed(action) for action in allowed if action != best)))
