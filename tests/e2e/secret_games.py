"""Whole games to scan: persons, bots and spectators at one table, with all that can happen to a connection meanwhile.

A number fixes a game: who plays under which rules, who comes, goes and asks for what at which move.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import msgspec

from looseends_core.actions import BIDS, COVERS, PLAYS, Action
from looseends_core.bots import LEVELS
from looseends_core.rules import MAX_HAND, VARIANTS, RuleSet, rule_set
from looseends_protocol.messages import (
    Act,
    AskHint,
    Attending,
    BeReady,
    CreateTable,
    GetRecord,
    Hint,
    JoinTable,
    LeaveTable,
    ListTables,
    Resync,
    Say,
    SeatBot,
    StartGame,
    StepAway,
    TableOptions,
    Unseat,
    WatchTable,
    Welcome,
)
from looseends_server.house import House
from looseends_server.limits import Limits, ServerSettings
from looseends_server.store.memory import MemoryStore
from looseends_server.table import Table
from tests.e2e.heard_peer import HeardPeer, Stream, arrive
from tests.e2e.secret_truth import HeardEntropy, RememberingKept, Truth, truth_of
from tests.server.peers import HandClock, settled
from tests.server.planted_worker import LEVELS as PLANTED
from tests.server.planted_worker import WORKER

VARIANT_SETS = [chosen for count in range(4) for chosen in itertools.combinations(VARIANTS, count)]
"""Every set of variants: eight."""
PLAYERS = (2, 3, 4, 5)
PASSWORD = "carrots and 9 onions"
_NEVER_IN_THE_WAY = 1_000_000
_LIMITS = Limits(
    burst_messages=_NEVER_IN_THE_WAY,
    resyncs=_NEVER_IN_THE_WAY,
    chat_lines=_NEVER_IN_THE_WAY,
    strikes=_NEVER_IN_THE_WAY,
)


@dataclass
class Person:
    """Somebody over all their connections."""

    name: str
    peer: HeardPeer
    token: bytes = b""


@dataclass
class ScannedGame:
    """What is left of a game: what each connection received, and what was true."""

    streams: list[Stream]
    truth: Truth
    happened: Counter[str]
    """How often what was done to a connection, and how many games were played to their end."""


@dataclass
class _Play:
    """A game while it is played."""

    house: House
    clock: HandClock
    chance: random.Random
    rules: RuleSet
    streams: list[Stream] = field(default_factory=list)
    persons: list[Person] = field(default_factory=list)
    happened: Counter[str] = field(default_factory=Counter)
    code: str = ""
    password: str = ""
    doubt: random.Random = field(default_factory=lambda: random.Random(1))
    """Draws who asks for a hint, apart from all that `chance` draws."""

    @property
    def table(self) -> Table:
        return self.house.tables[self.code]

    # ── coming ──
    async def arrive(self, name: str, token: bytes = b"") -> tuple[HeardPeer, Welcome]:
        return await arrive(self.house, name, random.Random(self.chance.random()), token, self.streams.append)

    async def newcomer(self, name: str) -> Person:
        peer, welcome = await self.arrive(name)
        person = Person(name, peer, welcome.token)
        self.persons.append(person)
        return person

    async def sit_down(self, options: TableOptions, persons: int) -> None:
        """Fill the table: so many persons, bots behind them; one who watches, one who never comes to it."""
        for number in range(persons):
            await self.newcomer(f"player {number}")
        host = self.persons[0].peer
        made = CreateTable(0, self.rules, options, password=self.password)
        self.code = (await host.expect(made, Attending)).code
        for person in self.persons[1:]:
            await person.peer.expect(JoinTable(0, self.code, password=self.password), Attending)
        for seat in range(persons, self.rules.players):
            await host.ask(SeatBot(0, seat, self.chance.choice(("rookie", "rookie", "steady"))))
        watcher = await self.newcomer("watcher")
        await watcher.peer.expect(WatchTable(0, self.code, password=self.password), Attending)
        outsider, _ = await self.arrive("outsider")
        await outsider.ask(ListTables(0, subscribe=True))
        self.outsider = outsider
        await host.ask(StartGame(0))

    def at_the_table(self) -> list[Person]:
        return [person for person in self.persons if not person.peer.lost]

    def seated(self) -> list[Person]:
        return [person for person in self.at_the_table() if self.has_seat(person)]

    def has_seat(self, person: Person) -> bool:
        identity = self.house.people.by_name(person.name)
        return identity is not None and self.table.state.seat_of(identity.identity) is not None

    # ── playing ──
    async def play_to_the_end(self, incidents: float) -> None:
        """Play until the game is over; at each look something else happens with that probability."""
        idle = 0
        while self.table.state.stage != "over":
            number = self.table.state.play.number
            for person in self.seated():
                await self.sometimes_ask_for_a_hint(person)
                person.peer.act_if_due()
                person.peer.be_ready_if_asked()
            await settled(1)
            idle = idle + 1 if self.table.state.play.number == number else 0
            if self.chance.random() < incidents:
                await self.incident()
            if idle > 200:  # somebody's time has to run out
                await self.clock.advance(20)
                self.happened["waits"] += 1
                idle = 100
        self.happened["games"] += 1
        await settled()

    async def incident(self) -> None:
        """Do one of the things that a person or a network does now and then."""
        happenings: list[Callable[[Person], Awaitable[None]]] = [
            self.resync,
            self.resync,
            self.come_back,
            self.come_back,
            self.take_over,
            self.step_away,
            self.visit_elsewhere,
            self.be_absent,
            self.leave_and_return,
            self.be_removed,
            self.talk,
            self.ask_for_the_record,
            self.ask_what_is_refused,
            self.look_at_the_lobby,
        ]
        chosen = self.chance.choice(happenings)
        await chosen(self.chance.choice(self.at_the_table()))
        self.happened[chosen.__name__] += 1

    # ── what happens now and then ──
    def _since(self, person: Person) -> dict[str, int]:
        """Return what a request says of the events that are held: often all of them, sometimes a part or nothing."""
        if self.chance.random() < 0.5:
            return {"game": 0, "since": 0}
        return {
            "game": person.peer.game,
            "since": self.chance.choice((person.peer.number(), person.peer.number() // 2)),
        }

    async def _enter(self, person: Person, since: dict[str, int]) -> None:
        kind = JoinTable if self.has_seat(person) else WatchTable
        await person.peer.expect(kind(0, self.code, password=self.password, **since), Attending)

    async def resync(self, person: Person) -> None:
        await person.peer.ask(Resync(0, **self._since(person)))

    async def _reconnect(self, person: Person) -> None:
        older = person.peer
        person.peer, _ = await self.arrive(person.name, person.token)
        person.peer.held, person.peer.game, person.peer.ready_for = older.held, older.game, older.ready_for
        await self._enter(person, self._since(person))

    async def come_back(self, person: Person) -> None:
        person.peer.close()
        await settled()
        await self._reconnect(person)

    async def take_over(self, person: Person) -> None:
        await self._reconnect(person)

    async def step_away(self, person: Person) -> None:
        await person.peer.ask(StepAway(0))
        await person.peer.ask(ListTables(0))
        await self._enter(person, self._since(person))

    async def visit_elsewhere(self, person: Person) -> None:
        await person.peer.expect(CreateTable(0, self.rules, TableOptions(title="elsewhere")), Attending)
        await person.peer.ask(LeaveTable(0))
        await self._enter(person, {"game": 0, "since": 0})

    async def be_absent(self, person: Person) -> None:
        person.peer.close()
        await settled()
        await self.clock.advance(self.chance.choice((2, 50, 50, 70)))
        await self._reconnect(person)

    async def leave_and_return(self, person: Person) -> None:
        if self.has_seat(person) and (len(self.seated()) == 1 or not self.table.state.running):
            return  # a table that everybody has left is forgotten, and after a game nobody need come back
        await person.peer.ask(LeaveTable(0))
        await self.clock.advance(1)
        await self._enter(person, self._since(person))

    async def be_removed(self, person: Person) -> None:
        host = next((one for one in self.seated() if one.name == self.table.host_name()), None)
        others = [one for one in self.seated() if one is not host]
        if host is None or len(others) < 2 or self.chance.random() < 0.7:
            return
        removed = self.chance.choice(others)
        seat = next(at for at, held in enumerate(self.table.state.seats) if held.name == removed.name)
        await host.peer.ask(Unseat(0, seat))
        await self._enter(removed, {"game": 0, "since": 0})
        self.happened["removals"] += 1

    async def talk(self, person: Person) -> None:
        await person.peer.ask(Say(0, "a fine trick, and Blue at that"))

    async def ask_for_the_record(self, person: Person) -> None:
        await person.peer.ask(GetRecord(0))

    async def sometimes_ask_for_a_hint(self, person: Person) -> None:
        if person.peer.legal is not None and self.doubt.random() < 0.03:
            answer = await person.peer.ask(AskHint(0, person.peer.game, person.peer.number()))
            self.happened["hints"] += isinstance(answer, Hint)

    async def ask_what_is_refused(self, person: Person) -> None:
        """Try to find out by asking for what is not one's own: any action at the right number, at any time."""
        if person.peer.legal is None:
            kinds: tuple[tuple[Action, ...], ...] = (BIDS, PLAYS, COVERS)
            action = self.chance.choice(self.chance.choice(kinds))
            await person.peer.ask(Act(0, person.peer.game, person.peer.number(), action))

    async def look_at_the_lobby(self, person: Person) -> None:
        await self.outsider.ask(ListTables(0, subscribe=True))
        await person.peer.ask(ListTables(0, subscribe=self.chance.random() < 0.5))
        await self.clock.advance(1.1)

    outsider: HeardPeer = field(init=False)


