"""The games that this user finished alone, over all the folders that `play` keeps: which there are, their records, and
where an imported one goes.

What is printed of them is the commands'. A game that runs meanwhile is no hindrance: reading locks nothing.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from looseends_client.commands import CommandFailed
from looseends_core.record import GameRecord
from looseends_server.archive import Archive, game_to_keep, unpacked
from looseends_server.store.base import StoredIdentity, StoreFailed, StoreInUse, StoreUnusable
from looseends_server.store.folder import DATABASE
from looseends_server.store.games import GameQuery, GameRow, Standing
from looseends_server.store.games_sql import SqliteGames
from looseends_server.store.sqlite import SqliteStore

IMPORTED = "import"
"""The origin of a game that was imported."""
_KEY = re.compile(r"([1-9][0-9]{0,3})-([1-9][0-9]{0,9})")


class OwnGame(msgspec.Struct, frozen=True):
    """A finished game, with the key that names it among all of this user's: `FOLDER-NUMBER`."""

    key: str
    row: GameRow


def solo_folders(base: Path) -> list[tuple[int, Path]]:
    """Return the folders of games alone that hold a database, with their numbers, in order."""
    found = [
        (int(folder.name.removeprefix("solo-")), folder)
        for folder in base.glob("solo-*")
        if folder.name.removeprefix("solo-").isdecimal() and (folder / DATABASE).exists()
    ]
    return sorted(found)


class OwnGames:
    """Reads all of them. `base` is the folder that holds the `solo-N`. Close it."""

    def __init__(self, base: Path) -> None:
        import sqlite3

        self._readers: dict[int, SqliteGames] = {}
        for number, folder in solo_folders(base):
            try:
                reader = SqliteGames(folder / DATABASE)
                reader.find(GameQuery(0, mine=False, see_all=True, limit=1))
            except sqlite3.OperationalError:
                continue  # written by a version that kept no games, and not played in since
            except sqlite3.Error as error:
                raise CommandFailed(f"{folder / DATABASE} cannot be read: {error}.", 1) from error
            self._readers[number] = reader

    def find(self, query: GameQuery) -> tuple[list[OwnGame], int]:
        """Return a page of the games of all folders, newest first, and how many there are in all."""
        whole = msgspec.structs.replace(query, offset=0, limit=query.offset + query.limit)
        found: list[OwnGame] = []
        count = 0
        for number, reader in self._readers.items():
            rows, there = reader.find(whole)
            found += [OwnGame(f"{number}-{row.game}", row) for row in rows]
            count += there
        found.sort(key=lambda game: -game.row.ended_at)
        return found[query.offset : query.offset + query.limit], count

    def record(self, key: str) -> GameRecord | None:
        """Return the record of a game, None where there is none of that key."""
        named = _KEY.fullmatch(key)
        reader = self._readers.get(int(named[1])) if named else None
        kept = reader.record(int(named[2]), 0, see_all=True) if named and reader else None
        return None if kept is None else unpacked(kept)

    def records(self) -> Iterator[GameRecord]:
        """Yield every record, folder by folder, in the order in which the games were kept."""
        for reader in self._readers.values():
            for _, kept in reader.every_game():
                yield unpacked(kept)

    def standings(self) -> list[Standing]:
        """Return what all the games add up to, by player, number of players and variants."""
        summed: dict[tuple[str, int, str], Standing] = {}
        for reader in self._readers.values():
            for one in reader.standings():
                key = (one.who, one.players, one.variants)
                before = summed.get(key)
                numbers = one.numbers if before is None else before.numbers + one.numbers
                summed[key] = msgspec.structs.replace(one, numbers=numbers)
        return [summed[key] for key in sorted(summed)]

    def close(self) -> None:
        """Let go of the databases."""
        for reader in self._readers.values():
            reader.close()


async def keep_records(base: Path, records: Sequence[GameRecord]) -> int:
    """Keep finished games, each verified already, in the first folder that nobody plays in; return how many were new.

    Raises CommandFailed where they cannot be kept.
    """
    store, identities = _open_store(base)
    archive = Archive(store)
    try:
        return await keep_in(archive, lambda name: identities.get(name, 0), records)
    finally:
        await archive.close()
        await store.close()


async def keep_in(archive: Archive, identity_of: Callable[[str], int], records: Sequence[GameRecord]) -> int:
    """Keep finished games, each verified already, in an archive, seen by whoever owns it; return how many were new.

    Raises CommandFailed where they cannot be kept.
    """
    new = 0
    for record in records:
        who = tuple(identity_of(name) for name in record.players)
        game = game_to_keep(record, time.time(), who, origin=IMPORTED, open_to_all=True)
        if archive.has(game):
            continue
        kept: asyncio.Future[StoreFailed | None] = asyncio.get_running_loop().create_future()
        archive.keep(game, record, kept.set_result)
        if (error := await kept) is not None:
            raise CommandFailed(f"The games cannot be kept: {error}.", 1)
        new += 1
    return new


def _open_store(base: Path) -> tuple[SqliteStore, dict[str, int]]:
    """Open the first store that nobody has open; return it with the identities in it by name."""
    from looseends_client.commands.play import MOST_AT_ONCE

    for number in range(1, MOST_AT_ONCE + 1):
        folder = base / f"solo-{number}"
        store = SqliteStore(folder)
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            stored = store.load()
        except StoreInUse:
            continue
        except (StoreUnusable, OSError) as error:
            raise CommandFailed(f"The games kept in {folder} cannot be used: {error}", 1) from error
        return store, _by_name(stored.identities)
    raise CommandFailed(f"{MOST_AT_ONCE} games are open: leave one first.", 1)


def _by_name(identities: Sequence[StoredIdentity]) -> dict[str, int]:
    return {identity.name: identity.identity for identity in identities}
