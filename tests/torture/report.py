"""How a part of the torture tells what it did: counts, seconds, and the one thing that was wrong."""

from __future__ import annotations

import asyncio
import time
import traceback
from collections import Counter
from collections.abc import Coroutine
from typing import Any

from tests.torture.line import Broken


class Report:
    """Runs one part and prints what it counted."""

    def __init__(self, title: str) -> None:
        self._title = title

    def of(self, part: Coroutine[Any, Any, Counter[str]]) -> int:
        """Run the part; return 0, or 1 where it found a promise broken."""
        began = time.monotonic()
        print(f"{self._title} …", flush=True)
        try:
            counts = asyncio.run(part)
        except Broken as broken:
            print(f"  BROKEN after {time.monotonic() - began:.0f} s: {broken}", flush=True)
            return 1
        except Exception:
            print(f"  FAILED after {time.monotonic() - began:.0f} s", flush=True)
            traceback.print_exc()
            return 1
        for what, count in sorted(counts.items()):
            print(f"  {count:>9,} {what}")
        print(f"  {time.monotonic() - began:>9.0f} seconds", flush=True)
        return 0
