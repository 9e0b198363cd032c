"""What a table is: the fold of its journal. A restart is this fold over the kept facts, and nothing else.

Connections, timers and chat are not here: they do not outlive a restart. Facts are applied without judging; who may
do what is decided in `table` and its neighbours.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from looseends_core.events import Event, GameEnded, RoundDealt, RoundScored
from looseends_core.rules import RuleSet, check_rules
from looseends_core.state import State, evolve
from looseends_protocol.messages import Away, TableOptions
from looseends_server.facts import (
    BotSeated,
    ClockLeft,
    Fact,
    FactUnreadable,
    FellAsleep,
    GameOpened,
    Happened,
    HostPassed,
    NonceKept,
    PersonBack,
    PersonLeft,
    ReadyGiven,
    SeatEmptied,
    SeatTaken,
    SecretCommitted,
    TableOpened,
    Thawed,
)

DAILY = "daily "
"""In front of a day, as 2026-11-30, in the name of a contest: the deal of that day."""
Stage = Literal["gathering", "dealing", "playing", "between", "over"]


class Seat(msgspec.Struct):
    """Who a seat belongs to. `since` orders persons by how long they have sat there."""

    kind: Literal["open", "person", "bot"] = "open"
    identity: int | None = None
    name: str = ""
    level: str = ""
    away: Away = ""
    since: int = 0


class DealProof(msgspec.Struct):
    """The proof of one round's deal while it grows: secret first, nonces after."""

    round: int
    secret: bytes
    nonces: dict[int, bytes]
    over: bool = False


class TableState:
    """A table as its journal tells it. Read freely; only `apply` changes it."""

    __slots__ = (
        "applied",
        "asleep_at",
        "clock_left",
        "deals",
        "events",
        "game",
        "host",
        "made_at",
        "names",
        "options",
        "password",
        "play",
        "practice",
        "proofs",
        "ready",
        "rules",
        "seats",
        "stage",
    )

    def __init__(self, opened: TableOpened) -> None:
        self.rules: RuleSet = opened.rules
        self.options: TableOptions = opened.options
        self.password = opened.password
        self.made_at = opened.made_at
        self.deals = opened.deals
        """What the cards of every round follow from, empty where they are drawn anew."""
        self.practice = opened.practice
        """Whether what is played here counts for nothing."""
        self.seats = [Seat() for _ in range(opened.rules.players)]
        self.host: int | None = None
        self.game = 0
        self.names: tuple[str, ...] = ()
        """Who plays the running game, as its record names them."""
        self.stage: Stage = "gathering"
        self.play = State(opened.rules)
        """The running game; a fresh one before the first."""
        self.events: list[Event] = []
        """All events of the running game."""
        self.proofs: dict[int, DealProof] = {}
        self.ready: set[int] = set()
        self.clock_left: float | None = None
        """Seconds the seat on turn had left at the last commit of its turn; None means a whole turn."""
        self.asleep_at: float | None = None
        """Since when nobody is at the table, in seconds since 1970, None where somebody is, or nobody noted it."""
        self.applied = 1
        """Facts applied: orders who sat down before whom."""

    def apply(self, fact: Fact) -> None:
        """Apply one fact of the journal."""
        self.applied += 1
        if not isinstance(fact, Thawed):
            self.asleep_at = None
        match fact:
            case Happened():
                self.clock_left = None
                for event in fact.events:
                    self._apply_event(event)
            case SeatTaken():
                self._reseat(fact.seat, Seat("person", fact.identity, fact.name, since=self.applied))
                if self.host is None:
                    self.host = fact.identity
            case SeatEmptied():
                self._reseat(fact.seat, Seat())
            case BotSeated():
                self._reseat(fact.seat, Seat("bot", level=fact.level, since=self.applied))
            case PersonLeft():
                self.seats[fact.seat].away = fact.why
                self.ready.discard(fact.seat)
            case PersonBack():
                self.seats[fact.seat].away = ""
            case HostPassed():
                self.host = fact.identity
            case GameOpened():
                self._open_game(fact.game, fact.names)
            case SecretCommitted():
                self.proofs[fact.round] = DealProof(fact.round, fact.secret, {})
                self.stage = "dealing"
                self.ready.clear()
            case NonceKept():
                self.proofs[self.play.round + 1].nonces[fact.seat] = fact.nonce
            case ReadyGiven():
                self.ready.add(fact.seat)
            case ClockLeft():
                self.clock_left = fact.seconds
            case FellAsleep():
                self.asleep_at = fact.at
            case Thawed() | TableOpened():
                pass

    def _reseat(self, number: int, seat: Seat) -> None:
        self.seats[number] = seat
        self.ready.discard(number)  # who sat there before may have been ready; who sits there now has not said so

    def _open_game(self, game: int, names: tuple[str, ...]) -> None:
        self.game = game
        self.names = names
        self.play = State(self.rules)
        self.events = []
        self.proofs = {}
        self.ready.clear()

    def _apply_event(self, event: Event) -> None:
        evolve(self.play, event)
        self.events.append(event)
        if type(event) is RoundDealt:
            self.stage = "playing"
        elif type(event) is RoundScored:
            self.stage = "between"
            self.ready.clear()
            if self.play.round in self.proofs:
                self.proofs[self.play.round].over = True
        elif type(event) is GameEnded:
            self.stage = "over"

    def seat_of(self, identity: int) -> int | None:
        """Return the seat that this person holds, None where they hold none or were removed from it."""
        for number, seat in enumerate(self.seats):
            if seat.identity == identity and seat.kind == "person" and seat.away != "removed":
                return number
        return None

    def is_free(self, number: int) -> bool:
        """Return whether somebody new may sit down there: also, once a game is over, where somebody left it."""
        seat = self.seats[number]
        return seat.kind == "open" or (not self.running and seat.kind == "person" and seat.away in ("left", "removed"))

    @property
    def everybody_left(self) -> bool:
        """Whether no person belongs to this table any more: nobody is left who could come back to it."""
        return not any(seat.kind == "person" and seat.away == "" for seat in self.seats)

    @property
    def running(self) -> bool:
        """Whether a game is under way: seats cannot be given up then."""
        return self.stage in ("dealing", "playing", "between")

    @property
    def is_daily(self) -> bool:
        """Whether this is somebody's deal of a day, of which there is one: it cannot be left for good unfinished."""
        return bool(self.deals) and self.options.contest.startswith(DAILY)

    def record_names(self) -> tuple[str, ...]:
        """Return who sits here now, one name a seat, as records write them: `bot:LEVEL` for bots."""
        return tuple(seat.name if seat.kind == "person" else f"bot:{seat.level or 'none'}" for seat in self.seats)


def fold_facts(facts: Sequence[Fact]) -> TableState:
    """Return the table that these facts lead to. Raises FactUnreadable where the first does not open a table.

    Facts that do not follow from each other lead to any state, or to any exception.
    """
    if not facts or not isinstance(facts[0], TableOpened):
        raise FactUnreadable("the journal of this table does not begin with its opening")
    check_rules(facts[0].rules)  # a damaged number of players could ask for more seats than there is memory for
    table = TableState(facts[0])
    for fact in facts[1:]:
        table.apply(fact)
    return table
