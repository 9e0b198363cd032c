"""What happened at a table, as past-tense facts. A game is the list of these; every view of it is their fold.

Only `RoundDealt` holds a secret. A new event that holds one must be taught to `redact`, which refuses what it
does not know. Who sits where, clocks and connections are facts of the server and do not live here.

Encoded, an event is an array that begins with its tag, because events make up most of what travels and is kept:
`["played", 2, 17]`. So fields are only ever added at the end, with a default.
"""

from __future__ import annotations

import msgspec

from looseends_core.cards import Card, Seat
from looseends_core.shuffle import Fairness


class RoundDealt(msgspec.Struct, frozen=True, array_like=True, tag="dealt"):
    """A round began: its number (from 1), its first player, and a hand a seat.

    A hand is a tuple of card ids, or None where the reader may not know it; `fairness` is None where the reader may
    not know it yet, or where nothing proves the deal.
    """

    round: int
    first: Seat
    hands: tuple[tuple[Card, ...] | None, ...]
    fairness: Fairness | None = None


class CardBid(msgspec.Struct, frozen=True, array_like=True, gc=False, tag="bid"):
    """A seat laid a bid card ([P2])."""

    seat: Seat
    card: Card


class Passed(msgspec.Struct, frozen=True, array_like=True, gc=False, tag="passed"):
    """A seat ended its planning ([P4])."""

    seat: Seat


class DoubleCrossed(msgspec.Struct, frozen=True, array_like=True, gc=False, tag="double-crossed"):
    """The first seat to pass took all its bid cards back and snitches ([V1])."""

    seat: Seat


class CardPlayed(msgspec.Struct, frozen=True, array_like=True, gc=False, tag="played"):
    """A seat played a card to the trick ([T1])."""

    seat: Seat
    card: Card


class TrickWon(msgspec.Struct, frozen=True, array_like=True, gc=False, tag="won"):
    """The trick was complete and this seat won it with this card ([T2], [V8])."""

    seat: Seat
    card: Card


class BidCovered(msgspec.Struct, frozen=True, array_like=True, gc=False, tag="covered"):
    """The trick just won covered this bid card of the winner ([C1])."""

    seat: Seat
    card: Card


class BidPromoted(msgspec.Struct, frozen=True, array_like=True, gc=False, tag="promoted"):
    """Plan B: the winning card became a new, uncovered bid card of the winner ([V10])."""

    seat: Seat
    card: Card


class LooseEndTaken(msgspec.Struct, frozen=True, array_like=True, gc=False, tag="loose"):
    """The trick just won could cover nothing and is a loose end of the winner ([C3])."""

    seat: Seat


class RoundScored(msgspec.Struct, frozen=True, array_like=True, tag="scored"):
    """The round ended; `delta` is each seat's points of the round, in seat order."""

    delta: tuple[int, ...]


class GameEnded(msgspec.Struct, frozen=True, array_like=True, tag="ended"):
    """The last round was scored: totals in seat order, and the winning seats in ascending order ([E1], [E2])."""

    scores: tuple[int, ...]
    winners: tuple[Seat, ...]


Event = (
    RoundDealt
    | CardBid
    | Passed
    | DoubleCrossed
    | CardPlayed
    | TrickWon
    | BidCovered
    | BidPromoted
    | LooseEndTaken
    | RoundScored
    | GameEnded
)
