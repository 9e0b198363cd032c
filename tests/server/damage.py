"""What may have become of a journal, for tests of the next start."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

NO_NUMBER_OF_A_GAME = (-1, 64, 2**63 - 1)


def damaged_journals(facts: Sequence[bytes], seed: int = 1) -> Iterator[list[bytes]]:
    """Yield the journal with each fact in turn cut short, mangled, missing, twice, or with a number that cannot be."""
    rng = random.Random(seed)
    for number, fact in enumerate(facts):
        for damaged in ([fact[: len(fact) // 2]], [_mangled(fact, rng)], [], [fact, fact], *_with_wild_numbers(fact)):
            yield [*facts[:number], *damaged, *facts[number + 1 :]]


def _mangled(fact: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(fact))
    return fact[:at] + bytes([rng.randrange(256)]) + fact[at + 1 :]


def _with_wild_numbers(fact: bytes) -> Iterator[list[bytes]]:
    version, body = msgspec.msgpack.decode(fact)
    for holder, key in list(_places_of_numbers(body)):
        kept = holder[key]
        for holder[key] in NO_NUMBER_OF_A_GAME:
            yield [msgspec.msgpack.encode((version, body))]
        holder[key] = kept


def _places_of_numbers(content: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each list or map within with the key of a number in it."""
    inner = content.items() if isinstance(content, dict) else enumerate(content)
    for key, value in inner:
        if isinstance(value, (list, dict)):
            yield from _places_of_numbers(value)
        elif type(value) is int:
            yield content, key
