"""One game of a match: played, timed, and boiled down to what is counted of it.

The clock is read here, around each decision; it changes nothing of what is played.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence

import msgspec

from looseends_client.arena.entrants import Entrant
from looseends_client.arena.standings import SeatOutcome, Times
from looseends_client.programs.player import ProgramPlayer
from looseends_core.actions import Action
from looseends_core.bot_game import play_bot_game
from looseends_core.bots import Bot
from looseends_core.decide import IllegalAction
from looseends_core.events import Event
from looseends_core.record import record_of, record_to_json
from looseends_core.rules import RuleSet
from looseends_core.state import State, evolve

_COMPLAINTS = 5
"""Faults of programs that are told of one game; there may be one a decision."""


class MatchSetup(msgspec.Struct, frozen=True):
    """What all games of a match have in common."""

    rules: RuleSet
    seed: str
    entrants: tuple[Entrant, ...]
    records: bool = False
    """Whether each game's record is wanted."""
    seconds: float = 5.0
    """What a program may take for a decision."""


class GameTask(msgspec.Struct, frozen=True):
    """A game to be played: the number of its deal, and the entrant, by number, on each seat."""

    deal: int
    seated: tuple[int, ...]


class GameResult(msgspec.Struct, frozen=True):
    """What came of a game: a line a seat, the times of each entrant by number, and its record where that was wanted."""

    task: GameTask
    outcomes: tuple[SeatOutcome, ...]
    times: dict[int, Times]
    replaced: dict[int, int]
    complaints: tuple[str, ...] = ()
    record: bytes | None = None


class IllegalChoice(Exception):
    """A level chose what the rules refuse, which is a fault of the level."""


class Players:
    """The players of a match as one process has them: programs are started once a seat and kept."""

    def __init__(self, setup: MatchSetup) -> None:
        self._setup = setup
        self._players: dict[tuple[int, int], Bot | ProgramPlayer] = {}
        self._heard: list[str] = []

    def play(self, task: GameTask) -> GameResult:
        """Play one game. Raises IllegalChoice."""
        setup = self._setup
        times = {entrant: Times() for entrant in task.seated}
        before = {entrant: self._replaced(entrant) for entrant in times}
        self._heard.clear()
        bots = [self._timed(entrant, seat, times[entrant]) for seat, entrant in enumerate(task.seated)]
        state = State(setup.rules)
        events: list[Event] = []
        try:
            for event in play_bot_game(setup.rules, bots, setup.seed, task.deal):
                events.append(event)
                evolve(state, event)
        except IllegalAction as error:
            who = ", ".join(setup.entrants[entrant].name for entrant in task.seated)
            raise IllegalChoice(
                f"an illegal choice in deal {task.deal} of seed {setup.seed} with {who} on the seats, after "
                f"{len(events)} events: {error}"
            ) from error
        return GameResult(
            task,
            _outcomes(state),
            times,
            {entrant: self._replaced(entrant) - before[entrant] for entrant in times},
            tuple(self._heard[:_COMPLAINTS]),
            self._record(task.seated, events) if setup.records else None,
        )

    def _timed(self, entrant: int, seat: int, times: Times) -> Bot:
        player = self._players.get((entrant, seat))
        if player is None:
            player = self._setup.entrants[entrant].player(self._heard.append, self._setup.seconds)
            self._players[entrant, seat] = player
        choose: Bot = player.choose if isinstance(player, ProgramPlayer) else player
        # A program's CPU is spent in its own process: what can be measured of it is how long it is waited for.
        clock = time.perf_counter if isinstance(player, ProgramPlayer) else time.thread_time

        def timed(view: State, rng: random.Random) -> Action:
            began = clock()
            action = choose(view, rng)
            times.add(clock() - began)
            return action

        return timed

    def _replaced(self, entrant: int) -> int:
        players = (player for (number, _), player in self._players.items() if number == entrant)
        return sum(player.replaced for player in players if isinstance(player, ProgramPlayer))

    def _record(self, seated: Sequence[int], events: list[Event]) -> bytes:
        names = [self._setup.entrants[entrant].player_name for entrant in seated]
        return msgspec.json.encode(record_to_json(record_of(self._setup.rules, names, events))) + b"\n"

    def close(self, *, kindly: bool = True) -> None:
        """End all programs; kindly, each has a moment to end by itself."""
        for player in self._players.values():
            if isinstance(player, ProgramPlayer):
                player.close(kindly=kindly)
        self._players.clear()


def _outcomes(state: State) -> tuple[SeatOutcome, ...]:
    winners = state.winners or ()
    return tuple(
        SeatOutcome(
            score=state.scores[seat],
            win=1 / len(winners) if seat in winners else 0.0,
            rounds=len(state.results),
            perfect=sum(sheet[seat].perfect_crime for sheet in state.results),
            snitched=sum(sheet[seat].snitched for sheet in state.results),
            succeeded=sum(sheet[seat].snitch_succeeded for sheet in state.results),
        )
        for seat in range(state.players)
    )
