"""The games that are over: kept once each, with what they add to their players' numbers; found again and read.

A game is kept when it ends. Where that could not be written, or the process ended in between, it is kept later: the
table remembers its last game, and the same game is never kept twice. Reading happens in a thread of its own, so that
no search makes a move wait. Who asks, and how it is answered, is `game_requests`.
"""

from __future__ import annotations

import asyncio
import hashlib
import zlib
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

import msgspec
import structlog

from looseends_core.numbers import Numbers, numbers_of_game, numbers_of_results
from looseends_core.record import GameRecord, record_from_json, record_of, record_to_json
from looseends_protocol.people_text import BOT_PREFIX, name_key
from looseends_server.people import NOBODY
from looseends_server.store.base import OnDone, StoreFailed
from looseends_server.store.games import (
    GameKept,
    GameSeat,
    GamesReader,
    KeptGame,
    LeftOut,
    StandingsReplaced,
    TracesDeleted,
)
from looseends_server.totals import GONE_PREFIX, Totals

if TYPE_CHECKING:
    from looseends_server.store.base import Store
    from looseends_server.table import Table

log = structlog.get_logger()

TRACES_AT_ONCE = 20
"""Records that are rewritten in one change, so that no move waits long behind them."""
PACKED_LEVEL = 6
"""How hard a record is deflated, as zlib counts."""
LARGEST_RECORD = 4 * 2**20
"""Bytes of a record's JSON text that is unpacked at all."""

_Found = TypeVar("_Found")


def packed(record: GameRecord) -> bytes:
    """Return a record as it is kept."""
    return zlib.compress(msgspec.json.encode(record_to_json(record)), PACKED_LEVEL)


def unpacked(kept: bytes) -> GameRecord:
    """Return a record that was kept. Raises ValueError where the bytes are none."""
    return record_from_json(msgspec.json.decode(record_json(kept)))


def record_json(kept: bytes) -> bytes:
    """Return the JSON text of a record that was kept. Raises ValueError where the bytes are none."""
    opened = zlib.decompressobj()
    try:
        text = opened.decompress(kept, LARGEST_RECORD)
    except zlib.error as error:
        raise ValueError(f"a kept record cannot be unpacked: {error}") from error
    if opened.unconsumed_tail:
        raise ValueError(f"a kept record has more than {LARGEST_RECORD} bytes")
    return text


def variants_key(record: GameRecord) -> str:
    """Return the variants of a game as numbers are kept by them, such as `double-cross+plan-b`."""
    return "+".join(sorted(record.rules.variants))


def game_to_keep(
    record: GameRecord,
    ended_at: float,
    identities: tuple[int, ...],
    *,
    origin: str,
    open_to_all: bool = False,
    watched_by: tuple[int, ...] = (),
) -> KeptGame:
    """Return a finished game as it is kept; `identities` has one a seat, 0 for a bot or somebody unknown here.

    The record has to be right. Raises ValueError where the game is not over.
    """
    if record.scores is None or record.winners is None:
        raise ValueError("the game in this record is not over")
    text = msgspec.json.encode(record_to_json(record))
    return KeptGame(
        digest=hashlib.sha256(text).digest(),
        ended_at=ended_at,
        players=record.rules.players,
        variants=variants_key(record),
        open_to_all=open_to_all,
        proven=all(played.fairness is not None for played in record.rounds),
        origin=origin,
        seats=tuple(
            GameSeat(identity, who_is(name), name, record.scores[seat], seat in record.winners)
            for seat, (identity, name) in enumerate(zip(identities, record.players, strict=True))
        ),
        watched_by=watched_by,
        record=zlib.compress(text, PACKED_LEVEL),
    )


def who_is(name: str) -> str:
    """Return what the numbers of a player of a record are kept under, empty for nobody."""
    if name.startswith(BOT_PREFIX):
        return name
    return "" if name == NOBODY else name_key(name)


