"""Where bots that search think: worker processes, the queue before them, and what is done about one that fails.

Nothing of it exists before the first question, and nothing is left of it a while after the last. A question waits as
long as it has to and is then thought about as well as any other; a worker that dies, hangs or talks nonsense is
replaced and its question asked once more. Who asks, and what is done without an answer, is the table's.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import socket
from collections import deque
from collections.abc import Callable, Sequence

import msgspec
import structlog

from looseends_core.bots import LEVELS
from looseends_core.bots.thought import Thought
from looseends_core.state import fold
from looseends_server.clock import Clock, Timer
from looseends_server.counts import Counts
from looseends_server.limits import Limits
from looseends_server.mind_messages import Answer, Question
from looseends_server.mind_worker import COMMAND, MindWorker

log = structlog.get_logger()

WORKERS_EXIST = hasattr(signal, "setitimer") and hasattr(socket, "AF_UNIX")
"""Whether this system has what a worker needs; without it every level thinks where it is asked."""
TRIES = 2
"""How often a question is asked whose worker is lost over it."""
LOSSES_IN_A_ROW = 4
"""After so many lost workers without an answer between them none is started for a while."""
REST_SECONDS = 30.0


def _cores() -> int:
    """Return how many cores this process may use, which in a container are not all."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


Then = Callable[[Thought | None], None]


class Ticket:
    """A question on its way. `then` is called once with the thought, or None where none can be had."""

    __slots__ = ("number", "question", "then", "tries")

    def __init__(self, question: Question, then: Then) -> None:
        self.question = question
        self.then: Then | None = then
        self.number = 0
        """That of the question as it was last sent."""
        self.tries = 0

    def drop(self) -> None:
        """Want no answer any more."""
        self.then = None

    @property
    def is_wanted(self) -> bool:
        """Whether somebody still waits for the answer."""
        return self.then is not None

    def give(self, thought: Thought | None) -> None:
        """Answer, where that is still wanted."""
        then, self.then = self.then, None
        if then is None:
            return
        try:
            then(thought)
        except Exception:  # a fault of whoever asked is theirs, and no fault of the worker that answered
            log.exception("thought not taken", level=self.question.level)


