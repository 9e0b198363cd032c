"""How a table comes to be, and how somebody who was elsewhere is let in at one.

Who may have a table, and what is asked of those who want in, is what the requests judge.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from looseends_protocol.codes import code_from
from looseends_server import snapshots
from looseends_server.facts import Fact, written_fact
from looseends_server.store.base import FactsAppended, StoreFailed, TableForgotten, TableMade
from looseends_server.table import Table

if TYPE_CHECKING:
    from looseends_server.connection import Connection
    from looseends_server.house import House


def why_no_table(house: House, identity: int, tables: int = 1) -> str:
    """Return the code of why a person may not make so many further tables, empty where they may."""
    limits = house.settings.limits
    open_tables = sum(
        table.state.host == identity and (table.state.stage != "over" or table.state.options.replay)
        for table in house.tables.values()
    )
    if open_tables + house.tables_in_making.count(identity) + tables > limits.tables_per_person:
        return "table/too_many"
    if len(house.tables) + len(house.tables_in_making) + tables > limits.tables:
        return "server/full"
    return ""


def new_code(house: House) -> str:
    """Return a code for a table, one that nobody finds by trying."""
    return code_from(int.from_bytes(house.entropy(7), "big"))


def open_empty_table(house: House, facts: list[Fact], code: str) -> None:
    """Open a table at which nobody sits yet; who first sits down is its host. Where it cannot be kept there is none."""
    number = house.next_table_number()

    def made(error: StoreFailed | None) -> None:
        if error is not None:
            house.store.write(TableForgotten(number), lambda error: None)
            return
        table = house.tables[code] = Table(house, number, code, facts)
        house.lobby.changed(table)

    house.store.write(TableMade(number, code, house.clock.wall()), lambda error: None)
    house.store.write(FactsAppended(number, 0, tuple(written_fact(fact) for fact in facts)), made)


def open_table(
    house: House,
    connection: Connection,
    request: int,
    facts: list[Fact],
    seat: int | None,
    then: Callable[[Table], None] = lambda table: None,
    code: str = "",
) -> None:
    """Open a table that these facts lead to, and let the sender in at their seat, once that is durable; then `then`.
    Without a seat they watch.

    The sender stands in `tables_in_making`, which this ends. `code` is the table's, a new one where it is empty.
    """
    person = connection.person
    assert person is not None
    number = house.next_table_number()
    code = code or new_code(house)

    def made(error: StoreFailed | None) -> None:
        house.tables_in_making.remove(person.identity)
        if error is not None:
            house.store.write(TableForgotten(number), lambda error: None)  # it may be there, without its facts
            connection.refuse(request, "server/cannot_save")
            return
        table = Table(house, number, code, facts)
        house.tables[code] = table
        if not connection.closing:
            leave_for(connection, table)
            let_in(table, connection, seat, request)
        house.lobby.changed(table)
        then(table)

    house.store.write(TableMade(number, code, house.clock.wall()), lambda error: None)
    house.store.write(FactsAppended(number, 0, tuple(written_fact(fact) for fact in facts)), made)


def leave_for(connection: Connection, table: Table) -> None:
    """Take a connection away from the table it is at, where that is another one; its seat there stays."""
    other = connection.table
    if other is None or other is table:
        return
    seat = connection.seat
    led = other.is_led_by(connection)
    other.detach(connection)
    if led:
        other.house.close_table(other, lambda error: None)
    elif seat is not None:
        other.announce_seats()
        other.system_says(f"{other.name_at(seat)} went to another table.")


def let_in(table: Table, connection: Connection, seat: int | None, request: int, game: int = 0, since: int = 0) -> None:
    """Let a connection hear the table from its snapshot on, and only then let time go on that stood still before."""
    if connection.table is not table or connection.seat != seat:
        if connection.table is table:
            table.detach(connection)
        table.attach(connection, seat)
    connection.send(snapshots.attending(table, request, seat, game, since))
    if seat is not None:
        table.heard_until[seat] = None
    table.turns.arm()
