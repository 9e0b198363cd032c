"""Textual's driver for the terminal that the program runs on, with what it lacks for a table.

What the terminal answers is taken out before it can become keys, nothing is asked of an old terminal, and only those
mouse reports are asked for that are used.
"""

from __future__ import annotations

import os
import re
import selectors
import signal
import sys
from typing import TYPE_CHECKING, Any

from textual import events
from textual.drivers.linux_driver import LinuxDriver
from textual.geometry import Size

from looseends_client.mouse_reports import MOUSE_OFF, MOUSE_ON
from looseends_client.terminal_input import TerminalInput

if TYPE_CHECKING:
    from textual.app import App

POLL_SECONDS = 0.1
"""How long the thread that reads waits at most before it looks whether it is to end."""
_NEW_SEQUENCES = re.compile(r"\x1b\[[<>][0-9]*u|\x1b\[\?[0-9]+\$p|\x1b\[\?(?:1004|2004)[hl]")
"""What old terminals would print or misread: keyboard protocols, questions, reports of focus, bracketed paste."""


class LocalDriver(LinuxDriver):
    """A driver for this process's terminal. `modern` is False of one that may misread what is new."""

    def __init__(
        self,
        app: App[Any],
        *,
        debug: bool = False,
        mouse: bool = True,
        size: tuple[int, int] | None = None,
        modern: bool = True,
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._modern = modern
        error_is_terminal = sys.__stderr__ is not None and sys.__stderr__.isatty()
        if not error_is_terminal and sys.__stdout__ is not None:
            self._file = sys.__stdout__  # errors are kept in a file: the table is not one

    def start_application_mode(self) -> None:
        """Take the terminal over."""
        # Textual measures the window inside its signal handler. A second change of size that interrupts the first
        # between measuring and telling is told before it, and the size that is no more stands in the end.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGWINCH})
        try:
            super().start_application_mode()  # type: ignore[no-untyped-call]
            signal.signal(signal.SIGWINCH, lambda *_: self._loop.call_soon_threadsafe(self._tell_size))
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGWINCH})

    def _tell_size(self) -> None:
        size = Size(*self._get_terminal_size())
        self._app.post_message(events.Resize(size, size))

    def write(self, data: str) -> None:
        """Write to the terminal."""
        super().write(data if self._modern else _NEW_SEQUENCES.sub("", data))

    def _enable_mouse_support(self) -> None:
        if self._mouse:
            self.write(MOUSE_ON)

    def _disable_mouse_support(self) -> None:
        if self._mouse:
            self.write(MOUSE_OFF)

    def _query_in_band_window_resize(self) -> None:
        # The system tells of every change of size. A terminal that is asked to do so too is left by Textual with mouse
        # reports in pixels.
        pass

    def run_input_thread(self) -> None:
        """Read what the person does, until the program ends or the terminal is gone."""
        terminal = TerminalInput()
        try:
            with selectors.DefaultSelector() as selector:
                selector.register(self.fileno, selectors.EVENT_READ)
                while not self.exit_event.is_set():
                    wait = terminal.wait
                    ready = selector.select(POLL_SECONDS if wait is None else min(POLL_SECONDS, wait))
                    messages = []
                    if ready:
                        arrived = self._arrived()
                        if not arrived:
                            self._loop.call_soon_threadsafe(self._app.exit)
                            return
                        messages = terminal.feed(arrived)
                    for message in (*messages, *terminal.tick()):
                        self.process_message(message)
        finally:
            terminal.close()

    def _arrived(self) -> bytes:
        """Return what the terminal has sent; nothing where it is gone."""
        try:
            return os.read(self.fileno, 4096)
        except OSError:  # a window that was closed, of a program that was told not to mind
            return b""
