"""Telling tables where the people of their empty places are: gone from the server, or looking elsewhere on it.

Who comes to a table or leaves it is told by the table itself; here is what a table would not hear of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from looseends_server.house import House
    from looseends_server.people import Person


def tell_whereabouts(house: House, person: Person) -> None:
    """Tell the tables at which a person has a seat and is not, where they have not heard it yet."""
    online = person.connection is not None
    if online and person.known_elsewhere:
        return
    person.known_elsewhere = online
    for table in list(house.tables.values()):
        seat = table.state.seat_of(person.identity)
        if seat is not None and table.present[seat] is None and not table.state.seats[seat].away:
            table.announce_seats()
