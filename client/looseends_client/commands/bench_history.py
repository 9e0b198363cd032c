"""`looseends bench history`: how long it takes to list and to search thousands of finished games.

The store is the real one, on the disk, read as the server and `looseends games` read it.
"""

from __future__ import annotations

import asyncio
import itertools
import json as json_text
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
from cyclopts import Parameter

from looseends_client.commands import CommandFailed
from looseends_client.commands.printing import print_line

if TYPE_CHECKING:
    from looseends_server.store.games import GameQuery, KeptGame

TIMES = 9
"""How often each question is asked; the middle one counts."""
DIFFERENT = 40
"""Games that are really played; the others are the same games between other people at other times."""
DAY = 86_400.0


class Measured(msgspec.Struct, frozen=True):
    """Milliseconds for each question, the middle of several, over so many games; the file in megabytes."""

    games: int
    list_ms: float
    """The newest fifty of one person, with how many there are."""
    last_page_ms: float
    search_ms: dict[str, float]
    """By another player, by day, by rules, by all three; and each over the games that somebody may see."""
    record_ms: float
    """One record, unpacked."""
    megabytes: float


def history(
    *,
    games: int = 10_000,
    people: int = 200,
    json: Annotated[bool, Parameter(name="--json", negative=(), show_default=False)] = False,
) -> int:
    """Measure how long it takes to list and to search finished games.

    Parameters
    ----------
    games
        Games that are kept, 100 to 1,000,000.
    people
        People who played them, one of whom played every second one.
    json
        Print it for a program.
    """
    if not 100 <= games <= 1_000_000 or not 6 <= people <= 100_000:
        raise CommandFailed("--games takes 100 to 1,000,000 and --people 6 to 100,000.")
    with tempfile.TemporaryDirectory() as folder:
        measured = asyncio.run(_measure(Path(folder), games, people))
    if json:
        sys.stdout.write(json_text.dumps(msgspec.to_builtins(measured), indent=2) + "\n")
    else:
        print_line(f"{measured.games:,} games, {measured.megabytes:.1f} MB")
        print_line(f"list    {measured.list_ms:7.1f} ms   (last page {measured.last_page_ms:.1f} ms)")
        for what, milliseconds in measured.search_ms.items():
            print_line(f"search  {milliseconds:7.1f} ms   {what}")
        print_line(f"record  {measured.record_ms:7.1f} ms")
    return 0


async def _measure(folder: Path, games: int, people: int) -> Measured:
    from looseends_server.archive import record_json
    from looseends_server.store.base import StoreFailed
    from looseends_server.store.games import GameKept, GameQuery
    from looseends_server.store.sqlite import SqliteStore

    store = SqliteStore(folder)
    store.load()
    failures: list[StoreFailed] = []
    for game in _games(games, people):
        store.write(GameKept(game), lambda error: failures.append(error) if error else None)
    await store.flush()
    if failures:
        raise CommandFailed(f"The games could not be kept: {failures[0]}.", 1)
    reader = store.games()
    mine = GameQuery(1)

    def search(query: GameQuery) -> float:
        return _milliseconds(lambda: reader.find(query))

    since, until = 40 * DAY, 41 * DAY
    measured = Measured(
        games=games,
        list_ms=search(mine),
        last_page_ms=search(msgspec.structs.replace(mine, offset=max(0, games // 2 - 50))),
        search_ms={
            "by a player": search(GameQuery(1, who="person 3")),
            "by a day": search(GameQuery(1, since=since, until=until)),
            "by rules": search(GameQuery(1, players=4, variants="plan-b")),
            "by all three": search(GameQuery(1, who="person 3", since=since, players=4, variants="plan-b")),
            "by a player, among all that one may see": search(GameQuery(1, mine=False, who="person 3")),
            "by rules, among all that one may see": search(GameQuery(1, mine=False, players=4, variants="plan-b")),
        },
        record_ms=_milliseconds(lambda: record_json(reader.record(1, 1, see_all=True) or b"")),
        megabytes=_megabytes(folder),
    )
    reader.close()
    await store.close()
    return measured


def _games(count: int, people: int) -> list[KeptGame]:
    """Return games of real records, at other times and between other people, one of whom plays every second one."""
    from looseends_core.bot_game import play_bot_game
    from looseends_core.bots import LEVELS
    from looseends_core.record import record_of
    from looseends_core.rules import rule_set
    from looseends_server.archive import game_to_keep
    from looseends_server.store.games import GameSeat

    chance = random.Random(1)
    variants: list[tuple[str, ...]] = [(), ("plan-b",), ("getaway",), ("double-cross", "plan-b")]
    played = []
    for number, (players, chosen) in zip(
        range(DIFFERENT), itertools.cycle(itertools.product((2, 3, 4, 5), variants)), strict=False
    ):
        rules = rule_set(players, variants=chosen)
        bots = [LEVELS["rookie"].choose] * players
        played.append(record_of(rules, ["x"] * players, play_bot_game(rules, bots, "bench", number)))
    made: list[KeptGame] = []
    for number in range(count):
        record = played[number % DIFFERENT]
        assert record.scores is not None
        assert record.winners is not None
        who = chance.sample(range(2, people + 1), record.rules.players)
        if number % 2:
            who[0] = 1
        base = game_to_keep(record, number * 3600.0, tuple(who), origin="bench", open_to_all=number % 3 == 0)
        seats = tuple(
            GameSeat(one, f"person {one}", f"Person {one}", record.scores[seat], seat in record.winners)
            for seat, one in enumerate(who)
        )
        made.append(msgspec.structs.replace(base, digest=number.to_bytes(32, "big"), seats=seats))
    return made


def _megabytes(folder: Path) -> float:
    return sum(file.stat().st_size for file in folder.iterdir()) / 2**20


def _milliseconds(ask: Callable[[], object]) -> float:
    taken: list[float] = []
    for _ in range(TIMES):
        began = time.perf_counter()
        ask()
        taken.append(1000 * (time.perf_counter() - began))
    return statistics.median(taken)
