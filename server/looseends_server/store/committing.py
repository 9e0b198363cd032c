"""Makes batches of changes durable, and finds out which change of a batch cannot be.

Plain calls in one thread: no queue, no loop, no callbacks; those are in `sqlite`.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Sequence

from looseends_server.store.base import (
    BanLifted,
    BanSet,
    Change,
    CredentialKept,
    FactsAppended,
    IdentityForgotten,
    IdentityMade,
    IdentitySeen,
    StoreFailed,
    TableForgotten,
    TableMade,
)
from looseends_server.store.games import GameKept, LeftOut, StandingsReplaced, TracesDeleted
from looseends_server.store.games_sql import write_game_change

_FAILURES_OF_THE_DISK = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_PROTOCOL,
        sqlite3.SQLITE_READONLY,
    }
)
"""Primary result codes that say nothing against the change itself."""

_DISK_TRIES = 2  # single changes that the disk may refuse before the rest of the batch is not tried any more

_INSERT_CREDENTIAL = "INSERT OR REPLACE INTO credentials (kind, value, identity) VALUES (?, ?, ?)"
_ROWS_AT_ONCE = 16
"""Facts in one statement. The loop's thread and this one take turns at each statement, and one a fact costs both more
than the writing. Each statement of another length is kept prepared, so there are few."""
_INSERT_FACTS = tuple(
    "INSERT INTO recent_facts (table_id, position, fact) VALUES " + ", ".join(["(?, ?, ?)"] * rows)
    for rows in range(_ROWS_AT_ONCE + 1)
)
"""The statement for so many facts."""

SETTLE_AT = 4096
"""Recent facts that are moved to where each table's are together: some five milliseconds for the thread that writes."""
_SETTLE = (
    "INSERT INTO facts (table_id, position, fact)"
    " SELECT table_id, position, fact FROM recent_facts ORDER BY table_id, position",
    "DELETE FROM recent_facts",
)


