"""The host's rights: whose they are, and when they pass on."""

from __future__ import annotations

from looseends_core.rules import rule_set
from looseends_protocol.messages import Attending, Done, JoinTable, LeaveTable, Said, SeatsChanged, StepAway, Unseat
from looseends_server.house import House
from tests.server.faulty_store import FaultyStore
from tests.server.peers import HandClock, Peer, arrive, come_back, open_house, seated_table, settled, start


def host_shown(peer: Peer) -> str:
    return peer.got(SeatsChanged)[-1].host


def last_line(peer: Peer) -> str:
    return [push.line.text for push in peer.got(Said) if push.line.kind == "system"][-1]


async def three(clock: HandClock, store: FaultyStore | None = None) -> tuple[House, list[Peer]]:
    """Seats in the order ann, cy, bob by how long they have sat there: cy took the last seat first."""
    house = await open_house(clock, store)
    (ann,) = await seated_table(house, ["ann"], rule_set(3))
    assert ann.table is not None
    cy, _ = await arrive(house, "cy")
    await cy.expect(JoinTable(0, ann.table.code, 2), Attending)
    bob, _ = await arrive(house, "bob")
    await bob.expect(JoinTable(0, ann.table.code), Attending)
    return house, [ann, bob, cy]


async def test_when_the_host_leaves_they_pass_to_the_person_seated_longest() -> None:
    _house, (ann, bob, cy) = await three(HandClock())
    await ann.expect(LeaveTable(0), Done)
    await settled()
    assert host_shown(bob) == host_shown(cy) == "cy"
    assert last_line(bob) == "cy is the host now."
    await cy.expect(Unseat(0, 1), Done)


async def test_they_pass_after_a_minute_without_the_host_and_not_before() -> None:
    clock = HandClock()
    _house, (ann, bob, _cy) = await three(clock)
    ann.close()
    await settled()
    await clock.advance(59)
    assert host_shown(bob) == "ann"
    await clock.advance(3)
    assert host_shown(bob) == "cy"
    assert last_line(bob) == "cy is the host now."


async def test_a_host_who_is_back_within_the_minute_stays_host_and_later_is_host_no_more() -> None:
    clock = HandClock()
    house, (ann, bob, cy) = await three(clock)
    await ann.expect(StepAway(0), Done)
    await clock.advance(50)
    assert ann.table is not None
    await ann.expect(JoinTable(0, ann.table.code), Attending)
    await clock.advance(30)
    assert host_shown(bob) == "ann"
    ann.close()
    await clock.advance(70)
    await come_back(house, ann)
    await clock.advance(70)
    assert host_shown(cy) == "cy", "what has passed on does not pass back"


async def test_they_pass_to_somebody_who_is_there() -> None:
    clock = HandClock()
    _house, (ann, bob, cy) = await three(clock)
    cy.close()
    await settled()
    await ann.expect(LeaveTable(0), Done)
    await settled()
    assert host_shown(bob) == "bob"


async def test_with_nobody_there_when_the_host_leaves_the_first_to_come_back_is_host() -> None:
    clock = HandClock()
    house, (ann, bob, cy) = await three(clock)
    await start([ann])
    await settled()
    await cy.expect(LeaveTable(0), Done)
    bob.close()
    await settled()
    await ann.expect(LeaveTable(0), Done)
    bob = await come_back(house, bob)
    assert bob.table is not None
    assert bob.table.host == "bob"


async def test_a_new_person_at_a_table_whose_host_is_gone_becomes_host() -> None:
    clock = HandClock()
    house = await open_house(clock)
    (ann,) = await seated_table(house, ["ann"], rule_set(3))
    assert ann.table is not None
    ann.close()
    await settled()
    bob, _ = await arrive(house, "bob")
    await bob.expect(JoinTable(0, ann.table.code), Attending)
    await clock.advance(63)
    assert host_shown(bob) == "bob"


async def test_a_seat_is_free_again_after_two_minutes_away_from_a_table_that_has_not_started() -> None:
    clock = HandClock()
    _house, (ann, bob, _cy) = await three(clock)
    bob.close()
    await clock.advance(119)
    assert ann.got(SeatsChanged)[-1].seats[1].name == "bob"
    await clock.advance(3)
    assert ann.got(SeatsChanged)[-1].seats[1].kind == "open"
    assert last_line(ann) == "bob was away for long; the seat is free again."


async def test_in_a_running_game_they_pass_too_and_survive_a_restart() -> None:
    clock = HandClock()
    store = FaultyStore()
    house, (ann, bob, cy) = await three(clock, store)
    await start([ann])
    await settled()
    assert ann.table is not None
    code = ann.table.code
    ann.close()
    await settled()
    await clock.advance(62)
    assert host_shown(bob) == "cy"
    house = await open_house(clock, store.lose_unsynced())
    cy = await come_back(house, cy)
    assert cy.table is not None
    assert cy.table.host == "cy"
    await cy.expect(Unseat(0, 0), Done)
    assert house.tables[code].state.seats[0].away == "removed"
