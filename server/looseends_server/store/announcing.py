"""How the writers of changes are told what became of them. Runs in the event loop's thread, and nothing else does."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TypeAlias

from looseends_server.store.base import OnDone, StoreFailed

Outcome: TypeAlias = tuple[OnDone, StoreFailed | None]


def announce(outcomes: Sequence[Outcome], loop: asyncio.AbstractEventLoop) -> None:
    """Call each writer back, in order. A callback that raises is reported to the loop and keeps no other from its."""
    for on_done, failure in outcomes:
        try:
            on_done(failure)
        except Exception as fault:
            loop.call_exception_handler(
                {"message": "a callback of the store raised", "exception": fault, "callback": on_done}
            )
