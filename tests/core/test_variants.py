from __future__ import annotations

import pytest

from looseends_core.state import Phase
from tests.core.table import Table

# Double-Cross


@pytest.mark.rule("V1")
def test_the_first_to_pass_may_take_the_bid_cards_back_and_snitch() -> None:
    table = Table("R1 R2 R3 | B1 B2 B3 | G1 G2 G3", variants="double-cross", max_bid=2)
    table.run("0 bid R3, 1 bid B1, 2 bid G1, 0 bid R1, 1 double-cross")
    assert (table.hand(1), table.uncovered(1), table.state.hand_sizes) == ("B1 B2 B3", "", [1, 3, 2])
    assert (table.state.double_crosser, table.state.snitching) == (1, [False, True, False])
    assert table.state.passed == [1]  # it is their pass
    assert table.state.turn == 2


@pytest.mark.rule("V1", "P5")
def test_a_double_cross_takes_its_place_in_the_order_of_passing() -> None:
    table = Table("R1 R2 | B1 B2", variants="double-cross", max_bid=1)
    table.run("0 bid R1, 1 bid B1, 0 double-cross, 1 pass")
    assert (table.state.leader, table.state.tricks_in_round) == (1, 1)


@pytest.mark.rule("V1")
def test_double_cross_is_for_a_player_with_a_bid_card_while_nobody_has_passed() -> None:
    table = Table("R1 R2 | B1 B2 | G1 G2", variants="double-cross", max_bid=1)
    assert table.refusal("0 double-cross") == "action/double_cross_empty"
    table.run("0 bid R1, 1 bid B1, 2 bid G1")
    assert table.legal("double-cross") == "double-cross"
    table.run("0 pass")
    assert table.refusal("1 double-cross") == "action/double_cross_late"
    assert table.legal("double-cross") == ""
    assert table.refusal("0 double-cross") == "action/not_your_turn"


@pytest.mark.rule("V1")
def test_only_one_player_double_crosses_in_a_round() -> None:
    table = Table("R1 R2 | B1 B2 | G1 G2", variants="double-cross", max_bid=1)
    table.run("0 bid R1, 1 bid B1, 2 bid G1, 0 double-cross")
    assert table.refusal("1 double-cross") == "action/double_cross_late"


@pytest.mark.rule("V1")
def test_nobody_double_crosses_without_the_variant_or_after_planning() -> None:
    table = Table("R1 R2 | B1 B2", max_bid=1)
    table.run("0 bid R1, 1 bid B1")
    assert table.refusal("0 double-cross") == "action/no_double_cross"
    playing = Table("R1 R2 | B1 B2", variants="double-cross", max_bid=1)
    playing.run("0 bid R1, 1 bid B1, 0 pass, 1 pass")
    assert playing.refusal("1 double-cross") == "action/wrong_phase"


@pytest.mark.rule("V3")
@pytest.mark.parametrize("ending", ["pass", "double-cross"])
def test_after_one_snitch_everybody_else_has_to_bid(ending: str) -> None:
    table = Table("R1 R2 R3 | B1 B2 B3 | G1 G2 G3", variants="double-cross", first=2, max_bid=2)
    if ending == "double-cross":
        # seats 0 and 1 have bid already, so the rule has nobody to bind
        table.run("2 bid G1, 0 bid R1, 1 bid B1, 2 double-cross, 0 pass, 1 pass")
    else:
        table.run("2 pass")
        assert table.refusal("0 pass") == "action/must_bid"
        assert (table.legal("bid"), table.legal("pass")) == ("R1 R2 R3", "")
        table.run("0 bid R2, 1 bid B1")
        assert table.legal("pass") == "pass"  # one bid card is enough
        table.run("0 pass, 1 pass")
    assert table.state.snitching == [False, False, True]


@pytest.mark.rule("V3")
def test_a_pass_with_a_bid_card_leaves_the_place_of_the_snitch_open() -> None:
    table = Table("R1 R2 | B1 B2 | G1 G2", variants="double-cross", first=1, max_bid=1)
    table.run("1 bid B1, 2 bid G1, 0 bid R1, 1 pass, 2 pass, 0 pass")
    assert table.state.snitching == [False, False, False]
    other = Table("R1 R2 | B1 B2 | G1 G2", variants="double-cross", first=1, max_bid=1)
    other.run("1 bid B1, 2 pass")
    assert other.refusal("0 pass") == "action/must_bid"


