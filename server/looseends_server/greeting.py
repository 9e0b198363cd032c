"""Hello: which protocol, which identity, whose name; and the taking over of an older connection.

Nothing but a hello is answered before this has succeeded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

from looseends_protocol.limits import PROTOCOL_MAJOR, PROTOCOL_MINOR, TOKEN_BYTES
from looseends_protocol.messages import Hello, Welcome
from looseends_protocol.people_text import NameInvalid, person_name
from looseends_server.snapshots import seat_held
from looseends_server.store.base import IdentitySeen, StoredIdentity, StoreFailed

if TYPE_CHECKING:
    from looseends_server.connection import Connection
    from looseends_server.house import House
    from looseends_server.people import Person

log = structlog.get_logger()

SEEN_SECONDS = 3600.0
"""How exactly it is kept when somebody was last seen: guests are forgotten after a year, and a hello costs no write."""


def greet(house: House, connection: Connection, hello: Hello) -> None:
    """Answer a hello: with a welcome once the identity is known and kept, or with the reason why not."""
    if connection.person is not None or connection.greeting:
        connection.refuse(hello.id, "hello/again")
        return
    if hello.major != PROTOCOL_MAJOR:
        side = "client" if hello.major < PROTOCOL_MAJOR else "server"
        text = f"The server speaks protocol {PROTOCOL_MAJOR}, the client {hello.major}: upgrade the {side}."
        connection.refuse(hello.id, "hello/version", text)
        return
    if not (connection.secure or house.settings.insecure):
        connection.refuse(hello.id, "hello/insecure")
        return
    if hello.token:
        _greet_known(house, connection, hello)
    else:
        _greet_new(house, connection, hello)


def _greet_known(house: House, connection: Connection, hello: Hello) -> None:
    person = house.people.by_token(hello.token)
    if person is None:
        if not house.admits_new(connection):
            connection.drop("server/too_many", retry_after=60)
            return
        connection.refuse(hello.id, "hello/token")
        return
    if house.is_banned(connection, person):
        connection.drop("session/banned")
        return
    if house.clock.wall() - person.seen_at > SEEN_SECONDS:
        person.seen_at = house.clock.wall()
        house.store.write(IdentitySeen(person.identity, person.seen_at), lambda error: None)
    _welcome(house, connection, hello, person, b"")


def _greet_new(house: House, connection: Connection, hello: Hello) -> None:
    try:
        name = person_name(hello.name)
    except NameInvalid as error:
        connection.refuse(hello.id, "name/invalid", str(error))
        return
    if house.is_banned(connection, None):
        connection.drop("session/banned")
        return
    if not house.admits_new(connection):
        connection.drop("server/too_many", retry_after=60)
        return
    if not house.people.is_free(name):
        suggestion = house.people.free_name_like(name)
        connection.refuse(
            hello.id,
            "name/taken",
            f"The name {name} belongs to somebody else on this server; {suggestion} is free.",
            suggestion=suggestion,
        )
        return
    if not house.settings.password_hash:
        _keep_new(house, connection, hello, name)
        return

    def passed() -> None:
        if house.people.is_free(name):
            _keep_new(house, connection, hello, name)
        else:
            connection.refuse(hello.id, "name/taken", suggestion=house.people.free_name_like(name))

    connection.greeting = True
    house.check_password(
        connection, hello.id, "house", house.settings.password_hash, hello.hello_password, "hello/password", passed
    )


def _keep_new(house: House, connection: Connection, hello: Hello, name: str) -> None:
    token = house.entropy(TOKEN_BYTES)
    made = house.people.reserve(name, token, house.clock.wall())
    connection.greeting = True

    def kept(error: StoreFailed | None) -> None:
        connection.greeting = False
        if error is not None:
            house.people.release(made)
            log.error("identity not kept", error=str(error))
            connection.refuse(hello.id, "server/cannot_save")
            return
        stored = StoredIdentity(made.identity, made.name, made.name_key, made.token_hash, made.made_at, made.made_at)
        person = house.people.admit(stored)
        if not connection.closing:
            _welcome(house, connection, hello, person, token)

    house.store.write(made, kept)


def _welcome(house: House, connection: Connection, hello: Hello, person: Person, token: bytes) -> None:
    older = person.connection
    if older is not None and older is not connection:
        if older.table is not None:
            older.table.hand_over(older)
        older.drop("session/taken_over")
    person.connection = connection
    connection.logged_in(person)
    seats = tuple(
        seat_held(table, seat)
        for table in house.tables.values()
        if (seat := table.state.seat_of(person.identity)) is not None and not table.state.seats[seat].away
    )
    levels = tuple((level.name, level.character) for level in house.levels.values())
    connection.send(
        Welcome(hello.id, PROTOCOL_MAJOR, PROTOCOL_MINOR, person.name, house.settings.name, token, seats, levels)
    )
    log.info("hello", person=person.identity, client=ascii(hello.client)[:40], address=connection.address)
