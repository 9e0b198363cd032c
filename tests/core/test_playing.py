from __future__ import annotations

import pytest

from looseends_core.state import Phase
from tests.core.table import Table


@pytest.mark.rule("T1")
def test_the_leader_plays_any_card_of_the_hand() -> None:
    table = Table("R1 R2 | B1 G1", max_bid=0)
    table.run("0 pass, 1 pass")
    assert table.legal("play") == "B1 G1"
    assert table.refusal("1 R1") == "action/not_in_hand"
    assert table.refusal("0 R1") == "action/not_your_turn"


@pytest.mark.rule("T1")
def test_who_holds_the_lead_suit_must_follow_it() -> None:
    table = Table("R1 R9 B9 | R5 G1 G2", max_bid=0)
    table.run("0 pass, 1 pass, 1 R5")
    assert table.legal("play") == "R1 R9"
    assert table.refusal("0 B9") == "action/must_follow"


@pytest.mark.rule("T1")
def test_who_is_void_plays_anything_and_need_not_trump() -> None:
    table = Table("B9 G1 Y1 | R5 R6 R7", max_bid=0)
    table.run("0 pass, 1 pass, 1 R5")
    assert table.legal("play") == "B9 G1 Y1"
    table.run("0 G1")
    assert table.won == [0, 1]


@pytest.mark.rule("T1")
def test_trump_led_is_followed_like_any_suit() -> None:
    table = Table("B1 R9 G9 | B5 R1 R2", max_bid=0)
    table.run("0 pass, 1 pass, 1 B5")
    assert table.legal("play") == "B1"


@pytest.mark.rule("T1", "P2")
def test_a_bid_card_is_no_longer_in_hand_for_following_suit() -> None:
    table = Table("R1 R2 G1 | R5 R6 R7", max_bid=2)
    table.run("0 bid R1, 1 pass, 0 bid R2, 0 pass")
    assert table.legal("play") == "G1"
    table.run("0 G1")
    assert table.legal("play") == "R5 R6 R7"


@pytest.mark.rule("T2", "T3")
def test_the_winner_leads_the_next_trick_and_turns_go_clockwise_from_there() -> None:
    table = Table("R1 G1 G4 | R9 G2 G5 | R5 G9 G6", max_bid=0)
    table.run("0 pass, 1 pass, 2 pass")
    turns = []
    for move in ("2 R5", "0 R1", "1 R9", "1 G2", "2 G9", "0 G1", "2 G6", "0 G4", "1 G5"):
        turns.append(table.state.turn)
        table.run(move)
    assert turns == [2, 0, 1, 1, 2, 0, 2, 0, 1]
    assert [trick.winner for trick in table.state.tricks] == [1, 2, 2]
    assert [trick.leader for trick in table.state.tricks] == [2, 1, 2]


@pytest.mark.rule("T4")
def test_the_round_ends_with_the_trick_that_empties_a_hand() -> None:
    table = Table("B1 B2 B3 | R1 R2 R3", max_bid=2, rounds=2)
    table.run("0 bid B1, 1 pass, 0 pass, 0 B2, 1 R1")
    assert not table.state.results
    table.run("0 B3, 1 R2")
    assert table.state.phase is Phase.DEALING
    assert table.state.turn is None
    assert table.hand(1) == "R3"
    assert table.refusal("1 R3") == "action/no_round"
    # Seat 0: 2 for B1, and one loose trick under a successful snitch, -2. Seat 1: 10.
    assert table.delta == (0, 10)
    table.record()


@pytest.mark.rule("T1", "V6")
def test_a_refused_card_says_which_suit_to_follow() -> None:
    table = Table("Y1 Y9 B9 | Y5 G1 G2", max_bid=0)
    table.run("0 pass, 1 pass, 1 Y5")
    with pytest.raises(Exception, match="You must follow Yellow"):
        table.run("0 B9")
