"""What every round of a game would have scored after each of its tricks: the line that a round took, in numbers."""

from __future__ import annotations

from looseends_client.bid_marks import points_if_over_now
from looseends_client.history.replay import Replay
from looseends_core.events import RoundScored, TrickWon
from looseends_core.state import Phase, State, evolve

Course = list[tuple[int, ...]]
"""Each seat's points of the round after planning and after each trick."""


def courses_of(replay: Replay) -> list[Course]:
    """Return the course of each round that was played, in order; of the last as far as it went."""
    state = State(replay.rules)
    courses: list[Course] = []
    for event in replay.events:
        before = state.phase
        evolve(state, event)
        if before is Phase.PLANNING and state.phase is Phase.PLAYING:
            courses.append([tuple(points_if_over_now(state))])
        elif before is Phase.COVERING and not isinstance(event, RoundScored | TrickWon):
            courses[-1].append(tuple(points_if_over_now(state)))
    return courses
