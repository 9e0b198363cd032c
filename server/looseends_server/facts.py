"""What a table's journal holds: past-tense facts of the server and, inside `Happened`, those of the game.

A table is the fold of these (see `table_state`). Every fact is written with a version; what an older version wrote
is brought up to date in `read_fact`, and nowhere else. Fields are only added at the end, with a default.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from looseends_core.events import Event
from looseends_core.rules import RuleSet
from looseends_protocol.messages import TableOptions

FACTS_VERSION = 1
"""Written in front of every fact."""


class TableOpened(msgspec.Struct, frozen=True, array_like=True, tag="opened"):
    """A table was made, with its rules and options; `password` is a hash, empty for none.

    Where `deals` are given, the cards of every round follow from them, and so do the random numbers of its bots. What
    is played at a `practice` table counts for nothing and is kept in no list: its cards are known already.
    """

    rules: RuleSet
    options: TableOptions
    made_at: float
    password: str = ""
    practice: bool = False
    deals: bytes = b""


class SeatTaken(msgspec.Struct, frozen=True, array_like=True, tag="taken"):
    """A person took a seat."""

    seat: int
    identity: int
    name: str


class SeatEmptied(msgspec.Struct, frozen=True, array_like=True, tag="emptied"):
    """A seat became open again, before a game or after it."""

    seat: int


class BotSeated(msgspec.Struct, frozen=True, array_like=True, tag="bot"):
    """A seat was given to a bot of this level."""

    seat: int
    level: str


class PersonLeft(msgspec.Struct, frozen=True, array_like=True, tag="left"):
    """A person left a running game, or was removed from it; a bot keeps the place."""

    seat: int
    why: Literal["left", "removed"]


class PersonBack(msgspec.Struct, frozen=True, array_like=True, tag="back"):
    """A person who had left took their seat again."""

    seat: int


class HostPassed(msgspec.Struct, frozen=True, array_like=True, tag="host"):
    """The host's rights passed to this person."""

    identity: int


class GameOpened(msgspec.Struct, frozen=True, array_like=True, tag="game"):
    """A game began, numbered from 1 at this table; `names` are those that its record will carry, one a seat."""

    game: int
    names: tuple[str, ...]


class SecretCommitted(msgspec.Struct, frozen=True, array_like=True, tag="secret"):
    """The server drew the secret of this round and published its commitment ([F1])."""

    round: int
    secret: bytes


class NonceKept(msgspec.Struct, frozen=True, array_like=True, tag="nonce"):
    """A seat gave its nonce for the round to be dealt ([F1])."""

    seat: int
    nonce: bytes


class Happened(msgspec.Struct, frozen=True, array_like=True, tag="happened"):
    """Facts of the game that one decision led to."""

    events: tuple[Event, ...]


class ReadyGiven(msgspec.Struct, frozen=True, array_like=True, tag="ready"):
    """A seat is ready for what follows."""

    seat: int


class ClockLeft(msgspec.Struct, frozen=True, array_like=True, tag="clock"):
    """The seat on turn had this many seconds left when the facts beside this one were written."""

    seconds: float


class Thawed(msgspec.Struct, frozen=True, array_like=True, tag="thawed"):
    """Writing works again after it had failed."""


class FellAsleep(msgspec.Struct, frozen=True, array_like=True, tag="asleep"):
    """Nobody is at the table since this time, in seconds since 1970; any later fact but `Thawed` says otherwise."""

    at: float


Fact = (
    TableOpened
    | SeatTaken
    | SeatEmptied
    | BotSeated
    | PersonLeft
    | PersonBack
    | HostPassed
    | GameOpened
    | SecretCommitted
    | NonceKept
    | Happened
    | ReadyGiven
    | ClockLeft
    | Thawed
    | FellAsleep
)

OF_ONE_GAME = (SecretCommitted, NonceKept, Happened, ReadyGiven, ClockLeft, Thawed, FellAsleep)
"""Kinds of facts that say nothing any more once a later game has begun."""


class FactUnreadable(ValueError):
    """Bytes in a journal that are no fact of this version or an older one."""


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(tuple[int, msgspec.Raw])
_FACT_DECODER: msgspec.msgpack.Decoder[Fact] = msgspec.msgpack.Decoder(Fact)

_UPCASTS: dict[int, Any] = {}
"""For each older version: how its builtins become those of the next version."""


def written_fact(fact: Fact) -> bytes:
    """Return the fact as the journal keeps it."""
    return _ENCODER.encode((FACTS_VERSION, fact))


def read_fact(written: bytes) -> Fact:
    """Return the fact in a journal entry of this version or an older one. Raises FactUnreadable."""
    try:
        version, body = _DECODER.decode(written)
        if version == FACTS_VERSION:
            return _FACT_DECODER.decode(body)
        content = msgspec.msgpack.decode(body)
        while version < FACTS_VERSION:
            content = _UPCASTS[version](content)
            version += 1
        upcast: Fact = msgspec.convert(content, Fact)
        return upcast
    except (msgspec.MsgspecError, ValueError, KeyError, TypeError) as error:
        raise FactUnreadable(f"journal entry of {len(written)} bytes is no fact: {error}") from error
