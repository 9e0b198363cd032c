"""A server that stops at any instant and starts again: nothing that anybody saw is gone, and every game goes on."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from itertools import chain, combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from looseends_core.redact import redact
from looseends_core.rules import rule_set
from looseends_core.state import State, evolve
from looseends_core.verify import verify_text
from looseends_protocol.messages import (
    Attending,
    BeReady,
    GetRecord,
    JoinTable,
    LeaveTable,
    RecordText,
    SeatsChanged,
    TableOptions,
    WatchTable,
)
from looseends_server.facts import Fact, FellAsleep, NonceKept, written_fact
from looseends_server.house import House
from looseends_server.store.base import FactsAppended
from looseends_server.table import Job, Table
from tests.server.conftest import Logged
from tests.server.damage import damaged_journals
from tests.server.faulty_store import FaultyStore
from tests.server.peers import HandClock, Peer, arrive, come_back, open_house, play_on, seated_table, settled, start

VARIANTS = ("double-cross", "getaway", "plan-b")
EVERY_SET = list(chain.from_iterable(combinations(VARIANTS, size) for size in range(4)))


def assert_nothing_seen_is_gone(peer: Peer, table: Table, seat: int | None) -> None:
    """The view of who was connected is a beginning of what is kept, as that reader may know it."""
    view = peer.view
    if view is None or peer.game == 0:
        return
    assert peer.game <= table.state.game
    if peer.game < table.state.game:
        return
    assert view.number <= len(table.state.events)
    kept = State(table.state.rules)
    for event in table.state.events[: view.number]:
        evolve(kept, redact(event, seat))
    assert kept == view


@settings(max_examples=50)
@given(
    variants=st.sampled_from(EVERY_SET),
    stops=st.lists(st.integers(0, 60), min_size=1, max_size=6),
    seed=st.integers(0, 10_000),
    bots=st.integers(0, 2),
)
def test_at_any_point_of_any_game_everything_is_as_it_was(
    variants: tuple[str, ...], stops: list[int], seed: int, bots: int
) -> None:
    asyncio.run(_stop_and_start(variants, stops, seed, bots))


async def _stop_and_start(variants: tuple[str, ...], stops: list[int], seed: int, bots: int) -> None:
    rng = random.Random(seed)
    store = FaultyStore()
    clock = HandClock()
    house = await open_house(clock, store, seed=seed)
    hand_size = rng.choice([3, 5, 12])
    rules = rule_set(2 + bots, variants=variants, rounds=2, hand_size=hand_size, max_bid=2)
    options = TableOptions(bots=0, clock_seconds=rng.choice([0, 30]))
    players = await seated_table(house, ["ann", "bob"], rules, options, bots)
    assert players[0].table is not None
    code = players[0].table.code
    watcher, _ = await arrive(house, "eve")
    await watcher.expect(WatchTable(0, code), Attending)
    await start(players)
    for stop in stops:
        # Some acts are on their way, some queued and not committed, some committed and not told: whatever 0 to 60
        # turns of the loop and a store that holds back at some moment leave.
        for turn in range(stop):
            if turn == stop - rng.randrange(1, 12):
                store.hold()
            for peer in players:
                peer.act_if_due()
                if peer.view is not None and peer.view.round and peer.view.turn is None and rng.random() < 0.2:
                    peer.post(BeReady(0, peer.view.round))
            await asyncio.sleep(0)
        store.release(rng.randrange(3))
        await settled(rng.randrange(4))
        old = house.tables[code]
        number = old.state.play.number
        store = store.lose_unsynced()
        house = await open_house(clock, store, seed=rng.randrange(1000))
        table = house.tables[code]
        for seat, peer in ((0, players[0]), (1, players[1]), (None, watcher)):
            assert not peer.faults
            assert_nothing_seen_is_gone(peer, table, seat)
        assert table.state.play.number >= number
        assert [seat.name for seat in table.state.seats] == [seat.name for seat in old.state.seats]
        players = [await come_back(house, peer) for peer in players]
        again, _ = await arrive(house, "", watcher.token)
        await again.expect(WatchTable(0, code), Attending)
        watcher = again
    await play_on(players, lambda: house.tables[code].state.stage == "over")
    record = await players[0].expect(GetRecord(0), RecordText)
    verdict = verify_text(record.record.encode())
    assert (verdict.fault, verdict.unproven) == (None, ())


async def test_a_server_that_announced_before_it_committed_would_be_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def announce_first(self: Table, facts: Sequence[Fact], then: Job, failed: Job | None = None) -> None:
        self.house.store.write(
            FactsAppended(self.table, self.journal_length, tuple(written_fact(fact) for fact in facts)),
            lambda error: None,
        )
        self.journal_length += len(facts)
        for fact in facts:
            self.state.apply(fact)
        then()

    clock = HandClock()
    store = FaultyStore()
    _house, due, other, table = await in_turn(clock, store, 0)
    monkeypatch.setattr(Table, "commit", announce_first)
    store.hold()
    assert other.view is not None
    number = other.view.number
    due.act_if_due()
    await other.until(lambda: other.view and other.view.number > number)
    house = await open_house(clock, store.lose_unsynced())
    with pytest.raises(AssertionError):
        assert_nothing_seen_is_gone(other, house.tables[table.code], first_seat(other))


async def in_turn(clock: HandClock, store: FaultyStore, clock_seconds: int) -> tuple[House, Peer, Peer, Table]:
    """A game in which one of two people is due, with a turn clock."""
    house = await open_house(clock, store)
    players = await seated_table(house, ["ann", "bob"], options=TableOptions(bots=0, clock_seconds=clock_seconds))
    await start(players)
    await play_on(players, lambda: players[0].view and players[0].view.number > 4)
    await settled()
    due = next(peer for peer in players if peer.legal is not None)
    other = next(peer for peer in players if peer is not due)
    assert due.table is not None
    return house, due, other, house.tables[due.table.code]


@pytest.mark.parametrize(("at_commit", "left"), [(10, 110), (100, 30)])
async def test_the_turn_clock_goes_on_from_the_larger_of_thirty_seconds_and_what_was_left(
    at_commit: int, left: int
) -> None:
    clock = HandClock()
    store = FaultyStore()
    house, due, other, table = await in_turn(clock, store, 120)
    await clock.advance(at_commit)
    cy, _ = await arrive(house, "cy")
    await cy.expect(WatchTable(0, table.code), Attending)
    number = table.state.play.number
    # Something else is written in the middle of the turn: that is the last commit.
    table.commit([FellAsleep(0.0)], lambda: None)
    await settled()
    await clock.advance(5)
    house = await open_house(clock, store.lose_unsynced())
    back = await come_back(house, due)
    await come_back(house, other)
    assert back.table is not None
    assert back.table.clock == left * 1000
    await clock.advance(left - 0.5)
    assert house.tables[table.code].state.play.number == number
    await clock.advance(1)
    assert house.tables[table.code].state.play.number > number


async def test_a_turn_that_nothing_was_written_in_has_its_whole_time_after_a_restart() -> None:
    clock = HandClock()
    store = FaultyStore()
    _house, due, other, table = await in_turn(clock, store, 120)
    await clock.advance(80)
    table.commit([FellAsleep(0.0)], lambda: None)  # 40 seconds were left of this turn
    await settled()
    due.act_if_due()
    await settled()
    house = await open_house(clock, store.lose_unsynced())
    back = await come_back(house, other)
    assert back.table is not None
    assert back.table.clock == 120_000


async def test_after_a_restart_the_table_sleeps_until_somebody_is_back() -> None:
    clock = HandClock()
    store = FaultyStore()
    _house, due, other, table = await in_turn(clock, store, 30)
    number = table.state.play.number
    house = await open_house(clock, store.lose_unsynced())
    await clock.advance(500)
    assert house.tables[table.code].state.play.number == number
    await come_back(house, other)
    await clock.advance(29)
    assert house.tables[table.code].state.play.number == number
    await clock.advance(2)
    assert house.tables[table.code].state.play.number > number
    assert due.view is not None


async def test_who_left_and_who_was_host_is_known_after_a_restart() -> None:
    clock = HandClock()
    store = FaultyStore()
    house, due, other, _table = await in_turn(clock, store, 0)
    await due.ask(LeaveTable(0))
    house = await open_house(clock, store.lose_unsynced())
    again = await come_back(house, other)
    assert again.table is not None
    gone = again.table.seats[1 - (again.table.seat or 0)]
    assert (gone.away, gone.stand_in) == ("left", True)
    assert again.table.host == again.table.seats[again.table.seat or 0].name
    await play_on([again], lambda: again.legal is not None)


async def test_many_tables_are_all_there() -> None:
    clock = HandClock()
    store = FaultyStore()
    house = await open_house(clock, store)
    tables = [await seated_table(house, [f"a{number}", f"b{number}"]) for number in range(12)]
    for players in tables[:8]:
        await start(players)
    some = [peer for players in tables[:6] for peer in players]
    await play_on(some, lambda: all(peer.view and peer.view.number > 6 for peer in some))
    await settled()
    before = {code: table.state.play for code, table in house.tables.items()}
    house = await open_house(clock, store.lose_unsynced())
    assert {code: table.state.play for code, table in house.tables.items()} == before
    _, welcome = await arrive(house, "", tables[3][1].token)
    assert [seat.seat for seat in welcome.seats] == [1]


@pytest.mark.parametrize("damage", [b"", b"\xc1", b"\x92\x01\x91\xa4what", b"\x92\x63\x91\xa4what", None])
async def test_one_unreadable_table_is_set_aside_with_a_log_line_and_the_rest_runs(
    damage: bytes | None, logged: Logged
) -> None:
    clock = HandClock()
    store = FaultyStore()
    house = await open_house(clock, store)
    first = await seated_table(house, ["ann", "bob"])
    second = await seated_table(house, ["cy", "dee"])
    for players in (first, second):
        await start(players)
    await settled()
    assert first[0].table is not None
    assert second[0].table is not None
    facts = store.kept.tables[1].facts
    if damage is None:
        facts[0], facts[1] = facts[1], facts[0]
    else:
        facts[3] = damage
    house = await open_house(clock, store.lose_unsynced())
    assert "table set aside" in logged.events("error")
    assert list(house.tables) == [second[0].table.code]
    players = [await come_back(house, peer) for peer in second]
    await play_on(players, lambda: players[0].view and players[0].view.round == 2)
    ann, _ = await arrive(house, "", first[0].token)
    assert await ann.refused(JoinTable(0, first[0].table.code)) == "table/unknown"
    assert len(store.kept.tables[1].facts) == len(facts), "its rows stay where they are"


async def test_facts_that_cannot_follow_from_each_other_set_the_table_aside(logged: Logged) -> None:
    clock = HandClock()
    store = FaultyStore()
    house = await open_house(clock, store)
    await seated_table(house, ["ann", "bob"])
    store.kept.tables[1].facts.append(written_fact(NonceKept(7, bytes(16))))
    house = await open_house(clock, store.lose_unsynced())
    assert not house.tables
    assert "table set aside" in logged.events("error")


async def test_a_journal_damaged_in_any_way_keeps_no_server_from_starting_and_no_other_table_from_being_there() -> None:
    clock = HandClock()
    store = FaultyStore()
    house = await open_house(clock, store)
    first = await seated_table(house, ["ann", "bob"], rule_set(3, hand_size=4, max_bid=2), bots=1)
    second = await seated_table(house, ["cy", "dee"])
    await start(first)
    await play_on(first, lambda: first[0].view and first[0].view.round == 2)
    await settled()
    assert second[0].table is not None
    set_aside = 0
    for facts in damaged_journals(store.kept.tables[1].facts):
        damaged = store.lose_unsynced()
        damaged.kept.tables[1].facts = facts
        house = await open_house(clock, damaged)
        assert second[0].table.code in house.tables
        set_aside += len(house.tables) == 1
    assert set_aside > 50


async def test_after_a_restart_everybody_counts_as_having_lost_the_line_until_they_are_back() -> None:
    clock = HandClock()
    store = FaultyStore()
    _house, due, other, _table = await in_turn(clock, store, 0)
    house = await open_house(clock, store.lose_unsynced())
    first = await come_back(house, due)
    await settled()
    assert first.got(SeatsChanged)[-1].seats[1 - first_seat(first)].away == "lost"
    await come_back(house, other)
    await settled()
    assert first.got(SeatsChanged)[-1].seats[1 - first_seat(first)].away == ""


def first_seat(peer: Peer) -> int:
    assert peer.table is not None
    assert peer.table.seat is not None
    return peer.table.seat
