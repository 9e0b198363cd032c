"""A program at a seat of a table: it chooses, or, where it fails, `steady` does in its place.

How a process is spoken to lives in `program`, what is said to it in `view_json`.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable

import msgspec

from looseends_client.programs.program import Program, ProgramFault, words_of
from looseends_client.programs.view_json import SEED_BITS, AnswerInvalid, action_of_line, view_to_json
from looseends_core.actions import Action
from looseends_core.bots.steady import choose_as_steady
from looseends_core.state import State

DECISION_SECONDS = 5.0
"""How long a decision may take unless told otherwise."""
STARTING_SECONDS = 10.0
"""What the first answer after a start may take besides."""
STARTS = 3
"""How often a program is started in all; when that is used up, `steady` plays on for it."""


class ProgramPlayer:
    """A program that chooses for one seat. `say` is told each fault in one sentence."""

    def __init__(
        self,
        command: str,
        say: Callable[[str], None],
        *,
        seconds: float = DECISION_SECONDS,
        starting_seconds: float = STARTING_SECONDS,
    ) -> None:
        """Raises ValueError where there is no such program. It is started when it is first asked."""
        self._words = words_of(command)
        self._command = command
        self._say = say
        self._seconds = seconds
        self._starting_seconds = starting_seconds
        self._program: Program | None = None
        self._starts = 0
        self.replaced = 0
        """Decisions that `steady` took in its place."""

    def choose(self, view: State, rng: random.Random, within: float | None = None) -> Action:
        """Return the program's action for the seat on turn, or another legal one where it has none to give.

        `within` is what this one decision may take in seconds, where that is less than the usual.
        """
        line = msgspec.json.encode(view_to_json(view, int(rng.random() * 2**SEED_BITS))) + b"\n"
        try:
            if self._program is None and self._starts == STARTS:
                return self._instead(view, rng)
            return action_of_line(self._answer(line, within), view)
        except AnswerInvalid as error:
            self._say(f"{self._command} {error}. steady chooses this once.")
        except ProgramFault as error:
            self.close(kindly=False)
            then = "it is started anew" if self._starts < STARTS else "steady plays on for it"
            self._say(f"{self._command} {error}: steady chooses, and {then}.")
        return self._instead(view, rng)

    def _answer(self, line: bytes, within: float | None) -> bytes:
        seconds = self._seconds
        if self._program is None:
            self._starts += 1
            self._program = Program(self._words)
            seconds += self._starting_seconds
        return self._program.ask(line, seconds if within is None else min(seconds, within))

    def _instead(self, view: State, rng: random.Random) -> Action:
        self.replaced += 1
        return choose_as_steady(view, rng)

    def stop(self) -> None:
        """Wait for the program no more, from any thread: a decision that is being made is taken by `steady` at once."""
        self._starts = STARTS
        program = self._program
        if program is not None:
            program.kill()

    def close(self, *, kindly: bool = True) -> None:
        """End the program, and everything that it started; another decision would start it again."""
        program, self._program = self._program, None
        if program is not None:
            with contextlib.suppress(ChildProcessError):
                program.close(kindly=kindly)
