"""One person of the torture: comes back as often as the server does, sits down, plays any legal action, never waits.

What it may conclude from what it hears is the witness's; which table it plays at comes from outside.
"""

from __future__ import annotations

import asyncio
import dataclasses
import random
from collections.abc import Callable

import msgspec

from looseends_core.rules import RuleSet
from looseends_core.state import Phase
from looseends_protocol import limits as wire
from looseends_protocol.legal import actions_of
from looseends_protocol.messages import (
    Act,
    Attending,
    BeReady,
    CreateTable,
    Done,
    GetRecord,
    GiveNonce,
    Hello,
    JoinTable,
    Notice,
    Push,
    RecordText,
    Refused,
    Request,
    Resync,
    RoundCommitted,
    SeatBot,
    StartGame,
    TableOptions,
    Welcome,
)
from tests.torture.line import Broken, Line
from tests.torture.witness import Witness

TOO_LATE = frozenset(
    {"action/stale", "nonce/not_asked", "ready/not_asked", "record/none", "table/started", "table/seat_taken"}
)
"""What a person may be told whose request crossed with the table's going on."""


@dataclasses.dataclass
class TablePlan:
    """A table to be: the first of its `persons` makes it, other seats are bots'. `code` is known once it is made."""

    title: str
    rules: RuleSet
    options: TableOptions
    persons: int
    code: str = ""
    made: asyncio.Event = dataclasses.field(default_factory=asyncio.Event)


