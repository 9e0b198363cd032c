"""The teacher of one lesson: what is said at each moment, which move is waited for, and how the others move.

All of it follows from the lesson and the state that is shown; nothing is kept, so a lesson can be left at any time.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from functools import cached_property

from looseends_client.narration import Sentence
from looseends_client.table_keys import TableKeys
from looseends_client.tutorial.lessons import LEARNER, NONCE, OTHERS, Lesson
from looseends_core.actions import PASS, Action, Bid, Cover, Play
from looseends_core.bots import Level
from looseends_core.cards import parse
from looseends_core.decide import deal_round, decide, legal_actions
from looseends_core.shuffle import ZERO_NONCE, Deal, Fairness, shuffled_deal
from looseends_core.state import State, evolve

KeyOf = Callable[[str], str]
"""Returns how the key of an action of the table is written."""
_CARD = re.compile(r"\{(\w+)\}")
_KEY = re.compile(r"<([\w-]+)>")
USUAL_KEYS: KeyOf = TableKeys().shown


def sentence_of(text: str, key_of: KeyOf = USUAL_KEYS) -> Sentence:
    """Return a text of a lesson as texts and cards, with the keys that are in force."""
    parts = _CARD.split(_KEY.sub(lambda found: key_of(found[1]), text))
    return tuple(parse(part) if place % 2 else part for place, part in enumerate(parts) if part)


def move_of(written: str) -> Action:
    """Return the action of a written move: `bid G6`, `pass`, `play B5`. Raises CardError or KeyError."""
    word, _, card = written.partition(" ")
    if word == "pass":
        return PASS
    kinds: dict[str, type[Bid | Play | Cover]] = {"bid": Bid, "play": Play, "cover": Cover}
    return kinds[word](parse(card))


class Teacher:
    """Knows one lesson, and the keys that the learner has."""

    def __init__(self, lesson: Lesson, key_of: KeyOf = USUAL_KEYS) -> None:
        self.lesson = lesson
        self._key_of = key_of

    def deal(self) -> Deal:
        """Return the deal of the lesson, which its secret and its nonce fix as any other's."""
        fairness = Fairness(self.lesson.secret, (NONCE, *(ZERO_NONCE for _ in OTHERS)))
        return shuffled_deal(self.lesson.rules, 1, fairness)

    @cached_property
    def _course(self) -> dict[int, tuple[Action, int | None]]:
        """The move at each state number of the lesson, and the number of the learner's step, None for another's."""
        state = State(self.lesson.rules)
        for event in deal_round(state, self.deal()):
            evolve(state, event)
        course: dict[int, tuple[Action, int | None]] = {}
        steps = 0
        for written in self.lesson.moves:
            action = move_of(written)
            seat = state.turn
            assert seat is not None, "somebody is on turn for every move of a lesson"
            course[state.number] = action, steps if seat == LEARNER else None
            steps += seat == LEARNER
            for event in decide(state, seat, action):
                evolve(state, event)
        return course

    def step(self, state: State) -> int | None:
        """Return the number, from 0, of the learner's step that is waited for; None while another is on turn."""
        if state.turn != LEARNER:
            return None
        _, step = self._course.get(state.number, (None, None))
        return step

    def says(self, state: State, *, trick_lies: bool) -> Sentence:
        """Return what is said now; empty where what was said last still holds."""
        if trick_lies and state.tricks:
            return sentence_of(self.lesson.tricks[len(state.tricks) - 1], self._key_of)
        step = self.step(state)
        return () if step is None else sentence_of(self.lesson.steps[step].says, self._key_of)

    def instead(self, state: State, action: Action) -> Sentence:
        """Return why the lesson goes another way than this legal action; empty where it is the one waited for."""
        wanted, step = self._course.get(state.number, (action, None))
        if action == wanted or step is None:
            return ()
        return sentence_of(self.lesson.steps[step].instead, self._key_of)

    def others(self) -> dict[str, Level]:
        """Return the levels that play the other seats of this lesson."""
        return {name: Level(name, "Follows the lesson.", self._move) for name in OTHERS}

    def _move(self, view: State, rng: random.Random) -> Action:
        """Return the move of the seat on turn; any legal one where the lesson does not know of this moment."""
        action, _ = self._course.get(view.number, (None, None))
        return legal_actions(view)[0] if action is None else action
