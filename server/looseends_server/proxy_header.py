"""The header of the PROXY protocol, version 2, in front of a connection that a proxy passes on. Bytes in, address out.

After the specification "The PROXY protocol, versions 1 & 2" of HAProxy, section 2.2. Whether a peer is to be believed
is not decided here.
"""

from __future__ import annotations

import ipaddress

import msgspec

SIGNATURE = b"\r\n\r\n\x00\r\nQUIT\n"
_FIXED = len(SIGNATURE) + 4  # then version and command, family and transport, and a length of two bytes
LONGEST = 4096
"""Bytes after the fixed part that are taken: addresses need 12 or 36, the rest are notes of the proxy."""

_LOCAL, _PROXY = 0x20, 0x21
_UNSPECIFIED, _TCP4, _TCP6, _UNIX_STREAM = 0x00, 0x11, 0x21, 0x31


class HeaderInvalid(Exception):
    """The bytes are no PROXY header of version 2, or one that says nothing about a TCP connection."""


class ProxyHeader(msgspec.Struct, frozen=True):
    """What a header says. `source` is the address of the peer behind the proxy, empty where the header names none;
    `length` are the bytes that the header took. `local` marks a connection of the proxy itself, such as a health check.
    """

    source: str
    length: int
    local: bool = False


def read_header(received: bytes | bytearray) -> ProxyHeader | None:
    """Return the header that the bytes begin with, None where more are needed. Raises HeaderInvalid.

    A wrong byte is refused when it comes, so nobody is waited for in vain; more than `_FIXED + LONGEST` are never
    needed.
    """
    start = bytes(received[: len(SIGNATURE)])
    if start != SIGNATURE[: len(start)]:
        raise HeaderInvalid("it does not begin with the signature of PROXY version 2")
    if len(received) < _FIXED:
        return None
    command, family = received[12], received[13]
    if command not in (_LOCAL, _PROXY):
        raise HeaderInvalid(f"version and command are {command:#04x}, not 0x20 or 0x21")
    length = int.from_bytes(received[14:16], "big")
    if length > LONGEST:
        raise HeaderInvalid(f"it announces {length} bytes, more than {LONGEST}")
    end = _FIXED + length
    if len(received) < end:
        return None
    if command == _LOCAL:
        return ProxyHeader("", end, local=True)
    body = bytes(received[_FIXED:end])
    if family == _TCP4:
        return ProxyHeader(_address(body, 4, 12), end)
    if family == _TCP6:
        return ProxyHeader(_address(body, 16, 36), end)
    if family in (_UNSPECIFIED, _UNIX_STREAM):
        return ProxyHeader("", end)
    raise HeaderInvalid(f"the family {family:#04x} is no TCP")


def _address(body: bytes, size: int, needed: int) -> str:
    if len(body) < needed:
        raise HeaderInvalid(f"its addresses need {needed} bytes, {len(body)} are there")
    return str(ipaddress.ip_address(body[:size]))
