"""Every kind of terminal gets a table, and nothing that it has not said it can read."""

from __future__ import annotations

import re

import pytest

from tests.e2e.terminal import Terminal

pytestmark = pytest.mark.terminal

SEQUENCE = re.compile(
    rb"\x1b\[(?P<private>[?<=>]?)(?P<numbers>[0-9;]*)(?P<final>\$?[A-Za-z])"
    rb"|\x1b(?P<other>[^\[])"
)
MOVES = {b"H", b"G"}
MODES_OF_ALL = {b"1049", b"25", b"7"}
MODES_OF_NEW = {b"1000", b"1002", b"1003", b"1006", b"1004", b"2004", b"2026"}
ATTRIBUTES = {"", "0", "1", "2", "3", "4", "7"}
SIXTEEN = {str(code) for code in (*range(30, 38), 39, *range(40, 48), 49, *range(90, 98), *range(100, 108))}


def colours_in(numbers: str) -> str:
    """Return the depth that a sequence of colours and attributes needs; `mono` where it has no colour."""
    codes = numbers.split(";")
    deepest = "mono"
    while codes:
        code = codes.pop(0)
        if code in ("38", "48"):
            kind = codes.pop(0)
            depth = {"5": "256", "2": "true"}[kind]
            del codes[: 1 if kind == "5" else 3]
        elif code in SIXTEEN:
            depth = "16"
        else:
            assert code in ATTRIBUTES, numbers
            continue
        deepest = max(deepest, depth, key=["mono", "16", "256", "true"].index)
    return deepest


def depth_of(raw: bytes, *, modern: bool) -> str:
    """Return how many colours were drawn with. Fails of a sequence that such a terminal does not know."""
    deepest = "mono"
    for found in SEQUENCE.finditer(raw):
        assert found["other"] is None, found
        private, numbers, final = found["private"], found["numbers"], found["final"]
        if final == b"m":
            assert not private, found
            deepest = max(deepest, colours_in(numbers.decode()), key=["mono", "16", "256", "true"].index)
        elif private == b"?" and final in b"hl":
            assert numbers in MODES_OF_ALL | (MODES_OF_NEW if modern else set()), found
        elif private == b"?" and final == b"$p":
            assert modern, found
            assert numbers == b"2026", found
        elif private in (b"<", b">"):
            assert modern, found
            assert final == b"u", found
        else:
            assert private + final in MOVES, found
    return deepest


UTF8 = {"LC_ALL": "", "LANG": "en_US.UTF-8"}
KINDS = [
    # TERM, COLORTERM, NO_COLOR, locale: the depth that is drawn in, whether in Unicode, whether a modern terminal
    ({"TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "", "LANG": "C.UTF-8"}, "true", True, True),
    ({"TERM": "xterm-256color", "LC_ALL": "C"}, "256", False, True),
    ({"TERM": "xterm", **UTF8}, "16", True, True),
    ({"TERM": "xterm", "NO_COLOR": "1", "LC_ALL": "", "LANG": "C"}, "mono", False, True),
    ({"TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1", **UTF8}, "mono", True, True),
    ({"TERM": "linux", "COLORTERM": "truecolor", **UTF8}, "16", True, False),
    ({"TERM": "linux", "NO_COLOR": "1", "LC_ALL": "en_US.ISO-8859-1"}, "mono", False, False),
    (
        {"TERM": "screen", "COLORTERM": "24bit", "STY": "1.x", "LC_ALL": "", "LANG": "de_DE.ISO-8859-15"},
        "16",
        False,
        True,
    ),
    ({"TERM": "tmux-256color", "TMUX": "/nowhere,1,0", **UTF8}, "256", True, True),
    ({"TERM": "vt220", "COLORTERM": "truecolor", "LC_ALL": "POSIX"}, "mono", False, False),
    ({"TERM": "xterm-kitty", "LC_ALL": "", "LC_CTYPE": "", "LANG": ""}, "true", True, True),
    ({"TERM": "never-heard-of", **UTF8}, "16", True, True),
]


@pytest.mark.parametrize(
    ("environment", "depth", "unicode", "modern"),
    KINDS,
    ids=[" ".join(f"{name}={value}" for name, value in kind[0].items() if value) for kind in KINDS],
)
def test_the_first_table_is_drawn_with_what_the_terminal_knows_and_left_clean(
    environment: dict[str, str], depth: str, unicode: bool, modern: bool
) -> None:
    with Terminal("play", "--players", "4", "--pace", "0", environment=environment) as terminal:
        terminal.shows("Enter bid")
        terminal.press("Right")
        terminal.shows("is covered when")
        assert depth_of(terminal.raw, modern=modern) == depth
        assert terminal.raw.isascii() is not unicode
        terminal.press("\x11")
        assert terminal.exit_code() == 0
        assert terminal.is_restored
        depth_of(terminal.raw, modern=modern)


@pytest.mark.parametrize(
    ("colours", "environment"),
    [
        ("16", {"COLORTERM": "truecolor"}),
        ("true", {"TERM": "xterm", "NO_COLOR": "1"}),
    ],
)
def test_an_option_says_how_many_colours_whatever_the_environment_says(
    colours: str, environment: dict[str, str]
) -> None:
    with Terminal("play", "--players", "4", "--pace", "0", "--colours", colours, environment=environment) as terminal:
        terminal.shows("Enter bid")
        assert depth_of(terminal.raw, modern=True) == colours


def test_what_is_chosen_and_whose_turn_it_is_have_a_shape_without_colour() -> None:
    with Terminal("play", "--players", "4", "--pace", "0", "--ascii", environment={"NO_COLOR": "1"}) as terminal:
        terminal.shows("Enter bid")
        terminal.press("Right")
        text = terminal.shows("is covered when")
        assert re.search(r"^ > you", text, re.M)
        assert re.search(r"^ > Bid a card", text, re.M)
        assert re.search(r"\|[BRGYX]\d*\|", text)


@pytest.mark.parametrize(("term", "why"), [("dumb", "TERM=dumb"), ("", "TERM is not set")])
@pytest.mark.parametrize("command", [("play",), ("join", "127.0.0.1")], ids=" ".join)
def test_a_terminal_that_cannot_be_drawn_on_is_told_what_works_instead(
    term: str, why: str, command: tuple[str, ...]
) -> None:
    with Terminal(*command, environment={"TERM": term}) as terminal:
        assert terminal.exit_code() == 2
        text = "".join(line.ljust(80) for line in terminal.text.splitlines())  # a sentence may be broken anywhere
        assert why in text
        assert f"`looseends {command[0]} --plain` plays in lines of text" in text
        assert b"\x1b" not in terminal.raw
