"""What is sent to which terminal, from its environment alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from looseends_client.terminal_abilities import Abilities, abilities_of, locale_codeset, refusal_of


@pytest.mark.parametrize(
    ("environment", "colours"),
    [
        ({"TERM": "xterm"}, "16"),
        ({"TERM": "xterm-256color"}, "256"),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, "true"),
        ({"TERM": "xterm", "COLORTERM": "24bit"}, "true"),
        ({"TERM": "xterm", "COLORTERM": "yes"}, "16"),
        ({"TERM": "xterm-direct"}, "true"),
        ({"TERM": "xterm-kitty"}, "true"),
        ({"TERM": "alacritty"}, "true"),
        ({"TERM": "foot-extra"}, "true"),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"}, "true"),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"}, "256"),
        ({"TERM": "xterm-256color", "WT_SESSION": "1"}, "true"),
        ({"TERM": "linux", "COLORTERM": "truecolor"}, "16"),
        ({"TERM": "screen"}, "16"),
        ({"TERM": "screen-256color", "COLORTERM": "truecolor", "STY": "1.pts"}, "256"),
        ({"TERM": "tmux-256color", "COLORTERM": "truecolor", "TMUX": "/tmp/t", "STY": "1.pts"}, "true"),
        ({"TERM": "vt100", "COLORTERM": "truecolor"}, "mono"),
        ({"TERM": "xterm-mono"}, "mono"),
        ({"TERM": "rxvt-unicode-256color"}, "256"),
        ({"TERM": "never-heard-of"}, "16"),
        ({"TERM": "xterm-kitty", "COLORTERM": "truecolor", "NO_COLOR": "1"}, "mono"),
        ({"TERM": "xterm-256color", "NO_COLOR": ""}, "256"),
    ],
)
def test_colours_are_as_many_as_the_terminal_says(environment: dict[str, str], colours: str) -> None:
    assert abilities_of(environment).colours == colours


@pytest.mark.parametrize(
    ("environment", "unicode"),
    [
        ({}, True),
        ({"LANG": "en_US.UTF-8"}, True),
        ({"LANG": "de_DE.utf8@euro"}, True),
        ({"LANG": "en_US.ISO-8859-1"}, False),
        ({"LANG": "en_US.UTF-8", "LC_ALL": "C"}, False),
        ({"LANG": "C"}, False),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, False),
        ({"LANG": "en_US.ISO-8859-1", "LC_CTYPE": "C.UTF-8"}, False),
        ({"LANG": "en_US.ISO-8859-1", "LC_CTYPE": "en_US.UTF-8"}, True),
        ({"LC_CTYPE": "C.UTF-8"}, True),
        ({"LC_ALL": "C.UTF-8", "LANG": "C"}, True),
        ({"LC_ALL": "", "LANG": "en_US.UTF-8"}, True),
        ({"LC_CTYPE": "en_US.ISO-8859-15", "LANG": "en_US.UTF-8"}, False),
        ({"LANG": "POSIX"}, False),
        ({"LANG": "en_US"}, True),
    ],
)
def test_letters_alone_where_the_locale_is_of_another_character_set(environment: dict[str, str], unicode: bool) -> None:
    assert abilities_of({"TERM": "xterm", **environment}).unicode is unicode


def test_a_stream_that_cannot_write_utf_8_gets_letters_whatever_the_locale_says() -> None:
    utf8 = {"TERM": "xterm", "LANG": "en_US.UTF-8"}
    assert not abilities_of(utf8, encoding="iso8859-1").unicode
    assert abilities_of(utf8, encoding="UTF-8").unicode
    assert abilities_of(utf8, encoding="utf_8").unicode


def test_old_terminals_are_asked_nothing_and_report_nothing() -> None:
    for term in ("linux", "vt100", "vt220", "cons25", "ansi"):
        old = abilities_of({"TERM": term})
        assert (old.mouse, old.modern, old.animation, old.notice) == (False, False, False, "none")
    assert abilities_of({"TERM": "xterm"}).modern


def test_nothing_glides_over_a_line_from_far_away() -> None:
    assert abilities_of({"TERM": "xterm"}).animation
    assert not abilities_of({"TERM": "xterm", "SSH_CONNECTION": "::1 1 ::1 22"}).animation


@pytest.mark.parametrize(
    ("environment", "notice"),
    [
        ({"TERM": "xterm-kitty"}, "osc9"),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"}, "osc9"),
        ({"TERM": "xterm-256color", "LC_TERMINAL": "iTerm2"}, "osc9"),
        ({"TERM": "foot"}, "osc777"),
        ({"TERM": "rxvt-unicode-256color"}, "osc777"),
        ({"TERM": "xterm-256color"}, "none"),
        ({"TERM": "tmux-256color", "TMUX": "/tmp/t", "LC_TERMINAL": "iTerm2"}, "none"),
        ({"TERM": "linux", "TERM_PROGRAM": "iTerm.app"}, "none"),
    ],
)
def test_a_notification_is_written_the_way_the_terminal_reads_it(environment: dict[str, str], notice: str) -> None:
    assert abilities_of(environment).notice == notice


@pytest.mark.parametrize(
    ("environment", "is_terminal", "why"),
    [
        ({"TERM": "xterm"}, False, "there is none here"),
        ({"TERM": "dumb"}, True, "TERM=dumb"),
        ({"TERM": "unknown"}, True, "TERM=unknown"),
        ({"TERM": ""}, True, "TERM is not set"),
        ({}, True, "TERM is not set"),
    ],
)
def test_what_cannot_be_drawn_on_is_refused_in_one_sentence_that_names_the_line_mode(
    environment: dict[str, str], is_terminal: bool, why: str
) -> None:
    sentence = refusal_of(environment, is_terminal=is_terminal, command="looseends play")
    assert why in sentence
    assert "`looseends play --plain`" in sentence
    assert "\n" not in sentence


def test_everything_else_is_drawn_on() -> None:
    assert refusal_of({"TERM": "xterm"}, is_terminal=True, command="looseends play") == ""


WORDS = st.sampled_from(["", "C", "xterm", "linux", "dumb", "truecolor", "en_US.UTF-8", "1", "\x00", "é", "vt100-m"])


@given(st.dictionaries(st.sampled_from(["TERM", "COLORTERM", "NO_COLOR", "LANG", "LC_ALL", "TMUX", "STY"]), WORDS))
def test_no_environment_breaks_the_policy(environment: dict[str, str]) -> None:
    found = abilities_of(environment)
    assert isinstance(found, Abilities)
    assert found.colours == "mono" or not environment.get("NO_COLOR")
    assert locale_codeset(environment) in ("", "ascii", "utf-8")
