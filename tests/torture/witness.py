"""What one client saw of its table, over however many lives of the server; and what the server owes it for that.

It holds the promises: nothing that was seen is gone, nothing comes twice, no promise of a deal changes. It knows no
connection.
"""

from __future__ import annotations

import random
from collections import Counter

from looseends_core.actions import Action, Bid, Cover, DoubleCross, Pass, Play
from looseends_core.events import BidCovered, BidPromoted, CardBid, CardPlayed, DoubleCrossed, Event, Passed
from looseends_core.rules import RuleSet
from looseends_core.shuffle import NONCE_BYTES, commitment_of
from looseends_core.state import Phase, State, evolve, fold
from looseends_core.verify import verify_text
from looseends_protocol.messages import (
    Attending,
    GameBegan,
    Happened,
    Legal,
    Push,
    RoundCommitted,
    RoundRevealed,
    SeatInfo,
    SeatsChanged,
)
from tests.torture.line import Broken


def is_fact_of(event: Event, seat: int, action: Action) -> bool:
    """Return whether this event is what becomes of that action of that seat."""
    match action, event:
        case (Bid(card), CardBid(by, laid)) | (Play(card), CardPlayed(by, laid)):
            return (seat, card) == (by, laid)
        case (Pass(), Passed(by)) | (DoubleCross(), DoubleCrossed(by)):
            return seat == by
        case Cover(card), BidCovered(by, covered):
            return (seat, card) == (by, covered)
        case _, BidPromoted(by):
            return seat == by
    return False


