"""A stream of bytes becomes frames, and a frame becomes a map or a named fault, whatever the bytes are."""

from __future__ import annotations

import itertools
from typing import Any

import msgpack
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from looseends_protocol import limits
from looseends_protocol.frames import FrameSplitter, FrameTooLong, FrameUnreadable, framed, unpacked
from looseends_protocol.limits import LENGTH_BYTES, FrameCaps
from looseends_protocol.messages import Done

SMALL = FrameCaps(frame=200, text=10, binary=6, array=5, map=4)
DIRECTIONS = (limits.BEFORE_LOGIN, limits.FROM_CLIENT, limits.FROM_SERVER)


def in_front(payload: bytes) -> bytes:
    return len(payload).to_bytes(LENGTH_BYTES, "big") + payload


def packed(content: object) -> bytes:
    written = msgpack.packb(content)
    assert isinstance(written, bytes)
    return written


def pieces(stream: bytes, cuts: list[int]) -> list[bytes]:
    places = [0, *sorted(cut % (len(stream) + 1) for cut in cuts), len(stream)]
    return [stream[start:end] for start, end in itertools.pairwise(places)]


payloads = st.lists(st.binary(max_size=SMALL.frame), max_size=8)


@given(payloads, st.lists(st.integers(0), max_size=12))
@example([b"", b"", b"x"], [1, 2, 3, 4, 5])
def test_every_split_of_a_stream_gives_the_same_frames(sent: list[bytes], cuts: list[int]) -> None:
    splitter = FrameSplitter(SMALL)
    stream = b"".join(map(in_front, sent))

    received = [frame for piece in pieces(stream, cuts) for frame in splitter.feed(piece)]

    assert received == sent
    assert splitter.pending == 0


@given(payloads)
def test_byte_by_byte_gives_each_frame_with_its_last_byte(sent: list[bytes]) -> None:
    splitter = FrameSplitter(SMALL)
    for payload in sent:
        *before, last = [bytes([byte]) for byte in in_front(payload)]
        for byte in before:
            assert list(splitter.feed(byte)) == []
        assert list(splitter.feed(last)) == [payload]


@given(st.binary(min_size=1, max_size=SMALL.frame), st.integers(0))
def test_an_unfinished_frame_is_held_and_no_more_than_it(payload: bytes, cut: int) -> None:
    splitter = FrameSplitter(SMALL)
    part = in_front(payload)[: cut % (LENGTH_BYTES + len(payload))]

    assert list(splitter.feed(in_front(b"whole") + part)) == [b"whole"]
    assert splitter.pending == len(part)


@pytest.mark.parametrize("caps", DIRECTIONS)
def test_a_frame_of_exactly_the_cap_passes(caps: FrameCaps) -> None:
    payload = bytes(caps.frame)
    assert list(FrameSplitter(caps).feed(in_front(payload))) == [payload]


@pytest.mark.parametrize("caps", DIRECTIONS)
@given(over=st.integers(1))
@example(over=1)
@example(over=2**32)
def test_a_length_over_the_cap_is_refused_before_a_byte_of_the_frame_came(caps: FrameCaps, over: int) -> None:
    announced = min(caps.frame + over, 2**32 - 1)
    splitter = FrameSplitter(caps)

    with pytest.raises(FrameTooLong) as refusal:
        list(splitter.feed(announced.to_bytes(LENGTH_BYTES, "big")))

    assert (refusal.value.announced, refusal.value.allowed) == (announced, caps.frame)
    assert splitter.pending == LENGTH_BYTES


def test_frames_before_one_that_is_too_long_are_still_given() -> None:
    frames = FrameSplitter(SMALL).feed(in_front(b"good") + in_front(bytes(SMALL.frame + 1)))

    assert next(frames) == b"good"
    with pytest.raises(FrameTooLong):
        next(frames)


