"""Positions in which one action is plainly right, and how often each level finds it; `make positions` shows the table.

A position is written as a table of `table.py`: the hands, then the moves that lead to it, each checked by the rules.
The seat on turn is asked, with what it can see; `right` is what it should do, any of them where there are several.
Hands are small, so that a reader can see why.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from looseends_core.actions import action_text
from looseends_core.bots import LEVELS, Level
from looseends_core.cards import deck, name
from looseends_core.redact import redact
from looseends_core.state import State, fold
from tests.core.table import Table

SEEDS = 20
"""How often each level is asked in each position."""
ENOUGH = 19
"""How often out of that a level that searches has to be right."""


@dataclass(frozen=True)
class Position:
    """One position: `name` says what is right and why; `first` begins the round."""

    name: str
    hands: str
    moves: str
    right: str
    first: int = 0
    variants: str = ""
    max_bid: int = 1

    def view(self) -> State:
        """Return what the seat on turn can see."""
        table = Table(self._all_hands(), first=self.first, variants=self.variants, max_bid=self.max_bid)
        if self.moves:
            table.run(self.moves)
        return fold(table.rules, [redact(event, table.state.turn) for event in table.events])

    def _all_hands(self) -> str:
        """Return the hands, with every `*` filled: other cards of the deck in turns, so that each holds all sorts."""
        hands = [hand.strip() for hand in self.hands.split("|")]
        size = max(len(hand.split()) for hand in hands)
        named = " ".join(hands).split()
        others = [name(card) for card in deck(len(hands), "getaway" in self.variants) if name(card) not in named]
        starred = [seat for seat, hand in enumerate(hands) if hand == "*"]
        for at, seat in enumerate(starred):
            # From the top of the deck's ranks as from its bottom.
            hands[seat] = " ".join(others[at :: len(others) // size // len(starred) * len(starred) or 1][:size])
        return " | ".join(hands)

    @property
    def answers(self) -> tuple[str, ...]:
        """The right actions, as `action_text` writes them."""
        return tuple(answer.strip() for answer in self.right.split(" or "))


def times_right(level: Level, position: Position, seeds: int) -> int:
    """Return in how many of so many askings, each with random numbers of its own, a level does what is right."""
    view = position.view()
    return sum(
        action_text(level.choose(view, random.Random(f"{position.name}/{seed}"))) in position.answers
        for seed in range(seeds)
    )


# One seat bids and covers a card, the other follows: the beginning of several positions below.
_COVERED = "0 bid R1, 1 bid Y1, 0 pass, 1 bid Y2, 1 pass, 1 R3, 0 R12"
_LOST_TWO = "0 pass, 1 bid G1, 1 pass, 1 R5, 0 R2, 1 G9, 0 G4, 1 Y9"

POSITIONS = (
    # Ducking
    Position(
        "done: ducks and keeps a card that would win",
        "R1 R12 G9 G2 G4 | Y1 R3 G5 G6 Y9",
        "0 bid R1, 1 bid Y1, 0 pass, 1 pass, 1 R3, 0 R12, 0 G2, 1 G6, 1 G5",
        "play G4",
    ),
    Position(
        "done: ducks the last trick, for the Perfect Crime",
        "R1 R12 G4 Y10 Y2 | Y1 Y3 R3 G5 Y9",
        "0 bid R1, 1 bid Y1, 0 pass, 1 bid Y3, 1 pass, 1 R3, 0 R12, 0 G4, 1 G5, 1 Y9",
        "play Y2",
        max_bid=2,
    ),
    Position(
        "done: does not trump a last trick that it does not want",
        "R1 R12 G4 B3 G2 | Y1 Y2 R3 G5 Y9",
        f"{_COVERED}, 0 G4, 1 G5, 1 Y9",
        "play G2",
        max_bid=2,
    ),
    Position(
        "done: does not trump either where Plan B would make the card a bid that nothing covers",
        "R1 R12 G4 B3 G2 | Y1 Y2 R3 G5 Y9",
        f"{_COVERED}, 0 G4, 1 G5, 1 Y9",
        "play G2",
        variants="plan-b",
        max_bid=2,
    ),
    Position(
        "done: throws the Getaway card where its other card would win",
        "R1 R12 G4 Y10 X1 | Y1 Y2 R3 G5 Y9",
        f"{_COVERED}, 0 G4, 1 G5, 1 Y9",
        "play X1",
        variants="getaway",
        max_bid=2,
    ),
    Position(
        "an open bid that this last trick cannot cover: ducks, or there is one loose end more",
        "Y3 R9 R2 G4 G2 | Y1 G1 Y5 G9 R5",
        "0 bid Y3, 1 bid Y1, 0 pass, 1 bid G1, 1 pass, 1 Y5, 0 G2, 1 G9, 0 G4, 1 R5",
        "play R2",
        max_bid=2,
    ),
    # Snitching
    Position(
        "a snitch ducks",
        "R5 R2 G3 G4 | R12 R6 R3 R1",
        "1 pass, 0 bid G4, 0 pass, 0 R5",
        "play R3 or play R1",
        first=1,
    ),
    Position(
        "a snitch throws the Getaway card where every other card wins",
        "R5 R2 G3 G4 | R12 R6 X1 Y1",
        "1 pass, 0 bid G4, 0 pass, 0 R5",
        "play X1",
        first=1,
        variants="getaway",
    ),
    Position(
        "a snitch who cannot follow does not trump",
        "R5 R2 G3 G4 | G12 Y2 B3 B1",
        "1 pass, 0 bid G4, 0 pass, 0 R5",
        "play G12 or play Y2",
        first=1,
    ),
    Position(
        "a snitch throws its high trump under a higher one",
        "Y5 G10 R10 R9 | B9 G11 R11 G3 | B8 G2 R3 R1",
        "1 bid G3, 2 pass, 0 bid R9, 1 pass, 0 pass, 0 Y5, 1 B9",
        "play B8",
        first=1,
    ),
    Position(
        "a snitch leads low",
        "R1 R2 R12 G12 | R5 R7 G3 Y4",
        "1 pass, 0 pass",
        "play R1 or play R2",
        first=1,
    ),
    Position(
        "a snitch is winning: the next player stays under",
        "G1 R3 G4 G5 | R7 G12 Y3 Y4 | Y1 R9 R2 Y12",
        "1 pass, 2 bid Y1, 0 bid G1, 2 pass, 0 pass, 0 R3, 1 R7",
        "play R2",
        first=1,
    ),
    # Covering
    Position(
        "the last chance to cover: wins with what can win",
        "Y3 Y12 Y1 R2 G4 | R1 G1 R5 G9 Y9",
        f"0 bid Y3, 1 bid R1, {_LOST_TWO}",
        "play Y12",
        max_bid=2,
    ),
    Position(
        "the last chance to cover: trumps",
        "Y3 B2 G8 R2 G4 | R1 G1 R5 G9 Y9",
        f"0 bid Y3, 1 bid R1, {_LOST_TWO}",
        "play B2",
        max_bid=2,
    ),
    Position(
        "the last chance to cover: only the card of the bid's rank does",
        "G9 R9 R12 Y2 Y4 | Y1 G1 Y5 G7 R5",
        "0 bid G9, 1 bid Y1, 0 pass, 1 bid G1, 1 pass, 1 Y5, 0 Y2, 1 G7, 0 Y4, 1 R5",
        "play R9",
        max_bid=2,
    ),
    Position(
        "the last chance to cover: trumps over a trump",
        "Y9 G1 G2 R1 | B4 R2 R4 R5 | Y3 B8 B3 B2",
        "1 bid R2, 2 bid Y3, 0 bid G1, 1 bid R4, 2 bid B2, 0 bid R1, 1 bid R5, 2 pass, 0 bid G2, 1 pass, 0 pass,"
        "0 Y9, 1 B4",
        "play B8",
        first=1,
        max_bid=3,
    ),
    Position(
        "two to cover: wins with the lower card and keeps the one that nothing beats",
        "R1 R2 R6 R12 G4 | G1 G9 R5 R8 Y3",
        "0 bid R1, 1 bid G1, 0 bid R2, 1 pass, 0 pass, 0 G4, 1 G9, 1 R5",
        "play R6",
        max_bid=2,
    ),
    Position(
        "one to cover: leads the card that nothing beats",
        "R1 R2 R9 R12 G2 | G1 Y1 Y2 R5 G9",
        "0 bid R1, 1 bid G1, 0 bid R2, 1 bid Y1, 0 pass, 1 bid Y2, 1 pass, 1 R5, 0 R9, 0 cover R1",
        "play R12",
        max_bid=3,
    ),
    Position(
        "one to cover: leads the suit of the bid and not another card that wins as surely",
        "R1 Y3 R9 Y12 G12 | G1 Y1 Y2 R5 G9",
        "0 bid R1, 1 bid G1, 0 bid Y3, 1 bid Y1, 0 pass, 1 bid Y2, 1 pass, 1 R5, 0 R9",
        "play Y12",
        max_bid=3,
    ),
    Position(
        "done and on lead: leads the Getaway card",
        "R1 R9 B12 X1 Y12 | G1 Y1 Y2 R5 G9",
        "0 bid R1, 1 bid G1, 0 pass, 1 bid Y1, 1 bid Y2, 1 pass, 1 R5, 0 R9",
        "play X1",
        variants="getaway",
        max_bid=3,
    ),
    Position(
        "done and on lead in the last trick: leads low",
        "R1 R12 G1 G12 Y2 | R3 R6 Y3 Y8 G5 | G2 Y9 Y10 R5 G8",
        "0 bid R1, 1 bid Y3, 2 bid G2, 0 pass, 1 pass, 2 bid Y9, 2 bid Y10, 2 pass, 2 R5, 0 R12, 1 R6",
        "play G1 or play Y2",
        max_bid=3,
    ),
    Position(
        "Plan B: leads the card that covers what was promoted",
        "R1 R12 Y5 Y12 Y1 | G1 G2 R3 Y4 Y7",
        "0 bid R1, 1 bid G1, 0 pass, 1 bid G2, 1 pass, 1 R3, 0 R12, 0 Y5, 1 Y4",
        "play Y12",
        variants="plan-b",
        max_bid=2,
    ),
    Position(
        "two could be covered: covers the one that later cards could not",
        "R5 R4 Y1 Y2 Y3 | R1 G9 R9 R12 R11",
        "1 bid R1, 0 bid Y3, 1 bid G9, 0 pass, 1 pass, 1 R9, 0 R5",
        "cover G9",
        first=1,
        max_bid=2,
    ),
    Position(
        "two could be covered: leaves the trump bid to the highest trump",
        "R1 B2 B4 B12 G2 | G1 Y1 Y2 R5 G9",
        "0 bid R1, 1 bid G1, 0 bid B2, 1 bid Y1, 0 pass, 1 bid Y2, 1 pass, 1 R5, 0 B4",
        "cover R1",
        max_bid=3,
    ),
    # Planning
    Position(
        "the lowest of hands snitches",
        "B1 B2 R1 R2 R3 R4 G1 G2 G3 G5 Y1 Y2 Y3 Y4 Y6 | * | * | *",
        "",
        "pass",
        max_bid=4,
    ),
    Position(
        "low cards snitch with three at the table too",
        "R1 R2 R3 G1 G2 Y1 Y2 B1 | * | *",
        "",
        "pass",
        max_bid=3,
    ),
    Position(
        "high cards bid: no snitch has the two highest trumps",
        "B12 B11 R12 G12 R1 G1 B1 Y1 | * | *",
        "",
        "bid B12 or bid B11 or bid R12 or bid G12 or bid R1 or bid G1 or bid B1 or bid Y1",
        max_bid=3,
    ),
    Position(
        "bids what it can win back or stops, and does not bid a suit that it has nothing to win with",
        "R12 R11 R1 R2 Y3 G5 | G1 Y8 Y2 Y9 G8 R5 | Y7 Y10 G10 R6 B2 B3",
        "1 bid G1, 2 bid Y7, 0 bid R1, 1 pass, 2 pass",
        "bid R2 or pass",
        first=1,
        max_bid=2,
    ),
    Position(
        "stops where a further bid could not be covered",
        "R1 R12 G1 Y1 G2 Y2 | * | *",
        "0 bid R1, 1 pass, 2 pass",
        "pass",
        max_bid=3,
    ),
    Position(
        "takes a bid back and snitches with the lowest of hands",
        "R1 R2 G1 Y1 G2 Y2 R3 | B12 B11 R12 R11 G12 Y12 G11",
        "0 bid R1, 1 bid R11",
        "double-cross",
        variants="double-cross",
        max_bid=3,
    ),
)


def table_of(seeds: int) -> Iterator[tuple[Position, dict[str, int]]]:
    """Yield each position with how often each level was right in it."""
    for position in POSITIONS:
        yield position, {name: times_right(level, position, seeds) for name, level in LEVELS.items()}


def main() -> int:
    """Print how often each level is right, and return 1 where it is less often than it should be."""
    failed = easy = 0
    print(f"{'right out of ' + str(SEEDS):84}" + "".join(f"{name:>8}" for name in LEVELS))
    for position, right in table_of(SEEDS):
        weak = min(right["sharp"], right["fox"]) < ENOUGH
        failed += weak
        easy += right["rookie"] >= ENOUGH
        print(f"{position.name[:82]:84}" + "".join(f"{right[name]:8}" for name in LEVELS) + ("  <-" if weak else ""))
    print(f"{len(POSITIONS)} positions; sharp or fox fell short in {failed}; rookie got through {easy}")
    return 1 if failed or easy > len(POSITIONS) * 2 // 3 else 0


if __name__ == "__main__":
    sys.exit(main())
