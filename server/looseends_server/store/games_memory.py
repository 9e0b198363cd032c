"""Kept games in memory, for tables that need no disk and for tests. What the fields mean is in `games`."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from looseends_server.store.games import (
    GameKept,
    GameQuery,
    GameRow,
    GameSeat,
    KeptGame,
    LeftOut,
    Rating,
    Standing,
    StandingsReplaced,
    TracesDeleted,
)


class MemoryGames:
    """Games by their number, from 1. Takes changes as a store does, and reads as `games.GamesReader` says."""

    def __init__(self) -> None:
        self.games: dict[int, KeptGame] = {}
        self._standings: dict[tuple[str, int, str], Standing] = {}
        self._ratings: dict[tuple[str, str], Rating] = {}
        self._left_out: set[int] = set()

    def apply(self, change: GameKept | StandingsReplaced | TracesDeleted | LeftOut) -> None:
        """Make the change."""
        match change:
            case GameKept(game=game, standings=standings, ratings=ratings):
                if self.has(game.digest):
                    return
                self.games[len(self.games) + 1] = game
                self._write(standings, ratings)
            case StandingsReplaced(standings=standings, ratings=ratings):
                self._standings.clear()
                self._ratings.clear()
                self._write(standings, ratings)
            case TracesDeleted(identity=identity, games=games, name=name, who=who):
                for number, record in games:
                    game = self.games[number]
                    seats = tuple(
                        replace(seat, identity=0, who=who, name=name) if seat.identity == identity else seat
                        for seat in game.seats
                    )
                    self.games[number] = replace(game, record=record, seats=seats)
                for number, game in self.games.items():
                    watched = tuple(one for one in game.watched_by if one != identity)
                    self.games[number] = replace(game, watched_by=watched)
            case LeftOut(identity=identity, out=True):
                self._left_out.add(identity)
            case LeftOut(identity=identity):
                self._left_out.discard(identity)

    def _write(self, standings: tuple[Standing, ...], ratings: tuple[Rating, ...]) -> None:
        self._standings |= {(one.who, one.players, one.variants): one for one in standings}
        self._ratings |= {(one.ladder, one.who): one for one in ratings}

    def find(self, query: GameQuery) -> tuple[list[GameRow], int]:
        """Return a page of games, newest first, and how many there are in all."""
        found = [_row(number, game) for number, game in self.games.items() if _fits(game, query)]
        found.sort(key=lambda row: (-row.ended_at, -row.game))
        return found[query.offset : query.offset + query.limit], len(found)

    def has(self, digest: bytes) -> bool:
        """Return whether a game with this digest is kept."""
        return any(game.digest == digest for game in self.games.values())

    def record(self, game: int, identity: int, *, see_all: bool = False) -> bytes | None:
        """Return the deflated record of a game that this identity may see, None where there is none such."""
        kept = self.games.get(game)
        return kept.record if kept is not None and (see_all or _may_see(kept, identity)) else None

    def of_origin(self, origin: str) -> list[tuple[GameRow, bytes]]:
        """Return every game of an origin with its deflated record, in the order in which they were kept."""
        return [(row, kept) for row, kept in self.every_game() if row.origin == origin]

    def seat_of(self, game: int, identity: int) -> int | None:
        """Return the seat on which somebody played a game, None where they did not."""
        return next((seat for number, seat, _ in self.games_of(identity) if number == game), None)

    def games_of(self, identity: int) -> list[tuple[int, int, bytes]]:
        """Return the number, the seat and the deflated record of every game that somebody played."""
        return [
            (number, at, game.record)
            for number, game in self.games.items()
            for at, seat in enumerate(game.seats)
            if identity and seat.identity == identity
        ]

    def every_game(self) -> Iterator[tuple[GameRow, bytes]]:
        """Yield every game with its record, in the order in which they were kept."""
        yield from [(_row(number, game), game.record) for number, game in self.games.items()]

    def standings(self) -> list[Standing]:
        """Return all numbers."""
        return [self._standings[key] for key in sorted(self._standings)]

    def ratings(self) -> list[Rating]:
        """Return all ratings."""
        return list(self._ratings.values())

    def left_out(self) -> set[int]:
        """Return who wants to be in no list."""
        return set(self._left_out)

    def close(self) -> None:
        """There is nothing to let go of."""


def _row(number: int, game: KeptGame) -> GameRow:
    return GameRow(
        number, game.ended_at, game.players, game.variants, game.open_to_all, game.proven, game.origin, game.seats
    )


def _seat_of(game: KeptGame, identity: int) -> GameSeat | None:
    return next((seat for seat in game.seats if identity and seat.identity == identity), None)


def _may_see(game: KeptGame, identity: int) -> bool:
    return game.open_to_all or _seat_of(game, identity) is not None or bool(identity and identity in game.watched_by)


def _fits(game: KeptGame, query: GameQuery) -> bool:
    return (
        query.since <= game.ended_at < query.until
        and (
            _seat_of(game, query.identity) is not None
            if query.mine
            else query.see_all or _may_see(game, query.identity)
        )
        and (not query.who or any(seat.who == query.who for seat in game.seats))
        and query.players in (0, game.players)
        and query.variants in (None, game.variants)
    )
