"""A table: one inbox, one order of things, every change durable before anybody sees it.

A request is judged on the table as it stands and leads to facts; the facts are written; only then are they applied
and announced. While a commit runs, later requests wait in the inbox, so nothing is ever judged on a table that is
about to change. What requests mean is in `table_requests`, what happens by itself in `turns`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import msgspec
import structlog

from looseends_core.events import Event, RoundDealt
from looseends_core.redact import redact
from looseends_core.shuffle import commitment_of, nonces_of
from looseends_core.state import Phase, State, evolve
from looseends_protocol.errors import ERRORS
from looseends_protocol.frames import framed
from looseends_protocol.legal import legal_of
from looseends_protocol.messages import (
    ChatLine,
    Detached,
    GameBegan,
    Happened,
    Push,
    ReadyChanged,
    RoundCommitted,
    RoundRevealed,
    Said,
    SeatsChanged,
    TablePhase,
)
from looseends_server import snapshots
from looseends_server.facts import OF_ONE_GAME, ClockLeft, Fact, GameOpened, SecretCommitted, written_fact
from looseends_server.facts import Happened as HappenedFact
from looseends_server.hints import Hints
from looseends_server.stillness import Stillness
from looseends_server.store.base import FactsAppended, StoreFailed
from looseends_server.table_state import fold_facts
from looseends_server.turns import Turns, drawn_from
from looseends_server.upkeep import look_after

if TYPE_CHECKING:
    from looseends_server.connection import Connection
    from looseends_server.house import House

log = structlog.get_logger()

Job = Callable[[], None]


class Table:
    """One table of the house, as its journal tells it. `table` is its number in the store, `code` what people type.

    Raises ValueError, KeyError, IndexError or AttributeError where the facts are no journal of a table.
    """

    __slots__ = (
        "_inbox",
        "_kept",
        "_rng",
        "_writing",
        "asleep_since",
        "chat",
        "closed",
        "code",
        "expected",
        "heard_until",
        "hints",
        "house",
        "journal_length",
        "looking_at",
        "present",
        "seed",
        "sequence",
        "state",
        "stillness",
        "table",
        "turns",
        "views",
        "watchers",
    )

    def __init__(self, house: House, table: int, code: str, facts: Sequence[Fact]) -> None:
        self.house = house
        self.table = table
        self.code = code
        self.state = fold_facts(facts)
        self.journal_length = len(facts)
        """Facts that are durable: the place of the next one."""
        self.sequence = 0
        self.present: list[Connection | None] = [None] * self.state.rules.players
        """Who is connected, by seat."""
        self.expected: dict[int, float] = {}
        """Seats whose person has connected anew and will be here in a moment, and when they are missed."""
        self.heard_until: list[tuple[int, int] | None] = [None] * self.state.rules.players
        """Game and state number at which the person of a seat was last connected, while they are away."""
        self.watchers: dict[Connection, str] = {}
        """Who watches, with the name they watch under."""
        self.chat: list[ChatLine] = []
        """The latest lines of talk, as many as are kept; a list, as an empty deque is ten times as large."""
        self.views: dict[int, State] = {}
        """What a bot on a seat may know: the fold of the redacted events, made when first needed."""
        self.seed = drawn_from(self.state.deals, "bots") if self.state.deals else house.entropy(16)
        """What the random numbers of its bots follow from."""
        self._rng: random.Random | None = None
        self.hints = Hints(self)
        self.stillness = Stillness(self)
        self.looking_at: int | None = None
        """The state number that the host of a shared replay looks at, None before they have said so."""
        self.asleep_since = house.clock.wall() if self.state.asleep_at is None else self.state.asleep_at
        """Since when nobody has been there, in seconds since 1970."""
        self.closed = False
        """Whether the house has let this table go; nothing may be asked of it any more."""
        self._kept: list[Fact] = []
        """The facts that lead to this state: of games that are over only who sat down and who left."""
        self._keep(facts)
        self._writing = False
        self._inbox: list[Job] = []
        self.turns = Turns(self)

    # ── one thing after another ──────────────────────────────────────────────────────────────────────────────────

    @property
    def is_writing(self) -> bool:
        """Whether a commit runs, so that nothing may be judged now."""
        return self._writing

    @property
    def is_idle(self) -> bool:
        """Whether a request would be answered at once: nothing is being written and nothing waits."""
        return not (self._writing or self._inbox or self.closed)

    @property
    def inbox_full(self) -> bool:
        """Whether a further request has to be turned away."""
        return len(self._inbox) >= self.house.settings.limits.inbox

    def submit(self, job: Job, *, closed_too: bool = False) -> None:
        """Do the job now, or after the commit that runs and the jobs that wait already.

        A table that the house has let go does only what is `closed_too`: whoever asked is owed an answer.
        """
        if not closed_too:
            job = partial(self._unless_closed, job)
        if self._writing or self._inbox:
            self._inbox.append(job)
        else:
            self._run(job)

    def _unless_closed(self, job: Job) -> None:
        if not self.closed:
            job()

    def _run(self, job: Job) -> None:
        try:
            job()
        except Exception:
            log.exception("table fault", table=self.code)
            self.stillness.wait_after_fault()

    def look_after(self) -> None:
        """Do what only needs a look now and then."""
        self.submit(lambda: look_after(self))

    def commit(self, facts: Sequence[Fact], then: Job, failed: Job | None = None) -> None:
        """Write facts; when they are durable apply them, then announce with `then`.

        Where they cannot be written nothing is applied, the table freezes until writing works, and `failed` runs.
        """
        assert not self._writing, "a table judges one thing at a time"
        if type(facts[-1]) is not HappenedFact:  # with which the turn whose clock runs is over
            facts = self._with_clock(facts)
        written = (written_fact(facts[0]),) if len(facts) == 1 else tuple([written_fact(fact) for fact in facts])
        change = FactsAppended(self.table, self.journal_length, written)
        self._writing = True
        self.turns.stop()
        self.house.store.write(change, partial(self._written, facts, then, failed))

    def _with_clock(self, facts: Sequence[Fact]) -> Sequence[Fact]:
        """Return the facts behind what a running turn clock had left, so that a restart knows it."""
        left = self.turns.seconds_left()
        return facts if left is None else [ClockLeft(left), *facts]

    def _written(self, facts: Sequence[Fact], then: Job, failed: Job | None, error: StoreFailed | None) -> None:
        self._writing = False
        if error is not None:
            log.error("table cannot save", table=self.code, error=str(error))
            self._run(self.stillness.wait_for_store)
            if failed is not None:
                self._run(failed)
        else:
            self.journal_length += len(facts)
            self._keep(facts)
            self._run(partial(self._apply_and_announce, facts, then))
        while self._inbox and not self._writing:
            self._run(self._inbox.pop(0))

    def _keep(self, facts: Sequence[Fact]) -> None:
        for fact in facts:
            if type(fact) is GameOpened:
                self._kept = [kept for kept in self._kept if not isinstance(kept, (*OF_ONE_GAME, GameOpened))]
            self._kept.append(fact)

    def _apply_and_announce(self, facts: Sequence[Fact], then: Job) -> None:
        for fact in facts:
            self._apply(fact)
        then()
        self.turns.arm()
        if self.state.stage == "over":
            self.house.archive.keep_game_of(self)

    def _apply(self, fact: Fact) -> None:
        self.state.apply(fact)
        if not self.views:
            return
        if isinstance(fact, HappenedFact):
            for seat, view in self.views.items():
                for event in fact.events:
                    evolve(view, redact(event, seat))
        elif isinstance(fact, GameOpened):
            self.views.clear()

    @property
    def rng(self) -> random.Random:
        """The random numbers of its bots; made when first asked for, being a fifth of an idle table."""
        if self._rng is None:
            self._rng = random.Random(self.seed)
        return self._rng

    def view_of(self, seat: int) -> State:
        """Return what this seat may know, for a bot that plays it: built from redacted events only."""
        view = self.views.get(seat)
        if view is None:
            view = self.views[seat] = State(self.state.rules)
            for event in self.state.events:
                evolve(view, redact(event, seat))
        return view

    # ── standing still ───────────────────────────────────────────────────────────────────────────────────────────

    @property
    def frozen(self) -> str:
        """Why the table stands still: an error code, empty where it does not."""
        return self.stillness.why

    def begin_again(self) -> None:
        """Take the state anew from the facts that are kept, which are whole whatever became of it in memory."""
        self.state = fold_facts(self._kept)
        self.views.clear()
        self.turns.end()
        self.turns = Turns(self)
        # A number is left out, so that everybody asks for the table anew: a fault may have kept a push from them.
        self.sequence += 1

    def let_go(self) -> None:
        """Hold nothing of the games any more: the house has let this table go.

        It refers to itself through its parts, so what is left of it goes with the next collection of all garbage, which
        may be minutes away; its games are many times as large.
        """
        self._kept = self._kept[:1]
        self.state = fold_facts(self._kept)
        self.views.clear()
        self.chat.clear()

    # ── who is here ──────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def phase(self) -> TablePhase:
        """What the table waits for, as clients are told."""
        return "frozen" if self.frozen else self.state.stage

    @property
    def anybody_present(self) -> bool:
        """Whether a person of this table is connected; without one the table sleeps."""
        return self.present.count(None) < len(self.present)

    def name_at(self, seat: int) -> str:
        """Return what people call whoever sits there."""
        return snapshots.name_of(self.state, seat)

    def host_name(self) -> str:
        """Return the name of the host, empty where there is none."""
        host = self.house.people.by_identity(self.state.host) if self.state.host is not None else None
        return host.name if host else ""

    def is_led_by(self, connection: Connection) -> bool:
        """Return whether a finished game is shown here, and this is who leads through it."""
        person = connection.person
        return self.state.options.replay and person is not None and person.identity == self.state.host

    def audience(self) -> list[Connection]:
        """Return every connection that is told of this table."""
        return [*[connection for connection in self.present if connection is not None], *self.watchers]

    def attach(self, connection: Connection, seat: int | None) -> None:
        """Let a connection hear this table, at its seat or as a spectator."""
        connection.table = self
        connection.seat = seat
        if seat is None:
            assert connection.person is not None
            self.watchers[connection] = connection.person.name
        else:
            was_asleep = not self.anybody_present
            self.present[seat] = connection
            self.expected.pop(seat, None)
            self.turns.came(seat, was_asleep)

    def hand_over(self, connection: Connection) -> None:
        """Let a connection go whose person has just connected anew: nobody is told, for they are back in a moment."""
        seat = connection.seat
        self.detach(connection)
        if seat is not None:
            self.expected[seat] = self.house.clock.monotonic() + self.house.settings.pace.follow_seconds

    def tell_of_loss(self, seat: int) -> None:
        """Tell everybody that the person of a seat is not connected any more."""
        self.announce_seats()
        self.system_says(f"{self.name_at(seat)} lost the connection.")

    def detach(self, connection: Connection) -> None:
        """Let a connection go, whatever the reason; its seat stays. Whoever it was is told nothing."""
        seat = connection.seat
        connection.table = None
        connection.seat = None
        if seat is None:
            if self.watchers.pop(connection, None) is not None:
                self.announce_seats()
            if self.state.options.replay:  # at which nobody sits
                self.asleep_since = self.house.clock.wall()
            return
        if self.present[seat] is not connection:
            return
        self.present[seat] = None
        self.heard_until[seat] = (self.state.game, self.state.play.number)
        self.turns.went(seat)
        if not self.anybody_present:
            self.asleep_since = self.house.clock.wall()

    # ── telling ──────────────────────────────────────────────────────────────────────────────────────────────────

    def announce_events(self, events: Sequence[Event]) -> None:
        """Tell everybody what happened in the game: one encoding for all who may know the same."""
        self.sequence += 1
        self.house.counts.moves += 1
        play = self.state.play
        clock = self.turns.clock_milliseconds()
        facts = tuple(events)
        on_turn = self.present[play.turn] if play.turn is not None else None
        if type(facts[0]) is RoundDealt:
            for connection in self.audience():
                seen = tuple(redact(event, connection.seat) for event in facts)
                legal = legal_of(play) if connection is on_turn else None
                connection.send(Happened(self.sequence, seen, legal, clock))
            self.house.lobby.changed(self)
            return
        if on_turn is not None:
            on_turn.send_frame(framed(Happened(self.sequence, facts, legal_of(play), clock)))
        frame = b""
        for other in [*self.present, *self.watchers] if self.watchers else self.present:
            if other is not None and other is not on_turn:
                frame = frame or framed(Happened(self.sequence, facts, None, clock))
                other.send_frame(frame)
        if play.phase is Phase.DEALING or play.phase is Phase.OVER:  # that was the last trick of a round
            self.house.lobby.changed(self)
            self._reveal(play.round)

    def _reveal(self, round_number: int) -> None:
        proof = self.state.proofs.get(round_number)
        if proof is not None:
            nonces = nonces_of([proof.nonces.get(seat) for seat in range(self.state.rules.players)])
            self.push(lambda sequence: RoundRevealed(sequence, round_number, proof.secret, nonces))

    def push(self, made: Callable[[int], Push]) -> None:
        """Send everybody one push, encoded once."""
        self.sequence += 1
        frame = framed(made(self.sequence))
        for connection in self.audience():
            connection.send_frame(frame)

    def announce_seats(self) -> None:
        """Tell everybody who sits where, who watches, and what the table waits for."""
        self.push(
            lambda sequence: SeatsChanged(
                sequence,
                snapshots.seat_infos(self),
                self.host_name(),
                self.phase,
                tuple(self.watchers.values()),
                self.turns.clock_milliseconds(),
            )
        )
        self.house.lobby.changed(self)

    def announce_ready(self) -> None:
        """Tell everybody who is ready for what follows."""
        ready = tuple(sorted(self.state.ready))
        self.push(lambda sequence: ReadyChanged(sequence, ready, self.turns.ready_seconds_left()))

    def announce_commitment(self, fact: SecretCommitted) -> None:
        """Publish the commitment of a round; nonces are taken from now on."""
        self.push(lambda sequence: RoundCommitted(sequence, fact.round, commitment_of(fact.secret)))

    def announce_game(self) -> None:
        """Tell everybody that a game begins. What was said until now is older than all that happens in it."""
        self.chat = [msgspec.structs.replace(line, number=0) for line in self.chat]
        self.push(lambda sequence: GameBegan(sequence, self.state.game, self.state.rules))

    def say(self, text: str, name: str = "", seat: int | None = None) -> None:
        """Show a line of talk to everybody, and to those who come later; the table's own where nobody is named."""
        line = ChatLine("said" if name else "system", text, name, seat, self.state.play.number)
        self.chat.append(line)
        del self.chat[: max(0, len(self.chat) - self.house.settings.limits.chat_kept)]
        self.push(lambda sequence: Said(sequence, line))

    def system_says(self, text: str) -> None:
        """Show a line that is the table's own; nobody else can make one."""
        self.say(text)

    def expel(self, connection: Connection, error: str) -> None:
        """Take a connection away from this table and tell it why."""
        self.detach(connection)
        connection.send(Detached(error, ERRORS[error]))
