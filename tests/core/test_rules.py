from __future__ import annotations

from typing import Any

import pytest

from looseends_core.rules import RulesError, RuleSet, check_rules, rule_set, rules_from_json, rules_to_json
from looseends_core.scoring import ScoringTable
from looseends_core.state import State

WRITTEN: dict[str, Any] = {
    "players": 4,
    "variants": ["double-cross", "getaway", "plan-b"],
    "scoring": "standard",
    "rounds": 3,
    "hand_size": 15,
    "max_bid": 4,
    "first_player": "random",
}
FIVE_NUMBERS = {"covered": 3, "loose_end": -2, "loose_end_with_snitch": -3, "perfect_crime": 4, "snitch": 7}


@pytest.mark.rule("R4", "R5", "R6", "R7")
@pytest.mark.parametrize(("players", "hand_size", "max_bid"), [(2, 16, 6), (3, 16, 5), (4, 15, 4), (5, 12, 3)])
@pytest.mark.parametrize("variants", [(), ("getaway",)])
def test_the_standard_game_by_number_of_players(
    players: int, hand_size: int, max_bid: int, variants: tuple[str, ...]
) -> None:
    rules = rule_set(players, variants)
    assert (rules.hand_size, rules.max_bid, rules.rounds) == (hand_size, max_bid, 3)
    assert (rules.scoring, rules.first_player) == ("standard", "random")
    assert State(rules).scores == [5] * players


@pytest.mark.rule("R3")
@pytest.mark.parametrize(("players", "cards"), [(2, 48), (3, 48), (4, 60), (5, 60)])
def test_the_deck_size_counts_the_getaway_cards(players: int, cards: int) -> None:
    assert rule_set(players).deck_size == cards
    assert rule_set(players, ("getaway",)).deck_size == cards + 4


@pytest.mark.rule("R6")
def test_the_default_maximum_bid_leaves_a_card_in_a_small_hand() -> None:
    assert rule_set(2, hand_size=4).max_bid == 3
    assert rule_set(5, hand_size=4).max_bid == 3


def test_a_rule_set_is_written_and_read_back() -> None:
    rules = rules_from_json(WRITTEN)
    assert rules_to_json(rules) == WRITTEN
    assert (rules.double_cross, rules.getaway, rules.plan_b) == (True, True, True)
    own = rules_from_json({**WRITTEN, "scoring": FIVE_NUMBERS, "variants": ["plan-b", "getaway"]})
    assert own.scoring == own.table == ScoringTable(3, -2, -3, 4, 7)
    assert rules_to_json(own)["scoring"] == FIVE_NUMBERS
    assert rules_to_json(own)["variants"] == ["plan-b", "getaway"]  # in the order they were given
    assert (own.double_cross, own.getaway, own.plan_b) == (False, True, True)


LOWEST_AND_HIGHEST: list[dict[str, Any]] = [
    {"players": 2, "hand_size": 2, "max_bid": 0, "rounds": 1, "variants": []},
    {"players": 2, "hand_size": 2, "max_bid": 1, "rounds": 20, "variants": ["getaway"]},
    {"players": 3, "hand_size": 16, "max_bid": 15, "variants": []},
    {"players": 5, "hand_size": 12, "max_bid": 11, "variants": []},
    {"players": 4, "hand_size": 16, "max_bid": 15, "variants": ["getaway"]},
    {"players": 4, "hand_size": 15, "first_player": "rotate", "variants": ["plan-b"]},
    {"scoring": dict.fromkeys(FIVE_NUMBERS, 100)},
    {"scoring": dict.fromkeys(FIVE_NUMBERS, -100)},
]


@pytest.mark.rule("R3", "R4", "R5", "R6", "R7", "S8")
@pytest.mark.parametrize("options", LOWEST_AND_HIGHEST)
def test_options_at_their_limits_are_accepted(options: dict[str, Any]) -> None:
    rules = rules_from_json({**WRITTEN, **options})
    assert rules_to_json(rules) == {**WRITTEN, **options}


HUGE = 10**4000
NO_POINTS: list[Any] = [101, -101, 1.0, True, "7", None, [], HUGE]


