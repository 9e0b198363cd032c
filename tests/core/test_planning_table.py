"""The rest of Planning as a bot imagines it, held to the rules: bids, passes, double-crosses, and the board after."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from looseends_core.actions import BIDS, DOUBLE_CROSS, PASS, Action
from looseends_core.bots.board import Board
from looseends_core.bots.planning import PlanningTable, PlanningTrace
from looseends_core.cards import SUITED_MASK, Card, cards_in
from looseends_core.decide import decide
from looseends_core.rules import RuleSet
from looseends_core.state import Phase, evolve
from tests.core.table import Table
from tests.strategies import play_game, rule_sets


def action_of(verb: str, card: Card) -> Action:
    if verb == "bid":
        return BIDS[card]
    return PASS if verb == "pass" else DOUBLE_CROSS


@given(rules=rule_sets(max_rounds=2), seed=st.integers(0, 2**32))
@settings(max_examples=60)
def test_every_plan_is_carried_out_by_the_rules_and_leads_to_the_board_that_they_lead_to(
    rules: RuleSet, seed: int
) -> None:
    chance = random.Random(seed)
    for state in play_game(rules, seed).states():
        if state.phase is not Phase.PLANNING:
            continue
        plans: list[list[Card]] = []
        for seat in range(rules.players):
            held = list(cards_in(state.hands[seat] & SUITED_MASK))
            chance.shuffle(held)
            plans.append(held[: chance.randint(0, rules.max_bid - len(state.bids[seat]))])
            if seat in state.passed:
                plans[seat] = []
        trace: PlanningTrace = []
        crosser = chance.randrange(-1, rules.players)
        board = PlanningTable(state).settle(state.hands, plans, crosser, trace)
        line = state.copy()
        for verb, seat, card in trace:
            assert line.turn == seat
            for event in decide(line, seat, action_of(verb, card)):
                evolve(line, event)
        assert line.phase is Phase.PLAYING
        expected = Board(line)
        expected.hold(line.hands)
        for field in Board.__slots__:
            assert getattr(board, field) == getattr(expected, field), field


def test_a_plan_to_double_cross_takes_the_bids_back_where_nobody_has_passed() -> None:
    table = Table("R1 R2 R3 | G1 G2 G3", variants="double-cross", max_bid=2)
    table.run("0 bid R1, 1 bid G1")
    trace: PlanningTrace = []
    board = PlanningTable(table.state).settle(table.state.hands, [[], []], 0, trace)
    assert trace == [("double-cross", 0, -1), ("pass", 1, -1)]
    assert board.snitch == [True, False]
    assert board.hands[1] == 0b111
    assert board.left == 2


def test_a_plan_without_bids_lays_a_low_card_where_it_may_not_pass() -> None:
    """[V3]: beside a snitch everybody else bids something."""
    table = Table("R1 R2 R3 | G3 G2 Y7", variants="double-cross", max_bid=2)
    table.run("0 pass")
    trace: PlanningTrace = []
    PlanningTable(table.state).settle(table.state.hands, [[], []], -1, trace)
    assert [verb for verb, _, _ in trace] == ["bid", "pass"]
