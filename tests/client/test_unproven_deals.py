"""A deal that does not prove is said in words and kept whole in a file that only its owner reads."""

from __future__ import annotations

import json
import stat
from pathlib import Path

from looseends_client.table_model import TableModel
from looseends_client.unproven_deals import FILE, unproven_deals_of
from looseends_core.decide import deal_round, decide, legal_actions
from looseends_core.redact import redact
from looseends_core.rules import rule_set
from looseends_core.shuffle import Fairness, commitment_of, shuffled_deal
from looseends_core.state import State, evolve
from looseends_protocol.messages import (
    Attending,
    GameBegan,
    Happened,
    Push,
    RoundCommitted,
    RoundRevealed,
    SeatInfo,
    TableOptions,
)

SECRET, NONCES = bytes(range(32)), (b"a" * 16, bytes(16))


def played_round(*, secret_shown: bytes) -> tuple[Attending, list[Push]]:
    """Return a table before its game, and what a server then says of a round up to the secret that it shows."""
    rules = rule_set(2)
    secret, nonces = SECRET, NONCES
    deal = shuffled_deal(rules, 1, Fairness(secret, nonces))
    seats = (SeatInfo("person", "ann", connected=True), SeatInfo("bot", "steady", "steady", connected=True))
    table = Attending(1, 0, "CODE", "t", rules, TableOptions(), "gathering", "ann", seats, 0, seat=0)
    state = State(rules)
    played = list(deal_round(state, deal))
    evolve(state, played[0])
    while state.turn is not None:
        for event in decide(state, state.turn, legal_actions(state)[-1]):
            played.append(event)
            evolve(state, event)
    return table, [
        GameBegan(1, 1, rules),
        RoundCommitted(2, 1, commitment_of(secret)),
        Happened(3, tuple(redact(event, 0) for event in played)),
        RoundRevealed(4, 1, secret_shown, nonces),
    ]


def model_after_a_reveal(*, secret_shown: bytes) -> TableModel:
    table, pushes = played_round(secret_shown=secret_shown)
    model = TableModel(lambda: 0.0)
    model.attend(table)
    model.gave_nonce(1, NONCES[0])
    for push in pushes:
        model.take(push)
    return model


def test_a_proven_deal_leaves_nothing_to_keep() -> None:
    model = model_after_a_reveal(secret_shown=bytes(range(32)))
    assert model.proofs[1].proven
    assert model.unproven == []


def test_another_secret_than_the_promised_one_is_said_and_kept(tmp_path: Path) -> None:
    model = model_after_a_reveal(secret_shown=bytes(32))
    assert not model.proofs[1].proven
    said = "".join(part for line in model.log for part in line.words if isinstance(part, str))
    assert "not the one that was promised" in said
    (entry,) = model.unproven
    keep = unproven_deals_of(tmp_path / "state", "games.example:8749")
    keep(entry)
    keep(entry)
    file = tmp_path / "state" / FILE
    kept = [json.loads(line) for line in file.read_text().splitlines()]
    assert len(kept) == 2
    assert kept[0]["server"] == "games.example:8749"
    assert kept[0]["promised"] == commitment_of(bytes(range(32))).hex()
    assert kept[0]["secret"] == bytes(32).hex()
    assert len(kept[0]["own_hand"]) == 16
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_folder_that_cannot_be_written_stops_no_game(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file where a folder should be")
    unproven_deals_of(tmp_path / "state", "x:1")({"why": "anything"})
