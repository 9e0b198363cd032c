"""What the house counts while it runs, as plain numbers: one addition each, whether anybody reads them or not.

How they are shown to a monitoring system is in `metrics`.
"""

from __future__ import annotations

from collections import Counter


class Counts:
    """Totals since the start."""

    __slots__ = ("connections", "dropped", "moves", "refused", "thinking_seconds", "thoughts")

    def __init__(self) -> None:
        self.connections = 0
        """Connections that were taken, those inside this process included."""
        self.moves = 0
        """Actions of persons and bots that took effect, and deals."""
        self.refused: Counter[str] = Counter()
        """Requests that were not carried out, by error code."""
        self.dropped: Counter[str] = Counter()
        """Connections that the server ended, by error code."""
        self.thoughts: Counter[str] = Counter()
        """Questions to worker processes, by what came of them: whole, cut_short, failed, lost (asked once more)."""
        self.thinking_seconds = 0.0
        """CPU that the answered ones took in the workers."""
