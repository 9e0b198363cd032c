"""The bytes that a terminal sends, made into the messages of Textual: decoded, freed of answers, parsed.

One of these per terminal: the program's own, or one behind a connection. It starts no timer: whoever reads the bytes
asks `wait` when to call `tick`.
"""

from __future__ import annotations

import time
from codecs import getincrementaldecoder
from collections.abc import Callable

from textual import constants, events
from textual._xterm_parser import XTermParser
from textual.message import Message

from looseends_client.input_filter import ESC, InputFilter

DELAY = constants.ESCAPE_DELAY
"""Seconds after which an ESC that nothing follows is the key Esc."""


class TerminalInput:
    """Bytes in, messages out. `clock` returns seconds of any beginning; it has to be Textual's own or one like it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._decode = getincrementaldecoder("utf-8")("replace").decode
        self._filter = InputFilter()
        self._parser = XTermParser()
        self._due: float | None = None
        """When what is held back has to be looked at again."""
        self._closed = False

    @property
    def wait(self) -> float | None:
        """Seconds until `tick` has something to do, None while nothing is held back."""
        return None if self._due is None else max(0.0, self._due - self._clock())

    def feed(self, arrived: bytes) -> list[Message]:
        """Return what people did, as far as these bytes tell."""
        if self._closed:
            return []
        messages = list(self._parser.feed(text)) if (text := self._filter.feed(self._decode(arrived))) else []
        self._due = self._clock() + DELAY if arrived else self._due
        return messages

    def tick(self) -> list[Message]:
        """Return what has become certain because nothing more has come: a lone Esc, or Alt and a letter."""
        if self._closed or self._due is None or self._clock() < self._due:
            return []
        messages: list[Message] = []
        if text := self._filter.let_go():
            # The key itself, not its character: the parser would wait again for what we have waited for already.
            messages += [events.Key("escape", ESC)] if text == ESC else self._parser.feed(text)
        messages += self._parser.tick()
        self._due = self._clock() + DELAY if self._filter.holds or self._parser_waits else None
        return messages

    @property
    def _parser_waits(self) -> bool:
        return self._parser._timeout_time is not None  # pyright: ignore[reportPrivateUsage]

    def close(self) -> None:
        """End the parser, which else keeps its last message and with that the app alive."""
        if self._closed:
            return
        self._closed = True
        for _ in self._parser.feed(""):
            pass
