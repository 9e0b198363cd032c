"""What is asked away from a table: the list, a new table, a seat at one, a look at one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from looseends_core.rules import RulesError, check_rules
from looseends_protocol.duplicate import code_and_side, duplicate_table
from looseends_protocol.limits import NAME_LENGTH
from looseends_protocol.messages import CreateTable, Hello, JoinTable, ListTables, MakeCode, TableOptions, WatchTable
from looseends_protocol.people_text import chat_line
from looseends_server import contests, game_requests, greeting, looking_back, shared_replay, ways_back
from looseends_server.contests import make_contest
from looseends_server.facts import PersonBack, SeatTaken, TableOpened
from looseends_server.table import Table
from looseends_server.table_making import leave_for, let_in, open_table, why_no_table
from looseends_server.table_requests import ask
from looseends_server.whereabouts import tell_whereabouts

if TYPE_CHECKING:
    from looseends_server.connection import Connection
    from looseends_server.house import House

OWN_TITLE = "{name}'s table"
"""The title of a table that its host gave none."""
TITLE_LENGTH_KEPT = len(OWN_TITLE.format(name="")) + NAME_LENGTH
"""Characters of a table's title that are kept of those sent: it shares the top line with the rest."""


def list_tables(house: House, connection: Connection, message: ListTables) -> None:
    """Answer with a page of the lobby, and keep it up to date where that is asked."""
    if message.subscribe:
        house.lobby.subscribe(connection, message.page)
    else:
        house.lobby.unsubscribe(connection)
    connection.send(house.lobby.page(message.id, message.page))
    if connection.table is None and connection.person is not None:
        tell_whereabouts(house, connection.person)


def create_table(house: House, connection: Connection, message: CreateTable) -> None:
    """Make a table with the sender on seat 0 as its host."""
    person = connection.person
    assert person is not None
    try:
        check_rules(message.rules)
    except RulesError as error:
        connection.refuse(message.id, "table/rules", f"Those rules are outside their limits: {error}.")
        return
    if why_not := why_no_table(house, person.identity, message.copies):
        connection.refuse(message.id, why_not)
        return
    title = chat_line(message.options.title)[:TITLE_LENGTH_KEPT] or OWN_TITLE.format(name=person.name)
    options = msgspec.structs.replace(message.options, title=title, contest="", replay=False)
    if message.password and house.passwords.busy:
        connection.refuse(message.id, "table/busy", retry_after=1)
        return
    house.tables_in_making.append(person.identity)
    if not message.password:
        _make(house, connection, message, options, "")
        return

    def hashed(password: str | None) -> None:
        if password is None or connection.closing:
            house.tables_in_making.remove(person.identity)
            connection.refuse(message.id, "server/fault")
        else:
            _make(house, connection, message, options, password)

    house.passwords.hash(message.password, hashed)


def _make(house: House, connection: Connection, message: CreateTable, options: TableOptions, password: str) -> None:
    person = connection.person
    assert person is not None
    if message.copies > 1:
        make_contest(house, connection, message, options, password)
        return
    opened = TableOpened(message.rules, options, house.clock.wall(), password)
    open_table(house, connection, message.id, [opened, SeatTaken(0, person.identity, person.name)], 0)


def join_table(house: House, connection: Connection, message: JoinTable) -> None:
    """Give the sender a seat, or the one they have; a password is asked only of those who have none."""
    _enter(house, connection, message, lambda table: _sit_down(table, connection, message))


def watch_table(house: House, connection: Connection, message: WatchTable) -> None:
    """Let the sender watch."""
    _enter(house, connection, message, lambda table: _watch(table, connection, message))


