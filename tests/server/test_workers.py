"""Bots that search think in processes of their own; whatever becomes of those, the table goes on.

Every worker here is a real process. Only the clock that finds a hanging one is moved by hand.
"""

from __future__ import annotations

import asyncio
import os
import random
import resource
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from importlib.util import find_spec
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from looseends_core.bots import LEVELS
from looseends_core.bots.thought import Thought
from looseends_core.decide import legal_actions
from looseends_core.redact import redact
from looseends_core.rules import rule_set
from looseends_core.state import fold
from looseends_server import minds
from looseends_server.counts import Counts
from looseends_server.limits import Limits
from looseends_server.mind_messages import (
    LARGEST_FRAME,
    LENGTH_BYTES,
    FrameBroken,
    Question,
    frame_length,
    frame_of,
)
from looseends_server.mind_process import NICENESS, Watchdog, answered
from looseends_server.minds import Minds
from tests.server.asked_of_workers import BLINK, OPENING, is_alive, pids, question, until
from tests.server.conftest import Logged
from tests.server.crossed import crosses
from tests.server.peers import HandClock
from tests.server.planted_worker import WORKER
from tests.strategies import PlayedGame, games

Desk = Callable[..., Minds]


class Asked:
    """One question and what came of it."""

    def __init__(self, desk: Minds, level: str) -> None:
        self._done: asyncio.Future[Thought | None] = asyncio.get_running_loop().create_future()
        self.ticket = desk.ask(question(level), self._done.set_result)

    @property
    def is_answered(self) -> bool:
        return self._done.done()

    async def answer(self) -> Thought | None:
        async with asyncio.timeout(20):
            return await self._done


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    """Make desks, all of which are closed when the test is over."""
    opened: list[Minds] = []

    def make(clock: HandClock | None = None, **limits: float) -> Minds:
        chosen = Limits(**{"thought_cpu_seconds": BLINK, "workers": 1, **limits})  # type: ignore[arg-type]
        opened.append(Minds(chosen, clock or HandClock(), Counts(), WORKER))
        return opened[-1]

    yield make
    for minds_of_test in opened:
        await minds_of_test.close()


# ── a worker ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_worker_is_nice_and_left_alone_by_what_is_told_to_every_process(desk: Desk) -> None:
    house = desk()
    await Asked(house, "plain").answer()
    [pid] = pids(house)
    assert os.getpriority(os.PRIO_PROCESS, pid) == min(19, os.getpriority(os.PRIO_PROCESS, 0) + NICENESS)
    for number in (signal.SIGINT, signal.SIGTERM):
        os.kill(pid, number)
    assert await Asked(house, "plain").answer() is not None
    assert pids(house) == [pid]


async def test_nothing_is_started_before_the_first_question_and_a_worker_is_asked_again(desk: Desk) -> None:
    house = desk()
    assert house.workers == 0
    first = await Asked(house, "plain").answer()
    assert first is not None
    [pid] = pids(house)
    second = await Asked(house, "plain").answer()
    assert second == first, "the same question has the same answer"
    assert pids(house) == [pid]


@crosses("workers")
async def test_questions_wait_for_a_worker_and_each_is_answered(desk: Desk) -> None:
    house = desk(workers=2)
    asked = [Asked(house, "plain") for _ in range(9)]
    assert house.waiting == 9
    assert all([await one.answer() for one in asked])
    assert house.workers == 2
    assert house.waiting == 0


@crosses("waiting_thoughts")
async def test_a_full_queue_takes_no_further_question_and_loses_none(desk: Desk) -> None:
    house = desk(waiting_thoughts=2)
    asked = [Asked(house, "plain") for _ in range(3)]
    assert [one.ticket is not None for one in asked] == [True, True, False]
    assert await asked[1].answer()
    dropped = [Asked(house, "plain") for _ in range(2)]
    for one in dropped:
        assert one.ticket is not None
        one.ticket.drop()
    assert await Asked(house, "plain").answer(), "nobody waits for the two before it any more"
    assert not any(one.is_answered for one in dropped)


