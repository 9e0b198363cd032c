"""What a server sends in answer to one request, which `answers` names. What it sends unasked does not live here."""

from __future__ import annotations

from looseends_core.events import Event
from looseends_core.rules import RuleSet
from looseends_protocol.parts import (
    ChatLine,
    ContestLine,
    GameLine,
    Leader,
    Legal,
    NumbersLine,
    Proof,
    SeatHeld,
    SeatInfo,
    TableLine,
    TableOptions,
    WeighedAction,
)
from looseends_protocol.wire import Answer, Count, OnTheWire, RequestId, TablePhase


class Welcome(Answer, frozen=True, tag="welcome"):
    """The identity is known. `token` is there only when it was made just now: keep it, it is shown once."""

    major: int
    minor: int
    name: str
    server: str
    token: bytes = b""
    seats: tuple[SeatHeld, ...] = ()
    levels: tuple[tuple[str, str], ...] = ()
    """Bot levels of this server: name, and a line about it."""


class CodeMade(Answer, frozen=True, tag="code-made"):
    """A code for the `way_back` of a hello, shown once.

    One for a way back works until the next one is made; one for a key works once, within `seconds`.
    """

    way_back: str
    seconds: int = 0


class Done(Answer, frozen=True, tag="done"):
    """The request was carried out."""


class Pong(Answer, frozen=True, tag="pong"):
    """Answers a `Ping`."""


class Refused(OnTheWire, frozen=True, tag="refused"):
    """The request was not carried out, and why. `answers` is None where no request can be named.

    `error` is a code of `errors.ERRORS` or an `action/…` code of the rules; `text` is a sentence for people.
    """

    error: str
    text: str
    answers: RequestId | None = None
    suggestion: str = ""
    retry_after: int = 0
    """Seconds to wait before another try, 0 where waiting is not the point."""


class Tables(Answer, frozen=True, tag="tables"):
    """A page of the lobby."""

    tables: tuple[TableLine, ...]
    page: int = 0
    pages: int = 1


class Attending(Answer, frozen=True, tag="attending"):
    """A table whole, as its reader may know it, and the `sequence` that its pushes go on from.

    `events` are the redacted events of game `game` from state number `from_number` on: fold them with the rules.
    `seat` is the reader's own, None for a spectator.
    """

    sequence: int
    code: str
    title: str
    rules: RuleSet
    options: TableOptions
    phase: TablePhase
    host: str
    seats: tuple[SeatInfo, ...]
    game: int
    seat: int | None = None
    from_number: int = 0
    events: tuple[Event, ...] = ()
    proofs: tuple[Proof, ...] = ()
    want_nonce: int = 0
    """The round for which the server waits for the reader's nonce, 0 for none."""
    ready: tuple[int, ...] = ()
    ready_seconds: int | None = None
    clock: int | None = None
    """Milliseconds left for the turn, None where no clock runs."""
    legal: Legal | None = None
    chat: tuple[ChatLine, ...] = ()
    watching: tuple[str, ...] = ()
    missed_from: Count | None = None
    """The state number at which the reader was last connected in this game; None where they were all along, or where
    that is not known any more."""
    looking_at: Count | None = None
    """At a shared replay the state number that its host looks at, None at any other table."""


class Hint(Answer, frozen=True, tag="hinted"):
    """What a bot of a level makes of every legal action of the asker, from the asker's own view, best first."""

    level: str
    weighed: tuple[WeighedAction, ...]


class RecordText(Answer, frozen=True, tag="record-text"):
    """A record of the rounds that are over, as JSON text."""

    record: str


class Games(Answer, frozen=True, tag="games-page"):
    """A page of finished games."""

    games: tuple[GameLine, ...]
    page: int = 0
    pages: int = 1


class NumbersOf(Answer, frozen=True, tag="numbers-of"):
    """Somebody's numbers, by players and variants.

    `rating` is in hundredths, as in `Leader`, None while there is none; `out` says that they are in no list, and is
    told to themselves alone.
    """

    name: str
    numbers: tuple[NumbersLine, ...] = ()
    rating: int | None = None
    out: bool = False


class Leaders(Answer, frozen=True, tag="ladder"):
    """The top of a ladder, strongest first."""

    leaders: tuple[Leader, ...] = ()


class Contest(Answer, frozen=True, tag="contest-so-far"):
    """How a contest went so far: its finished games, 200 at most, that of the best person first."""

    contest: str
    rules: RuleSet
    lines: tuple[ContestLine, ...] = ()
