"""What a round is worth: the scoring tables and the score sheet of one seat ([S1] to [S8]).

Only arithmetic lives here. Which tricks were won and which cards were covered is the state's business.
"""

from __future__ import annotations

import msgspec

SCORING_LIMIT = 100
"""Each of the five numbers of a scoring table lies in −100..100 ([S8])."""


class ScoringTable(msgspec.Struct, frozen=True):
    """The five numbers of [S8], in points, added to a seat's score."""

    covered: int
    loose_end: int
    loose_end_with_snitch: int
    perfect_crime: int
    snitch: int


STANDARD = ScoringTable(covered=2, loose_end=-1, loose_end_with_snitch=-2, perfect_crime=5, snitch=10)
SIMPLIFIED = ScoringTable(covered=1, loose_end=-1, loose_end_with_snitch=-1, perfect_crime=0, snitch=5)
NAMED_TABLES = {"standard": STANDARD, "simplified": SIMPLIFIED}


class SeatResult(msgspec.Struct, frozen=True):
    """One seat's line of a score sheet.

    `covered`, `uncovered` and `loose` count bid cards covered, bid cards left uncovered and tricks that became loose
    ends; `tricks` counts tricks won. `snitched` is the [P7] fact, `snitch_succeeded` the [S4] one. `perfect_crime`
    says that [S3] was met at a table that rewards it: where it is worth 0, as in [S7], there is none. `points` is the
    seat's delta of the round.
    """

    covered: int
    uncovered: int
    loose: int
    tricks: int
    snitched: bool
    snitch_succeeded: bool
    perfect_crime: bool
    points: int

    @property
    def loose_ends(self) -> int:
        """Uncovered bid cards and loose tricks together ([S1])."""
        return self.uncovered + self.loose


class SeatTally(msgspec.Struct, frozen=True):
    """What a seat has at the end of a round, as [S1] to [S6] count it; the fields are those of `SeatResult`."""

    covered: int
    uncovered: int
    loose: int
    tricks: int
    snitched: bool


def score_round(table: ScoringTable, tallies: list[SeatTally]) -> list[SeatResult]:
    """Return the score sheet of a round, one line a seat, in seat order."""
    snitch_succeeded = any(tally.snitched and tally.tricks == 0 for tally in tallies)
    loose_end = table.loose_end_with_snitch if snitch_succeeded else table.loose_end
    return [_score_seat(table, tally, loose_end, snitch_succeeded) for tally in tallies]


def _score_seat(table: ScoringTable, tally: SeatTally, loose_end: int, snitch_succeeded: bool) -> SeatResult:
    succeeded = tally.snitched and tally.tricks == 0
    rewarded = table.perfect_crime != 0 and not snitch_succeeded
    perfect = rewarded and tally.covered > 0 and tally.uncovered == 0 and tally.loose == 0
    if succeeded:
        points = table.snitch
    else:
        points = table.covered * tally.covered + loose_end * (tally.uncovered + tally.loose)
        if perfect:
            points += table.perfect_crime
    return SeatResult(
        covered=tally.covered,
        uncovered=tally.uncovered,
        loose=tally.loose,
        tricks=tally.tricks,
        snitched=tally.snitched,
        snitch_succeeded=succeeded,
        perfect_crime=perfect,
        points=points,
    )
