"""One channel of SSH as a line to a terminal, for an app that draws and for lines of text.

Nothing is decided here but how much may wait on a line that nobody reads.
"""

from __future__ import annotations

import asyncio

import asyncssh
from asyncssh.constants import EXTENDED_DATA_STDERR

MOST_UNSENT = 32 * 1024
"""Bytes that may wait for the peer before nothing more is drawn: a few screens."""
MOST_TYPED = 64 * 1024
"""Bytes of lines that may wait to be read."""


class ChannelLine:
    """A channel. Once it is gone, what is sent is dropped."""

    def __init__(self, channel: asyncssh.SSHServerChannel[bytes]) -> None:
        self._channel = channel
        self._paused = False

    @property
    def is_gone(self) -> bool:
        """Whether nothing can be sent any more."""
        return self._channel.is_closing()

    @property
    def is_stalled(self) -> bool:
        """Whether the peer does not keep up: by SSH's own window, or by what the system cannot send."""
        if self._paused:
            return True
        if self._channel.is_closing():
            return False
        if self._channel.get_write_buffer_size() > MOST_UNSENT:
            return True
        # asyncssh itself looks at no buffer but the channel's.
        transport = self._channel.get_connection()._transport  # pyright: ignore[reportPrivateUsage]
        return transport is not None and transport.get_write_buffer_size() > MOST_UNSENT

    def pause(self, *, paused: bool) -> None:
        """Take note that the window is full, or open again."""
        self._paused = paused

    def send(self, content: bytes) -> None:
        """Send bytes in one piece."""
        if not self.is_gone:
            self._channel.write(content)

    def tell(self, sentence: str, *, to_terminal: bool) -> None:
        """Send a sentence for people: to a terminal, or where there is none to the error output."""
        if self.is_gone:
            return
        if to_terminal:
            self._channel.write(f"{sentence}\r\n".encode())
        else:
            self._channel.write(f"{sentence}\n".encode(), EXTENDED_DATA_STDERR)

    def read(self, *, on: bool) -> None:
        """Go on, or stop for now, with reading what the peer sends."""
        if self.is_gone:
            return
        if on:
            self._channel.resume_reading()
        else:
            self._channel.pause_reading()

    def hang_up(self, code: int) -> None:
        """End the channel with an exit code."""
        if not self.is_gone:
            self._channel.exit(code)


class TypedLines:
    """A channel of lines of text, as the line mode wants one.

    A client without a terminal of its own sends whole lines. One that has handed its terminal over sends every key and
    shows nothing by itself: then keys are shown from here, and a line can be corrected before it counts.
    """

    def __init__(self, line: ChannelLine, *, has_terminal: bool) -> None:
        self.interactive = has_terminal
        self._line = line
        self._typed: list[bytes] = []
        self._open: list[str] = []
        self._shown = True
        self._ended = False
        self._paused = False
        self._news = asyncio.Event()

    async def receive(self) -> bytes:
        """Return what was typed next, empty once nothing more will come."""
        while not self._typed and not self._ended:
            self._news.clear()
            await self._news.wait()
        received = b"".join(self._typed)
        self._typed.clear()
        self._pause(False)
        return received

    def send(self, text: str) -> None:
        """Write text. Raises OSError where nobody reads any more."""
        if self._line.is_gone:
            raise BrokenPipeError("the line is gone")
        if self.interactive:
            text = text.replace("\n", "\r\n")
        self._line.send(text.encode("utf-8", "replace"))

    def show_typing(self, shown: bool) -> None:
        """Show, or hide, what is typed from now on."""
        self._shown = shown

    def take(self, content: bytes) -> None:
        """Take bytes of the peer."""
        if self.interactive:
            self._take_keys(content)
        elif content:  # nothing, handed on, would read as the end of what is typed
            self._typed.append(content)
        self._news.set()
        if sum(map(len, self._typed)) > MOST_TYPED:
            self._pause(True)

    def _pause(self, paused: bool) -> None:
        if self._paused != paused:
            self._paused = paused
            self._line.read(on=not paused)

    def _take_keys(self, content: bytes) -> None:
        for char in content.decode("utf-8", "replace"):
            if char in "\r\n":
                self._typed.append("".join([*self._open, "\n"]).encode())
                self._open.clear()
                self._line.send(b"\r\n")
            elif char in "\x7f\b":
                if self._open:
                    self._open.pop()
                    self._echo("\b \b")
            elif char == "\x03" or (char == "\x04" and not self._open):
                self.end()
            elif char.isprintable() and len(self._open) < MOST_TYPED:
                self._open.append(char)
                self._echo(char)

    def _echo(self, text: str) -> None:
        if self._shown:
            self._line.send(text.encode())

    def end(self) -> None:
        """Nothing more will come."""
        self._ended = True
        self._news.set()
