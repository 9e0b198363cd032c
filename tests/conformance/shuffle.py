"""The shuffle that anyone can check, by docs/protocol.md."""

from __future__ import annotations

import hashlib
from typing import Any


def deal_of(rules: dict[str, Any], number: int, secret: bytes, nonces: list[bytes]) -> tuple[list[list[int]], int]:
    """Return the hands of a round and the first player that is drawn with them."""
    seed = hashlib.sha256(b"no-loose-ends/shuffle/1" + number.to_bytes(4, "big") + secret + b"".join(nonces)).digest()
    counter = 0
    words: list[int] = []

    def uniform(n: int) -> int:
        nonlocal counter
        while True:
            if not words:
                block = hashlib.sha256(seed + counter.to_bytes(8, "big")).digest()
                words.extend(int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4))
                counter += 1
            word = words.pop(0)
            if word < 2**32 - 2**32 % n:
                return int(word % n)

    players, size = rules["players"], rules["hand_size"]
    ranks = 12 if players < 4 else 15
    pack = [suit * 15 + rank for suit in range(4) for rank in range(ranks)]
    if "getaway" in rules["variants"]:
        pack += [60, 61, 62, 63]
    for last in range(len(pack) - 1, 0, -1):
        other = uniform(last + 1)
        pack[last], pack[other] = pack[other], pack[last]
    hands = [pack[seat * size : (seat + 1) * size] for seat in range(players)]
    return hands, uniform(players)
