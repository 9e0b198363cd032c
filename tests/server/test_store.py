"""What every store promises, held to both: in memory and in SQLite, written by its thread."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from looseends_server.store.base import (
    BanLifted,
    BanSet,
    Change,
    CredentialKept,
    FactsAppended,
    IdentityForgotten,
    IdentityMade,
    IdentitySeen,
    Store,
    Stored,
    StoredBan,
    StoredCredential,
    StoredIdentity,
    StoredTable,
    StoreFailed,
    TableForgotten,
    TableMade,
)
from looseends_server.store.committing import Committer
from looseends_server.store.folder import DATABASE
from looseends_server.store.memory import Kept, MemoryStore
from looseends_server.store.reading import read
from looseends_server.store.schema import connect, upgrade
from looseends_server.store.sqlite import SqliteStore
from tests.server.stores import Told, writer_kept_waiting

TABLE = TableMade(1, "ABCDE12345", 1000.0)
ANN = IdentityMade(1, "Ann", "ann", b"\x01" * 32, 1000.0)

Reopen = Callable[[], Store]


@pytest.fixture(params=["memory", "sqlite"])
def reopen(request: pytest.FixtureRequest, tmp_path: Path) -> Reopen:
    """Opens a store on what the one before it kept."""
    kept = Kept()
    return partial(MemoryStore, kept) if request.param == "memory" else partial(SqliteStore, tmp_path / "state")


@pytest.fixture
async def store(reopen: Reopen) -> AsyncIterator[Store]:
    opened = reopen()
    assert opened.load() == Stored()
    yield opened
    await opened.close()


async def test_what_was_written_is_there_when_the_store_is_opened_again(reopen: Reopen, store: Store) -> None:
    assert (
        await Told(store).failures(
            TABLE,
            FactsAppended(1, 0, (b"zero", b"")),
            FactsAppended(1, 2, (b"two",)),
            TableMade(5, "OTHER", 1001.5),
            ANN,
            IdentitySeen(1, 1234.5),
            BanSet("address", "192.0.2.1", 2000.0, "noise"),
        )
        == [None] * 7
    )
    await store.close()

    again = reopen()
    assert again.load() == Stored(
        tables=[StoredTable(1, "ABCDE12345", 1000.0, [b"zero", b"", b"two"]), StoredTable(5, "OTHER", 1001.5, [])],
        identities=[StoredIdentity(1, "Ann", "ann", b"\x01" * 32, 1000.0, 1234.5)],
        bans=[StoredBan("address", "192.0.2.1", 2000.0, "noise")],
        last_table=5,
        last_identity=1,
    )
    await again.close()


async def test_what_was_forgotten_is_gone_and_its_number_stays_used(reopen: Reopen, store: Store) -> None:
    ban = BanSet("name", "bob", 1.0, "")
    changes = (TABLE, FactsAppended(1, 0, (b"x",)), ANN, ban, TableForgotten(1), IdentityForgotten(1))
    assert await Told(store).failures(*changes, BanLifted("name", "bob")) == [None] * 7
    await store.close()

    again = reopen()
    assert again.load() == Stored(last_table=1, last_identity=1)
    await again.close()


async def test_an_identity_has_any_number_of_keys_and_one_code_and_a_key_has_one_identity(
    reopen: Reopen, store: Store
) -> None:
    bea = IdentityMade(2, "Bea", "bea", b"\x02" * 32, 1001.0, b"bea's")
    changes = (
        *(ANN, bea, CredentialKept("key", b"shared", 2), CredentialKept("key", b"shared", 1)),
        *(CredentialKept("key", b"second", 1), CredentialKept("code", b"old", 1), CredentialKept("code", b"new", 1)),
    )
    assert await Told(store).failures(*changes) == [None] * 7
    nobodys = CredentialKept("key", b"nobody's", 3)
    assert [failure is None for failure in await Told(store).failures(nobodys, IdentityForgotten(2))] == [False, True]
    await store.close()

    again = reopen()
    assert again.load().credentials == [
        StoredCredential("key", b"shared", 1),
        StoredCredential("key", b"second", 1),
        StoredCredential("code", b"new", 1),
    ]
    await again.close()


async def test_nobody_is_told_before_write_returns_and_everybody_in_order(store: Store) -> None:
    told = Told(store)
    told.write(TABLE, *(FactsAppended(1, position, (b"x",)) for position in range(300)))
    assert told.outcomes == []
    await store.flush()
    assert [change.first for change, _ in told.outcomes if isinstance(change, FactsAppended)] == list(range(300))


async def test_callbacks_run_in_the_thread_of_the_loop(store: Store) -> None:
    loops: list[Any] = []
    store.write(TABLE, lambda _failure: loops.append(asyncio.get_running_loop()))
    await store.flush()
    assert loops == [asyncio.get_running_loop()]


async def test_a_callback_may_write_and_one_that_raises_keeps_no_other_from_being_told(store: Store) -> None:
    reported: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: reported.append(context))
    told = Told(store)

    def write_more_and_raise(_failure: StoreFailed | None) -> None:
        told.write(FactsAppended(1, 1, (b"one",)))
        raise RuntimeError("a fault of the table")

    told.write(TABLE)
    store.write(FactsAppended(1, 0, (b"zero",)), write_more_and_raise)
    told.write(ANN)
    await store.flush()
    await store.flush()
    assert told.outcomes == [(TABLE, None), (ANN, None), (FactsAppended(1, 1, (b"one",)), None)]
    assert str(reported[0]["exception"]) == "a fault of the table"


@pytest.mark.parametrize("first", [0, 1, 3, 2**40])
async def test_a_gap_or_a_repeat_in_a_journal_fails_and_says_what_is_next(store: Store, first: int) -> None:
    failures = await Told(store).failures(
        TABLE, FactsAppended(1, 0, (b"a", b"b")), FactsAppended(1, first, (b"x",)), FactsAppended(1, 2, (b"c",))
    )
    reason = f"the journal of table 1 has 2 entries, so entry {first} cannot be next"
    assert failures == [None, None, reason, None]


async def test_what_is_queued_behind_a_failed_append_fails_too_and_can_be_written_again(store: Store) -> None:
    told = Told(store)
    changes = (FactsAppended(1, 0, (b"a",)), FactsAppended(1, 1, (b"b",)), FactsAppended(1, 2, (b"c",)))
    failures = await told.failures(TABLE, changes[0], TableForgotten(1), *changes[1:], TABLE, changes[2])
    assert [failure is None for failure in failures] == [True, True, True, False, False, True, False]
    assert await told.failures(*changes) == [None] * 3


async def test_facts_for_a_table_that_is_not_there_fail(store: Store) -> None:
    failures = await Told(store).failures(
        FactsAppended(7, 0, (b"x",)), TABLE, TableForgotten(1), FactsAppended(1, 0, ())
    )
    assert [failure is None for failure in failures] == [False, True, True, False]


async def test_a_number_or_a_name_in_use_is_refused_and_a_forgotten_name_is_free(store: Store) -> None:
    bea = IdentityMade(2, "ANN", "ann", b"\x02" * 32, 1001.0)
    failures = await Told(store).failures(TABLE, TABLE, ANN, ANN, bea, IdentityForgotten(1), bea)
    assert [failure is None for failure in failures] == [True, False, True, False, False, True, True]


async def test_what_is_written_after_close_fails(store: Store) -> None:
    told = Told(store)
    told.write(TABLE)
    await store.close()
    assert told.outcomes == [(TABLE, None)]
    told.write(ANN)
    await store.flush()
    await asyncio.get_running_loop().run_in_executor(None, lambda: None)
    assert told.outcomes[1:] == [(ANN, "the store is closed")]
    await store.close()


async def test_the_loop_is_woken_once_for_all_that_queued_while_a_commit_ran(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = SqliteStore(tmp_path)
    store.load()
    loop = asyncio.get_running_loop()
    woken: list[int] = []
    wake = loop.call_soon_threadsafe

    def count(callback: Callable[..., object], *args: Any, **kwargs: Any) -> asyncio.Handle:
        woken.append(len(args[0]))
        return wake(callback, *args, **kwargs)

    told = Told(store)
    with monkeypatch.context() as patch:
        patch.setattr(loop, "call_soon_threadsafe", count)
        with writer_kept_waiting(tmp_path):
            told.write(TABLE, *(FactsAppended(1, position, (b"x",)) for position in range(500)))
        await store.flush()
    assert len(told.outcomes) == 501
    # The commit that waited took what was there when it began, the next one the rest; the flush came last.
    assert len(woken) <= 3
    await store.close()


SMALL = st.integers(1, 3)
CHANGES: st.SearchStrategy[Change] = st.one_of(
    st.builds(FactsAppended, SMALL, st.integers(0, 4), st.lists(st.binary(max_size=3), max_size=3).map(tuple)),
    st.builds(FactsAppended, SMALL, st.just(0), st.just((b"x",))),
    st.builds(TableMade, SMALL, st.text(max_size=3), st.floats(0, 1e10)),
    st.builds(TableForgotten, SMALL),
    st.builds(IdentityMade, SMALL, st.text(max_size=3), st.sampled_from("ab"), st.binary(max_size=3), st.floats(0, 9)),
    st.builds(IdentitySeen, SMALL, st.floats(0, 1e10)),
    st.builds(IdentityForgotten, SMALL),
    st.builds(
        IdentityMade, SMALL, st.text(max_size=3), st.sampled_from("ab"), st.just(b""), st.just(1.0), st.just(b"k")
    ),
    st.builds(CredentialKept, st.sampled_from(["key", "code"]), st.sampled_from([b"k", b"l"]), SMALL),
    st.builds(BanSet, st.sampled_from("ab"), st.sampled_from("ab"), st.floats(0, allow_nan=False), st.text(max_size=3)),
    st.builds(BanLifted, st.sampled_from("ab"), st.sampled_from("ab")),
)


def in_order(stored: Stored) -> Stored:
    stored.tables.sort(key=lambda table: table.table)
    stored.identities.sort(key=lambda identity: identity.identity)
    stored.bans.sort(key=lambda ban: (ban.kind, ban.value))
    stored.credentials.sort(key=lambda credential: (credential.kind, credential.value))
    return stored


@given(batches=st.lists(st.lists(CHANGES, max_size=12), max_size=5))
def test_both_stores_keep_the_same_and_refuse_the_same_however_it_is_batched(
    tmp_path_factory: pytest.TempPathFactory, batches: list[list[Change]]
) -> None:
    file = tmp_path_factory.mktemp("both") / DATABASE
    file.touch()
    with contextlib.closing(connect(file, "OFF")) as connection:
        upgrade(connection, 0)
        committer = Committer(lambda: connect(file, "OFF"), {})
        kept = Kept()
        for batch in batches:
            outcomes = committer.commit(batch)
            for change, outcome in zip(batch, outcomes, strict=True):
                try:
                    kept.apply(change)
                except StoreFailed:
                    assert outcome is not None
                else:
                    assert outcome is None
        committer.close()
        assert in_order(read(connection)) == in_order(kept.stored())
