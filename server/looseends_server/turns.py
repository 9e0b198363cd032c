"""What happens at a table by itself: deals, bots, turn clocks, and what is done for people who are away.

Somebody is always due: whenever a table changed, `arm` works out who, and until when. A table at which no person is
connected sleeps: no bot plays and no clock runs, so nothing is lost when everybody's line goes down at once.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Container
from typing import TYPE_CHECKING

from looseends_core.decide import deal_round, decide
from looseends_core.shuffle import SECRET_BYTES, Fairness, nonces_of, shuffled_deal
from looseends_server.bot_turn import STAND_IN_LEVEL, BotTurn
from looseends_server.clock import Timer
from looseends_server.facts import BotSeated, Fact, GameOpened, SecretCommitted
from looseends_server.facts import Happened as HappenedFact
from looseends_server.snapshots import name_of

if TYPE_CHECKING:
    from looseends_server.table import Table

ASK_AGAIN_SECONDS = 1.0
"""When a bot's thought is asked for again after the queue of the workers was full."""


def drawn_from(deals: bytes, what_for: str) -> bytes:
    """Return 32 bytes that follow from what fixes the deals of a contest, and from what they are for."""
    return hashlib.sha256(b"no-loose-ends/contest/1/" + deals + what_for.encode()).digest()


