"""What a server really holds: every game, secret, nonce, token and hash, read from its store and its entropy.

The secret scan compares what clients receive with this, and never with what they were sent before.
"""

from __future__ import annotations

import hashlib
import random
from collections import defaultdict
from dataclasses import dataclass, field

from looseends_core.events import Event, RoundDealt
from looseends_core.rules import RuleSet
from looseends_core.shuffle import NONCE_BYTES, SECRET_BYTES
from looseends_server.facts import (
    BotSeated,
    Fact,
    GameOpened,
    Happened,
    NonceKept,
    PersonLeft,
    SeatEmptied,
    SeatTaken,
    SecretCommitted,
    TableOpened,
    read_fact,
)
from looseends_server.store.base import Change, StoredTable
from looseends_server.store.memory import Kept


class HeardEntropy:
    """Random bytes that a seed fixes; every draw is remembered, because each was meant for nobody or for one."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        self.draws: list[bytes] = []

    def __call__(self, size: int) -> bytes:
        drawn = self._rng.randbytes(size)
        self.draws.append(drawn)
        return drawn


class RememberingKept(Kept):
    """What a store in memory holds, the tables included that the server has forgotten."""

    def __init__(self) -> None:
        super().__init__()
        self.ever_made: dict[int, StoredTable] = {}

    def apply(self, change: Change) -> None:
        super().apply(change)
        self.ever_made |= self.tables


@dataclass
class GameTruth:
    """One game of a table. Rounds are counted from 1, seats from 0; game 0 is the time before the first."""

    rules: RuleSet
    names: tuple[str, ...] = ()
    events: list[Event] = field(default_factory=list)
    deals: dict[int, RoundDealt] = field(default_factory=dict)
    secrets: dict[int, bytes] = field(default_factory=dict)
    nonces: dict[tuple[int, int], bytes] = field(default_factory=dict)
    """By round and seat; what is missing was never given."""
    seated: defaultdict[int, set[tuple[str, int]]] = field(default_factory=lambda: defaultdict(set))
    """Who held which seat, name and seat, at each number of events."""

    def seats_of(self, name: str, number: int) -> set[int]:
        """Return the seats that this person held while so many events had happened."""
        return {seat for person, seat in self.seated[number] if person == name}


@dataclass
class TableTruth:
    """One table: its games by number, and the hash of its password, empty for none."""

    games: dict[int, GameTruth]
    password_hash: str


@dataclass
class Truth:
    """A whole server. `tokens` are by name; `never` is what nobody may ever be sent, with what to call it."""

    tables: dict[str, TableTruth]
    tokens: dict[str, bytes]
    never: list[tuple[str, bytes]]


def truth_of(kept: RememberingKept, entropy: HeardEntropy, passwords: tuple[str, ...]) -> Truth:
    """Return what a server with this store and these random bytes holds; `passwords` were typed by somebody."""
    tables = {
        stored.code: _table_truth([read_fact(fact) for fact in stored.facts]) for stored in kept.ever_made.values()
    }
    hashes = {identity.token_hash: identity.name for identity in kept.identities.values()}
    tokens = {
        hashes[hashed]: drawn
        for drawn in entropy.draws
        if len(drawn) == SECRET_BYTES and (hashed := hashlib.sha256(drawn).digest()) in hashes
    }
    never = [("a password", password.encode()) for password in passwords]
    never += [("a token's hash", hashed) for hashed in hashes]
    never += [("a password's hash", b"$argon2")]
    never += [("a bot's randomness", drawn) for drawn in entropy.draws if len(drawn) == NONCE_BYTES]
    return Truth(tables, tokens, [*never, *((what, needle.hex().encode()) for what, needle in never)])


def _table_truth(facts: list[Fact]) -> TableTruth:
    opened = facts[0]
    assert isinstance(opened, TableOpened)
    games = {0: GameTruth(opened.rules)}
    game = games[0]
    persons: dict[int, str] = {}
    for fact in facts[1:]:
        match fact:
            case SeatTaken():
                persons[fact.seat] = fact.name
            case SeatEmptied() | BotSeated():
                persons.pop(fact.seat, None)
            case PersonLeft(why="removed"):
                persons.pop(fact.seat, None)
            case GameOpened():
                game = games[fact.game] = GameTruth(opened.rules, fact.names)
            case SecretCommitted():
                game.secrets[fact.round] = fact.secret
            case NonceKept():
                game.nonces[max(game.secrets), fact.seat] = fact.nonce
            case Happened():
                for event in fact.events:
                    game.events.append(event)
                    game.seated[len(game.events)] |= {(name, seat) for seat, name in persons.items()}
                    if isinstance(event, RoundDealt):
                        game.deals[event.round] = event
            case _:
                pass
        game.seated[len(game.events)] |= {(name, seat) for seat, name in persons.items()}
    return TableTruth(games, opened.password)
