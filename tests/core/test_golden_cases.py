"""Golden cases: small games worked out by hand from the rules, with their arithmetic.

Every expected number is a literal that somebody added up on paper. Each game is made a record that `verify` accepts.
"""

from __future__ import annotations

import pytest

from tests.core.table import Table


@pytest.mark.rule("S4", "S5", "P7")
def test_two_snitches_succeed_in_one_round() -> None:
    table = Table("B10 B11 B12 | R1 R2 R3 | G1 G2 G3", max_bid=2)
    table.run("0 bid B10, 1 pass, 2 pass, 0 pass")
    table.run("0 B12, 1 R1, 2 G1")  # seat 0 wins and covers B10, the only bid card: same suit
    table.run("0 B11, 1 R2, 2 G2")  # seat 0 wins again, with nothing left to cover: a loose end
    # Seat 0: 1 covered x 2, 1 loose end x -2 because a snitch succeeded: 0. Both snitches won no trick: 10 each.
    assert table.delta == (0, 10, 10)
    record = table.record()
    # 5 to start with; seats 1 and 2 tie, in the last round too, and share the win.
    assert (record.scores, record.winners) == ((5, 15, 15), (1, 2))


@pytest.mark.rule("S5", "S6", "S4")
def test_a_failed_snitch_pays_two_for_each_loose_end_when_another_succeeds() -> None:
    table = Table("R5 R6 Y1 | R12 G1 G2 | Y2 Y3 Y4", max_bid=2)
    table.run("0 bid Y1, 1 pass, 2 pass, 0 pass")
    table.run("0 R5, 1 R12, 2 Y2")  # seat 1, a snitch, wins: a loose end
    table.run("1 G1, 2 Y3, 0 R6")  # and again
    # Seat 0: Y1 uncovered, -2. Seat 1: 2 loose ends x -2 = -4. Seat 2 won no trick: +10.
    assert table.delta == (-2, -4, 10)
    assert [line.snitched for line in table.sheet] == [False, True, True]
    assert [line.snitch_succeeded for line in table.sheet] == [False, False, True]
    table.record()


@pytest.mark.rule("S3", "S2", "S1", "C3")
def test_a_perfect_crime_is_worth_five_more() -> None:
    table = Table("B1 B12 R2 | G5 G6 R12", max_bid=1)
    table.run("0 bid B1, 1 bid G5, 0 pass, 1 pass")
    table.run("1 G6, 0 B12")  # trumped; B1 has the winning card's suit
    table.run("0 R2, 1 R12")  # seat 1 wins; G5 is neither red nor a 12: a loose end
    # Seat 0: 1 covered x 2, everything covered and nothing loose, +5: 7. Seat 1: G5 open and 1 loose trick: -2.
    assert table.delta == (7, -2)
    assert [line.perfect_crime for line in table.sheet] == [True, False]
    table.record()


@pytest.mark.rule("S3", "S5")
def test_a_successful_snitch_denies_the_perfect_crime() -> None:
    table = Table("B1 B12 R2 | G5 G6 R12 | Y1 Y2 Y3", max_bid=1)
    table.run("0 bid B1, 1 bid G5, 2 pass, 0 pass, 1 pass")
    table.run("1 G6, 2 Y1, 0 B12")
    table.run("0 R2, 1 R12, 2 Y2")
    # As above, but seat 2 snitched and won nothing. Seat 0: 2 and no more. Seat 1: 2 loose ends x -2. Seat 2: 10.
    assert table.delta == (2, -4, 10)
    assert not any(line.perfect_crime for line in table.sheet)
    table.record()


@pytest.mark.rule("V1", "V2", "P3", "C2")
def test_a_player_at_the_maximum_bid_double_crosses() -> None:
    table = Table("R1 R2 R3 | B1 B2 B3", variants="double-cross", max_bid=2)
    table.run("0 bid R1, 1 bid B1, 0 bid R2, 1 bid B2")
    assert (table.legal("bid"), table.legal("pass"), table.legal("double-cross")) == ("", "pass", "double-cross")
    table.run("0 double-cross")
    assert table.hand(0) == "R1 R2 R3"
    table.run("1 pass")
    table.run("1 B3, 0 R1")  # one trick: seat 1 has one card left. R1 was a bid card and is played from hand
    table.run("1 cover B1")
    # Seat 0 snitched and won nothing: 10. Seat 1: 1 covered x 2, B2 open at -2: 0.
    assert table.delta == (10, 0)
    table.record()


