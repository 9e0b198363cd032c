"""Writes what connections have buffered, once per loop turn.

One callback for all of them: one for each connection cost a twentieth of what a move costs.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import structlog

if TYPE_CHECKING:
    from looseends_server.connection import Connection

log = structlog.get_logger()


class Outbox:
    """The connections of a house that have something to write."""

    __slots__ = ("_loop", "due")

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.due: list[Connection] = []
        """Connections whose buffers are flushed when this turn of the loop has done what it does; `begin` with the
        first."""

    def begin(self) -> None:
        """Let what is due be flushed in the next turn of the loop."""
        self._loop.call_soon(self._flush)

    def _flush(self) -> None:
        due, self.due = self.due, []
        for connection in due:
            try:
                connection.flush()
            except Exception:
                log.exception("cannot write", connection=id(connection))
                connection.abort()
