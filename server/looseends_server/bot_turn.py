"""The bot that is on turn at one table: what it is asked, where it thinks, and what is played if it fails.

A level that searches thinks in a worker process while the pace of the table lets people follow; any other chooses in
an instant, where its turn has come. A thought belongs to one state of one game: for any other it is worth nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import structlog

from looseends_core.actions import Action
from looseends_core.bots.thought import Thought
from looseends_core.decide import legal_actions
from looseends_core.redact import redact
from looseends_server.mind_messages import Question
from looseends_server.minds import Ticket
from looseends_server.thinking import bounded_thought

if TYPE_CHECKING:
    from looseends_server.table import Table

log = structlog.get_logger()

STAND_IN_LEVEL = "steady"
"""The level of a bot that keeps a person's place, and of whoever plays for one that cannot be asked."""


def question_of(table: Table, seat: int, level: str) -> Question:
    """Return what a worker is asked for a seat: nothing in it that the seat may not know.

    Asked twice for the same state of the same game, the question is the same.
    """
    state = table.state
    seed = f"{table.seed.hex()}/{state.game}/{state.play.number}"
    return Question(level, state.rules, tuple(redact(event, seat) for event in state.events), seed)


class BotTurn:
    """The turn of a bot. `act` is called, as a job of the table, when a choice that was waited for is there."""

    __slots__ = ("_act", "_key", "_table", "_thought", "_ticket", "_wanted")

    def __init__(self, table: Table, act: Callable[[], None]) -> None:
        self._table = table
        self._act = act
        self._key: tuple[int, int, int, str] | None = None
        """Game, state number, seat and level of the turn."""
        self._ticket: Ticket | None = None
        self._thought: Thought | None = None
        self._wanted = False
        """Whether the choice is due, and the thought alone is missing."""

    def think(self, seat: int, level: str) -> None:
        """Begin to think about the turn of a bot of this level, where it takes thought; asked again, do nothing."""
        table = self._table
        key = (table.state.game, table.state.play.number, seat, level)
        if key != self._key:
            self.forget()
            self._key = key
        mind = table.house.levels.get(level)
        if self._ticket is not None or mind is None or not mind.searches or len(legal_actions(table.state.play)) == 1:
            return
        self._ticket = table.house.minds.ask(
            question_of(table, seat, level), lambda thought: self._answered(key, thought)
        )

    def forget(self) -> None:
        """Want no thought any more."""
        if self._ticket is not None:
            self._ticket.drop()
        self._key = self._ticket = self._thought = None
        self._wanted = False

    def _answered(self, key: tuple[int, int, int, str], thought: Thought | None) -> None:
        if key == self._key:
            self._thought = thought
            if self._wanted:
                self._table.submit(lambda: self._act_if_still(key))

    def _act_if_still(self, key: tuple[int, int, int, str]) -> None:
        """Act, unless the turn has become another one while the table was busy: that one has a pace of its own."""
        if key == self._key:
            self._act()

    @property
    def is_thought_about(self) -> bool:
        """Whether a thought about this turn is on its way: `act` will be called."""
        return self._ticket is not None and self._ticket.is_wanted

    def choice(self, seat: int, level: str) -> Action | None:
        """Return what the bot does, None while it has not made up its mind; ask again then, or when `act` is called."""
        self.think(seat, level)
        legal = legal_actions(self._table.state.play)
        if len(legal) == 1:
            return legal[0]
        mind = self._table.house.levels.get(level)
        if mind is None or not mind.searches:
            return self._chosen_here(seat, level, legal)
        if self._ticket is None or self._ticket.is_wanted:
            self._wanted = True
            return None
        if self._thought is not None:
            if self._thought.best in legal:
                return self._thought.best
            log.error("bot chose what is not legal", table=self._table.code, level=level)
        return self._chosen_here(seat, STAND_IN_LEVEL, legal)

    def _chosen_here(self, seat: int, level: str, legal: list[Action]) -> Action:
        """Return a choice that takes no search; any legal action where it fails or takes too long."""
        table = self._table
        try:
            view = table.view_of(seat)
            with bounded_thought():
                action = table.house.levels[level].choose(view, table.rng)
            if action in legal:
                return action
            log.error("bot chose what is not legal", table=table.code, level=level)
        except Exception:
            log.exception("bot failed", table=table.code, level=level)
        return legal[0]
