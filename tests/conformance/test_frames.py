"""Frames: cut anywhere, read one by one, refused by name where they are none of the protocol's."""

from __future__ import annotations

from typing import Any

import msgpack
import pytest

from tests.conformance.client import Closed
from tests.conformance.people import People

UNREADABLE = {
    "no msgpack": b"\xc1",
    "cut short": b"\x82\xa1t",
    "no map": msgpack.packb([1, 2]),
    "two values": b"\x82\xa1t\xa4ping\xa2id\x01\x00",
    "nothing": b"",
    "a key that is no string": msgpack.packb({"t": "ping", 1: 1}),
    "a key twice": b"\x83\xa1t\xa4ping\xa2id\x01\xa2id\x02",
    "an extension": msgpack.packb({"t": "ping", "id": msgpack.ExtType(5, b"x")}),
    "a string that is no UTF-8": b"\x82\xa1t\xa4ping\xa2id\xa1\xff",
    "a map of too many keys": msgpack.packb({"t": "ping", "id": 1, **{f"k{at}": 0 for at in range(40)}}),
    "an array that is too long": msgpack.packb({"t": "ping", "id": 1, "x": [0] * 65}),
    "bytes that are too long": msgpack.packb({"t": "ping", "id": 1, "x": bytes(65)}),
    "a string that is too long": msgpack.packb({"t": "ping", "id": 1, "x": "x" * 4097}),
}
INVALID: dict[str, dict[str, Any]] = {
    "no id": {"t": "ping"},
    "a negative id": {"t": "ping", "id": -1},
    "an id that is too large": {"t": "ping", "id": 2**31},
    "a float for an id": {"t": "ping", "id": 1.0},
    "a boolean for an id": {"t": "ping", "id": True},
    "a string for a number": {"t": "list", "id": 700, "p": "0"},
    "a page that is too large": {"t": "list", "id": 700, "p": 1001},
    "a seat that cannot be": {"t": "join", "id": 700, "c": "7GK3M0QX9T", "st": 5},
    "a nonce that is too short": {"t": "nonce", "id": 700, "r": 1, "nc": bytes(15)},
    "a string for bytes": {"t": "nonce", "id": 700, "r": 1, "nc": "x" * 16},
    "an action of no kind": {"t": "act", "id": 700, "g": 1, "n": 1, "a": ["steal", 3]},
    "an action without its card": {"t": "act", "id": 700, "g": 1, "n": 1, "a": ["play"]},
    "a clock that is too long": {"t": "create", "id": 700, "ru": {}, "o": {"cs": 3601}},
}


@pytest.mark.parametrize("payload", UNREADABLE.values(), ids=UNREADABLE.keys())
def test_a_frame_that_is_no_map_within_the_caps_is_refused_and_the_next_is_read(people: People, payload: bytes) -> None:
    ann = people.connect("ann")

    ann.send_payload(payload)

    assert ann.until(lambda: ann.pushes("refused"))[-1]["er"] == "frame/unreadable"
    assert "re" not in ann.heard[-1]
    ann.expect("pong", "ping")


@pytest.mark.parametrize("message", INVALID.values(), ids=INVALID.keys())
def test_a_field_that_is_missing_or_wrong_is_refused_and_the_next_frame_is_read(
    people: People, message: dict[str, Any]
) -> None:
    ann = people.connect("ann")
    ann.send(message)

    refused = ann.until(lambda: ann.pushes("refused"))[-1]

    assert refused["er"] == "frame/invalid"
    number = message.get("id")
    if type(number) is int and 0 <= number < 2**31:
        assert refused["re"] == number
    else:
        assert refused.get("re") is None
    ann.expect("pong", "ping")


def test_a_kind_that_it_does_not_know_is_refused_with_the_id_and_the_next_frame_is_read(people: People) -> None:
    ann = people.connect("ann")

    ann.send({"t": "no-such-kind", "id": 77})

    refused = ann.until(lambda: ann.pushes("refused"))[-1]
    assert (refused["er"], refused["re"]) == ("frame/unknown", 77)
    ann.expect("pong", "ping")


def test_a_key_that_it_does_not_know_is_ignored(people: People) -> None:
    people.connect("ann").expect("pong", "ping", zz=[1, {"deep": b"x"}])


def test_a_frame_may_come_byte_by_byte(people: People) -> None:
    ann = people.connect("ann")
    payload: bytes = msgpack.packb({"t": "ping", "id": 900}) or b""

    for byte in len(payload).to_bytes(4, "big") + payload:
        ann.send_bytes(bytes([byte]))

    assert ann.until(lambda: ann.pushes("pong"))[-1]["re"] == 900


def test_several_frames_may_come_at_once(people: People) -> None:
    ann = people.connect("ann")
    payload: bytes = msgpack.packb({"t": "ping", "id": 900}) or b""

    ann.send_bytes((len(payload).to_bytes(4, "big") + payload) * 3)

    ann.until(lambda: len(ann.pushes("pong")) == 3)


@pytest.mark.parametrize("length", [16_385, 2**31, 2**32 - 1])
def test_a_length_over_the_cap_closes_the_connection_before_anything_of_the_frame_is_read(
    people: People, length: int
) -> None:
    ann = people.connect("ann")

    ann.send_bytes(length.to_bytes(4, "big"))

    last = ann.until_closed()
    assert (last["t"], last["er"], last.get("re")) == ("refused", "frame/too_long", None)


def test_a_frame_as_long_as_the_cap_is_read(people: People) -> None:
    ann = people.connect("ann")
    fields = {f"x{at}": "x" * 4000 for at in range(4)}
    bare: bytes = msgpack.packb({"t": "ping", "id": 5, **fields, "y": ""}) or b""
    message = {"t": "ping", "id": 5, **fields, "y": "y" * (16_384 - len(bare) - 2)}
    payload: bytes = msgpack.packb(message) or b""
    assert len(payload) == 16_384

    ann.send_payload(payload)

    assert ann.until(lambda: ann.pushes("pong"))[-1]["re"] == 5


def test_before_hello_a_frame_of_1024_bytes_is_the_longest(people: People) -> None:
    stranger = people.stranger()

    stranger.send_bytes((1025).to_bytes(4, "big"))

    assert stranger.until_closed()["er"] == "frame/too_long"


def test_nothing_is_answered_on_a_connection_that_was_closed_for_its_frame(people: People) -> None:
    ann = people.connect("ann")
    heard = len(ann.heard)
    payload: bytes = msgpack.packb({"t": "ping", "id": 1}) or b""

    ann.send_bytes((2**31).to_bytes(4, "big") + len(payload).to_bytes(4, "big") + payload)

    ann.until_closed()
    assert [message["t"] for message in ann.heard[heard:]] == ["refused"]
    with pytest.raises((Closed, OSError)):
        ann.ask("ping")
