"""Many at once: more joiners than seats, everybody pressing everything, everybody dropping, everybody coming.

Only counts are asserted; how long it took is printed and left to the reader.
"""

from __future__ import annotations

import asyncio
import random
import statistics
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from looseends_core.rules import rule_set
from looseends_protocol.messages import (
    Attending,
    BeReady,
    CreateTable,
    GetRecord,
    JoinTable,
    LeaveTable,
    Ping,
    Pong,
    Refused,
    Request,
    Resync,
    SeatBot,
    StartGame,
    StepAway,
    TableOptions,
    Unseat,
    Welcome,
)
from looseends_server.limits import Limits, Pace
from tests.torture.line import Broken, Line, LineLost
from tests.torture.player import Player, TablePlan
from tests.torture.process import serving
from tests.torture.report import Report
from tests.torture.serving import Order

LIMITS = Limits(burst_messages=10**6, resyncs=10**6, tables_per_person=10**6, inbox=1000, pending_requests=100)
PACE = Pace(nonce_seconds=0.5)
WELCOME_SECONDS = 30.0
"""In which everybody of a crowd has to be welcomed."""
STORM_SECONDS = 60.0


class Regular:
    """Somebody with a token who connects again and again."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.token = b""
        self.line: Line

    async def connect(self, port: int) -> Welcome:
        """Connect, be welcomed, and keep the token."""
        self.line = await Line.open(port)
        welcome = await self.line.hello(self.name, self.token)
        self.token = welcome.token or self.token
        return welcome


async def all_of(port: int, count: int, name: str) -> list[Regular]:
    """Return so many people, connected."""
    people = [Regular(f"{name} {number}") for number in range(count)]
    await asyncio.gather(*(person.connect(port) for person in people))
    return people


async def join_at_once(port: int, rounds: int, seed: int) -> Counter[str]:
    """Let more people than there are seats join one table in the same moment, again and again. Raises Broken."""
    rng = random.Random(seed)
    counts: Counter[str] = Counter()
    people = await all_of(port, 16, "joiner")
    host = (await all_of(port, 1, "joined"))[0]
    for number in range(rounds):
        players = 2 + number % 4
        table = await host.line.expect(CreateTable(0, rule_set(players), TableOptions(bots=0)), Attending)
        joiners = rng.sample(people, players - 1 + rng.randint(1, 11))
        seat = None if number % 2 else 1
        answers = await asyncio.gather(*(person.line.ask(JoinTable(0, table.code, seat)) for person in joiners))
        taken = [answer.seat for answer in answers if isinstance(answer, Attending)]
        refused = Counter(answer.error for answer in answers if isinstance(answer, Refused))
        free = players - 1 if seat is None else 1
        expected = list(range(1, players)) if seat is None else [1]
        if sorted(at for at in taken if at is not None) != expected:
            raise Broken(f"{len(joiners)} people joined {free} seats and got {taken}")
        if set(refused) - {"table/full", "table/seat_taken"} or refused.total() != len(joiners) - free:
            raise Broken(f"{len(joiners)} people joined {free} seats and were refused {refused}")
        counts["tables joined by more than they seat"] += 1
        counts["seats given"] += len(taken)
        counts["joiners refused"] += refused.total()
        await asyncio.gather(*(person.line.ask(LeaveTable(0)) for person in [host, *joiners]))
    for person in [host, *people]:
        person.line.abort()
    return counts


async def rematch_at_once(port: int, games: int, seed: int) -> Counter[str]:
    """Let everybody press for a rematch in the same moment, some twice and the host for a start too. Raises Broken."""
    counts: Counter[str] = Counter()
    rng = random.Random(seed)
    for players in (2, 5):
        options = TableOptions(f"rematch {players}", bots=0)
        plan = TablePlan(options.title, rule_set(players, rounds=1, hand_size=2), options, persons=players)
        people: list[Player] = []
        enough = asyncio.Event()

        def one_more(people: list[Player] = people, enough: asyncio.Event = enough) -> bool:
            if people[0].witness.game >= games:
                enough.set()
                return False
            for player in people:
                player.press(BeReady(0, 1), rng.randint(0, 2))
            people[0].press(StartGame(0), rng.randint(0, 1))
            return True

        people += [Player(plan, number, rng, 0.0, one_more) for number in range(players)]
        lines = [await Line.open(port) for _ in people]
        playing = [asyncio.create_task(player.live(line, 0.0)) for player, line in zip(people, lines, strict=True)]
        try:
            await _first_of(enough, playing)
        finally:
            for line in lines:
                line.abort()
            await asyncio.gather(*playing, return_exceptions=True)
        counts["rematches that everybody pressed for at once"] += games - 1
    return counts


async def _first_of(event: asyncio.Event, playing: list[asyncio.Task[None]]) -> None:
    waiting = asyncio.create_task(event.wait())
    try:
        async with asyncio.timeout(STORM_SECONDS):
            done, _ = await asyncio.wait([waiting, *playing], return_when=asyncio.FIRST_COMPLETED)
    except TimeoutError:
        raise Broken("the games do not go on") from None
    finally:
        waiting.cancel()
    for task in done - {waiting}:
        await task


async def press_everything_at_once(port: int, rounds: int, seed: int) -> Counter[str]:
    """Let everybody at a table press start, unseat, leave and all else in the same moment. Raises Broken."""
    rng = random.Random(seed)
    counts: Counter[str] = Counter()
    for number in range(rounds):
        players = 2 + number % 4
        people = await all_of(port, players, f"crowd {number}")
        table = await people[0].line.expect(CreateTable(0, rule_set(players), TableOptions(bots=0)), Attending)
        await asyncio.gather(*(person.line.ask(JoinTable(0, table.code)) for person in people[1:]))
        if rng.random() < 0.5:
            await people[0].line.ask(StartGame(0))
        pressed: list[tuple[Line, Request]] = []
        for person in people:
            pressed += [(person.line, _any_button(rng, players, table.code)) for _ in range(rng.randint(3, 7))]
        rng.shuffle(pressed)
        try:
            async with asyncio.timeout(WELCOME_SECONDS):
                answers = await asyncio.gather(*(line.ask(request) for line, request in pressed))
        except (TimeoutError, LineLost) as error:
            raise Broken(f"everything pressed at once was not answered: {error!r}") from None
        counts["buttons pressed in the same moment"] += len(answers)
        counts["of them carried out"] += sum(not isinstance(answer, Refused) for answer in answers)
        if any(isinstance(answer, Refused) and answer.error == "server/fault" for answer in answers):
            raise Broken("a button met a fault of the server")
        await _all_see_the_same(people, table.code)
        for person in people:
            person.line.abort()
    return counts


def _any_button(rng: random.Random, players: int, code: str) -> Request:
    buttons: tuple[Callable[[], Request], ...] = (
        lambda: StartGame(0),
        lambda: Unseat(0, rng.randrange(players)),
        lambda: LeaveTable(0),
        lambda: StepAway(0),
        lambda: JoinTable(0, code),
        lambda: SeatBot(0, rng.randrange(players), "rookie"),
        lambda: BeReady(0, 0),
        lambda: GetRecord(0),
        lambda: Resync(0),
    )
    return rng.choice(buttons)()


async def _all_see_the_same(people: list[Regular], code: str) -> None:
    """Whoever is still there sees one table: the same people, host and game."""
    seen: list[Attending] = []
    for person in people:
        answer = await person.line.ask(Resync(0))
        if isinstance(answer, Attending) and answer.code == code:
            seen.append(answer)
    for one in seen:
        if (one.host, one.game) != (seen[0].host, seen[0].game) or len(one.seats) != len(seen[0].seats):
            raise Broken(f"two people at one table see {one} and {seen[0]}")
    seats = [one.seat for one in seen]
    if len(set(seats)) != len(seats) or None in seats:
        raise Broken(f"people who came by joining sit on {seats}")


async def storm(port: int, clients: int, times: int, seed: int) -> Counter[str]:
    """Let everybody at running tables lose the line at once and come back at once, again and again. Raises Broken."""
    rng = random.Random(seed)
    counts: Counter[str] = Counter()
    players: list[Player] = []
    for number in range(clients // 2):
        options = TableOptions(f"storm {number}", bots=0)
        plan = TablePlan(options.title, rule_set(3, rounds=20), options, persons=2)
        players += [Player(plan, seat, rng, 0.0, lambda: True) for seat in range(2)]
    for time in range(times + 1):
        welcomed = 0
        back = asyncio.Event()

        def heard(message: msgspec.Struct, back: asyncio.Event = back) -> None:
            nonlocal welcomed
            if isinstance(message, Attending):
                welcomed += 1
                if welcomed >= len(players):
                    back.set()

        lines = await asyncio.gather(*(Line.open(port) for _ in players))
        playing = [
            asyncio.create_task(player.live(line, 0.0, also=heard)) for player, line in zip(players, lines, strict=True)
        ]
        try:
            await _first_of(back, playing)
        finally:
            for line in lines:
                line.abort()
            results = await asyncio.gather(*playing, return_exceptions=True)
        for result in results:
            if isinstance(result, BaseException) and not isinstance(result, LineLost):
                raise result
        counts["clients that dropped and resumed at once"] += len(players) if time else 0
        counts["storms"] += bool(time)
    counts["events seen before a storm and found again"] = sum(
        player.witness.counts["events seen before a restart and found again"] for player in players
    )
    return counts


async def arrive_at_once(port: int, clients: int, name: str) -> Counter[str]:
    """Let so many new people connect at once; all have to be welcomed. Raises Broken."""
    loop = asyncio.get_running_loop()
    people = [Regular(f"{name} {number}") for number in range(clients)]
    seconds: list[float] = []

    async def arrive(person: Regular) -> None:
        began = loop.time()
        await person.connect(port)
        seconds.append(loop.time() - began)
        await person.line.expect(Ping(0), Pong)

    try:
        async with asyncio.timeout(WELCOME_SECONDS):
            await asyncio.gather(*(arrive(person) for person in people))
    except (TimeoutError, LineLost, OSError) as error:
        raise Broken(f"{len(seconds)} of {clients} were welcomed: {error!r}") from None
    for person in people:
        person.line.abort()
    cuts = statistics.quantiles(seconds, n=100)
    return Counter(
        {
            "clients welcomed that came at once": clients,
            "milliseconds to a welcome, median": int(1000 * cuts[49]),
            "milliseconds to a welcome, 99th percentile": int(1000 * cuts[98]),
        }
    )


async def run(rounds: int, storms: int, clients: int, arriving: int, seed: int) -> Counter[str]:
    """Do all of it against one server, which has to come up again with every table readable. Raises Broken."""
    with TemporaryDirectory(prefix="looseends-torture-") as temporary:
        order = Order(folder=str(Path(temporary) / "folder"), limits=LIMITS, pace=PACE)
        async with serving(order) as server:
            port = server.port or 0
            counts = await join_at_once(port, rounds, seed)
            counts += await rematch_at_once(port, rounds, seed)
            counts += await press_everything_at_once(port, rounds, seed)
            counts += await storm(port, clients, storms, seed)
            counts += await arrive_at_once(port, arriving, "arrival")
        async with serving(order) as server:
            (after,) = await all_of(server.port or 0, 1, "after")
            after.line.abort()
    return counts


def main(rounds: int = 300, storms: int = 60, clients: int = 50, arriving: int = 200, seed: int = 1) -> int:
    """Run this part, print its counts, and return 0 where every promise was kept."""
    return Report("crowds and storms").of(run(rounds, storms, clients, arriving, seed))


if __name__ == "__main__":
    raise SystemExit(main())