def each(option: str, values: list[Any]) -> list[tuple[str, Any]]:
    return [(option, value) for value in values]


REFUSED: list[tuple[str, Any]] = [
    *each("players", [1, 6, 0, -4, 4.0, True, False, "4", None, [4], {}, HUGE, -HUGE, 1e308]),
    *each("rounds", [0, 21, -1, 3.0, True, "3", None, [], HUGE, float("inf")]),
    *each("hand_size", [1, 0, 17, -1, 15.0, True, "15", None, {}, HUGE]),
    *each("max_bid", [-1, 15, 16, 4.0, True, False, "4", None, [], HUGE]),
    *each("first_player", ["left", "", "Random", None, 0, True, [], {}, ["random"], "\ud800"]),
    *each("variants", [None, "getaway", {}, {"getaway": 1}, 1, True]),
    *each("variants", [["plan-b", "plan-b"], ["simplified"], ["Getaway"], [None], [[]], [1], [""]]),
    *each("scoring", ["Standard", "", None, 1, True, [], {}, [2, -1, -2, 5, 10], "\ud800"]),
    *each("scoring", [{**FIVE_NUMBERS, "snitch": value} for value in NO_POINTS]),
    ("scoring", {**FIVE_NUMBERS, "bonus": 1}),
    ("scoring", {key: value for key, value in FIVE_NUMBERS.items() if key != "covered"}),
]


@pytest.mark.rule("R3", "R4", "R5", "R6", "R7", "S8")
@pytest.mark.parametrize(("option", "value"), REFUSED, ids=lambda value: ascii(value)[:30])
def test_an_option_outside_its_limits_is_refused_by_name(option: str, value: object) -> None:
    with pytest.raises(RulesError) as caught:
        rules_from_json({**WRITTEN, option: value})
    assert caught.value.field.split(":")[0] == option
    message = str(caught.value)
    assert message.startswith(option)
    assert "must" in message
    assert len(message) < 250
    message.encode()


@pytest.mark.rule("R3", "R5")
@pytest.mark.parametrize(
    ("players", "variants", "most"),
    [
        (2, [], 16),
        (3, [], 16),
        (3, ["getaway"], 16),
        (4, [], 15),
        (4, ["getaway"], 16),
        (5, [], 12),
        (5, ["getaway"], 12),
    ],
)
def test_hands_may_be_no_larger_than_the_deck_allows(players: int, variants: list[str], most: int) -> None:
    rules_from_json({**WRITTEN, "players": players, "variants": variants, "hand_size": most})
    with pytest.raises(RulesError) as caught:
        rules_from_json({**WRITTEN, "players": players, "variants": variants, "hand_size": most + 1})
    assert caught.value.field == "hand_size"
    assert str(most) in str(caught.value)


@pytest.mark.parametrize("option", list(WRITTEN))
def test_a_missing_option_is_refused(option: str) -> None:
    with pytest.raises(RulesError, match=f"{option} is missing"):
        rules_from_json({key: value for key, value in WRITTEN.items() if key != option})


@pytest.mark.parametrize("key", ["hands", "", "Players", "\ud800", "k" * 9999])
def test_an_unknown_option_is_refused(key: str) -> None:
    with pytest.raises(RulesError, match="is no option") as caught:
        rules_from_json({**WRITTEN, key: 1})
    assert len(str(caught.value)) < 250
    str(caught.value).encode()


@pytest.mark.parametrize("written", [None, [], "rules", 1, True, 1.5])
def test_rules_that_are_no_object_are_refused(written: object) -> None:
    with pytest.raises(RulesError, match="must be an object"):
        rules_from_json(written)


def test_rules_made_in_code_are_checked_like_those_of_a_record() -> None:
    with pytest.raises(RulesError, match="players"):
        rule_set(6)
    with pytest.raises(RulesError, match="max_bid"):
        rule_set(2, hand_size=4, max_bid=4)
    with pytest.raises(RulesError, match="variants"):
        rule_set(2, ("plan-b", "plan-b"))
    with pytest.raises(RulesError, match="rounds"):
        check_rules(RuleSet(2, (), "standard", 21, 16, 6, "random"))
