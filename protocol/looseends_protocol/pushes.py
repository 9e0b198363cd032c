"""What a server sends unasked: to everybody at a table, to those who look at the lobby, or to one connection."""

from __future__ import annotations

from typing import Literal

from looseends_core.events import Event
from looseends_core.rules import RuleSet
from looseends_protocol.parts import ChatLine, Legal, ReviewedDecision, SeatInfo, TableLine
from looseends_protocol.wire import OnTheWire, Push, TablePhase


class Happened(Push, frozen=True, tag="ev"):
    """Facts of the game, as the reader may know them.

    `legal` is there only for the seat that is now on turn; `clock` are the milliseconds of its turn.
    """

    events: tuple[Event, ...]
    legal: Legal | None = None
    clock: int | None = None


class SeatsChanged(Push, frozen=True, tag="seats"):
    """Who sits where, who is the host and what the table waits for. `clock` as in `Happened`."""

    seats: tuple[SeatInfo, ...]
    host: str
    phase: TablePhase
    watching: tuple[str, ...] = ()
    clock: int | None = None


class GameBegan(Push, frozen=True, tag="began"):
    """A game starts at state number 0: the first of a table, or a rematch."""

    game: int
    rules: RuleSet


class RoundCommitted(Push, frozen=True, tag="commit"):
    """The server holds a secret for this round and waits for the nonces of the seats that persons hold ([F1])."""

    round: int
    commitment: bytes


class RoundRevealed(Push, frozen=True, tag="reveal"):
    """The proof of a round that is over."""

    round: int
    secret: bytes
    nonces: tuple[bytes, ...]


class ReadyChanged(Push, frozen=True, tag="readies"):
    """Which seats are ready for what follows, and in how many seconds it follows anyway, None for never."""

    ready: tuple[int, ...]
    ready_seconds: int | None = None


class Said(Push, frozen=True, tag="said"):
    """Somebody said something, or the table did."""

    line: ChatLine


class LookedAt(Push, frozen=True, tag="looked-at"):
    """The host of a shared replay looks at the moment at this state number."""

    number: int


class LobbyChanged(OnTheWire, frozen=True, tag="lobby"):
    """The subscribed page of the lobby, anew. At most one a second."""

    tables: tuple[TableLine, ...]
    page: int = 0
    pages: int = 1


class Notice(OnTheWire, frozen=True, tag="notice"):
    """A word of the server to everybody."""

    text: str
    kind: Literal["info", "closing"] = "info"


class Detached(OnTheWire, frozen=True, tag="detached"):
    """The reader is at the table no more: `error` and `text` say why, as in `Refused`."""

    error: str
    text: str


class Reviewed(OnTheWire, frozen=True, tag="reviewed"):
    """One decision of a game under review: `done` of `total` are behind, `decision` is None where no bot could be
    asked about it."""

    game: int
    done: int
    total: int
    decision: ReviewedDecision | None = None
