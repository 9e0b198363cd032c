"""`make torture`: every part in turn, with its counts, and one line at the end that says whether all promises held."""

from __future__ import annotations

import faulthandler
import time
from collections.abc import Callable

from tests.torture import crowds, fuzz, half_open, kills, power, secret_scan, slow

PARTS: tuple[Callable[[], int], ...] = (
    kills.main,
    power.main,
    fuzz.main,
    slow.main,
    half_open.main,
    crowds.main,
    secret_scan.main,
)

LONGEST_SECONDS = 600
"""After this the run says where it is stuck, and ends; the servers that it started end with it."""


def main() -> int:
    """Run all parts, the later ones too where one failed; return how many did."""
    began = time.monotonic()
    faulthandler.dump_traceback_later(LONGEST_SECONDS, exit=True)
    failed = sum(part() for part in PARTS)
    print(f"{len(PARTS)} parts in {time.monotonic() - began:.0f} seconds, {failed} failed", flush=True)
    return failed


if __name__ == "__main__":
    raise SystemExit(main())
