"""A channel of the line mode in memory: a test types, and reads what was written."""

from __future__ import annotations

import asyncio
from collections import deque


class MemoryChannel:
    """What somebody would type on and read from. `typed` goes in at once; `b""` ends the input."""

    def __init__(self, *typed: bytes, interactive: bool = False) -> None:
        self.interactive = interactive
        self._typed = deque(typed)
        self._arrived = asyncio.Event()
        self.spoke = asyncio.Event()
        """Set whenever something is written."""
        self.written = ""
        self.typing_shown: list[bool] = []
        self.closed = False
        """Whether nobody reads any more."""

    async def receive(self) -> bytes:
        while not self._typed:
            self._arrived.clear()
            await self._arrived.wait()
        if not self._typed[0]:
            return b""  # and again, however often it is asked
        return self._typed.popleft()

    def send(self, text: str) -> None:
        if self.closed:
            raise BrokenPipeError(32, "Broken pipe")
        self.written += text
        self.spoke.set()

    def show_typing(self, shown: bool) -> None:
        self.typing_shown.append(shown)

    def type(self, *lines: str) -> None:
        """Type lines."""
        self._typed.extend(f"{line}\n".encode() for line in lines)
        self._arrived.set()

    def end(self) -> None:
        """Type nothing more."""
        self._typed.append(b"")
        self._arrived.set()

    @property
    def lines(self) -> list[str]:
        """What was written, by lines; the last one may be open."""
        return self.written.split("\n")
