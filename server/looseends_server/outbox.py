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

    __slots__ = ("_due", "_loop")

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._due: list[Connection] = []

    def add(self, connection: Connection) -> None:
        """Let a connection flush its buffer when this turn of the loop has done what it does."""
        if not self._due:
            self._loop.call_soon(self._flush)
        self._due.append(connection)

    def _flush(self) -> None:
        due, self._due = self._due, []
        for connection in due:
            try:
                connection.flush()
            except Exception:
                log.exception("cannot write", connection=id(connection))
                connection.abort()
