"""What somebody wants who comes over SSH: the words behind the host's name, made into one errand.

Pure. There is no shell and no other command behind these words.
"""

from __future__ import annotations

from typing import Literal

import msgspec

Place = Literal["lobby", "join", "watch"]

MOST_CHARACTERS = 500
"""Characters of a command that are read at all."""
OTHERS = (
    "There is no shell here, only a game: ssh -t HOST for the lobby, ssh -t HOST join CODE or watch CODE for a table, "
    "ssh HOST plain for the game as lines of text."
)
NEEDS_CODE = "{word} needs a code behind it: ssh -t HOST {word} CODE."
SETTINGS = "set needs settings behind it, as in: ssh HOST set colours=16 suits=letters."


class Errand(msgspec.Struct, frozen=True):
    """Where somebody wants to go, with the code of the table; whom they say to be, or which of their keys to tie.

    `plain` asks for lines of text. `settings` are what they want to be kept for their key.
    """

    place: Place = "lobby"
    code: str = ""
    way_back: str = ""
    link: bool = False
    plain: bool = False
    settings: tuple[tuple[str, str], ...] = ()


class NoErrand(Exception):
    """The words are none of the door's; the message is one sentence with those that are."""


def errand_of(command: str | None) -> Errand:
    """Return what the words ask for, None for no words at all. Raises NoErrand."""
    words = (command or "").split() if len(command or "") <= MOST_CHARACTERS else ["?"]
    errand = Errand()
    if words and words[0] == "plain":
        errand, words = msgspec.structs.replace(errand, plain=True), words[1:]
    match words:
        case []:
            return errand
        case ["join" | "watch" as place, code]:
            return msgspec.structs.replace(errand, place=place, code=code)
        case ["back" | "link" as word, code]:
            return msgspec.structs.replace(errand, way_back=code, link=word == "link")
        case ["join" | "watch" | "back" | "link" as word, *_]:
            raise NoErrand(NEEDS_CODE.format(word=word))
        case ["set", *pairs] if not errand.plain:
            return msgspec.structs.replace(errand, settings=_settings(pairs))
    raise NoErrand(OTHERS)


def _settings(pairs: list[str]) -> tuple[tuple[str, str], ...]:
    parted = [pair.partition("=") for pair in pairs]
    if not parted or not all(key and equals for key, equals, _ in parted):
        raise NoErrand(SETTINGS)
    return tuple((key, value) for key, _, value in parted)
