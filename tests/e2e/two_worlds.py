"""Two games that differ only in what one reader cannot know, played on two servers that are alike in all else.

The first world is played as it comes. For the second the cards that the reader has not seen are dealt otherwise, so
that everything that happened can happen again, and everybody does again what they did.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from unittest.mock import patch

from looseends_core.actions import PASS, PLAYS, Action
from looseends_core.cards import GETAWAY, deck, suit_of
from looseends_core.decide import IllegalAction, deal_round, decide
from looseends_core.events import CardBid, CardPlayed, Event, RoundDealt
from looseends_core.record import record_of
from looseends_core.rules import RuleSet
from looseends_core.shuffle import Deal, Fairness, shuffled_deal
from looseends_core.state import State, evolve
from looseends_protocol.legal import actions_of
from looseends_protocol.messages import (
    Act,
    Attending,
    CreateTable,
    Done,
    GetRecord,
    JoinTable,
    ListTables,
    Resync,
    SeatBot,
    StartGame,
    TableOptions,
    WatchTable,
)
from looseends_server.house import House
from looseends_server.limits import Limits, ServerSettings
from looseends_server.table import Table
from tests.e2e.heard_peer import HeardPeer, Stream, arrive
from tests.e2e.secret_truth import HeardEntropy
from tests.server.peers import HandClock, settled

Hands = tuple[tuple[int, ...], ...]
_SETTINGS = ServerSettings(limits=Limits(burst_messages=1_000_000, resyncs=1_000_000))
_LOOKS = 100_000
"""So often may be looked at a table before a game counts as stuck."""


@dataclass(frozen=True)
class Plan:
    """A game: who looks (a seat, or None for a spectator), and after how many actions of which round it stops.

    `is_bot` seats a bot where the reader would sit, not on seat 0, so that what is compared is what the bot does.
    """

    rules: RuleSet
    seed: int
    reader: int | None
    stop_round: int
    stop_actions: int
    is_bot: bool = False


@dataclass
class World:
    """What became of a game: all that the reader received, what persons did, and what happened."""

    received: list[bytes] = field(default_factory=list)
    actions: list[tuple[int, Action]] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)


class Diverged(Exception):
    """The second world went another way than the first."""


class _Game:
    """A game of a plan while it is played; with a script the persons do what it says, else what they like."""

    def __init__(self, plan: Plan, script: Sequence[tuple[int, Action]] | None) -> None:
        self.plan = plan
        self.world = World()
        self._script = script
        self._chance = random.Random(plan.seed)
        self._meanwhile = random.Random(plan.seed + 1)
        self._peers: dict[int, HeardPeer] = {}

    async def play(self) -> World:
        house = await House.open(None, _SETTINGS, clock=HandClock(), entropy=HeardEntropy(1))
        try:
            table = await self._seat_everybody(house)
            reader = await self._seat_reader(house, table)
            await self._peers[0].ask(StartGame(0))
            for _ in range(_LOOKS):
                if self._is_at_stop(table):
                    break
                await self._do_something(table)
                if self._meanwhile.random() < 0.02 and not self._is_at_stop(table):
                    reader = await self._read_otherwise(house, table, reader)
                await settled(1)
            else:
                raise AssertionError("the game does not go on")
            await settled()
            self.world.events = list(table.state.events)
            return self.world
        finally:
            await house.close()

    def _is_at_stop(self, table: Table) -> bool:
        play, plan = table.state.play, self.plan
        dealt = next((at for at, event in enumerate(table.state.events) if self._begins_last_round(event)), None)
        return dealt is not None and (len(play.results) == plan.stop_round or play.number - dealt > plan.stop_actions)

    def _begins_last_round(self, event: Event) -> bool:
        return isinstance(event, RoundDealt) and event.round == self.plan.stop_round

    async def _seat_everybody(self, house: House) -> Table:
        plan = self.plan
        host, _ = await arrive(house, "player 0", random.Random(plan.seed))
        self._peers[0] = host
        options = TableOptions(bots=0, clock_seconds=60)
        table = house.tables[(await host.expect(CreateTable(0, plan.rules, options), Attending)).code]
        for seat in range(1, plan.rules.players):
            if plan.is_bot and seat == plan.reader:
                await host.ask(SeatBot(0, seat, "steady"))
                continue
            peer, _ = await arrive(house, f"player {seat}", random.Random(plan.seed + seat))
            await peer.expect(JoinTable(0, table.code, seat), Attending)
            self._peers[seat] = peer
        return table

    async def _seat_reader(self, house: House, table: Table) -> HeardPeer:
        """Return the reader's peer: the one on their seat, or a spectator."""
        if self._reads_at_seat():
            reader = self._peers[self.plan.reader or 0]
        else:
            reader, _ = await arrive(house, "spectator", random.Random(1))
            await reader.expect(WatchTable(0, table.code), Attending)
        self.world.received = reader.stream.payloads
        return reader

    def _reads_at_seat(self) -> bool:
        return self.plan.reader is not None and not self.plan.is_bot

    async def _do_something(self, table: Table) -> None:
        for peer in self._peers.values():
            peer.be_ready_if_asked()
        seat = table.state.play.turn
        due = self._peers.get(seat) if seat is not None else None
        if seat is None or due is None or due.legal is None or table.is_writing:
            return
        legal, due.legal = due.legal, None
        if self._script is None:
            action = self._chance.choice(actions_of(legal, table.state.play.phase))
        else:
            done = len(self.world.actions)
            scripted, action = self._script[done] if done < len(self._script) else (seat, PASS)
            if scripted != seat:
                raise Diverged(f"seat {seat} is on turn, seat {scripted} was")
        self.world.actions.append((seat, action))
        answer = await due.ask(Act(0, table.state.game, table.state.play.number, action))
        if not isinstance(answer, Done):
            raise Diverged(f"seat {seat} may not {action}: {answer}")

    async def _read_otherwise(self, house: House, table: Table, reader: HeardPeer) -> HeardPeer:
        """Let the reader ask for more than comes by itself; return the peer that they are from then on."""
        way = self._meanwhile.randrange(6)
        if way == 0:
            await reader.ask(Resync(0))
        elif way == 1:
            await reader.ask(Resync(0, table.state.game, reader.number() // 2))
        elif way == 2:
            await reader.ask(GetRecord(0))
        elif way == 3:
            await reader.ask(ListTables(0))
        elif way == 4:
            # An action that cannot be theirs: the same refusal whoever holds that card.
            card = self._meanwhile.choice([card for card in range(64) if card not in self._own_cards(table)])
            await reader.ask(Act(0, table.state.game, table.state.play.number, PLAYS[card]))
        else:
            return await self._read_anew(house, table, reader)
        return reader

    async def _read_anew(self, house: House, table: Table, older: HeardPeer) -> HeardPeer:
        """Let the reader connect anew while the older connection still stands, with the events that they hold."""

        def follow(stream: Stream) -> None:
            stream.payloads = self.world.received

        again = JoinTable if self._reads_at_seat() else WatchTable
        reader, _ = await arrive(house, older.stream.name, random.Random(2), older.token, follow)
        reader.held = older.held
        await reader.expect(again(0, table.code, game=older.game, since=older.number()), Attending)
        if self._reads_at_seat():
            self._peers[self.plan.reader or 0] = reader
        return reader

    def _own_cards(self, table: Table) -> tuple[int, ...]:
        deals = [event for event in table.state.events if isinstance(event, RoundDealt)]
        own = deals[-1].hands[self.plan.reader] if deals and self.plan.reader is not None else None
        return own or ()


async def first_world(plan: Plan) -> World:
    """Play the plan as it comes."""
    return await _Game(plan, None).play()


async def second_world(plan: Plan, first: World, hands: Hands) -> World:
    """Play the plan again, with these hands in its last round, everybody doing what they did. Raises Diverged."""

    def dealt(rules: RuleSet, number: int, fairness: Fairness, previous: int | None = None) -> Deal:
        deal = shuffled_deal(rules, number, fairness, previous)
        return Deal(hands, deal.first, fairness) if number == plan.stop_round else deal

    with patch("looseends_server.turns.shuffled_deal", dealt):
        world = await _Game(plan, first.actions).play()
    if seen_by_all(world.events) != seen_by_all(first.events):
        raise Diverged("what everybody sees is not the same")
    return world


def seen_by_all(events: Sequence[Event]) -> list[Event]:
    """Return the events as somebody sees them who has no hand."""
    return [RoundDealt(event.round, event.first, ()) if isinstance(event, RoundDealt) else event for event in events]


def other_hands(plan: Plan, first: World, chance: random.Random) -> Hands | None:
    """Return hands of the last round with which all could have happened as it did; None where none were found.

    The reader's own hand is the same, so is each card that somebody showed, and nobody has what they showed that they
    lack.
    """
    start = max(at for at, event in enumerate(first.events) if isinstance(event, RoundDealt))
    dealt = first.events[start]
    assert isinstance(dealt, RoundDealt)
    hands = [hand or () for hand in dealt.hands]
    shown, lacking = _shown_and_lacking(plan.rules, first.events, start)
    undealt = set(deck(plan.rules.players, plan.rules.getaway)) - {card for hand in hands for card in hand}
    others = [seat for seat in range(plan.rules.players) if seat != plan.reader]
    hidden = {seat: [card for card in hands[seat] if card not in shown[seat]] for seat in others}
    pool = [*undealt, *(card for cards in hidden.values() for card in cards)]
    for _ in range(60):
        chance.shuffle(pool)
        left = list(pool)
        dealt_otherwise = list(hands)
        for seat in sorted(others, key=lambda seat: -len(lacking[seat])):
            fitting = [card for card in left if suit_of(card) not in lacking[seat]][: len(hidden[seat])]
            left = [card for card in left if card not in fitting]
            dealt_otherwise[seat] = (*(card for card in hands[seat] if card in shown[seat]), *fitting)
        chosen = tuple(dealt_otherwise)
        if [set(hand) for hand in chosen] != [set(hand) for hand in hands] and _can_happen(plan, first, start, chosen):
            return chosen
    return None


def _shown_and_lacking(rules: RuleSet, events: Sequence[Event], start: int) -> tuple[list[set[int]], list[set[int]]]:
    """Return by seat the cards it showed from that event on, and the suits it could not follow."""
    state = State(rules)
    shown: list[set[int]] = [set() for _ in range(rules.players)]
    lacking: list[set[int]] = [set() for _ in range(rules.players)]
    for at, event in enumerate(events):
        if at > start and isinstance(event, CardBid | CardPlayed):
            shown[event.seat].add(event.card)
            lead = state.lead_suit() if isinstance(event, CardPlayed) else None
            if lead is not None and suit_of(event.card) not in (lead, GETAWAY):
                lacking[event.seat].add(lead)
        evolve(state, event)
    return shown, lacking


def _can_happen(plan: Plan, first: World, start: int, hands: Hands) -> bool:
    """Return whether the rules let the events from that one on happen with these hands."""
    state = State(plan.rules)
    for event in first.events[:start]:
        evolve(state, event)
    dealt = first.events[start]
    assert isinstance(dealt, RoundDealt)
    if any(len(hand) != plan.rules.hand_size for hand in hands):
        return False
    for event in deal_round(state, Deal(hands, dealt.first)):
        evolve(state, event)
    record = record_of(plan.rules, [""] * plan.rules.players, first.events)
    happened: list[Event] = []
    for seat, action in record.rounds[-1].actions:
        try:
            events = decide(state, seat, action)
        except IllegalAction:
            return False
        for event in events:
            evolve(state, event)
        happened += events
    return happened == first.events[start + 1 :]
