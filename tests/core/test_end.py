from __future__ import annotations

import pytest

from looseends_core.decide import IllegalDeal, deal_round, winners_of
from looseends_core.shuffle import Deal
from looseends_core.state import Phase
from tests.core.table import Table, hand_of

SNITCHES = "0 pass, 1 pass, 1 G1, 0 R1, 1 G2, 0 R2"
"""Seat 1 wins both tricks as a snitch: -4 beside the successful seat 0, who gets 10."""


@pytest.mark.rule("E1", "E2")
@pytest.mark.parametrize(
    ("scores", "last", "winners"),
    [
        ((12, 4, 15, 7), (0, 10, -4, 0), (2,)),  # most points, whatever the last round was
        ((9, 9, 3), (1, 2, 7), (1,)),  # seat 2 made most in the last round but is not tied
        ((9, 9, 9), (2, -1, 2), (0, 2)),  # a tie in part
        ((9, 9, 9, 1), (2, 2, 2, 9), (0, 1, 2)),
        ((-3, -8, -3), (-5, 7, -2), (2,)),
        ((5, 5), (0, 0), (0, 1)),
    ],
)
def test_who_wins(scores: tuple[int, ...], last: tuple[int, ...], winners: tuple[int, ...]) -> None:
    assert winners_of(scores, last) == winners


@pytest.mark.rule("R4", "E1")
def test_a_game_ends_after_its_last_round_and_adds_up_all_of_them() -> None:
    table = Table("R1 R2 | G1 G2", max_bid=0, rounds=3)
    for number in (1, 2, 3):
        if number > 1:
            table.deal("R1 R2 | G1 G2")
        assert (table.state.round, table.state.phase) == (number, Phase.PLANNING)
        table.run(SNITCHES)
        assert table.delta == (10, -4)
        table.record()
    assert table.state.phase is Phase.OVER
    record = table.record()
    assert (record.scores, record.winners) == ((35, -7), (0,))  # 5 + 3 x 10 and 5 - 3 x 4
    assert table.refusal("0 pass") == "action/game_over"
    with pytest.raises(IllegalDeal, match="over"):
        table.deal("R1 R2 | G1 G2")


@pytest.mark.rule("R7")
def test_with_rotate_the_first_player_moves_on_by_one_seat() -> None:
    table = Table("R1 R2 | G1 G2", max_bid=0, rounds=3, first=0, first_player="rotate")
    table.run(SNITCHES)
    with pytest.raises(IllegalDeal, match="expected seat 1, after 0") as caught:
        table.deal("R1 R2 | G1 G2", first=0)
    assert caught.value.field == "first"
    table.deal("R1 R2 | G1 G2", first=1)
    table.run("1 pass, 0 pass, 0 R1, 1 G1, 0 R2, 1 G2")
    with pytest.raises(IllegalDeal, match="expected seat 0, after 1"):
        table.deal("R1 R2 | G1 G2", first=1)


@pytest.mark.rule("R7")
@pytest.mark.parametrize("first", [0, 1])
def test_with_random_any_seat_may_begin_any_round(first: int) -> None:
    table = Table("R1 R2 | G1 G2", max_bid=0, rounds=2, first=0)
    table.run(SNITCHES)
    table.deal("R1 R2 | G1 G2", first=first)
    assert table.state.turn == first


@pytest.mark.rule("R3", "R5")
@pytest.mark.parametrize(
    ("hands", "first", "field"),
    [
        ("R1 R2 | G1", 0, "hands"),
        ("R1 R2 | G1 G2 G3", 0, "hands"),
        ("R1 R2", 0, "hands"),
        ("R1 R2 | G1 G2 | Y1 Y2", 0, "hands"),
        ("R1 R1 | G1 G2", 0, "hands"),
        ("R1 R2 | G1 R2", 0, "hands"),
        ("R1 R13 | G1 G2", 0, "hands"),  # left out with two players
        ("R1 X1 | G1 G2", 0, "hands"),  # not without the variant
        ("R1 R2 | G1 G2", 2, "first"),
        ("R1 R2 | G1 G2", -1, "first"),
    ],
)
def test_a_deal_that_cannot_be_is_refused(hands: str, first: int, field: str) -> None:
    table = Table("R1 R2 | G1 G2", max_bid=0, rounds=2)
    table.run(SNITCHES)
    before = table.state.copy()
    with pytest.raises(IllegalDeal) as caught:
        table.deal(hands, first=first)
    assert caught.value.field == field
    assert table.state == before


@pytest.mark.rule("R3")
@pytest.mark.parametrize("card", [-1, 64, 10**30])
def test_a_card_that_does_not_exist_cannot_be_dealt(card: int) -> None:
    table = Table("R1 R2 | G1 G2", max_bid=0, rounds=2)
    table.run(SNITCHES)
    with pytest.raises(IllegalDeal, match="not in play"):
        deal_round(table.state, Deal((hand_of("R1 R2"), (hand_of("G1")[0], card)), 0))


def test_no_round_is_dealt_into_a_running_one() -> None:
    table = Table("R1 R2 | G1 G2", max_bid=0, rounds=2)
    with pytest.raises(IllegalDeal) as caught:
        table.deal("R1 R2 | G1 G2")
    assert caught.value.field == "round"
