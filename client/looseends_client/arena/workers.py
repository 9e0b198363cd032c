"""Games played side by side in processes, and handed out in the order in which they were asked for.

Each process has its own players. A process that dies, or a fault in one, ends the match with the reason.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Iterable, Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import NamedTuple, NoReturn

from looseends_client.arena.game import GameResult, GameTask, IllegalChoice, MatchSetup, Players

AHEAD = 2
"""Games that a process is given at once, so that it need not wait for the next."""
_PATIENCE = 5.0
"""Seconds that a process that was told to end has for it."""


class WorkerLost(Exception):
    """A process that played games is gone, or failed in a way that nobody foresaw."""


def spare_cores() -> int:
    """Return the cores that this process may use, but one; at least 1."""
    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity is not None else os.cpu_count() or 1
    return max(1, cores - 1)


def play_games(setup: MatchSetup, tasks: Iterable[GameTask], jobs: int) -> Iterator[GameResult]:
    """Yield the result of each task, in the order of the tasks; with one job, played in this process.

    Raises IllegalChoice and WorkerLost. Close the iterator to end the processes, and the programs that play in them.
    """
    return _here(setup, tasks) if jobs == 1 else _side_by_side(setup, tasks, jobs)


def _here(setup: MatchSetup, tasks: Iterable[GameTask]) -> Iterator[GameResult]:
    players = Players(setup)
    kindly = False
    try:
        for task in tasks:
            yield players.play(task)
        kindly = True
    finally:
        players.close(kindly=kindly)


class _Worker(NamedTuple):
    process: SpawnProcess
    line: Connection
    busy_with: deque[int]
    """The numbers of the tasks that it has, oldest first."""


def _side_by_side(setup: MatchSetup, tasks: Iterable[GameTask], jobs: int) -> Iterator[GameResult]:
    workers = [_started(setup) for _ in range(jobs)]
    numbered = enumerate(tasks)
    early: dict[int, GameResult] = {}
    due = 0
    try:
        for _ in range(AHEAD):
            for worker in workers:
                _hand_on(worker, numbered)
        while any(worker.busy_with for worker in workers):
            lines = {worker.line: worker for worker in workers if worker.busy_with}
            for line in wait(list(lines)):
                worker = lines[line]  # type: ignore[index]  # what comes back is what went in
                early[worker.busy_with[0]] = _received(worker)
                worker.busy_with.popleft()
                _hand_on(worker, numbered)
            while due in early:
                yield early.pop(due)
                due += 1
    finally:
        _end(workers)


def _started(setup: MatchSetup) -> _Worker:
    # A process made from nothing has none of our threads, files and signals, on every system alike.
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(theirs, setup), daemon=True)
    process.start()
    theirs.close()
    return _Worker(process, ours, deque())


def _hand_on(worker: _Worker, numbered: Iterator[tuple[int, GameTask]]) -> None:
    following = next(numbered, None)
    if following is None:
        return
    number, task = following
    worker.busy_with.append(number)
    # One that is gone is noticed when its answer does not come.
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        worker.line.send(task)


def _received(worker: _Worker) -> GameResult:
    try:
        answer = worker.line.recv()
    except (EOFError, ConnectionResetError) as error:
        raise WorkerLost("a process that played games is gone: was it killed, or out of memory?") from error
    if isinstance(answer, GameResult):
        return answer
    if isinstance(answer, IllegalChoice):
        raise answer
    raise WorkerLost(f"a game could not be played: {answer}")


def _end(workers: list[_Worker]) -> None:
    for worker in workers:
        if worker.busy_with:
            worker.process.terminate()
        worker.line.close()  # which ends one that has nothing to do
    for worker in workers:
        worker.process.join(_PATIENCE)
        if worker.process.is_alive():
            worker.process.kill()
            worker.process.join()
        worker.process.close()


def _work(line: Connection, setup: MatchSetup) -> None:
    # Ctrl-C reaches every process of a terminal. The first one says what was reached, and ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _stop)
    players = Players(setup)
    kindly = False
    try:
        while True:
            line.send(_played(players, line.recv()))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        kindly = True  # nobody wants any more games
    finally:
        players.close(kindly=kindly)


def _stop(*_: object) -> NoReturn:
    raise SystemExit


def _played(players: Players, task: GameTask) -> GameResult | IllegalChoice | str:
    try:
        return players.play(task)
    except IllegalChoice as error:
        return error
    except Exception as error:
        return f"{type(error).__name__}: {error}"
