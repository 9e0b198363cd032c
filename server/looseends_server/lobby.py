"""The list of tables: paged, subscribed to, and told at most once in a while."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from looseends_protocol.frames import framed
from looseends_protocol.messages import LobbyChanged, TableLine, Tables
from looseends_server.snapshots import table_line

if TYPE_CHECKING:
    from looseends_server.connection import Connection
    from looseends_server.table import Table


class Lobby:
    """Which tables are listed, and who hears of changes."""

    def __init__(self, tables: dict[str, Table], page_size: int, seconds: float) -> None:
        """`seconds` is the least time between two pushes."""
        self._tables = tables
        self._page_size = page_size
        self._seconds = seconds
        self._told_at = -math.inf
        self._subscribers: set[Connection] = set()
        self._changed = False

    def changed(self, table: Table) -> None:
        """Note that a table looks different now; those who subscribed hear of it with the next `tell`."""
        if not table.state.options.private:
            self._changed = True

    def _listed(self) -> list[Table]:
        """Return the tables to list: those one can sit down at first, then the newest."""
        listed = [table for table in self._tables.values() if not table.state.options.private]
        listed.sort(key=lambda table: (table.state.stage != "gathering", not table.anybody_present, -table.table))
        return listed

    def _page(self, page: int, listed: list[Table]) -> tuple[tuple[TableLine, ...], int, int]:
        pages = max(1, -(-len(listed) // self._page_size))
        page = min(page, pages - 1)
        shown = listed[page * self._page_size : (page + 1) * self._page_size]
        return tuple(table_line(table) for table in shown), page, pages

    def page(self, request: int, page: int) -> Tables:
        """Return a page of the list as the answer to a request; the last one where there are not so many."""
        return Tables(request, *self._page(page, self._listed()))

    def subscribe(self, connection: Connection, page: int) -> None:
        """Tell this connection of changes of a page from now on."""
        connection.lobby_page = page
        self._subscribers.add(connection)

    def unsubscribe(self, connection: Connection) -> None:
        """Tell this connection nothing more."""
        connection.lobby_page = None
        self._subscribers.discard(connection)

    def tell(self, now: float) -> None:
        """Push every subscribed page anew, encoded once a page, if anything changed and the last push is long past."""
        if not self._changed or not self._subscribers or now - self._told_at < self._seconds:
            return
        self._told_at = now
        self._changed = False
        listed = self._listed()
        frames: dict[int, bytes] = {}
        for connection in list(self._subscribers):
            page = connection.lobby_page or 0
            if page not in frames:
                frames[page] = framed(LobbyChanged(*self._page(page, listed)))
            connection.send_frame(frames[page])
