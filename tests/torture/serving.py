"""A real server in a process of its own, which may be told to kill itself at a point inside a step.

Run as `python -m tests.torture.serving ORDER`, an `Order` as JSON. What it is told to do wrong is done to it here, from
outside: nothing of this is in the server.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal
from unittest.mock import patch

import msgspec

from looseends_protocol.messages import Request
from looseends_server.config import Config, ServerSection
from looseends_server.connection import Connection
from looseends_server.hosting import Plan, run
from looseends_server.house import House
from looseends_server.limits import Limits, Pace
from looseends_server.logs import log_to
from looseends_server.store import schema
from looseends_server.store.base import Change, OnDone, StoreFailed
from looseends_server.store.committing import Committer
from looseends_server.store.sqlite import SqliteStore

Point = Literal["received", "queued", "writing", "committed", "partly-sent"]
"""`received`: a request was read and not judged. `queued`: its facts were handed to the store. `writing`: they are in
an open transaction. `committed`: they are durable and nobody was told, the server's own tables neither. `partly-sent`:
some of a table were sent what happened and others not, or half a frame of it."""
POINTS: tuple[Point, ...] = ("received", "queued", "writing", "committed", "partly-sent")

StoreKind = Literal["durable", "synchronous-off", "announces-before-commit"]
"""The store as it is, or broken in one of two ways that the torture has to notice."""

STALLED_SECONDS = 0.03
"""How long a commit stalls before the process dies in it: time enough for a server that tells too early to do so."""


class Kill(msgspec.Struct, frozen=True):
    """Where to die: when the point is passed for the `after`th time, from 1.

    At `partly-sent` so many connections still get what they are sent; with 0 one of them gets half a frame.
    """

    point: Point
    after: int
    reached: int = 1


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """What the process is to do: serve with these limits on a free port of loopback."""

    folder: str = ""
    limits: Limits = Limits()
    pace: Pace = Pace()
    store: StoreKind = "durable"
    kill: Kill | None = None


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _countdown(kill: Kill) -> Callable[[], bool]:
    """Return what is true at the moment of the kill, counting its calls."""
    left = kill.after

    def is_due() -> bool:
        nonlocal left
        left -= 1
        return left == 0

    return is_due


def install(kill: Kill) -> None:
    """Let this process die there."""
    _INSTALLERS[kill.point](kill)


def _die_when_received(kill: Kill) -> None:
    is_due, handle = _countdown(kill), House.handle

    def handled(house: House, connection: Connection, message: Request) -> None:
        if is_due():
            _die()
        handle(house, connection, message)

    patch.object(House, "handle", handled).start()


def _die_when_queued(kill: Kill) -> None:
    is_due, hand_over = _countdown(kill), SqliteStore._hand_over  # pyright: ignore[reportPrivateUsage]

    def handed_over(store: SqliteStore) -> None:
        hand_over(store)
        if is_due():
            _die()

    patch.object(SqliteStore, "_hand_over", handed_over).start()


def _die_while_writing(kill: Kill) -> None:
    is_due, connect = _countdown(kill), schema.connect

    def stall_and_die() -> int:
        threading.Event().wait(STALLED_SECONDS)  # a disk that takes its time
        _die()
        return 0

    def connected(database: Path, synchronous: Literal["FULL", "NORMAL", "OFF"] = "FULL") -> sqlite3.Connection:
        connection = connect(database, synchronous)

        def before_statement(statement: str) -> None:
            alone = statement.startswith("INSERT INTO recent_facts") and not connection.in_transaction
            if alone and is_due():
                # A transaction of its own: it is died in after some of the steps that SQLite makes of it.
                connection.set_progress_handler(stall_and_die, 10)
            elif statement == "COMMIT" and is_due():
                stall_and_die()

        connection.set_trace_callback(before_statement)
        return connection

    patch("looseends_server.store.sqlite.connect", connected).start()


def _die_when_committed(kill: Kill) -> None:
    is_due, commit = _countdown(kill), Committer.commit

    def committed(committer: Committer, changes: Sequence[Change]) -> list[StoreFailed | None]:
        outcomes = commit(committer, changes)
        if is_due():
            _die()
        return outcomes

    patch.object(Committer, "commit", committed).start()


def _die_when_partly_sent(kill: Kill) -> None:
    is_due, send_frame = _countdown(kill), Connection.send_frame
    reached: set[Connection] = set()
    dying = False

    def sent(connection: Connection, frame: bytes) -> None:
        nonlocal dying
        table = connection.table
        if not dying and (table is None or len(table.audience()) < 2 or not is_due()):
            send_frame(connection, frame)
            return
        if not dying:
            dying = True
            connection.house.clock.call_later(STALLED_SECONDS, _die)
            if kill.reached == 0:
                send_frame(connection, frame[: len(frame) // 2])
        if len(reached) < kill.reached:
            reached.add(connection)
        if connection in reached:
            send_frame(connection, frame)

    patch.object(Connection, "send_frame", sent).start()


_INSTALLERS: dict[Point, Callable[[Kill], None]] = {
    "received": _die_when_received,
    "queued": _die_when_queued,
    "writing": _die_while_writing,
    "committed": _die_when_committed,
    "partly-sent": _die_when_partly_sent,
}


def _do_nothing() -> None:
    pass


def _never_sync() -> None:
    connect = schema.connect

    def connected(database: Path, _synchronous: Literal["FULL", "NORMAL", "OFF"] = "FULL") -> sqlite3.Connection:
        return connect(database, "OFF")

    patch("looseends_server.store.sqlite.connect", connected).start()


def _announce_before_commit() -> None:
    write = SqliteStore.write

    def written(store: SqliteStore, change: Change, on_done: OnDone) -> None:
        on_done(None)
        write(store, change, lambda _failure: None)

    patch.object(SqliteStore, "write", written).start()


_SABOTAGES: dict[StoreKind, Callable[[], None]] = {
    "durable": _do_nothing,
    "synchronous-off": _never_sync,
    "announces-before-commit": _announce_before_commit,
}


def _end_with_parent() -> None:
    os.read(0, 1)  # returns when whoever holds the other end is gone, however that came about
    os._exit(1)


def serve(order: Order) -> None:
    """Serve until told to end, or dead."""
    log_to(sys.stderr, "info", as_json=True)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _SABOTAGES[order.store]()
    if order.kill is not None:
        install(order.kill)
    config = Config(ServerSection(host="127.0.0.1", port=0), order.limits, order.pace)
    run(Plan(config=config, folder=Path(order.folder)), lambda line: print(line, flush=True))


if __name__ == "__main__":
    serve(msgspec.json.decode(sys.argv[1], type=Order))
