"""Every message that travels, as a typed value. `docs/protocol.md` is this file for people who write other clients.

On the wire a message is a map with its tag under `t` and the short keys of `WIRE_KEYS`; fields at their default are
left out. Unknown keys are ignored, so a field may be added with a default; a field is never renamed or given another
meaning. What a message leads to does not live here.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from looseends_core.actions import Action
from looseends_core.cards import Card
from looseends_core.events import Event
from looseends_core.rules import RuleSet
from looseends_core.shuffle import NONCE_BYTES
from looseends_protocol.limits import LARGEST_COUNT, PASSWORD_LENGTH, TITLE_LENGTH_SENT

WIRE_KEYS = {
    "absence": "ab",
    "action": "a",
    "answers": "re",
    "away": "aw",
    "bots": "bt",
    "can": "cn",
    "chat": "ch",
    "client": "cl",
    "clock": "ck",
    "clock_seconds": "cs",
    "code": "c",
    "commitment": "cm",
    "connected": "on",
    "error": "er",
    "events": "e",
    "from_number": "fn",
    "game": "g",
    "hello_password": "pw",
    "host": "h",
    "hint": "hi",
    "id": "id",
    "kind": "k",
    "legal": "l",
    "level": "lv",
    "levels": "ls",
    "line": "ln",
    "major": "v",
    "minor": "m",
    "missed_from": "mf",
    "name": "nm",
    "names": "nn",
    "needs_password": "np",
    "nonce": "nc",
    "nonces": "ns",
    "number": "n",
    "open_seats": "os",
    "options": "o",
    "page": "p",
    "pages": "ps",
    "password": "pw",
    "phase": "ph",
    "players": "pl",
    "private": "pv",
    "proofs": "pr",
    "ready": "rd",
    "ready_seconds": "rs",
    "record": "rc",
    "retry_after": "ra",
    "round": "r",
    "rules": "ru",
    "seat": "st",
    "seats": "ss",
    "secret": "sc",
    "sequence": "s",
    "server": "sv",
    "since": "si",
    "spectators": "sp",
    "spectators_talk": "sk",
    "stand_in": "sb",
    "subscribe": "su",
    "suggestion": "sg",
    "tables": "ts",
    "text": "tx",
    "title": "ti",
    "token": "tk",
    "want_nonce": "wn",
    "watching": "wa",
    "yours": "y",
}
"""The key that each field has on the wire."""


def _wire_key(field: str) -> str:
    return WIRE_KEYS[field]


Count = Annotated[int, Meta(ge=0, le=LARGEST_COUNT)]
"""A game, state number or round that a client names: 0 to 2^31−1, so that none is a place counted from the end."""
RequestId = Annotated[int, Meta(ge=0, le=LARGEST_COUNT)]
"""Chosen by the client, 0 to 2^31−1; the answer carries it back. Nothing is read into it."""
SeatNumber = Annotated[int, Meta(ge=0, le=4)]
Code = Annotated[str, Meta(min_length=1, max_length=16)]
"""The code of a table, as `codes.table_code` reads it."""
Password = Annotated[str, Meta(max_length=PASSWORD_LENGTH)]
Absence = Literal["bot", "wait", "clock"]
"""What a table does for a person who is away: `bot` lets one play after a while, `wait` waits, `clock` lets the turn
clock run out and takes a bot's action for that turn only."""
Away = Literal["", "lost", "left", "removed"]
"""Why a person is not at their seat: the connection was lost, they left, the host removed them; empty: they are."""
TablePhase = Literal["gathering", "dealing", "playing", "between", "over", "frozen"]
"""`gathering` until the host starts, `dealing` while nonces are collected, `playing` a round, `between` two rounds
until everybody is ready, `over` after the last, `frozen` while the server cannot save or after a fault."""


class _OnTheWire(msgspec.Struct, frozen=True, tag_field="t", rename=_wire_key, omit_defaults=True):
    """What all messages have in common."""


class _Part(msgspec.Struct, frozen=True, rename=_wire_key, omit_defaults=True):
    """A map inside a message."""


class Request(_OnTheWire, frozen=True):
    """Sent by a client; answered exactly once, with `answers` = this id."""

    id: RequestId


class Answer(_OnTheWire, frozen=True):
    """Sent by the server for one request."""

    answers: RequestId


class Push(_OnTheWire, frozen=True):
    """Sent by the server to everybody at a table; `sequence` counts the pushes of that table one by one.

    A client that misses a number asks for a `Resync`.
    """

    sequence: int


# ── parts ────────────────────────────────────────────────────────────────────────────────────────────────────────


