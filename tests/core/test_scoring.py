from __future__ import annotations

import pytest

from looseends_core.scoring import SIMPLIFIED, STANDARD, ScoringTable, SeatTally, score_round
from tests.core.table import Table


def bidder(covered: int = 0, uncovered: int = 0, loose: int = 0) -> SeatTally:
    return SeatTally(covered=covered, uncovered=uncovered, loose=loose, tricks=covered + loose, snitched=False)


def snitch(tricks: int = 0) -> SeatTally:
    return SeatTally(covered=0, uncovered=0, loose=tricks, tricks=tricks, snitched=True)


def points(table: ScoringTable, *tallies: SeatTally) -> list[int]:
    return [line.points for line in score_round(table, list(tallies))]


@pytest.mark.rule("S1")
def test_loose_ends_are_uncovered_bid_cards_and_loose_tricks_together() -> None:
    line = score_round(STANDARD, [bidder(covered=1, uncovered=2, loose=3)])[0]
    assert line.loose_ends == 5
    assert (line.covered, line.uncovered, line.loose, line.tricks) == (1, 2, 3, 4)


@pytest.mark.rule("S2", "S8")
def test_standard_is_two_for_a_cover_and_one_off_for_a_loose_end() -> None:
    assert points(STANDARD, bidder(covered=3, uncovered=1), bidder(covered=1, loose=4)) == [5, -2]
    assert (STANDARD.covered, STANDARD.loose_end, STANDARD.loose_end_with_snitch) == (2, -1, -2)
    assert (STANDARD.perfect_crime, STANDARD.snitch) == (5, 10)


@pytest.mark.rule("S3")
def test_a_perfect_crime_needs_a_bid_card_every_one_covered_and_no_loose_trick() -> None:
    assert points(STANDARD, bidder(covered=1), bidder(covered=4)) == [7, 13]
    assert points(STANDARD, bidder(covered=4, uncovered=1), bidder(covered=4, loose=1)) == [7, 7]
    assert points(STANDARD, bidder(), bidder()) == [0, 0]  # no bid card and no trick is nothing at all


@pytest.mark.rule("S4", "S5")
def test_every_snitch_without_a_trick_gets_ten_and_nothing_else() -> None:
    assert points(STANDARD, snitch(), snitch(), bidder(covered=2)) == [10, 10, 4]


@pytest.mark.rule("S5", "S6")
def test_a_successful_snitch_doubles_loose_ends_of_bidders_and_failed_snitches() -> None:
    assert points(STANDARD, snitch(), snitch(tricks=3), bidder(covered=1, uncovered=1, loose=1)) == [10, -6, -2]


@pytest.mark.rule("S6", "S3")
def test_a_failed_snitch_loses_one_a_trick_and_denies_nobody_the_perfect_crime() -> None:
    assert points(STANDARD, snitch(tricks=2), bidder(covered=1), bidder(uncovered=1)) == [-2, 7, -1]


@pytest.mark.rule("S7", "S8")
def test_simplified_scoring() -> None:
    assert points(SIMPLIFIED, bidder(covered=3), bidder(covered=1, uncovered=2, loose=1)) == [3, -2]
    assert points(SIMPLIFIED, snitch(), bidder(covered=2), bidder(uncovered=1, loose=1)) == [5, 2, -2]
    assert not any(line.perfect_crime for line in score_round(SIMPLIFIED, [bidder(covered=3)]))


@pytest.mark.rule("S8")
def test_five_numbers_of_ones_own() -> None:
    own = ScoringTable(covered=3, loose_end=-2, loose_end_with_snitch=-4, perfect_crime=-1, snitch=-7)
    assert points(own, bidder(covered=2), bidder(covered=1, loose=1)) == [5, 1]
    assert points(own, snitch(), bidder(covered=2), bidder(covered=1, loose=1)) == [-7, 6, -1]


@pytest.mark.rule("S8", "S5")
def test_a_table_with_five_numbers_scores_by_them() -> None:
    own = ScoringTable(covered=3, loose_end=-2, loose_end_with_snitch=-4, perfect_crime=40, snitch=7)
    table = Table("B1 B12 R2 | G5 G6 R12", max_bid=1, scoring=own)
    table.run("0 bid B1, 1 bid G5, 0 pass, 1 pass, 1 G6, 0 B12, 0 R2, 1 R12")
    # Seat 0: 1 covered x 3 + 40. Seat 1: G5 open and 1 loose trick, 2 x -2.
    assert table.delta == (43, -4)
    assert table.record().scores == (48, 1)


@pytest.mark.rule("S7")
def test_a_table_with_simplified_scoring() -> None:
    table = Table("B1 B12 R2 | G5 G6 R12 | Y1 Y2 Y3", max_bid=1, scoring="simplified")
    table.run("0 bid B1, 1 bid G5, 2 pass, 0 pass, 1 pass, 1 G6, 2 Y1, 0 B12, 0 R2, 1 R12, 2 Y2")
    # Seat 0: 1 covered. Seat 1: G5 open and 1 loose trick, -1 each though a snitch succeeded. Seat 2: 5.
    assert table.delta == (1, -2, 5)
    table.record()


def test_scores_may_go_below_zero() -> None:
    own = ScoringTable(covered=2, loose_end=-100, loose_end_with_snitch=-2, perfect_crime=5, snitch=10)
    table = Table("B12 B2 | R1 R2", max_bid=1, scoring=own)
    table.run("0 pass, 1 bid R1, 1 pass, 1 R2, 0 B12")
    # Seat 0, a snitch, took a trick: 5 - 100. Seat 1: R1 open.
    assert table.record().scores == (-95, -95)
