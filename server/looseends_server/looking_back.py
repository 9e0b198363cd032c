"""Looking back at a finished game of one's own: what a strong bot would have done, and playing on from a decision.

A bot that looks back is told what the seat knew then and nothing else, as if it sat there. A table made to play on from
a decision is a practice table: it counts for nothing, because its cards are known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from looseends_core.actions import Action
from looseends_core.bots.thought import Thought
from looseends_core.decide import deal_round, decide, legal_actions
from looseends_core.events import Event, RoundDealt
from looseends_core.record import GameRecord
from looseends_core.redact import redact
from looseends_core.rules import RuleSet
from looseends_core.state import Phase, State, evolve
from looseends_protocol.messages import Done, Request, Reviewed, ReviewedDecision, ReviewGame, TableOptions, WhatIf
from looseends_server.archive import unpacked
from looseends_server.facts import (
    BotSeated,
    Fact,
    GameOpened,
    Happened,
    NonceKept,
    SeatTaken,
    SecretCommitted,
    TableOpened,
)
from looseends_server.game_requests import read_games
from looseends_server.hints import adviser, hundredths
from looseends_server.mind_messages import Question
from looseends_server.store.games import GamesReader
from looseends_server.table_making import open_table, why_no_table

if TYPE_CHECKING:
    from looseends_server.connection import Connection
    from looseends_server.house import House

PRACTICE_TITLE = "What if"


class Decision(msgspec.Struct, frozen=True):
    """A decision in a game: the state number it was taken at, by whom, what was done, and in which phase."""

    number: int
    seat: int
    taken: Action
    phase: Phase
    choices: int


def decisions_of(record: GameRecord) -> tuple[list[Event], list[Decision]]:
    """Return the events of a record that is right, and every decision in it, in order."""
    state = State(record.rules)
    events: list[Event] = []
    decisions: list[Decision] = []

    def take(happened: Sequence[Event]) -> None:
        for event in happened:
            events.append(event)
            evolve(state, event)

    for played in record.rounds:
        take(deal_round(state, played.deal))
        for seat, action in played.actions:
            decisions.append(Decision(state.number, seat, action, state.phase, len(legal_actions(state))))
            take(decide(state, seat, action))
    return events, decisions


# ── what a strong bot would have done ────────────────────────────────────────────────────────────────────────────────


class Review(msgspec.Struct):
    """A review that goes on: decision after decision, one thought at a time."""

    house: House
    connection: Connection
    game: int
    rules: RuleSet
    events: list[Event]
    decisions: list[Decision]
    level: str
    done: int = 0

    def go_on(self) -> None:
        """Ask about the next decision, or end."""
        if self.connection.is_gone() or self.done == len(self.decisions):
            self.connection.reviewing = False
            return
        decision = self.decisions[self.done]
        seen = tuple(redact(event, decision.seat) for event in self.events[: decision.number])
        question = Question(self.level, self.rules, seen, f"review/{self.game}/{decision.number}")
        if self.house.minds.ask(question, self._thought) is None:
            # The queue is full of bots whose tables wait for them: they come first.
            self.house.clock.call_later(1.0, self.go_on)

    def _thought(self, thought: Thought | None) -> None:
        decision = self.decisions[self.done]
        self.done += 1
        reviewed = None if thought is None else _compared(decision, thought)
        self.connection.send(Reviewed(self.game, self.done, len(self.decisions), reviewed))
        self.go_on()


def _compared(decision: Decision, thought: Thought) -> ReviewedDecision | None:
    """Return what a decision was worth beside the best one, None where the thought is about something else."""
    worth = {one.action: one for one in thought.weighed}
    planning = decision.phase is Phase.PLANNING
    if decision.taken not in worth:
        return None
    # By points of this round: a bot that plays for the match may have ranked otherwise.
    best = max(thought.weighed, key=lambda one: one.points if one.worlds else float("-inf"))
    taken = worth[decision.taken]
    if not (best.worlds and taken.worlds):
        return ReviewedDecision(decision.number, decision.taken, thought.best, planning=planning)
    lost = best.points - taken.points
    return ReviewedDecision(
        number=decision.number,
        taken=decision.taken,
        best=decision.taken if lost <= 0 else best.action,
        lost=max(0, hundredths(lost)),
        uncertainty=max(0, hundredths((best.error**2 + taken.error**2) ** 0.5)),
        planning=planning,
    )


def review_game(house: House, connection: Connection, message: ReviewGame) -> None:
    """Look at each decision of the sender in a finished game, one after the other, and tell them what came of it."""
    level = adviser(house.levels)

    def review(record: GameRecord, seat: int) -> None:
        if connection.reviewing:
            connection.refuse(message.id, "game/busy", retry_after=5)
            return
        if level is None:
            connection.refuse(message.id, "hint/none")
            return
        events, decisions = decisions_of(record)
        own = [one for one in decisions if one.seat == seat and one.choices > 1]
        connection.reviewing = True
        connection.send(Done(message.id))
        Review(house, connection, message.game, record.rules, events, own, level.name).go_on()

    _with_own_game(house, connection, message, message.game, review)


# ── playing on from a decision ───────────────────────────────────────────────────────────────────────────────────────


def what_if(house: House, connection: Connection, message: WhatIf) -> None:
    """Open a practice table as a game of the sender stood before one of their decisions."""
    person = connection.person
    assert person is not None
    if message.level not in house.levels:
        connection.refuse(message.id, "table/no_level")
        return

    def begin(record: GameRecord, seat: int) -> None:
        events, decisions = decisions_of(record)
        if not any((one.number, one.seat) == (message.number, seat) for one in decisions):
            connection.refuse(message.id, "game/not_yours")
            return
        if error := why_no_table(house, person.identity):
            connection.refuse(message.id, error)
            return
        options = TableOptions(title=PRACTICE_TITLE, private=True, spectators=False)
        seats = range(record.rules.players)
        facts: list[Fact] = [
            TableOpened(record.rules, options, house.clock.wall(), practice=True),
            SeatTaken(seat, person.identity, person.name),
            *(BotSeated(other, message.level) for other in seats if other != seat),
            GameOpened(1, tuple(person.name if one == seat else f"bot:{message.level}" for one in seats)),
            *played_again(events[: message.number]),
        ]
        house.tables_in_making.append(person.identity)
        open_table(house, connection, message.id, facts, seat)

    _with_own_game(house, connection, message, message.game, begin)


def played_again(events: Sequence[Event]) -> Iterator[Fact]:
    """Yield the facts of a table at which this happened, the proofs of its deals included."""
    for event in events:
        if isinstance(event, RoundDealt) and event.fairness is not None:
            yield SecretCommitted(event.round, event.fairness.secret)
            yield from (NonceKept(seat, nonce) for seat, nonce in enumerate(event.fairness.nonces))
        yield Happened((event,))


def _with_own_game(
    house: House,
    connection: Connection,
    message: Request,
    game: int,
    then: Callable[[GameRecord, int], None],
) -> None:
    """Go on with the record of a finished game and the sender's seat in it, or refuse."""
    person = connection.person
    assert person is not None

    def read(reader: GamesReader) -> tuple[GameRecord, int | None] | tuple[None, None]:
        kept = reader.record(game, person.identity)
        return (None, None) if kept is None else (unpacked(kept), reader.seat_of(game, person.identity))

    def found(of: tuple[GameRecord, int | None] | tuple[None, None]) -> None:
        record, seat = of
        if record is None:
            connection.refuse(message.id, "game/unknown")
        elif seat is None:
            connection.refuse(message.id, "game/not_yours")
        else:
            then(record, seat)

    read_games(house, connection, message, read, found)


HANDLERS: dict[type, Callable[[House, Connection, Any], None]] = {ReviewGame: review_game, WhatIf: what_if}
"""The function of each message about looking back."""
