"""The shuffle that anyone can check ([F1]): secret and nonces in, hands and first player out.

Random numbers never come from here: the secret and the nonces are made by whoever owns them and passed in.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Sequence

import msgspec

from looseends_core import cards
from looseends_core.rules import ROTATE_FIRST, RuleSet

SECRET_BYTES = 32
NONCE_BYTES = 16
ZERO_NONCE = bytes(NONCE_BYTES)
"""The nonce of a bot, and of a player who did not answer in time ([F1])."""
_DOMAIN = b"no-loose-ends/shuffle/1"
_WORDS = 1 << 32


class Fairness(msgspec.Struct, frozen=True):
    """What proves a deal: the server's secret (32 bytes) and one nonce (16 bytes) a seat, in seat order."""

    secret: bytes
    nonces: tuple[bytes, ...]

    @property
    def commitment(self) -> bytes:
        """The SHA-256 of the secret, published before any nonce is given."""
        return commitment_of(self.secret)


class Deal(msgspec.Struct, frozen=True):
    """One round's cards from outside: a hand a seat, who begins, and what proves it (None: not proven).

    Each hand is a tuple of card ids in dealt order.
    """

    hands: tuple[tuple[cards.Card, ...], ...]
    first: int
    fairness: Fairness | None = None


def commitment_of(secret: bytes) -> bytes:
    """Return the 32 bytes that are published before the deal."""
    return hashlib.sha256(secret).digest()


class _WordStream:
    """The byte stream of [F1] read as 4-byte big-endian words."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._counter = 0
        self._words: list[int] = []

    def uniform(self, n: int) -> int:
        """Return the next number of 0..n−1, every one equally likely."""
        limit = _WORDS - _WORDS % n
        while True:
            if not self._words:
                block = hashlib.sha256(self._seed + self._counter.to_bytes(8, "big")).digest()
                self._counter += 1
                self._words = list(struct.unpack(">8I", block))[::-1]
            word = self._words.pop()
            if word < limit:
                return word % n


def shuffled_deal(rules: RuleSet, round_number: int, fairness: Fairness, previous_first: int | None = None) -> Deal:
    """Return the deal that secret and nonces fix for a round (numbered from 1).

    `previous_first` is the first player of the round before; it is needed with `rotate` from round 2 on ([R7]).
    Raises ValueError where the secret or a nonce has the wrong length, or their number is not one a seat.
    """
    if len(fairness.secret) != SECRET_BYTES:
        raise ValueError(f"the secret has {len(fairness.secret)} bytes, expected {SECRET_BYTES}")
    if len(fairness.nonces) != rules.players or any(len(nonce) != NONCE_BYTES for nonce in fairness.nonces):
        raise ValueError(f"expected {rules.players} nonces of {NONCE_BYTES} bytes, one a seat")
    seed = hashlib.sha256(
        _DOMAIN + round_number.to_bytes(4, "big") + fairness.secret + b"".join(fairness.nonces)
    ).digest()
    stream = _WordStream(seed)
    pack = cards.deck(rules.players, rules.getaway)
    for i in range(len(pack) - 1, 0, -1):
        j = stream.uniform(i + 1)
        pack[i], pack[j] = pack[j], pack[i]
    size = rules.hand_size
    hands = tuple(tuple(pack[seat * size : (seat + 1) * size]) for seat in range(rules.players))
    first = stream.uniform(rules.players)
    if rules.first_player == ROTATE_FIRST and round_number > 1:
        if previous_first is None:
            raise ValueError("with rotate, a later round needs the first player of the round before")
        first = (previous_first + 1) % rules.players
    return Deal(hands=hands, first=first, fairness=fairness)


def nonces_of(given: Sequence[bytes | None]) -> tuple[bytes, ...]:
    """Return the nonces in seat order, all zero where none was given ([F1])."""
    return tuple(ZERO_NONCE if nonce is None else nonce for nonce in given)
