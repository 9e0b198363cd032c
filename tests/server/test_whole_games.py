"""Whole games with people and bots: every set of variants, from the start to the record that a verifier accepts."""

from __future__ import annotations

import hashlib
from itertools import chain, combinations

import msgspec
import pytest

from looseends_core.cards import card_set
from looseends_core.decide import legal_actions
from looseends_core.events import RoundDealt
from looseends_core.rules import RuleSet, rule_set
from looseends_core.shuffle import Fairness, shuffled_deal
from looseends_core.state import State, evolve
from looseends_core.verify import verify_text
from looseends_protocol.legal import actions_of
from looseends_protocol.messages import (
    Attending,
    GetRecord,
    Happened,
    RecordText,
    Refused,
    RoundCommitted,
    RoundRevealed,
    WatchTable,
)
from tests.server.peers import HandClock, Peer, arrive, open_house, play_on, seated_table, start

VARIANTS = ("double-cross", "getaway", "plan-b")
EVERY_SET = list(chain.from_iterable(combinations(VARIANTS, size) for size in range(4)))


class Checking(Peer):
    """A player who compares each legal list with the legal actions of the view that was folded so far."""

    lists = 0

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        view = self.view
        if self.legal is not None and view is not None:
            assert actions_of(self.legal, view.phase) == legal_actions(view)
            self.lists += 1
        elif view is not None and self.table is not None and view.turn is not None:
            assert view.turn != self.table.seat or self.posted_at == view.number, "on turn and not told what is legal"

    posted_at = -1

    def act_if_due(self) -> bool:
        acted = super().act_if_due()
        if acted and self.view is not None:
            self.posted_at = self.view.number
        return acted


@pytest.mark.parametrize("variants", EVERY_SET, ids=["+".join(one) or "plain" for one in EVERY_SET])
@pytest.mark.parametrize(("people", "bots"), [(2, 0), (2, 2)])
async def test_a_game_is_played_to_its_end_and_its_record_is_right(
    variants: tuple[str, ...], people: int, bots: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.server.peers.Peer", Checking)
    house = await open_house(HandClock(), seed=len(variants) + people)
    rules = rule_set(people + bots, variants=variants, rounds=2)
    players = await seated_table(house, ["ann", "bob"], rules, bots=bots)
    watcher, _ = await arrive(house, "eve")
    assert players[0].table is not None
    code = players[0].table.code
    await watcher.expect(WatchTable(0, code), Attending)
    await start(players)
    everybody = [*players, watcher]

    await play_on(players, lambda: house.tables[code].state.stage == "between")
    unfinished = await players[0].expect(GetRecord(0), RecordText)
    assert len(msgspec.json.decode(unfinished.record)["rounds"]) == 1
    await play_on(players, lambda: house.tables[code].state.play.trick and house.tables[code].state.play.round == 2)
    running = await players[0].expect(GetRecord(0), RecordText)
    assert len(msgspec.json.decode(running.record)["rounds"]) == 1, "a running round is in no record"
    await play_on(players, lambda: all(peer.view and peer.view.winners for peer in everybody))

    record = await watcher.expect(GetRecord(0), RecordText)
    verdict = verify_text(record.record.encode())
    assert (verdict.fault, verdict.unproven) == (None, ())
    written = msgspec.json.decode(record.record)
    assert written["players"][:2] == ["ann", "bob"]
    assert set(written["players"][2:]) <= {"bot:rookie"}
    for peer in everybody:
        _check_proofs(peer, rules)
        assert peer.view is not None
        assert tuple(written["scores"]) == tuple(peer.view.scores)
    assert all(isinstance(peer, Checking) and peer.lists > 5 for peer in players)


def _check_proofs(peer: Peer, rules: RuleSet) -> None:
    """Every round was committed to before it was dealt, and what was revealed after it reproduces the deal."""
    commitments = [(peer.heard.index(push), push) for push in peer.got(RoundCommitted)]
    reveals = peer.got(RoundRevealed)
    assert [reveal.round for reveal in reveals] == list(range(1, rules.rounds + 1))
    state = State(rules)
    for at, message in enumerate(peer.heard):
        for event in message.events if isinstance(message, Happened) else ():
            if isinstance(event, RoundDealt):
                reveal = reveals[event.round - 1]
                assert any(place < at and push.round == event.round for place, push in commitments)
                commitment = next(push.commitment for _, push in commitments if push.round == event.round)
                assert hashlib.sha256(reveal.secret).digest() == commitment
                deal = shuffled_deal(rules, event.round, Fairness(reveal.secret, reveal.nonces), state.first)
                seat = peer.table.seat if peer.table is not None else None
                assert deal.first == event.first
                if seat is not None:
                    hand = event.hands[seat]
                    assert hand is not None
                    assert card_set(hand) == card_set(deal.hands[seat])
                    assert any(reveal.nonces[seat]), "the nonce that was given counts"
                assert not any(map(any, reveal.nonces[2:])), "a bot's nonce is all zero"
            evolve(state, event)


async def test_without_a_finished_round_there_is_no_record() -> None:
    house = await open_house(HandClock())
    players = await seated_table(house, ["ann", "bob"])
    refusal = await players[0].expect(GetRecord(0), Refused)
    assert refusal.error == "record/none"
