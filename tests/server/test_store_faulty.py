"""The store that other tests break on purpose does what they think it does."""

from __future__ import annotations

from looseends_server.store.base import FactsAppended, TableMade
from tests.server.faulty_store import FaultyStore
from tests.server.stores import Told

TABLE = TableMade(1, "A", 0.0)
FIRST, SECOND = FactsAppended(1, 0, (b"a",)), FactsAppended(1, 1, (b"b",))


async def test_it_fails_until_it_works_again() -> None:
    store = FaultyStore()
    told = Told(store)
    store.fail_with("the disk is full")
    assert await told.failures(TABLE) == ["the disk is full"]
    store.work_again()
    assert await told.failures(TABLE, FIRST) == [None, None]


async def test_it_fails_only_for_the_changes_that_were_named() -> None:
    store = FaultyStore()
    store.fail_with("no", when=lambda change: isinstance(change, FactsAppended) and change.table == 1)
    assert await Told(store).failures(TABLE, FIRST, TableMade(2, "B", 0.0)) == [None, "no", None]


async def test_what_is_held_back_is_told_and_kept_only_when_it_is_released_in_order() -> None:
    store = FaultyStore()
    told = Told(store)
    store.hold()
    told.write(TABLE, FIRST, SECOND)
    store.release(2)
    store.release(0)
    assert store.held_back == [SECOND]
    store.release()
    await store.flush()
    assert told.outcomes == [(TABLE, None), (FIRST, None), (SECOND, None)]


async def test_losing_power_leaves_what_was_told_and_nothing_else_and_silences_the_old_store() -> None:
    store = FaultyStore()
    told = Told(store)
    assert await told.failures(TABLE, FIRST) == [None, None]
    store.hold()
    told.write(SECOND)
    store.release()
    told.write(FactsAppended(1, 2, (b"c",)))
    restarted = store.lose_unsynced()
    store.write(SECOND, lambda _failure: told.outcomes.append((SECOND, "told by a store without power")))
    await restarted.flush()
    assert told.outcomes == []
    assert [table.facts for table in restarted.load().tables] == [[b"a"]]
    assert await Told(restarted).failures(SECOND) == [None]
