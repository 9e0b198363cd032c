"""Whoever cannot know a difference between two games receives the same bytes in both, whatever they ask for."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from looseends_core.actions import Action
from looseends_core.bots import LEVELS, Level
from looseends_core.decide import legal_actions
from looseends_core.rules import rule_set
from looseends_core.state import State
from looseends_server.table import Table
from tests.e2e.secret_games import PLAYERS, VARIANT_SETS
from tests.e2e.two_worlds import Diverged, Plan, World, first_world, other_hands, second_world

EXAMPLES = settings(max_examples=60)


@st.composite
def plans(draw: st.DrawFn, *, is_bot: bool = False) -> Plan:
    players = draw(st.sampled_from(PLAYERS))
    variants = draw(st.sampled_from(VARIANT_SETS))
    seats = st.integers(1, players - 1) if is_bot else st.none() | st.integers(0, players - 1)
    return Plan(
        rule_set(players, variants, rounds=2, hand_size=draw(st.integers(6, 12)), max_bid=3),
        seed=draw(st.integers(0, 2**32)),
        reader=draw(seats),
        stop_round=draw(st.integers(1, 2)),
        stop_actions=draw(st.integers(0, 80)),
        is_bot=is_bot,
    )


class NoOtherWay(Exception):
    """The rules leave no other deal with which all could have happened."""


def both_worlds(plan: Plan) -> tuple[World, World]:
    """Play the plan in two worlds. Raises NoOtherWay where the hidden cards can lie in one way alone, and Diverged."""
    first = asyncio.run(first_world(plan))
    hands = other_hands(plan, first, random.Random(plan.seed))
    if hands is None:
        raise NoOtherWay
    second = asyncio.run(second_world(plan, first, hands))
    assert first.events != second.events
    return first, second


@given(plans())
@EXAMPLES
def test_who_cannot_know_a_difference_receives_the_same_bytes(plan: Plan) -> None:
    try:
        first, second = both_worlds(plan)
    except NoOtherWay:
        reject()

    assert first.received == second.received


def choose_by_every_hand(view: State, rng: random.Random) -> Action:
    """Choose by all that the view tells of all hands, as a bot would that looks where it should not."""
    legal = legal_actions(view)
    return legal[sum(view.hands) % 1009 % len(legal)]


PEEKING = Level("steady", "Looks at every hand that it is shown.", choose_by_every_hand)


@pytest.mark.parametrize("bot", [LEVELS["steady"], PEEKING], ids=["steady", "peeking"])
@given(plan=plans(is_bot=True))
@EXAMPLES
def test_a_bot_does_the_same_where_it_cannot_know_a_difference(bot: Level, plan: Plan) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(LEVELS, "steady", bot)
        try:
            both_worlds(plan)
        except NoOtherWay:
            reject()


PLAN = Plan(rule_set(3, hand_size=10), seed=1, reader=1, stop_round=1, stop_actions=20)


def test_a_leak_to_a_client_makes_the_two_games_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("looseends_server.table.redact", lambda event, seat: event)

    first, second = both_worlds(PLAN)

    assert first.received != second.received


def test_a_leak_to_a_bot_makes_the_two_games_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LEVELS, "steady", PEEKING)
    monkeypatch.setattr(Table, "view_of", lambda table, seat: table.state.play)

    with pytest.raises(Diverged):
        both_worlds(replace(PLAN, is_bot=True))
