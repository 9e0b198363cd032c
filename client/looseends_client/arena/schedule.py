"""Who sits where in a duplicate match: the line-ups, and every arrangement of each over the seats.

Pure: entrants are any values that can be compared, and nothing here plays or counts.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def arrangements(line_up: Sequence[T]) -> list[tuple[T, ...]]:
    """Return every different way to put a line-up on its seats, each once, in an order that the line-up fixes.

    Entrants that are equal are the same: a, b, b has three arrangements and not six. Over all of them each entrant
    holds each seat equally often.
    """
    if not line_up:
        return [()]
    found: list[tuple[T, ...]] = []
    tried: list[T] = []
    for at, one in enumerate(line_up):
        if one not in tried:
            tried.append(one)
            rest = [*line_up[:at], *line_up[at + 1 :]]
            found += [(one, *others) for others in arrangements(rest)]
    return found


def even_line_ups(entrants: Sequence[T], seats: int) -> list[tuple[T, ...]]:
    """Return the line-ups that give so many seats to the entrants as evenly as can be.

    As many entrants as seats are one line-up, as they are. Where the seats cannot be shared out evenly, every choice of
    those who get one seat more (or a seat at all) is a line-up, so that over all of them everybody has as many: a and b
    on three seats are a, a, b and a, b, b. Raises ValueError without entrants.
    """
    if not entrants:
        raise ValueError("a line-up needs somebody: no entrant was given")
    each, over = divmod(seats, len(entrants))
    line_ups: list[tuple[T, ...]] = []
    known: list[list[T]] = []
    for favoured in itertools.combinations(range(len(entrants)), over):
        line_up: list[T] = []
        for at, one in enumerate(entrants):
            line_up += [one] * (each + (at in favoured))
        if not any(_same_members(line_up, other) for other in known):
            known.append(line_up)
            line_ups.append(tuple(line_up))
    return line_ups


def _same_members(one: Sequence[T], other: Sequence[T]) -> bool:
    left = list(other)
    for member in one:
        if member not in left:
            return False
        left.remove(member)
    return not left


def seatings(entrants: Sequence[T], seats: int) -> list[tuple[T, ...]]:
    """Return who sits where in each game that is played over one deal: all arrangements of all even line-ups."""
    return [seated for line_up in even_line_ups(entrants, seats) for seated in arrangements(line_up)]


def mirrored_pairs(one: T, other: T, seats: int) -> list[tuple[tuple[T, ...], tuple[T, ...]]]:
    """Return every arrangement of two entrants, as even as can be, together with its mirror: the two swapped.

    Each arrangement is in one pair. Within a pair both entrants hold every seat once. Raises ValueError where the two
    are equal.
    """
    if one == other:
        raise ValueError("somebody has no mirror in themselves: two different entrants are needed")
    return [
        (seated, tuple(other if who == one else one for who in seated))
        for seated in seatings((one, other), seats)
        if seated[0] == one
    ]
