"""The same cards at several tables: the deal of the day, once for everybody, and the tables of one host."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from looseends_client.contest_words import fairness_of_sides, sides_of, told_right
from looseends_core.bots import LEVELS
from looseends_core.events import RoundDealt
from looseends_core.rules import STARTING_POINTS, rule_set
from looseends_core.shuffle import ZERO_NONCE, commitment_of
from looseends_protocol.messages import (
    Attending,
    BeReady,
    Contest,
    CreateTable,
    GetContest,
    GiveNonce,
    JoinTable,
    LeaveLists,
    LeaveTable,
    PlayDaily,
    RoundCommitted,
    RoundRevealed,
    SeatBot,
    StepAway,
    TableOptions,
)
from looseends_server import contests
from looseends_server.contests import DAILY_LEVELS, daily_rules, today
from looseends_server.house import House
from looseends_server.limits import Limits, ServerSettings
from looseends_server.table import Table
from tests.server.peers import FAST, HandClock, Peer, arrive, settled, start

SHORT = rule_set(4, rounds=2, hand_size=4, max_bid=2)


@pytest.fixture(autouse=True)
def _short_days(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contests, "daily_rules", lambda day: SHORT)


async def house_of(seed: int = 1, clock: HandClock | None = None) -> House:
    settings = ServerSettings(limits=Limits(burst_messages=10_000, tables_per_person=20))
    steady = dict.fromkeys((*DAILY_LEVELS, "rookie"), LEVELS["steady"])
    return await House.open(
        None, settings, clock=clock or HandClock(), entropy=random.Random(seed).randbytes, levels=steady
    )


def hands_of(table: Table) -> list[tuple[tuple[int, ...] | None, ...]]:
    return [event.hands for event in table.state.events if isinstance(event, RoundDealt)]


async def play_to_the_end(house: House, *peers: Peer) -> Table:
    """Let people play on at their table, among bots that wait a moment."""
    assert isinstance(house.clock, HandClock)
    assert peers[0].table is not None
    table = house.tables[peers[0].table.code]
    for _ in range(500):
        if table.state.stage == "over":
            await settled()
            return table
        for peer in peers:
            peer.act_if_due()
            if table.state.stage == "between":
                peer.post(BeReady(0, table.state.play.round))
        await settled()
        await house.clock.advance(1)
    raise AssertionError("the game does not end")


async def test_everybody_is_dealt_the_same_on_a_day_and_something_else_on_the_next() -> None:
    house = await house_of()
    ann, bob = [(await arrive(house, name))[0] for name in ("ann", "bob")]
    first = await ann.expect(PlayDaily(0), Attending)
    await bob.expect(PlayDaily(0), Attending)
    assert first.options.contest == f"daily {today(house)}"
    assert [seat.level for seat in first.seats] == ["", *DAILY_LEVELS]
    one, other = await play_to_the_end(house, ann), await play_to_the_end(house, bob)
    assert one is not other
    assert hands_of(one) == hands_of(other)
    assert len(hands_of(one)) == 2
    assert isinstance(house.clock, HandClock)
    await house.clock.jump(86_400)
    cid, _ = await arrive(house, "cid")
    await cid.expect(PlayDaily(0), Attending)
    assert hands_of(await play_to_the_end(house, cid)) != hands_of(one)
    await house.close()


async def test_the_same_choices_meet_the_same_bots() -> None:
    house = await house_of()
    played = []
    for name in ("ann", "bob"):
        peer, _ = await arrive(house, name)
        await peer.expect(PlayDaily(0), Attending)
        played.append((await play_to_the_end(house, peer)).state.events)
    assert played[0] == played[1]
    await house.close()


async def test_the_deal_of_the_day_is_played_once_and_gone_on_with_after_a_pause() -> None:
    house = await house_of()
    ann, _ = await arrive(house, "ann")
    first = await ann.expect(PlayDaily(0), Attending)
    await ann.ask(StepAway(0))
    assert (await ann.expect(PlayDaily(0), Attending)).code == first.code
    await ann.ask(LeaveTable(0))
    assert (await ann.expect(PlayDaily(0), Attending)).code == first.code
    table = await play_to_the_end(house, ann)
    assert await ann.refused(PlayDaily(0)) == "daily/played"
    assert await ann.refused(BeReady(0, table.state.play.round)) == "ready/not_asked"
    house.forget(table)
    await settled()
    assert await ann.refused(PlayDaily(0)) == "daily/played"
    await house.close()


async def test_how_the_day_went_is_shown_to_those_who_have_played_it_best_first() -> None:
    house = await house_of()
    ann, bob, cid = [(await arrive(house, name))[0] for name in ("ann", "bob", "cid")]
    bob.rng.seed(7)
    for peer in (ann, bob):
        await peer.expect(PlayDaily(0), Attending)
        assert await peer.refused(GetContest(0)) == "contest/closed"
        await play_to_the_end(house, peer)
    assert await cid.refused(GetContest(0)) == "contest/closed"
    told = await ann.expect(GetContest(0), Contest)
    assert (told.contest, told.rules) == (f"daily {today(house)}", SHORT)
    assert {line.names[0] for line in told.lines} == {"ann", "bob"}
    assert [line.scores[0] for line in told.lines] == sorted((line.scores[0] for line in told.lines), reverse=True)
    assert [line.seat for line in told.lines if line.names[0] == "ann"] == [0]
    for line in told.lines:
        assert len(line.deltas) == 2
        assert line.scores[0] - sum(delta[0] for delta in line.deltas) == 5
    await bob.ask(LeaveLists(0))
    assert [line.names[0] for line in (await ann.expect(GetContest(0), Contest)).lines] == ["ann"]
    assert len((await bob.expect(GetContest(0), Contest)).lines) == 2
    await house.close()


async def test_nobody_is_asked_for_a_nonce_and_the_deal_answers_to_its_commitment() -> None:
    house = await house_of()
    ann, _ = await arrive(house, "ann")
    ann.nonces = False
    await ann.expect(PlayDaily(0), Attending)
    assert await ann.refused(GiveNonce(0, 1, bytes(16))) == "nonce/not_asked"
    await play_to_the_end(house, ann)
    revealed = {push.round: push for push in ann.got(RoundRevealed)}
    for push in ann.got(RoundCommitted):
        assert push.commitment == commitment_of(revealed[push.round].secret)
        assert revealed[push.round].nonces == (ZERO_NONCE,) * 4
    await house.close()


async def test_the_deals_of_a_day_are_the_same_after_a_restart(tmp_path: Path) -> None:
    secrets = []
    for _ in range(2):
        house = await House.open(tmp_path / "state", clock=HandClock())
        secrets.append(house.contest_secret)
        await house.close()
    assert secrets[0] == secrets[1]
    other = await House.open(tmp_path / "other", clock=HandClock())
    assert other.contest_secret != secrets[0]
    await other.close()


async def test_a_host_opens_tables_with_the_same_cards_and_all_see_how_it_went_once_they_have_played() -> None:
    house = await house_of()
    ann, bob, cid = [(await arrive(house, name))[0] for name in ("ann", "bob", "cid")]
    rules = rule_set(2, rounds=2, hand_size=4, max_bid=2)
    mine = await ann.expect(CreateTable(0, rules, FAST, copies=3), Attending)
    await settled()
    codes = [code for code in house.tables if code != mine.code]
    assert len(codes) == 2
    sides, said = house.tables[mine.code].chat
    assert all(code in said.text for code in codes)
    assert f"{codes[0]}-B" in sides.text
    theirs = await bob.expect(JoinTable(0, codes[0]), Attending)
    assert theirs.host == "bob"
    assert mine.options.contest == f"duplicate {mine.code}/1/3"
    assert theirs.options.contest == f"duplicate {mine.code}/2/3"
    for peer in (ann, bob):
        await peer.ask(SeatBot(0, 1, "rookie"))
        await start([peer])
    one, other = await play_to_the_end(house, ann), house.tables[theirs.code]
    assert await bob.refused(GetContest(0, mine.options.contest)) == "contest/closed"
    await play_to_the_end(house, bob)
    assert hands_of(one) == hands_of(other)
    told = await bob.expect(GetContest(0, mine.options.contest), Contest)
    assert {line.names[0]: line.number for line in told.lines} == {"ann": 1, "bob": 2}
    assert (await bob.expect(GetContest(0, theirs.options.contest), Contest)).lines == told.lines
    assert await cid.refused(GetContest(0, mine.options.contest)) == "contest/closed"
    await house.close()


async def test_from_table_to_table_every_side_sits_one_seat_further_on_and_a_code_with_its_letter_leads_there(
    tmp_path: Path,
) -> None:
    house = await House.open(tmp_path, clock=HandClock())
    ann, bob, cid, dee = [(await arrive(house, name))[0] for name in ("ann", "bob", "cid", "dee")]
    rules = rule_set(3, rounds=1, hand_size=4, max_bid=2)
    first = await ann.expect(CreateTable(0, rules, FAST, copies=3), Attending)
    await settled()
    second, third = (code for code in house.tables if code != first.code)
    assert first.seat == 0
    assert (await bob.expect(JoinTable(0, f"{first.code}C"), Attending)).seat == 2
    there = await cid.expect(JoinTable(0, f"{third[:5].lower()}-{third[5:].lower()}-a"), Attending)
    assert (there.seat, there.host) == (2, "cid")
    assert house.tables[third].chat[-1].text == "cid sat down for side A."
    assert await dee.refused(JoinTable(0, f"{third}A")) == "table/seat_taken"
    assert await dee.refused(JoinTable(0, f"{third}D")) == "table/no_such_seat"
    assert await dee.refused(JoinTable(0, f"{second}AB")) == "table/unknown"
    assert (await dee.expect(JoinTable(0, f"{second}B"), Attending)).seat == 2
    await house.close()

    again = await House.open(tmp_path, clock=HandClock())
    eve, _ = await arrive(again, "eve")
    assert (await eve.expect(JoinTable(0, f"{second}A"), Attending)).seat == 1
    plain = await eve.expect(CreateTable(0, rules, FAST), Attending)
    fay, _ = await arrive(again, "fay")
    assert await fay.refused(JoinTable(0, f"{plain.code}B")) == "table/no_such_seat"
    await again.close()


async def test_four_people_at_two_tables_are_two_sides_that_hold_both_hands() -> None:
    house = await house_of()
    ann, bob, cid, dee = [(await arrive(house, name))[0] for name in ("ann", "bob", "cid", "dee")]
    rules = rule_set(2, rounds=2, hand_size=4, max_bid=2)
    first = await ann.expect(CreateTable(0, rules, FAST, copies=2), Attending)
    await settled()
    (second,) = (code for code in house.tables if code != first.code)
    assert (await bob.expect(JoinTable(0, f"{first.code}B"), Attending)).seat == 1
    assert (await cid.expect(JoinTable(0, f"{second}A"), Attending)).seat == 1
    assert (await dee.expect(JoinTable(0, f"{second}B"), Attending)).seat == 0
    await start([ann, bob])
    await start([cid, dee])
    here, there = await play_to_the_end(house, ann, bob), await play_to_the_end(house, cid, dee)
    assert hands_of(here) == hands_of(there)
    told = await dee.expect(GetContest(0, first.options.contest), Contest)
    sides = {side.letter: side for side in sides_of(told_right(told))}
    one, other = here.state.play.scores, there.state.play.scores
    begun = STARTING_POINTS
    assert sides["A"].points == (one[0] - begun, other[1] - begun)
    assert sides["B"].points == (one[1] - begun, other[0] - begun)
    assert (sides["A"].names, sides["B"].names) == (("ann", "cid"), ("bob", "dee"))
    assert sides["B"].mine
    assert not sides["A"].mine
    assert sides["A"].mean == (one[0] + other[1]) / 2 - begun
    assert fairness_of_sides(told).startswith("Every side has held every hand")
    await house.close()


async def test_no_client_makes_a_contest_by_its_name_or_more_tables_than_it_may() -> None:
    house = await house_of()
    ann, _ = await arrive(house, "ann")
    rules = rule_set(2)
    options = TableOptions(contest="daily 2026-11-30")
    assert (await ann.expect(CreateTable(0, rules, options), Attending)).options.contest == ""
    for _ in range(2):
        await ann.expect(CreateTable(0, rules, copies=8), Attending)
    assert await ann.refused(CreateTable(0, rules, copies=19)) == "frame/invalid"
    await house.close()


def test_every_set_of_variants_has_its_day() -> None:
    from datetime import date, timedelta

    days = [daily_rules(date(2026, 11, 30) + timedelta(days=number)).variants for number in range(8)]
    assert len(set(days)) == 8
