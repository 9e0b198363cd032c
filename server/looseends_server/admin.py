"""What the host may do with a running house: look at it, keep people out, close a table, say a word to all.

Each request leaves a line in the log, as a warning where it changed something. No answer holds a card or a token.
"""

from __future__ import annotations

import asyncio
import ipaddress
import os
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

import msgspec

from looseends_protocol.codes import table_code
from looseends_protocol.fingerprints import PREFIX, fingerprint_of, fingerprint_text
from looseends_protocol.limits import PROTOCOL_MAJOR, PROTOCOL_MINOR
from looseends_protocol.messages import Notice
from looseends_protocol.people_text import chat_line, name_key
from looseends_protocol.places import place_of
from looseends_server import snapshots
from looseends_server.admin_requests import (
    AdminRequest,
    Announce,
    Ban,
    Bans,
    CloseTable,
    Kick,
    Mute,
    Rebuild,
    Shutdown,
    Status,
    Tables,
    Unban,
    Unmute,
)
from looseends_server.store.base import BanLifted, BanSet, Change, OnDone, StoredBan, StoreFailed

if TYPE_CHECKING:
    from looseends_server.house import House
    from looseends_server.people import Person
    from looseends_server.table import Table

FOR_EVER = 253402300799.0
"""The last second of the year 9999, which is how a ban without an end is kept."""
REASON_LENGTH = 200


class AdminRefused(Exception):
    """The request was not carried out; the message says why, as a sentence."""


