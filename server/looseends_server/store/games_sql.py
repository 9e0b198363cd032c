"""Kept games in SQLite: how a change of them is written, and how they are read.

What the rows mean is in `games`; transactions are `committing`'s.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import msgspec

from looseends_core.numbers import Numbers
from looseends_server.store.games import (
    GameKept,
    GameQuery,
    GameRow,
    GameSeat,
    LeftOut,
    Rating,
    Standing,
    StandingsReplaced,
    TracesDeleted,
)

GameChange = GameKept | StandingsReplaced | TracesDeleted | LeftOut

_ENCODER = msgspec.msgpack.Encoder()
_NUMBERS = msgspec.msgpack.Decoder(Numbers)
_STANDING = "INSERT OR REPLACE INTO standings (who, players, variants, numbers) VALUES (?, ?, ?, ?)"
_RATING = "INSERT OR REPLACE INTO ratings (ladder, who, mu, sigma, games) VALUES (?, ?, ?, ?, ?)"
MOST_OF_ORIGIN = 2000
"""Games of one contest that are read: more than a server has tables."""
_SEAT = "INSERT INTO game_seats (game, seat, identity, who, name, score, won) VALUES (?, ?, ?, ?, ?, ?, ?)"
_MAY_SEE = (
    "(games.open_to_all OR EXISTS (SELECT 1 FROM game_seats mine WHERE mine.game = games.id AND mine.identity = :me)"
    " OR EXISTS (SELECT 1 FROM game_watchers seen WHERE seen.game = games.id AND seen.identity = :me))"
)
_COLUMNS = "games.id, ended_at, players, variants, open_to_all, proven, origin"


def write_game_change(connection: sqlite3.Connection, change: GameChange) -> None:
    """Put a change into the open transaction. Raises sqlite3.Error."""
    match change:
        case GameKept(game=game, standings=standings, ratings=ratings):
            made = connection.execute(
                "INSERT OR IGNORE INTO games (digest, ended_at, players, variants, open_to_all, proven, origin, record)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    game.digest,
                    game.ended_at,
                    game.players,
                    game.variants,
                    game.open_to_all,
                    game.proven,
                    game.origin,
                    game.record,
                ),
            )
            if not made.rowcount:
                return
            number = made.lastrowid
            connection.executemany(
                _SEAT,
                [
                    (number, at, seat.identity, seat.who, seat.name, seat.score, seat.won)
                    for at, seat in enumerate(game.seats)
                ],
            )
            connection.executemany(
                "INSERT OR IGNORE INTO game_watchers (game, identity) VALUES (?, ?)",
                [(number, identity) for identity in game.watched_by],
            )
            _write_totals(connection, standings, ratings)
        case StandingsReplaced(standings=standings, ratings=ratings):
            connection.execute("DELETE FROM standings")
            connection.execute("DELETE FROM ratings")
            _write_totals(connection, standings, ratings)
        case TracesDeleted(identity=identity, games=games, name=name, who=who):
            for number, record in games:
                connection.execute("UPDATE games SET record = ? WHERE id = ?", (record, number))
                connection.execute(
                    "UPDATE game_seats SET identity = 0, who = ?, name = ? WHERE game = ? AND identity = ?",
                    (who, name, number, identity),
                )
            connection.execute("DELETE FROM game_watchers WHERE identity = ?", (identity,))
        case LeftOut(identity=identity, out=True):
            connection.execute("INSERT OR IGNORE INTO unlisted (identity) VALUES (?)", (identity,))
        case LeftOut(identity=identity):
            connection.execute("DELETE FROM unlisted WHERE identity = ?", (identity,))


def _write_totals(connection: sqlite3.Connection, standings: tuple[Standing, ...], ratings: tuple[Rating, ...]) -> None:
    connection.executemany(
        _STANDING, [(one.who, one.players, one.variants, _ENCODER.encode(one.numbers)) for one in standings]
    )
    connection.executemany(_RATING, [(one.ladder, one.who, one.mu, one.sigma, one.games) for one in ratings])


class SqliteGames:
    """Reads kept games over a connection of its own, which never waits for the one that writes.

    Any one thread at a time may use it. Raises sqlite3.Error where the database cannot be read.
    """

    def __init__(self, database: Path) -> None:
        self._connection = sqlite3.connect(
            f"{database.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None, check_same_thread=False
        )
        self._connection.execute("PRAGMA busy_timeout=2000")

    def find(self, query: GameQuery) -> tuple[list[GameRow], int]:
        """Return a page of games, newest first, and how many there are in all."""
        tables, where, values = _conditions(query)
        (count,) = self._connection.execute(f"SELECT count(*) FROM {tables} WHERE {where}", values).fetchone()
        rows = self._connection.execute(
            f"SELECT {_COLUMNS} FROM {tables} WHERE {where} ORDER BY ended_at DESC, games.id DESC"
            " LIMIT :limit OFFSET :offset",
            values,
        ).fetchall()
        return self._with_seats(rows), count

    def has(self, digest: bytes) -> bool:
        """Return whether a game with this digest is kept."""
        return self._connection.execute("SELECT 1 FROM games WHERE digest = ?", (digest,)).fetchone() is not None

    def record(self, game: int, identity: int, *, see_all: bool = False) -> bytes | None:
        """Return the deflated record of a game that this identity may see, None where there is none such."""
        may_see = "1" if see_all else _MAY_SEE
        found = self._connection.execute(
            f"SELECT record FROM games WHERE id = :game AND {may_see}", {"game": game, "me": identity or -1}
        ).fetchone()
        return None if found is None else bytes(found[0])

    def of_origin(self, origin: str) -> list[tuple[GameRow, bytes]]:
        """Return every game of an origin with its deflated record, in the order in which they were kept."""
        rows = self._connection.execute(
            f"SELECT {_COLUMNS}, record FROM games WHERE origin = ? ORDER BY id LIMIT {MOST_OF_ORIGIN}", (origin,)
        ).fetchall()
        found = self._with_seats([row[:-1] for row in rows])
        return [(game, bytes(row[-1])) for row, game in zip(rows, found, strict=True)]

    def seat_of(self, game: int, identity: int) -> int | None:
        """Return the seat on which somebody played a game, None where they did not."""
        found = self._connection.execute(
            "SELECT seat FROM game_seats WHERE game = ? AND identity = ?", (game, identity or -1)
        ).fetchone()
        return None if found is None else int(found[0])

    def games_of(self, identity: int) -> list[tuple[int, int, bytes]]:
        """Return the number, the seat and the deflated record of every game that somebody played."""
        rows = self._connection.execute(
            "SELECT games.id, seat, record FROM game_seats JOIN games ON games.id = game_seats.game"
            " WHERE identity = ? ORDER BY games.id",
            (identity,),
        )
        return [(number, seat, bytes(record)) for number, seat, record in rows]

    def every_game(self) -> Iterator[tuple[GameRow, bytes]]:
        """Yield every game with its record, in the order in which they were kept."""
        last = 0
        while rows := self._connection.execute(
            f"SELECT {_COLUMNS}, record FROM games WHERE id > ? ORDER BY id LIMIT 200", (last,)
        ).fetchall():
            for row, game in zip(rows, self._with_seats([row[:-1] for row in rows]), strict=True):
                yield game, bytes(row[-1])
            last = rows[-1][0]

    def standings(self) -> list[Standing]:
        """Return all numbers."""
        rows = self._connection.execute("SELECT who, players, variants, numbers FROM standings ORDER BY 1, 2, 3")
        return [Standing(who, players, variants, _NUMBERS.decode(numbers)) for who, players, variants, numbers in rows]

    def ratings(self) -> list[Rating]:
        """Return all ratings."""
        return [Rating(*row) for row in self._connection.execute("SELECT ladder, who, mu, sigma, games FROM ratings")]

    def left_out(self) -> set[int]:
        """Return who wants to be in no list."""
        return {identity for (identity,) in self._connection.execute("SELECT identity FROM unlisted")}

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _with_seats(self, rows: list[tuple[int, float, int, str, int, int, str]]) -> list[GameRow]:
        numbers = [row[0] for row in rows]
        seats: dict[int, list[GameSeat]] = {number: [] for number in numbers}
        marks = ",".join("?" * len(numbers))
        for number, identity, who, name, score, won in self._connection.execute(
            f"SELECT game, identity, who, name, score, won FROM game_seats WHERE game IN ({marks}) ORDER BY game, seat",
            numbers,
        ):
            seats[number].append(GameSeat(identity, who, name, score, bool(won)))
        return [
            GameRow(number, ended_at, players, variants, bool(to_all), bool(proven), origin, tuple(seats[number]))
            for number, ended_at, players, variants, to_all, proven, origin in rows
        ]


def _conditions(query: GameQuery) -> tuple[str, str, dict[str, object]]:
    """Return the tables, the condition and its values; every value is bound, none is written into the SQL."""
    where = ["ended_at >= :since", "ended_at < :until"]
    if query.mine:
        where.append("EXISTS (SELECT 1 FROM game_seats own WHERE own.game = games.id AND own.identity = :me)")
    elif not query.see_all:
        where.append(_MAY_SEE)
    if query.who:
        where.append("EXISTS (SELECT 1 FROM game_seats them WHERE them.game = games.id AND them.who = :who)")
    if query.players:
        where.append("players = :players")
    if query.variants is not None:
        where.append("variants = :variants")
    values: dict[str, object] = {
        "me": query.identity or -1,  # a bot's identity is 0, and no person's
        "since": query.since,
        "until": query.until,
        "who": query.who,
        "players": query.players,
        "variants": query.variants,
        "limit": query.limit,
        "offset": query.offset,
    }
    return "games", " AND ".join(where), values
