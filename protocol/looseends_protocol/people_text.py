"""What people may type: names and chat lines, made harmless before anything else sees them.

The same functions run where text comes in and again where it is drawn. Nothing here knows of markup: text of
people is never parsed as markup anywhere.
"""

from __future__ import annotations

import unicodedata

from looseends_protocol.limits import CHAT_LENGTH, NAME_LENGTH

_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_INVISIBLE = frozenset(
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u180f\u2800\u3164\uffa0\U0001d159"
    + "".join(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
)
"""Characters that show nothing, though their category calls them letters, marks or symbols: fillers and variation
selectors, which also make a character wider in one terminal than in another."""
_MARKS = ("Mn", "Me")
_MOST_COMBINING = 2
"""Combining marks allowed on one letter: real languages need two, more are a tower over the neighbouring rows."""


BOT_PREFIX = "bot:"
"""How records name a bot: `bot:steady`. So no person's name begins with it, in capitals or not."""


class NameInvalid(ValueError):
    """A name that cannot be used; the message says what is allowed."""


def visible(text: str) -> str:
    """Return the text without anything that steers a terminal or hides: controls, bidi, zero-width, stacked marks.

    Tabs and line ends become spaces. Lone surrogates and unassigned characters are dropped, and combining marks with
    no letter to stand on. Emoji stay; those joined of several fall apart into them, because the joiner is invisible.
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
        if category in _MARKS:
            if not kept or kept[-1] == " ":
                continue
            marks = (marks or _marks_within(kept[-1])) + 1
            if marks > _MOST_COMBINING:
                continue
        else:
            marks = 0
        kept.append(" " if category in ("Zs", "Zl", "Zp") else char)
    return "".join(kept)


def _marks_within(letter: str) -> int:
    """Return how many marks are part of the letter itself: 2 for `ệ`."""
    return sum(unicodedata.category(char) in _MARKS for char in unicodedata.normalize("NFD", letter))


def chat_line(text: str) -> str:
    """Return a line of talk as it may be shown, at most 300 characters; empty where nothing visible is left."""
    # Composed before, because composing can split one mark into two, and after, because what was left out may have
    # kept a letter and its mark apart.
    shown = unicodedata.normalize("NFC", visible(unicodedata.normalize("NFC", text)))
    return " ".join(shown.split())[:CHAT_LENGTH].rstrip()


def person_name(text: str) -> str:
    """Return a name in the form it is shown in: NFKC, inner spaces single, 1 to 20 visible characters.

    Raises NameInvalid where nothing of that kind is left, where the text held more, or where it begins like a bot's.
    """
    normal = unicodedata.normalize("NFKC", text)
    shown = " ".join(visible(normal).split())
    if shown != " ".join(normal.split()):
        raise NameInvalid("A name holds no control, invisible or stacked characters.")
    if not 1 <= len(shown) <= NAME_LENGTH:
        raise NameInvalid(f"A name has 1 to {NAME_LENGTH} visible characters, not {len(shown)}.")
    if name_key(shown).startswith(BOT_PREFIX):
        raise NameInvalid(f"A name does not begin with {BOT_PREFIX}, which is how records mark a bot.")
    return shown


def name_key(name: str) -> str:
    """Return what two names must differ in to be two names: upper and lower case are one ([person_name] first)."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFD", name).casefold())
    return unicodedata.normalize("NFKC", folded.casefold())
