"""Codes of tables and of people: letters that can be read aloud and typed without mistakes.

Random numbers come from outside; nothing here draws one.
"""

from __future__ import annotations

from looseends_protocol.limits import CODE_LENGTH, WAY_BACK_LENGTH

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""32 characters, 5 bits each; I, L, O and U are left out because they are misread."""
_READ_AS = str.maketrans({"O": "0", "I": "1", "L": "1", "-": None, " ": None})


def code_from(number: int) -> str:
    """Return the code of a number of 50 random bits."""
    return "".join(ALPHABET[number >> (5 * place) & 31] for place in reversed(range(CODE_LENGTH)))


def way_back_from(number: int) -> str:
    """Return the code of a person, of a number of 80 random bits."""
    return "".join(ALPHABET[number >> (5 * place) & 31] for place in reversed(range(WAY_BACK_LENGTH)))


def table_code(typed: str) -> str:
    """Return a code as the server keeps it, from what a person typed: any case, O for 0, I or L for 1, with dashes.

    It is the same for the code of a person.
    """
    return typed.upper().translate(_READ_AS)
