from __future__ import annotations

import pytest

from looseends_core.state import Phase
from tests.core.table import Table


@pytest.mark.rule("C1")
@pytest.mark.parametrize(
    ("bid", "covered"),
    [("R1", "R1"), ("G9", "G9"), ("B9", "B9"), ("G1", ""), ("Y8", "")],
)
def test_rank_or_suit_of_the_winning_card_makes_a_bid_card_eligible(bid: str, covered: str) -> None:
    table = Table(f"R9 {bid} | R2 R3", first=1, max_bid=1)
    table.run(f"1 bid R3, 0 bid {bid}, 1 pass, 0 pass, 0 R9, 1 R2")
    assert table.covered(0) == covered
    assert table.state.loose[0] == (0 if covered else 1)


@pytest.mark.rule("C1")
def test_the_lead_suit_makes_a_bid_card_eligible_when_the_trick_was_trumped() -> None:
    table = Table("B4 Y9 | Y1 G2", max_bid=1)
    table.run("0 bid Y9, 1 bid G2, 0 pass, 1 pass, 1 Y1, 0 B4")
    assert table.covered(0) == "Y9"


@pytest.mark.rule("C1")
def test_a_trick_covers_bid_cards_of_its_winner_only() -> None:
    table = Table("R9 G1 | R2 R3", first=1, max_bid=1)
    table.run("1 bid R3, 0 bid G1, 1 pass, 0 pass, 0 R9, 1 R2")  # R3 would match, but seat 1 lost the trick
    assert (table.covered(1), table.uncovered(1)) == ("", "R3")


@pytest.mark.rule("C2")
def test_with_one_eligible_card_the_cover_happens_by_itself() -> None:
    table = Table("R9 R8 R1 | R2 R3 G1", first=1, max_bid=1)
    table.run("1 bid G1, 0 bid R1, 1 pass, 0 pass, 0 R9, 1 R2")
    assert (table.covered(0), table.state.phase, table.state.turn) == ("R1", Phase.PLAYING, 0)


@pytest.mark.rule("C2")
def test_with_several_nothing_happens_until_the_winner_has_chosen() -> None:
    table = Table("R9 R8 R1 R5 | R2 R3 G1 G2", first=1, max_bid=2)
    table.run("1 bid G1, 0 bid R1, 1 bid G2, 0 bid R5, 1 pass, 0 pass, 0 R9, 1 R2")
    assert (table.state.phase, table.state.turn) == (Phase.COVERING, 0)
    assert table.legal("cover") == "R1 R5"
    assert (table.legal("play"), table.legal("pass")) == ("", "")
    assert table.refusal("0 R8") == table.refusal("0 pass") == "action/wrong_phase"
    assert table.refusal("1 R3") == table.refusal("1 cover G1") == "action/not_your_turn"
    assert table.refusal("0 cover R8") == table.refusal("0 cover G1") == "action/cannot_cover"
    table.run("0 cover R5")
    assert (table.covered(0), table.uncovered(0)) == ("R5", "R1")
    assert table.refusal("0 cover R1") == "action/wrong_phase"


@pytest.mark.rule("C2", "T4")
def test_a_round_is_not_over_while_its_last_choice_is_open() -> None:
    table = Table("R9 R1 R5 | R2 G1 G2", first=1, max_bid=2)
    table.run("1 bid G1, 0 bid R1, 1 bid G2, 0 bid R5, 1 pass, 0 pass, 0 R9, 1 R2")
    assert (table.state.phase, table.delta) == (Phase.COVERING, None)
    assert table.record().rounds[0].delta is None  # recorded as unfinished
    table.run("0 cover R1")
    assert table.delta == (1, -2)  # 2 - 1, and two open


@pytest.mark.rule("C3")
def test_with_none_eligible_the_trick_is_a_loose_end() -> None:
    table = Table("R9 G1 | R2 R3", first=1, max_bid=1)
    table.run("1 bid R3, 0 bid G1, 1 pass, 0 pass, 0 R9, 1 R2")
    assert (table.state.loose, table.uncovered(0)) == ([1, 0], "G1")
    assert table.delta == (-2, -1)  # G1 open and one loose trick; R3 open


@pytest.mark.rule("C4", "C3")
def test_a_covered_card_stays_covered_and_takes_no_second_trick() -> None:
    table = Table("R9 R8 R1 | R2 R3 G1", first=1, max_bid=1)
    table.run("1 bid G1, 0 bid R1, 1 pass, 0 pass, 0 R9, 1 R2, 0 R8, 1 R3")
    assert (table.covered(0), table.state.loose[0]) == ("R1", 1)
    assert table.delta == (1, -1)  # 2 - 1; G1 open
    table.record()