def _enter(
    house: House, connection: Connection, message: JoinTable | WatchTable, enter: Callable[[Table], None]
) -> None:
    person = connection.person
    assert person is not None
    table = house.tables.get(code_and_side(message.code)[0])
    now = house.clock.monotonic()
    if table is None:
        wait = house.tries_by_address.seconds_to_wait(house.place_of(connection), now)
        if wait:
            connection.refuse(message.id, "table/tries", retry_after=wait)
            return
        house.tries_by_address.failed(house.place_of(connection), now)
        connection.refuse(message.id, "table/unknown")
        return
    if not connection.resync_window.admits(now):
        wait = connection.resync_window.seconds_left(now)
        connection.refuse(message.id, "session/too_fast", retry_after=wait)
        return

    def go_in() -> None:
        ask(table, connection, message, lambda: enter(table))

    if table.state.password and table.state.seat_of(person.identity) is None:
        house.check_password(
            connection, message.id, table.code, table.state.password, message.password, "table/password", go_in
        )
    else:
        go_in()


def _sit_down(table: Table, connection: Connection, message: JoinTable) -> None:
    person = connection.person
    assert person is not None
    state = table.state
    if state.options.replay:  # nobody sits there, and a code is often typed to sit down
        _watch(table, connection, message)
        return
    seat = state.seat_of(person.identity)
    if seat is not None and not state.seats[seat].away:
        _take_place(table, connection, message, seat, "is back")
        return
    if table.frozen:
        connection.refuse(message.id, table.frozen)
        return
    if seat is not None:
        table.commit(
            [PersonBack(seat)],
            lambda: _take_place(table, connection, message, seat, "is back"),
            lambda: connection.refuse(message.id, "server/cannot_save"),
        )
        return
    if state.running:
        connection.refuse(message.id, "table/started")
        return
    open_seats = [number for number in range(len(state.seats)) if state.is_free(number)]
    duplicate = duplicate_table(state.options.contest)
    wanted = message.seat
    side = code_and_side(message.code)[1]
    if side:
        wanted = None if duplicate is None else duplicate.seat_of(side, len(state.seats))
        if wanted is None:
            connection.refuse(message.id, "table/no_such_seat", f"Nobody plays for a side {side} at that table.")
            return
    if wanted is not None and wanted >= len(state.seats):
        connection.refuse(message.id, "table/no_such_seat")
    elif not open_seats:
        connection.refuse(message.id, "table/full")
    elif wanted is not None and wanted not in open_seats:
        connection.refuse(message.id, "table/seat_taken")
    else:
        taken = open_seats[0] if wanted is None else wanted
        sat = "sat down" if duplicate is None else f"sat down for side {duplicate.side_at(taken, len(state.seats))}"
        table.commit(
            [SeatTaken(taken, person.identity, person.name)],
            lambda: _take_place(table, connection, message, taken, sat),
            lambda: connection.refuse(message.id, "server/cannot_save"),
        )


def _take_place(table: Table, connection: Connection, message: JoinTable, seat: int, what: str) -> None:
    if connection.closing:
        table.turns.went(seat)
        table.announce_seats()
        return
    news = connection.table is not table or connection.seat != seat
    expected = seat in table.expected
    leave_for(connection, table)
    let_in(table, connection, seat, message.id, message.game, message.since)
    if news and not expected:
        table.announce_seats()
        table.system_says(f"{table.name_at(seat)} {what}.")


def _watch(table: Table, connection: Connection, message: WatchTable | JoinTable) -> None:
    person = connection.person
    assert person is not None
    limits = table.house.settings.limits
    if not table.state.options.spectators:
        connection.refuse(message.id, "table/no_spectators")
    elif table.state.seat_of(person.identity) is not None:
        connection.refuse(message.id, "table/seat_taken", "You have a seat at that table: join it.")
    elif len(table.watchers) >= limits.spectators and connection not in table.watchers:
        connection.refuse(message.id, "table/spectators_full")
    else:
        news = connection not in table.watchers
        leave_for(connection, table)
        let_in(table, connection, None, message.id, message.game, message.since)
        if news:
            table.announce_seats()


HANDLERS: dict[type, Callable[[House, Connection, Any], None]] = {
    CreateTable: create_table,
    Hello: greeting.greet,
    JoinTable: join_table,
    ListTables: list_tables,
    MakeCode: ways_back.make_code,
    WatchTable: watch_table,
    **contests.HANDLERS,
    **game_requests.HANDLERS,
    **looking_back.HANDLERS,
    **shared_replay.HALL_HANDLERS,
}
"""The function of each message that is not for the table its sender is at."""