class Player:
    """A person at a planned table. `wants_more` says whether there is to be a rematch after a game."""

    def __init__(
        self, plan: TablePlan, number: int, rng: random.Random, grace: float, wants_more: Callable[[], bool]
    ) -> None:
        self.plan = plan
        self.is_host = number == 0
        self.witness = Witness(f"{plan.title} {number}", rng)
        self.finished = asyncio.Event()
        """Set when a game is over, its record right, and no more wanted."""
        self._rng = rng
        self._grace = grace
        self._wants_more = wants_more
        self._line: Line | None = None
        self._on_answer: dict[int, Callable[[], None]] = {}
        self._readied: tuple[int, int] = (0, 0)
        self._record_of = 0
        self._acted_at = (0, -1)
        self._asked_to_start = False
        self._at_table = False
        self._since = 0
        self._started_at = 0.0
        self._also: Callable[[msgspec.Struct], None] = lambda message: None
        self.fault: Exception | None = None
        """What this person found wrong while it listened."""

    # ── one life of the server ───────────────────────────────────────────────────────────────────────────────────

    async def live(
        self, line: Line, started_at: float, also: Callable[[msgspec.Struct], None] = lambda message: None
    ) -> None:
        """Say hello on a fresh line, take the seat and play, until the line is lost. Raises LineLost, Broken.

        `also` is called with all that was heard.
        """
        self._line, self._started_at, self._also = line, started_at, also
        self._on_answer.clear()
        self._readied, self._acted_at, self._record_of = (0, 0), (0, -1), 0
        self._asked_to_start = self._at_table = False
        welcome = await self._hello(line)
        line.hear = self._listen
        await self._enter(line, welcome)
        await line.lost.wait()
        if self.fault is not None:
            raise self.fault

    async def _hello(self, line: Line) -> Welcome:
        while True:
            hello = Hello(0, wire.PROTOCOL_MAJOR, name=self.witness.name, token=self.witness.token)
            answer = await line.ask(hello)
            if isinstance(answer, Welcome):
                break
            if not isinstance(answer, Refused) or answer.error != "name/taken" or self.witness.token:
                raise Broken(f"hello of {self.witness.name} was answered {answer}")
            # The name was kept and its token never arrived: whoever that happens to takes another.
            self.witness.name = answer.suggestion
            self.witness.counts["names lost with an unread welcome"] += 1
        self.witness.token = answer.token or self.witness.token
        return answer

    async def _enter(self, line: Line, welcome: Welcome) -> None:
        witness, plan = self.witness, self.plan
        if witness.code and (witness.code, witness.seat) not in [(held.code, held.seat) for held in welcome.seats]:
            raise Broken(f"{witness.name} has no seat at {witness.code} any more")
        if self.is_host and not plan.code:
            made = next((held.code for held in welcome.seats if held.title == plan.title), "")
            if not made:
                line.post(CreateTable(0, plan.rules, plan.options))
                return
            plan.code = made
            plan.made.set()
        ends = [asyncio.create_task(event.wait()) for event in (plan.made, line.lost)]
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        for end in ends:
            end.cancel()
        self._since = len(witness.events) if self._rng.random() < 0.5 else 0
        line.post(JoinTable(0, plan.code, game=witness.game, since=self._since))

    def _attend(self, line: Line, attending: Attending) -> None:
        witness, plan = self.witness, self.plan
        again, first = bool(witness.code), not self._at_table
        turn_before = (witness.game, witness.view.number) if again and witness.phase == "playing" else None
        witness.attend(attending, self._since, restarted=again and first)
        if first and witness.legal is not None and turn_before == (witness.game, witness.view.number):
            self._check_grace(asyncio.get_running_loop().time() - self._started_at)
        self._at_table = True
        if not plan.code:
            plan.code = attending.code
        plan.made.set()
        if attending.want_nonce:
            self._give_nonce(attending.want_nonce)
        if first and self._rng.random() < 0.25:
            # The whole table must be what the parts of it added up to.
            self._since = 0
            line.post(Resync(0))

    def _check_grace(self, elapsed: float) -> None:
        clock, whole = self.witness.clock, self.witness.clock_seconds
        if clock is None:
            return
        if not (self._grace - elapsed) * 1000 - 1 <= clock <= max(self._grace, whole) * 1000:
            raise Broken(f"after a restart a turn of {whole} s has {clock} ms, {elapsed:.2f} s after the start")
        self.witness.counts["turn clocks with their grace"] += 1

    # ── what it hears and does ───────────────────────────────────────────────────────────────────────────────────

    def _listen(self, message: msgspec.Struct) -> None:
        try:
            self._hear(message)
            self._also(message)
        except Exception as fault:
            self.fault = self.fault or fault
            if self._line is not None:
                self._line.abort()

    def _hear(self, message: msgspec.Struct) -> None:
        line = self._line
        assert line is not None
        match message:
            case Attending():
                self._attend(line, message)
                self._react()
            case Push() if self._at_table:
                self.witness.push(message)
                if isinstance(message, RoundCommitted):
                    self._give_nonce(message.round)
                self._react()
            case Done():
                self._on_answer.pop(message.answers, lambda: None)()
            case RecordText():
                self.witness.check_record(message.record)
                if self._wants_more():
                    self._be_ready()
                else:
                    self.finished.set()
            case Notice(kind="closing"):
                pass
            case Refused() if message.error in TOO_LATE or message.error == "server/closing":
                self.witness.counts[f"crossed requests refused: {message.error}"] += 1
            case _:
                raise Broken(f"{self.witness.name} was told {message}")

    def _react(self) -> None:
        line, witness = self._line, self.witness
        assert line is not None
        if witness.phase == "gathering" and self.is_host:
            self._gather(line)
        elif witness.legal is not None and self._acted_at != (witness.game, witness.view.number):
            self._acted_at = (witness.game, witness.view.number)
            action = self._rng.choice(actions_of(witness.legal, witness.view.phase))
            witness.acts(action)
            act = Act(0, witness.game, witness.view.number, action)
            self._on_answer[line.post(act)] = witness.act_was_confirmed
        elif witness.phase == "between":
            self._be_ready()
        elif witness.phase == "over" and self._record_of != witness.game and witness.view.phase is Phase.OVER:
            self._record_of = witness.game
            line.post(GetRecord(0))

    def _give_nonce(self, round_number: int) -> None:
        line, witness = self._line, self.witness
        assert line is not None
        game = witness.game
        give = GiveNonce(0, round_number, witness.nonce_for(round_number))
        self._on_answer[line.post(give)] = lambda: witness.nonce_confirmed(game, round_number)

    def press(self, request: Request, times: int) -> None:
        """Ask something in between, so often; it may come too late."""
        if self._line is not None and self._at_table:
            for _ in range(times):
                self._line.post(request)

    def _be_ready(self) -> None:
        line, witness = self._line, self.witness
        assert line is not None
        if self._readied != (witness.game, witness.view.round):
            self._readied = (witness.game, witness.view.round)
            line.post(BeReady(0, witness.view.round))

    def _gather(self, line: Line) -> None:
        seats = self.witness.seats
        if self._asked_to_start or any(info.kind == "open" for info in seats[: self.plan.persons]):
            return
        self._asked_to_start = True
        for seat in range(self.plan.persons, len(seats)):
            if seats[seat].kind == "open":
                line.post(SeatBot(0, seat, "rookie"))
        line.post(StartGame(0))