class Admin:
    """Carries out the host's requests. `end` is called to end the process."""

    def __init__(self, house: House, end: Callable[[], None]) -> None:
        self._house = house
        self._end = end
        self._began = house.clock.monotonic()

    async def carry_out(self, request: AdminRequest) -> dict[str, Any]:
        """Carry a request out and return what it led to, when that is durable. Raises AdminRefused."""
        answer: dict[str, Any] = await _HANDLERS[type(request)](self, request)
        return answer

    # ── looking ──────────────────────────────────────────────────────────────────────────────────────────────────

    async def status(self, _request: Status) -> dict[str, Any]:
        """Return how the server is."""
        house = self._house
        now = house.clock.wall()
        bans = [ban for ban in house.bans.values() if ban.until > now]
        return {
            "name": house.settings.name,
            "version": version(),
            "protocol": f"{PROTOCOL_MAJOR}.{PROTOCOL_MINOR}",
            "pid": os.getpid(),
            "uptime_seconds": round(house.clock.monotonic() - self._began),
            "closing": house.closing,
            "connections": len(house.connections),
            "people_connected": sum(person.connection is not None for person in house.people),
            "people_known": len(house.people),
            "tables": dict(Counter(table.phase for table in house.tables.values())),
            "frozen": sorted(table.code for table in house.tables.values() if table.frozen),
            "moves": house.counts.moves,
            "refused": dict(house.counts.refused),
            "dropped": dict(house.counts.dropped),
            "bans": sum(ban.kind != "mute" for ban in bans),
            "mutes": sum(ban.kind == "mute" for ban in bans),
        }

    async def tables(self, _request: Tables) -> dict[str, Any]:
        """Return a line for every table."""
        return {"tables": [self._table_line(table) for table in self._house.tables.values()]}

    def _table_line(self, table: Table) -> dict[str, Any]:
        state = table.state
        seats = snapshots.seat_infos(table)
        return {
            "code": table.code,
            "title": state.options.title,
            "host": table.host_name(),
            "phase": table.phase,
            "why_frozen": table.frozen,
            "game": state.game,
            "round": state.play.round,
            "rounds": state.rules.rounds,
            "seats": [
                {"kind": seat.kind, "name": seat.name, "connected": seat.connected, "away": seat.away} for seat in seats
            ],
            "watching": list(table.watchers.values()),
            "private": state.options.private,
            "needs_password": bool(state.password),
            "made_at": state.made_at,
            "nobody_there_since": None if table.anybody_present else table.asleep_since,
        }

    async def bans(self, _request: Bans) -> dict[str, Any]:
        """Return who is kept out or muted at the moment."""
        now = self._house.clock.wall()
        return {
            "bans": [
                {
                    "kind": ban.kind,
                    "who": self._shown(ban),
                    "until": None if ban.until >= FOR_EVER else ban.until,
                    "reason": ban.reason,
                }
                for ban in self._house.bans.values()
                if ban.until > now
            ]
        }

    def _shown(self, ban: StoredBan) -> str:
        person = self._house.people.by_name(ban.value) if ban.kind in ("name", "mute") else None
        return person.name if person is not None else ban.value

    # ── people ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _person(self, name: str) -> Person:
        person = self._house.people.by_name(name)
        if person is None:
            raise AdminRefused(f"Nobody of this server is called {name}.")
        return person

    async def kick(self, request: Kick) -> dict[str, Any]:
        """End a person's connection."""
        person = self._person(request.name)
        if person.connection is None:
            raise AdminRefused(f"{person.name} is not connected.")
        person.connection.drop("session/kicked")
        return {"name": person.name}

    def _whom(self, who: str) -> tuple[str, str, str]:
        """Return the kind and value of a ban, and how to show it."""
        if who.startswith(PREFIX):
            try:
                return "key", fingerprint_text(fingerprint_of(who)), who
            except ValueError as error:
                raise AdminRefused(f"{error}: `ssh-keygen -l` and this server's log write one.") from error
        try:
            ipaddress.ip_address(who.split("%", 1)[0])
        except ValueError:
            person = self._person(who)
            return "name", person.name_key, person.name
        place = place_of(who)
        return "address", place, place

    async def ban(self, request: Ban) -> dict[str, Any]:
        """Keep a name, an address or an SSH key out, and end the connections that this concerns."""
        house = self._house
        kind, value, shown = self._whom(request.who)
        if request.seconds is not None and not 0 < request.seconds < 1e10:
            raise AdminRefused("A ban lasts longer than no time: say for how long, or leave it away for ever.")
        until = FOR_EVER if request.seconds is None else min(FOR_EVER, house.clock.wall() + request.seconds)
        reason = chat_line(request.reason)[:REASON_LENGTH]
        await self._durable(BanSet(kind, value, until, reason))
        house.bans[kind, value] = StoredBan(kind, value, until, reason)
        dropped = 0
        for connection in list(house.connections):
            if not connection.local and house.is_banned(connection, connection.person):
                connection.drop("session/banned")
                dropped += 1
        return {"kind": kind, "who": shown, "until": None if until >= FOR_EVER else until, "dropped": dropped}

    async def unban(self, request: Unban) -> dict[str, Any]:
        """Let a name or an address in again, also the name of somebody whom this server has forgotten since."""
        kind, value, shown = "name", name_key(request.who), request.who
        if (kind, value) not in self._house.bans:
            kind, value, shown = self._whom(request.who)
        await self._lift(kind, value, f"{shown} is not banned.")
        return {"kind": kind, "who": shown}

    async def mute(self, request: Mute) -> dict[str, Any]:
        """Let a person say nothing more."""
        person = self._person(request.name)
        await self._durable(BanSet("mute", person.name_key, FOR_EVER, ""))
        self._house.bans["mute", person.name_key] = StoredBan("mute", person.name_key, FOR_EVER, "")
        person.muted = True
        return {"name": person.name}

    async def unmute(self, request: Unmute) -> dict[str, Any]:
        """Let a person talk again."""
        person = self._person(request.name)
        await self._lift("mute", person.name_key, f"{person.name} is not muted.")
        person.muted = False
        return {"name": person.name}

    async def _lift(self, kind: str, value: str, nothing_there: str) -> None:
        if (kind, value) not in self._house.bans:
            raise AdminRefused(nothing_there)
        await self._durable(BanLifted(kind, value))
        self._house.bans.pop((kind, value), None)

    # ── everybody ────────────────────────────────────────────────────────────────────────────────────────────────

    async def announce(self, request: Announce) -> dict[str, Any]:
        """Show a line to everybody."""
        text = chat_line(request.text)
        if not text:
            raise AdminRefused("There is nothing in that line that can be shown.")
        told = [person.connection for person in self._house.people if person.connection is not None]
        for connection in told:
            connection.send(Notice(text))
        return {"text": text, "told": len(told)}

    async def close_table(self, request: CloseTable) -> dict[str, Any]:
        """End a table; its people are told when it is durable."""
        house = self._house
        table = house.tables.get(table_code(request.code))
        if table is None:
            raise AdminRefused(f"There is no table {request.code}: `looseends admin tables` lists them.")
        told = len(table.audience())
        await self._when_done(lambda done: house.close_table(table, done))
        return {"code": table.code, "title": table.state.options.title, "told": told}

    async def rebuild(self, _request: Rebuild) -> dict[str, Any]:
        """Fold all finished games anew, and say how many there are and whether anything had been wrong."""
        told: asyncio.Future[tuple[int | None, bool]] = asyncio.get_running_loop().create_future()
        self._house.archive.rebuild(lambda games, differs: None if told.done() else told.set_result((games, differs)))
        games, differs = await told
        if games is None:
            raise AdminRefused("The finished games cannot be read or written, so nothing was changed: see the log.")
        return {"games": games, "differed": differs}

    async def shutdown(self, _request: Shutdown) -> dict[str, Any]:
        """End the process, once this is answered."""
        asyncio.get_running_loop().call_soon(self._end)
        return {}

    async def _durable(self, change: Change) -> None:
        await self._when_done(lambda done: self._house.store.write(change, done))

    async def _when_done(self, begin: Callable[[OnDone], None]) -> None:
        written: asyncio.Future[StoreFailed | None] = asyncio.get_running_loop().create_future()
        begin(lambda error: None if written.done() else written.set_result(error))
        if (error := await written) is not None:
            raise AdminRefused(f"The server cannot save that, so nothing was changed: {error}.")


_HANDLERS: dict[type, Callable[[Admin, Any], Awaitable[dict[str, Any]]]] = {
    Announce: Admin.announce,
    Ban: Admin.ban,
    Bans: Admin.bans,
    CloseTable: Admin.close_table,
    Kick: Admin.kick,
    Mute: Admin.mute,
    Rebuild: Admin.rebuild,
    Shutdown: Admin.shutdown,
    Status: Admin.status,
    Tables: Admin.tables,
    Unban: Admin.unban,
    Unmute: Admin.unmute,
}

LOOKS: tuple[type[msgspec.Struct], ...] = (Bans, Status, Tables)
"""Requests that change nothing."""


def version() -> str:
    """Return the version of the program."""
    import importlib.metadata

    return importlib.metadata.version("no-loose-ends")
