"""Reading and asking this process's own terminal: what people do arrives, what it answers does not, its end is one."""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import signal
import sys
from collections.abc import Iterator
from threading import Event
from typing import Any, cast

import pytest

if sys.platform == "win32":
    pytest.skip("Textual's own driver knows that console", allow_module_level=True)

from textual import events
from textual.app import App
from textual.message import Message

from looseends_client.local_driver import LocalDriver
from looseends_client.mouse_reports import MOUSE_OFF, MOUSE_ON, switch_mouse


class Ended:
    """Stands where an app would."""

    def __init__(self) -> None:
        self.exits = 0
        self.sizes: list[tuple[int, int]] = []

    def exit(self) -> None:
        self.exits += 1

    def post_message(self, message: Message) -> None:
        if isinstance(message, events.Resize):
            self.sizes.append(message.size)

    async def _post_message(self, message: Message) -> None:
        self.post_message(message)


class Reading(LocalDriver):
    """A driver that keeps what it read, and whose terminal is a piece of text."""

    def __init__(self, app: object, **options: Any) -> None:
        super().__init__(cast("App[None]", app), **options)
        self.read: list[Message] = []
        self.came = Event()
        self.written = Written()
        self._writer_thread = cast("Any", self.written)

    def process_message(self, message: Message) -> None:
        self.read.append(message)
        self.came.set()
        if isinstance(message, events.Key) and message.key == "z":
            self.exit_event.set()

    @property
    def keys(self) -> list[str]:
        return [message.key for message in self.read if isinstance(message, events.Key)]

    @property
    def file(self) -> object:
        """What it draws on."""
        return self._file

    def ask_for_the_mouse(self, asked: bool) -> None:
        (self._enable_mouse_support if asked else self._disable_mouse_support)()

    def broken(self) -> bytes:
        """Return what comes of a line that cannot be read."""
        self.fileno = os.open(os.devnull, os.O_WRONLY)
        try:
            return self._arrived()
        finally:
            os.close(self.fileno)


class Dragged(Reading):
    """A driver whose window gets another of these sizes whenever it is measured, which the system tells at once."""

    def __init__(self, app: object, terminal: int, sizes: list[tuple[int, int]]) -> None:
        super().__init__(app)
        self.fileno = terminal
        self._file = io.TextIOWrapper(io.BytesIO())
        self.to_come = sizes

    def _get_terminal_size(self) -> tuple[int, int]:
        size = self.to_come[0]
        if len(self.to_come) > 1:
            del self.to_come[0]
            signal.raise_signal(signal.SIGWINCH)
        return size


class Written:
    """Stands where the thread that writes would."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> None:
        self.text += text


@pytest.fixture(autouse=True)
def _signals() -> Iterator[None]:
    """Give back what a driver does on being stopped and continued."""
    kept = [(number, signal.getsignal(number)) for number in (signal.SIGTSTP, signal.SIGCONT, signal.SIGWINCH)]
    yield
    for number, handler in kept:
        signal.signal(number, handler)


@pytest.fixture
def line() -> Iterator[tuple[int, int]]:
    """Both ends of what stands for the line to a terminal: where it is read, where it is written."""
    read, write = os.pipe()
    yield read, write
    for end in (read, write):
        with contextlib.suppress(OSError):  # a test has closed it
            os.close(end)


async def test_keys_arrive_and_answers_do_not(line: tuple[int, int]) -> None:
    driver = Reading(Ended())
    driver.fileno = line[0]
    os.write(line[1], b"q\x1b]11;rgb:0/0/0\x07\x1bP>|xterm\x1b\\\x1b[?62;4c\x1b[Az")
    await asyncio.to_thread(driver.run_input_thread)
    assert driver.keys == ["q", "up", "z"]


async def test_a_lone_esc_arrives_without_anything_after_it(line: tuple[int, int]) -> None:
    driver = Reading(Ended())
    driver.fileno = line[0]
    os.write(line[1], b"\x1b")
    reading = asyncio.create_task(asyncio.to_thread(driver.run_input_thread))
    assert await asyncio.to_thread(driver.came.wait, 20)
    os.write(line[1], b"z")
    await reading
    assert driver.keys == ["escape", "z"]


async def test_a_terminal_that_is_gone_ends_the_program(line: tuple[int, int]) -> None:
    app = Ended()
    driver = Reading(app)
    driver.fileno = line[0]
    os.close(line[1])
    await asyncio.to_thread(driver.run_input_thread)
    await asyncio.sleep(0)
    assert app.exits == 1
    assert driver.broken() == b""


@pytest.mark.parametrize(("modern", "sent"), [(True, "\x1b[>25u\x1b[?2026$p\x1b[?1004hx\x1b[<u"), (False, "x")])
async def test_an_old_terminal_is_sent_nothing_that_is_new(modern: bool, sent: str) -> None:
    driver = Reading(Ended(), modern=modern)
    written = driver.written
    driver.write("\x1b[>25u\x1b[?2026$p\x1b[?1004hx\x1b[<u")
    assert written.text == sent


async def test_the_mouse_is_asked_for_as_it_is_switched() -> None:
    driver = Reading(Ended(), mouse=False)
    written = driver.written
    driver.ask_for_the_mouse(True)
    driver.ask_for_the_mouse(False)
    assert written.text == ""
    switch_mouse(driver, True)
    assert written.text == MOUSE_ON
    driver.ask_for_the_mouse(False)
    switch_mouse(driver, False)
    assert written.text == MOUSE_ON + MOUSE_OFF * 2


async def test_a_table_is_drawn_on_the_terminal_where_errors_are_kept_in_a_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Stream:
        def __init__(self, tty: bool) -> None:
            self.tty = tty

        def isatty(self) -> bool:
            return self.tty

    screen, kept = Stream(True), Stream(False)
    monkeypatch.setattr(sys, "__stdout__", screen)
    monkeypatch.setattr(sys, "__stderr__", kept)
    assert Reading(Ended()).file is screen
    monkeypatch.setattr(sys, "__stderr__", other := Stream(True))
    assert Reading(Ended()).file is other


async def test_of_sizes_that_follow_while_one_is_measured_the_last_is_told_last() -> None:
    ours, theirs = os.openpty()
    app = Ended()
    driver = Dragged(app, theirs, [(80, 24), (27, 58), (98, 44), (60, 20)])
    try:
        driver.start_application_mode()
        for _ in range(100):  # turns of the loop, in which all that was put into it is done
            await asyncio.sleep(0)
        assert driver.to_come == [(60, 20)]
        assert app.sizes[-1] == (60, 20)
    finally:
        driver.stop_application_mode()
        os.close(ours)
        os.close(theirs)
