"""What this client knows of the table it is at: the fold of what the server tells, and a log of it in sentences.

Plain Python: no widget, no socket, no clock of its own (`now` comes in). What of it is shown, and when, is not decided
here.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, MutableSet, Sequence
from typing import Any, Literal

import msgspec

from looseends_client.deal_proof import DealProof, RoundSeen, check_deal
from looseends_client.event_order import can_follow
from looseends_client.missed import missed_words
from looseends_client.narration import Sentence, capital, narrate
from looseends_client.score_words import RoundAccount, account_of
from looseends_client.seat_names import seat_names, speaker_name
from looseends_client.unproven_deals import unproven_entry
from looseends_core.actions import Action
from looseends_core.cards import card_set
from looseends_core.decide import legal_actions
from looseends_core.events import CardBid, CardPlayed, Event, RoundDealt, RoundScored
from looseends_core.rules import RulesError, RuleSet, check_rules
from looseends_core.state import State, evolve
from looseends_protocol.messages import (
    Attending,
    ChatLine,
    GameBegan,
    Happened,
    LookedAt,
    Proof,
    Push,
    ReadyChanged,
    RoundCommitted,
    RoundRevealed,
    Said,
    SeatInfo,
    SeatsChanged,
    TableOptions,
    TablePhase,
)
from looseends_protocol.people_text import visible

LOG_LINES = 600
"""Lines of the log that are kept: several times what a game of three rounds tells."""


class LogLine(msgspec.Struct, frozen=True):
    """One line of the log: `story` of the game, `talk` of others, `own` of the reader, or `system` of the table."""

    kind: Literal["story", "talk", "own", "system"]
    words: Sentence
    round: int = 0


class Gap(Exception):
    """A push is missing, or does not fit what is held: the table has to be asked for anew."""


class Misfit(Exception):
    """What the server tells cannot be a table of this game; the message is a sentence for people."""

    def __init__(self) -> None:
        super().__init__("The server tells of this table what cannot have happened in the game, so it was left.")


class TableModel:
    """A table as its reader knows it. Read freely; it changes through `attend` and `take` alone.

    `revision` grows with every change. `state` is the core's own view of the running game.
    """

    def __init__(self, now: Callable[[], float], me: str = "", muted: MutableSet[str] | None = None) -> None:
        self._now = now
        self.me = me
        """The reader's own name at this server."""
        self._muted: MutableSet[str] = set() if muted is None else muted
        self.revision = 0
        self.sequence = 0
        self.code = ""
        self.title = ""
        self.rules: RuleSet
        self.options = TableOptions()
        self.phase: TablePhase = "gathering"
        self.host = ""
        self.seats: tuple[SeatInfo, ...] = ()
        self.names: list[str] = []
        self.game = 0
        self.seat: int | None = None
        self.state: State
        self.ready: tuple[int, ...] = ()
        self.ready_until: float | None = None
        self.turn_until: float | None = None
        self.watching: tuple[str, ...] = ()
        self.log: list[LogLine] = []
        self.proofs: dict[int, DealProof] = {}
        self.accounts: list[RoundAccount] = []
        """What every seat did in each round that is over, for the words of the score sheet."""
        self.looking_at: int | None = None
        """At a shared replay the state number that is led to."""
        self.tricks_told = 0
        """Tricks finished since this game was first seen: it grows by one with each, whatever the round."""
        self.unproven: list[dict[str, Any]] = []
        """Deals that did not prove, for whoever keeps them; taken out when kept."""
        self._rounds: dict[int, RoundSeen] = {}
        self._chat: tuple[ChatLine, ...] = ()

    # ── what comes in ───────────────────────────────────────────────────────────────────────────────────────────

    def attend(self, table: Attending) -> None:
        """Take over a table whole, or what is new of it.

        Raises Gap where it does not follow what is held, Misfit where it cannot be; the table is not to be shown then.
        """
        _check_table(table.rules, table.seats, table.seat)
        known = self.revision > 0 and table.game == self.game and table.code == self.code
        if table.from_number and not (known and self.state.number == table.from_number):
            raise Gap("the server goes on from events that are not held here")
        self.code, self.title, self.rules, self.options = table.code, visible(table.title), table.rules, table.options
        self._set_seats(table.seats, table.seat)
        if not table.from_number:
            if not known:
                self._rounds = {}
            self.log, self._chat = [], ()
            self._begin(table.rules, table.game)
        self.sequence, self.phase, self.host = table.sequence, table.phase, table.host
        self.ready, self.ready_until = table.ready, self._deadline(table.ready_seconds, 1.0)
        self.watching = tuple(visible(name) for name in table.watching)
        self.looking_at = table.looking_at
        for proof in table.proofs:
            if not proof.secret:
                self._promised(proof.round, proof.commitment)
        self._catch_up(table.events, table.chat)
        for proof in table.proofs:
            if proof.secret:
                self._reveal(proof)
        if table.missed_from is not None:
            missed = table.events[max(0, table.missed_from - table.from_number) :]
            words = missed_words(missed, self.names, self.seat)
            if words:
                self._tell("system", (words,))
        self.turn_until = self._deadline(table.clock, 0.001)
        self.revision += 1

    def take(self, push: Push) -> None:
        """Take one push of the table. One that was had already is left out.

        Raises Gap where one is missing, Misfit where what it tells cannot be; the table has to be asked for then.
        """
        if push.sequence <= self.sequence:
            return
        if push.sequence != self.sequence + 1:
            raise Gap(f"push {self.sequence + 1} is missing: {push.sequence} came")
        self.sequence = push.sequence
        if isinstance(push, Happened):
            self._happened(push)
        elif isinstance(push, SeatsChanged):
            _check_table(self.rules, push.seats, self.seat)
            self._set_seats(push.seats, self.seat)
            self.host, self.phase = push.host, push.phase
            self.watching = tuple(visible(name) for name in push.watching)
            self.turn_until = self._deadline(push.clock, 0.001)
        elif isinstance(push, GameBegan):
            _check_table(push.rules, self.seats, self.seat)
            self._rounds = {}
            self._begin(push.rules, push.game)
            self._chat = tuple(msgspec.structs.replace(line, number=0) for line in self._chat)
            self.phase = "dealing"
            self._tell("system", ("A new game begins.",))
        elif isinstance(push, RoundCommitted):
            self.phase = "dealing"
            self.turn_until = None
            self._promised(push.round, push.commitment)
        elif isinstance(push, RoundRevealed):
            self._reveal(Proof(push.round, b"", push.secret, push.nonces))
        elif isinstance(push, ReadyChanged):
            self.ready, self.ready_until = push.ready, self._deadline(push.ready_seconds, 1.0)
        elif isinstance(push, LookedAt):
            self.looking_at = push.number
        elif isinstance(push, Said):
            self._chat = (*self._chat, push.line)
            self._say(push.line)
        self.revision += 1

    def gave_nonce(self, round_number: int, nonce: bytes) -> None:
        """Remember the nonce that this client gave for a round, to look for it when the round is proven."""
        self._seen(round_number).nonce = nonce

    def nonce_of(self, round_number: int) -> bytes | None:
        """Return the nonce that was given for a round already: a second one would count for nothing."""
        return self._seen(round_number).nonce

    def tell(self, sentence: str) -> None:
        """Add a line of the client's own to the log, such as a lost connection."""
        self._tell("system", (visible(sentence),))
        self.revision += 1

    def mute(self, name: str, silent: bool) -> None:
        """Leave out from now on what somebody of this name says, or tell it again. Nobody but the reader notices."""
        (self._muted.add if silent else self._muted.discard)(visible(name).casefold())
        self.revision += 1

    def mutes(self, name: str) -> bool:
        """Whether what somebody of this name says is left out."""
        return bool(name) and visible(name).casefold() in self._muted

    # ── what can be asked ───────────────────────────────────────────────────────────────────────────────────────

    @property
    def my_turn(self) -> bool:
        """Whether the reader's seat is due to act."""
        return self.seat is not None and self.phase == "playing" and self.state.turn == self.seat

    def legal(self) -> list[Action]:
        """Return what the reader may do now; empty while it is not on turn."""
        return legal_actions(self.state) if self.my_turn else []

    def seconds_left(self) -> int | None:
        """Return the whole seconds left of the running turn, rounded up, None where no clock runs."""
        return self._left(self.turn_until)

    def ready_seconds_left(self) -> int | None:
        """Return in how many seconds the next round follows anyway, None where it waits."""
        return self._left(self.ready_until)

    @property
    def has_rematch(self) -> bool:
        """Whether the table plays again after its game: not where its cards are known."""
        return not (self.options.contest or self.options.replay)

    @property
    def leads(self) -> bool:
        """Whether the reader leads the others through the game that is shown here."""
        return self.options.replay and bool(self.host) and self.host == self.me

    @property
    def persons(self) -> list[int]:
        """The seats that people hold."""
        return [seat for seat, info in enumerate(self.seats) if info.kind == "person"]

    @property
    def am_host(self) -> bool:
        """Whether the reader is the host of the table."""
        return self.seat is not None and bool(self.host) and self.seats[self.seat].name == self.host

    # ── how it is folded ────────────────────────────────────────────────────────────────────────────────────────

    def _begin(self, rules: RuleSet, game: int) -> None:
        self.rules, self.game = rules, game
        self.state = State(rules)
        self.proofs, self.accounts = {}, []
        self.ready, self.ready_until = (), None
        self.turn_until = None
        self.tricks_told = 0
        for seen in self._rounds.values():
            seen.dealt, seen.shown = False, []

    def _happened(self, push: Happened) -> None:
        self._fold(push.events)
        self.turn_until = self._deadline(push.clock, 0.001)
        if self.state.winners is not None:
            self.phase = "over"
        elif self.state.turn is None:
            self.phase = "between"
        else:
            self.phase = "playing"

    def _fold(self, events: Sequence[Event]) -> None:
        for event in events:
            if not can_follow(self.state, event):
                raise Misfit
            self._remember(event)
            before = len(self.state.tricks)
            evolve(self.state, event)
            if isinstance(event, RoundScored):
                self.accounts.append(account_of(self.state))
            self.tricks_told += max(0, len(self.state.tricks) - before)
            for sentence in narrate(self.state, event, self.names):
                self._tell("story", sentence)

    def _remember(self, event: Event) -> None:
        if isinstance(event, RoundDealt):
            seen = self._seen(event.round)
            seen.dealt = True
            seen.first, seen.previous_first = event.first, self.state.first
            own = event.hands[self.seat] if self.seat is not None else None
            seen.hand = None if own is None else card_set(own)
            seen.shown = [0] * self.rules.players
            self.ready, self.ready_until = (), None
        elif isinstance(event, CardBid | CardPlayed):
            shown = self._seen(self.state.round).shown
            shown[event.seat] |= 1 << event.card

    def _seen(self, round_number: int) -> RoundSeen:
        return self._rounds.setdefault(round_number, RoundSeen(round_number))

    def _promised(self, round_number: int, commitment: bytes) -> None:
        seen = self._seen(round_number)
        if seen.commitment is None and not seen.dealt and self.state.round < round_number:
            seen.commitment = commitment

    def _reveal(self, proof: Proof) -> None:
        seen = self._seen(proof.round)
        if not seen.dealt or proof.round in self.proofs:
            return
        fixed = bool(self.options.contest)
        verdict = check_deal(self.rules, seen, proof.commitment, proof.secret, proof.nonces, self.seat, fixed=fixed)
        self.proofs[proof.round] = verdict
        if not verdict.proven:
            self.unproven.append(
                unproven_entry(self.code, self.game, self.rules, seen, verdict, proof.secret, proof.nonces)
            )
            self._tell("system", (f"Round {proof.round}: {verdict.words}",))

    def _set_seats(self, seats: tuple[SeatInfo, ...], seat: int | None) -> None:
        # Who comes and goes is told by the server, in lines of its own.
        self.seats, self.seat, self.names = seats, seat, seat_names(seats, seat)

    def _catch_up(self, events: Sequence[Event], chat: tuple[ChatLine, ...]) -> None:
        """Fold what happened, and tell what was said meanwhile where it was said."""
        known = self._chat
        overlap = next((n for n in range(min(len(known), len(chat)), 0, -1) if known[-n:] == chat[:n]), 0)
        to_tell = deque(chat[overlap:])
        for event in events:
            while to_tell and to_tell[0].number <= self.state.number:
                self._say(to_tell.popleft())
            self._fold((event,))
        for line in to_tell:
            self._say(line)
        self._chat = chat or known

    def _say(self, line: ChatLine) -> None:
        said = visible(line.text)
        if line.kind == "system":
            self._tell("system", (said,))
        elif line.seat == self.seat and (self.seat is not None or line.name == self.me):
            self._tell("own", (f"you: {said}",))
        elif not self.mutes(line.name):
            self._tell("talk", (f"{speaker_name(line.name)}: {said}",))

    def _tell(self, kind: Literal["story", "talk", "own", "system"], words: Sentence) -> None:
        if kind == "story" and words and isinstance(words[0], str):
            words = (capital(words[0]), *words[1:])
        self.log.append(LogLine(kind, words, self.state.round if hasattr(self, "state") else 0))
        if len(self.log) > LOG_LINES:
            del self.log[: len(self.log) - LOG_LINES]

    def _deadline(self, amount: int | None, unit: float) -> float | None:
        return None if amount is None else self._now() + amount * unit

    def _left(self, until: float | None) -> int | None:
        return None if until is None else max(0, math.ceil(until - self._now()))


def _check_table(rules: RuleSet, seats: Sequence[SeatInfo], seat: int | None) -> None:
    """Raise Misfit where rules and seats do not make a table."""
    try:
        check_rules(rules)
    except RulesError:
        raise Misfit from None
    if len(seats) != rules.players or (seat is not None and not 0 <= seat < rules.players):
        raise Misfit
