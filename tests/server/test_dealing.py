"""The deal that anyone can check ([F1]): commitment before nonces, nonces before the deal, all of it kept."""

from __future__ import annotations

import pytest

from looseends_core.cards import card_set
from looseends_core.rules import rule_set
from looseends_core.shuffle import Fairness, commitment_of, shuffled_deal
from looseends_protocol.messages import (
    Attending,
    BeReady,
    Done,
    GiveNonce,
    Happened,
    Refused,
    RoundCommitted,
    RoundRevealed,
    SeatsChanged,
    StartGame,
    WatchTable,
)
from looseends_server.facts import Happened as HappenedFact
from looseends_server.facts import NonceKept, SecretCommitted, read_fact
from looseends_server.house import House
from looseends_server.table import Table
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
    stage_of,
)

pytestmark = pytest.mark.rule("F1")


async def dealing(clock: HandClock, store: FaultyStore | None = None, bots: int = 1) -> tuple[House, list[Peer], Table]:
    """A table at which two people owe their nonces for round 1, and give none by themselves."""
    house = await open_house(clock, store)
    players = await seated_table(house, ["ann", "bob"], bots=bots)
    for peer in players:
        peer.nonces = False
    await players[0].expect(StartGame(0), Done)
    await settled()
    assert players[0].table is not None
    table = house.tables[players[0].table.code]
    assert stage_of(table) == "dealing"
    return house, players, table


def nonce(number: int) -> bytes:
    return bytes([number]) * 16


def assert_deal_is_of(table: Table, nonces: list[bytes]) -> None:
    proof = table.state.proofs[1]
    deal = shuffled_deal(table.state.rules, 1, Fairness(proof.secret, tuple(nonces)))
    assert [card_set(hand) for hand in deal.hands] == table.state.play.hands
    assert deal.first == table.state.play.first


async def test_the_commitment_reaches_everybody_before_any_nonce_is_kept_and_nonces_before_the_deal() -> None:
    store = FaultyStore()
    clock = HandClock()
    house = await open_house(clock, store)
    players = await seated_table(house, ["ann", "bob"])
    assert players[0].table is not None
    watcher, _ = await arrive(house, "eve")
    await watcher.expect(WatchTable(0, players[0].table.code), Attending)
    for peer in players:
        peer.nonces = False
    store.hold()
    players[0].post(StartGame(0))
    await settled()
    assert not players[1].got(RoundCommitted), "a commitment is not public before it is durable"
    store.release()
    await settled()
    secret = house.tables[players[0].table.code].state.proofs[1].secret
    for peer in (*players, watcher):
        assert [push.commitment for push in peer.got(RoundCommitted)] == [commitment_of(secret)]
        assert secret not in peer.raw
    store.hold()
    for number, peer in enumerate(players):
        peer.post(GiveNonce(0, 1, nonce(number + 1)))
    await settled()
    assert not players[0].got(Happened)
    store.release()
    await settled()
    assert players[0].got(Happened)
    kinds = [type(read_fact(fact)) for fact in store.kept.tables[1].facts]
    deal = next(at for at, kind in enumerate(kinds) if kind is HappenedFact)
    assert kinds[deal - 3 : deal] == [SecretCommitted, NonceKept, NonceKept]
    assert_deal_is_of(house.tables[players[0].table.code], [nonce(1), nonce(2)])


async def test_who_gives_no_nonce_counts_as_zeros_after_five_seconds_and_a_bot_always() -> None:
    clock = HandClock()
    _house, (ann, _bob), table = await dealing(clock)
    await ann.expect(GiveNonce(0, 1, nonce(1)), Done)
    await clock.advance(4.9)
    assert stage_of(table) == "dealing"
    await clock.advance(0.2)
    assert stage_of(table) == "playing"
    assert_deal_is_of(table, [nonce(1), bytes(16), bytes(16)])


async def test_with_every_nonce_there_the_deal_waits_for_nothing() -> None:
    clock = HandClock()
    _house, (ann, bob), table = await dealing(clock)
    await bob.expect(GiveNonce(0, 1, nonce(2)), Done)
    await ann.expect(GiveNonce(0, 1, nonce(1)), Done)
    await settled()
    assert_deal_is_of(table, [nonce(1), nonce(2), bytes(16)])


async def test_a_second_nonce_and_one_for_another_round_are_refused_and_change_nothing() -> None:
    clock = HandClock()
    house, (ann, bob), table = await dealing(clock)
    assert await ann.refused(GiveNonce(0, 2, nonce(1))) == "nonce/not_asked"
    assert await ann.refused(GiveNonce(0, 0, nonce(1))) == "nonce/not_asked"
    await ann.expect(GiveNonce(0, 1, nonce(1)), Done)
    facts = table.journal_length
    assert await ann.refused(GiveNonce(0, 1, nonce(9))) == "nonce/not_asked"
    watcher, _ = await arrive(house, "eve")
    await watcher.expect(WatchTable(0, table.code), Attending)
    assert await watcher.refused(GiveNonce(0, 1, nonce(9))) == "nonce/not_asked"
    assert table.journal_length == facts
    await bob.expect(GiveNonce(0, 1, nonce(2)), Done)
    await settled()
    assert await ann.refused(GiveNonce(0, 1, nonce(9))) == "nonce/not_asked"
    assert_deal_is_of(table, [nonce(1), nonce(2), bytes(16)])


