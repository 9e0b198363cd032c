"""Addresses of servers as people type them and pass them on: with a table's code, with a pinned certificate.

Text in, parts out; nothing is looked up here. How the parts become a connection is in `tls` and `connector`.
"""

from __future__ import annotations

import re

import msgspec

from looseends_protocol.codes import ALPHABET, table_code
from looseends_protocol.duplicate import code_and_side
from looseends_protocol.limits import CODE_LENGTH, DEFAULT_PORT

SCHEME = "looseends://"
"""In front of an address whose server speaks TLS."""
PIN_BYTES = 32


class AddressInvalid(ValueError):
    """The text is no address; the message says what is wrong and what was expected."""


class Address(msgspec.Struct, frozen=True):
    """Where a server is. `code` is a table's, empty for the lobby; `pin` the SHA-256 of the certificate's DER that
    alone is accepted, empty where the certificate is verified in the ordinary way."""

    host: str
    port: int = DEFAULT_PORT
    tls: bool = False
    code: str = ""
    pin: bytes = b""

    @property
    def server(self) -> str:
        """HOST:PORT, with brackets around an IPv6 address: what tokens are kept under."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    def __str__(self) -> str:
        """Return the address in the form that `parse_address` reads."""
        code = f"/{self.code}" if self.code else ""
        pin = f"#sha256={self.pin.hex()}" if self.pin else ""
        return f"{SCHEME if self.tls else ''}{self.server}{code}{pin}"


def parse_address(text: str) -> Address:
    """Return the parts of `HOST[:PORT][/CODE]`, over TLS as `looseends://HOST[:PORT][/CODE][#sha256=HEX]`.

    An IPv6 address stands in brackets where a port follows. Raises AddressInvalid.
    """
    typed = text.strip()
    rest = typed
    tls = rest[: len(SCHEME)].lower() == SCHEME
    if tls:
        rest = rest[len(SCHEME) :]
    elif "://" in rest:
        raise AddressInvalid(f"{_shown(typed)} is no address of a server: one over TLS begins with {SCHEME}")
    rest, hash_sign, fragment = rest.partition("#")
    pin = _pin(fragment, typed) if hash_sign else b""
    if pin and not tls:
        raise AddressInvalid(
            f"a certificate is pinned in an address that begins with {SCHEME}: {_shown(typed)} does not"
        )
    place, slash, code = rest.partition("/")
    host, port = _host_and_port(place, typed)
    return Address(host, port, tls, _code(code) if slash and code else "", pin)


def _host_and_port(place: str, typed: str) -> tuple[str, int]:
    if place.startswith("["):
        host, bracket, after = place[1:].partition("]")
        if not bracket or (after and not after.startswith(":")):
            raise AddressInvalid(f"{_shown(typed)} is no address: an IPv6 address is written [::1]:{DEFAULT_PORT}")
        colon, port = bool(after), after[1:]
    elif place.count(":") > 1:
        host, colon, port = place, False, ""
    else:
        host, mark, port = place.partition(":")
        colon = bool(mark)
    if not host:
        raise AddressInvalid(f"{_shown(typed)} names no host: expected HOST or HOST:PORT")
    if not re.fullmatch(r"[\w.%:-]+", host):
        raise AddressInvalid(f"{_shown(host)} is no host: expected a name such as games.example or an IP address")
    if not colon:
        return host, DEFAULT_PORT
    if not re.fullmatch(r"[0-9]{1,5}", port) or not 1 <= int(port) <= 65535:
        raise AddressInvalid(f"{_shown(port)} is no port: expected a number from 1 to 65535")
    return host, int(port)


def _code(text: str) -> str:
    code = table_code(text)
    if len(code_and_side(text)[0]) != CODE_LENGTH or any(letter not in ALPHABET for letter in code):
        raise AddressInvalid(f"{_shown(text)} is no table's code: expected {CODE_LENGTH} letters and digits")
    return code


def _pin(fragment: str, typed: str) -> bytes:
    name, _, value = fragment.partition("=")
    if name.lower() != "sha256":
        raise AddressInvalid(f"{_shown(typed)} ends in something unknown: expected #sha256= and the certificate's hash")
    digits = value.replace(":", "")
    if not re.fullmatch(f"[0-9A-Fa-f]{{{PIN_BYTES * 2}}}", digits):
        raise AddressInvalid(
            f"the hash after #sha256= has {PIN_BYTES * 2} digits from 0 to f, not {_shown(value)}: was it copied whole?"
        )
    return bytes.fromhex(digits)


def _shown(text: str) -> str:
    quoted = repr(text)
    return quoted if len(quoted) <= 80 else f"{quoted[:76]}...'"
