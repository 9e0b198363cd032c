"""For tests: what worker processes of bots are asked, and whether they are there."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable

from looseends_core.decide import deal_round
from looseends_core.events import Event
from looseends_core.redact import redact
from looseends_core.rules import rule_set
from looseends_core.shuffle import Fairness, shuffled_deal
from looseends_core.state import State
from looseends_server.mind_messages import Question
from looseends_server.minds import Minds

BLINK = 0.05
"""Seconds of CPU after which a thought of these tests is too long."""


def opening() -> tuple[Event, ...]:
    """Return what seat 0 knows when it has to plan first."""
    rules = rule_set(2, rounds=1, hand_size=6)
    number = 0
    while True:
        deal = shuffled_deal(rules, 1, Fairness(bytes([number]) * 32, (bytes(16),) * 2), None)
        if deal.first == 0:
            return tuple(redact(event, 0) for event in deal_round(State(rules), deal))
        number += 1


OPENING = opening()


def question(level: str) -> Question:
    return Question(level, rule_set(2, rounds=1, hand_size=6), OPENING, "seed")


async def until(fact: Callable[[], object]) -> None:
    """Wait for a fact about processes, which nobody tells us of."""
    async with asyncio.timeout(20):
        while not fact():  # noqa: ASYNC110
            await asyncio.sleep(0)


def pids(desk: Minds) -> list[int]:
    return [worker.pid for worker in desk.everybody()]


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
