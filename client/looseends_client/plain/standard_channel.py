"""The line mode's channel on this process's own input and output: a terminal, a pipe, a file.

Input is read by a thread, because neither a terminal nor a file may be made non-blocking: the first is shared with
the shell and with our own output, the second cannot wait. A thread that still waits ends with the process.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading
from typing import TextIO

READ_BYTES = 65_536


class StandardChannel:
    """Standard input and output. Nothing is read before it is asked for, so a long script waits its turn."""

    def __init__(self, output: TextIO | None = None) -> None:
        stream = output or sys.stdout
        self._output = stream
        self._descriptor = _descriptor_of(sys.stdin)
        self.interactive = _is_terminal(sys.stdin) and _is_terminal(stream)

    async def receive(self) -> bytes:
        """Return what was typed next, empty at the end of input and where there is no input at all."""
        if self._descriptor is None:
            return b""
        loop = asyncio.get_running_loop()
        arrived: asyncio.Future[bytes] = loop.create_future()

        def read(descriptor: int) -> None:
            try:
                received = os.read(descriptor, READ_BYTES)
            except OSError:  # the terminal was taken away
                received = b""
            with contextlib.suppress(RuntimeError):  # the loop has been closed meanwhile
                loop.call_soon_threadsafe(_arrived, arrived, received)

        threading.Thread(target=read, args=(self._descriptor,), name="input", daemon=True).start()
        return await arrived

    def send(self, text: str) -> None:
        """Write text at once, what the stream cannot hold as escapes. Raises OSError where nobody reads any more."""
        encoding = self._output.encoding or "utf-8"
        self._output.write(text.encode(encoding, "backslashreplace").decode(encoding))
        self._output.flush()

    def show_typing(self, shown: bool) -> None:
        """Show, or hide, what is typed on a terminal."""
        if self._descriptor is None or not self.interactive:
            return
        try:
            import termios
        except ImportError:  # Windows, whose console has no such switch
            return
        with contextlib.suppress(termios.error):
            attributes = termios.tcgetattr(self._descriptor)
            attributes[3] = attributes[3] | termios.ECHO if shown else attributes[3] & ~termios.ECHO
            termios.tcsetattr(self._descriptor, termios.TCSADRAIN, attributes)


def _arrived(waiting: asyncio.Future[bytes], received: bytes) -> None:
    if not waiting.done():
        waiting.set_result(received)


def _descriptor_of(stream: TextIO | None) -> int | None:
    try:
        return stream.fileno() if stream is not None else None
    except (OSError, ValueError):
        return None


def _is_terminal(stream: TextIO | None) -> bool:
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # a stream that is closed
        return False
