"""What somebody's kept games add up to: their numbers, and how strong they are.

A fold of the kept games in the order in which they were kept: the running totals and those that `admin rebuild`
makes anew come from the same `Totals.add`. Nothing is read or written here.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from looseends_core.numbers import Numbers
from looseends_protocol.people_text import BOT_PREFIX
from looseends_server.store.games import GameSeat, Rating, Standing

PEOPLE = "people"
BOTS = "bots"
GONE_PREFIX = " gone:"
"""In front of what the numbers of somebody are kept under who had their traces deleted: their games still count for
those who played them, and nobody is named. No name begins with a space."""


class Totals:
    """Everybody's numbers and ratings. `rated` is false where the host wants no ratings."""

    def __init__(
        self, standings: Sequence[Standing] = (), ratings: Sequence[Rating] = (), *, rated: bool = True
    ) -> None:
        self._numbers = {(one.who, one.players, one.variants): one.numbers for one in standings}
        self._ratings = {(one.ladder, one.who): one for one in ratings}
        self._rated = rated

    def after(
        self, players: int, variants: str, seats: Sequence[GameSeat], numbers: Sequence[Numbers], *, proven: bool
    ) -> tuple[tuple[Standing, ...], tuple[Rating, ...]]:
        """Return the totals that a game changes, as they are after it; nothing is changed before `take`."""
        changed: dict[str, Numbers] = {}
        for seat, added in zip(seats, numbers, strict=True):
            if seat.who:
                before = changed.get(seat.who) or self._numbers.get((seat.who, players, variants), Numbers())
                changed[seat.who] = before + added
        standings = tuple(Standing(who, players, variants, sum_) for who, sum_ in changed.items())
        return standings, self._rated_after(seats) if proven and self._rated else ()

    def take(self, standings: Sequence[Standing], ratings: Sequence[Rating]) -> None:
        """Let totals that `after` returned hold from now on."""
        self._numbers |= {(one.who, one.players, one.variants): one.numbers for one in standings}
        self._ratings |= {(one.ladder, one.who): one for one in ratings}

    def standings(self) -> tuple[Standing, ...]:
        """Return all numbers, in the order of their keys."""
        return tuple(Standing(*key, self._numbers[key]) for key in sorted(self._numbers))

    def ratings(self) -> tuple[Rating, ...]:
        """Return all ratings, in the order of their keys."""
        return tuple(self._ratings[key] for key in sorted(self._ratings))

    def standings_of(self, who: str) -> tuple[Standing, ...]:
        """Return somebody's numbers by players and variants."""
        return tuple(one for one in self.standings() if one.who == who)

    def rating_of(self, who: str) -> Rating | None:
        """Return how strong somebody is, None while that is not known."""
        return self._ratings.get((ladder_of(who), who))

    def leaders(self, ladder: str) -> list[Rating]:
        """Return a ladder from its top: by what somebody is at least, with a probability of 99.9 %."""
        of_ladder = [
            rating
            for rating in self._ratings.values()
            if rating.ladder == ladder and not rating.who.startswith(GONE_PREFIX)
        ]
        return sorted(of_ladder, key=lambda rating: (-strength(rating), rating.who))

    def rename(self, who: str, other: str) -> None:
        """Let somebody's numbers and rating be another's, who has none yet."""
        for key in [key for key in self._numbers if key[0] == who]:
            self._numbers[other, key[1], key[2]] = self._numbers.pop(key)
        for ladder in [ladder for ladder, name in self._ratings if name == who]:
            self._ratings[ladder, other] = msgspec.structs.replace(self._ratings.pop((ladder, who)), who=other)

    def _rated_after(self, seats: Sequence[GameSeat]) -> tuple[Rating, ...]:
        """Return the ratings that a proven game changes. Several seats of one bot count as one, by their mean."""
        found: list[Rating] = []
        for ladder in (PEOPLE, BOTS):
            scores: dict[str, list[int]] = {}
            for seat in seats:
                if seat.who and ladder_of(seat.who) == ladder:
                    scores.setdefault(seat.who, []).append(seat.score)
            if len(scores) > 1:
                found += self._ladder_after(ladder, {who: sum(all_) / len(all_) for who, all_ in scores.items()})
        return tuple(found)

    def _ladder_after(self, ladder: str, scores: dict[str, float]) -> list[Rating]:
        from openskill.models import PlackettLuce  # here, because a server without finished games needs none of it

        model = PlackettLuce()
        before = [self._ratings.get((ladder, who)) for who in scores]
        teams = [[model.rating() if one is None else model.rating(one.mu, one.sigma)] for one in before]
        after = model.rate(teams, scores=list(scores.values()))
        return [
            Rating(ladder, who, team[0].mu, team[0].sigma, (one.games if one else 0) + 1)
            for who, team, one in zip(scores, after, before, strict=True)
        ]


def ladder_of(who: str) -> str:
    """Return the ladder that somebody stands on."""
    return BOTS if who.startswith(BOT_PREFIX) else PEOPLE


def strength(rating: Rating) -> float:
    """Return the one number that a ladder is ordered by."""
    return rating.mu - 3 * rating.sigma