@pytest.mark.rule("V3")
def test_double_cross_leaves_no_room_for_a_second_snitch() -> None:
    table = Table("R1 R2 | G1 G2 | Y1 Y2", variants="double-cross", max_bid=1)
    table.run("0 pass")
    assert table.refusal("1 pass") == "action/must_bid"
    assert table.legal("bid") == "G1 G2"
    table.run("1 bid G1")
    assert table.refusal("2 pass") == "action/must_bid"
    table.run("2 bid Y1, 1 pass, 2 pass")
    table.run("2 Y2, 0 R1, 1 G2")  # seat 2 wins and covers Y1
    # Seat 0: 10. Seat 1: G1 open, -2. Seat 2: 2, and no Perfect Crime beside a snitch.
    assert table.delta == (10, -2, 2)
    table.record()


@pytest.mark.rule("V6", "V7", "V8")
def test_a_getaway_card_is_led_and_the_next_suit_is_the_lead() -> None:
    table = Table("X1 R5 Y1 | G3 G9 R7 | G4 G10 B2", variants="getaway", first=1, max_bid=1)
    table.run("1 bid G9, 2 bid G10, 0 bid Y1, 1 pass, 2 pass, 0 pass")
    table.run("0 X1")
    assert table.legal("play") == "R7 G3"  # no lead suit yet: anything
    table.run("1 G3")
    assert table.legal("play") == "G4"  # green is the lead now, and seat 2 can follow
    assert table.refusal("2 B2") == "action/must_follow"
    table.run("2 G4")  # seat 2 wins and covers G10
    table.run("2 B2, 0 R5, 1 R7")  # seat 2 wins with nothing to cover: a loose end
    # Seat 0: Y1 open, -1. Seat 1: G9 open, -1. Seat 2: 2 - 1 = 1.
    assert table.delta == (-1, -1, 1)
    table.record()


@pytest.mark.rule("V8", "V9", "V11")
@pytest.mark.parametrize("variants", ["getaway", "getaway plan-b"])
def test_a_trick_of_getaway_cards_alone_is_won_by_the_first_and_is_a_loose_end(variants: str) -> None:
    table = Table("X1 R5 R6 | X2 G1 G2", variants=variants, max_bid=1)
    table.run("0 bid R5, 1 bid G1, 0 pass, 1 pass")
    table.run("1 X2, 0 X1")
    assert table.won == [0, 1]
    assert table.uncovered(1) == "G1"  # nothing covered, and nothing promoted under Plan B either
    table.run("1 G2, 0 R6")  # seat 1 wins and covers G1
    # Seat 0: R5 open, -1. Seat 1: 2 - 1 = 1; the loose end leaves no Perfect Crime.
    assert table.delta == (-1, 1)
    table.record()


@pytest.mark.rule("V10", "V11")
def test_plan_b_promotes_a_winning_card_and_a_later_trick_covers_it() -> None:
    table = Table("R8 R9 Y1 | B1 R1 R2", variants="plan-b", first=1, max_bid=1)
    table.run("1 bid B1, 0 bid Y1, 1 pass, 0 pass")
    table.run("0 R9, 1 R1")  # Y1 does not match: R9 becomes a bid card, past the maximum of 1
    assert table.uncovered(0) == "R9 Y1"
    table.run("0 R8, 1 R2")  # red again: R9 is the one card that matches
    # Seat 0: R9 covered, 2; Y1 open, -1; no trick was loose: 1. Seat 1: B1 open, -1.
    assert table.delta == (1, -1)
    assert [line.loose for line in table.sheet] == [0, 0]
    table.record()


@pytest.mark.rule("V12", "S3", "S4")
def test_plan_b_promotes_for_a_snitch_who_may_even_reach_a_perfect_crime() -> None:
    table = Table("R8 R9 Y1 | B1 R1 R2", variants="plan-b", first=1, max_bid=1)
    table.run("1 bid B1, 0 pass, 1 pass")
    table.run("1 R1, 0 R9")  # the snitch wins: R9 is promoted
    table.run("0 R8, 1 R2")  # and covered
    # Seat 0 failed as a snitch: 1 covered x 2, nothing open, nothing loose, +5: 7. Seat 1: B1 open, -1.
    assert table.delta == (7, -1)
    assert [line.snitched for line in table.sheet] == [True, False]
    assert not table.sheet[0].snitch_succeeded
    table.record()


@pytest.mark.rule("V12", "S5")
def test_a_card_promoted_for_a_failed_snitch_costs_two_beside_a_successful_one() -> None:
    table = Table("R9 Y1 | B1 R1 | G1 G2", variants="plan-b", first=1, max_bid=1)
    table.run("1 bid B1, 2 pass, 0 pass, 1 pass")
    table.run("1 R1, 2 G1, 0 R9")  # one trick; seat 0, a snitch, wins it: R9 is promoted and stays open
    # Seat 0: R9 open, -2. Seat 1: B1 open, -2. Seat 2: 10.
    assert table.delta == (-2, -2, 10)
    table.record()