class Archive:
    """The kept games of a house. Make it when the store is loaded; every method runs in the loop's thread."""

    def __init__(self, store: Store, *, rated: bool = True) -> None:
        self._store = store
        self._reader: GamesReader = store.games()
        """For the thread that reads."""
        self._index: GamesReader = store.games()
        """For this thread, which only ever looks one thing up."""
        self._rated = rated
        self._tasks: set[asyncio.Task[None]] = set()
        self.totals = Totals(self._index.standings(), self._index.ratings(), rated=rated)
        self.left_out = self._index.left_out()
        """Identities that want to be in no list."""
        self.done: set[tuple[int, int]] = set()
        """Tables and games that are kept, or about to be: whatever of this could not be written is tried again."""
        self._waiting: deque[Callable[[Callable[[], None]], None]] = deque()
        self._busy = False
        self._closed = False
        self._thread: ThreadPoolExecutor | None = None

    # ── keeping ──────────────────────────────────────────────────────────────────────────────────────────────────

    def keep_game_of(self, table: Table) -> None:
        """Keep the game that a table has finished, unless it is kept already; once closed, at the next start."""
        state = table.state
        if state.stage != "over" or state.practice or (table.table, state.game) in self.done or self._closed:
            return
        self.done.add((table.table, state.game))
        try:
            self._keep_game_of(table)
        except Exception as error:  # its values are cards, which no log holds
            log.error("game not kept", origin=table.code, error=type(error).__name__)

    def let_go(self, table: Table) -> None:
        """Remember nothing more of a table that the house has let go."""
        self.done -= {(table.table, game) for game in range(1, table.state.game + 1)}

    def _keep_game_of(self, table: Table) -> None:
        state = table.state
        record = record_of(state.rules, state.names, state.events)
        identities = tuple(seat.identity or 0 if seat.kind == "person" else 0 for seat in state.seats)
        watching = tuple(connection.person.identity for connection in table.watchers if connection.person is not None)
        game = game_to_keep(
            record,
            table.house.clock.wall() if table.anybody_present else table.asleep_since,
            identities,
            origin=state.options.contest or table.code,
            open_to_all=not state.options.private and not state.password,
            watched_by=watching,
        )
        # The table has folded this game already: folding it again from its record cost a tenth of all moves.
        numbers = numbers_of_results(state.play.results, state.play.scores, state.play.winners or ())
        self._keep_next(game, numbers, lambda error: self.done.discard((table.table, state.game)) if error else None)

    def keep(self, game: KeptGame, record: GameRecord, done: OnDone = lambda error: None) -> None:
        """Keep a game, after those that wait already; `done` is told when it is kept, or that it could not be."""
        self._keep_next(game, numbers_of_game(record), done)

    def _keep_next(self, game: KeptGame, numbers: tuple[Numbers, ...], done: OnDone) -> None:
        self._one_by_one(lambda release: self._keep(game, numbers, done, release))

    def has(self, game: KeptGame) -> bool:
        """Return whether this game is kept already."""
        return self._index.has(game.digest)

    def _one_by_one(self, change: Callable[[Callable[[], None]], None]) -> None:
        """Begin a change of the totals when the one before has called its `release`: each follows from the last."""
        self._waiting.append(change)
        self._begin_next()

    def _begin_next(self) -> None:
        if not self._busy and self._waiting and not self._closed:
            self._busy = True
            self._waiting.popleft()(self._release)

    def _release(self) -> None:
        self._busy = False
        self._begin_next()

    def _keep(self, game: KeptGame, numbers: tuple[Numbers, ...], done: OnDone, release: Callable[[], None]) -> None:
        if self._index.has(game.digest):
            done(None)
            release()
            return
        standings, ratings = self.totals.after(game.players, game.variants, game.seats, numbers, proven=game.proven)

        def kept(error: StoreFailed | None) -> None:
            if error is None:
                self.totals.take(standings, ratings)
            else:
                log.error("game not kept", origin=game.origin, error=str(error))
            done(error)
            release()

        self._store.write(GameKept(game, standings, ratings), kept)

    # ── reading ──────────────────────────────────────────────────────────────────────────────────────────────────

    def read(self, what: Callable[[GamesReader], _Found], then: Callable[[_Found | None], None]) -> None:
        """Read in a thread and tell `then`, in the loop's thread; None where it could not be read."""

        async def reading() -> None:
            try:
                found = await asyncio.get_running_loop().run_in_executor(self._executor(), what, self._reader)
            except Exception:
                log.exception("games cannot be read")
                then(None)
            else:
                then(found)

        task = asyncio.get_running_loop().create_task(reading())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _executor(self) -> ThreadPoolExecutor:
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, "games")
        return self._thread

    # ── changing ─────────────────────────────────────────────────────────────────────────────────────────────────

    def leave_out(self, identity: int, out: bool, done: OnDone) -> None:
        """Leave a person out of every list of players, or take them in again."""

        def kept(error: StoreFailed | None) -> None:
            if error is None:
                (self.left_out.add if out else self.left_out.discard)(identity)
            done(error)

        self._store.write(LeftOut(identity, out), kept)

    def delete_traces(self, identity: int, name: str, digits: str, done: OnDone) -> None:
        """Take a person out of every kept game, and their numbers and rating out of all lists. The games stay.

        `digits` are random ones, under which what their games meant to others is kept.
        """

        def begin(release: Callable[[], None]) -> None:
            def deleted(error: StoreFailed | None) -> None:
                done(error)
                release()

            def found(games: list[tuple[int, bytes]] | None) -> None:
                if games is None:
                    deleted(StoreFailed("the games cannot be read"))
                else:
                    self._delete(identity, (name_key(name), GONE_PREFIX + digits), games, deleted)

            self.read(lambda reader: [_without(*game) for game in reader.games_of(identity)], found)

        self._one_by_one(begin)

    def _delete(self, identity: int, renamed: tuple[str, str], games: list[tuple[int, bytes]], done: OnDone) -> None:
        now, later = games[:TRACES_AT_ONCE], games[TRACES_AT_ONCE:]

        def deleted(error: StoreFailed | None) -> None:
            if error is not None:
                done(error)
            elif later:
                self._delete(identity, renamed, later, done)
            else:
                self.totals.rename(*renamed)
                totals = StandingsReplaced(self.totals.standings(), self.totals.ratings())
                self._store.write(totals, done)

        self._store.write(TracesDeleted(identity, tuple(now), NOBODY, renamed[1]), deleted)

    def rebuild(self, then: Callable[[int | None, bool], None]) -> None:
        """Fold all kept games anew and let what comes out hold; `then` is told how many there are, None where they
        cannot be read or written, and whether it differs from what held before."""

        def begin(release: Callable[[], None]) -> None:
            def told(games: int | None, differs: bool) -> None:
                then(games, differs)
                release()

            def folded(found: tuple[int, Totals] | None) -> None:
                if found is None:
                    told(None, False)
                else:
                    self._replace_totals(*found, told)

            self.read(lambda reader: folded_anew(reader, rated=self._rated), folded)

        self._one_by_one(begin)

    def _replace_totals(self, games: int, totals: Totals, told: Callable[[int | None, bool], None]) -> None:
        differs = (totals.standings(), totals.ratings()) != (self.totals.standings(), self.totals.ratings())

        def written(error: StoreFailed | None) -> None:
            if error is None:
                self.totals = totals
            told(games if error is None else None, differs)

        self._store.write(StandingsReplaced(totals.standings(), totals.ratings()), written)

    async def close(self) -> None:
        """Wait for what is being read, and let go of the store. What waits to be kept is kept at the next start."""
        self._closed = True
        self._waiting.clear()
        for task in list(self._tasks):
            await task
        if self._thread is not None:
            self._thread.shutdown()
        self._reader.close()
        self._index.close()


def folded_anew(reader: GamesReader, *, rated: bool) -> tuple[int, Totals]:
    """Return how many games are kept, and what they add up to, from the games alone."""
    totals = Totals(rated=rated)
    games = 0
    for row, kept in reader.every_game():
        numbers = numbers_of_game(unpacked(kept))
        totals.take(*totals.after(row.players, row.variants, row.seats, numbers, proven=row.proven))
        games += 1
    return games, totals


def _without(game: int, seat: int, kept: bytes) -> tuple[int, bytes]:
    record = unpacked(kept)
    players = tuple(NOBODY if at == seat else name for at, name in enumerate(record.players))
    return game, packed(msgspec.structs.replace(record, players=players))
