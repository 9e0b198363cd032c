"""Games that are over, as a store keeps them: what is written of one, and what can be asked of all.

Nothing here knows a database or a table; what follows from a game, and who may see it, is `archive`'s and its
neighbours'.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from msgspec import Struct

from looseends_core.numbers import Numbers


class GameSeat(Struct, frozen=True):
    """Who sat on a seat of a kept game.

    `identity` is 0 for a bot, and for somebody whose traces were deleted. `who` is what their numbers are kept under:
    `bot:LEVEL`, the key of a name, or ` gone:` and random digits for somebody whose traces were deleted; empty for
    nobody.
    """

    identity: int
    who: str
    name: str
    score: int
    won: bool


class Standing(Struct, frozen=True):
    """The numbers of somebody in games of so many players with these variants, written `double-cross+plan-b`."""

    who: str
    players: int
    variants: str
    numbers: Numbers


class Rating(Struct, frozen=True):
    """How strong somebody is, by openskill's two numbers; people and bots stand on ladders of their own."""

    ladder: str
    who: str
    mu: float
    sigma: float
    games: int


class KeptGame(Struct, frozen=True):
    """A finished game. `digest` is the SHA-256 of its record and what makes it the same game as another.

    `ended_at` is in seconds since 1970, UTC. `open_to_all` games are shown to everybody, others to those who played
    and to `watched_by`, identities. `record` is the JSON text, deflated (`archive.packed`). `origin` says where it was
    played: the code of a table, `import`, or what kind of contest it belonged to.
    """

    digest: bytes
    ended_at: float
    players: int
    variants: str
    open_to_all: bool
    proven: bool
    origin: str
    seats: tuple[GameSeat, ...]
    watched_by: tuple[int, ...]
    record: bytes


class GameKept(Struct, frozen=True):
    """A finished game is kept, with what its players' numbers and ratings are from now on.

    Changes nothing where a game with its digest is kept already.
    """

    game: KeptGame
    standings: tuple[Standing, ...] = ()
    ratings: tuple[Rating, ...] = ()


class StandingsReplaced(Struct, frozen=True):
    """All numbers and ratings are these from now on."""

    standings: tuple[Standing, ...]
    ratings: tuple[Rating, ...]


class TracesDeleted(Struct, frozen=True):
    """Somebody is taken out of kept games: each of these records is replaced by one without their name, and their
    seat is nobody's. `games` are pairs of a game's number and its new record; `who` is what the numbers of the seat
    are kept under from now on, which names nobody."""

    identity: int
    games: tuple[tuple[int, bytes], ...]
    name: str
    who: str


class LeftOut(Struct, frozen=True):
    """Whether a person wants to be in no list of players."""

    identity: int
    out: bool


class GameQuery(Struct, frozen=True):
    """Which games are asked for: only those that this identity may see, newest first.

    `mine` restricts to those the identity played in; `who` to those in which this `GameSeat.who` did. Times are
    seconds since 1970; `players` 0 and `variants` None stand for any.
    """

    identity: int
    mine: bool = True
    who: str = ""
    since: float = 0.0
    until: float = 1e18
    players: int = 0
    variants: str | None = None
    offset: int = 0
    limit: int = 50
    see_all: bool = False
    """Whether the asker may see every game: whoever owns the folder."""


class GameRow(Struct, frozen=True):
    """A kept game as a list shows it, without its record."""

    game: int
    ended_at: float
    players: int
    variants: str
    open_to_all: bool
    proven: bool
    origin: str
    seats: tuple[GameSeat, ...]


class GamesReader(Protocol):
    """Reads what is kept of games. Every call blocks, and sees all that was durable when it began."""

    def find(self, query: GameQuery) -> tuple[list[GameRow], int]:
        """Return a page of games, and how many there are in all."""
        ...

    def has(self, digest: bytes) -> bool:
        """Return whether a game with this digest is kept."""
        ...

    def record(self, game: int, identity: int, *, see_all: bool = False) -> bytes | None:
        """Return the deflated record of a game that this identity may see, None where there is none such."""
        ...

    def of_origin(self, origin: str) -> list[tuple[GameRow, bytes]]:
        """Return every game of an origin with its deflated record, in the order in which they were kept."""
        ...

    def seat_of(self, game: int, identity: int) -> int | None:
        """Return the seat on which somebody played a game, None where they did not."""
        ...

    def games_of(self, identity: int) -> list[tuple[int, int, bytes]]:
        """Return the number, the seat and the deflated record of every game that somebody played."""
        ...

    def every_game(self) -> Iterator[tuple[GameRow, bytes]]:
        """Yield every game with its record, in the order in which they were kept."""
        ...

    def standings(self) -> list[Standing]:
        """Return all numbers."""
        ...

    def ratings(self) -> list[Rating]:
        """Return all ratings."""
        ...

    def left_out(self) -> set[int]:
        """Return who wants to be in no list."""
        ...

    def close(self) -> None:
        """Let go of what is read from."""
        ...