class TableOptions(_Part, frozen=True):
    """What a host sets besides the rules.

    `clock_seconds` is the time for one turn in seconds, 0 for none. `private` tables are not listed. `bots` is the
    pace of bots in milliseconds an action, so that people can follow.
    """

    title: Annotated[str, Meta(max_length=TITLE_LENGTH_SENT)] = ""
    clock_seconds: Annotated[int, Meta(ge=0, le=3600)] = 0
    absence: Absence = "bot"
    private: bool = False
    spectators: bool = True
    spectators_talk: bool = True
    bots: Annotated[int, Meta(ge=0, le=5000)] = 600
    hint: bool = True


class SeatInfo(_Part, frozen=True):
    """Who sits on a seat: nobody (`open`), a `person`, or a `bot` of a level.

    `stand_in` says that a bot plays for that person at the moment.
    """

    kind: Literal["open", "person", "bot"]
    name: str = ""
    level: str = ""
    connected: bool = False
    away: Away = ""
    stand_in: bool = False


class TableLine(_Part, frozen=True):
    """A table as the lobby lists it."""

    code: str
    title: str
    host: str
    rules: RuleSet
    options: TableOptions
    phase: TablePhase
    open_seats: int
    names: tuple[str, ...] = ()
    needs_password: bool = False
    watching: int = 0


class SeatHeld(_Part, frozen=True):
    """A table at which the person who said hello has a seat."""

    code: str
    title: str
    seat: int
    phase: TablePhase
    yours: bool = False
    """Whether it is this person's turn there."""


class Proof(_Part, frozen=True):
    """What proves a round's deal: published when the round is over ([F1]). Lengths 32, 32 and 16 bytes."""

    round: int
    commitment: bytes
    secret: bytes = b""
    nonces: tuple[bytes, ...] = ()


class ChatLine(_Part, frozen=True):
    """One line of talk. `seat` is None for a spectator; `kind` is `said` for people, `system` for the server's own."""

    kind: Literal["said", "system"]
    text: str
    name: str = ""
    seat: int | None = None


class Legal(msgspec.Struct, frozen=True, array_like=True):
    """What the seat on turn may do: cards to bid, play or cover, whichever the phase asks, and two that need none.

    On the wire `[cards, may_pass, may_double_cross]`.
    """

    cards: tuple[Card, ...]
    may_pass: bool = False
    may_double_cross: bool = False


# ── requests ─────────────────────────────────────────────────────────────────────────────────────────────────────


class Hello(Request, frozen=True, tag="hello"):
    """The first message of a connection: who speaks, and which protocol.

    With a `token` the identity is the one that owns it and `name` is ignored; without one a new identity of that name
    is made. `can` lists optional abilities of the client; none is defined yet. `client` names the program, for the
    log. Answered by `Welcome`.
    """

    major: int
    minor: int = 0
    name: Annotated[str, Meta(max_length=64)] = ""
    token: bytes = b""
    hello_password: Password = ""
    client: Annotated[str, Meta(max_length=64)] = ""
    can: tuple[str, ...] = ()


class Ping(Request, frozen=True, tag="ping"):
    """Asks for a `Pong`. Both sides may send it."""


class ListTables(Request, frozen=True, tag="list"):
    """Asks for a page of the lobby, from 0; with `subscribe` changes of it are pushed until another `ListTables`."""

    page: Annotated[int, Meta(ge=0, le=1000)] = 0
    subscribe: bool = False


class CreateTable(Request, frozen=True, tag="create"):
    """Makes a table, seats the sender on seat 0 as its host. Answered by `Attending`."""

    rules: RuleSet
    options: TableOptions = TableOptions()
    password: Password = ""


class JoinTable(Request, frozen=True, tag="join"):
    """Takes a seat, or comes back to one's own; the first open seat where none is named. Answered by `Attending`.

    `game` and `since` say which events the client holds already, so that only later ones are sent.
    """

    code: Code
    seat: SeatNumber | None = None
    password: Password = ""
    game: Count = 0
    since: Count = 0


class WatchTable(Request, frozen=True, tag="watch"):
    """Watches without a seat. Answered by `Attending`."""

    code: Code
    password: Password = ""
    game: Count = 0
    since: Count = 0


class LeaveTable(Request, frozen=True, tag="leave"):
    """Leaves the table for good. In a running game the seat is kept by the table's absence policy."""


class StepAway(Request, frozen=True, tag="away"):
    """Goes back to the lobby and keeps the seat, as a lost connection would."""


class SeatBot(Request, frozen=True, tag="seat-bot"):
    """Host: gives an open seat to a bot of a level."""

    seat: SeatNumber
    level: Annotated[str, Meta(max_length=16)]


class Unseat(Request, frozen=True, tag="unseat"):
    """Host: takes a bot or a person off a seat before the start; in a running game a bot takes a person's place."""

    seat: SeatNumber


class StartGame(Request, frozen=True, tag="start"):
    """Host: starts the game, once every seat is taken."""


