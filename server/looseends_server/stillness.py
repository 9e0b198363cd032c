"""A table that stands still: because the store cannot write, or after a fault of our own. Other tables go on.

What is kept of the table is whole in both cases, so it goes on from there by itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import structlog

from looseends_protocol.errors import ERRORS
from looseends_server.facts import Thawed

if TYPE_CHECKING:
    from looseends_server.table import Table

log = structlog.get_logger()

MOST_FAULTS = 5
"""Tries to go on after a fault; then the table stands still until the server is started again."""
FAULTS_FORGOTTEN_SECONDS = 600.0
"""A table that has run this long since its last fault is as good as new."""


class Stillness:
    """Whether and why one table stands still. `why` is an error code, empty while it does not."""

    __slots__ = ("_faulted_at", "_faults", "_table", "why")

    def __init__(self, table: Table) -> None:
        self._table = table
        self._faults = 0
        self._faulted_at = 0.0
        self.why: Literal["", "server/cannot_save", "table/frozen"] = ""

    def wait_for_store(self) -> None:
        """Stand still until a fact can be written again."""
        if self.why:
            return
        self._write_later()
        self._begin("server/cannot_save")

    def wait_after_fault(self) -> None:
        """Stand still, and begin again soon from what is kept: each time after four times the wait, and not for ever.

        May be called while standing still: a further fault is one more.
        """
        now = self._table.house.clock.monotonic()
        if now - self._faulted_at > FAULTS_FORGOTTEN_SECONDS:
            self._faults = 0
        self._faulted_at = now
        self._faults += 1
        if self._faults <= MOST_FAULTS:
            wait = self._table.house.settings.pace.retry_seconds * 4 ** (self._faults - 1)
            self._table.house.clock.call_later(wait, lambda: self._table.submit(self._begin_again))
        try:
            self._begin("table/frozen")
        except Exception:
            log.exception("table cannot be told that it stands still", table=self._table.code)

    def _begin(self, why: Literal["server/cannot_save", "table/frozen"]) -> None:
        self.why = why
        self._table.turns.stop()
        self._table.announce_seats()
        self._table.system_says(ERRORS[why])

    def _write_later(self) -> None:
        house = self._table.house
        house.clock.call_later(house.settings.pace.retry_seconds, lambda: self._table.submit(self._write))

    def _write(self) -> None:
        if self.why == "server/cannot_save" and not self._table.house.closing:
            self._table.commit([Thawed()], self._go_on, self._write_later)

    def _begin_again(self) -> None:
        if self.why == "table/frozen" and not self._table.house.closing:
            self._table.begin_again()
            self._go_on()
            self._table.turns.arm()

    def _go_on(self) -> None:
        self.why = ""
        self._table.turns.begin_waiting_anew()
        self._table.announce_seats()
        self._table.system_says("The table goes on.")
