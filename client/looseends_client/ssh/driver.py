"""The driver between Textual and a channel of SSH: bytes in become messages, what is drawn becomes bytes out.

It has no thread and no signal handler, and asks the terminal nothing, so that nothing comes back that was not typed.
Whatever a client does (says nothing of its size, drags its corner for minutes, pastes a book, stops reading) costs a
bounded amount of work and memory here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, Protocol, TextIO

from textual import events
from textual.driver import Driver
from textual.geometry import Size
from textual.message import Message

from looseends_client.mouse_reports import MOUSE_OFF, MOUSE_ON
from looseends_client.terminal_input import TerminalInput

if TYPE_CHECKING:
    from textual.app import App

RESIZE_SECONDS = 0.05
"""The least time between two changes of size that the app is told of."""
STALLED_SECONDS = 0.25
"""How often a line that takes nothing is looked at again."""
LARGEST_SIZE = (500, 200)
"""Columns and rows that are drawn at most, whatever a client says."""
USUAL_SIZE = (80, 24)
"""Columns and rows of a terminal that does not say."""
FEED_BYTES = 128
"""Bytes that are read at once: typing is never longer, and a flood is not read faster than it is worked off."""
MOST_WAITING = 64
"""Messages that may wait in the app before no more is read."""
READ_AGAIN_SECONDS = 0.02
MOST_BYTES_IN = 8 * 1024
"""Bytes of a client that may wait before it is not read any more."""

_BEGIN = "\x1b[?1049h\x1b[?25l\x1b[?7l"
_REPORTS_ON = "\x1b[?1004h\x1b[?2004h"
"""Focus and pastes; what an old terminal might print."""
_REPORTS_OFF = "\x1b[?2004l\x1b[?1004l"
_END = "\x1b[?7h\x1b[0m\x1b[?1049l\x1b[?25h"


class Line(Protocol):
    """The way to one terminal."""

    def send(self, content: bytes) -> None:
        """Send bytes, all at once."""

    @property
    def is_stalled(self) -> bool:
        """Whether so much waits on this line that nothing should be added."""
        ...

    def read(self, *, on: bool) -> None:
        """Go on, or stop for now, with handing in what comes from the terminal."""


class ChannelDriver(Driver):
    """Draws on one line for one app. `receive`, `resize` and `resumed` are for whoever has the line."""

    def __init__(
        self,
        app: App[Any],
        *,
        debug: bool = False,
        mouse: bool = True,
        size: tuple[int, int] | None = None,
        line: Line,
        modern: bool = True,
        typed: bytes = b"",
    ) -> None:
        """`modern` is False of a terminal that may misread what is new, `typed` came before the app began."""
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._line: Line | None = line
        self._modern = modern
        self._input = TerminalInput()
        self._out: list[str] = []
        self._flush_due = False
        self._lost_frames = False
        self._drawing = False
        self._in = bytearray(typed)
        self._reading_paused = False
        self._wanted_size: tuple[int, int] | None = None
        self._timers: dict[str, asyncio.TimerHandle] = {}

    # ── out ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def write(self, data: str) -> None:
        """Take what is drawn; it leaves with the next flush, by the end of this turn of the loop at the latest."""
        if self._line is None:
            return
        self._out.append(data)
        if not self._flush_due:  # a bell or a copied text is followed by no flush of Textual's
            self._flush_due = True
            self._loop.call_soon(self._flush_soon)

    def _flush_soon(self) -> None:
        self._flush_due = False
        self.flush()

    def flush(self) -> None:
        """Send what was drawn; a line that is stalled gets none of it, and a new picture later.

        Frames are dropped whole. Nobody wants to see the last two megabytes of what happened while they were away.
        """
        line = self._line
        if line is None or not self._out:
            return
        content, self._out = "".join(self._out), []
        if self._drawing and (self._lost_frames or line.is_stalled):
            self._lost_frames = True
            self._later("stalled", STALLED_SECONDS, self.resumed)
            return
        line.send(content.encode("utf-8", "replace"))

    def resumed(self) -> None:
        """Look whether the line takes something again, and draw everything anew where frames were lost."""
        if not self._lost_frames or self._line is None:
            return
        if self._line.is_stalled:
            self._later("stalled", STALLED_SECONDS, self.resumed)
            return
        self._lost_frames = False
        self._app.refresh(layout=True)

    # ── in ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def receive(self, content: bytes) -> None:
        """Take bytes that the terminal sent."""
        self._in += content
        self._read_on()

    def _read_on(self) -> None:
        if self._line is None or not self._drawing:
            return
        while self._in and self._app.message_queue_size <= MOST_WAITING:
            piece = bytes(self._in[:FEED_BYTES])
            del self._in[:FEED_BYTES]
            self._deliver(self._input.feed(piece))
        if self._in:
            self._later("read", READ_AGAIN_SECONDS, self._read_on)
        if self._reading_paused != (len(self._in) > MOST_BYTES_IN):
            self._reading_paused = not self._reading_paused
            self._line.read(on=not self._reading_paused)

    def _deliver(self, messages: list[Message]) -> None:
        for message in messages:
            self.process_message(message)
        if self._line is not None and (wait := self._input.wait) is not None:
            self._cancel("escape")
            self._later("escape", wait, self._tick)

    def _tick(self) -> None:
        self._deliver(self._input.tick())

    def send_message(self, message: Message) -> None:
        """Hand a message to the app: everything happens in the thread of its loop."""
        self._app.post_message(message)

    def resize(self, columns: int, rows: int) -> None:
        """Take another size of the terminal. Of many in a row the app is told the last one."""
        self._wanted_size = sensible_size(columns, rows, self._size or USUAL_SIZE)
        self._later("resize", RESIZE_SECONDS, self._resized)

    def _resized(self) -> None:
        size, self._wanted_size = self._wanted_size, None
        if self._line is None or size is None or size == self._size:
            return
        self._size = size
        self._app.post_message(events.Resize(Size(*size), Size(*size)))

    # ── beginning and end ────────────────────────────────────────────────────────────────────────────────────────

    def start_application_mode(self) -> None:
        """Take the terminal over."""
        if self._line is not None:
            self._line.send((_BEGIN + self._reports(_REPORTS_ON, MOUSE_ON)).encode())
        self._drawing = True
        self._read_on()

    def disable_input(self) -> None:
        """Read nothing more."""
        self._in.clear()

    def stop_application_mode(self) -> None:
        """Leave the terminal as it was, stalled or not: this is little, and the last."""
        if not self._drawing:
            return
        self._drawing = False
        self._out.clear()
        if self._line is not None:
            self._line.send((self._reports(_REPORTS_OFF, MOUSE_OFF) + _END).encode())

    def _reports(self, modern: str, mouse: str) -> str:
        return (modern if self._modern else "") + (mouse if self._mouse else "")

    def close(self) -> None:
        """Let go of the line and of everything that would keep the app alive."""
        self._input.close()
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        self._out.clear()
        self._in.clear()
        self._line = None

    def _later(self, what: str, seconds: float, call: Callable[[], None]) -> None:
        """Call in a while, unless that is to happen already."""
        if what not in self._timers and self._line is not None:
            self._timers[what] = self._loop.call_later(seconds, self._due, what, call)

    def _due(self, what: str, call: Callable[[], None]) -> None:
        self._timers.pop(what, None)
        call()

    def _cancel(self, what: str) -> None:
        if (timer := self._timers.pop(what, None)) is not None:
            timer.cancel()

    # ── what a driver can do besides, and must not on the machine of the door ────────────────────────────────────

    def open_url(self, url: str, new_tab: bool = True) -> None:
        """Do nothing: the browser would open where the door runs."""

    def deliver_binary(
        self,
        binary: BinaryIO | TextIO,
        *,
        delivery_key: str,
        save_path: Path,
        open_method: Literal["browser", "download"] = "download",
        encoding: str | None = None,
        mime_type: str | None = None,
        name: str | None = None,
    ) -> None:
        """Do nothing: the file would be written where the door runs."""
        binary.close()


def sensible_size(columns: int, rows: int, otherwise: tuple[int, int] = USUAL_SIZE) -> tuple[int, int]:
    """Return a size that can be drawn: `otherwise` for a client that says 0, and never more than anybody has."""
    return (
        min(columns, LARGEST_SIZE[0]) if columns > 0 else otherwise[0],
        min(rows, LARGEST_SIZE[1]) if rows > 0 else otherwise[1],
    )
