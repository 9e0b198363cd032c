"""Deals that did not prove, kept in a file: what a person can show when a server has not dealt as it had promised.

Only what the server published and what this client saw is written; nothing of it is secret any more by then.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from looseends_client.deal_proof import DealProof, RoundSeen
from looseends_core.cards import CardSet, cards_in, name
from looseends_core.rules import RuleSet, rules_to_json

KeepUnproven = Callable[[dict[str, Any]], None]
"""Keeps one entry, as `unproven_entry` makes it."""
FILE = "unproven-deals.jsonl"


def unproven_entry(
    code: str, game: int, rules: RuleSet, seen: RoundSeen, verdict: DealProof, secret: bytes, nonces: tuple[bytes, ...]
) -> dict[str, Any]:
    """Return everything that anybody needs to see for themselves that a deal was not the promised one."""

    def names(cards: CardSet | None) -> list[str] | None:
        return None if cards is None else [name(card) for card in cards_in(cards)]

    return {
        "table": code,
        "game": game,
        "round": seen.round,
        "why": verdict.words,
        "rules": rules_to_json(rules),
        "promised": None if seen.commitment is None else seen.commitment.hex(),
        "published": verdict.commitment.hex(),
        "secret": secret.hex(),
        "nonces": [nonce.hex() for nonce in nonces],
        "own_nonce": None if seen.nonce is None else seen.nonce.hex(),
        "own_hand": names(seen.hand),
        "shown": [names(cards) for cards in seen.shown],
        "first": seen.first,
    }


def unproven_deals_of(folder: Path, server: str) -> KeepUnproven:
    """Return what appends entries about a server to the file in a folder, readable for its owner alone.

    A folder that cannot be written is no reason to stop a game: the entry is dropped then, the words stay on screen.
    """

    def keep(entry: dict[str, Any]) -> None:
        line = json.dumps({"server": server, **entry}) + "\n"
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor = os.open(folder / FILE, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(line)
        except OSError:
            return

    return keep
