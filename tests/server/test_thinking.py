"""A bot that never comes to a choice holds nobody up: its thought is broken off and a legal action taken."""

from __future__ import annotations

import random
import signal
import threading

import pytest

from looseends_core.actions import Action
from looseends_core.bots import Level
from looseends_core.rules import rule_set
from looseends_core.state import State
from looseends_server import thinking
from looseends_server.house import House
from looseends_server.thinking import ThoughtTooLong, bounded_thought
from tests.server.conftest import Logged
from tests.server.peers import HandClock, play_on, seated_table, start


def never_chooses(_view: State, _rng: random.Random) -> Action:
    while True:
        pass


async def test_a_bot_that_never_chooses_is_replaced_by_a_legal_action(
    monkeypatch: pytest.MonkeyPatch, logged: Logged
) -> None:
    monkeypatch.setattr(thinking, "THINKING_SECONDS", 0.02)
    house = await House.open(None, clock=HandClock(), levels={"rookie": Level("rookie", "Lost.", never_chooses)})
    peers = await seated_table(house, ["ann"], rule_set(2, rounds=1, hand_size=3, max_bid=1), bots=1)
    await start(peers)
    await play_on(peers, lambda: peers[0].view is not None and peers[0].view.winners is not None)
    logged.expect("bot failed")
    await house.close()


def test_a_thought_in_time_is_left_alone_and_the_timer_is_off_behind_it() -> None:
    with bounded_thought():
        chosen = 7
    assert chosen == 7
    assert signal.getitimer(signal.ITIMER_VIRTUAL)[0] == 0.0


def test_a_thought_that_is_too_long_is_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "THINKING_SECONDS", 0.01)
    view = State(rule_set(2))
    with pytest.raises(ThoughtTooLong), bounded_thought():
        never_chooses(view, random.Random(1))
    assert signal.getitimer(signal.ITIMER_VIRTUAL)[0] == 0.0


def test_outside_the_main_thread_nothing_is_bounded_and_nothing_fails() -> None:
    said: list[str] = []

    def think() -> None:
        with bounded_thought():
            said.append("thought")

    thread = threading.Thread(target=think)
    thread.start()
    thread.join()
    assert said == ["thought"]
