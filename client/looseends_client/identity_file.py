"""A name on a server, written into a file that another machine reads: the token that is the name, and whose it is.

Text in, text out. Whoever has such a file is that person there.
"""

from __future__ import annotations

import tomllib

import msgspec

from looseends_client.address import AddressInvalid, parse_address
from looseends_protocol.limits import TOKEN_BYTES
from looseends_protocol.people_text import NameInvalid, person_name

LARGEST = 4096
"""Characters of a file that are looked at."""


class IdentityFile(msgspec.Struct, frozen=True):
    """Who somebody is on a server: its address as `join` takes it, the name there, and the token."""

    server: str
    name: str
    token: bytes


class NoIdentity(ValueError):
    """The text is no identity; the message says what is wrong with it, without the token in it."""


def identity_text(identity: IdentityFile) -> str:
    """Return the text of a file."""
    # JSON's strings are TOML's too, for what names and addresses may hold.
    fields = {"server": identity.server, "name": identity.name, "token": identity.token.hex()}
    lines = [f"{key} = {msgspec.json.encode(value).decode()}" for key, value in fields.items()]
    return "\n".join(["# Whoever has this file is this person on that server.", *lines, ""])


def identity_of(text: str) -> IdentityFile:
    """Return what a file holds. Raises NoIdentity."""
    try:
        content = tomllib.loads(text) if len(text) <= LARGEST else {}
        server, name, token = content["server"], content["name"], bytes.fromhex(content["token"])
        parse_address(server)
        kept = IdentityFile(server, person_name(name), token)
    except (tomllib.TOMLDecodeError, RecursionError, KeyError, TypeError, AttributeError) as error:
        raise NoIdentity("it lacks the lines server, name and token that `looseends identity export` writes") from error
    except AddressInvalid as error:
        raise NoIdentity(f"its server is none: {error}") from error
    except NameInvalid as error:
        raise NoIdentity(f"its name is none: {error}") from error
    except ValueError as error:
        raise NoIdentity("its token is not written in hexadecimal digits") from error
    if len(token) != TOKEN_BYTES:
        raise NoIdentity(f"its token has {len(token)} bytes, not {TOKEN_BYTES}")
    return kept
