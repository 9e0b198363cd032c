"""A fault of our own, planted where it hurts, stays in its table or request; the table goes on from what is kept."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from looseends_core.actions import Action, Play
from looseends_core.bots import Level
from looseends_core.decide import legal_actions
from looseends_core.rules import rule_set
from looseends_core.state import State
from looseends_protocol.messages import (
    Attending,
    Done,
    JoinTable,
    LookAt,
    Refused,
    Resync,
    Said,
    Say,
    SeatsChanged,
    StartGame,
)
from looseends_server import bot_turn, table_requests, turns, upkeep
from looseends_server.house import House
from looseends_server.table import Table
from tests.server.conftest import Logged
from tests.server.faulty_store import FaultyStore
from tests.server.peers import (
    FAST,
    HandClock,
    Peer,
    arrive,
    come_back,
    open_house,
    play_on,
    seated_table,
    settled,
    start,
)
from tests.server.test_roles import AT_THE_TABLE


class Scene:
    def __init__(
        self, store: FaultyStore, clock: HandClock, house: House, players: list[Peer], others: list[Peer]
    ) -> None:
        self.store = store
        self.clock = clock
        self.house = house
        self.players = players
        self.others = others
        assert players[0].table is not None
        assert others[0].table is not None
        self.table = house.tables[players[0].table.code]
        self.other_table = house.tables[others[0].table.code]

    async def others_go_on(self) -> None:
        number = self.other_table.state.play.number
        await play_on(self.others, lambda: self.other_table.state.play.number > number + 3)

    def assert_frozen_and_told(self) -> None:
        assert self.table.phase == "frozen"
        for peer in self.players:
            assert peer.got(SeatsChanged)[-1].phase == "frozen"
            assert "set aside after a fault" in peer.got(Said)[-1].line.text

    async def goes_on(self) -> None:
        for peer in self.players:
            peer.may_miss = True
        await self.clock.advance(3)
        assert self.table.phase != "frozen"
        await play_on(self.players, lambda: self.table.state.stage == "over")
        await settled()
        for seat, peer in enumerate(self.players):
            assert peer.view == self.table.view_of(seat)


async def scene() -> Scene:
    store = FaultyStore()
    clock = HandClock()
    house = await open_house(clock, store)
    rules = rule_set(3, hand_size=6, max_bid=3, rounds=2)
    players = await seated_table(house, ["ann", "bob"], rules, FAST, bots=1)
    others = await seated_table(house, ["cy", "dee"])
    await start(others)
    await start(players)
    await play_on([*players, *others], lambda: all(peer.view and peer.view.number > 5 for peer in (*players, *others)))
    await settled()
    return Scene(store, clock, house, players, others)


class Planted(Exception):
    """A fault that a test made."""


def raises_once(of: Any, name: str, where: Callable[..., bool], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a function of ours raise the first time that `where` is true for its arguments."""
    real = getattr(of, name)

    def planted(*arguments: Any, **named: Any) -> Any:
        if where(*arguments):
            monkeypatch.setattr(of, name, real)
            raise Planted(name)
        return real(*arguments, **named)

    monkeypatch.setattr(of, name, planted)


async def act_until(at: Scene, fact: Callable[[], Any]) -> None:
    for _ in range(200):
        if fact():
            return
        for peer in at.players:
            peer.act_if_due()
        await settled(3)
    raise AssertionError("never happened")


@pytest.mark.parametrize(
    ("of", "name"),
    [
        (Table, "announce_events"),
        (Table, "_apply"),
        (turns.Turns, "_bot_acts"),
        (turns.Turns, "arm"),
        (bot_turn.BotTurn, "choice"),
    ],
)
async def test_a_fault_freezes_its_table_alone_and_it_goes_on_by_itself(
    of: Any, name: str, monkeypatch: pytest.MonkeyPatch, logged: Logged
) -> None:
    at = await scene()
    raises_once(of, name, lambda self, *rest: getattr(self, "_table", self) is at.table, monkeypatch)
    await act_until(at, lambda: at.table.frozen)
    await settled()
    at.assert_frozen_and_told()
    logged.expect("table fault")
    await at.others_go_on()
    for peer in at.players:
        peer.may_miss = True
    assert await at.players[0].refused(StartGame(0)) == "table/frozen"
    await at.players[0].expect(Say(0, "what now?"), Done)
    await at.players[0].expect(Resync(0), Attending)
    await at.goes_on()


async def test_a_fault_half_way_through_a_change_leaves_nothing_half_done(
    monkeypatch: pytest.MonkeyPatch, logged: Logged
) -> None:
    at = await scene()
    number = at.table.state.play.number

    def corrupt(state: State, event: object) -> None:
        monkeypatch.undo()
        state.hands[0] = 0
        raise Planted

    at.table.view_of(2)  # from here on a bot's view is folded beside the table
    monkeypatch.setattr("looseends_server.table.evolve", corrupt)
    await act_until(at, lambda: at.table.frozen)
    logged.expect("table fault")
    await at.goes_on()
    assert at.table.state.play.number > number


@pytest.mark.parametrize("kind", list(table_requests.HANDLERS), ids=lambda kind: kind.__name__)
async def test_a_fault_in_one_request_is_answered_and_stays_there(
    kind: type, monkeypatch: pytest.MonkeyPatch, logged: Logged
) -> None:
    at = await scene()

    def planted(*_arguments: Any) -> None:
        raise Planted

    monkeypatch.setitem(table_requests.HANDLERS, kind, planted)
    facts = at.table.journal_length
    answer = await at.players[0].expect(sample_of(kind), Refused)
    assert answer.error == "server/fault"
    assert at.table.journal_length == facts
    logged.expect("request failed")
    monkeypatch.undo()
    await play_on(at.players, lambda: at.table.state.stage == "over")


