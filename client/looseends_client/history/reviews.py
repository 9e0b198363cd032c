"""What a strong bot thought of somebody's decisions in a finished game, as far as it has come, and what it adds up to.

Numbers alone; words are `review_words`'.
"""

from __future__ import annotations

from looseends_client.history.replay import Replay
from looseends_protocol.messages import Reviewed, ReviewedDecision

COSTLIEST = 3
"""Decisions that are told of."""


class Review:
    """The review of one game. `done` of `total` decisions are behind; `refused` says why it does not go on."""

    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        self.done = 0
        self.total = sum(stop.turn == replay.seat and stop.is_choice for stop in replay.stops)
        self.decisions: list[ReviewedDecision] = []
        self.refused = ""

    @property
    def over(self) -> bool:
        """Whether there is nothing left to look at."""
        return self.done >= self.total

    def take(self, pushed: Reviewed) -> None:
        """Take what was found of one more decision, where it is one that was taken in this game."""
        self.done, self.total = max(0, pushed.done), max(0, pushed.total)
        found = pushed.decision
        if found is None or any(known.number == found.number for known in self.decisions):
            return
        stop = self.replay.stops[self.replay.at_number(found.number)]
        if (stop.number, stop.taken, stop.turn) == (found.number, found.taken, self.replay.seat) and (
            found.best in stop.legal
        ):
            self.decisions.append(found)

    def costliest(self) -> list[ReviewedDecision]:
        """Return the decisions that cost most, the worst first; none that cost nothing."""
        costly = [decision for decision in self.decisions if decision.lost > 0]
        return sorted(costly, key=lambda decision: (-decision.lost, decision.number))[:COSTLIEST]

    def mean(self, *, planning: bool) -> tuple[float, int]:
        """Return the points lost on average by a decision of planning, or of play, as a number that is never above 0;
        and how many decisions that is from."""
        lost = [decision.lost for decision in self.decisions if decision.planning == planning]
        return (-sum(lost) / len(lost) / 100 if lost else 0.0), len(lost)
