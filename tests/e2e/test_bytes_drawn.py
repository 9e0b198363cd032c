"""What a change of the table costs on the wire, with room to spare; `python -m tests.terminal_bytes` says how much."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.client.running_server import Running
from tests.e2e.keyboard_player import KeyboardPlayer
from tests.e2e.terminal import Terminal

pytestmark = pytest.mark.terminal

FIRST_SCREEN, SELECTION, CARD, TICK = 10_000, 500, 3_000, 120


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Running]:
    running = Running(tmp_path / "server")
    yield running
    running.stop()


def clock_of(text: str) -> str:
    found = re.search(r"(\d+)s +$", text, re.MULTILINE)
    return found[1] if found else ""


def test_little_is_written_for_a_change(server: Running) -> None:
    where = f"127.0.0.1:{server.port}"
    with Terminal("join", where, "--name", "ann", "--trick-pause", "0", environment={"COLORTERM": "truecolor"}) as ann:
        ann.shows("No table is open.")
        ann.settled()
        assert 0 < len(ann.raw) <= FIRST_SCREEN
        ann.press("n")
        ann.shows("a new table")
        for players in (3, 2):
            ann.press("Left")
            ann.shows(f"< {players} >")
        while "▶ bots' pace" not in ann.text:
            ann.press("Down")
            ann.changed()
        ann.press("Left")
        ann.shows("< quick >")
        ann.press("Enter")
        ann.shows("Invite code")
        ann.press("b")
        ann.shows("Which bot")
        ann.press("1")
        ann.shows("press Enter to start")
        before = len(ann.raw)
        ann.press("Enter")
        ann.shows("planning")
        ann.settled()
        assert len(ann.raw) - before <= FIRST_SCREEN
        KeyboardPlayer(ann, bids=1).play_until(
            lambda text: re.search(r"trick \d of", text) and "Enter play" in text and clock_of(text)
        )
        ann.settled()
        second, before = clock_of(ann.text), len(ann.raw)
        ann.until(lambda text: clock_of(text) not in ("", second))
        ann.settled()
        assert 0 < len(ann.raw) - before <= 2 * TICK  # another tick may have come while nothing was being read
        before = len(ann.raw)
        ann.press("Right")
        ann.changed()
        ann.settled()
        assert 0 < len(ann.raw) - before <= SELECTION + TICK
        before = len(ann.raw)
        ann.press("Enter")
        ann.changed()
        ann.settled()
        assert 0 < len(ann.raw) - before <= CARD


def test_what_another_program_wrote_over_the_table_is_painted_over_with_control_l() -> None:
    with Terminal("play", "--pace", "0", "--trick-pause", "0", "--players", "2") as terminal:
        terminal.shows("planning")
        terminal.settled()
        before = terminal.text
        terminal.scribble(b"\x1b[H\x1b[2JMessage from root@host")
        assert "planning" not in terminal.text
        terminal.press("\x0c")
        assert terminal.until(lambda text: text == before)


def test_a_program_that_was_stopped_and_goes_on_paints_its_whole_window() -> None:
    with Terminal("play", "--pace", "0", "--trick-pause", "0", "--players", "2") as terminal:
        terminal.shows("planning")
        terminal.settled()
        before = terminal.text
        terminal.process.send_signal(signal.SIGTSTP)
        terminal.until_written(b"\x1b[?1049l")  # it has given the terminal back
        # And stands still: told to go on before that, it would stop for good.
        os.waitid(os.P_PID, terminal.process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        terminal.scribble(b"\x1b[H\x1b[2J$ jobs")
        terminal.process.send_signal(signal.SIGCONT)
        assert terminal.until(lambda text: text == before)
