"""A small sample of each part of the torture, and that it notices a server that breaks its promises."""

from __future__ import annotations

import pytest

from tests.torture import kills, power
from tests.torture.disk import WHY_NOT
from tests.torture.line import Broken
from tests.torture.serving import POINTS

needs_disk = pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT or "a disk can be had")


async def test_nothing_that_was_seen_is_gone_after_the_server_was_killed_at_every_step() -> None:
    counts = await kills.run(10, seed=11, tables_of=(3, 5))
    assert counts["kills"] == 10
    assert all(counts[f"killed {point}"] for point in POINTS)
    assert counts["records verified"] > 0
    assert counts["events seen before a restart and found again"] > 0


@needs_disk
async def test_nothing_that_was_seen_is_gone_after_the_power_was_cut_at_every_step() -> None:
    counts = await power.cut_on_disk(5, seed=11)
    assert counts["events seen before a restart and found again"] > 0


async def test_nothing_that_was_seen_is_gone_where_a_store_loses_what_it_held_back() -> None:
    counts = await power.cut_in_memory(10, seed=11)
    assert counts["events seen before a restart and found again"] > 0


@needs_disk
async def test_the_torture_notices_a_server_that_does_not_sync() -> None:
    with pytest.raises(Broken):
        await power.cut_on_disk(10, seed=11, store="synchronous-off")


async def test_the_torture_notices_a_server_that_tells_before_it_has_committed() -> None:
    with pytest.raises(Broken):
        await power.killed(10, seed=11, store="announces-before-commit")


async def test_the_torture_notices_a_store_that_tells_before_it_has_committed() -> None:
    with pytest.raises(Broken):
        await power.cut_in_memory(10, seed=11, tells_early=True)