class Turns:
    """The timer of one table and what it knows of time. Seconds are the clock's monotonic ones."""

    __slots__ = (
        "_bot",
        "_deadline",
        "_deadline_for",
        "_graced_for",
        "_nonces_until",
        "_ready_until",
        "_restarted",
        "_suspended",
        "_table",
        "_timer",
        "_turn_began",
        "absent_since",
        "standing_in",
    )

    def __init__(self, table: Table) -> None:
        self._table = table
        self._bot = BotTurn(table, self._bot_acts)
        self._timer: Timer | None = None
        players = table.state.rules.players
        self.absent_since: list[float] = [table.house.clock.monotonic()] * players
        """Since when the person of each seat is not there; says nothing of one who is."""
        self.standing_in = [False] * players
        """Seats whose absent person a bot plays for until they are back."""
        self._deadline: float | None = None
        self._deadline_for: tuple[int, int] | None = None
        self._turn_began = 0.0
        self._suspended: float | None = None
        """Seconds that were left when the clock of the running turn was stopped, None while it runs."""
        self._graced_for: tuple[int, int] | None = None
        self._nonces_until: float | None = None
        self._ready_until: float | None = None
        """Until when the nonces of the next round, and readiness for it, are waited for; None before that begins."""
        self._restarted = table.state.game > 0
        """Whether the turn that was running is from before a restart, so that it has its grace."""

    # ── what others may ask ──────────────────────────────────────────────────────────────────────────────────────

    def bot_plays_for(self, seat: int) -> bool:
        """Return whether a bot plays for the person of this seat at the moment."""
        return self._table.state.seats[seat].kind == "person" and self._seat_is_bots(seat)

    def seconds_left(self) -> float | None:
        """Return the seconds left of the running turn clock, None where none runs."""
        if self._table.state.options.clock_seconds == 0 or self._table.state.stage != "playing":
            return None
        if self._suspended is not None:
            return self._suspended
        if self._deadline is None or self._deadline_for != self._turn_key():
            return None
        return max(0.0, self._deadline - self._now())

    def clock_milliseconds(self) -> int | None:
        """Return what clients are told of the turn clock: milliseconds left, None where none runs."""
        state = self._table.state
        if state.stage != "playing" or state.options.clock_seconds == 0 or state.play.turn is None:
            return None
        if self._seat_is_bots(state.play.turn):
            return None
        self._settle_deadline()
        left = self.seconds_left()
        return None if left is None or self._suspended is not None else int(left * 1000)

    def ready_seconds_left(self) -> int | None:
        """Return the seconds until the next round begins anyway, None for never."""
        if self._table.state.stage != "between" or self._ready_until is None:
            return None
        return max(0, round(self._ready_until - self._now()))

    # ── coming and going ─────────────────────────────────────────────────────────────────────────────────────────

    def came(self, seat: int, was_asleep: bool) -> None:
        """A person is at their seat: a bot that kept it gives it back at once. `arm` when they know the table."""
        table = self._table
        due = table.state.play.turn == seat
        if self.standing_in[seat]:
            self.standing_in[seat] = False
            if due:
                self._suspend()
        if was_asleep:
            self.absent_since = [self._now()] * len(self.absent_since)
            self._ready_until = None
            self._nonces_until = None
        if was_asleep or due:
            self._resume()

    def went(self, seat: int) -> None:
        """A person is not at their seat any more."""
        self.absent_since[seat] = self._now()
        if not self._table.anybody_present:
            self._suspend()
        self.arm()

    def _suspend(self) -> None:
        """Let the clock of the running turn stand still."""
        if self._deadline is not None and self._suspended is None:
            self._suspended = max(0.0, self._deadline - self._now())

    def _resume(self) -> None:
        """Let the clock run on from where it stood still, with time enough to look around, but that once a turn."""
        if self._suspended is None:
            return
        left = self._suspended
        if self._graced_for != self._turn_key():
            self._graced_for = self._turn_key()
            left = max(left, self._table.house.settings.pace.restart_grace_seconds)
        self._deadline = self._now() + left
        self._suspended = None

    def begin_waiting_anew(self) -> None:
        """Give those who are waited for their time again: they could do nothing while the table stood still."""
        self._ready_until = None
        self._nonces_until = None
        if self._deadline is not None:
            self._deadline = max(self._deadline, self._now() + self._table.house.settings.pace.restart_grace_seconds)

    # ── who is due ───────────────────────────────────────────────────────────────────────────────────────────────

    def stop(self) -> None:
        """Call the timer off."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def end(self) -> None:
        """Do nothing by itself any more, and want no bot's thought."""
        self.stop()
        self._bot.forget()

    def arm(self) -> None:
        """Work out what happens next by itself, and when."""
        self.stop()
        table = self._table
        if table.frozen or table.closed or table.house.closing or table.is_writing or not table.anybody_present:
            return
        stage = table.state.stage
        if stage == "playing":
            self._arm_turn()
        elif stage == "dealing":
            self._arm_deal()
        elif stage == "between":
            self._arm_next_round()
        elif stage == "over":
            self._arm_rematch()

    def _after(self, seconds: float, job: Callable[[], None]) -> None:
        table = self._table
        self._timer = table.house.clock.call_later(max(0.0, seconds), lambda: table.submit(job))

    def _now(self) -> float:
        return self._table.house.clock.monotonic()

    def _seconds_to_wait_for(self, seats: Container[int]) -> float | None:
        """Return how long the persons at none of these seats are waited for: None where nobody is.

        Somebody whose line broke a moment ago, or who is about to come back after a restart, is waited for as long as
        a nonce is; somebody present without end, which the caller knows.
        """
        table = self._table
        grace = table.house.settings.pace.nonce_seconds
        longest: float | None = None
        for seat, at in enumerate(table.state.seats):
            if at.kind != "person" or at.away or seat in seats or self.standing_in[seat]:
                continue
            here = table.present[seat] is not None
            left = math.inf if here else grace - (self._now() - self.absent_since[seat])
            if left > 0 and (longest is None or left > longest):
                longest = left
        return longest

    def _seat_is_bots(self, seat: int) -> bool:
        at = self._table.state.seats[seat]
        return at.kind == "bot" or (at.kind == "person" and (self.standing_in[seat] or at.away in ("left", "removed")))

    # ── a deal ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _arm_deal(self) -> None:
        state = self._table.state
        wait = self._seconds_to_wait_for(state.proofs[state.play.round + 1].nonces)
        if wait is None or state.deals:
            self._after(0.0, self._deal)
            return
        if self._nonces_until is None:
            self._nonces_until = self._now() + self._table.house.settings.pace.nonce_seconds
        self._after(min(self._nonces_until - self._now(), wait), self._deal)

    def _deal(self) -> None:
        table = self._table
        state = table.state
        if state.stage != "dealing" or table.frozen:
            return
        number = state.play.round + 1
        proof = state.proofs[number]
        nonces = nonces_of([proof.nonces.get(seat) for seat in range(state.rules.players)])
        previous = state.play.first if state.play.round else None
        deal = shuffled_deal(state.rules, number, Fairness(proof.secret, nonces), previous)
        events = tuple(deal_round(state.play, deal))
        table.commit([HappenedFact(events)], lambda: table.announce_events(events))

    def begin_game(self, then: Callable[[], None] | None = None, failed: Callable[[], None] | None = None) -> None:
        """Begin the next game of the table: its first, or a rematch. A bot takes the seat of whoever has left."""
        state = self._table.state
        left = [seat for seat, at in enumerate(state.seats) if at.kind == "person" and at.away in ("left", "removed")]
        names = list(state.record_names())
        for seat in left:
            names[seat] = f"bot:{STAND_IN_LEVEL}"
        bots = [BotSeated(seat, STAND_IN_LEVEL) for seat in left]
        self.begin_round((*bots, GameOpened(state.game + 1, tuple(names))), then, failed)

    def begin_round(
        self,
        before: tuple[Fact, ...] = (),
        then: Callable[[], None] | None = None,
        failed: Callable[[], None] | None = None,
    ) -> None:
        """Draw and publish the secret of the next round, after the facts of a new game where one begins ([F1]).

        `then` runs once that is durable, before it is announced; `failed` where it could not be written.
        """
        table = self._table
        self._ready_until = self._nonces_until = None
        number = 1 if before else table.state.play.round + 1
        deals = table.state.deals
        secret = drawn_from(deals, f"round {number}") if deals else table.house.entropy(SECRET_BYTES)
        fact = SecretCommitted(number, secret)

        def announce() -> None:
            if then is not None:
                then()
            if before:
                table.announce_game()
            table.announce_commitment(fact)
            table.announce_seats()

        table.commit([*before, fact], announce, failed)

    def _arm_next_round(self) -> None:
        wait = self._seconds_to_wait_for(self._table.state.ready)
        if wait is None:
            self._after(0.0, self._next_round)
            return
        limit = self._table.house.settings.pace.ready_seconds
        if limit is not None:
            if self._ready_until is None:
                self._ready_until = self._now() + limit
                self._table.announce_ready()
            wait = min(self._ready_until - self._now(), wait)
        if wait < math.inf:
            self._after(wait, self._next_round)

    def _next_round(self) -> None:
        if self._table.state.stage == "between" and not self._table.frozen:
            self.begin_round()

    def _arm_rematch(self) -> None:
        state = self._table.state
        persons = [seat for seat, at in enumerate(state.seats) if at.kind == "person" and not at.away]
        if persons and all(at.kind != "open" for at in state.seats) and all(seat in state.ready for seat in persons):
            self._after(0.0, self._rematch)

    def _rematch(self) -> None:
        if self._table.state.stage == "over" and not self._table.frozen:
            self.begin_game()

    # ── a turn ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _turn_key(self) -> tuple[int, int]:
        return self._table.state.game, self._table.state.play.number

    def _settle_deadline(self) -> None:
        """Give the running turn its one deadline, once."""
        key = self._turn_key()
        if self._deadline_for == key:
            return
        state = self._table.state
        self._deadline_for = key
        self._turn_began = self._now()
        self._suspended = None
        if state.options.clock_seconds == 0:
            self._deadline = None
            self._restarted = False
            return
        seconds = float(state.options.clock_seconds)
        if self._restarted:
            left = seconds if state.clock_left is None else state.clock_left
            seconds = max(self._table.house.settings.pace.restart_grace_seconds, left)
        self._restarted = False
        self._deadline = self._now() + seconds

    def _arm_turn(self) -> None:
        table = self._table
        state = table.state
        seat = state.play.turn
        if seat is None:
            return
        self._settle_deadline()
        if self._seat_is_bots(seat):
            self._bot.think(seat, self._level_of(seat))
            self._after(state.options.bots / 1000, self._bot_acts)
            return
        self._bot.forget()
        absent = table.present[seat] is None
        if absent and state.options.absence == "wait":
            self._suspend()
            return
        due = self._deadline
        if due is None and absent:
            since = self.absent_since[seat]
            if state.options.absence == "clock":
                since = max(since, self._turn_began)
            due = since + table.house.settings.pace.away_seconds
        if due is not None:
            self._after(due - self._now(), self._time_is_up)

    def _time_is_up(self) -> None:
        table = self._table
        seat = table.state.play.turn
        if table.state.stage != "playing" or table.frozen or seat is None or self._seat_is_bots(seat):
            return
        name = name_of(table.state, seat)
        if table.present[seat] is None and table.state.options.absence == "bot":
            self.standing_in[seat] = True
            table.system_says(f"{name} is away; a bot plays for {name}.")
            table.announce_seats()
        else:
            table.system_says(f"{name} ran out of time; a bot chose for this turn.")
        self._act_for(seat)

    def _bot_acts(self) -> None:
        table = self._table
        seat = table.state.play.turn
        if table.state.stage != "playing" or table.frozen or table.house.closing or seat is None:
            return
        if not table.anybody_present:
            return  # the table sleeps; what the bot has thought of is asked for when somebody is back
        if self._seat_is_bots(seat):
            self._act_for(seat)
        else:
            self.arm()

    def _level_of(self, seat: int) -> str:
        """Return the level that plays for a seat, whoever it belongs to."""
        at = self._table.state.seats[seat]
        return at.level if at.kind == "bot" else STAND_IN_LEVEL

    def _act_for(self, seat: int) -> None:
        table = self._table
        action = self._bot.choice(seat, self._level_of(seat))
        if action is None:
            if not self._bot.is_thought_about:
                self._after(ASK_AGAIN_SECONDS, self._bot_acts)
            return
        events = tuple(decide(table.state.play, seat, action))
        table.commit([HappenedFact(events)], lambda: table.announce_events(events))
