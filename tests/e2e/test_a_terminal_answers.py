"""What a terminal says of itself, while somebody plays: it acts on nothing. And the mouse, on and off while it runs."""

from __future__ import annotations

import re

import pytest

from tests.client.test_input_filter import ANSWERS
from tests.e2e.terminal import Terminal

pytestmark = pytest.mark.terminal

AT_ONCE = ("--players", "4", "--pace", "0", "--trick-pause", "0")
MOUSE_ON = b"\x1b[?1000h\x1b[?1002h\x1b[?1006h"
MOUSE_OFF = b"\x1b[?1006l\x1b[?1003l\x1b[?1002l\x1b[?1000l"


def test_no_answer_of_a_terminal_acts_on_the_table_whole_or_in_pieces() -> None:
    with Terminal("play", *AT_ONCE) as terminal:
        terminal.shows("Enter bid")
        terminal.press("Right")
        before = terminal.shows("is covered when")
        for answer in ANSWERS.values():
            terminal.press(answer)
        for answer in ANSWERS.values():
            terminal.press(*answer)  # a write for each letter
        terminal.press("Right")  # what comes after them is a key again, and shows that they have all been read
        after = terminal.until(lambda text: text != before)
        terminal.settled()
        assert terminal.text.splitlines()[:16] == after.splitlines()[:16] == before.splitlines()[:16]
        assert "is covered when" in terminal.text
        assert "Enter bid" in terminal.text
        terminal.press("\x7f")
        terminal.until(lambda text: "is covered when" not in text)


def test_a_paste_over_a_table_chooses_nothing() -> None:
    with Terminal("play", *AT_ONCE) as terminal:
        terminal.shows("Enter bid")
        terminal.settled()
        before = terminal.text
        terminal.press("\x1b[200~b15\rpq\x1b[A\x1b]0;x\x07\x1b[201~")
        terminal.press("i")
        terminal.until(lambda text: "Enter bid" not in text)
        terminal.press("q")
        terminal.shows("Enter bid")
        terminal.settled()
        assert terminal.text == before


def test_without_the_mouse_no_report_is_asked_for() -> None:
    with Terminal("play", *AT_ONCE, "--no-mouse") as terminal:
        terminal.shows("Enter bid")
        assert not re.search(rb"\x1b\[\?100[0236]h", terminal.raw)
        terminal.press("\x11")
        assert terminal.exit_code() == 0
        assert terminal.is_restored


def test_the_mouse_is_switched_off_and_on_again_from_the_settings() -> None:
    with Terminal("play", *AT_ONCE) as terminal:
        terminal.shows("Enter bid")
        assert MOUSE_ON in terminal.raw
        terminal.press("q")
        terminal.shows("Leave the table?")
        terminal.press("Enter")
        terminal.shows("Settings")
        terminal.press("s")
        terminal.shows("Usually: looseends-dark")
        terminal.press("Down", "Down", "Down")
        terminal.shows("Usually: on")
        drawn = len(terminal.raw)
        terminal.press("Right")
        terminal.shows("mouse: off. Kept.")
        assert terminal.raw[drawn:].count(MOUSE_OFF) == 1
        drawn = len(terminal.raw)
        terminal.press("Right")
        terminal.shows("mouse: on. Kept.")
        assert terminal.raw[drawn:].count(MOUSE_ON) == 1
        terminal.press("\x11")
        assert terminal.exit_code() == 0
        assert terminal.is_restored


def test_what_was_set_holds_at_the_next_start() -> None:
    with Terminal("play", *AT_ONCE) as terminal:
        terminal.shows("Enter bid")
        terminal.press("q")
        terminal.shows("Leave the table?")
        terminal.press("Enter")
        terminal.shows("Settings")
        terminal.press("s")
        terminal.shows("Usually: looseends-dark")
        terminal.press("Down", "Right", "Right")
        terminal.shows("suits: letters. Kept.")
        terminal.press("\x11")
        assert terminal.exit_code() == 0
    with Terminal("play", *AT_ONCE) as again:
        again.shows("You have a game that is not finished.")
        assert again.raw.isascii()


def test_a_broken_settings_file_is_told_by_its_line_and_costs_no_game(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("config")
    (folder / "looseends").mkdir()
    file = folder / "looseends" / "settings.toml"
    file.write_text("mouse = true\ntheme = looseends\n", "utf-8")
    with Terminal("play", *AT_ONCE, environment={"XDG_CONFIG_HOME": str(folder)}) as terminal:
        terminal.until(lambda text: "settings.toml, line 2: this is not TOML" in text and "Enter bid" in text)
        terminal.press("\x11")
        assert terminal.exit_code() == 0
    assert file.read_text("utf-8") == "mouse = true\ntheme = looseends\n"
