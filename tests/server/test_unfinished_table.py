"""A server that ends while it makes a table leaves nothing of it behind."""

from __future__ import annotations

import structlog.testing

from looseends_server.store.base import TableMade
from looseends_server.store.memory import Kept, MemoryStore
from tests.server.peers import arrive, open_house, seated_table


async def test_a_table_whose_first_facts_were_never_written_is_forgotten_at_the_next_start_without_an_error() -> None:
    kept = Kept()
    kept.apply(TableMade(1, "ABCDEFGHJK", 0.0))
    with structlog.testing.capture_logs() as lines:
        house = await open_house(store=MemoryStore(kept))
        await house.store.flush()
    assert kept.tables == {}
    assert [line for line in lines if line["log_level"] == "error"] == []
    await arrive(house, "ann")
    await house.close()


async def test_the_number_of_a_table_that_was_never_finished_is_not_used_again() -> None:
    kept = Kept()
    kept.apply(TableMade(7, "ABCDEFGHJK", 0.0))
    kept.last_table = 7
    house = await open_house(store=MemoryStore(kept))
    await seated_table(house, ["ann", "ben"])
    await house.store.flush()
    assert list(kept.tables) == [8]
    await house.close()
