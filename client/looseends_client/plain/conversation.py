"""Talking with one person over lines: what is said to them, what they are asked, and what they type.

It knows no game. Lines that come while a prompt is open begin on a line of their own.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine
from typing import Any, TypeVar

from looseends_client.plain.input_lines import InputLines, LineChannel, LineTooLong
from looseends_protocol.people_text import visible

T = TypeVar("T")

MOST_REPEATED = 100
"""Lines that are kept to be said again."""


class Ended(Exception):
    """The conversation is over: nobody types any more, or whoever runs it ended it."""


class Conversation:
    """One person at a channel."""

    def __init__(self, channel: LineChannel) -> None:
        self._channel = channel
        self._input = InputLines(channel)
        self._prompt_is_open = False
        self._said: list[str] = []
        self._said_before: list[str] = []
        self._end: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.broken: OSError | None = None
        """Why nothing can be written any more, None while it can."""

    @property
    def interactive(self) -> bool:
        """Whether a person types here, as far as that can be told."""
        return self._channel.interactive

    @property
    def prompt_is_open(self) -> bool:
        """Whether a prompt stands at the end of the last line."""
        return self._prompt_is_open

    def say(self, *lines: str) -> None:
        """Write lines, each whole and at once. Nothing in one can steer a terminal, wherever it came from."""
        for line in lines:
            shown = visible(line)
            self._said.append(shown)
            self._write(f"{shown}\n")
        del self._said[:-MOST_REPEATED]

    def prompt(self, words: str) -> None:
        """Ask: at the end of an open line where a person types, as a line of its own elsewhere."""
        self._write(f"{visible(words)} " if self.interactive else f"{visible(words)}\n")
        self._prompt_is_open = self.interactive

    def repeat(self) -> list[str]:
        """Return what was said between the last two things that were typed."""
        return list(self._said_before)

    def end(self) -> None:
        """End the conversation, whatever it waits for."""
        if not self._end.done():
            self._end.set_result(None)

    def close(self) -> None:
        """Leave the cursor at the beginning of a line."""
        if self._prompt_is_open:
            self._write("")

    async def next(self) -> str:
        """Return the next line that is typed, without spaces around it; one too long is answered and left out.

        Raises Ended after the last one, and where the conversation was ended.
        """
        while True:
            line = await self._typed()
            self._prompt_is_open = False
            self._said_before, self._said = self._said, []
            if isinstance(line, LineTooLong):
                self.say(str(line))
                continue
            return line.strip()

    async def until(self, happened: asyncio.Event) -> None:
        """Wait for something besides typing. Raises Ended where the conversation is ended meanwhile."""
        await self._unless_ended(happened.wait())

    async def ask_secret(self, words: str) -> str:
        """Ask for a line that is not shown while it is typed; empty for never mind. Raises Ended."""
        self._channel.show_typing(False)
        try:
            self.prompt(words)
            line = await self._typed()
        finally:
            self._channel.show_typing(True)
            if self._prompt_is_open:
                self._write("")  # the end of the line was not shown either
        return "" if isinstance(line, LineTooLong) else line

    async def _typed(self) -> str | LineTooLong:
        try:
            line = await self._unless_ended(self._input.next())
        except LineTooLong as error:
            return error
        except asyncio.CancelledError:
            self._prompt_is_open = self.interactive  # what interrupts, such as Ctrl-C, was shown as if it were typed
            raise
        if line is None:
            raise Ended
        return line

    async def _unless_ended(self, work: Coroutine[Any, Any, T]) -> T:
        """Return what comes of a work. Raises Ended where the conversation is, or is ended before that."""
        if self._end.done():
            work.close()
            raise Ended
        working = asyncio.ensure_future(work)
        either: set[asyncio.Future[T] | asyncio.Future[None]] = {working, self._end}
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if self._end.done():
                raise Ended
            return working.result()
        finally:
            if not working.done():
                working.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await working

    def _write(self, text: str) -> None:
        if self.broken is not None:
            return
        try:
            self._channel.send(f"\n{text}" if self._prompt_is_open else text)
        except OSError as error:
            self.broken = error
            self.end()
        self._prompt_is_open = False
