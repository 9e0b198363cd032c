from __future__ import annotations

import pytest

from looseends_core.state import Phase
from tests.core.table import Table

FOUR = "B1 B2 B3 | R1 R2 R3 | G1 G2 G3 | Y1 Y2 Y3"


@pytest.mark.rule("P1")
def test_turns_go_clockwise_from_the_first_player_over_those_who_have_not_passed() -> None:
    table = Table(FOUR, first=2, max_bid=2)
    turns = [table.state.turn]
    for move in ("2 bid G1", "3 pass", "0 bid B1", "1 bid R1", "2 pass", "0 bid B2", "1 pass", "0 pass"):
        table.run(move)
        turns.append(table.state.turn)
    assert turns == [2, 3, 0, 1, 2, 0, 1, 0, 0]


@pytest.mark.rule("P1")
@pytest.mark.parametrize("seat", [0, 1, 3])
def test_nobody_else_may_bid_or_pass(seat: int) -> None:
    table = Table(FOUR, first=2, max_bid=2)
    assert table.refusal(f"{seat} pass") == "action/not_your_turn"
    assert table.refusal(f"{seat} bid {'BRGY'[seat]}1") == "action/not_your_turn"


@pytest.mark.rule("P2")
def test_a_bid_card_leaves_the_hand_and_lies_face_up() -> None:
    table = Table("B1 B2 | R1 R2", max_bid=1)
    assert (table.legal("bid"), table.legal("pass"), table.legal("double-cross")) == ("B1 B2", "pass", "")
    table.run("0 bid B2")
    assert (table.hand(0), table.uncovered(0)) == ("B1", "B2")
    assert table.state.hand_sizes == [1, 2]


@pytest.mark.rule("P2")
@pytest.mark.parametrize("card", ["R1", "B9", "X1"])
def test_only_a_card_of_ones_own_hand_can_be_bid(card: str) -> None:
    table = Table("B1 B2 | R1 R2", max_bid=1)
    assert table.refusal(f"0 bid {card}") == "action/not_in_hand"


@pytest.mark.rule("P2")
def test_a_card_is_bid_once() -> None:
    table = Table("B1 B2 B3 | R1 R2 R3", max_bid=2)
    table.run("0 bid B1, 1 pass")
    assert table.refusal("0 bid B1") == "action/not_in_hand"


@pytest.mark.rule("P2")
def test_no_card_is_played_or_covered_in_planning() -> None:
    table = Table("B1 B2 | R1 R2", max_bid=1)
    assert table.refusal("0 B1") == table.refusal("0 cover B1") == "action/wrong_phase"


@pytest.mark.rule("P3")
def test_at_the_maximum_a_player_can_only_pass_and_the_pass_takes_its_place() -> None:
    table = Table("B1 B2 B3 | R1 R2 R3", max_bid=1)
    table.run("0 bid B1, 1 bid R1")
    assert table.state.phase is Phase.PLANNING  # nobody passes by themselves, though nobody can bid
    assert (table.legal("bid"), table.legal("pass")) == ("", "pass")
    assert table.refusal("0 bid B2") == "action/max_bid"
    table.run("0 pass, 1 pass")
    assert table.state.passed == [0, 1]
    assert table.state.leader == 1


@pytest.mark.rule("P3", "P7")
def test_a_maximum_bid_of_nothing_makes_everybody_a_snitch() -> None:
    table = Table("B1 B2 | R1 R2 | G1 G2", max_bid=0)
    assert table.refusal("0 bid B1") == "action/max_bid"
    table.run("0 pass, 1 pass, 2 pass")
    assert table.state.snitching == [True, True, True]


@pytest.mark.rule("P4", "P7")
def test_passing_at_once_is_snitching_and_ends_ones_planning() -> None:
    table = Table("B1 B2 B3 | R1 R2 R3", max_bid=2)
    table.run("0 pass, 1 bid R1")
    assert table.state.turn == 1  # seat 0 is not asked again
    assert table.refusal("0 bid B1") == "action/not_your_turn"
    table.run("1 pass")
    assert table.state.snitching == [True, False]


@pytest.mark.rule("P5")
def test_the_last_to_pass_leads_the_first_trick() -> None:
    table = Table(FOUR, first=0, max_bid=2)
    table.run("0 pass, 1 bid R1, 2 bid G1, 3 pass, 1 bid R2, 2 pass")
    assert table.state.phase is Phase.PLANNING
    table.run("1 pass")
    assert (table.state.phase, table.state.leader, table.state.turn) == (Phase.PLAYING, 1, 1)
    assert table.refusal("1 pass") == table.refusal("1 bid R3") == "action/wrong_phase"


@pytest.mark.rule("P6")
def test_the_smallest_hand_left_is_the_number_of_tricks() -> None:
    table = Table(FOUR, max_bid=2)
    table.run("0 bid B1, 1 bid R1, 2 pass, 3 pass, 0 bid B2, 1 pass, 0 pass")
    assert table.state.hand_sizes == [1, 2, 3, 3]
    assert table.state.tricks_in_round == 1


@pytest.mark.rule("P7")
def test_several_players_snitch_in_one_round() -> None:
    table = Table(FOUR, max_bid=2)
    table.run("0 pass, 1 pass, 2 bid G1, 3 pass, 2 pass")
    assert table.state.snitching == [True, True, False, True]


@pytest.mark.rule("P7", "V5")
def test_a_player_who_had_to_pass_without_a_bid_is_a_snitch_too() -> None:
    table = Table("X1 X2 | R1 R2", variants="getaway", max_bid=1)
    assert (table.legal("bid"), table.legal("pass")) == ("", "pass")
    table.run("0 pass, 1 bid R1, 1 pass")
    assert table.state.snitching == [True, False]