class Committer:
    """Owns the connection that writes.

    It knows the length of every journal, so that it can refuse a gap without asking the database. Where the disk
    fails while it syncs, SQLite may leave what it wrote behind the end of its log until the next commit overwrites
    it; a machine that stops in between may find that change kept although it was reported as failed.
    """

    def __init__(self, connect: Callable[[], sqlite3.Connection], lengths: dict[int, int]) -> None:
        """`connect` opens the database, and again after a failure. `lengths` has the journal of each table."""
        self._connect = connect
        self._connection: sqlite3.Connection | None = connect()
        self._lengths = lengths
        self._staged: dict[int, int | None] = {}
        self._rows: list[int | bytes] = []
        """The values of facts that wait to be inserted, three a fact."""
        self._refused_by_disk = 0
        (self._recent,) = self._connection.execute("SELECT count(*) FROM recent_facts").fetchone()
        self._settle_at = SETTLE_AT

    def commit(self, changes: Sequence[Change]) -> list[StoreFailed | None]:
        """Make the changes durable in order, in one commit, and return for each None or why it failed.

        Where the commit fails it is undone and tried again in halves, down to single changes, so that a change that
        cannot be kept takes no other with it. Where it is the disk that fails, the rest of the batch soon fails with
        it: the next batch tries the disk again. Raises nothing.
        """
        outcomes: list[StoreFailed | None] = [None] * len(changes)
        self._refused_by_disk = 0
        if changes:
            self._attempt(changes, 0, len(changes), outcomes)
        return outcomes

    def close(self) -> None:
        """Fold the log into the database and close it. Raises nothing: what was durable stays so."""
        self._settle()
        self._let_go()

    def settle_if_due(self) -> None:
        """Move the recent facts to the others of their tables once there are many. Raises nothing: they are kept in
        either place."""
        if self._recent >= self._settle_at:
            self._settle()

    def _settle(self) -> None:
        if self._connection is None:
            return
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            for statement in _SETTLE:
                self._connection.execute(statement)
            self._connection.execute("COMMIT")
        except sqlite3.Error:
            # A full disk, or rows that somebody damaged: they stay where they are, and are tried again much later.
            self._undo()
            self._settle_at = self._recent + SETTLE_AT
        else:
            self._recent = 0
            self._settle_at = SETTLE_AT

    def _let_go(self) -> None:
        if self._connection is not None:
            with contextlib.suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None

    def _attempt(self, changes: Sequence[Change], start: int, end: int, outcomes: list[StoreFailed | None]) -> None:
        if self._refused_by_disk >= _DISK_TRIES:
            outcomes[start:end] = [StoreFailed("not tried: the disk refused what was written before it")] * (
                end - start
            )
            return
        # A statement that stands alone is a transaction of its own: with one instead of three, and the threads taking
        # turns once, a move costs 6 % less.
        alone = end - start <= _ROWS_AT_ONCE and all(_is_one_fact(change) for change in changes[start:end])
        try:
            connection = self._opened()
            if not alone:
                connection.execute("BEGIN IMMEDIATE")
        except Exception as error:
            self._undo()
            outcomes[start:end] = [StoreFailed(f"the database cannot be written: {error}")] * (end - start)
            return
        recent = self._recent
        try:
            self._staged.clear()
            self._rows.clear()
            for place in range(start, end):
                outcomes[place] = self._apply(connection, changes[place])
            self._insert_facts(connection)
            if not alone:
                connection.execute("COMMIT")
        except Exception as error:
            # Not only sqlite3.Error: a number beyond 64 bits or half a surrogate pair raises what Python raises.
            self._undo()
            self._recent = recent
            if end - start > 1:
                middle = (start + end) // 2
                self._attempt(changes, start, middle, outcomes)
                self._attempt(changes, middle, end, outcomes)
            else:
                outcomes[start] = StoreFailed(f"not saved: {error}")
                if _is_failure_of_disk(error):
                    self._refused_by_disk += 1
        else:
            for table, length in self._staged.items():
                if length is None:
                    self._lengths.pop(table, None)
                else:
                    self._lengths[table] = length

    def _apply(self, connection: sqlite3.Connection, change: Change) -> StoreFailed | None:
        """Put a change into the open transaction, or return why it does not fit."""
        if isinstance(change, FactsAppended):
            return self._append(change)
        self._insert_facts(connection)
        match change:
            case TableMade(table=table, code=code, made_at=made_at):
                connection.execute("INSERT INTO tables (id, code, made_at) VALUES (?, ?, ?)", (table, code, made_at))
                self._staged[table] = 0
            case TableForgotten(table=table):
                connection.execute("DELETE FROM facts WHERE table_id = ?", (table,))
                connection.execute("DELETE FROM recent_facts WHERE table_id = ?", (table,))
                connection.execute("DELETE FROM tables WHERE id = ?", (table,))
                self._staged[table] = None
            case IdentityMade(
                identity=identity, name=name, name_key=name_key, token_hash=token_hash, made_at=made_at, key=key
            ):
                connection.execute(
                    "INSERT INTO identities (id, name, name_key, token_hash, made_at, seen_at)"
                    " VALUES (?, ?, ?, ?, ?, ?)",
                    (identity, name, name_key, token_hash, made_at, made_at),
                )
                if key:
                    connection.execute(_INSERT_CREDENTIAL, ("key", key, identity))
            case IdentitySeen(identity=identity, at=at):
                connection.execute("UPDATE identities SET seen_at = ? WHERE id = ?", (at, identity))
            case IdentityForgotten(identity=identity):
                connection.execute("DELETE FROM credentials WHERE identity = ?", (identity,))
                connection.execute("DELETE FROM identities WHERE id = ?", (identity,))
            case CredentialKept(kind=kind, value=secret, identity=identity):
                if connection.execute("SELECT 1 FROM identities WHERE id = ?", (identity,)).fetchone() is None:
                    return StoreFailed(f"identity {identity} is not in the store")
                if kind == "code":
                    connection.execute("DELETE FROM credentials WHERE kind = 'code' AND identity = ?", (identity,))
                connection.execute(_INSERT_CREDENTIAL, (kind, secret, identity))
            case BanSet(kind=kind, value=value, until=until, reason=reason):
                connection.execute(
                    "INSERT OR REPLACE INTO bans (kind, value, until, reason) VALUES (?, ?, ?, ?)",
                    (kind, value, until, reason),
                )
            case BanLifted(kind=kind, value=value):
                connection.execute("DELETE FROM bans WHERE kind = ? AND value = ?", (kind, value))
            case GameKept() | StandingsReplaced() | TracesDeleted() | LeftOut():
                write_game_change(connection, change)
        return None

    def _append(self, change: FactsAppended) -> StoreFailed | None:
        table = change.table
        length = self._staged[table] if table in self._staged else self._lengths.get(table)
        if length is None:
            return StoreFailed(f"table {table} is not in the store, or set aside")
        if change.first != length:
            return StoreFailed(
                f"the journal of table {table} has {length} entries, so entry {change.first} cannot be next"
            )
        for fact in change.facts:
            self._rows += (table, length, fact)
            length += 1
        self._staged[table] = length
        return None

    def _insert_facts(self, connection: sqlite3.Connection) -> None:
        rows = self._rows
        for at in range(0, len(rows), 3 * _ROWS_AT_ONCE):
            some = rows[at : at + 3 * _ROWS_AT_ONCE]
            connection.execute(_INSERT_FACTS[len(some) // 3], some)
        self._recent += len(rows) // 3
        rows.clear()

    def _opened(self) -> sqlite3.Connection:
        if self._connection is None:
            connection = self._connect()
            try:
                # Opening reads the log again, and there may be facts in it that were reported as failed.
                connection.execute("BEGIN IMMEDIATE")
                connection.executemany(
                    "DELETE FROM facts WHERE table_id = ? AND position >= ?", list(self._lengths.items())
                )
                connection.executemany("DELETE FROM recent_facts WHERE rowid = ?", self._not_reported(connection))
                connection.execute("COMMIT")
            except BaseException:
                connection.close()
                raise
            self._connection = connection
        return self._connection

    def _not_reported(self, connection: sqlite3.Connection) -> list[tuple[int]]:
        """Return the rows of recent facts beyond the journals as they are known."""
        rows = connection.execute("SELECT rowid, table_id, position FROM recent_facts").fetchall()
        known = self._lengths
        return [(row,) for row, *of in rows if of[0] in known and (not isinstance(of[1], int) or of[1] >= known[of[0]])]

    def _undo(self) -> None:
        """Roll back, or where not even that works close the connection: the next attempt opens a new one."""
        try:
            if self._connection is not None and self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        except sqlite3.Error:
            self._let_go()


def _is_one_fact(change: Change) -> bool:
    return isinstance(change, FactsAppended) and len(change.facts) == 1


def _is_failure_of_disk(error: Exception) -> bool:
    # The low byte is the primary code, the rest says more about it.
    return isinstance(error, sqlite3.Error) and getattr(error, "sqlite_errorcode", 0) & 0xFF in _FAILURES_OF_THE_DISK
