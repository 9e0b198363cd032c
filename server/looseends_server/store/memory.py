"""A store that forgets everything with its process: for tables that need no disk, and for tests.

It keeps the same promises as the others but one: durable means applied to `kept`, which outlives the tables of the
server and not the process. Failures on purpose do not live here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import msgspec

from looseends_server.store.announcing import Outcome, announce
from looseends_server.store.base import (
    BanLifted,
    BanSet,
    Change,
    CredentialKept,
    FactsAppended,
    IdentityForgotten,
    IdentityMade,
    IdentitySeen,
    OnDone,
    Stored,
    StoredBan,
    StoredCredential,
    StoredIdentity,
    StoredTable,
    StoreFailed,
    TableForgotten,
    TableMade,
)
from looseends_server.store.games import GameKept, LeftOut, StandingsReplaced, TracesDeleted
from looseends_server.store.games_memory import MemoryGames


class Kept:
    """What a store in memory holds, and what each change does to it."""

    def __init__(self) -> None:
        self.tables: dict[int, StoredTable] = {}
        self.identities: dict[int, StoredIdentity] = {}
        self.bans: dict[tuple[str, str], StoredBan] = {}
        self.credentials: dict[tuple[str, bytes], StoredCredential] = {}
        self.games = MemoryGames()
        self.last_table = 0
        self.last_identity = 0

    def stored(self) -> Stored:
        """Return a copy of everything, as a store hands it back after a restart."""
        return Stored(
            tables=[msgspec.structs.replace(table, facts=list(table.facts)) for table in self.tables.values()],
            identities=[msgspec.structs.replace(identity) for identity in self.identities.values()],
            bans=[msgspec.structs.replace(ban) for ban in self.bans.values()],
            credentials=[msgspec.structs.replace(credential) for credential in self.credentials.values()],
            last_table=self.last_table,
            last_identity=self.last_identity,
        )

    def apply(self, change: Change) -> None:
        """Make the change, whole or not at all. Raises StoreFailed where it does not fit what is kept."""
        match change:
            case FactsAppended(table=number, first=first, facts=facts):
                table = self.tables.get(number)
                if table is None:
                    raise StoreFailed(f"table {number} is not in the store")
                if first != len(table.facts):
                    raise StoreFailed(
                        f"the journal of table {number} has {len(table.facts)} entries, so entry {first} cannot be next"
                    )
                table.facts.extend(facts)
            case TableMade(table=number, code=code, made_at=made_at):
                if number in self.tables:
                    raise StoreFailed(f"table {number} is in the store already")
                self.tables[number] = StoredTable(number, code, made_at, [])
                self.last_table = max(self.last_table, number)
            case TableForgotten(table=number):
                self.tables.pop(number, None)
            case IdentityMade(
                identity=number, name=name, name_key=name_key, token_hash=token_hash, made_at=made_at, key=key
            ):
                if number in self.identities:
                    raise StoreFailed(f"identity {number} is in the store already")
                if any(identity.name_key == name_key for identity in self.identities.values()):
                    raise StoreFailed(f"the name {name_key!r} belongs to another identity")
                self.identities[number] = StoredIdentity(number, name, name_key, token_hash, made_at, made_at)
                self.last_identity = max(self.last_identity, number)
                if key:
                    self._keep_credential("key", key, number)
            case IdentitySeen(identity=number, at=at):
                if number in self.identities:
                    self.identities[number].seen_at = at
            case IdentityForgotten(identity=number):
                self.identities.pop(number, None)
                self._forget_credentials(lambda credential: credential.identity == number)
            case CredentialKept(kind=kind, value=secret, identity=number):
                if number not in self.identities:
                    raise StoreFailed(f"identity {number} is not in the store")
                self._keep_credential(kind, secret, number)
            case BanSet(kind=kind, value=value, until=until, reason=reason):
                self.bans[kind, value] = StoredBan(kind, value, until, reason)
            case BanLifted(kind=kind, value=value):
                self.bans.pop((kind, value), None)
            case GameKept() | StandingsReplaced() | TracesDeleted() | LeftOut():
                self.games.apply(change)

    def _keep_credential(self, kind: str, value: bytes, identity: int) -> None:
        if kind == "code":
            self._forget_credentials(lambda credential: (credential.kind, credential.identity) == ("code", identity))
        self.credentials.pop((kind, value), None)
        self.credentials[kind, value] = StoredCredential(kind, value, identity)

    def _forget_credentials(self, which: Callable[[StoredCredential], bool]) -> None:
        self.credentials = {key: credential for key, credential in self.credentials.items() if not which(credential)}


class MemoryStore:
    """Keeps changes in memory: one commit a turn of the loop, with everything that was written in the turn before.

    A test that wants to restart a server opens a second MemoryStore on the `kept` of the first.
    """

    def __init__(self, kept: Kept | None = None) -> None:
        self.kept = kept if kept is not None else Kept()
        self._queued: list[tuple[Change | None, OnDone]] = []
        self._closed = False

    def load(self) -> Stored:
        """Return a copy of what is kept."""
        return self.kept.stored()

    def write(self, change: Change, on_done: OnDone) -> None:
        """Queue a change for the next turn of the loop."""
        self._enqueue(change, on_done)

    async def flush(self) -> None:
        """Return when everything written so far is kept or has failed, and was told so."""
        told = asyncio.get_running_loop().create_future()
        self._enqueue(None, lambda _failure: None if told.done() else told.set_result(None))
        await told

    def games(self) -> MemoryGames:
        """Return what reads the games that are kept."""
        return self.kept.games

    async def close(self) -> None:
        """Keep everything written so far; what is written later fails."""
        await self.flush()
        self._closed = True

    def commit(self) -> None:
        """Make everything queued durable, in order, and tell each writer."""
        queued, self._queued = self._queued, []
        announce([self._outcome(change, on_done) for change, on_done in queued], asyncio.get_running_loop())

    def apply(self, change: Change) -> None:
        """Make one change durable. Raises StoreFailed; a store that fails on purpose does it here."""
        if self._closed:
            raise StoreFailed("the store is closed")
        self.kept.apply(change)

    def schedule_commit(self) -> None:
        """See to it that `commit` runs soon. Called for the first change that is queued."""
        asyncio.get_running_loop().call_soon(self.commit)

    def _enqueue(self, change: Change | None, on_done: OnDone) -> None:
        self._queued.append((change, on_done))
        if len(self._queued) == 1:
            self.schedule_commit()

    def _outcome(self, change: Change | None, on_done: OnDone) -> Outcome:
        if change is not None:
            try:
                self.apply(change)
            except StoreFailed as failure:
                return on_done, failure
        return on_done, None