def sample_of(kind: type) -> Any:
    """A request of that kind that is one; what it asks for matters to nobody here."""
    for request in AT_THE_TABLE:
        if type(request) is kind:
            return request
    if kind is LookAt:
        return LookAt(0, 1)
    return Say(0, "hello") if kind is Say else kind(0)


async def test_a_fault_while_looking_after_one_table_does_not_keep_the_others_waiting(
    monkeypatch: pytest.MonkeyPatch, logged: Logged
) -> None:
    at = await scene()
    for peer in at.players:
        peer.may_miss = True
    raises_once(upkeep, "_free_a_seat", lambda table: table is at.table, monkeypatch)
    at.others[0].close()
    await at.clock.advance(1.5)
    at.assert_frozen_and_told()
    logged.expect("table fault")
    await at.clock.advance(62)
    assert at.others[1].got(SeatsChanged)[-1].host == "dee"
    await at.goes_on()


async def test_nobody_sits_down_or_comes_back_for_good_at_a_table_that_stands_still(
    monkeypatch: pytest.MonkeyPatch, logged: Logged
) -> None:
    clock = HandClock()
    house = await open_house(clock)
    ann, bob = await seated_table(house, ["ann", "bob"], rule_set(3))
    assert ann.table is not None
    table = house.tables[ann.table.code]
    cy, _ = await arrive(house, "cy")
    raises_once(upkeep, "_free_a_seat", lambda _table: True, monkeypatch)
    ann.may_miss = bob.may_miss = True
    await clock.advance(1.5)
    logged.expect("table fault")
    facts = table.journal_length
    assert await cy.refused(JoinTable(0, table.code)) == "table/frozen"
    assert table.journal_length == facts
    await bob.expect(JoinTable(0, table.code), Attending)  # one's own seat can be looked at
    await clock.advance(3)
    await cy.expect(JoinTable(0, table.code), Attending)


async def test_a_table_that_fails_again_and_again_stays_frozen_and_is_fine_after_a_restart(
    monkeypatch: pytest.MonkeyPatch, logged: Logged
) -> None:
    at = await scene()

    def always(self: Table, *_rest: Any) -> None:
        raise Planted

    real = Table.announce_events
    monkeypatch.setattr(
        Table, "announce_events", lambda self, events: always(self) if self is at.table else real(self, events)
    )
    for peer in at.players:
        peer.may_miss = True
    for _ in range(12):
        for _ in range(40):
            for peer in at.players:
                peer.act_if_due()
            await settled(3)
        await at.clock.advance(130)
    assert at.table.phase == "frozen"
    logged.expect("table fault")
    await at.clock.advance(3000)
    assert at.table.phase == "frozen"
    await at.others_go_on()
    monkeypatch.undo()
    house = await open_house(at.clock, at.store.lose_unsynced())
    players = [await come_back(house, peer, knowing=False) for peer in at.players]
    await play_on(players, lambda: house.tables[at.table.code].state.stage == "over")


def raising(_view: State, _rng: random.Random) -> Action:
    raise Planted


def cheating(view: State, _rng: random.Random) -> Action:
    return next(Play(card) for card in range(64) if Play(card) not in legal_actions(view))


def silent(_view: State, _rng: random.Random) -> Action:
    return None  # type: ignore[return-value]


@pytest.mark.parametrize("choose", [raising, cheating, silent])
async def test_a_bot_that_raises_or_cheats_is_replaced_by_a_legal_action(
    choose: Callable[[State, random.Random], Action], logged: Logged
) -> None:
    clock = HandClock()
    house = await House.open(None, clock=clock, levels={"rookie": Level("rookie", "Broken.", choose)})
    house.settings = (await open_house(clock)).settings
    (ann,) = await seated_table(house, ["ann"], rule_set(3, variants=("getaway", "plan-b")), FAST, bots=2)
    await start([ann])
    await play_on([ann], lambda: ann.view and ann.view.winners)
    logged.expect("bot failed" if choose is raising else "bot chose what is not legal")


async def test_a_bot_decides_from_its_view_alone() -> None:
    seen: list[State] = []

    def look(view: State, rng: random.Random) -> Action:
        seen.append(view)
        seat = view.turn
        assert seat is not None
        assert view.hand_known == [at == seat for at in range(3)]
        assert [view.hands[at] for at in range(3) if at != seat] == [0, 0]
        return legal_actions(view)[0]

    clock = HandClock()
    house = await open_house(clock)
    house.levels = {"rookie": Level("rookie", "Looks.", look)}
    (ann,) = await seated_table(house, ["ann"], rule_set(3, rounds=2), FAST, bots=2)
    await start([ann])
    await play_on([ann], lambda: ann.view and ann.view.winners)
    assert len(seen) > 20
    assert all(view is not house.tables[next(iter(house.tables))].state.play for view in seen)


async def test_a_bot_level_that_is_gone_after_a_restart_is_replaced_by_legal_actions(logged: Logged) -> None:
    at = await scene()
    house = await open_house(at.clock, at.store.lose_unsynced())
    house.levels = {}
    players = [await come_back(house, peer) for peer in at.players]
    await play_on(players, lambda: house.tables[at.table.code].state.stage == "over")
    logged.expect("bot failed")