@pytest.mark.rule("V4", "V5")
def test_who_must_bid_but_holds_getaway_cards_alone_passes_and_is_no_snitch() -> None:
    table = Table("G1 G2 | X1 X2 | Y1 Y2", variants="double-cross getaway", max_bid=1)
    table.run("0 pass")
    assert (table.legal("bid"), table.legal("pass")) == ("", "pass")
    table.run("1 pass, 2 bid Y1, 2 pass")
    assert table.state.snitching == [True, False, False]
    table.run("2 Y2, 0 G1, 1 X1")  # seat 2 wins and covers Y1
    # Seat 0: 10. Seat 1 won nothing, but is no snitch: 0. Seat 2: 2, no Perfect Crime beside a snitch.
    assert table.delta == (10, 0, 2)
    table.record()


@pytest.mark.rule("V4")
def test_with_a_maximum_bid_of_nothing_only_the_first_is_a_snitch() -> None:
    table = Table("G1 G2 | R1 R2 | Y1 Y2", variants="double-cross", max_bid=0)
    table.run("0 pass, 1 pass, 2 pass")
    assert table.state.snitching == [True, False, False]
    table.run("2 Y1, 0 G1, 1 R1, 2 Y2, 0 G2, 1 R2")
    # Seat 0: 10. Seat 1 won nothing, but is no snitch: 0. Seat 2: two loose tricks x -2.
    assert table.delta == (10, 0, -4)
    table.record()


@pytest.mark.rule("V4", "V10", "S3")
def test_plan_b_gives_who_could_not_bid_cards_to_cover() -> None:
    table = Table("R1 R2 | G9 G8", variants="double-cross plan-b", max_bid=0)
    table.run("0 pass, 1 pass, 1 G9, 0 R1")
    assert table.uncovered(1) == "G9"
    table.run("1 G8, 0 R2")  # covers G9
    # Seat 0: 10. Seat 1: 2, no Perfect Crime beside a snitch.
    assert table.delta == (10, 2)
    table.record()


# Getaway cards


@pytest.mark.rule("V5")
def test_a_getaway_card_cannot_be_bid() -> None:
    table = Table("X1 R1 R2 | G1 G2 G3", variants="getaway", max_bid=2)
    assert table.refusal("0 bid X1") == "action/getaway_bid"
    assert table.legal("bid") == "R1 R2"


@pytest.mark.rule("V5", "V1")
def test_with_getaway_cards_alone_left_a_player_passes_or_double_crosses() -> None:
    table = Table("X1 X2 R2 | G1 G2 G3", variants="double-cross getaway", max_bid=2)
    table.run("0 bid R2, 1 bid G1")
    assert (table.legal("bid"), table.legal("pass"), table.legal("double-cross")) == ("", "pass", "double-cross")
    table.run("0 double-cross")
    assert table.hand(0) == "R2 X1 X2"


@pytest.mark.rule("V6")
def test_a_getaway_card_may_be_played_instead_of_following_suit() -> None:
    table = Table("R1 R2 B1 X3 | R5 G1 G2 G3", variants="getaway", max_bid=0)
    table.run("0 pass, 1 pass, 1 R5")
    assert table.legal("play") == "R1 R2 X3"
    table.run("0 X3")
    assert table.won == [0, 1]


@pytest.mark.rule("V6")
def test_holding_getaway_cards_does_not_bind_who_is_void() -> None:
    table = Table("B1 G9 X3 | R5 G1 G2", variants="getaway", max_bid=0)
    table.run("0 pass, 1 pass, 1 R5")
    assert table.legal("play") == "B1 G9 X3"


@pytest.mark.rule("V7")
def test_after_a_getaway_lead_the_first_suit_played_must_be_followed() -> None:
    table = Table("X1 R1 | X2 G1 | G5 B5 | G2 B1", variants="getaway", first=1, max_bid=0)
    table.run("1 pass, 2 pass, 3 pass, 0 pass, 0 X1")
    assert table.legal("play") == "G1 X2"
    table.run("1 X2")
    assert table.legal("play") == "B5 G5"
    table.run("2 G5")
    assert table.legal("play") == "G2"
    table.run("3 G2")
    assert table.state.leader == 2


