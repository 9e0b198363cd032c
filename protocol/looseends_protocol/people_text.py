"""What people may type: names and chat lines, made harmless before anything else sees them.

The same functions run where text comes in and again where it is drawn. Nothing here knows of markup: text of
people is never parsed as markup anywhere.
"""

from __future__ import annotations

import unicodedata

from looseends_protocol.limits import CHAT_LENGTH, NAME_LENGTH

_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_INVISIBLE = frozenset("\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u3164\uffa0\u2800")
"""Characters that take room or none and show nothing, though their category calls them letters or symbols."""
_MOST_COMBINING = 2
"""Combining marks allowed on one letter: real languages need two, more are a tower over the neighbouring rows."""


class NameInvalid(ValueError):
    """A name that cannot be used; the message says what is allowed."""


def visible(text: str) -> str:
    """Return the text without anything that steers a terminal or hides: controls, bidi, zero-width, stacked marks.

    Tabs and line ends become spaces. Lone surrogates and unassigned characters are dropped.
    """
    kept: list[str] = []
    marks = 0
    for char in text:
        if char in "\t\n\r\v\f\x85\u2028\u2029":
            kept.append(" ")
            marks = 0
            continue
        category = unicodedata.category(char)
        if char in _BIDI or char in _INVISIBLE or category in ("Cc", "Cf", "Cs", "Co", "Cn"):
            continue
        if category in ("Mn", "Me"):
            marks += 1
            if marks > _MOST_COMBINING or not kept:
                continue
        else:
            marks = 0
        kept.append(" " if category in ("Zs", "Zl", "Zp") else char)
    return "".join(kept)


def chat_line(text: str) -> str:
    """Return a line of talk as it may be shown, at most 300 characters; empty where nothing visible is left."""
    return " ".join(visible(unicodedata.normalize("NFC", text)).split())[:CHAT_LENGTH].rstrip()


def person_name(text: str) -> str:
    """Return a name in the form it is shown in: NFKC, inner spaces single, 1 to 20 visible characters.

    Raises NameInvalid where nothing of that kind is left, or where the text held more.
    """
    normal = unicodedata.normalize("NFKC", text)
    shown = " ".join(visible(normal).split())
    if shown != " ".join(normal.split()):
        raise NameInvalid("A name holds no control, invisible or stacked characters.")
    if not 1 <= len(shown) <= NAME_LENGTH:
        raise NameInvalid(f"A name has 1 to {NAME_LENGTH} visible characters, not {len(shown)}.")
    return shown


def name_key(name: str) -> str:
    """Return what two names must differ in to be two names: upper and lower case are one ([person_name] first)."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
