"""The event loop that a server, a door or a measurement runs in: uvloop's where there is one, Python's own elsewhere.

It is chosen here once. What runs in it is not known here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


def run_in_fast_loop(what: Coroutine[Any, Any, T]) -> T:
    """Return what a coroutine returns, after it has run to its end in a loop of its own. Raises what it raises."""
    try:
        import uvloop
    except ImportError:  # exists for neither PyPy nor every new Python
        factory = None
    else:
        factory = uvloop.new_event_loop
    with asyncio.Runner(loop_factory=factory) as runner:
        return runner.run(what)