@pytest.mark.rule("V13")
def test_a_card_promoted_by_the_last_trick_stays_open_and_spoils_the_perfect_crime() -> None:
    table = Table("R2 R9 G9 | B1 R1 G1", variants="plan-b", first=1, max_bid=1)
    table.run("1 bid B1, 0 bid R2, 1 pass, 0 pass")
    table.run("0 R9, 1 R1")  # covers R2
    assert table.uncovered(0) == ""
    table.run("0 G9, 1 G1")  # R2 is covered, nothing else matches: G9 is promoted by the last trick
    assert table.uncovered(0) == "G9"
    # Seat 0: 1 covered x 2, G9 open, -1: 1, no Perfect Crime. Seat 1: B1 open, -1.
    assert table.delta == (1, -1)
    table.record()


@pytest.mark.rule("C1", "C2", "C4")
def test_the_winner_chooses_among_several_eligible_bid_cards() -> None:
    table = Table("B2 B7 R2 G6 Y5 | G1 Y1 Y2 Y3 Y4", max_bid=4)
    table.run("0 bid R2, 1 bid G1, 0 bid B7, 1 bid Y2, 0 bid Y5, 1 bid Y3, 0 bid G6, 1 bid Y4, 0 pass, 1 pass")
    table.run("1 Y1, 0 B2")  # yellow led, B2 wins: B7 has its suit, R2 its rank, Y5 the lead suit, G6 nothing
    assert table.legal("cover") == "B7 R2 Y5"
    assert table.refusal("0 cover G6") == "action/cannot_cover"
    assert table.refusal("1 cover G1") == "action/not_your_turn"
    assert not table.state.results  # nothing else happens until the choice is made
    table.run("0 cover Y5")
    # Seat 0: 1 covered x 2, 3 open: -1. Seat 1: 4 open: -4.
    assert table.delta == (-1, -4)
    assert table.covered(0) == "Y5"
    table.record()


SEAT_0_PERFECT = "B1 B12 R2 | G5 G6 R12"
SEAT_1_PERFECT = "G5 G6 R12 | B1 B12 R2"
BOTH_PERFECT = "B1 B12 R2 | R1 R12 Y1"


def play_for_seat_0(table: Table) -> None:
    """Play the deal SEAT_0_PERFECT to 7 and -2, as the case of the Perfect Crime does."""
    table.run("0 bid B1, 1 bid G5, 0 pass, 1 pass, 1 G6, 0 B12, 0 R2, 1 R12")
    assert table.delta == (7, -2)


def play_for_seat_1(table: Table) -> None:
    """Play the deal SEAT_1_PERFECT, the same with the seats exchanged, to -2 and 7."""
    table.run("1 bid B1, 0 bid G5, 1 pass, 0 pass, 0 G6, 1 B12, 1 R2, 0 R12")
    assert table.delta == (-2, 7)


@pytest.mark.rule("E1", "E2", "R4")
def test_a_tie_is_decided_by_the_last_round() -> None:
    table = Table(SEAT_0_PERFECT, max_bid=1, rounds=2)
    play_for_seat_0(table)
    table.deal(SEAT_1_PERFECT, first=1)
    play_for_seat_1(table)
    record = table.record()
    # Both have 5 + 7 - 2 = 10. In the last round seat 1 made 7, seat 0 lost 2.
    assert (record.scores, record.winners) == ((10, 10), (1,))


@pytest.mark.rule("E2")
def test_a_tie_in_the_last_round_too_is_a_shared_win() -> None:
    table = Table(SEAT_0_PERFECT, max_bid=1, rounds=3)
    play_for_seat_0(table)
    table.deal(SEAT_1_PERFECT, first=1)
    play_for_seat_1(table)
    table.deal(BOTH_PERFECT)
    table.run("0 bid B1, 1 bid R1, 0 pass, 1 pass, 1 R12, 0 R2")  # seat 1 covers R1
    table.run("1 Y1, 0 B12")  # seat 0 trumps and covers B1
    assert table.delta == (7, 7)
    record = table.record()
    # 5 + 7 - 2 + 7 = 17 each, and 7 each in the last round.
    assert (record.scores, record.winners) == ((17, 17), (0, 1))


@pytest.mark.rule("P6", "T4")
def test_uneven_hands_end_the_round_with_the_smallest() -> None:
    table = Table("B1 B2 B3 B12 | R1 R2 R3 R4", max_bid=3)
    table.run("0 bid B1, 1 bid R1, 0 bid B2, 1 pass, 0 bid B3, 0 pass")
    assert table.state.tricks_in_round == 1
    table.run("0 B12, 1 R2, 0 cover B1")
    # Seat 0: 1 covered x 2, B2 and B3 open: 0. Seat 1: R1 open, -1; R3 and R4 are out of play and cost nothing.
    assert table.delta == (0, -1)
    assert table.hand(1) == "R3 R4"
    assert table.refusal("1 R3") == "action/game_over"
    table.record()
