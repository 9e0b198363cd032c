"""Bytes in, frames out: where one frame ends, and one decode per frame.

No socket and no clock: the caller feeds what it received and writes what it is given. What a frame's map means is
for `messages`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgpack
import msgspec

from looseends_protocol.limits import LENGTH_BYTES, FrameCaps

_ENCODER = msgspec.msgpack.Encoder()
_LENGTHS = tuple(length.to_bytes(LENGTH_BYTES, "big") for length in range(1024))
"""The lengths of almost all frames, as they stand in front of them."""


class FrameTooLong(Exception):
    """A peer announced a frame longer than it may send. Nothing of it was read; the connection cannot go on."""

    def __init__(self, announced: int, allowed: int) -> None:
        super().__init__(f"a frame of {announced} bytes was announced, at most {allowed} are allowed")
        self.announced = announced
        self.allowed = allowed


class FrameUnreadable(Exception):
    """A frame is not one msgpack map within the caps. The frames after it can still be read."""


class FrameSplitter:
    """Cuts a byte stream into frames. Holds at most one unfinished frame of the allowed length.

    `caps` may be replaced between two frames, as when a peer has logged in.
    """

    __slots__ = ("_buffer", "caps")

    def __init__(self, caps: FrameCaps) -> None:
        self.caps = caps
        self._buffer = bytearray()

    def only_frame(self, received: bytes) -> bytes | None:
        """Return the payload where these bytes are one whole frame and nothing is held; else None, and take nothing.

        Almost every packet is one, and this costs a quarter of what `feed` costs.
        """
        payload = received[LENGTH_BYTES:]
        length = int.from_bytes(received[:LENGTH_BYTES], "big")
        if self._buffer or len(payload) != length or length > self.caps.frame or len(received) < LENGTH_BYTES:
            return None
        return payload

    def feed(self, received: bytes) -> Iterator[bytes]:
        """Take bytes as they came and yield the payload of each frame that is complete, in order.

        Frames that the caller does not take are yielded by the next call. The iterator raises FrameTooLong as soon as
        it reads a length over the cap in force at that moment, before it waits for any of that frame.
        """
        self._buffer += received
        return self._complete()

    def _complete(self) -> Iterator[bytes]:
        buffer = self._buffer
        while len(buffer) >= LENGTH_BYTES:
            length = int.from_bytes(buffer[:LENGTH_BYTES], "big")
            if length > self.caps.frame:
                raise FrameTooLong(length, self.caps.frame)
            end = LENGTH_BYTES + length
            if len(buffer) < end:
                return
            payload = bytes(buffer[LENGTH_BYTES:end])
            del buffer[:end]
            yield payload

    @property
    def pending(self) -> int:
        """Bytes held of a frame that is not complete."""
        return len(self._buffer)


def _map_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse a key that is there twice: of two values under it another reader might take the other."""
    content = dict(pairs)
    if len(content) < len(pairs):
        raise ValueError("a map has the same key twice")
    return content


def _no_extension(code: int, _content: bytes) -> None:
    raise ValueError(f"extension type {code} is not part of the protocol")


def unpacked(payload: bytes, caps: FrameCaps) -> dict[str, Any]:
    """Return the map in a frame's payload. Raises FrameUnreadable, whatever the bytes are."""
    try:
        content = msgpack.unpackb(
            payload,
            raw=False,
            strict_map_key=True,
            max_str_len=caps.text,
            max_bin_len=caps.binary,
            max_array_len=caps.array,
            max_map_len=caps.map,
            max_ext_len=0,
            object_pairs_hook=_map_of,
            ext_hook=_no_extension,
        )
    except Exception as error:  # every fault of the decoder means the same: these bytes are no frame of ours
        raise FrameUnreadable(f"not one msgpack map within the caps: {type(error).__name__}") from error
    if not isinstance(content, dict):
        raise FrameUnreadable("the frame holds no map")
    return content


def framed(message: msgspec.Struct) -> bytes:
    """Return the message as a frame, length in front."""
    payload = _ENCODER.encode(message)
    length = len(payload)
    return (_LENGTHS[length] if length < len(_LENGTHS) else length.to_bytes(LENGTH_BYTES, "big")) + payload
