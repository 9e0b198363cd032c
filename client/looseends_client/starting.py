"""With what the user interface is started: a person's settings, and where it begins. Nothing is drawn here."""

from __future__ import annotations

from collections.abc import Callable, MutableSet
from contextlib import AbstractAsyncContextManager

import msgspec

from looseends_client.game_client import GameClient
from looseends_client.settings import Settings
from looseends_client.settings_file import Found
from looseends_client.terminal_abilities import Abilities, Depth
from looseends_client.tutorial.lessons import Lesson
from looseends_client.visits import TableWish


class AppSettings(msgspec.Struct, frozen=True):
    """With what the user interface begins: what a person has set, and what their terminal can show.

    `own` are the person's settings, `found` where they come from; without it a change lasts as long as the program
    runs. `abilities` are the terminal's, `encoding` is that of the stream that it is written to; `served_to_strangers`
    takes away whatever reaches the machine that this runs on, such as the command palette.
    """

    own: Settings = Settings()
    found: Found | None = None
    abilities: Abilities = Abilities()
    stream_encoding: str = "utf-8"
    served_to_strangers: bool = False

    @property
    def depth(self) -> Depth:
        """How many colours are written."""
        return self.abilities.colours if self.own.colours == "auto" else self.own.colours

    @property
    def ascii_faces(self) -> bool:
        """Whether suits and frames are drawn with letters and plain strokes alone."""
        if self.own.suits == "auto":
            return not self.abilities.unicode
        return self.own.suits == "letters" or not _is_utf8(self.stream_encoding)

    @property
    def encoding(self) -> str:
        """Which characters of what people wrote are drawn where `ascii_faces` hold: those of this encoding."""
        if not _is_utf8(self.stream_encoding):
            return self.stream_encoding
        return "utf-8" if self.abilities.unicode or self.own.suits == "glyphs" else "ascii"


def _is_utf8(encoding: str) -> bool:
    return encoding.lower().replace("-", "").replace("_", "") == "utf8"


class StartAlone(msgspec.Struct, frozen=True):
    """Begin with a game against bots: the wish, or the menu where it is None.

    `lesson` begins with the lesson of that number instead; `newcomer` says that nobody has played here before, so that
    the lessons are offered first.
    """

    wish: TableWish | None
    lesson: int = 0
    newcomer: bool = False


class StartLobby(msgspec.Struct, frozen=True):
    """Begin in the lobby of the server, or at a table of it where a code is given, to `watch` or to sit down.

    `come_back` is the command that brings this person back to the server, `word` a sentence to begin with.
    """

    code: str = ""
    come_back: str = ""
    word: str = ""
    watch: bool = False


class Dialled(msgspec.Struct, frozen=True):
    """A client that is not connected yet, how its server is called, and where to begin there."""

    client: GameClient
    server: str
    start: StartLobby
    muted: MutableSet[str]
    """Whom the person has muted there."""


Dial = Callable[[str, str], Dialled]
"""Makes a client for a server's address and a name. Raises ValueError, with a sentence, where that cannot be."""


class School(msgspec.Struct, frozen=True):
    """Where lessons are played: `open` gives a connected client at a house that plays the lesson.

    `pace` is how many milliseconds the others at the table wait before they act.
    """

    open: Callable[[Lesson], AbstractAsyncContextManager[GameClient]]
    pace: int = 600