async def play_scanned_game(
    number: int, *, rounds: int = 3, incidents: float = 0.05, password: bool = False
) -> ScannedGame:
    """Play game `number`, sometimes with a rematch, and return all that was received and all that was true.

    `incidents` is how probable one is at each look at the table; `password` whether the table asks for one.
    Eight games in a row play all sets of variants, thirty-two all of them with 2 to 5 players.
    """
    chance = random.Random(number)
    players = PLAYERS[number // len(VARIANT_SETS) % len(PLAYERS)]
    clock, entropy, kept = HandClock(), HeardEntropy(number), RememberingKept()
    rules = rule_set(players, VARIANT_SETS[number % len(VARIANT_SETS)], rounds=rounds)
    if chance.random() < 0.3:  # many cards that nobody is dealt
        rules = msgspec.structs.replace(rules, hand_size=chance.randrange(5, min(MAX_HAND, rules.hand_size)), max_bid=2)
    options = TableOptions(
        bots=0,
        clock_seconds=chance.choice((0, 0, 60)),
        absence=chance.choice(("bot", "bot", "wait", "clock")),
        private=chance.random() < 0.2,
    )
    house = await House.open(
        None,
        ServerSettings(limits=_LIMITS),
        clock=clock,
        entropy=entropy,
        store=MemoryStore(kept),
        levels={**{name: LEVELS[name] for name in ("rookie", "steady")}, "plain": PLANTED["plain"]},
        worker=WORKER,
    )
    play = _Play(house, clock, chance, rules, password=PASSWORD if password else "")
    try:
        await play.sit_down(options, persons=chance.randrange(1, players + 1))
        await play.play_to_the_end(incidents)
        if chance.random() < 0.3:
            for person in play.seated():
                await person.peer.ask(BeReady(0, rounds))
            await settled()
            if play.table.state.stage != "over":
                play.happened["rematches"] += 1
                await play.play_to_the_end(incidents)
        for person in play.at_the_table():
            await person.peer.ask(GetRecord(0))
            await person.peer.ask(Resync(0))
        return ScannedGame(play.streams, truth_of(kept, entropy, (PASSWORD,)), play.happened)
    finally:
        await house.close()
