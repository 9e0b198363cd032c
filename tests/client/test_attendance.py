"""Being at a table: gaps are healed, a lost connection is gone back on, nonces are given once, nothing is doubled."""

from __future__ import annotations

import contextlib
import random
from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest

from looseends_client.game_client import NO_ID, Connected, RequestRefused
from looseends_client.narration import plain
from looseends_client.table_model import TableModel
from looseends_client.visits import TableWish, Visits
from looseends_core.rules import rule_set
from looseends_core.state import Phase
from looseends_protocol.messages import (
    Attending,
    BeReady,
    CreateTable,
    Detached,
    Happened,
    JoinTable,
    Push,
    Resync,
    Say,
    SeatsChanged,
    StartGame,
    TableOptions,
    Unseat,
    WatchTable,
)
from looseends_server.house import House
from looseends_server.limits import Limits, ServerSettings
from looseends_server.snapshots import attending
from tests.client.at_house import SHORT, Guest
from tests.client.scripted_server import ClientClock
from tests.server.peers import FAST, Peer, arrive, open_house, play_on, settled


@pytest.fixture
def clock() -> ClientClock:
    return ClientClock()


@pytest.fixture
async def house(clock: ClientClock) -> AsyncIterator[House]:
    limits = Limits(burst_messages=10_000, resyncs=10_000)
    house = await open_house(clock, settings=ServerSettings(limits=limits))
    yield house
    closing = settled(60)
    await house.close()
    await closing


@pytest.fixture
async def ann(house: House, clock: ClientClock) -> AsyncIterator[Guest]:
    guest = Guest(house, "ann", clock)
    await guest.client.connect()
    yield guest
    await guest.client.close()


def told(model: TableModel) -> list[str]:
    return [plain(line.words) for line in model.log if line.kind == "story"]


def told_anew(guest: Guest) -> list[str]:
    """Return the story that the whole game as the server has it tells."""
    table = guest.line.house.tables[guest.at.model.code]
    model = TableModel(lambda: 0.0)
    model.attend(attending(table, 0, guest.at.model.seat, 0, 0))
    return told(model)


def over(guest: Guest) -> bool:
    return guest.at.model.phase == "over"


@pytest.mark.parametrize("seed", range(4))
async def test_a_game_in_which_pushes_go_missing_is_the_whole_game(
    ann: Guest, house: House, clock: ClientClock, seed: int
) -> None:
    rng = random.Random(seed)
    lost: list[msgspec.Struct] = []

    def drops(pushed: msgspec.Struct) -> bool:
        if isinstance(pushed, Push) and rng.random() < 0.3:
            lost.append(pushed)
            return True
        return False

    at = await ann.sit_alone()
    ann.drops = drops
    table = house.tables[at.model.code]
    for _ in range(400):
        await settled(5)
        if at.model.my_turn and at.model.state.number == table.state.play.number:
            await at.act(ann.rng.choice(at.model.legal()))
        elif at.model.phase == "between" and 0 not in at.model.ready:
            with contextlib.suppress(RequestRefused):  # the push that says we are ready was lost
                await at.be_ready()
        await clock.advance(0.1)
        table.system_says("Time goes by.")  # what is lost last is found by the push behind it
        if table.state.stage == "over":
            break
    ann.drops = lambda pushed: False
    table.system_says("The end.")
    await settled()
    assert over(ann)
    assert len(lost) > 5
    assert at.model.state == ann.as_the_server_knows()
    assert told(at.model) == told_anew(ann)


async def test_pushes_that_come_while_the_table_is_asked_for_are_taken_behind_it(ann: Guest, house: House) -> None:
    at = await ann.sit_alone()
    await ann.play_until(lambda: at.model.my_turn and at.model.state.phase is Phase.PLAYING)
    table = house.tables[at.model.code]
    ahead = Happened(at.model.sequence + 2, ())
    later = Happened(table.sequence + 1, ())
    at.take(ahead)  # a gap: the table is asked for
    at.take(later)  # and this one waits for it
    await settled()
    assert at.model.sequence == later.sequence
    assert at.model.state == ann.as_the_server_knows()


@pytest.mark.parametrize("lost_at", [3, 9, 20])
async def test_coming_back_asks_for_what_was_missed_alone(ann: Guest, clock: ClientClock, lost_at: int) -> None:
    at = await ann.sit_alone(SHORT, TableOptions(bots=0, absence="bot", clock_seconds=5))
    await ann.play_until(lambda: at.model.state.number >= lost_at)
    shown: list[Attending] = []
    model = at.model
    attend = model.attend

    def attend_and_tell(table: Attending) -> None:
        shown.append(table)
        attend(table)

    model.attend = attend_and_tell  # type: ignore[method-assign]
    number = model.state.number
    ann.line.cut()
    await clock.advance(0.2)
    assert not ann.is_online()
    await clock.advance(30)
    assert ann.is_online()
    await ann.play_until(lambda: over(ann))
    assert shown[0].from_number == number
    assert model.state == ann.as_the_server_knows()
    assert told(model) == told_anew(ann)
    assert [event.again for event in ann.events if isinstance(event, Connected)] == [False, True]


