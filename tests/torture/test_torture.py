"""A small sample of each part of the torture, and that it notices a server that breaks its promises."""

from __future__ import annotations

import pytest

from tests.torture import crowds, fuzz, half_open, kills, power, slow
from tests.torture.disk import WHY_NOT
from tests.torture.line import Broken
from tests.torture.proxy import CUTS
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


async def test_every_frame_is_answered_once_and_the_server_does_not_grow() -> None:
    counts = await fuzz.run(20_000, streams=50, peers=3, seed=11)
    assert counts["frames answered"] >= 20_000
    assert counts["frames before login"] > 0
    assert counts["peers dropped for their bad frames"] == 3


async def test_who_does_not_read_is_dropped_and_the_table_goes_on() -> None:
    counts = await slow.run(2, seed=11)
    assert counts["peers that read nothing, dropped"] == 2
    assert counts["peers that read a byte a second, dropped"] == 2


async def test_a_line_that_goes_dead_is_noticed_on_both_sides_and_nothing_is_missed_or_doubled() -> None:
    counts = await half_open.run(3, cuts=1, seed=11)
    assert counts["resumed from the last number"] == 3
    assert all(counts[f"lines cut: {cut}"] == 1 for cut in CUTS)


async def test_crowds_get_what_there_is_and_a_clear_no_for_the_rest() -> None:
    counts = await crowds.run(rounds=8, storms=2, clients=20, arriving=50, seed=11)
    assert counts["joiners refused"] > 0
    assert counts["clients that dropped and resumed at once"] == 40
    assert counts["clients welcomed that came at once"] == 50
