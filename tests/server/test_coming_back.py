"""Coming back: a new connection takes over at once, and nothing of the table is missed or doubled."""

from __future__ import annotations

import asyncio
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from looseends_core.rules import rule_set
from looseends_core.state import Phase
from looseends_protocol.legal import actions_of
from looseends_protocol.limits import PROTOCOL_MAJOR
from looseends_protocol.messages import (
    Act,
    Attending,
    BeReady,
    Done,
    Hello,
    JoinTable,
    LeaveTable,
    Refused,
    Resync,
    Said,
    SeatsChanged,
    TableOptions,
    WatchTable,
    Welcome,
)
from looseends_server.house import House
from looseends_server.limits import Limits, ServerSettings
from tests.server.faulty_store import FaultyStore
from tests.server.peers import (
    FAST,
    HandClock,
    Peer,
    arrive,
    come_back,
    connect,
    open_house,
    play_on,
    seated_table,
    settled,
    start,
)


def system_lines(peer: Peer) -> list[str]:
    return [push.line.text for push in peer.got(Said) if push.line.kind == "system"]


async def running(clock: HandClock, options: TableOptions = FAST) -> tuple[House, list[Peer]]:
    house = await open_house(clock)
    players = await seated_table(house, ["ann", "bob"], options=options)
    await start(players)
    await play_on(players, lambda: players[0].view and players[0].view.number > 5)
    await settled()
    return house, players


async def test_the_same_identity_takes_over_at_once_while_the_old_line_looks_alive() -> None:
    clock = HandClock()
    house, (ann, bob) = await running(clock)
    heard = len(bob.heard)
    again = await come_back(house, ann)
    await settled()
    assert ann.lost
    assert ann.got(Refused)[-1].error == "session/taken_over"
    assert again.view == ann.view
    news = [message for message in bob.heard[heard:] if isinstance(message, SeatsChanged)]
    assert all(push.seats[0].connected and not push.seats[0].away for push in news)
    assert not any("lost" in line or "back" in line for line in system_lines(bob))


async def test_between_the_takeover_and_the_join_the_table_does_not_say_lost() -> None:
    clock = HandClock()
    house, (ann, bob) = await running(clock)
    await arrive(house, "", ann.token)
    watcher, _ = await arrive(house, "eve")
    assert bob.table is not None
    table = await watcher.expect(WatchTable(0, bob.table.code), Attending)
    assert table.seats[0].connected
    assert table.seats[0].away == ""


async def test_who_connects_anew_and_does_not_follow_to_the_table_is_missed_there() -> None:
    clock = HandClock()
    house, (ann, bob) = await running(clock)
    await arrive(house, "", ann.token)
    await clock.advance(20)
    seat = bob.got(SeatsChanged)[-1].seats[0]
    assert (seat.connected, seat.away) == (False, "lost")
    assert system_lines(bob)[-1] == "ann lost the connection."


async def test_a_lost_line_is_told_and_so_is_the_return() -> None:
    clock = HandClock()
    house, (ann, bob) = await running(clock)
    ann.close()
    await settled()
    assert system_lines(bob)[-1] == "ann lost the connection."
    assert bob.got(SeatsChanged)[-1].seats[0].away == "lost"
    await come_back(house, ann)
    await settled()
    assert system_lines(bob)[-1] == "ann is back."
    assert bob.got(SeatsChanged)[-1].seats[0].away == ""


async def test_the_welcome_names_the_seats_one_has() -> None:
    clock = HandClock()
    house, (ann, _bob) = await running(clock)
    _again, welcome = await arrive(house, "", ann.token)
    assert ann.table is not None
    assert [(seat.code, seat.seat, seat.phase) for seat in welcome.seats] == [(ann.table.code, 0, "playing")]
    assert welcome.token == b"", "a token is shown once"


async def test_the_welcome_leads_nobody_back_to_a_game_that_they_left_for_good() -> None:
    clock = HandClock()
    house, (ann, _bob) = await running(clock)
    await ann.expect(LeaveTable(0), Done)
    again, welcome = await arrive(house, "", ann.token)
    assert welcome.seats == ()
    assert ann.table is not None
    await again.expect(JoinTable(0, ann.table.code), Attending)  # who asks for it by its code still may
    _, welcome = await arrive(house, "", ann.token)
    assert [seat.seat for seat in welcome.seats] == [0]


