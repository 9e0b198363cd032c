"""What every store promises: the changes it takes, what it hands back after a restart, how it fails.

Durable means: written and synced, so that neither the end of the process nor the loss of power undoes it. No
database is named here, so that another one can stand behind the same interface.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias

from msgspec import Struct, field

from looseends_server.store.games import GameKept, GamesReader, LeftOut, StandingsReplaced, TracesDeleted


class StoreFailed(Exception):
    """A change could not be made durable; nothing of it is kept. The same change may be written again."""


class StoreUnusable(Exception):
    """A store cannot be opened, copied or restored. The message says why and what to do; nothing was changed."""


class StoreInUse(StoreUnusable):
    """Another process, or another store of this one, uses the folder at the moment."""


class TableMade(Struct, frozen=True):
    """A table was opened; its journal is empty.

    `table` is chosen by the writer from 1 to 2**63 - 1 and never used for another table, not even after this one
    is forgotten. `made_at` is in seconds since 1970, UTC.
    """

    table: int
    code: str
    made_at: float


class FactsAppended(Struct, frozen=True):
    """Entries `first`, `first` + 1, … of a table's journal, counted from 0. All of them are kept or none.

    Fails where `first` is not the length of the journal at that moment: so after a failure whatever was queued
    behind it for the same table fails too, and no journal ever has a gap or an entry out of order.
    """

    table: int
    first: int
    facts: tuple[bytes, ...]


class TableForgotten(Struct, frozen=True):
    """A table and its journal are deleted. Changes nothing where there is none."""

    table: int


class IdentityMade(Struct, frozen=True):
    """A player's identity was made. Fails where the identity or the `name_key` is in use.

    `identity` is from 1 to 2**63 - 1 and never used again. `name_key` is what makes two names the same name. A `key`
    is kept with it as `CredentialKept` would, whole or not at all.
    """

    identity: int
    name: str
    name_key: str
    token_hash: bytes
    made_at: float
    key: bytes = b""


class IdentitySeen(Struct, frozen=True):
    """A player was last seen at that time. Changes nothing where there is no such identity."""

    identity: int
    at: float


class IdentityForgotten(Struct, frozen=True):
    """An identity is deleted and its name is free. Changes nothing where there is none."""

    identity: int


class CredentialKept(Struct, frozen=True):
    """Something besides the token shows who an identity is, from now on it alone. Fails where there is no identity.

    `kind` is `key` for the SHA-256 of an SSH key, of which an identity may have several, or `code` for the hash of a
    code, of which it has one: a new one takes the place of the one before.
    """

    kind: str
    value: bytes
    identity: int


class BanSet(Struct, frozen=True):
    """Whoever `kind` and `value` describe is kept out until that time; replaces a ban of the same kind and value."""

    kind: str
    value: str
    until: float
    reason: str


class BanLifted(Struct, frozen=True):
    """A ban is deleted. Changes nothing where there is none."""

    kind: str
    value: str


Change: TypeAlias = (
    TableMade
    | FactsAppended
    | TableForgotten
    | IdentityMade
    | IdentitySeen
    | IdentityForgotten
    | CredentialKept
    | BanSet
    | BanLifted
    | GameKept
    | StandingsReplaced
    | TracesDeleted
    | LeftOut
)
"""Everything that a store can be told."""


class StoredTable(Struct):
    """A table and its whole journal, in order."""

    table: int
    code: str
    made_at: float
    facts: list[bytes]


class StoredIdentity(Struct):
    """An identity. `seen_at` is `made_at` until it was seen again."""

    identity: int
    name: str
    name_key: str
    token_hash: bytes
    made_at: float
    seen_at: float


class StoredCredential(Struct):
    """What shows who an identity is, besides its token."""

    kind: str
    value: bytes
    identity: int


class StoredBan(Struct):
    """A ban, also one that has run out."""

    kind: str
    value: str
    until: float
    reason: str


class Stored(Struct):
    """What a store holds when it is opened.

    `unreadable` has one sentence for each table, identity or ban that was set aside because its rows cannot be read
    or its journal has gaps; their rows stay where they are. `last_table` and `last_identity` are the largest ids ever
    used, forgotten and unreadable ones included, 0 where none was: a writer that counts on from them never uses one
    twice.
    """

    tables: list[StoredTable] = field(default_factory=list)
    identities: list[StoredIdentity] = field(default_factory=list)
    bans: list[StoredBan] = field(default_factory=list)
    credentials: list[StoredCredential] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    last_table: int = 0
    last_identity: int = 0


OnDone: TypeAlias = Callable[[StoreFailed | None], None]
"""Told None when a change is durable, or why it is not. Runs in the event loop's thread."""


class Store(Protocol):
    """Keeps changes in the order in which they are written. Used from one event loop's thread."""

    def load(self) -> Stored:
        """Open the store and return what it holds. Blocks; called once, before anything is written.

        Raises StoreUnusable where it cannot be opened.
        """
        ...

    def write(self, change: Change, on_done: OnDone) -> None:
        """Queue a change and return at once. `on_done` is called later, in the order of the writes."""
        ...

    async def flush(self) -> None:
        """Return when everything written so far is durable or has failed, and was told so."""
        ...

    async def close(self) -> None:
        """Make everything written so far durable and let go of the store. What is written later fails."""
        ...

    def games(self) -> GamesReader:
        """Return a reader of the games that are kept, for one thread at a time. Raises StoreUnusable."""
        ...
