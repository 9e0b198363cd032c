"""Hints: what a strong bot would do in a person's place, from what that person sees, thought in a worker process.

A hint is for the asker's own turn and for the state it was asked at. What was thought once for a state is kept for as
long as that state lasts, so that to ask again costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from looseends_core.bots import Level
from looseends_core.bots.thought import NOT_ASKED, Thought, Weighed
from looseends_core.decide import legal_actions
from looseends_protocol.messages import AskHint, Hint, WeighedAction
from looseends_server.bot_turn import question_of
from looseends_server.minds import Ticket

if TYPE_CHECKING:
    from looseends_server.connection import Connection
    from looseends_server.table import Table

MOST_HUNDREDTHS = 100_000
"""The largest number of hundredths that a message holds."""


class Hints:
    """The hints of one table."""

    __slots__ = ("_kept", "_running", "_table")

    def __init__(self, table: Table) -> None:
        self._table = table
        self._running: dict[int, tuple[Connection, AskHint, Ticket]] = {}
        """For which seats a hint is being thought of: who asked what."""
        self._kept: tuple[int, int, str, tuple[WeighedAction, ...]] | None = None
        """The latest hint: its game, state number, level, and what was weighed."""

    def ask(self, connection: Connection, message: AskHint) -> None:
        """Answer with a hint when it is thought of, or refuse it."""
        table = self._table
        state = table.state
        seat = connection.seat
        level = adviser(table.house.levels)
        error = ""
        if seat is None:
            error = "table/not_seated"
        elif state.stage == "gathering":
            error = "table/not_started"
        elif not state.options.hint:
            error = "hint/off"
        elif message.game != state.game or message.number != state.play.number:
            error = "action/stale"
        elif state.stage != "playing" or state.play.turn != seat:
            error = "hint/not_asked"
        elif self._is_running(seat, message):
            error = "hint/running"
        elif level is None:
            error = "hint/none"
        if error or seat is None or level is None:
            connection.refuse(message.id, error)
            return
        if self._kept is not None and self._kept[:2] == (message.game, message.number):
            connection.send(Hint(message.id, *self._kept[2:]))
            return
        self._give_up(seat)
        name = level.name
        ticket = table.house.minds.ask(
            question_of(table, seat, name), lambda thought: self._thought(connection, message, seat, name, thought)
        )
        if ticket is None:
            connection.refuse(message.id, "table/busy", retry_after=1)
            return
        self._running[seat] = (connection, message, ticket)

    def _is_running(self, seat: int, message: AskHint) -> bool:
        """Return whether this very hint is being thought of for somebody who still waits for it."""
        if seat not in self._running:
            return False
        connection, asked, _ = self._running[seat]
        return (asked.game, asked.number) == (message.game, message.number) and not connection.is_gone()

    def _give_up(self, seat: int) -> None:
        """Want no hint any more that was for another state, or for a connection that is gone."""
        if seat in self._running:
            connection, asked, ticket = self._running.pop(seat)
            ticket.drop()
            if not connection.is_gone():
                connection.refuse(asked.id, "action/stale")

    def _thought(
        self, connection: Connection, message: AskHint, seat: int, level: str, thought: Thought | None
    ) -> None:
        """Tell whoever asked, if that is still of use to them."""
        self._running.pop(seat, None)
        table = self._table
        state = table.state
        if connection.is_gone():
            return
        if table.closed:
            connection.refuse(message.id, "table/closed")
        elif connection.table is not table or connection.seat != seat:
            connection.refuse(message.id, "table/not_here")
        elif message.game != state.game or message.number != state.play.number or state.stage != "playing":
            connection.refuse(message.id, "action/stale")
        elif thought is None or not _is_of_use(thought, table):
            connection.refuse(message.id, "hint/none")
        else:
            weighed = tuple(_as_sent(one) for one in thought.weighed)
            self._kept = (message.game, message.number, level, weighed)
            connection.send(Hint(message.id, level, weighed))


def adviser(levels: dict[str, Level]) -> Level | None:
    """Return the level that gives hints: the strongest that searches."""
    return next((level for level in reversed(levels.values()) if level.searches), None)


def _is_of_use(thought: Thought, table: Table) -> bool:
    """Return whether a thought is about what may be done now, and about nothing else."""
    actions = [one.action for one in thought.weighed]
    legal = legal_actions(table.state.play)
    return len(actions) == len(legal) and all(action in legal for action in actions)


def _as_sent(one: Weighed) -> WeighedAction:
    return WeighedAction(
        action=one.action,
        points=hundredths(one.points),
        uncertainty=max(0, hundredths(one.error)),
        own=hundredths(one.own),
        worlds=one.worlds,
        wins=_percent(one.wins),
        cover=one.cover,
        covers=_percent(one.covers),
        loose=_percent(one.loose),
        snitches=_percent(one.snitches),
        perfect=_percent(one.perfect),
    )


def hundredths(points: float) -> int:
    """Return points as messages hold them."""
    return max(-MOST_HUNDREDTHS, min(MOST_HUNDREDTHS, round(points * 100)))


def _percent(share: float) -> int | None:
    return None if share == NOT_ASKED else max(0, min(100, round(share * 100)))
