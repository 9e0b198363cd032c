"""The power is cut at every step: what was not synced is gone, and still nothing that was seen.

Twice: with the real store on a disk of which only synced bytes outlive the cut (Linux, a C compiler), and with a store
in memory whose commits are held back, which needs nothing. A server that does not sync, or that tells before it has
committed, has to be found out; that is part of the run.
"""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from tests.torture.disk import WHY_NOT, Disk, built_library
from tests.torture.held_store import HeldWorld
from tests.torture.kills import World
from tests.torture.line import Broken
from tests.torture.report import Report
from tests.torture.serving import StoreKind


async def cut_on_disk(cuts: int, seed: int, store: StoreKind = "durable") -> Counter[str]:
    """Cut the power of a server so many times, on a disk that keeps what was synced. Raises Broken."""
    with tempfile.TemporaryDirectory(prefix="looseends-torture-") as temporary:
        folder = Path(temporary)
        world = World(
            random.Random(seed).randint(3, 5), seed, folder, store=store, disk=Disk(built_library(folder), folder)
        )
        await world.endure(cuts)
        return world.report()


async def killed(kills: int, seed: int, store: StoreKind) -> Counter[str]:
    """Kill a server with that store so many times; the disk keeps everything. Raises Broken."""
    with tempfile.TemporaryDirectory(prefix="looseends-torture-") as temporary:
        world = World(3, seed, Path(temporary), store=store)
        await world.endure(kills)
        return world.report()


async def cut_in_memory(cuts: int, seed: int, *, tells_early: bool = False) -> Counter[str]:
    """Cut the power of a server in this process so many times; its store forgets what it holds back. Raises Broken."""
    world = HeldWorld(4, seed, tells_early=tells_early)
    await world.endure(cuts)
    return world.report()


async def run(cuts: int, seed: int) -> Counter[str]:
    """Cut the power of right servers, and of broken ones, which have to be found out. Raises Broken."""
    counts: Counter[str] = Counter()
    counts["cuts over a store that holds back"] = (await cut_in_memory(cuts, seed))["kills"]
    if WHY_NOT:
        print(f"  left out: {WHY_NOT}")
    else:
        on_disk = await cut_on_disk(cuts, seed)
        counts["cuts over the real store"] = on_disk["kills"]
        counts["events seen before a cut and found again"] = on_disk["events seen before a restart and found again"]
        await _is_found_out("synchronous OFF", cut_on_disk(20, seed, "synchronous-off"))
        counts["broken servers found out"] += 1
    await _is_found_out("telling before the commit", killed(20, seed, "announces-before-commit"))
    await _is_found_out("telling before the commit, in memory", cut_in_memory(20, seed, tells_early=True))
    counts["broken servers found out"] += 2
    return counts


async def _is_found_out(what: str, broken_run: Coroutine[Any, Any, Counter[str]]) -> None:
    try:
        await broken_run
    except Broken as broken:
        print(f"  found out: {what}: {broken}")
    else:
        raise Broken(f"the torture does not notice {what}")


def main(cuts: int = 100, seed: int = 1) -> int:
    """Run this part, print its counts, and return 0 where every promise was kept and every broken one noticed."""
    return Report("loss of power").of(run(cuts, seed))


if __name__ == "__main__":
    raise SystemExit(main())
