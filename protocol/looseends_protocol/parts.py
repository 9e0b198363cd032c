"""The maps inside messages: tables, seats, proofs, lines of talk, and what a seat may do.

A message does not live here, and what leads from one to another neither.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from looseends_core.actions import Action
from looseends_core.cards import Card
from looseends_core.rules import RuleSet
from looseends_protocol.limits import TITLE_LENGTH_SENT
from looseends_protocol.wire import Absence, Away, Count, Hundredths, Part, Percent, TablePhase


class TableOptions(Part, frozen=True):
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
    contest: Annotated[str, Meta(max_length=32)] = ""
    """What the table belongs to where the same cards are dealt at other tables too; set by the server alone. Nobody is
    asked for a nonce there, because the deal is fixed, and there is no rematch."""
    replay: bool = False
    """Whether a finished game is shown there, and nothing played; set by the server alone."""


class SeatInfo(Part, frozen=True):
    """Who sits on a seat: nobody (`open`), a `person`, or a `bot` of a level.

    `stand_in` says that a bot plays for that person at the moment, `elsewhere` that somebody who is not at the table
    is on the server all the same: in the lobby, or at another table.
    """

    kind: Literal["open", "person", "bot"]
    name: str = ""
    level: str = ""
    connected: bool = False
    away: Away = ""
    stand_in: bool = False
    elsewhere: bool = False


class TableLine(Part, frozen=True):
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


class SeatHeld(Part, frozen=True):
    """A table at which the person who said hello has a seat."""

    code: str
    title: str
    seat: int
    phase: TablePhase
    yours: bool = False
    """Whether it is this person's turn there."""


class Proof(Part, frozen=True):
    """What proves a round's deal: published when the round is over ([F1]). Lengths 32, 32 and 16 bytes."""

    round: int
    commitment: bytes
    secret: bytes = b""
    nonces: tuple[bytes, ...] = ()


class ChatLine(Part, frozen=True):
    """One line of talk. `seat` is None for a spectator; `kind` is `said` for people, `system` for the server's own.

    `number` is the state number at which it was said in the game that goes on, 0 for what is older than that.
    """

    kind: Literal["said", "system"]
    text: str
    name: str = ""
    seat: int | None = None
    number: int = 0


class WeighedAction(Part, frozen=True):
    """One legal action as a bot weighed it for a hint, over deals that fit all that the seat has seen.

    `points` are the seat's own points of this round less the mean of the others', `uncertainty` their standard error,
    `own` the seat's own points of this round, all in hundredths; shares are percents, None where they make no sense.
    With `worlds` 0 nothing was counted and no number means anything.
    """

    action: Action
    points: Hundredths = 0
    uncertainty: Annotated[int, Meta(ge=0, le=100_000)] = 0
    own: Hundredths = 0
    worlds: Count = 0
    wins: Percent | None = None
    """A card to play: how often it wins the trick."""
    cover: Card | None = None
    """The bid card that the action is about: the one that the trick covers most often, is laid, or is covered."""
    covers: Percent | None = None
    """How often that card is covered: by this trick for a card to play, by the end of the round for one to bid."""
    loose: Percent | None = None
    """A card to play: how often it wins the trick and covers nothing."""
    snitches: Percent | None = None
    """For a snitch without a trick: how often the round ends so."""
    perfect: Percent | None = None
    """For anybody else: how often the round ends as a Perfect Crime."""


class Legal(msgspec.Struct, frozen=True, array_like=True):
    """What the seat on turn may do: cards to bid, play or cover, whichever the phase asks, and two that need none.

    On the wire `[cards, may_pass, may_double_cross]`.
    """

    cards: tuple[Card, ...]
    may_pass: bool = False
    may_double_cross: bool = False


class GameLine(Part, frozen=True):
    """A finished game as a list shows it. `ended_at` is in seconds since 1970, UTC.

    `names`, `scores` and `winners` (seats) are by seat, bots as `bot:LEVEL`; `seat` is the reader's own, None where
    they did not play. `origin` is the code of its table. `proven` says that every deal of it can be checked,
    `open_to_all` that everybody may look at it.
    """

    game: int
    ended_at: int
    names: tuple[str, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    variants: tuple[str, ...] = ()
    origin: str = ""
    seat: int | None = None
    proven: bool = False
    open_to_all: bool = False


class ReviewedDecision(Part, frozen=True):
    """A decision of a finished game, looked at again.

    `number` is the state number that it was taken at, `taken` what was done and `best` what the bot would have done;
    `lost` is what that was worth more, on average, in hundredths of a point, and `uncertainty` the standard error of
    that. `planning` says that it was a bid, a pass or a double-cross.
    """

    number: int
    taken: Action
    best: Action
    lost: Annotated[int, Meta(ge=0, le=100_000)] = 0
    uncertainty: Annotated[int, Meta(ge=0, le=100_000)] = 0
    planning: bool = False


class ContestLine(Part, frozen=True):
    """A game of a contest: who played, by seat, their final scores, and what each seat made of each deal.

    `deltas` has a tuple a round, each with the points of every seat; `game` is the number for `GetGame`, `number` that
    of its table in a duplicate, 0 where there is none.
    """

    game: int
    names: tuple[str, ...]
    scores: tuple[int, ...]
    deltas: tuple[tuple[int, ...], ...]
    seat: int | None = None
    number: int = 0


class NumbersLine(Part, frozen=True):
    """Somebody's numbers in games of so many players with these variants: `numbers` are the fields of
    `looseends_core.numbers.Numbers`, in their order; a later version may have more behind them."""

    players: int
    variants: tuple[str, ...]
    numbers: tuple[int, ...]


class Leader(Part, frozen=True):
    """A rung of a ladder: a name or `bot:LEVEL`, a rating in hundredths, and the games that it comes from.

    The rating is what somebody is worth at least: openskill's mean less three of its deviations.
    """

    name: str
    rating: int
    games: int
