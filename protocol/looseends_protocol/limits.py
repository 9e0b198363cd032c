"""What the wire allows: ports, frame sizes and the caps of a decoder, each with its reason.

Limits of a server's house (how many tables, how many connections) are the server's and do not live here.
"""

from __future__ import annotations

import msgspec

DEFAULT_PORT = 8749
"""TCP port of a server."""
SSH_PORT = 8722
"""TCP port of a server's SSH door."""

PROTOCOL_MAJOR = 1
"""Peers of the same major understand each other; a new one is a break."""
PROTOCOL_MINOR = 1
"""Counts additions that an older peer may ignore."""

LENGTH_BYTES = 4
"""A frame begins with its length without these bytes, big-endian."""

NAME_LENGTH = 20
"""Characters of a name, 1 at least: it has to fit a column of the table."""
CHAT_LENGTH = 300
"""Characters of a chat line: about four rows of a terminal."""
TITLE_LENGTH_SENT = 64
"""Characters of a table's title as a client may send it; a server may keep fewer."""
PASSWORD_LENGTH = 128
"""Characters of a password."""
CODE_LENGTH = 10
"""Letters of a table's code: 50 bits, so that a private table cannot be found by trying."""
FINGERPRINT_BYTES = 32
"""Bytes of an SSH key's fingerprint: SHA-256."""
WAY_BACK_LENGTH = 16
"""Letters of a code that is a person: 80 bits, which nobody finds by trying."""
TOKEN_BYTES = 32
"""Bytes of a token: 256 bits."""
LARGEST_COUNT = 2**31 - 1
"""The largest id, game, state number or round that a request may name."""


class FrameCaps(msgspec.Struct, frozen=True):
    """What a decoder accepts: `frame` in bytes without the length, then the longest str, bin, array and map.

    A str is counted in bytes of UTF-8, so its cap is four times what the messages allow in characters.
    """

    frame: int
    text: int
    binary: int
    array: int
    map: int


BEFORE_LOGIN = FrameCaps(frame=1024, text=512, binary=64, array=16, map=16)
"""Frames to a server from a peer that has not said hello: a hello and little else fits. 512 bytes are a password."""
FROM_CLIENT = FrameCaps(frame=16 * 1024, text=4096, binary=64, array=64, map=32)
"""Frames to a server. The largest honest one says a line of 300 characters, 4 bytes each, or makes a table."""
FROM_SERVER = FrameCaps(frame=256 * 1024, text=128 * 1024, binary=64, array=8192, map=64)
"""Frames to a client. The largest honest one is a snapshot late in a game of 20 rounds, or a record of it."""
