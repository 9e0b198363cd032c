"""A bot game is fixed by its seed and number, proves its deals, and makes a record that verification accepts."""

from __future__ import annotations

import itertools
import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from looseends_core.actions import Action
from looseends_core.bot_game import bot_game_deal, play_bot_game
from looseends_core.bots import LEVELS
from looseends_core.decide import legal_actions
from looseends_core.events import Event, GameEnded, RoundDealt
from looseends_core.record import record_of, record_to_json
from looseends_core.rules import RuleSet, rule_set
from looseends_core.shuffle import ZERO_NONCE, shuffled_deal
from looseends_core.state import State
from looseends_core.verify import verify_text
from tests.strategies import rule_sets

rookie = LEVELS["rookie"].choose
steady = LEVELS["steady"].choose


def game(rules: RuleSet, seed: str, number: int = 0) -> list[Event]:
    return list(play_bot_game(rules, [(rookie, steady)[seat % 2] for seat in range(rules.players)], seed, number))


@given(rules=rule_sets(max_rounds=3), seed=st.text(), number=st.integers(0, 10**6))
@settings(max_examples=30)
def test_the_record_of_a_bot_game_is_right_and_every_deal_of_it_proven(rules: RuleSet, seed: str, number: int) -> None:
    events = game(rules, seed, number)
    assert isinstance(events[-1], GameEnded)
    record = record_of(rules, ["bot"] * rules.players, events)
    verdict = verify_text(json.dumps(record_to_json(record)).encode())
    assert (verdict.fault, verdict.unproven) == (None, ())


def test_f1_the_nonces_of_bots_are_all_zero_and_the_secret_makes_the_deal() -> None:
    rules = rule_set(4)
    for event in game(rules, "deals"):
        if isinstance(event, RoundDealt):
            assert event.fairness is not None
            assert event.fairness.nonces == (ZERO_NONCE,) * 4
            proven = shuffled_deal(rules, event.round, event.fairness)
            assert (proven.hands, proven.first) == (event.hands, event.first)


def test_a_game_depends_on_its_seed_and_number_alone_and_not_on_what_was_played_before() -> None:
    rules = rule_set(3, ("getaway",))
    in_order = [game(rules, "s", number) for number in range(4)]
    assert [game(rules, "s", number) for number in (3, 1, 0, 2)] == [in_order[number] for number in (3, 1, 0, 2)]


def test_other_seeds_numbers_and_rounds_are_dealt_otherwise() -> None:
    rules = rule_set(4)
    places = [("a", 0, 1), ("b", 0, 1), ("a", 1, 1), ("a", 0, 2)]
    deals = [bot_game_deal(rules, seed, number, round_number, 0) for seed, number, round_number in places]
    assert len({deal.hands for deal in deals}) == len(places)


def test_how_often_one_bot_draws_a_number_changes_nothing_for_another() -> None:
    def wasteful(view: State, rng: random.Random) -> Action:
        for _ in range(5):
            rng.random()
        return legal_actions(view)[0]

    def thrifty(view: State, _: random.Random) -> Action:
        return legal_actions(view)[0]

    rules = rule_set(2)
    assert list(play_bot_game(rules, [wasteful, rookie], "w")) == list(play_bot_game(rules, [thrifty, rookie], "w"))


def test_r7_with_rotate_the_first_player_moves_on_one_seat_a_round() -> None:
    firsts = [
        event.first for event in game(rule_set(3, rounds=7, first_player="rotate"), "r") if type(event) is RoundDealt
    ]
    assert all(later == (before + 1) % 3 for before, later in itertools.pairwise(firsts))


def test_the_number_of_bots_must_be_the_number_of_seats() -> None:
    with pytest.raises(ValueError, match="3 bots for 4 seats"):
        next(play_bot_game(rule_set(4), [rookie] * 3, "x"))
