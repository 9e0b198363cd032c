"""What a game adds to the numbers of those who played it: games, wins, points, Perfect Crimes, snitches.

Sums alone live here: a player's numbers are those of their games added up, in any order. Ratings, which depend on the
order, are the server's, and so is who a seat belongs to.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from looseends_core.record import GameRecord, events_of
from looseends_core.scoring import SeatResult
from looseends_core.state import State, evolve


class Numbers(msgspec.Struct, frozen=True, array_like=True):
    """What somebody did in some games, each a whole number.

    `wins` counts shared wins too; `points` are the final scores added up. `bidding` counts the rounds in which they
    bid anything, `exact` those of them in which every bid card was covered and no trick was loose ([S3], also where
    it earns nothing). `snitches` counts rounds without a bid, `snitches_made` those in which they won no trick.
    """

    games: int = 0
    wins: int = 0
    points: int = 0
    rounds: int = 0
    perfect_crimes: int = 0
    bidding: int = 0
    exact: int = 0
    snitches: int = 0
    snitches_made: int = 0
    loose_ends: int = 0

    def __add__(self, other: Numbers) -> Numbers:
        """Return the numbers of both."""
        return Numbers(*(mine + theirs for mine, theirs in zip(_fields(self), _fields(other), strict=True)))


def _fields(numbers: Numbers) -> tuple[int, ...]:
    return msgspec.structs.astuple(numbers)


def results_of_game(record: GameRecord) -> list[tuple[SeatResult, ...]]:
    """Return the score sheets of a record that is right, round by round, each in seat order."""
    state = State(record.rules)
    for event in events_of(record):
        evolve(state, event)
    return state.results


def numbers_of_game(record: GameRecord) -> tuple[Numbers, ...]:
    """Return what a finished game adds for each seat.

    The record has to be right, as `verify.check_record` finds; raises ValueError where the game is not over.
    """
    if record.scores is None or record.winners is None:
        raise ValueError("the game in this record is not over")
    return numbers_of_results(results_of_game(record), record.scores, record.winners)


def numbers_of_results(
    results: Sequence[tuple[SeatResult, ...]], scores: Sequence[int], winners: Sequence[int]
) -> tuple[Numbers, ...]:
    """Return what a finished game adds for each seat, from its score sheets, final scores and winning seats."""
    return tuple(
        _numbers([sheet[seat] for sheet in results], score, won=seat in winners) for seat, score in enumerate(scores)
    )


def _numbers(results: list[SeatResult], score: int, *, won: bool) -> Numbers:
    return Numbers(
        games=1,
        wins=int(won),
        points=score,
        rounds=len(results),
        perfect_crimes=sum(result.perfect_crime for result in results),
        bidding=sum(not result.snitched for result in results),
        exact=sum(not result.snitched and result.covered > 0 and result.loose_ends == 0 for result in results),
        snitches=sum(result.snitched for result in results),
        snitches_made=sum(result.snitch_succeeded for result in results),
        loose_ends=sum(result.loose_ends for result in results),
    )
