"""The rest of Planning in a sampled world: everybody lays what they mean to lay, passes, and the play begins.

What each means to lay comes from outside: for others a guess, for oneself a plan that is being weighed.
"""

from __future__ import annotations

from collections.abc import Sequence

from looseends_core.bots.board import Board
from looseends_core.bots.masks import BIT, LOW
from looseends_core.cards import RANKS, Card, CardSet
from looseends_core.state import State

PlanningTrace = list[tuple[str, int, Card]]
"""What was decided, for tests: (`bid`, `pass` or `double-cross`, seat, card or −1)."""


class PlanningTable:
    """What is public in the middle of Planning; `settle` plays the rest of it on given hands."""

    def __init__(self, view: State) -> None:
        assert view.turn is not None, "somebody is on turn in Planning"
        self.turn = view.turn
        self.laid = [list(bids) for bids in view.bids]
        self._passed = list(view.passed)
        self._snitching = list(view.snitching)
        self._crossing = view.rules.double_cross
        self._max_bid = view.rules.max_bid
        self._blank = Board(view)

    def settle(
        self,
        hands: Sequence[CardSet],
        plans: Sequence[Sequence[Card]],
        crosser: int = -1,
        trace: PlanningTrace | None = None,
    ) -> Board:
        """Return the board on which the first trick is led, after each seat has laid its plan and passed.

        A seat without a bid that may not pass beside a snitch ([V3]) lays its lowest card of any suit. `crosser` is a
        seat that double-crosses instead of passing, where it still can when its turn comes.
        """
        board = self._blank.copy()
        board.hold(hands)
        n = board.players
        masks, need, out = board.hands, board.need, board.out
        laid = [len(bids) for bids in self.laid]
        sizes = [hand.bit_count() for hand in hands]
        passed = [False] * n
        for seat in self._passed:
            passed[seat] = True
        waiting = n - len(self._passed)
        snitch = list(self._snitching)
        anybody = True in snitch
        nobody_passed = not self._passed
        at_card = [0] * n
        seat = self.turn
        while True:
            if not passed[seat]:
                plan = plans[seat]
                card = -1
                if at_card[seat] < len(plan):
                    card = plan[at_card[seat]]
                    at_card[seat] += 1
                elif self._crossing and anybody and not laid[seat] and self._max_bid:
                    card = _lowest(masks, 4 * seat)
                if card >= 0:
                    suit = card // RANKS
                    bit = BIT[card - suit * RANKS + 1]
                    masks[4 * seat + suit] ^= bit
                    need[4 * seat + suit] |= bit
                    out[suit] ^= bit
                    laid[seat] += 1
                    sizes[seat] -= 1
                    if trace is not None:
                        trace.append(("bid", seat, card))
                else:
                    crosses = seat == crosser and nobody_passed and self._crossing and laid[seat] > 0
                    if crosses:
                        for suit in (0, 1, 2, 3):
                            back = need[4 * seat + suit]
                            masks[4 * seat + suit] |= back
                            out[suit] |= back
                            need[4 * seat + suit] = 0
                        sizes[seat] += laid[seat]
                        laid[seat] = 0
                    if not laid[seat]:
                        snitch[seat] = not (self._crossing and anybody)
                        anybody = anybody or snitch[seat]
                    if trace is not None:
                        trace.append(("double-cross" if crosses else "pass", seat, -1))
                    passed[seat] = True
                    nobody_passed = False
                    waiting -= 1
                    if not waiting:
                        break
            seat = seat + 1 if seat + 1 < n else 0
        board.snitch = snitch
        board.seat = board.best_seat = seat
        board.left = min(sizes)
        return board


def _lowest(masks: list[int], at: int) -> Card:
    """Return the lowest card of the hand that can be bid, −1 where there is none."""
    chosen, lowest = -1, RANKS + 1
    for suit in (1, 2, 3, 0):
        rank = LOW[masks[at + suit]]
        if rank and rank < lowest:
            lowest = rank
            chosen = suit * RANKS + rank - 1
    return chosen
