"""Talking with one person over lines: what is said to them, what they are asked, and what they type.

It knows no game. Lines that come while a prompt is open begin on a line of their own.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import Literal

from looseends_client.plain.input_lines import InputLines, LineChannel, LineTooLong
from looseends_protocol.people_text import visible

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
        waiting = asyncio.ensure_future(happened.wait())
        either: set[asyncio.Future[Literal[True]] | asyncio.Future[None]] = {waiting, self._end}
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()
        if self._end.done():
            raise Ended

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
        if self._end.done():
            raise Ended
        typing = asyncio.ensure_future(self._input.next())
        either: set[asyncio.Future[str | None] | asyncio.Future[None]] = {typing, self._end}
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if self._end.done():
                raise Ended
            line = typing.result()
        except LineTooLong as error:
            return error
        except asyncio.CancelledError:
            self._prompt_is_open = self.interactive  # what interrupts, such as Ctrl-C, was shown as if it were typed
            raise
        finally:
            if not typing.done():
                typing.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await typing
        if line is None:
            raise Ended
        return line

    def _write(self, text: str) -> None:
        if self.broken is not None:
            return
        try:
            self._channel.send(f"\n{text}" if self._prompt_is_open else text)
        except OSError as error:
            self.broken = error
            self.end()
        self._prompt_is_open = False