def test_caps_may_grow_between_two_frames_of_one_piece() -> None:
    splitter = FrameSplitter(limits.BEFORE_LOGIN)
    long = bytes(limits.BEFORE_LOGIN.frame + 1)

    frames = splitter.feed(in_front(b"hello") + in_front(long))

    assert next(frames) == b"hello"
    splitter.caps = limits.FROM_CLIENT
    assert list(frames) == [long]


def test_caps_may_shrink_between_two_frames_of_one_piece() -> None:
    splitter = FrameSplitter(limits.FROM_CLIENT)
    frames = splitter.feed(in_front(b"first") + in_front(bytes(SMALL.frame + 1)))

    assert next(frames) == b"first"
    splitter.caps = SMALL
    with pytest.raises(FrameTooLong):
        next(frames)


def test_frames_that_were_not_taken_come_with_the_next_bytes() -> None:
    splitter = FrameSplitter(SMALL)
    first = splitter.feed(in_front(b"one") + in_front(b"two"))
    assert next(first) == b"one"

    assert list(splitter.feed(in_front(b"three"))) == [b"two", b"three"]
    splitter.feed(in_front(b"four"))
    assert list(splitter.feed(b"")) == [b"four"]


def test_a_message_is_framed_with_its_length_in_front() -> None:
    assert framed(Done(answers=7)) == bytes.fromhex("0000000c 82 a174 a4646f6e65 a27265 07")


# ── one frame to one map ─────────────────────────────────────────────────────────────────────────────────────────

plain = st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text() | st.binary()
anything = st.recursive(
    plain, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(plain, inner, max_size=4), max_leaves=12
)


def only_a_map_or_unreadable(payload: bytes, caps: FrameCaps) -> dict[str, Any] | None:
    try:
        content = unpacked(payload, caps)
    except FrameUnreadable:
        return None
    assert type(content) is dict
    return content


@given(st.binary(max_size=300), st.sampled_from((SMALL, *DIRECTIONS)))
@example(b"", SMALL)
@example(b"\x80", SMALL)
@example(b"\xc1", SMALL)
@example(b"\xdf\xff\xff\xff\xff", limits.FROM_SERVER)
@example(b"\xdd\xff\xff\xff\xff", limits.FROM_SERVER)
@example(b"\xdb\xff\xff\xff\xff", limits.FROM_SERVER)
@example(b"\xc6\xff\xff\xff\xff", limits.FROM_SERVER)
@example(b"\xc9\xff\xff\xff\xff\x01", limits.FROM_SERVER)
def test_any_bytes_are_a_map_or_unreadable(payload: bytes, caps: FrameCaps) -> None:
    only_a_map_or_unreadable(payload, caps)


@given(anything, st.data())
def test_a_damaged_frame_is_a_map_or_unreadable(content: object, data: st.DataObject) -> None:
    whole = bytearray(packed({"t": content}))
    whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(whole)))

    only_a_map_or_unreadable(bytes(whole[:cut]), limits.FROM_CLIENT)


@given(anything)
def test_what_is_no_map_is_unreadable(content: object) -> None:
    if not isinstance(content, dict):
        with pytest.raises(FrameUnreadable):
            unpacked(packed(content), limits.FROM_SERVER)


