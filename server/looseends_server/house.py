"""The house: it puts the parts together, opens and closes, and sweeps.

It owns what there is one of: the store, the clock, the people, the tables, the listeners. What a message means is in
`hall_requests` and `table_requests`.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import ssl
from collections.abc import Callable, Sequence
from pathlib import Path

import structlog

from looseends_core.bots import LEVELS, Level
from looseends_protocol.fingerprints import fingerprint_text
from looseends_protocol.messages import Notice, Request
from looseends_protocol.places import place_of
from looseends_server import hall_requests, table_requests
from looseends_server.addresses import Addresses
from looseends_server.archive import Archive
from looseends_server.clock import Clock, LoopClock, Timer
from looseends_server.connection import Connection
from looseends_server.counts import Counts
from looseends_server.door_secret import CONTEST_FILE, SECRET_BYTES, kept_secret
from looseends_server.facts import FactUnreadable, read_fact
from looseends_server.forgetting import forget_ended_bans, forget_guests
from looseends_server.limits import ServerSettings
from looseends_server.lobby import Lobby
from looseends_server.mind_worker import COMMAND
from looseends_server.minds import Minds
from looseends_server.outbox import Outbox
from looseends_server.passwords import PasswordDesk, TryBook
from looseends_server.people import People, Person
from looseends_server.proxy_gate import Proxies, ProxyGate
from looseends_server.store.base import (
    OnDone,
    Store,
    Stored,
    StoredBan,
    StoredTable,
    StoreFailed,
    TableForgotten,
)
from looseends_server.store.memory import MemoryStore
from looseends_server.store.sqlite import SqliteStore
from looseends_server.table import Table
from looseends_server.tls_listener import TlsListener, listening_sockets
from looseends_server.ways_back import Links
from looseends_server.whereabouts import tell_whereabouts

log = structlog.get_logger()

SWEEP_SECONDS = 1.0
"""How often the house looks for silent peers, absent hosts and news of the lobby."""
TIDY_SECONDS = 600.0
"""How often it forgets what is old."""
CLOSING_SECONDS = 2.0
"""What peers get to read the last word."""


class House:
    """A running server. Make one with `House.open`."""

    def __init__(
        self,
        store: Store,
        stored: Stored,
        settings: ServerSettings,
        clock: Clock,
        entropy: Callable[[int], bytes],
        levels: dict[str, Level],
        worker: Sequence[str] = COMMAND,
    ) -> None:
        self.settings = settings
        self.store = store
        self.clock = clock
        self.entropy = entropy
        """Random bytes, so many: secrets, tokens and codes come from here."""
        self.levels = levels
        self.closing = False
        self.contest_secret = entropy(SECRET_BYTES)
        """What the deals of the day follow from; of a house on a folder, the same after a restart."""
        self.door_secret = b""
        """What an SSH door shows to be believed; empty where none is."""
        self.links = Links()
        self.keys_in_making: dict[bytes, list[Callable[[], None]]] = {}
        """Keys whose owners are being kept for the first time, with who else waits for that."""
        self.people = People()
        self.tables: dict[str, Table] = {}
        self.tables_in_making: list[int] = []
        """Who is having a table made at the moment, once for each."""
        self.lobby = Lobby(self.tables, settings.limits.page_of_tables, settings.limits.lobby_seconds)
        self.addresses = Addresses(settings.limits)
        self.passwords = PasswordDesk()
        self.tries_by_address = TryBook(settings.limits.tries_per_address)
        self.tries_by_table = TryBook(settings.limits.tries_per_table)
        self.connections: set[Connection] = set()
        self.outbox = Outbox()
        self.counts = Counts()
        self.minds = Minds(settings.limits, clock, self.counts, worker)
        """Where bots that search think."""
        self.archive = Archive(store, rated=settings.rated)
        """The games that are over."""
        self.bans: dict[tuple[str, str], StoredBan] = {(ban.kind, ban.value): ban for ban in stored.bans}
        """Who is kept out or muted, by kind (`name`, `address`, `mute`) and value; also bans that have run out."""
        self._counted: set[Connection] = set()
        """Connections that count for their addresses, those included whose TLS handshake is still going on."""
        self._listeners: list[asyncio.Server | TlsListener | Proxies] = []
        self._last_table = stored.last_table
        self._sweeper: Timer | None = None
        self._all_gone: asyncio.Event | None = None
        self._tidied_at = clock.monotonic()
        for identity in stored.identities:
            self.people.admit(identity)
        for credential in stored.credentials:
            self.people.keep(credential)
        self.people.count_from(stored.last_identity)
        for person in self.people:
            person.muted = ("mute", person.name_key) in self.bans
        for sentence in stored.unreadable:
            log.error("set aside", what=sentence)
        for table in stored.tables:
            self._take_up(table)

    @classmethod
    async def open(
        cls,
        folder: Path | None,
        settings: ServerSettings | None = None,
        *,
        clock: Clock | None = None,
        entropy: Callable[[int], bytes] = secrets.token_bytes,
        store: Store | None = None,
        levels: dict[str, Level] | None = None,
        worker: Sequence[str] = COMMAND,
    ) -> House:
        """Open a house on a state folder, or on memory alone where it is None, and start sweeping.

        `worker` is the command that starts a process in which bots think, where it is not the usual one.
        Raises `store.base.StoreUnusable` where the folder cannot be used.
        """
        kept: Store = store or (MemoryStore() if folder is None else SqliteStore(folder))
        house = cls(
            kept,
            kept.load(),
            settings or ServerSettings(),
            clock or LoopClock(),
            entropy,
            LEVELS if levels is None else levels,
            worker,
        )
        if folder is not None:
            house.contest_secret = kept_secret(folder, CONTEST_FILE)
        house._keep_finished_games()
        house._sweep_later()
        return house

    def _take_up(self, stored: StoredTable) -> None:
        if not stored.facts:
            # The server ended between the table's row and its first facts: nobody was ever told of it.
            self.store.write(TableForgotten(stored.table), lambda error: None)
            return
        try:
            table = Table(self, stored.table, stored.code, [read_fact(fact) for fact in stored.facts])
        except FactUnreadable as error:
            log.error("table set aside", table=stored.table, error=str(error)[:200])
            return
        except Exception as error:  # facts that do not follow from each other lead anywhere, and their values are cards
            log.error("table set aside", table=stored.table, error=f"its facts do not fit: {type(error).__name__}")
            return
        self.tables[stored.code] = table

    # ── connections ──────────────────────────────────────────────────────────────────────────────────────────────

    def connection(self, *, local: bool = True, behind_proxy: tuple[str, bool] | None = None) -> Connection:
        """Return the server's end of a new connection; a local one is inside this process and trusted.

        `behind_proxy` is as for `Connection`.
        """
        return Connection(self, local=local, behind_proxy=behind_proxy)

    async def listen(
        self, host: str, port: int, tls: ssl.SSLContext | None = None, proxies: Proxies | None = None
    ) -> int:
        """Take connections on a TCP port, 0 for any free one; return the port. Raises OSError.

        Over TLS where there is a context; otherwise PROXY headers of the `proxies` are believed.
        """
        sockets = await listening_sockets(host, port)
        bound: int = sockets[0].getsockname()[1]
        if tls is not None:
            self._listeners.append(TlsListener(self, sockets, tls))
        else:
            loop = asyncio.get_running_loop()
            if proxies is not None:
                self._listeners.append(proxies)
            for listening in sockets:
                made = await loop.create_server(lambda: self._arrival(proxies), sock=listening, backlog=512)
                self._listeners.append(made)
        log.info("listening", host=host, port=bound, tls=tls is not None)
        return bound

    def _arrival(self, proxies: Proxies | None) -> asyncio.Protocol:
        return self.connection(local=False) if proxies is None else ProxyGate(self, proxies)

    def count(self, connection: Connection) -> str:
        """Count a connection for its address; the error code where it has to be turned away, empty where not."""
        if len(self._counted) >= self.settings.limits.connections:
            return "server/full"
        if not self.addresses.opened(connection.address):
            return "server/too_many"
        self._counted.add(connection)
        return ""

    def comes_from(self, connection: Connection, address: str) -> str:
        """Count a connection of a door for the person's own address from now on; the error code as `count` has it."""
        if connection in self._counted:
            self._counted.discard(connection)
            self.addresses.closed(connection.address)
        connection.address = address
        return self.count(connection)

    def connection_opened(self, connection: Connection) -> None:
        """Take a connection in, or turn it away with a word."""
        self.connections.add(connection)
        self.counts.connections += 1
        if self.closing:
            connection.drop("server/closing")
        elif connection not in self._counted and (error := self.count(connection)):
            connection.drop(error, retry_after=60)

    def connection_closed(self, connection: Connection) -> None:
        """Let a connection go; whoever it was keeps their seat."""
        self.connections.discard(connection)
        if not self.connections and self._all_gone is not None:
            self._all_gone.set()
        self.lobby.unsubscribe(connection)
        if connection in self._counted:
            self._counted.discard(connection)
            self.addresses.closed(connection.address)
            if connection.person is None:
                self.admits_new(connection)
        person = connection.person
        if person is not None and person.connection is connection:
            person.connection = None
        table = connection.table
        if table is not None:
            seat = connection.seat
            table.detach(connection)
            if person is not None and person.connection is None:
                person.known_elsewhere = False
            if seat is not None and not self.closing:
                table.tell_of_loss(seat)
        elif person is not None and person.connection is None and not self.closing:
            tell_whereabouts(self, person)

    def admits_new(self, connection: Connection) -> bool:
        """Count a connection that proved no token, once however often it says hello; False where that is too many."""
        if connection.counts_as_new:
            return True
        connection.counts_as_new = True
        return self.addresses.admits_new(connection.address, self.clock.monotonic())

    def place_of(self, connection: Connection) -> str:
        """Return the place that a connection's wrong tries are counted for.

        People who come through this machine, as through its SSH door, are told apart by who they are.
        """
        if connection.person is not None and self.addresses.is_exempt(connection.address):
            return f"person {connection.person.identity}"
        return place_of(connection.address)

    def is_banned(self, connection: Connection, person: Person | None) -> bool:
        """Return whether this address, this person or the key they came with is kept out at the moment."""
        now = self.clock.wall()
        keys = [("address", place_of(connection.address))]
        if person is not None:
            keys.append(("name", person.name_key))
        if connection.key:
            keys.append(("key", fingerprint_text(connection.key)))
        return any((ban := self.bans.get(key)) is not None and ban.until > now for key in keys)

    # ── requests ─────────────────────────────────────────────────────────────────────────────────────────────────

    def handle(self, connection: Connection, message: Request) -> None:
        """Answer a request, now or once the table it is for is free."""
        kind = type(message)
        in_the_hall = hall_requests.HANDLERS.get(kind)
        if in_the_hall is not None:
            in_the_hall(self, connection, message)
            return
        table_requests.take(connection, message)

    def check_password(
        self,
        connection: Connection,
        request: int,
        what: str,
        hashed: str,
        password: str,
        error: str,
        passed: Callable[[], None],
    ) -> None:
        """Look at a password, unless too many wrong ones came before; `passed` runs where it is right.

        `what` names the thing it opens, `error` is the code for a missing or wrong one.
        """
        now = self.clock.monotonic()
        place = self.place_of(connection)
        wait = max(self.tries_by_address.seconds_to_wait(place, now), self.tries_by_table.seconds_to_wait(what, now))
        if wait or self.passwords.busy:
            connection.greeting = False
            connection.refuse(request, "table/tries", retry_after=wait or 1)
            return
        if not password:
            connection.greeting = False
            connection.refuse(request, error)
            return

        def checked(right: bool) -> None:
            connection.greeting = False
            if connection.closing:
                return
            failed_at = self.clock.monotonic()
            wait = max(
                self.tries_by_address.seconds_to_wait(place, failed_at),
                self.tries_by_table.seconds_to_wait(what, failed_at),
            )
            if wait:  # wrong ones that were looked at meanwhile: many tries at once are no way around the limit
                connection.refuse(request, "table/tries", retry_after=wait)
                return
            if right:
                passed()
                return
            self.tries_by_address.failed(place, failed_at)
            self.tries_by_table.failed(what, failed_at)
            connection.refuse(request, error, "That is not the password.")

        self.passwords.check(hashed, password, checked)

    def next_table_number(self) -> int:
        """Return a number that no table ever had."""
        self._last_table += 1
        return self._last_table

    # ── now and then ─────────────────────────────────────────────────────────────────────────────────────────────

    def _sweep_later(self) -> None:
        self._sweeper = self.clock.call_later(SWEEP_SECONDS, self._sweep)

    def _sweep(self) -> None:
        now = self.clock.monotonic()
        try:
            for connection in list(self.connections):
                connection.look_after(now)
            for table in list(self.tables.values()):
                table.look_after()
            self.lobby.tell(now)
            if now - self._tidied_at > TIDY_SECONDS:
                self._tidied_at = now
                self._tidy(now)
        except Exception:
            log.exception("sweep failed")
        self._sweep_later()

    def _tidy(self, now: float) -> None:
        """Forget old tries, and tables and people that nothing was heard of for as long as the pace says."""
        self.addresses.tidy(now)
        self.tries_by_address.tidy(now)
        self.tries_by_table.tidy(now)
        wall = self.clock.wall()
        pace = self.settings.pace
        keep = {"gathering": pace.forget_gathering_seconds, "over": pace.forget_over_seconds}
        for table in list(self.tables.values()):
            if table.audience() or table.is_writing:
                continue
            if wall - table.asleep_since > keep.get(table.state.stage, pace.forget_unfinished_seconds):
                self.forget(table)
        self._keep_finished_games()
        forget_ended_bans(self)
        forget_guests(self)

    def _keep_finished_games(self) -> None:
        """Keep what ended and could not be kept then: the store failed, or the process ended in between."""
        for table in self.tables.values():
            self.archive.keep_game_of(table)

    def forget(self, table: Table) -> None:
        """Delete a table and its journal."""
        log.info("table forgotten", table=table.code)
        self.close_table(table, lambda error: None)

    def close_table(self, table: Table, done: OnDone) -> None:
        """Delete a table and its journal; whoever is there is told when that is durable, and `done` called.

        Where it cannot be made durable the table goes on.
        """

        def forgotten(error: StoreFailed | None) -> None:
            if error is None:
                for connection in table.audience():
                    table.expel(connection, "table/closed")
                self.tables.pop(table.code, None)
                self.archive.let_go(table)
                self.lobby.changed(table)
                table.let_go()
            else:
                table.closed = False
                table.turns.arm()
            done(error)

        def close() -> None:
            table.closed = True
            table.turns.end()
            self.store.write(TableForgotten(table.table), forgotten)

        table.submit(close)

    # ── the end ──────────────────────────────────────────────────────────────────────────────────────────────────

    async def close(self) -> None:
        """Tell everybody, take nothing new, make everything durable, and go. Clients come back by themselves."""
        if self.closing:
            return
        self.closing = True
        for server in self._listeners:
            server.close()
        if self._sweeper is not None:
            self._sweeper.cancel()
        for table in self.tables.values():
            table.turns.end()
        await self.minds.close()
        await self.archive.close()
        await self.store.flush()
        for connection in list(self.connections):
            connection.send(Notice("The server is shutting down. Every game is kept.", "closing"))
            connection.drop("server/closing")
        await self._wait_for_peers()
        self.passwords.close()
        await self.store.close()

    async def _wait_for_peers(self) -> None:
        """Give peers a moment to read the last word, then end what is left."""
        if self.connections:
            self._all_gone = asyncio.Event()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._all_gone.wait(), CLOSING_SECONDS)
        for connection in list(self.connections):
            connection.abort()
