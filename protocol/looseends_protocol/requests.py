"""What a client may send. Each is answered exactly once, by the answer that its docstring names or by `Refused`.

Nothing that a server sends lives here, `Ping` and `Pong` apart, which go both ways.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from looseends_core.actions import Action
from looseends_core.rules import RuleSet
from looseends_core.shuffle import NONCE_BYTES
from looseends_protocol.limits import FINGERPRINT_BYTES
from looseends_protocol.parts import TableOptions
from looseends_protocol.wire import Code, Count, Password, Request, SeatNumber


class Hello(Request, frozen=True, tag="hello"):
    """The first message of a connection: who speaks, and which protocol.

    With a `token` the identity is the one that owns it and `name` is ignored; without one a new identity of that name
    is made. `can` lists optional abilities of the client; none is defined yet. `client` names the program, for the
    log. A `way_back`, the code of an earlier `MakeCode`, stands in the place of a token. `door`, the server's secret
    for its SSH doors, lets its sender say of the person behind it where they come from and which key is theirs.
    Answered by `Welcome`.
    """

    major: int
    minor: int = 0
    name: Annotated[str, Meta(max_length=64)] = ""
    token: bytes = b""
    hello_password: Password = ""
    client: Annotated[str, Meta(max_length=64)] = ""
    can: tuple[str, ...] = ()
    way_back: Annotated[str, Meta(max_length=32)] = ""
    door: bytes = b""
    came_from: Annotated[str, Meta(max_length=64)] = ""
    fingerprint: Annotated[bytes, Meta(max_length=FINGERPRINT_BYTES)] = b""


class MakeCode(Request, frozen=True, tag="make-code"):
    """Asks for a code that is this person: a way back, or for an SSH key of theirs to be tied to them.

    Answered by `CodeMade`.
    """

    purpose: Literal["back", "link"]


class Ping(Request, frozen=True, tag="ping"):
    """Asks for a `Pong`. Both sides may send it."""


class ListTables(Request, frozen=True, tag="list"):
    """Asks for a page of the lobby, from 0; with `subscribe` changes of it are pushed until another `ListTables`."""

    page: Annotated[int, Meta(ge=0, le=1000)] = 0
    subscribe: bool = False


class CreateTable(Request, frozen=True, tag="create"):
    """Makes a table, seats the sender on seat 0 as its host. Answered by `Attending`.

    With `copies` it makes so many, a contest: the same cards are dealt at all of them, and the first says the codes of
    the others, whose host is who first sits down.
    """

    rules: RuleSet
    options: TableOptions = TableOptions()
    password: Password = ""
    copies: Annotated[int, Meta(ge=1, le=8)] = 1


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


class AskHint(Request, frozen=True, tag="hint"):
    """Asks what a strong bot would do on the sender's turn, in game `game` at state number `number`.

    Answered by `Hint`, which may take seconds.
    """

    game: Count
    number: Count


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


class ListGames(Request, frozen=True, tag="games"):
    """Asks for a page of the finished games that the sender may see, newest first. Answered by `Games`.

    With `own` only those that the sender played, with a `name` (or `bot:LEVEL`) only those in which somebody of that
    name did; `since` and `until` are in seconds since 1970, UTC, 0 for no bound; `players` 0 and `variants` None stand
    for any.
    """

    own: bool = True
    name: Annotated[str, Meta(max_length=64)] = ""
    since: Count = 0
    until: Count = 0
    players: Annotated[int, Meta(ge=0, le=5)] = 0
    variants: Annotated[tuple[Annotated[str, Meta(max_length=16)], ...], Meta(max_length=8)] | None = None
    page: Annotated[int, Meta(ge=0, le=100_000)] = 0


class GetGame(Request, frozen=True, tag="game"):
    """Asks for the record of a finished game, by its number in `Games`. Answered by `RecordText`."""

    game: Count


class ReviewGame(Request, frozen=True, tag="review"):
    """Asks what a strong bot would have done at each of the sender's decisions in a finished game.

    Answered by `Done`; a `Reviewed` follows for each decision.
    """

    game: Count


class WhatIf(Request, frozen=True, tag="what-if"):
    """Opens a practice table as a finished game stood before one of the sender's decisions, at state number `number`,
    with bots of a level on the other seats. Answered by `Attending`."""

    game: Count
    number: Count
    level: Annotated[str, Meta(max_length=16)] = "sharp"


class ShareReplay(Request, frozen=True, tag="share"):
    """Opens a table at which a finished game that the sender may see is looked at together, led by the sender.

    Answered by `Attending`, without a seat: nobody has one. Others come in by `WatchTable` and read the game by
    `GetRecord`.
    """

    game: Count


class LookAt(Request, frozen=True, tag="look-at"):
    """Host of a shared replay: leads everybody to the moment at state number `number`. Answered by `Done`."""

    number: Count


class PlayDaily(Request, frozen=True, tag="daily"):
    """Sits down to the deal of the day, the same for everybody on a server against the same bots; once a day each.

    Answered by `Attending`: the sender's table of today, where they have begun.
    """


class GetContest(Request, frozen=True, tag="contest"):
    """Asks how a contest went, by the `contest` of a table's options; empty for the deal of the day. Answered by
    `Contest`, for those who have finished a game of it."""

    contest: Annotated[str, Meta(max_length=32)] = ""


class GetNumbers(Request, frozen=True, tag="numbers"):
    """Asks for somebody's numbers, by name or `bot:LEVEL`; empty for the sender's. Answered by `NumbersOf`."""

    name: Annotated[str, Meta(max_length=64)] = ""


class GetLeaders(Request, frozen=True, tag="leaders"):
    """Asks for the top of a ladder. Answered by `Leaders`."""

    ladder: Literal["people", "bots"] = "people"


class LeaveLists(Request, frozen=True, tag="unlist"):
    """Asks to be in no list of players and to have no numbers shown to others, or to be again."""

    out: bool = True


class DeleteTraces(Request, frozen=True, tag="forget-me"):
    """Asks to be taken out of every finished game, for good: the games stay, with nobody's name on that seat."""