class Act(Request, frozen=True, tag="act"):
    """Takes an action in game `game` at the state number it was chosen for; refused as stale at any other."""

    game: Count
    number: Count
    action: Action


class BeReady(Request, frozen=True, tag="ready"):
    """Says that the sender has seen round `round` and wants the next; after the last round, a rematch."""

    round: Count


class GiveNonce(Request, frozen=True, tag="nonce"):
    """The sender's 16 fresh random bytes for the round to be dealt ([F1])."""

    round: Count
    nonce: Annotated[bytes, Meta(min_length=NONCE_BYTES, max_length=NONCE_BYTES)]


class Say(Request, frozen=True, tag="say"):
    """Says a line to the table."""

    text: Annotated[str, Meta(max_length=1024)]


class Resync(Request, frozen=True, tag="resync"):
    """Asks for the table anew. Answered by `Attending`."""

    game: Count = 0
    since: Count = 0


class GetRecord(Request, frozen=True, tag="record"):
    """Asks for the record of the rounds that are over. Answered by `RecordText`."""


# ── answers ──────────────────────────────────────────────────────────────────────────────────────────────────────


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


class Done(Answer, frozen=True, tag="done"):
    """The request was carried out."""


class Pong(Answer, frozen=True, tag="pong"):
    """Answers a `Ping`."""


class Refused(_OnTheWire, frozen=True, tag="refused"):
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


class RecordText(Answer, frozen=True, tag="record-text"):
    """A record of the rounds that are over, as JSON text."""

    record: str


# ── pushes ───────────────────────────────────────────────────────────────────────────────────────────────────────


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


class LobbyChanged(_OnTheWire, frozen=True, tag="lobby"):
    """The subscribed page of the lobby, anew. At most one a second."""

    tables: tuple[TableLine, ...]
    page: int = 0
    pages: int = 1


class Notice(_OnTheWire, frozen=True, tag="notice"):
    """A word of the server to everybody."""

    text: str
    kind: Literal["info", "closing"] = "info"


class Detached(_OnTheWire, frozen=True, tag="detached"):
    """The reader is at the table no more: `error` and `text` say why, as in `Refused`."""

    error: str
    text: str


FROM_CLIENT: tuple[type[msgspec.Struct], ...] = (
    Hello,
    Ping,
    Pong,
    ListTables,
    CreateTable,
    JoinTable,
    WatchTable,
    LeaveTable,
    StepAway,
    SeatBot,
    Unseat,
    StartGame,
    Act,
    BeReady,
    GiveNonce,
    Say,
    Resync,
    GetRecord,
)
"""What a client may send."""

FROM_SERVER: tuple[type[msgspec.Struct], ...] = (
    Welcome,
    Done,
    Ping,
    Pong,
    Refused,
    Tables,
    Attending,
    RecordText,
    Happened,
    SeatsChanged,
    GameBegan,
    RoundCommitted,
    RoundRevealed,
    ReadyChanged,
    Said,
    LobbyChanged,
    Notice,
    Detached,
)
"""What a server may send."""


class MessageUnknown(Exception):
    """The map has no tag that this side knows."""


class MessageInvalid(Exception):
    """The map of a known message lacks a field or has one of the wrong kind."""


def _by_tag(kinds: tuple[type[msgspec.Struct], ...]) -> dict[Any, type[msgspec.Struct]]:
    return {kind.__struct_config__.tag: kind for kind in kinds}


_FROM_CLIENT = _by_tag(FROM_CLIENT)
_FROM_SERVER = _by_tag(FROM_SERVER)


def message_from_client(content: dict[str, Any]) -> msgspec.Struct:
    """Return the typed message in a frame that a client sent. Raises MessageUnknown or MessageInvalid."""
    return _typed(content, _FROM_CLIENT)


def message_from_server(content: dict[str, Any]) -> msgspec.Struct:
    """Return the typed message in a frame that a server sent. Raises MessageUnknown or MessageInvalid."""
    return _typed(content, _FROM_SERVER)


def _typed(content: dict[str, Any], kinds: dict[Any, type[msgspec.Struct]]) -> msgspec.Struct:
    tag = content.get("t")
    kind = kinds.get(tag) if isinstance(tag, str) else None
    if kind is None:
        raise MessageUnknown("no known tag under `t`")
    try:
        # Told that bytes are at home here, msgspec does not also take a str and read it as base64.
        return msgspec.convert(content, kind, builtin_types=(bytes,))
    except (msgspec.ValidationError, ValueError, TypeError, RecursionError) as error:
        raise MessageInvalid(str(error)[:200]) from error


def request_id_of(content: dict[str, Any]) -> int | None:
    """Return the request id of a map whose message could not be read, where it has a valid one."""
    number = content.get("id")
    return number if type(number) is int and 0 <= number <= LARGEST_COUNT else None