@pytest.mark.parametrize("level", ["dies-once"])
async def test_a_worker_that_dies_is_replaced_and_asked_again(
    desk: Desk, level: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOOSEENDS_TEST_ONCE", str(tmp_path / "once"))
    house = desk()
    assert await Asked(house, level).answer() is not None


@pytest.mark.parametrize("level", ["dies", "babbles", "booms", "repeats"])
async def test_after_two_lost_workers_there_is_no_answer_and_the_next_question_has_one(desk: Desk, level: str) -> None:
    house = desk()
    assert await Asked(house, level).answer() is None
    assert await Asked(house, "plain").answer() is not None


@crosses("thought_seconds")
async def test_a_worker_that_hangs_is_killed_and_its_question_asked_again(desk: Desk, logged: Logged) -> None:
    clock = HandClock()
    house = desk(clock)
    asked = Asked(house, "hangs")
    await until(lambda: house.workers)
    [first] = pids(house)
    await clock.advance(Limits().thought_seconds + 1)
    await until(lambda: pids(house) not in ([], [first]))
    await clock.advance(Limits().thought_seconds + 1)
    assert await asked.answer() is None
    await until(lambda: not is_alive(first))
    assert logged.events("warning") == ["worker lost", "worker lost"]


async def test_a_worker_that_is_killed_while_it_waits_is_replaced(desk: Desk) -> None:
    house = desk()
    await Asked(house, "plain").answer()
    os.kill(pids(house)[0], signal.SIGKILL)
    await until(lambda: house.workers == 0)
    assert await Asked(house, "plain").answer() is not None


@crosses("thought_cpu_seconds")
async def test_a_thought_that_hears_the_watchdog_gives_its_best_so_far(desk: Desk, logged: Logged) -> None:
    house = desk()
    thought = await Asked(house, "goes-on").answer()
    assert thought is not None
    assert thought.best in legal_actions(fold(rule_set(2, rounds=1, hand_size=6), OPENING))
    assert "thought cut short" in logged.events()


async def test_the_fox_plays_its_best_so_far_when_its_time_is_up(logged: Logged) -> None:
    house = Minds(Limits(workers=1, thought_cpu_seconds=BLINK), HandClock(), Counts())
    thought = await Asked(house, "fox").answer()
    assert thought is not None
    legal = legal_actions(fold(rule_set(2, rounds=1, hand_size=6), OPENING))
    assert thought.best in legal
    assert sorted(map(repr, legal)) == sorted(repr(one.action) for one in thought.weighed)
    assert logged.events() in (["thought cut short"], []), "a machine may be fast enough"
    await house.close()


async def test_a_thought_that_hears_nothing_is_broken_off_and_its_worker_lives_on(desk: Desk, logged: Logged) -> None:
    house = desk()
    assert await Asked(house, "is-deaf").answer() is None
    [pid] = pids(house)
    assert await Asked(house, "plain").answer() is not None
    assert pids(house) == [pid]
    logged.expect("bot failed")


async def test_a_thought_that_no_signal_reaches_is_ended_by_the_kernel(desk: Desk) -> None:
    house = desk()
    lost = Asked(house, "is-lost-in-c")
    after = Asked(house, "plain")
    assert await lost.answer() is None
    assert await after.answer() is not None


async def test_a_fault_in_a_thought_is_logged_by_its_kind_alone(desk: Desk, logged: Logged) -> None:
    house = desk()
    assert await Asked(house, "fails").answer() is None
    assert [entry["error"] for entry in logged.entries] == ["ZeroDivisionError"]
    logged.expect("bot failed")


async def test_workers_that_fail_again_and_again_are_left_alone_for_a_while(logged: Logged) -> None:
    clock = HandClock()
    house = Minds(Limits(workers=1), clock, Counts(), ("/nonexistent/worker",))
    for _ in range(minds.LOSSES_IN_A_ROW):
        assert await Asked(house, "plain").answer() is None
    assert logged.events("error").count("no worker can be started") == minds.LOSSES_IN_A_ROW
    assert await Asked(house, "plain").answer() is None
    assert logged.events("error").count("no worker can be started") == minds.LOSSES_IN_A_ROW, "it was not tried again"
    await clock.advance(minds.REST_SECONDS + 1)
    assert await Asked(house, "plain").answer() is None
    assert logged.events("error").count("no worker can be started") == minds.LOSSES_IN_A_ROW + 1
    await house.close()


async def test_a_fault_of_whoever_asked_costs_no_worker(desk: Desk, logged: Logged) -> None:
    house = desk()

    def fault(_thought: Thought | None) -> None:
        raise RuntimeError("not taken")

    house.ask(question("plain"), fault)
    assert await Asked(house, "plain").answer() is not None
    assert house.workers == 1
    logged.expect("thought not taken")
    assert logged.events() == []


async def test_one_core_is_left_to_the_house_but_one_worker_there_always_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for cores, workers in ((1, 1), (2, 1), (8, 7)):
        monkeypatch.setattr(os, "sched_getaffinity", lambda _, cores=cores: set(range(cores)), raising=False)
        assert Minds(Limits(), HandClock(), Counts()).most_workers == workers
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    assert Minds(Limits(), HandClock(), Counts()).most_workers == 2
    assert Minds(Limits(workers=5), HandClock(), Counts()).most_workers == 5


@crosses("worker_idle_seconds")
async def test_an_idle_worker_ends_after_a_while(desk: Desk) -> None:
    clock = HandClock()
    house = desk(clock)
    await Asked(house, "plain").answer()
    [pid] = pids(house)
    await clock.advance(Limits().worker_idle_seconds + 1)
    assert house.workers == 0
    await until(lambda: not is_alive(pid))
    assert await Asked(house, "plain").answer() is not None


async def test_closing_ends_every_worker_also_one_that_thinks(desk: Desk) -> None:
    house = desk(workers=2)
    await Asked(house, "plain").answer()
    thinking = Asked(house, "hangs"), Asked(house, "hangs")
    await until(lambda: house.workers == 2)
    started = pids(house)
    await house.close()
    assert not any(is_alive(pid) for pid in started)
    assert not any(one.is_answered for one in thinking)


async def test_without_workers_on_a_system_levels_think_where_they_are_asked(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(minds, "WORKERS_EXIST", False)
    house = desk()
    thought = await Asked(house, "steady").answer()
    assert thought is not None
    assert thought.best in legal_actions(fold(rule_set(2, rounds=1, hand_size=6), OPENING))
    assert house.workers == 0


@pytest.mark.skipif(find_spec("uvloop") is None, reason="uvloop does not exist for this Python")
def test_workers_work_in_the_loop_that_a_server_runs_in() -> None:
    import uvloop

    async def ask() -> None:
        house = Minds(Limits(workers=1, thought_cpu_seconds=BLINK), HandClock(), Counts(), WORKER)
        assert await Asked(house, "plain").answer() is not None
        assert await Asked(house, "dies").answer() is None
        assert await Asked(house, "plain").answer() is not None
        started = pids(house)
        await house.close()
        assert not any(is_alive(pid) for pid in started)

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(ask())


async def test_a_worker_ends_when_its_house_is_killed() -> None:
    """What `kill -9` of a house leaves a worker is the end of its socket."""
    pid = worker_of_a_killed_house()
    await until(lambda: not is_alive(pid) or _is_zombie(pid))


def worker_of_a_killed_house() -> int:
    program = (
        "import os, signal, socket, subprocess, sys\n"
        "ours, theirs = socket.socketpair()\n"
        "command = [sys.executable, '-P', '-m', 'looseends_server.mind_process']\n"
        "print(subprocess.Popen(command, stdin=theirs.fileno(), start_new_session=True).pid, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as house:
        assert house.stdout is not None
        return int(house.stdout.readline())


def _is_zombie(pid: int) -> bool:
    """Return whether a process has ended, and waits for somebody to take note: in a container maybe for ever."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"


def test_a_worker_imports_the_core_and_little_else() -> None:
    code = (
        "import sys\n"
        "from looseends_server import mind_process\n"
        "from looseends_core.bots import sharp, fox\n"
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True, timeout=60)
    modules = done.stdout.split()
    assert {name for name in modules if name.startswith("looseends_server")} == {
        "looseends_server",
        "looseends_server.mind_messages",
        "looseends_server.mind_process",
    }
    heads = {name.partition(".")[0] for name in modules}
    assert "msgspec" in heads
    for other in ("looseends_client", "looseends_protocol", "asyncio", "uvloop", "sqlite3", "structlog", "textual"):
        assert other not in heads


# ── what it does with a question ─────────────────────────────────────────────────────────────────────────────────


@settings(max_examples=20)
@given(game=games(max_rounds=2), part=st.floats(0, 1), seat=st.integers(0, 4))
def test_a_question_says_after_its_way_what_it_said_before(game: PlayedGame, part: float, seat: int) -> None:
    seat %= game.rules.players
    seen = tuple(redact(event, seat) for event in game.events[: round(part * len(game.events))])
    asked = Question("fox", game.rules, seen, "seed", 7, 2.0)
    frame = frame_of(asked)
    assert frame_length(frame) == len(frame) - LENGTH_BYTES
    assert msgspec.msgpack.decode(frame[LENGTH_BYTES:], type=Question) == asked


def test_a_frame_that_is_too_long_is_none() -> None:
    with pytest.raises(FrameBroken):
        frame_length((LARGEST_FRAME + 1).to_bytes(LENGTH_BYTES, "big"))


@pytest.fixture
def watchdog() -> Watchdog:
    before = signal.getsignal(signal.SIGPROF)
    made = Watchdog()
    signal.signal(signal.SIGPROF, before)
    return made


@pytest.mark.parametrize("level", sorted(LEVELS))
def test_every_level_answers_a_question_with_what_it_would_choose(
    level: str, watchdog: Watchdog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resource, "setrlimit", lambda *_: None)
    answer = answered(question(level), LEVELS, watchdog)
    view = fold(rule_set(2, rounds=1, hand_size=6), OPENING)
    assert answer.thought is not None, answer.failure
    assert answer.thought.best == LEVELS[level].choose(view, random.Random("seed"))
    assert answer.cpu_seconds >= 0
    assert not answer.struck
    assert signal.getitimer(signal.ITIMER_PROF)[0] == 0.0
