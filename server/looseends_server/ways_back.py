"""Codes that are a person: a way back for who has no key, and a key tied to who somebody is already.

What a hello with one leads to is decided in `greeting`; that codes are guessed by nobody is a matter of their length.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

from looseends_protocol.codes import way_back_from
from looseends_protocol.messages import CodeMade, MakeCode
from looseends_server.people import code_hash
from looseends_server.store.base import CredentialKept, StoredCredential, StoreFailed

if TYPE_CHECKING:
    from looseends_server.connection import Connection
    from looseends_server.house import House
    from looseends_server.people import Person

log = structlog.get_logger()

LINK_SECONDS = 600
"""How long a code for a key works: time to type one line on another machine."""


class Links:
    """Codes by which an SSH key is tied to a person: each works once, and a person has one at a time.

    They are kept in memory alone: after a restart one asks for another.
    """

    def __init__(self) -> None:
        self._open: dict[bytes, tuple[int, float]] = {}

    def add(self, code: str, person: Person, until: float) -> None:
        """Let a code work until then, in the seconds of the house's clock, and no other of this person any more."""
        kept = {key: link for key, link in self._open.items() if link[0] != person.identity}
        self._open = {**kept, code_hash(code): (person.identity, until)}

    def take(self, code: str, now: float) -> int | None:
        """Return the identity whose code this is; it works no more. None where there is none, or its time is over."""
        identity, until = self._open.pop(code_hash(code), (0, 0.0))
        return identity if until > now else None


def make_code(house: House, connection: Connection, message: MakeCode) -> None:
    """Answer with a new code; one for a way back when it is durable."""
    person = connection.person
    assert person is not None
    code = way_back_from(int.from_bytes(house.entropy(10), "big"))
    if message.purpose == "link":
        house.links.add(code, person, house.clock.monotonic() + LINK_SECONDS)
        connection.send(CodeMade(message.id, code, LINK_SECONDS))
        return
    change = CredentialKept("code", code_hash(code), person.identity)

    def kept(error: StoreFailed | None) -> None:
        if error is not None:
            log.error("way back not kept", error=str(error))
            connection.refuse(message.id, "server/cannot_save")
            return
        if house.people.by_identity(person.identity) is person:
            house.people.keep(StoredCredential("code", change.value, person.identity))
        connection.send(CodeMade(message.id, code))

    house.store.write(change, kept)