class Minds:
    """All workers of one house. `command` starts one."""

    def __init__(self, limits: Limits, clock: Clock, counts: Counts, command: Sequence[str] = COMMAND) -> None:
        self._limits = limits
        self._clock = clock
        self._counts = counts
        self._command = command
        self._queue: deque[Ticket] = deque()
        self._idle: dict[MindWorker, Timer] = {}
        """Workers that wait, the one that worked last behind, each with the timer that will end it."""
        self._busy: dict[MindWorker, tuple[Ticket, Timer]] = {}
        """Workers that think, each with what about, and the timer after which it counts as hanging."""
        self._leaving: dict[MindWorker, asyncio.Task[None]] = {}
        self._asked = 0
        self._losses = 0
        """Workers lost since the last answer of any."""
        self._rests_until = 0.0
        self._closed = False

    @property
    def waiting(self) -> int:
        """How many questions wait for a worker."""
        return sum(ticket.is_wanted for ticket in self._queue)

    @property
    def workers(self) -> int:
        """How many workers there are."""
        return len(self._idle) + len(self._busy)

    def everybody(self) -> list[MindWorker]:
        """Return every worker, those that wait first."""
        return [*self._idle, *self._busy]

    @property
    def most_workers(self) -> int:
        """How many workers there may be."""
        return self._limits.workers or max(1, _cores() - 1)

    def ask(self, question: Question, then: Then) -> Ticket | None:
        """Put a question into the queue; None where it is full, and then nobody will be answered.

        The question's own number and time are filled in when it is sent. `then` is never called before this returns.
        """
        if len(self._queue) >= self._limits.waiting_thoughts:
            self._queue = deque(ticket for ticket in self._queue if ticket.is_wanted)
            if len(self._queue) >= self._limits.waiting_thoughts:
                return None
        ticket = Ticket(question, then)
        self._queue.append(ticket)
        # Later, so that whoever asks holds the ticket before it can be answered.
        asyncio.get_running_loop().call_soon(self._set_to_work if WORKERS_EXIST else self._think_here)
        return ticket

    def _think_here(self) -> None:
        while self._queue:
            ticket = self._queue.popleft()
            if ticket.is_wanted:
                question = ticket.question
                view = fold(question.rules, question.events)
                ticket.give(LEVELS[question.level].think(view, random.Random(question.seed)))

    def _set_to_work(self) -> None:
        """Give questions to workers, and start some where there are fewer than there may be."""
        while self._queue and not self._closed:
            ticket = self._queue[0]
            if not ticket.is_wanted:
                self._queue.popleft()
                continue
            worker = self._free_worker()
            if worker is None:
                if self._busy:
                    return
                self._queue.popleft()
                ticket.give(None)
                continue
            self._queue.popleft()
            self._give(worker, ticket)

    def _free_worker(self) -> MindWorker | None:
        if self._idle:
            worker, timer = self._idle.popitem()
            timer.cancel()
            return worker
        if self.workers >= self.most_workers or self._clock.monotonic() < self._rests_until:
            return None
        try:
            return MindWorker(self._command, self._answered, self._lost)
        except OSError as error:
            log.error("no worker can be started", why=error.strerror)
            self._count_loss()
            return None

    def _give(self, worker: MindWorker, ticket: Ticket) -> None:
        ticket.tries += 1
        self._asked += 1
        ticket.number = self._asked
        worker.ask(
            msgspec.structs.replace(ticket.question, number=ticket.number, cpu_seconds=self._limits.thought_cpu_seconds)
        )
        timer = self._clock.call_later(self._limits.thought_seconds, lambda: self._hangs(worker))
        self._busy[worker] = (ticket, timer)

    def _answered(self, worker: MindWorker, answer: Answer) -> None:
        held = self._busy.get(worker)
        if held is None or held[0].number != answer.number:
            self._give_up(worker, "it answered what nobody asked")
            return
        del self._busy[worker]
        ticket, timer = held
        timer.cancel()
        self._losses = 0
        counts = self._counts
        counts.thinking_seconds += answer.cpu_seconds
        if answer.thought is None:
            log.error("bot failed", level=ticket.question.level, error=answer.failure)
            counts.thoughts["failed"] += 1
        else:
            if answer.struck:
                log.warning("thought cut short", level=ticket.question.level, cpu_seconds=answer.cpu_seconds)
            counts.thoughts["cut_short" if answer.struck else "whole"] += 1
        self._idle[worker] = self._clock.call_later(self._limits.worker_idle_seconds, lambda: self._retire(worker))
        ticket.give(answer.thought)
        self._set_to_work()

    def _hangs(self, worker: MindWorker) -> None:
        self._give_up(worker, "it did not answer in time")

    def _give_up(self, worker: MindWorker, why: str) -> None:
        self._leave(worker)
        self._lost(worker, why)

    def _lost(self, worker: MindWorker, why: str) -> None:
        """Ask once more what a lost worker was asked."""
        timer = self._idle.pop(worker, None)
        held = self._busy.pop(worker, None)
        self._leave(worker)
        if timer is not None:
            timer.cancel()
        if self._closed:
            return
        log.warning("worker lost", why=why, thinking=held is not None)
        self._counts.thoughts["lost"] += held is not None
        self._count_loss()
        if held is not None:
            ticket, timer = held
            timer.cancel()
            if ticket.tries < TRIES and ticket.is_wanted:
                self._queue.appendleft(ticket)
            else:
                ticket.give(None)
        self._set_to_work()

    def _count_loss(self) -> None:
        self._losses += 1
        if self._losses >= LOSSES_IN_A_ROW:
            log.error("workers fail again and again: bots that search choose as others do for a while")
            self._losses = 0
            self._rests_until = self._clock.monotonic() + REST_SECONDS

    def _retire(self, worker: MindWorker) -> None:
        if self._idle.pop(worker, None) is not None:
            self._leave(worker)

    def _leave(self, worker: MindWorker) -> None:
        if worker not in self._leaving:
            worker.end()
            task = self._leaving[worker] = asyncio.get_running_loop().create_task(worker.ended())
            task.add_done_callback(lambda _: self._leaving.pop(worker, None))

    async def close(self) -> None:
        """End every worker; what waits is not answered."""
        self._closed = True
        for ticket in self._queue:
            ticket.drop()
        self._queue.clear()
        for worker, (ticket, timer) in self._busy.items():
            ticket.drop()
            timer.cancel()
            self._leave(worker)
        for worker, timer in self._idle.items():
            timer.cancel()
            self._leave(worker)
        self._busy.clear()
        self._idle.clear()
        await asyncio.gather(*self._leaving.values())
