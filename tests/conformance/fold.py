"""A table as its events add up to it, by docs/protocol.md, and what its rules let the seat on turn do."""

from __future__ import annotations

from typing import Any

Rules = dict[str, Any]
GETAWAY = 4
_BLUE = 0


def suit_of(card: int) -> int:
    """Return 0 to 3, or GETAWAY."""
    return card // 15 if card < 60 else GETAWAY


def rank_of(card: int) -> int:
    """Return 1 to 15; 0 for a Getaway card."""
    return card % 15 + 1 if card < 60 else 0


class Fold:
    """A game as one reader knows it. `seat` is the reader's, None for a spectator."""

    def __init__(self, rules: Rules, seat: int | None) -> None:
        self.rules = rules
        self.seat = seat
        self.events: list[list[Any]] = []
        self.scores = [5] * rules["players"]
        self.winners: list[int] = []
        self.round = 0
        self.phase = "none"
        self.turn: int | None = None
        self.is_over = False
        self._clear()

    def _clear(self) -> None:
        players: int = self.rules["players"]
        self.hand: set[int] = set()
        self.sizes = [self.rules["hand_size"]] * players
        self.bids: list[list[int]] = [[] for _ in range(players)]
        self.planned = [0] * players
        self.covered: set[int] = set()
        self.passed: list[int] = []
        self.snitch: set[int] = set()
        self.trick: list[tuple[int, int]] = []
        self.won: list[tuple[int, int]] = []
        self.last_lead: int | None = None
        self.shown: list[set[int]] = [set() for _ in range(players)]
        """Cards of the round that each seat was seen to hold."""

    @property
    def number(self) -> int:
        """The state number."""
        return len(self.events)

    def lead(self) -> int | None:
        """Return the suit to follow in the trick, None where it has none yet."""
        return next((suit_of(card) for _, card in self.trick if suit_of(card) != GETAWAY), None)

    def apply(self, event: list[Any]) -> None:
        """Take one event; an element more at its end is ignored."""
        self.events.append(event)
        getattr(self, "_" + event[0].replace("-", "_"))(*event[1:])

    def _dealt(self, number: int, first: int, hands: list[list[int] | None], *_: Any) -> None:
        self._clear()
        self.round, self.turn, self.phase = number, first, "planning"
        for seat, hand in enumerate(hands):
            assert (hand is not None) == (seat == self.seat), f"the hand of seat {seat} was sent to seat {self.seat}"
            if hand is not None:
                assert len(hand) == self.rules["hand_size"]
                self.hand = set(hand)

    def _bid(self, seat: int, card: int, *_: Any) -> None:
        assert (self.phase, self.turn) == ("planning", seat)
        self._leaves_hand(seat, card)
        self.bids[seat].append(card)
        self.planned[seat] += 1
        self._next_planner(seat)

    def _passed(self, seat: int, *_: Any) -> None:
        assert (self.phase, self.turn) == ("planning", seat)
        if not self.bids[seat] and not ("double-cross" in self.rules["variants"] and self.snitch):
            self.snitch.add(seat)
        self._leaves_planning(seat)

    def _double_crossed(self, seat: int, *_: Any) -> None:
        assert (self.phase, self.turn) == ("planning", seat)
        if seat == self.seat:
            self.hand |= set(self.bids[seat])
        self.sizes[seat] += len(self.bids[seat])
        self.bids[seat], self.planned[seat] = [], 0
        self.snitch.add(seat)
        self._leaves_planning(seat)

    def _leaves_planning(self, seat: int) -> None:
        self.passed.append(seat)
        if len(self.passed) == self.rules["players"]:
            self.phase, self.turn = "playing", seat
        else:
            self._next_planner(seat)

    def _next_planner(self, seat: int) -> None:
        players = self.rules["players"]
        around = [(seat + step) % players for step in range(1, players + 1)]
        self.turn = next(after for after in around if after not in self.passed)

    def _leaves_hand(self, seat: int, card: int) -> None:
        assert seat != self.seat or card in self.hand, f"card {card} was not in the reader's hand"
        self.hand.discard(card)
        self.sizes[seat] -= 1
        self.shown[seat].add(card)

    def _played(self, seat: int, card: int, *_: Any) -> None:
        assert (self.phase, self.turn) == ("playing", seat)
        self._leaves_hand(seat, card)
        self.trick.append((seat, card))
        full = len(self.trick) == self.rules["players"]
        self.turn = None if full else (seat + 1) % self.rules["players"]

    def _won(self, seat: int, card: int, *_: Any) -> None:
        lead = self.lead()
        best = max(self.trick, key=lambda play: self._strength(play[1], lead))
        assert (seat, card) == best, f"{self.trick} was won by {best}"
        self.last_lead, self.trick = lead, []
        self.won.append((seat, card))
        self.phase, self.turn = "covering", seat

    def _strength(self, card: int, lead: int | None) -> tuple[int, int]:
        suit = suit_of(card)
        return (
            2 if suit == _BLUE else 1 if suit == lead and suit != GETAWAY else 0,
            rank_of(card) if suit in (_BLUE, lead) else 0,
        )

    def _covered(self, seat: int, card: int, *_: Any) -> None:
        assert card in self.coverable()
        self.covered.add(card)
        self.phase, self.turn = "playing", seat

    def _promoted(self, seat: int, card: int, *_: Any) -> None:
        assert not self.coverable()
        self.bids[seat].append(card)
        self.phase, self.turn = "playing", seat

    def _loose(self, seat: int, *_: Any) -> None:
        assert not self.coverable()
        self.phase, self.turn = "playing", seat

    def _scored(self, points: list[int], *_: Any) -> None:
        assert min(self.sizes) == 0
        self.scores = [score + more for score, more in zip(self.scores, points, strict=True)]
        self.phase, self.turn = "none", None

    def _ended(self, scores: list[int], winners: list[int], *_: Any) -> None:
        assert scores == self.scores
        assert all(scores[seat] == max(scores) for seat in winners)
        self.winners, self.is_over = winners, True

    def coverable(self) -> set[int]:
        """Return which bid cards the trick just won can cover: of its winner, by suit, by rank or by suit led."""
        seat, card = self.won[-1]
        if suit_of(card) == GETAWAY:
            return set()
        return {
            bid
            for bid in self.bids[seat]
            if bid not in self.covered
            and (rank_of(bid) == rank_of(card) or suit_of(bid) in (suit_of(card), self.last_lead))
        }

    def legal(self) -> list[Any]:
        """Return the legal list that the reader has to be sent, on whose turn it is."""
        assert self.seat is not None
        if self.phase == "covering":
            return [sorted(self.coverable()), False, False]
        if self.phase == "playing":
            following = {card for card in self.hand if suit_of(card) == self.lead()}
            getaways = {card for card in self.hand if suit_of(card) == GETAWAY}
            return [sorted(following | getaways if following else self.hand), False, False]
        below = self.planned[self.seat] < self.rules["max_bid"]
        biddable = sorted(card for card in self.hand if below and suit_of(card) != GETAWAY)
        crossing = "double-cross" in self.rules["variants"]
        has_bid = bool(self.bids[self.seat])
        may_pass = not (crossing and self.snitch and not has_bid and biddable)
        return [biddable, may_pass, crossing and has_bid and not self.passed]
