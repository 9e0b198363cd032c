"""Facts that were written lately lie in one place for all tables and move to the others of their tables later: a table
has the same journal whichever of its facts have moved."""

from __future__ import annotations

import contextlib
import re
import sqlite3
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from looseends_server.store import committing
from looseends_server.store.base import Change, FactsAppended, StoredTable, TableForgotten, TableMade
from looseends_server.store.committing import Committer
from looseends_server.store.folder import DATABASE
from looseends_server.store.schema import connect
from tests.server.stores import loaded, opened, read_from, written

PAGE_IN_LOG = 4096 + 24
"""Bytes of a page in SQLite's log, with its header."""


def _committer(folder: Path, *changes: Change, synchronous: bool = True) -> Committer:
    """Return what writes to a folder whose journals have these changes, all of them recent."""
    loaded(folder)
    committer = Committer(lambda: connect(folder / DATABASE, "FULL" if synchronous else "OFF"), {})
    assert committer.commit(changes) == [None] * len(changes)
    return committer


def _places(folder: Path) -> tuple[int, int]:
    """Return how many facts have moved, and how many have not."""
    with opened(folder) as connection:
        (settled,) = connection.execute("SELECT count(*) FROM facts").fetchone()
        (recent,) = connection.execute("SELECT count(*) FROM recent_facts").fetchone()
    return settled, recent


def _of_two_tables(facts: int) -> list[Change]:
    made: list[Change] = [TableMade(1, "A", 0.0), TableMade(2, "B", 0.0)]
    return made + [FactsAppended(table, place, (b"%d" % place,)) for place in range(facts) for table in (1, 2)]


def test_a_move_at_each_of_forty_tables_writes_a_few_pages_and_not_one_a_table(tmp_path: Path) -> None:
    tables = range(1, 41)
    committer = _committer(
        tmp_path,
        *[TableMade(table, "A", 0.0) for table in tables],
        *[FactsAppended(table, place, (bytes(40),)) for place in range(50) for table in tables],
    )
    log = tmp_path / f"{DATABASE}-wal"
    with contextlib.closing(connect(tmp_path / DATABASE)) as other:
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for place in range(50, 60):
        before = log.stat().st_size
        assert committer.commit([FactsAppended(table, place, (bytes(40),)) for table in tables]) == [None] * 40
        assert (log.stat().st_size - before) // PAGE_IN_LOG <= 4
    committer.close()


def test_facts_move_once_there_are_many_and_not_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(committing, "SETTLE_AT", 8)
    committer = _committer(tmp_path, *_of_two_tables(3))
    committer.settle_if_due()
    assert _places(tmp_path) == (0, 6)
    assert committer.commit([FactsAppended(1, 3, (b"3",)), FactsAppended(2, 3, (b"3",))]) == [None] * 2
    committer.settle_if_due()
    assert _places(tmp_path) == (8, 0)
    assert [table.facts for table in read_from(tmp_path).tables] == [[b"0", b"1", b"2", b"3"]] * 2
    committer.close()


def test_all_facts_have_moved_when_a_store_is_closed(tmp_path: Path) -> None:
    written(tmp_path, *_of_two_tables(3))
    assert _places(tmp_path) == (6, 0)


def test_facts_that_cannot_move_stay_and_the_store_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(committing, "SETTLE_AT", 4)
    committer = _committer(tmp_path, *_of_two_tables(1))
    with opened(tmp_path) as connection:  # a row that is in the way
        connection.execute("INSERT INTO facts VALUES (1, 1, x'00')")
    for place in range(1, 5):
        assert committer.commit([FactsAppended(table, place, (b"%d" % place,)) for table in (1, 2)]) == [None] * 2
        committer.settle_if_due()
    assert _places(tmp_path) == (1, 10)
    with opened(tmp_path) as connection:
        connection.execute("DELETE FROM facts")
    committer.close()
    assert _places(tmp_path) == (10, 0)
    assert [table.facts for table in read_from(tmp_path).tables] == [[b"0", b"1", b"2", b"3", b"4"]] * 2