@pytest.mark.parametrize("length", [0, 15, 17])
async def test_a_nonce_of_another_length_is_no_message(length: int) -> None:
    clock = HandClock()
    _house, (ann, _bob), table = await dealing(clock)
    facts = table.journal_length
    assert await ann.refused(GiveNonce(0, 1, bytes(length))) == "frame/invalid"
    assert table.journal_length == facts


async def test_a_restart_in_the_middle_keeps_the_commitment_and_the_nonces_and_asks_only_those_missing() -> None:
    store = FaultyStore()
    clock = HandClock()
    _house, (ann, bob), table = await dealing(clock, store)
    await ann.expect(GiveNonce(0, 1, nonce(1)), Done)
    committed = ann.got(RoundCommitted)[-1].commitment
    house = await open_house(clock, store.lose_unsynced(), seed=99)
    again = [await come_back(house, old, knowing=False) for old in (ann, bob)]
    assert [peer.table.want_nonce if peer.table else None for peer in again] == [0, 1]
    for peer in again:
        assert peer.table is not None
        assert [proof.commitment for proof in peer.table.proofs] == [committed]
        assert peer.table.proofs[0].secret == b""
    await settled()
    given = again[1].rng  # it gave its nonce when it was asked
    assert given is not None
    table = house.tables[table.code]
    assert stage_of(table) == "playing"
    assert table.state.proofs[1].nonces[0] == nonce(1)
    assert any(table.state.proofs[1].nonces[1])
    assert not again[0].got(RoundCommitted), "no second commitment for the round"
    await play_on(again, lambda: again[0].got(RoundRevealed))
    reveal = again[0].got(RoundRevealed)[-1]
    assert commitment_of(reveal.secret) == committed
    assert reveal.nonces[0] == nonce(1)


async def test_after_a_restart_the_first_to_return_does_not_deal_without_the_second() -> None:
    store = FaultyStore()
    clock = HandClock()
    _house, (ann, bob), table = await dealing(clock, store)
    house = await open_house(clock, store.lose_unsynced())
    first = await come_back(house, ann)
    await settled()
    assert stage_of(house.tables[table.code]) == "dealing"
    await clock.advance(3)
    second = await come_back(house, bob)
    await settled()
    assert all(any(house.tables[table.code].state.proofs[1].nonces[seat]) for seat in (0, 1))
    assert first.got(SeatsChanged)[-1].phase == "playing" or first.legal or second.legal


async def test_somebody_away_is_not_waited_for_longer_than_a_nonce() -> None:
    clock = HandClock()
    _house, (ann, bob), table = await dealing(clock)
    bob.close()
    await clock.advance(2)
    await ann.expect(GiveNonce(0, 1, nonce(1)), Done)
    await clock.advance(2.9)
    assert stage_of(table) == "dealing"
    await clock.advance(0.2)
    assert stage_of(table) == "playing"


async def test_a_commitment_that_could_not_be_kept_was_never_public() -> None:
    store = FaultyStore()
    clock = HandClock()
    house = await open_house(clock, store)
    ann, bob = await seated_table(house, ["ann", "bob"])
    store.fail_with("disk full")
    refusal = await ann.expect(StartGame(0), Refused)
    assert refusal.error == "server/cannot_save"
    assert not ann.got(RoundCommitted)
    assert not bob.got(RoundCommitted)
    store.work_again()
    await clock.advance(3)
    await ann.expect(StartGame(0), Done)
    await play_on([ann, bob], lambda: bob.got(RoundRevealed))


async def test_a_game_of_one_round_after_another_waits_for_nonces_each_time() -> None:
    clock = HandClock()
    house = await open_house(clock)
    players = await seated_table(house, ["ann", "bob"], rule_set(2, rounds=1, hand_size=3, max_bid=1), FAST)
    await players[0].expect(StartGame(0), Done)
    await play_on(players, lambda: all(peer.view and peer.view.winners for peer in players))
    assert players[0].table is not None
    table = house.tables[players[0].table.code]
    await clock.advance(100)
    for peer in players:
        peer.nonces = False
    for peer in players:
        await peer.expect(BeReady(0, 1), Done)
    await settled()
    assert (table.state.game, table.state.stage) == (2, "dealing")
    await clock.advance(4)
    assert stage_of(table) == "dealing"
    await clock.advance(2)
    assert stage_of(table) == "playing"
