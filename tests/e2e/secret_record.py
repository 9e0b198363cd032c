"""What a record may tell at a moment: the rounds that are over, as they were, and not a word more."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from looseends_core.cards import CARD_NAMES
from looseends_core.shuffle import ZERO_NONCE
from tests.e2e.secret_truth import GameTruth

_KEYS = {"format", "version", "rules", "players", "rounds", "scores", "winners"}
_ROUND_KEYS = {"first", "hands", "fairness", "actions", "delta"}
_FAIRNESS_KEYS = {"secret", "nonces", "commitment"}


def why_not_record(text: Any, game: GameTruth, rounds_over: int) -> str:
    """Return what is wrong with the text as the record of so many rounds of a game; empty where nothing is."""
    record = json.loads(text) if isinstance(text, str) else None
    if not isinstance(record, dict) or not record.keys() <= _KEYS:
        return "a record with more than a record has"
    if record["players"] != list(game.names):
        return "a record of somebody else"
    if json.dumps(record["rules"], sort_keys=True) != json.dumps(msgspec.to_builtins(game.rules), sort_keys=True):
        return "a record of other rules"
    if len(record["rounds"]) > rounds_over or ("scores" in record and rounds_over < game.rules.rounds):
        return "a record of a round that is not over"
    faults = (_why_not_round(written, game, number) for number, written in enumerate(record["rounds"], 1))
    return next((fault for fault in faults if fault), "")


def _why_not_round(written: dict[str, Any], game: GameTruth, number: int) -> str:
    if not written.keys() <= _ROUND_KEYS or not written["fairness"].keys() <= _FAIRNESS_KEYS:
        return "a round with more than a round has"
    if "delta" not in written:
        return "a record of a round that is not over"
    hands = [[CARD_NAMES[card] for card in hand or ()] for hand in game.deals[number].hands]
    nonces = [game.nonces.get((number, seat), ZERO_NONCE).hex() for seat in range(game.rules.players)]
    fairness = written["fairness"]
    if written["hands"] != hands or fairness["secret"] != game.secrets[number].hex() or fairness["nonces"] != nonces:
        return "not the record of that round"
    return ""