@pytest.mark.parametrize("place", ["facts", "recent_facts"])
def test_what_was_reported_as_failed_is_in_neither_place_after_the_connection_broke(tmp_path: Path, place: str) -> None:
    connections: list[sqlite3.Connection] = []

    def connected() -> sqlite3.Connection:
        connections.append(connect(tmp_path / DATABASE))
        return connections[-1]

    loaded(tmp_path)
    committer = Committer(connected, {})
    assert committer.commit(_of_two_tables(2)) == [None] * 6
    connections[0].close()
    assert [str(failure) for failure in committer.commit([FactsAppended(1, 2, (b"2",))])] == [
        "not saved: Cannot operate on a closed database."
    ]
    with opened(tmp_path) as connection:  # as if the log had kept it
        connection.execute(f"INSERT INTO {place} VALUES (1, 2, x'00')")
    assert committer.commit([FactsAppended(1, 2, (b"2 again",))]) == [None]
    committer.close()
    assert [table.facts for table in read_from(tmp_path).tables] == [[b"0", b"1", b"2 again"], [b"0", b"1"]]


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        ("DELETE FROM recent_facts WHERE table_id = 2 AND position = 1", "entry 1 of its journal is missing"),
        ("UPDATE recent_facts SET position = 'x' WHERE table_id = 2 AND position = 1", "entry 1 .* is missing"),
        ("UPDATE recent_facts SET fact = 'text' WHERE table_id = 2 AND position = 1", "entry 1 .* is not bytes"),
        ("DELETE FROM tables WHERE id = 2", "it has facts but was never made"),
        ("INSERT INTO facts VALUES (2, 0, x'00')", "entry 1 of its journal is missing"),
    ],
)
def test_a_table_whose_recent_facts_are_damaged_is_set_aside_and_the_rest_loads(
    tmp_path: Path, damage: str, why: str
) -> None:
    committer = _committer(tmp_path, *_of_two_tables(3))
    with opened(tmp_path) as connection:
        assert connection.execute(damage).rowcount == 1
        stored = read_from(tmp_path)
    assert [(table.table, table.facts) for table in stored.tables] == [(1, [b"0", b"1", b"2"])]
    (sentence,) = stored.unreadable
    assert re.fullmatch(f"table 2 is set aside: {why}", sentence)
    assert stored.last_table == 2
    committer.close()


steps = st.lists(
    st.one_of(
        st.tuples(st.just("append"), st.integers(1, 3), st.integers(1, 20)),
        st.tuples(st.just("forget"), st.integers(1, 3), st.just(0)),
        st.tuples(st.sampled_from(["settle", "die", "close"]), st.just(0), st.just(0)),
    ),
    max_size=30,
)


@settings(max_examples=60, deadline=None)
@given(steps=steps)
def test_a_start_finds_every_journal_whole_whatever_moved_was_forgotten_or_killed_before(
    steps: list[tuple[str, int, int]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        committer = _committer(path, synchronous=False)
        tables: dict[int, StoredTable] = {}
        last = 0

        def lengths() -> dict[int, int]:
            return {number: len(table.facts) for number, table in tables.items()}

        of: dict[int, int] = {}
        """The table that stands for each of three, a new one after it was forgotten."""
        for what, which, count in steps:
            if what == "append":
                changes: list[Change] = []
                if which not in of:
                    last = of[which] = last + 1
                    tables[last] = StoredTable(last, "CODE", 0.0, [])
                    changes.append(TableMade(last, "CODE", 0.0))
                table = tables[of[which]]
                for _ in range(count):
                    fact = b"%d %d" % (table.table, len(table.facts))
                    changes.append(FactsAppended(table.table, len(table.facts), (fact,)))
                    table.facts.append(fact)
                assert committer.commit(changes) == [None] * len(changes)
            elif what == "forget" and which in of:
                number = of.pop(which)
                del tables[number]
                assert committer.commit([TableForgotten(number)]) == [None]
            elif what == "settle":
                committer._settle()  # pyright: ignore[reportPrivateUsage]
            elif what in ("die", "close"):
                if what == "close":
                    committer.close()
                # One that died left its connection as it was; the file is what the next one finds.
                committer = Committer(lambda: connect(path / DATABASE, "OFF"), lengths())
            stored = read_from(path)
            assert stored.tables == list(tables.values())
            assert not stored.unreadable
        committer.close()
        assert _places(path) == (sum(lengths().values()), 0)
