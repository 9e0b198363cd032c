"""Addresses of servers: what people type, paste and pass on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from looseends_client.address import Address, AddressInvalid, parse_address
from looseends_client.tls import refusal_of_plain_tcp
from looseends_protocol.codes import ALPHABET, code_from
from looseends_protocol.limits import DEFAULT_PORT

PIN = "0f" * 32
CODE = "3G7K2M9QXA"


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("games.example", Address("games.example")),
        (" games.example:99 ", Address("games.example", 99)),
        ("192.0.2.1:1", Address("192.0.2.1", 1)),
        ("[2001:db8::1]:99", Address("2001:db8::1", 99)),
        ("[::1]", Address("::1")),
        ("::1", Address("::1")),
        ("fe80::1%eth0", Address("fe80::1%eth0")),
        ("games.example/3g7k-2m9q-xa", Address("games.example", code=CODE)),
        ("games.example/", Address("games.example")),
        ("looseends://games.example", Address("games.example", tls=True)),
        ("LooseEnds://games.example:99/", Address("games.example", 99, tls=True)),
        (f"looseends://[::1]:99/{CODE}#sha256={PIN}", Address("::1", 99, True, CODE, bytes.fromhex(PIN))),
        (f"looseends://h#sha256={':'.join(['0F'] * 32)}", Address("h", DEFAULT_PORT, True, "", bytes.fromhex(PIN))),
    ],
)
def test_an_address_is_read_into_its_parts(typed: str, expected: Address) -> None:
    assert parse_address(typed) == expected


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "names no host: expected HOST or HOST:PORT"),
        (":99", "names no host"),
        ("looseends://", "names no host"),
        ("h:", "'' is no port: expected a number from 1 to 65535"),
        ("h:0", "'0' is no port"),
        ("h:65536", "'65536' is no port"),
        ("h:٣", "'٣' is no port"),
        ("[::1", "an IPv6 address is written [::1]:8749"),
        ("[::1]x", "an IPv6 address is written [::1]:8749"),
        ("a b", "'a b' is no host"),
        ("h\x1b[31m", "is no host"),
        ("https://h", "is no address of a server: one over TLS begins with looseends://"),
        ("h/ABC", "'ABC' is no table's code: expected 10 letters and digits"),
        ("h/3G7K2M9QX!", "is no table's code"),
        (f"h#sha256={PIN}", "a certificate is pinned in an address that begins with looseends://"),
        ("looseends://h#", "ends in something unknown"),
        (f"looseends://h#md5={PIN}", "ends in something unknown"),
        (f"looseends://h#sha256={PIN[:-1]}", "has 64 digits from 0 to f"),
        (f"looseends://h#sha256={PIN[:-1]}g", "was it copied whole?"),
    ],
)
def test_what_is_no_address_is_explained(typed: str, said: str) -> None:
    with pytest.raises(AddressInvalid) as caught:
        parse_address(typed)
    assert said in str(caught.value)
    assert str(caught.value).isprintable()


ADDRESSES = st.builds(
    Address,
    host=st.one_of(
        st.ip_addresses().map(str),
        st.from_regex(r"[a-z][a-z0-9-]{0,20}(\.[a-z]{2,5}){0,2}", fullmatch=True),
    ),
    port=st.integers(1, 65535),
    tls=st.just(True),
    code=st.one_of(st.just(""), st.integers(0, 2**50 - 1).map(code_from)),
    pin=st.one_of(st.just(b""), st.binary(min_size=32, max_size=32)),
)


@given(ADDRESSES, st.booleans())
def test_an_address_that_is_written_is_read_as_the_same(address: Address, tls: bool) -> None:
    if not tls:
        address = Address(address.host, address.port, code=address.code)
    assert parse_address(str(address)) == address
    assert str(address).isprintable()


@given(st.text(alphabet=st.sampled_from([*"loseend:/#[].=%", *ALPHABET, *"sha256", "\x1b", "é", " "]), max_size=60))
def test_any_text_is_an_address_or_is_explained(typed: str) -> None:
    for text in (typed, f"looseends://{typed}"):
        try:
            address = parse_address(text)
        except AddressInvalid:
            continue
        assert parse_address(str(address)) == address


@pytest.mark.parametrize(
    ("typed", "insecure", "refused"),
    [
        ("games.example", False, True),
        ("192.0.2.1", False, True),
        ("games.example", True, False),
        ("looseends://games.example", False, False),
        ("localhost", False, False),
        ("127.0.0.2:9", False, False),
        ("[::1]:9", False, False),
    ],
)
def test_a_token_goes_over_plain_tcp_only_to_this_machine(typed: str, insecure: bool, refused: bool) -> None:
    sentence = refusal_of_plain_tcp(parse_address(typed), insecure=insecure)
    assert bool(sentence) == refused