class Witness:
    """One person at one table. Raises Broken wherever the server contradicts what it has said before."""

    def __init__(self, name: str, rng: random.Random) -> None:
        self.name = name
        self.rng = rng
        self.token = b""
        self.code = ""
        self.seat = 0
        self.rules: RuleSet
        self.view: State
        self.game = 0
        self.events: list[Event] = []
        self.sequence = 0
        self.phase = ""
        self.seats: tuple[SeatInfo, ...] = ()
        self.legal: Legal | None = None
        self.clock: int | None = None
        self.clock_seconds = 0
        self.act: tuple[int, int, Action] | None = None
        """The last action that was sent: game, state number and what it was."""
        self.act_confirmed = False
        self.counts: Counter[str] = Counter()
        self._commitments: dict[tuple[int, int], bytes] = {}
        self._nonces: dict[tuple[int, int], bytes] = {}
        self._nonces_confirmed: set[tuple[int, int]] = set()

    # ── what it sees ─────────────────────────────────────────────────────────────────────────────────────────────

    def attend(self, table: Attending, since: int, *, restarted: bool) -> None:
        """Take a table whole, or from `since` on; what was seen before has to be in it."""
        if table.seat is None or (self.code and (table.code, table.seat) != (self.code, self.seat)):
            raise Broken(f"{self.name} sat on seat {self.seat} of {self.code}, and is now on {table.seat}")
        seen = self.events
        if table.game == self.game and self.code:
            if table.from_number not in (0, since):
                raise Broken(f"asked for events from {since} on, got them from {table.from_number} on")
            events = [*seen[: table.from_number], *table.events]
            if events[: len(seen)] != seen:
                raise Broken(f"{self.name} saw {len(seen)} events, and what it saw is not in the {len(events)} now")
            self.counts["events seen before a restart and found again"] += len(seen) if restarted else 0
        else:
            self._check_next_game(table)
            events = list(table.events)
        self.code, self.seat, self.rules = table.code, table.seat, table.rules
        self.game, self.events, self.sequence = table.game, events, table.sequence
        self.clock_seconds = table.options.clock_seconds
        if restarted:
            self._check_act()
        if events[: len(seen)] == seen:
            self._check_view(len(seen))
        self.view = fold(table.rules, events)
        self.phase, self.seats, self.legal, self.clock = table.phase, table.seats, table.legal, table.clock
        self._check_turn()
        for proof in table.proofs:
            self._promised(proof.round, proof.commitment)
            if proof.secret:
                self._revealed(proof.round, proof.secret, proof.nonces)
        if table.want_nonce and (self.game, table.want_nonce) in self._nonces_confirmed:
            raise Broken(f"the nonce of round {table.want_nonce} was taken, and is asked for again")

    def _check_next_game(self, table: Attending) -> None:
        if not self.code:
            return
        over = self.game == 0 or self.view.phase is Phase.OVER
        if table.game != self.game + 1 or not over:
            raise Broken(f"{self.name} saw game {self.game} ({self.view!r}), the table is in game {table.game}")

    def _check_view(self, number: int) -> None:
        """The hand, the turn and all else that was known at a state number is still so."""
        if not self.code or not number or self.view.number != number:
            return
        if fold(self.rules, self.events[:number]) != self.view:
            raise Broken(f"{self.name} knew {self.view!r} and would not come to know it again")

    def _check_act(self) -> None:
        """An action that was answered is there; one that was not may be."""
        if self.act is None or self.act[0] != self.game:
            return
        _, number, action = self.act
        is_there = len(self.events) > number and is_fact_of(self.events[number], self.seat, action)
        if self.act_confirmed and not is_there:
            raise Broken(f"{action} of {self.name} at {number} was confirmed and is gone")
        if not self.act_confirmed:
            self.counts["unconfirmed actions kept" if is_there else "unconfirmed actions not kept"] += 1
        self.act = None

    def _check_turn(self) -> None:
        mine = self.phase == "playing" and self.view.turn == self.seat
        if mine != (self.legal is not None):
            raise Broken(f"turn is {self.view.turn} in {self.phase}, and {self.name} was told {self.legal}")
        if mine and (self.clock_seconds > 0) != (self.clock is not None):
            raise Broken(f"a turn clock of {self.clock_seconds} s shows {self.clock}")

    def push(self, push: Push) -> None:
        """Take one push; none may be missing and none come twice."""
        if push.sequence != self.sequence + 1:
            raise Broken(f"push {push.sequence} came after {self.sequence}")
        self.sequence = push.sequence
        match push:
            case GameBegan():
                self.game, self.events, self.view = push.game, [], State(push.rules)
                self.phase = "dealing"
            case RoundCommitted():
                self.phase = "dealing"
                self._promised(push.round, push.commitment)
            case RoundRevealed():
                self._revealed(push.round, push.secret, push.nonces)
            case Happened():
                self._happened(push)
            case SeatsChanged():
                self.seats, self.phase = push.seats, push.phase
            case _:
                pass

    def _happened(self, push: Happened) -> None:
        for event in push.events:
            evolve(self.view, event)
            self.events.append(event)
        self.legal, self.clock = push.legal, push.clock
        if self.view.phase is Phase.OVER:
            self.phase = "over"
        else:
            self.phase = "playing" if self.view.turn is not None else "between"
        self._check_turn()

    # ── what it was promised ─────────────────────────────────────────────────────────────────────────────────────

    def _promised(self, round_number: int, commitment: bytes) -> None:
        if self._commitments.setdefault((self.game, round_number), commitment) != commitment:
            raise Broken(f"the commitment of round {round_number} changed")

    def _revealed(self, round_number: int, secret: bytes, nonces: tuple[bytes, ...]) -> None:
        key = (self.game, round_number)
        if commitment_of(secret) != self._commitments.get(key):
            raise Broken(f"the secret of round {round_number} is not the one that was promised")
        if key in self._nonces_confirmed and nonces[self.seat] != self._nonces[key]:
            raise Broken(f"the nonce of round {round_number} was confirmed and not used")
        self.counts["deals proven"] += 1

    def nonce_for(self, round_number: int) -> bytes:
        """Return the nonce of a round, always the same."""
        return self._nonces.setdefault((self.game, round_number), self.rng.randbytes(NONCE_BYTES))

    def nonce_confirmed(self, game: int, round_number: int) -> None:
        """The server answered that it has kept the nonce."""
        self._nonces_confirmed.add((game, round_number))

    def acts(self, action: Action) -> None:
        """An action is on its way."""
        self.act, self.act_confirmed = (self.game, self.view.number, action), False
        self.legal = None

    def act_was_confirmed(self) -> None:
        """The server answered that the action was taken."""
        self.act_confirmed = True
        self.counts["confirmed actions"] += 1

    def check_record(self, text: str) -> None:
        """The record of the game has to be right in every detail, and every deal in it proven."""
        verdict = verify_text(text.encode())
        if verdict.fault is not None or verdict.unproven:
            raise Broken(f"the record of {self.code} is wrong: {verdict}")
        self.counts["records verified"] += 1
