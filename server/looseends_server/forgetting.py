"""Which people and bans the house lets go of when time has passed. Tables are the house's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

from looseends_server.store.base import BanLifted, IdentityForgotten, StoredIdentity, StoreFailed

if TYPE_CHECKING:
    from looseends_server.house import House
    from looseends_server.people import Person

log = structlog.get_logger()


def forget_guests(house: House) -> None:
    """Forget everybody who holds no seat, is neither banned nor muted, and has said no hello for long enough.

    Their names are free again.
    """
    wall = house.clock.wall()
    longest = house.settings.pace.forget_guest_seconds
    seated = {
        seat.identity for table in house.tables.values() for seat in table.state.seats if seat.identity is not None
    }
    for person in house.people:
        if person.connection is not None or person.identity in seated or wall - person.seen_at <= longest:
            continue
        if any((kind, person.name_key) in house.bans for kind in ("name", "mute")):
            continue
        _forget(house, person)


def _forget(house: House, person: Person) -> None:
    def forgotten(error: StoreFailed | None) -> None:
        if error is not None and house.people.is_free(person.name):
            seen = person.seen_at
            house.people.admit(
                StoredIdentity(person.identity, person.name, person.name_key, person.token_hash, seen, seen)
            )
            for credential in credentials:
                house.people.keep(credential)

    log.info("person forgotten", person=person.identity)
    credentials = house.people.credentials_of(person)
    house.people.forget(person)
    house.store.write(IdentityForgotten(person.identity), forgotten)


def forget_ended_bans(house: House) -> None:
    """Forget bans that have run out."""
    wall = house.clock.wall()
    for (kind, value), ban in list(house.bans.items()):
        if ban.until <= wall:
            del house.bans[kind, value]
            house.store.write(BanLifted(kind, value), lambda error: None)
