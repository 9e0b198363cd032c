"""What comes in, cut into lines: bytes of any kind become short lines of harmless text, or are left out with a reason.

No stream is known here: whoever has one hands its bytes in. Whether a line means anything is not asked.
"""

from __future__ import annotations

import codecs
from collections import deque
from typing import Protocol

from looseends_protocol.people_text import visible

MOST_CHARACTERS = 2_000
"""Characters of a line that are read: several times the longest line of talk. A longer line is left out whole."""


class LineTooLong(Exception):
    """A line was longer than is read; it was left out. The message is a sentence."""

    def __init__(self) -> None:
        super().__init__(f"That line was left out: it had more than {MOST_CHARACTERS} characters.")


class LineChannel(Protocol):
    """Where somebody types and reads: a terminal, a pipe, a channel of SSH.

    `interactive` says that a person types there, so that a prompt stands at the end of an open line.
    """

    interactive: bool

    async def receive(self) -> bytes:
        """Return what was typed next, empty once nothing more will come."""
        ...

    def send(self, text: str) -> None:
        """Write text, and let it go at once. Raises OSError where nobody reads any more."""

    def show_typing(self, shown: bool) -> None:
        """Show, or hide, what is typed from now on; without effect where nothing of it is shown anyway."""


class InputLines:
    """The lines of one channel. A line ends with LF, CR or both; the last one needs no end."""

    def __init__(self, channel: LineChannel) -> None:
        self._channel = channel
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._open: list[str] = []
        """Characters of the line that is being read; empty, with `_skipping`, while a longer line is left out."""
        self._skipping = False
        self._after_return = False
        self._ready: deque[str | None] = deque()
        """Lines read and not asked for yet; None for one that was too long."""
        self._ended = False

    async def next(self) -> str | None:
        """Return the next line without its end, None after the last. Raises LineTooLong, and goes on after it."""
        while not self._ready and not self._ended:
            received = await self._channel.receive()
            if received:
                self._take(self._decode(received))
            else:
                self._ended = True
                self._take(self._decode(b"", True))
                if self._open or self._skipping:
                    self._end_line()
        if not self._ready:
            return None
        line = self._ready.popleft()
        if line is None:
            raise LineTooLong
        return line

    def _take(self, text: str) -> None:
        for char in text:
            after_return, self._after_return = self._after_return, char == "\r"
            if char == "\n" and after_return:
                continue
            if char in "\r\n":
                self._end_line()
            elif len(self._open) == MOST_CHARACTERS:
                self._open.clear()
                self._skipping = True
            elif not self._skipping:
                self._open.append(char)

    def _end_line(self) -> None:
        self._ready.append(None if self._skipping else visible("".join(self._open)))
        self._open.clear()
        self._skipping = False