async def test_a_rematch_that_began_meanwhile_is_found(ann: Guest, house: House, clock: ClientClock) -> None:
    rules = rule_set(2, rounds=1, hand_size=2)
    at = await ann.go(CreateTable(NO_ID, rules, FAST))
    bob, _ = await arrive(house, "bob")
    await bob.expect(JoinTable(NO_ID, at.model.code), Attending)
    await at.start()

    async def both_until_over() -> None:
        for _ in range(500):
            bob.act_if_due()
            if at.model.my_turn:
                await at.act(ann.rng.choice(at.model.legal()))
            await clock.advance(0.05)
            if over(ann):
                return
        raise AssertionError("the game never ended")

    await both_until_over()
    await at.be_ready()
    ann.line.cut()
    await settled()
    await bob.ask(BeReady(0, 1))
    await play_on([bob], lambda: bob.game == 2)
    await clock.advance(6)  # without ann's nonce the deal waits 5 s
    assert at.model.game == 1 or ann.client.online
    await clock.advance(2)
    assert at.model.game == 2
    await both_until_over()
    assert at.model.state == ann.as_the_server_knows()
    bob.close()


async def test_whoever_is_taken_off_the_seat_hears_why_and_nothing_more(ann: Guest, house: House) -> None:
    host, _ = await arrive(house, "host")
    table = await host.expect(CreateTable(0, SHORT, FAST), Attending)
    at = await ann.join(table.code)
    assert at.model.seat == 1
    await host.ask(Unseat(0, 1))
    await settled()
    assert ann.detached == ["The host of the table took you off your seat."]
    assert at.over
    before = at.model.revision
    at.take(Happened(at.model.sequence + 1, ()))
    assert at.model.revision == before
    host.close()


async def test_a_seat_that_is_gone_when_one_comes_back_ends_in_a_sentence(
    ann: Guest, house: House, clock: ClientClock
) -> None:
    host, _ = await arrive(house, "host")
    table = await host.expect(CreateTable(0, rule_set(2), FAST), Attending)
    await ann.join(table.code)
    ann.line.cut()
    await settled()
    await host.ask(Unseat(0, 1))
    bob: Peer
    bob, _ = await arrive(house, "bob")
    await bob.expect(JoinTable(0, table.code), Attending)
    await clock.advance(2)
    assert ann.detached == ["Every seat of that table is taken."]
    host.close()
    bob.close()


async def test_one_nonce_a_round_and_the_same_again_when_asked_again(ann: Guest, house: House) -> None:
    host, _ = await arrive(house, "host")
    host.nonces = False
    table = await host.expect(CreateTable(0, rule_set(2, rounds=1, hand_size=2), FAST), Attending)
    at = await ann.join(table.code)
    await host.ask(StartGame(0))
    await settled()
    assert ann.drawn == 1
    given = at.model.nonce_of(1)
    assert given is not None
    house_table = house.tables[table.code]
    assert house_table.state.proofs[1].nonces[1] == given
    at.take(Happened(at.model.sequence + 5, ()))
    await settled()
    assert ann.drawn == 1
    assert at.model.nonce_of(1) == given
    host.close()


async def test_after_a_round_the_deal_is_proven_with_the_nonce_that_was_given(ann: Guest) -> None:
    at = await ann.sit_alone()
    await ann.play_until(lambda: over(ann) and len(at.model.proofs) == 2)
    assert [proof.words for proof in at.model.proofs.values()] == ["deal proven, nonces 3 of 3"] * 2
    assert ann.drawn == 2


async def test_who_is_sent_away_right_behind_being_let_in_hears_of_it(
    ann: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both can be in one piece of what comes, so that the second is there before the first was taken."""
    visits = Visits(ann.entropy, on_change=lambda: None, on_lost=ann.detached.append)
    ask = ann.client.request

    async def asked(message: Any, expected: Any) -> Any:
        answer = await ask(message, expected)
        visits.take(Detached("table/unseated", "The host gave your seat away."))
        return answer

    monkeypatch.setattr(ann.client, "request", asked)
    await visits.make(ann.client, TableWish(SHORT, FAST))
    assert ann.detached == ["The host gave your seat away."]
    assert visits.attendance is not None
    assert visits.attendance.over


async def test_a_spectator_comes_back_with_the_table_s_password(house: House, clock: ClientClock, ann: Guest) -> None:
    host, _ = await arrive(house, "host")
    table = await host.expect(CreateTable(0, SHORT, FAST, password="sesame"), Attending)
    visits = Visits(ann.entropy, on_change=lambda: None, on_lost=ann.detached.append)
    await visits.go(ann.client, WatchTable(NO_ID, table.code, password="sesame"))
    ann.attendance = visits.attendance
    await host.until(lambda: host.got(SeatsChanged)[-1:] and host.got(SeatsChanged)[-1].watching)
    ann.line.cut()
    await host.until(lambda: not host.got(SeatsChanged)[-1].watching)
    await clock.advance(2)
    await host.until(lambda: host.got(SeatsChanged)[-1].watching)
    await host.ask(Say(0, "welcome back"))
    await settled()
    assert plain(ann.at.model.log[-1].words) == "host: welcome back"
    assert ann.detached == []
    host.close()


async def test_a_table_that_cannot_be_given_now_is_asked_for_again(clock: ClientClock) -> None:
    limits = Limits(burst_messages=10_000, resyncs=2, resync_seconds=60)
    house = await open_house(clock, settings=ServerSettings(limits=limits))
    ann = Guest(house, "ann", clock)
    await ann.client.connect()
    at = await ann.sit_alone()
    await ann.play_until(lambda: at.model.my_turn)
    for _ in range(3):
        at.take(Happened(at.model.sequence + 5, ()))
        await settled()
    words = [plain(line.words) for line in at.model.log if line.kind == "system"]
    assert words.count("Too many messages: wait a little.") == 1
    assert not at.over
    await clock.advance(61)
    await ann.client.request(Resync(NO_ID), Attending)
    assert at.model.state == ann.as_the_server_knows()
    await ann.client.close()
    await house.close()
