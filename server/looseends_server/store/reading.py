"""Reads everything a database holds, and sets aside what cannot be read so that the rest can.

Nothing here writes. A row is believed only after its types were looked at: SQLite would keep text in any column.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from itertools import chain

from looseends_server.store.base import Stored, StoredBan, StoredCredential, StoredIdentity, StoredTable


class _Unreadable(Exception):
    """One table, identity or ban cannot be read; the message says why."""


def read(connection: sqlite3.Connection) -> Stored:
    """Return what is stored, in the order of the ids. Raises sqlite3.Error where not even the lists can be read."""
    text_factory = connection.text_factory
    connection.text_factory = _text_or_none
    try:
        stored = Stored()
        _read_tables(connection, stored)
        _read_identities(connection, stored)
        _read_bans(connection, stored)
        _read_credentials(connection, stored)
        used = dict(connection.execute("SELECT name, seq FROM sqlite_sequence"))
        stored.last_table = max(stored.last_table, used.get("tables", 0))
        stored.last_identity = max(stored.last_identity, used.get("identities", 0))
        return stored
    finally:
        connection.text_factory = text_factory


def _read_tables(connection: sqlite3.Connection, stored: Stored) -> None:
    rows = {row[0]: row for row in connection.execute("SELECT id, code, made_at FROM tables ORDER BY id")}
    recent = _recent_facts(connection)
    numbers = sorted({*rows, *_tables_with_facts(connection), *recent})
    stored.last_table = max(numbers, default=0)
    for number in numbers:
        try:
            if number not in rows:
                raise _Unreadable("it has facts but was never made")
            _, code, made_at = rows[number]
            stored.tables.append(_table(connection, number, code, made_at, recent.get(number, [])))
        except (_Unreadable, sqlite3.Error) as why:
            stored.unreadable.append(f"table {number} is set aside: {why}")


def _tables_with_facts(connection: sqlite3.Connection) -> Iterator[int]:
    # One look into the index for each table; SELECT DISTINCT would walk over every fact there is.
    (number,) = connection.execute("SELECT min(table_id) FROM facts").fetchone()
    while isinstance(number, int):
        yield number
        (number,) = connection.execute("SELECT min(table_id) FROM facts WHERE table_id > ?", (number,)).fetchone()


def _recent_facts(connection: sqlite3.Connection) -> dict[int, list[tuple[object, object]]]:
    """Return the positions and facts that are not with the others of their tables yet, by table."""
    recent: dict[int, list[tuple[object, object]]] = {}
    for table, position, fact in connection.execute(
        "SELECT table_id, position, fact FROM recent_facts WHERE typeof(table_id) = 'integer' ORDER BY rowid"
    ):
        recent.setdefault(table, []).append((position, fact))
    return recent


def _table(
    connection: sqlite3.Connection, number: int, code: object, made_at: object, recent: list[tuple[object, object]]
) -> StoredTable:
    if not isinstance(code, str) or not isinstance(made_at, float):
        raise _Unreadable("its code or its time has the wrong type")
    facts: list[bytes] = []
    settled = connection.execute("SELECT position, fact FROM facts WHERE table_id = ? ORDER BY position", (number,))
    for position, fact in chain(settled, recent):
        if position != len(facts):
            raise _Unreadable(f"entry {len(facts)} of its journal is missing")
        if not isinstance(fact, bytes):
            raise _Unreadable(f"entry {position} of its journal is not bytes")
        facts.append(fact)
    return StoredTable(number, code, made_at, facts)


def _read_identities(connection: sqlite3.Connection, stored: Stored) -> None:
    rows = connection.execute("SELECT id, name, name_key, token_hash, made_at, seen_at FROM identities ORDER BY id")
    for number, name, name_key, token_hash, made_at, seen_at in rows:
        stored.last_identity = max(stored.last_identity, number)
        if (
            isinstance(name, str)
            and isinstance(name_key, str)
            and isinstance(token_hash, bytes)
            and isinstance(made_at, float)
            and isinstance(seen_at, float)
        ):
            stored.identities.append(StoredIdentity(number, name, name_key, token_hash, made_at, seen_at))
        else:
            stored.unreadable.append(f"identity {number} is set aside: a field of it has the wrong type")


def _read_bans(connection: sqlite3.Connection, stored: Stored) -> None:
    rows = connection.execute("SELECT rowid, kind, value, until, reason FROM bans ORDER BY rowid")
    for number, kind, value, until, reason in rows:
        if isinstance(kind, str) and isinstance(value, str) and isinstance(until, float) and isinstance(reason, str):
            stored.bans.append(StoredBan(kind, value, until, reason))
        else:
            stored.unreadable.append(f"ban {number} is set aside: a field of it has the wrong type")


def _read_credentials(connection: sqlite3.Connection, stored: Stored) -> None:
    known = {identity.identity for identity in stored.identities}
    rows = connection.execute("SELECT rowid, kind, value, identity FROM credentials ORDER BY rowid")
    for number, kind, value, identity in rows:
        if isinstance(kind, str) and isinstance(value, bytes) and identity in known:
            stored.credentials.append(StoredCredential(kind, value, identity))
        else:
            stored.unreadable.append(f"credential {number} is set aside: it is nobody's, or has the wrong type")


def _text_or_none(raw: bytes) -> str | None:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return None