async def test_a_second_resume_at_the_same_table_changes_nothing_and_says_nothing_to_others() -> None:
    clock = HandClock()
    house, (ann, bob) = await running(clock, TableOptions(bots=0, clock_seconds=30, absence="wait"))
    assert ann.table is not None
    table = house.tables[ann.table.code]
    on_turn = next(peer for peer in (ann, bob) if peer.legal is not None)
    heard = len(bob.heard), len(ann.heard)
    await clock.advance(25)
    assert table.turns.clock_milliseconds() == 5000
    facts = table.journal_length
    answer = await on_turn.expect(JoinTable(0, ann.table.code), Attending)
    assert answer.clock == 5000, "coming again gives no time"
    await settled()
    assert table.turns.clock_milliseconds() == 5000
    assert table.journal_length == facts
    assert [len(bob.heard), len(ann.heard)] == [heard[0] + (on_turn is bob), heard[1] + (on_turn is ann)]


async def test_a_resume_before_the_old_line_breaks_and_its_late_breaking_harm_nothing() -> None:
    clock = HandClock()
    house, (ann, bob) = await running(clock)
    third = await come_back(house, await come_back(house, ann))
    ann.close()
    await settled()
    assert bob.got(SeatsChanged)[-1].seats[0].connected
    await play_on([third, bob], lambda: third.view and third.view.round == 2)


async def test_a_storm_of_resumes_leaves_the_last_line_at_the_table() -> None:
    clock = HandClock()
    house, (ann, bob) = await running(clock)
    assert ann.table is not None
    storm = [connect(house) for _ in range(30)]
    for peer in storm:
        peer.post(Hello(0, PROTOCOL_MAJOR, token=ann.token))
        peer.post(JoinTable(0, ann.table.code))
    await settled(100)
    assert [peer.lost for peer in storm] == [True] * 29 + [False]
    last = storm[-1]
    assert last.table is not None
    last.token = ann.token
    await play_on([last, bob], lambda: last.view and last.view.round == 2)


async def test_a_snapshot_after_what_one_holds_carries_only_later_events() -> None:
    clock = HandClock()
    house, (ann, bob) = await running(clock)
    assert ann.view is not None
    held = ann.view.copy()
    await play_on([ann, bob], lambda: ann.view and ann.view.number > held.number + 4)
    await settled()
    answer = await ann.expect(Resync(0, ann.game, 0), Attending)
    assert answer.from_number == 0
    assert len(answer.events) == ann.view.number
    answer = await ann.expect(Resync(0, ann.game, ann.view.number), Attending)
    assert (answer.from_number, answer.events) == (ann.view.number, ())
    assert answer.sequence == ann.sequence
    other_game = await ann.ask(Resync(0, 7, 3))
    assert isinstance(other_game, Attending)
    assert other_game.from_number == 0, "what belongs to another game is worth nothing"
    beyond = await ann.ask(Resync(0, ann.game, 10_000))
    assert isinstance(beyond, Attending)
    assert beyond.from_number == 0
    assert house.tables[answer.code].state.play.number == ann.view.number


async def test_an_act_for_another_moment_is_stale_and_changes_nothing() -> None:
    clock = HandClock()
    house, (ann, bob) = await running(clock)
    peer = next(peer for peer in (ann, bob) if peer.legal is not None)
    view, legal = peer.view, peer.legal
    assert view is not None
    assert legal is not None
    assert peer.table is not None
    table = house.tables[peer.table.code]
    action = actions_of(legal, view.phase)[0]
    number = view.number
    before = table.journal_length
    for wrong in (
        Act(0, peer.game, number - 1, action),
        Act(0, peer.game, number + 1, action),
        Act(0, 9, number, action),
    ):
        assert await peer.refused(wrong) == "action/stale"
    assert table.journal_length == before
    first, repeat = peer.post(Act(0, peer.game, number, action)), peer.post(Act(0, peer.game, number, action))
    await settled()
    assert isinstance(peer.answer(first), Done)
    second = peer.answer(repeat)
    assert isinstance(second, Refused)
    assert second.error in ("action/stale", "action/not_your_turn")
    assert table.journal_length == before + 1


async def test_an_unknown_token_is_refused_and_a_second_hello_too() -> None:
    house = await open_house(HandClock())
    peer = connect(house)
    assert await peer.refused(Hello(0, PROTOCOL_MAJOR, token=b"\1" * 32)) == "hello/token"
    assert await peer.refused(Hello(0, PROTOCOL_MAJOR, token=b"short")) == "hello/token"
    await peer.expect(Hello(0, PROTOCOL_MAJOR, name="ann"), Welcome)
    assert await peer.refused(Hello(0, PROTOCOL_MAJOR, name="ann")) == "hello/again"