CAPPED = {
    "str": ({"k": "x" * SMALL.text}, {"k": "x" * (SMALL.text + 1)}),
    "str of two bytes a letter": ({"k": "é" * (SMALL.text // 2)}, {"k": "é" * (SMALL.text // 2 + 1)}),
    "bin": ({"k": bytes(SMALL.binary)}, {"k": bytes(SMALL.binary + 1)}),
    "array": ({"k": [1] * SMALL.array}, {"k": [1] * (SMALL.array + 1)}),
    "map": ({"k": dict.fromkeys("abcd")}, {"k": dict.fromkeys("abcde")}),
    "the map itself": (dict.fromkeys("abcd"), dict.fromkeys("abcde")),
    "key": ({"x" * SMALL.text: 1}, {"x" * (SMALL.text + 1): 1}),
}


@pytest.mark.parametrize("what", CAPPED)
def test_each_cap_is_the_last_size_that_passes(what: str) -> None:
    within, over = CAPPED[what]

    assert unpacked(packed(within), SMALL) == within
    with pytest.raises(FrameUnreadable):
        unpacked(packed(over), SMALL)


def test_a_huge_announced_size_is_refused_without_memory_for_it() -> None:
    for announced in (
        b"\xdb\x7f\xff\xff\xff",
        b"\xc6\x7f\xff\xff\xff",
        b"\xdd\x7f\xff\xff\xff",
        b"\xdf\x7f\xff\xff\xff",
    ):
        with pytest.raises(FrameUnreadable):
            unpacked(b"\x81\xa1k" + announced, limits.FROM_SERVER)


@pytest.mark.parametrize("opening", [b"\x91", b"\x81\xa1k"], ids=["arrays", "maps"])
@pytest.mark.parametrize("depth", [1, 100, 1_000, 2_000, 5_000])
def test_any_depth_is_a_map_or_unreadable(opening: bytes, depth: int) -> None:
    content = only_a_map_or_unreadable(b"\x81\xa1k" + opening * depth + b"\xc0", limits.FROM_CLIENT)

    if depth == 1:
        assert content is not None
    if depth >= 2_000:
        assert content is None


EXTENSIONS = {
    "empty": b"\xc7\x00\x05",
    "short": packed(msgpack.ExtType(5, b"x")),
    "long": packed(msgpack.ExtType(127, bytes(17))),
    "empty timestamp": b"\xc7\x00\xff",
    "timestamp of seconds": packed(msgpack.Timestamp(1)),
    "timestamp of nanoseconds": packed(msgpack.Timestamp(1, 2)),
    "timestamp before 1970": packed(msgpack.Timestamp(-1, 2)),
}


@pytest.mark.parametrize("caps", DIRECTIONS)
@pytest.mark.parametrize("extension", EXTENSIONS)
def test_extension_types_and_timestamps_are_unreadable(extension: str, caps: FrameCaps) -> None:
    with pytest.raises(FrameUnreadable):
        unpacked(b"\x81\xa1k" + EXTENSIONS[extension], caps)


@pytest.mark.parametrize("key", [1, -1, 1.5, None, True, [], {}])
def test_keys_that_are_no_text_are_unreadable(key: object) -> None:
    with pytest.raises(FrameUnreadable):
        unpacked(b"\x81" + packed(key) + b"\x01", limits.FROM_SERVER)


@pytest.mark.parametrize("inside", [False, True], ids=["outermost", "inside"])
def test_a_key_that_is_there_twice_is_unreadable(inside: bool) -> None:
    twice = b"\x82\xa1k\x01\xa1k\x02"
    with pytest.raises(FrameUnreadable):
        unpacked(b"\x81\xa1x" + twice if inside else twice, limits.FROM_SERVER)


@given(st.binary(min_size=1, max_size=20))
def test_bytes_after_the_map_are_unreadable(more: bytes) -> None:
    with pytest.raises(FrameUnreadable):
        unpacked(packed({"t": "done"}) + more, limits.FROM_SERVER)


@pytest.mark.parametrize("text", [b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc3"])
def test_text_that_is_no_utf8_is_unreadable(text: bytes) -> None:
    with pytest.raises(FrameUnreadable):
        unpacked(b"\x81\xa1k" + bytes([0xA0 | len(text)]) + text, limits.FROM_SERVER)


def test_nan_and_infinity_are_read_as_floats_which_no_message_takes() -> None:
    content = unpacked(packed({"a": float("nan"), "b": float("inf")}), limits.FROM_SERVER)
    assert type(content["a"]) is type(content["b"]) is float


def test_the_empty_frame_is_unreadable_and_the_next_one_is_read() -> None:
    empty, done = FrameSplitter(limits.FROM_SERVER).feed(in_front(b"") + framed(Done(1)))

    with pytest.raises(FrameUnreadable):
        unpacked(empty, limits.FROM_SERVER)
    assert unpacked(done, limits.FROM_SERVER) == {"t": "done", "re": 1}
