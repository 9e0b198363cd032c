"""Hello: which protocol, through which door, which identity, whose name; and the taking over of an older connection.

Nothing but a hello is answered before this has succeeded.
"""

from __future__ import annotations

import hmac
import ipaddress
from typing import TYPE_CHECKING

import msgspec
import structlog

from looseends_protocol.fingerprints import fingerprint_text
from looseends_protocol.limits import FINGERPRINT_BYTES, PROTOCOL_MAJOR, PROTOCOL_MINOR, TOKEN_BYTES
from looseends_protocol.messages import Hello, Welcome
from looseends_protocol.people_text import NameInvalid, person_name
from looseends_server.snapshots import seat_held
from looseends_server.store.base import CredentialKept, IdentitySeen, StoredCredential, StoredIdentity, StoreFailed

if TYPE_CHECKING:
    from looseends_server.connection import Connection
    from looseends_server.house import House
    from looseends_server.people import Person

log = structlog.get_logger()

SEEN_SECONDS = 3600.0
"""How exactly it is kept when somebody was last seen: guests are forgotten after a year, and a hello costs no write."""

KEYS_OF_ONE = 20
"""SSH keys that one person may have: a few for each of their machines."""


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
    if (hello.door or hello.came_from or hello.fingerprint) and not _came_through_a_door(house, connection, hello):
        return
    if hello.way_back:
        _greet_by_code(house, connection, hello)
    elif hello.token:
        _greet_known(house, connection, hello, house.people.by_token(hello.token), "hello/token")
    elif hello.fingerprint:
        _greet_by_key(house, connection, hello)
    else:
        _greet_new(house, connection, hello)


def _came_through_a_door(house: House, connection: Connection, hello: Hello) -> bool:
    """Believe what a door says of the person behind it, or answer and return False.

    The address it names is what limits and bans go by from here on, and so is the key.
    """
    right = bool(house.door_secret) and hmac.compare_digest(house.door_secret, hello.door)
    whole = len(hello.fingerprint) in (0, FINGERPRINT_BYTES)
    address = ""
    if hello.came_from:
        try:
            address = str(ipaddress.ip_address(hello.came_from.split("%", 1)[0]))
        except ValueError:
            whole = False
    if not right or not whole:
        log.warning("door refused", address=connection.address, secret=right)
        _refuse_unknown(house, connection, hello, "hello/door")
        return False
    connection.key = hello.fingerprint
    if address and address != connection.address and (turned_away := house.comes_from(connection, address)):
        connection.drop(turned_away, retry_after=60)
        return False
    return True


def _refuse_unknown(house: House, connection: Connection, hello: Hello, error: str) -> None:
    """Refuse something that proved nothing; it counts as a new connection of its address."""
    if house.admits_new(connection):
        connection.refuse(hello.id, error)
    else:
        connection.drop("server/too_many", retry_after=60)


def _greet_by_key(house: House, connection: Connection, hello: Hello) -> None:
    """Greet the owner of a key; the first time it is somebody new."""
    if (person := house.people.by_key(hello.fingerprint)) is not None:
        _greet_known(house, connection, hello, person, "")
        return
    waiting = house.keys_in_making.get(hello.fingerprint)
    if waiting is None:
        _greet_new(house, connection, hello)
    else:  # one person who comes twice at once stays one
        connection.greeting = True
        waiting.append(lambda: _greet_again(house, connection, hello))


def _greet_again(house: House, connection: Connection, hello: Hello) -> None:
    connection.greeting = False
    if not connection.closing:
        _greet_by_key(house, connection, hello)


def _greet_by_code(house: House, connection: Connection, hello: Hello) -> None:
    """Greet whom a code names; one that was made for a key is tied to the key that came with it."""
    if (person := house.people.by_code(hello.way_back)) is not None:
        _greet_known(house, connection, hello, person, "")
        return
    linked = house.links.take(hello.way_back, house.clock.monotonic()) if hello.fingerprint else None
    person = house.people.by_identity(linked) if linked is not None else None
    if person is None or house.is_banned(connection, person):
        _greet_known(house, connection, hello, person, "hello/code")
        return
    if sum(credential.kind == "key" for credential in house.people.credentials_of(person)) >= KEYS_OF_ONE:
        connection.refuse(hello.id, "hello/code", f"You have {KEYS_OF_ONE} keys here already, which is the most.")
        return
    connection.greeting = True
    owner = person

    def tied(error: StoreFailed | None) -> None:
        connection.greeting = False
        if error is not None:
            log.error("key not kept", error=str(error))
            connection.refuse(hello.id, "server/cannot_save")
            return
        house.people.keep(StoredCredential("key", hello.fingerprint, owner.identity))
        log.info("key tied", person=owner.identity, key=fingerprint_text(hello.fingerprint))
        if not connection.closing:
            _greet_known(house, connection, hello, owner, "")

    house.store.write(CredentialKept("key", hello.fingerprint, person.identity), tied)


def _greet_known(house: House, connection: Connection, hello: Hello, person: Person | None, error: str) -> None:
    if person is None:
        _refuse_unknown(house, connection, hello, error)
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
    made = msgspec.structs.replace(made, key=hello.fingerprint)
    connection.greeting = True
    if made.key:
        house.keys_in_making[made.key] = []

    def kept(error: StoreFailed | None) -> None:
        connection.greeting = False
        again = house.keys_in_making.pop(made.key, ())
        if error is not None:
            house.people.release(made)
            log.error("identity not kept", error=str(error))
            connection.refuse(hello.id, "server/cannot_save")
        else:
            admitted()
        for greet_waiting in again:
            greet_waiting()

    def admitted() -> None:
        stored = StoredIdentity(made.identity, made.name, made.name_key, made.token_hash, made.made_at, made.made_at)
        person = house.people.admit(stored)
        if made.key:
            house.people.keep(StoredCredential("key", made.key, made.identity))
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
    came = {"key": fingerprint_text(connection.key)} if connection.key else {}
    log.info("hello", person=person.identity, client=ascii(hello.client)[:40], address=connection.address, **came)
