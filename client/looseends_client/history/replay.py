"""A recorded game to be gone through: the moments at which it waited, and the table as it stood at each.

The same fold as at a table that is played at: a view is the fold of redacted events, a model of it is a `TableModel`
that was told them. Which moment is shown, and how it is drawn, is the screen's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from looseends_client.deal_proof import DealProof
from looseends_client.seat_names import seat_names
from looseends_client.table_model import TableModel
from looseends_core.actions import Action
from looseends_core.decide import legal_actions
from looseends_core.events import Event
from looseends_core.record import GameRecord, steps_of
from looseends_core.redact import redact
from looseends_core.shuffle import commitment_of
from looseends_core.state import Phase, State, evolve, fold
from looseends_protocol.messages import Attending, Proof, SeatInfo, TableOptions, TablePhase
from looseends_protocol.people_text import BOT_PREFIX

NOTHING_PROVES = "nothing proves this deal: the record holds no secret and no nonces"
TITLE = "Replay"


class Stop(msgspec.Struct, frozen=True):
    """A moment at which a game waited for a decision, or for the next deal.

    `number` is the state number, `trick` counts from 1, 0 in planning; where the round is over it is one more than the
    tricks there were. `turn` is the seat that was due, None where nobody was; `legal` is what the rules allowed it and
    `taken` what it did, None where the record ends there.
    """

    number: int
    round: int
    trick: int
    turn: int | None
    legal: tuple[Action, ...] = ()
    taken: Action | None = None

    @property
    def is_choice(self) -> bool:
        """Whether there was more than one thing to do."""
        return len(self.legal) > 1


class _PastTable(TableModel):
    """A table that is looked at through any seat, and whose names stay the same meanwhile."""

    def __init__(self, now: Callable[[], float], reader: int | None) -> None:
        super().__init__(now)
        self._reader = reader

    def _set_seats(self, seats: tuple[SeatInfo, ...], seat: int | None) -> None:
        self.seats, self.seat, self.names = seats, seat, seat_names(seats, self._reader)


class Replay:
    """A game of a record that is right, as `verify.check_record` finds; raises what `record.steps_of` raises.

    `seat` is the reader's own, None where they did not play; `game` is the number under which a server keeps it, 0
    where none does; `contest` is the one that it belongs to, empty for none.
    """

    def __init__(self, record: GameRecord, seat: int | None = None, *, game: int = 0, contest: str = "") -> None:
        self.record = record
        self.rules = record.rules
        self.seat = seat
        self.game = game
        self._contest = contest
        self.events: tuple[Event, ...] = ()
        self.stops: tuple[Stop, ...] = ()
        """Every moment at which the game waited, the first deal first; none of a record without a deal."""
        self._begin()

    def _begin(self) -> None:
        state = State(self.rules)
        events: list[Event] = []
        stops: list[Stop] = []
        for step in steps_of(self.record):
            if step.action is not None:
                stops[-1] = msgspec.structs.replace(stops[-1], taken=step.action)
            for event in step.events:
                evolve(state, event)
            events += step.events
            legal = tuple(legal_actions(state)) if state.turn is not None else ()
            stops.append(Stop(state.number, state.round, _trick_of(state), state.turn, legal))
        self.events, self.stops = tuple(events), tuple(stops)

    @property
    def unproven(self) -> list[int]:
        """The rounds whose deal nothing proves."""
        return [number for number, played in enumerate(self.record.rounds, 1) if played.fairness is None]

    # ── the table at a moment ───────────────────────────────────────────────────────────────────────────────────

    def whole(self, number: int) -> State:
        """Return the table at a state number with every hand open."""
        return fold(self.rules, self.events[:number])

    def view(self, number: int, seat: int | None) -> State:
        """Return the table at a state number as a seat knew it; None is a spectator."""
        return fold(self.rules, [redact(event, seat) for event in self.events[:number]])

    def model(self, number: int, seat: int | None, now: Callable[[], float] = lambda: 0.0) -> TableModel:
        """Return the same as a model of a table, with its log, its accounts and the proofs of rounds that are over."""
        whole = self.whole(number)
        model = _PastTable(now, self.seat)
        attending = Attending(
            answers=0,
            sequence=0,
            code="",
            title=TITLE,
            rules=self.rules,
            options=TableOptions(title=TITLE, hint=False, contest=self._contest),
            phase=_phase_of(whole),
            host="",
            seats=self._seats(),
            game=1,
            seat=seat,
            events=tuple(redact(event, seat) for event in self.events[:number]),
            proofs=self._proofs(len(whole.results)),
        )
        model.attend(attending)
        for number_of_round in self.unproven:
            if number_of_round <= len(whole.results):
                model.proofs[number_of_round] = DealProof(number_of_round, proven=False, words=NOTHING_PROVES)
        return model

    def _seats(self) -> tuple[SeatInfo, ...]:
        levels = [name.removeprefix(BOT_PREFIX) for name in self.record.players]
        return tuple(
            SeatInfo("bot", level, level, connected=True)
            if name.startswith(BOT_PREFIX)
            else SeatInfo("person", name, connected=True)
            for name, level in zip(self.record.players, levels, strict=True)
        )

    def _proofs(self, rounds: int) -> tuple[Proof, ...]:
        """Return the promise and the proof of each of the first rounds."""
        proofs: list[Proof] = []
        for number, played in enumerate(self.record.rounds[:rounds], 1):
            if played.fairness is not None:
                commitment = commitment_of(played.fairness.secret)
                proofs.append(Proof(number, commitment))
                proofs.append(Proof(number, commitment, played.fairness.secret, played.fairness.nonces))
        return tuple(proofs)

    # ── from one moment to another: each takes and returns an index of `stops` ──────────────────────────────────

    def step(self, at: int, by: int) -> int:
        """Return the moment so many steps on, or back."""
        return max(0, min(at + by, len(self.stops) - 1))

    def trick(self, at: int, by: int) -> int:
        """Return the beginning of the next trick (1), or of this one or the one before (-1)."""
        return self._group(at, by, [(stop.round, stop.trick) for stop in self.stops])

    def round(self, at: int, by: int) -> int:
        """Return the beginning of the next round (1), or of this one or the one before (-1)."""
        return self._group(at, by, [stop.round for stop in self.stops])

    def decision(self, at: int, by: int, seat: int) -> int:
        """Return the next choice of a seat (1), or the one before (-1); `at` where there is none."""
        ahead = range(at + 1, len(self.stops)) if by > 0 else range(at - 1, -1, -1)
        return next((n for n in ahead if self.stops[n].turn == seat and self.stops[n].is_choice), at)

    def at_number(self, number: int) -> int:
        """Return the last moment up to a state number."""
        before = [index for index, stop in enumerate(self.stops) if stop.number <= number]
        return before[-1] if before else 0

    def _group(self, at: int, by: int, keys: Sequence[object]) -> int:
        begins = [n for n in range(len(keys)) if n == 0 or keys[n] != keys[n - 1]]
        if by > 0:
            return next((n for n in begins if n > at), len(keys) - 1)
        return next((n for n in reversed(begins) if n < at), 0)


def only_person(record: GameRecord) -> int | None:
    """Return the seat of the one person who played among bots, None where there were more or none."""
    people = [seat for seat, name in enumerate(record.players) if not name.startswith(BOT_PREFIX)]
    return people[0] if len(people) == 1 else None


def _trick_of(state: State) -> int:
    if state.phase is Phase.PLANNING:
        return 0
    return len(state.tricks) + (state.phase is not Phase.COVERING)


def _phase_of(state: State) -> TablePhase:
    if state.winners is not None:
        return "over"
    return "between" if state.turn is None else "playing"
