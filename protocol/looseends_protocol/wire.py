"""What every message has in common: the short keys of its fields, the kinds of value that several fields share, and
the four shapes a message comes in.

A message itself does not live here: the parts that messages carry are in `parts`, the messages in `requests`, `answers`
and `pushes`, and `messages` gathers them all.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from looseends_protocol.limits import LARGEST_COUNT, PASSWORD_LENGTH

WIRE_KEYS = {
    "absence": "ab",
    "action": "a",
    "answers": "re",
    "away": "aw",
    "best": "be",
    "bots": "bt",
    "came_from": "cf",
    "can": "cn",
    "chat": "ch",
    "client": "cl",
    "clock": "ck",
    "clock_seconds": "cs",
    "code": "c",
    "commitment": "cm",
    "cover": "cv",
    "decision": "de",
    "deltas": "dl",
    "done": "dn",
    "covers": "co",
    "connected": "on",
    "contest": "ct",
    "copies": "cp",
    "door": "dr",
    "elsewhere": "ew",
    "ended_at": "ea",
    "error": "er",
    "events": "e",
    "fingerprint": "fp",
    "from_number": "fn",
    "game": "g",
    "games": "gs",
    "hello_password": "pw",
    "host": "h",
    "hint": "hi",
    "id": "id",
    "kind": "k",
    "ladder": "ld",
    "leaders": "le",
    "legal": "l",
    "level": "lv",
    "levels": "ls",
    "line": "ln",
    "looking_at": "la",
    "lines": "li",
    "loose": "lo",
    "lost": "lt",
    "major": "v",
    "minor": "m",
    "missed_from": "mf",
    "name": "nm",
    "names": "nn",
    "needs_password": "np",
    "nonce": "nc",
    "nonces": "ns",
    "number": "n",
    "numbers": "nu",
    "open_seats": "os",
    "open_to_all": "oa",
    "options": "o",
    "origin": "or",
    "out": "ou",
    "own": "ow",
    "page": "p",
    "pages": "ps",
    "password": "pw",
    "perfect": "pf",
    "phase": "ph",
    "planning": "pg",
    "players": "pl",
    "points": "pt",
    "private": "pv",
    "proofs": "pr",
    "proven": "pn",
    "purpose": "pp",
    "ready": "rd",
    "rating": "rt",
    "ready_seconds": "rs",
    "record": "rc",
    "replay": "rp",
    "retry_after": "ra",
    "round": "r",
    "rules": "ru",
    "scores": "so",
    "seat": "st",
    "seats": "ss",
    "secret": "sc",
    "seconds": "sd",
    "sequence": "s",
    "server": "sv",
    "since": "si",
    "snitches": "sn",
    "spectators": "sp",
    "spectators_talk": "sk",
    "stand_in": "sb",
    "subscribe": "su",
    "suggestion": "sg",
    "tables": "ts",
    "taken": "ta",
    "text": "tx",
    "title": "ti",
    "token": "tk",
    "total": "to",
    "uncertainty": "se",
    "until": "un",
    "variants": "vr",
    "want_nonce": "wn",
    "watching": "wa",
    "weighed": "w",
    "winners": "wr",
    "wins": "wi",
    "worlds": "wo",
    "way_back": "wb",
    "yours": "y",
}
"""The key that each field has on the wire."""


def wire_key(field: str) -> str:
    """Return the key of a field on the wire."""
    return WIRE_KEYS[field]


Count = Annotated[int, Meta(ge=0, le=LARGEST_COUNT)]
"""A game, state number or round that a client names: 0 to 2^31−1, so that none is a place counted from the end."""
RequestId = Annotated[int, Meta(ge=0, le=LARGEST_COUNT)]
"""Chosen by the client, 0 to 2^31−1; the answer carries it back. Nothing is read into it."""
SeatNumber = Annotated[int, Meta(ge=0, le=4)]
Code = Annotated[str, Meta(min_length=1, max_length=16)]
"""The code of a table, as `codes.table_code` reads it."""
Password = Annotated[str, Meta(max_length=PASSWORD_LENGTH)]
Absence = Literal["bot", "wait", "clock"]
"""What a table does for a person who is away: `bot` lets one play after a while, `wait` waits, `clock` lets the turn
clock run out and takes a bot's action for that turn only."""
Away = Literal["", "lost", "left", "removed"]
"""Why a person is not at their seat: the connection was lost, they left, the host removed them; empty: they are."""
TablePhase = Literal["gathering", "dealing", "playing", "between", "over", "frozen"]
"""`gathering` until the host starts, `dealing` while nonces are collected, `playing` a round, `between` two rounds
until everybody is ready, `over` after the last, `frozen` while the server cannot save or after a fault."""


Hundredths = Annotated[int, Meta(ge=-100_000, le=100_000)]
"""Points of the game in hundredths."""
Percent = Annotated[int, Meta(ge=0, le=100)]
"""How often something happens."""


class OnTheWire(msgspec.Struct, frozen=True, tag_field="t", rename=wire_key, omit_defaults=True):
    """What all messages have in common."""


class Part(msgspec.Struct, frozen=True, rename=wire_key, omit_defaults=True):
    """A map inside a message."""


class Request(OnTheWire, frozen=True):
    """Sent by a client; answered exactly once, with `answers` = this id."""

    id: RequestId


class Answer(OnTheWire, frozen=True):
    """Sent by the server for one request."""

    answers: RequestId


class Push(OnTheWire, frozen=True):
    """Sent by the server to everybody at a table; `sequence` counts the pushes of that table one by one.

    A client that misses a number asks for a `Resync`.
    """

    sequence: int