STEP = st.sampled_from(["act", "act", "act", "act", "drop", "takeover", "rejoin", "forget", "resync", "watch", "wait"])


@settings(max_examples=40)
@given(steps=st.lists(STEP, min_size=20, max_size=120), seed=st.integers(0, 10_000))
def test_a_view_that_drops_and_resumes_at_random_equals_one_that_never_did(steps: list[str], seed: int) -> None:
    asyncio.run(_drop_and_resume(steps, seed))


async def _drop_and_resume(steps: list[str], seed: int) -> None:
    clock = HandClock()
    rng = random.Random(seed)
    without_budgets = ServerSettings(limits=Limits(burst_messages=10_000, resyncs=1000))
    house = await open_house(clock, settings=without_budgets, seed=seed)
    rules = rule_set(3, variants=("getaway", "plan-b"), rounds=2, hand_size=4, max_bid=2)
    ann, bob = await seated_table(house, ["ann", "bob"], rules, bots=1)
    assert ann.table is not None
    code = ann.table.code
    steady_watcher, _ = await arrive(house, "steady")
    await steady_watcher.expect(WatchTable(0, code), Attending)
    watcher, _ = await arrive(house, "eve")
    await watcher.expect(WatchTable(0, code), Attending)
    ann.rng.seed(seed)
    await start([ann])
    gone: Peer | None = None
    for step in steps:
        match step:
            case "drop" if gone is None:
                ann.close()
                gone = ann
            case "takeover" if gone is None:
                ann = await come_back(house, ann)
            case "rejoin" if gone is not None:
                ann, gone = await come_back(house, gone), None
            case "forget" if gone is not None:
                ann, gone = await come_back(house, gone, knowing=False), None
            case "resync" if gone is None and ann.view is not None and not ann.waits_for_table:
                ann.post_resync(ann.view.number)
                await settled(rng.randrange(8))
            case "watch":
                watcher = await _watch_again(house, watcher)
            case "act":
                for peer in (bob, *([] if gone else [ann])):
                    peer.act_if_due()
                    if peer.view is not None and peer.view.round == 1 and peer.view.phase is Phase.DEALING:
                        peer.post(BeReady(0, 1))
                await settled(rng.randrange(8))
            case "wait":
                await clock.advance(rng.choice([0.5, 3.0, 50.0]))
            case _:
                await settled(rng.randrange(4))
    if gone is not None:
        ann = await come_back(house, gone)
    await settled()
    await clock.advance(0)
    table = house.tables[code]
    assert not any(peer.faults for peer in (ann, bob, watcher, steady_watcher))
    assert ann.view == table.view_of(0) if table.state.events else True
    assert bob.view is not None
    assert ann.view is not None
    assert ann.view.number == bob.view.number
    assert watcher.view == steady_watcher.view
    fresh = await bob.expect(Resync(0), Attending)
    assert bob.sequence == ann.sequence == fresh.sequence


async def _watch_again(house: House, old: Peer) -> Peer:
    peer, _ = await arrive(house, "", old.token)
    assert old.table is not None
    assert old.view is not None
    peer.view, game, since = old.view.copy(), old.game, old.view.number
    await peer.expect(WatchTable(0, old.table.code, game=game, since=since), Attending)
    return peer


@pytest.mark.parametrize("ending", ["drop", "takeover"])
async def test_a_request_that_waits_when_its_line_is_lost_does_no_harm(ending: str) -> None:
    store = FaultyStore()
    clock = HandClock()
    house = await open_house(clock, store)
    players = await seated_table(house, ["ann", "bob"])
    await start(players)
    await play_on(players, lambda: players[0].view and players[0].view.number > 3)
    await settled()
    peer = next(peer for peer in players if peer.legal is not None)
    other = next(one for one in players if one is not peer)
    assert peer.view is not None
    number = peer.view.number
    store.hold()
    peer.act_if_due()
    await settled()
    assert other.view is not None
    assert other.view.number == number, "nothing is told before it is durable"
    if ending == "drop":
        peer.close()
        await settled()
        store.release()
        await settled()
        again = await come_back(house, peer)
    else:
        newcomer, _ = await arrive(house, "", peer.token)
        assert peer.table is not None
        joined = newcomer.post(JoinTable(0, peer.table.code))
        await settled()
        assert newcomer.answer(joined) is None, "nobody sees a table in the middle of a change"
        store.release()
        await newcomer.until(lambda: newcomer.answer(joined))
        again = newcomer
    assert again.view is not None
    assert again.view.number == other.view.number > number
