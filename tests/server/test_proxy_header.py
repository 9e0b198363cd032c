"""The header of PROXY version 2: read from any bytes, however they come."""

from __future__ import annotations

import ipaddress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from looseends_server.proxy_gate import Proxies
from looseends_server.proxy_header import LONGEST, SIGNATURE, HeaderInvalid, ProxyHeader, read_header

PORTS = b"\x30\x39\x22\x2d"


def header(command: int, family: int, body: bytes) -> bytes:
    return SIGNATURE + bytes([command, family]) + len(body).to_bytes(2, "big") + body


V4 = header(0x21, 0x11, bytes([203, 0, 113, 5, 192, 0, 2, 1]) + PORTS)
V6 = header(0x21, 0x21, ipaddress.ip_address("2001:db8::7").packed + ipaddress.ip_address("::1").packed + PORTS)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (V4, ProxyHeader("203.0.113.5", len(V4))),
        (V6, ProxyHeader("2001:db8::7", len(V6))),
        (header(0x21, 0x11, V4[16:] + b"\x03\x00\x04abcd"), ProxyHeader("203.0.113.5", len(V4) + 7)),
        (header(0x20, 0x00, b""), ProxyHeader("", 16, local=True)),
        (header(0x20, 0x11, V4[16:]), ProxyHeader("", len(V4), local=True)),
        (header(0x21, 0x00, b""), ProxyHeader("", 16)),
        (header(0x21, 0x31, bytes(216)), ProxyHeader("", 232)),
    ],
)
def test_a_header_says_who_is_behind_the_proxy(written: bytes, expected: ProxyHeader) -> None:
    assert read_header(written) == expected
    assert read_header(written + b"and what follows") == expected


@pytest.mark.parametrize("written", [V4, V6, header(0x20, 0x00, b"")])
def test_more_bytes_are_waited_for_until_it_is_whole(written: bytes) -> None:
    assert [read_header(written[:end]) for end in range(len(written))] == [None] * len(written)


@pytest.mark.parametrize(
    "written",
    [
        b"PROXY TCP4 203.0.113.5 192.0.2.1 1 2\r\n",
        b"\x00",
        b"\r\n\r\n\x00\r\nQUIT\r",
        header(0x11, 0x11, V4[16:]),
        header(0x22, 0x11, V4[16:]),
        header(0x21, 0x12, V4[16:]),
        header(0x21, 0x11, V4[16:-1]),
        header(0x21, 0x21, V4[16:]),
        SIGNATURE + b"\x21\x11" + (LONGEST + 1).to_bytes(2, "big"),
    ],
)
def test_anything_else_is_refused(written: bytes) -> None:
    with pytest.raises(HeaderInvalid):
        read_header(written)


@given(st.binary(max_size=64), st.integers(0, 300))
@example(b"", 0)
def test_any_bytes_are_a_header_or_too_few_or_refused(noise: bytes, keep: int) -> None:
    for received in (noise, SIGNATURE + noise, V6[:keep] + noise):
        try:
            read = read_header(received)
        except HeaderInvalid:
            continue
        if read is None:
            assert len(received) < 16 or len(received) < 16 + int.from_bytes(received[14:16], "big")
        else:
            assert 16 <= read.length <= len(received)
            assert read.source == "" or str(ipaddress.ip_address(read.source)) == read.source


def test_only_listed_addresses_and_networks_are_believed() -> None:
    proxies = Proxies(["127.0.0.1", "10.1.0.0/16", "fd00::/8"], over_tls=True)
    for address in ("127.0.0.1", "::ffff:127.0.0.1", "10.1.2.3", "fd00::1"):
        assert proxies.believes(address)
    for address in ("127.0.0.2", "10.2.0.1", "::1", "local", "", "unknown"):
        assert not proxies.believes(address)
