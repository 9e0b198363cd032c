"""The caps of the wire, met through a connection: over one a frame is unreadable, at one it is read, both answered."""

from __future__ import annotations

import msgspec
import pytest

from looseends_protocol.limits import BEFORE_LOGIN, FROM_CLIENT, LENGTH_BYTES, FrameCaps
from looseends_protocol.messages import Done, Refused, Say
from looseends_server.limits import Limits
from tests.server.crossed import connect_from, house_with
from tests.server.peers import HandClock, Peer, arrive, seated_table, settled

FREE = Limits(burst_messages=10_000, strikes=10_000)


def nested(depth: int, around: bytes) -> bytes:
    """A map with so many containers in one another, that of the frame not counted."""
    return b"\x81\xa1z" + around * depth + b"\xc0"


def framed_bytes(payload: bytes) -> bytes:
    return len(payload).to_bytes(LENGTH_BYTES, "big") + payload


def unknown_message(kind: str, length: int) -> bytes:
    """A message that no server knows, with a string, bin, array or map of that length in it."""
    made: dict[str, object] = {
        "text": "x" * length,
        "binary": bytes(length),
        "array": [None] * length,
        "map": {str(number): None for number in range(length)},
    }
    return msgspec.msgpack.encode({"t": "dance", "z": made[kind]})


async def peer_before(caps: FrameCaps) -> Peer:
    house = await house_with(HandClock(), FREE)
    return connect_from(house) if caps is BEFORE_LOGIN else (await arrive(house, "ann"))[0]


async def answer_to(peer: Peer, payload: bytes) -> str:
    before = len(peer.got(Refused))
    assert peer.transport is not None
    peer.transport.write(framed_bytes(payload))
    await settled()
    (refusal,) = peer.got(Refused)[before:]
    return refusal.error


@pytest.mark.parametrize("caps", [BEFORE_LOGIN, FROM_CLIENT], ids=["before hello", "after"])
@pytest.mark.parametrize("kind", ["text", "binary", "array", "map"])
async def test_a_string_bin_array_or_map_over_its_cap_is_unreadable_and_one_at_it_is_read(
    kind: str, caps: FrameCaps
) -> None:
    peer = await peer_before(caps)
    cap = getattr(caps, kind)
    assert await answer_to(peer, unknown_message(kind, cap)) == "frame/unknown"
    assert await answer_to(peer, unknown_message(kind, cap + 1)) == "frame/unreadable"
    assert not peer.lost


@pytest.mark.parametrize("caps", [BEFORE_LOGIN, FROM_CLIENT], ids=["before hello", "after"])
async def test_a_frame_as_long_as_allowed_is_read_and_a_longer_one_ends_the_connection_at_its_length(
    caps: FrameCaps,
) -> None:
    peer = await peer_before(caps)
    assert await answer_to(peer, b"\xc1" * caps.frame) == "frame/unreadable"
    for announced in (caps.frame + 1, 2**32 - 1):
        peer = await peer_before(caps)
        assert peer.transport is not None
        peer.transport.write(announced.to_bytes(LENGTH_BYTES, "big"))
        await settled()
        assert peer.lost, "the length alone is enough"
        assert peer.got(Refused)[-1].error == "frame/too_long"


@pytest.mark.parametrize("around", [b"\x91", b"\x81\xa1z"], ids=["arrays", "maps"])
async def test_containers_in_containers_are_answered_however_deep(around: bytes) -> None:
    peer = await peer_before(FROM_CLIENT)
    deepest = (FROM_CLIENT.frame - 4) // len(around)
    for depth in (10, 100, 400, 600, 1000, deepest):
        assert (await answer_to(peer, nested(depth, around))).startswith("frame/")
    assert await answer_to(peer, nested(deepest, around)) == "frame/unreadable"
    assert not peer.lost


@pytest.mark.parametrize("field", ["r", "o", "ti", "a"])
async def test_a_field_of_any_depth_is_answered(field: str) -> None:
    peer = await peer_before(FROM_CLIENT)
    for tag in (b"\xa6create", b"\xa3act", b"\xa3say"):
        for depth in (5, 200, 500):
            payload = b"\x83\xa1t" + tag + b"\xa2id\x07" + msgspec.msgpack.encode(field) + b"\x91" * depth + b"\xc0"
            assert (await answer_to(peer, payload)).startswith("frame/")
    assert not peer.lost


async def test_a_frame_in_pieces_between_good_ones_harms_neither() -> None:
    house = await house_with(HandClock(), FREE)
    ann, bob = await seated_table(house, ["ann", "bob"])
    assert ann.transport is not None
    for byte in framed_bytes(b"\x91" * 300 + b"\xc0"):
        ann.transport.write(bytes([byte]))
    await ann.expect(Say(0, "still here"), Done)
    assert not ann.lost
    assert not bob.lost
