"""The short way for what comes most often leads where the long one does, or is not taken."""

from __future__ import annotations

import msgpack
from hypothesis import example, given
from hypothesis import strategies as st

from looseends_core.actions import BIDS, COVERS, DOUBLE_CROSS, PASS, PLAYS
from looseends_protocol.frames import FrameSplitter, FrameUnreadable, framed, unpacked
from looseends_protocol.limits import FROM_CLIENT, LARGEST_COUNT, LENGTH_BYTES, FrameCaps
from looseends_protocol.messages import Act, MessageInvalid, MessageUnknown, message_from_client, plain_act

SMALL = FrameCaps(frame=60, text=10, binary=6, array=5, map=4)

counts = st.integers(0, LARGEST_COUNT)
kinds = (BIDS, PLAYS, COVERS, (PASS, DOUBLE_CROSS))
acts = st.builds(Act, counts, counts, counts, st.one_of(*[st.sampled_from(kind) for kind in kinds]))


def payload_of(act: Act) -> bytes:
    return framed(act)[LENGTH_BYTES:]


@given(acts)
def test_every_act_as_we_write_it_takes_the_short_way(act: Act) -> None:
    assert plain_act(payload_of(act)) == act


@given(acts, st.data())
def test_whatever_is_changed_in_an_act_the_short_way_says_what_the_long_one_says(act: Act, data: st.DataObject) -> None:
    payload = bytearray(payload_of(act))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(payload)))
        payload[at : at + data.draw(st.integers(0, 2))] = data.draw(st.binary(max_size=3))
    short = plain_act(bytes(payload))
    if short is None:
        return
    try:
        long = message_from_client(unpacked(bytes(payload), FROM_CLIENT))
    except (FrameUnreadable, MessageUnknown, MessageInvalid):
        long = None
    assert short == long


def packed(value: object) -> bytes:
    made = msgpack.packb(value)
    assert isinstance(made, bytes)
    return made


@given(acts)
def test_what_the_long_way_alone_can_judge_takes_it(act: Act) -> None:
    content = msgpack.unpackb(payload_of(act))
    twice = bytes([payload_of(act)[0] + 1]) + payload_of(act)[1:] + packed("id") + packed(1)
    more = packed({**content, "zz": 1})
    longer = packed({**content, "a": [*content["a"], "and more"]})
    wide = payload_of(act).replace(b"\xa2id", b"\xd9\x02id", 1)
    for payload in (twice, more, longer, wide, payload_of(act) + b"\0", payload_of(act)[:-1]):
        assert plain_act(payload) is None


@given(st.binary(max_size=80), st.integers(0, 100))
@example(bytes(60), 60)
@example(bytes(61), 61)
@example(b"", 0)
def test_bytes_are_one_frame_exactly_where_the_splitter_yields_them_and_keeps_nothing(body: bytes, length: int) -> None:
    received = length.to_bytes(LENGTH_BYTES, "big") + body
    only = FrameSplitter(SMALL).only_frame(received)
    assert only == (body if len(body) == length <= SMALL.frame else None)


@given(st.binary(max_size=LENGTH_BYTES - 1))
def test_less_than_a_length_is_no_frame(received: bytes) -> None:
    assert FrameSplitter(SMALL).only_frame(received) is None


def test_a_frame_behind_the_beginning_of_another_is_none_of_its_own() -> None:
    splitter = FrameSplitter(SMALL)
    assert list(splitter.feed(b"\0\0")) == []
    whole = (3).to_bytes(LENGTH_BYTES, "big") + b"abc"
    assert splitter.only_frame(whole) is None
    assert splitter.pending == 2
