"""Who is who: identities by token, and the names that belong to them.

A token is 256 random bits, shown once and kept only as a hash. A name belongs to the identity that used it first.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator
from typing import TYPE_CHECKING

from looseends_protocol.codes import table_code
from looseends_protocol.limits import NAME_LENGTH
from looseends_protocol.people_text import name_key
from looseends_server.allowance import Window
from looseends_server.store.base import IdentityMade, StoredCredential, StoredIdentity

if TYPE_CHECKING:
    from looseends_server.connection import Connection

NOBODY = "somebody"
"""The name in a record of whoever had their traces deleted. So nobody new is called that, in capitals or not."""


class Person:
    """One identity. `connection` is where it is connected now; a new connection always takes over."""

    __slots__ = (
        "chat_window",
        "connection",
        "identity",
        "known_elsewhere",
        "muted",
        "name",
        "name_key",
        "seen_at",
        "token_hash",
    )

    def __init__(self, stored: StoredIdentity) -> None:
        self.identity = stored.identity
        self.name = stored.name
        self.name_key = stored.name_key
        self.token_hash = stored.token_hash
        self.seen_at = stored.seen_at
        self.muted = False
        self.connection: Connection | None = None
        self.known_elsewhere = False
        """Whether the tables at which they are not have heard that they are on the server all the same."""
        self.chat_window: Window | None = None
        """How often they talk: theirs and not a connection's, so that connecting anew lets nobody talk more."""


def code_hash(code: str) -> bytes:
    """Return what is kept of a person's code, however they typed it: 80 random bits need no slow hash either."""
    return hashlib.sha256(table_code(code).encode("utf-8", "replace")).digest()


def token_hash(token: bytes) -> bytes:
    """Return what is kept of a token: a random one of 256 bits needs no slow hash."""
    return hashlib.sha256(token).digest()


class People:
    """Every identity of the house."""

    def __init__(self) -> None:
        self._by_identity: dict[int, Person] = {}
        self._by_token: dict[bytes, Person] = {}
        self._by_name: dict[str, Person] = {}
        self._by_credential: dict[tuple[str, bytes], Person] = {}
        self._reserved: set[str] = set()
        self._next = 1

    def __len__(self) -> int:
        return len(self._by_identity)

    def __iter__(self) -> Iterator[Person]:
        return iter(list(self._by_identity.values()))

    def count_from(self, last_identity: int) -> None:
        """Never give a number up to this one to anybody again."""
        self._next = max(self._next, last_identity + 1)

    def admit(self, stored: StoredIdentity) -> Person:
        """Take an identity that is kept, and return it as a person."""
        person = Person(stored)
        self._by_identity[person.identity] = person
        self._by_token[person.token_hash] = person
        self._by_name[person.name_key] = person
        self._reserved.discard(person.name_key)
        self._next = max(self._next, person.identity + 1)
        return person

    def forget(self, person: Person) -> None:
        """Let an identity go; its name is free again."""
        del self._by_identity[person.identity]
        del self._by_token[person.token_hash]
        del self._by_name[person.name_key]
        self._by_credential = {key: owner for key, owner in self._by_credential.items() if owner is not person}

    def keep(self, credential: StoredCredential) -> None:
        """Know a person by something besides their token, in the way that `store.base.CredentialKept` says."""
        person = self._by_identity[credential.identity]
        if credential.kind == "code":
            for other in [key for key, owner in self._by_credential.items() if owner is person and key[0] == "code"]:
                del self._by_credential[other]
        self._by_credential[credential.kind, credential.value] = person

    def credentials_of(self, person: Person) -> list[StoredCredential]:
        """Return what a person is known by, besides their token."""
        return [
            StoredCredential(kind, value, person.identity)
            for (kind, value), owner in self._by_credential.items()
            if owner is person
        ]

    def by_key(self, fingerprint: bytes) -> Person | None:
        """Return the person whose SSH key has this fingerprint."""
        return self._by_credential.get(("key", fingerprint))

    def by_code(self, code: str) -> Person | None:
        """Return the person whose way back this code is, typed in any way. It is looked up by its hash."""
        return self._by_credential.get(("code", code_hash(code)))

    def by_identity(self, identity: int) -> Person | None:
        """Return the person of an identity number."""
        return self._by_identity.get(identity)

    def by_name(self, name: str) -> Person | None:
        """Return the person whose name this is, in any spelling of upper and lower case."""
        return self._by_name.get(name_key(name))

    def by_token(self, token: bytes) -> Person | None:
        """Return the person whose token this is.

        Looked up by the hash, which says nothing about the token, and compared in constant time once more.
        """
        hashed = token_hash(token)
        person = self._by_token.get(hashed)
        if person is None or not hmac.compare_digest(person.token_hash, hashed):
            return None
        return person

    def is_free(self, name: str) -> bool:
        """Return whether nobody has this name, nor is about to get it, and it is none that stands for nobody."""
        key = name_key(name)
        return key not in self._by_name and key not in self._reserved and key != name_key(NOBODY)

    def free_name_like(self, name: str) -> str:
        """Return a free name near a taken one: `ann 2`, `ann 3` …, within the length of a name."""
        number = 2
        while True:
            ending = f" {number}"
            suggestion = name[: NAME_LENGTH - len(ending)].rstrip() + ending
            if self.is_free(suggestion):
                return suggestion
            number += 1

    def reserve(self, name: str, token: bytes, now: float) -> IdentityMade:
        """Keep a free name for a new identity until that is durable (`admit`) or has failed (`release`)."""
        key = name_key(name)
        self._reserved.add(key)
        made = IdentityMade(self._next, name, key, token_hash(token), now)
        self._next += 1
        return made

    def release(self, made: IdentityMade) -> None:
        """Let a reserved name go: its identity could not be kept."""
        self._reserved.discard(made.name_key)
