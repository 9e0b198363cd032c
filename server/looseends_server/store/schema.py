"""The tables of the database, their version, and the way from every older version to this one.

A version that was released never changes: what has to change is a new migration. What the rows mean is in `base`,
reading and writing them in `reading` and `committing`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, TypeAlias

from looseends_server.store.base import StoreUnusable

Synchronous: TypeAlias = Literal["FULL", "NORMAL", "OFF"]
"""When SQLite waits for the disk. Only FULL is durable; the others are there to show what they lose."""

APPLICATION_ID = 0x4E4C4531
"""Marks a SQLite file as one of ours."""

_VERSION_1 = """
CREATE TABLE tables (
    id INTEGER PRIMARY KEY AUTOINCREMENT, -- remembers the largest id that was ever used
    code TEXT NOT NULL,
    made_at REAL NOT NULL
);
-- With rowids: new facts of all tables fill pages one after the other, which is twice as fast as a page a table.
CREATE TABLE facts (
    table_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    fact BLOB NOT NULL,
    PRIMARY KEY (table_id, position)
);
CREATE TABLE identities (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL UNIQUE,
    token_hash BLOB NOT NULL,
    made_at REAL NOT NULL,
    seen_at REAL NOT NULL
);
CREATE TABLE bans (
    kind TEXT NOT NULL,
    value TEXT NOT NULL,
    until REAL NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (kind, value)
);
"""

_VERSION_2 = """
CREATE TABLE credentials (
    kind TEXT NOT NULL,
    value BLOB NOT NULL,
    identity INTEGER NOT NULL,
    PRIMARY KEY (kind, value)
);
CREATE INDEX credentials_of_identity ON credentials (identity);
"""

_VERSION_3 = """
CREATE TABLE games (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    digest BLOB NOT NULL UNIQUE,
    ended_at REAL NOT NULL,
    players INTEGER NOT NULL,
    variants TEXT NOT NULL,
    open_to_all INTEGER NOT NULL,
    proven INTEGER NOT NULL,
    origin TEXT NOT NULL,
    record BLOB NOT NULL
);
CREATE INDEX games_by_end ON games (ended_at, id);
CREATE INDEX games_by_origin ON games (origin, id);
CREATE TABLE game_seats (
    game INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    identity INTEGER NOT NULL,
    who TEXT NOT NULL,
    name TEXT NOT NULL,
    score INTEGER NOT NULL,
    won INTEGER NOT NULL,
    PRIMARY KEY (game, seat)
) WITHOUT ROWID;
CREATE INDEX seats_of_identity ON game_seats (identity, game);
CREATE INDEX seats_of_who ON game_seats (who, game);
CREATE TABLE game_watchers (
    game INTEGER NOT NULL,
    identity INTEGER NOT NULL,
    PRIMARY KEY (game, identity)
) WITHOUT ROWID;
CREATE INDEX games_watched ON game_watchers (identity, game);
CREATE TABLE standings (
    who TEXT NOT NULL,
    players INTEGER NOT NULL,
    variants TEXT NOT NULL,
    numbers BLOB NOT NULL,
    PRIMARY KEY (who, players, variants)
) WITHOUT ROWID;
CREATE TABLE ratings (
    ladder TEXT NOT NULL,
    who TEXT NOT NULL,
    mu REAL NOT NULL,
    sigma REAL NOT NULL,
    games INTEGER NOT NULL,
    PRIMARY KEY (ladder, who)
) WITHOUT ROWID;
CREATE TABLE unlisted (identity INTEGER PRIMARY KEY);
"""

_VERSION_4 = """
-- Facts as they come, whichever table they are of: a commit writes the page at the end and not one a table. They move
-- into `facts` many at a time.
CREATE TABLE recent_facts (
    table_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    fact BLOB NOT NULL
);
"""

MIGRATIONS: tuple[str, ...] = (_VERSION_1, _VERSION_2, _VERSION_3, _VERSION_4)
"""The SQL from each version to the next, from an empty database on. Each statement ends with `;` at a line's end."""

_BUSY_TIMEOUT_MS = 2_000  # a checkpoint or a copy may hold the database for a moment
_WAL_SIZE_LIMIT = 64 * 1024 * 1024  # bytes; what a long backup made the WAL grow beyond this is given back


def connect(database: Path, synchronous: Synchronous = "FULL") -> sqlite3.Connection:
    """Open a database that is there for reading and writing, in WAL mode and without transactions of its own making.

    Any one thread at a time may use the connection. Raises sqlite3.Error, and StoreUnusable where the file system
    cannot hold a WAL.
    """
    connection = sqlite3.connect(
        f"{database.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None, check_same_thread=False
    )
    try:
        connection.execute(f"PRAGMA busy_timeout={_BUSY_TIMEOUT_MS}")
        (mode,) = connection.execute("PRAGMA journal_mode=WAL").fetchone()
        if mode != "wal":
            raise StoreUnusable(
                f"{database} is on a file system that cannot hold a write-ahead log (a network drive?): "
                "put the server's folder on a local disk."
            )
        connection.execute(f"PRAGMA synchronous={synchronous}")
        if synchronous == "FULL":
            # On macOS an ordinary sync leaves the bytes in the cache of the drive. Elsewhere this does nothing.
            connection.execute("PRAGMA fullfsync=ON")
        connection.execute(f"PRAGMA journal_size_limit={_WAL_SIZE_LIMIT}")
        # What undoes half a statement of several rows is otherwise a file, made and removed with each of them.
        connection.execute("PRAGMA temp_store=MEMORY")
    except BaseException:
        connection.close()
        raise
    return connection


def version_of(connection: sqlite3.Connection, file: Path, migrations: Sequence[str] = MIGRATIONS) -> int:
    """Return the schema version of a database, 0 for an empty one.

    Raises StoreUnusable where it is newer than this program, or another program's, and sqlite3.DatabaseError where
    the file is no database.
    """
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (objects,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if version == 0 and application == 0 and objects == 0:
        return 0
    if application != APPLICATION_ID or version < 1:
        raise StoreUnusable(f"{file} is a database of another program: name the right file or folder.")
    if version > len(migrations):
        raise StoreUnusable(
            f"{file} has schema version {version}, this program knows versions up to {len(migrations)}: "
            "upgrade the program, or restore a backup that an older one made."
        )
    return int(version)


def upgrade(connection: sqlite3.Connection, version: int, migrations: Sequence[str] = MIGRATIONS) -> None:
    """Bring a database from a version to the newest in one transaction: all the way or not at all.

    Raises sqlite3.Error.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        for migration in migrations[version:]:
            for statement in _statements(migration):
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version={len(migrations)}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _statements(script: str) -> list[str]:
    # sqlite3's own executescript would commit the transaction that it is called in.
    found: list[str] = []
    lines: list[str] = []
    for line in script.splitlines():
        lines.append(line)
        if sqlite3.complete_statement("\n".join(lines)):
            found.append("\n".join(lines))
            lines = []
    return found
