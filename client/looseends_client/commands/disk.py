"""What a folder lies on: the kind of its file system, and how long the disk takes to have something for good."""

from __future__ import annotations

import os
import time
from pathlib import Path

IN_MEMORY = frozenset({"tmpfs", "ramfs"})
"""File systems that keep nothing, so that a sync on them costs nothing and means nothing."""
SYNCS = 30


def file_system_of(folder: Path) -> str:
    """Return the kind of file system that a folder lies on, as Linux calls it; `unknown` where it does not tell."""
    kind, longest = "unknown", -1
    where = folder.resolve()
    try:
        mounts = Path("/proc/self/mounts").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return kind
    for mount in mounts:
        _, point, of_kind, *_ = mount.split(" ")
        mounted = Path(point.replace("\\040", " "))
        if where.is_relative_to(mounted) and len(mounted.parts) >= longest:
            kind, longest = of_kind, len(mounted.parts)
    return kind


def sync_milliseconds(folder: Path) -> float:
    """Return how long one write of 4 kB takes until it is on the disk, the median of some."""
    file = folder / "sync"
    written = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
    times: list[float] = []
    try:
        for _ in range(SYNCS):
            began = time.perf_counter()
            os.pwrite(written, b"\0" * 4096, 0)
            os.fsync(written)
            times.append(time.perf_counter() - began)
    finally:
        os.close(written)
        file.unlink()
    return 1000 * sorted(times)[SYNCS // 2]