@pytest.mark.rule("V7", "V8", "C1")
def test_a_suit_set_late_counts_as_the_lead_suit_for_covering() -> None:
    table = Table("X1 R1 R2 | G1 Y3 Y4 | B5 G9 R9", variants="getaway", first=1, max_bid=1)
    table.run("1 bid Y4, 2 bid G9, 0 bid R1, 1 pass, 2 pass, 0 pass")
    table.run("0 X1, 1 G1, 2 B5")  # green is the lead suit, trumped: G9 is covered by the lead suit
    assert table.covered(2) == "G9"


@pytest.mark.rule("V8", "V9", "T3")
def test_the_first_getaway_card_wins_a_trick_of_them_and_its_player_leads_on() -> None:
    table = Table("X4 R1 R2 | X1 G1 G2 | X2 Y1 Y2", variants="getaway", max_bid=1)
    table.run("0 bid R1, 1 bid G1, 2 bid Y1, 0 pass, 1 pass, 2 pass, 2 X2, 0 X4, 1 X1")
    assert (table.won, table.state.loose, table.state.turn) == ([0, 0, 1], [0, 0, 1], 2)
    assert table.state.phase is Phase.PLAYING


# Plan B


@pytest.mark.rule("V10")
def test_without_plan_b_the_same_trick_is_a_loose_end() -> None:
    for variants, uncovered, loose in (("plan-b", "R9 Y1", 0), ("", "Y1", 1)):
        table = Table("R8 R9 Y1 | B1 R1 R2", variants=variants, first=1, max_bid=1)
        table.run("1 bid B1, 0 bid Y1, 1 pass, 0 pass, 0 R9, 1 R1")
        assert (table.uncovered(0), table.state.loose[0]) == (uncovered, loose)


@pytest.mark.rule("V10")
def test_a_trick_that_covers_a_bid_card_promotes_nothing() -> None:
    table = Table("R8 R9 R1 | B1 R2 R3", variants="plan-b", first=1, max_bid=1)
    table.run("1 bid B1, 0 bid R1, 1 pass, 0 pass, 0 R9, 1 R2")
    assert (table.covered(0), table.uncovered(0)) == ("R1", "")


@pytest.mark.rule("V10")
def test_a_trick_never_covers_the_card_that_it_promotes() -> None:
    table = Table("R8 R9 | R1 R2", variants="plan-b", max_bid=0)
    table.run("0 pass, 1 pass, 1 R1, 0 R9")
    assert (table.covered(0), table.uncovered(0)) == ("", "R9")


@pytest.mark.rule("V10", "C2")
def test_the_winner_chooses_between_a_promoted_and_a_bid_card() -> None:
    table = Table("R9 R8 B8 Y8 | R1 R2 G1 G2", variants="plan-b", first=1, max_bid=1)
    table.run("1 bid G1, 0 bid Y8, 1 pass, 0 pass, 0 R9, 1 R1")  # promotes R9
    table.run("0 R8, 1 R2")  # R9 by suit, Y8 by rank
    assert table.legal("cover") == "R9 Y8"
    table.run("0 cover Y8")
    assert (table.covered(0), table.uncovered(0)) == ("Y8", "R9")


@pytest.mark.rule("V11")
def test_promotions_go_past_the_maximum_bid() -> None:
    table = Table("R9 G9 Y1 | R1 G1 B1", variants="plan-b", first=1, max_bid=1)
    table.run("1 bid B1, 0 bid Y1, 1 pass, 0 pass, 0 R9, 1 R1")
    assert table.uncovered(0) == "R9 Y1"
    assert table.state.planned_bids(0) == 1


@pytest.mark.rule("V12", "V13", "S2")
def test_a_snitch_s_promoted_card_left_open_costs_one() -> None:
    table = Table("R9 Y1 | B1 R1", variants="plan-b", first=1, max_bid=1)
    table.run("1 bid B1, 0 pass, 1 pass, 1 R1, 0 R9")
    assert table.delta == (-1, -1)  # R9 open; B1 open, and nobody snitched with success
    table.record()
