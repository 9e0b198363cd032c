"""What a terminal can do, from what its environment says of it: a policy, pure, for a terminal here or far away.

It decides how much is sent; how it is sent is the painting's and the driver's business. Nothing here asks the system.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

Depth = Literal["true", "256", "16", "mono"]
Notice = Literal["osc9", "osc777", "none"]

LINE_MODE = "--plain"
"""The option with which the game is played in lines of text, on whatever there is."""

_TRUE_COLOUR_TERMS = ("xterm-kitty", "xterm-ghostty", "alacritty", "foot", "wezterm", "contour", "rio")
_TRUE_COLOUR_PROGRAMS = ("iTerm.app", "WezTerm", "vscode", "ghostty", "rio")
_OLD = ("linux", "vt", "ansi", "cons", "sun", "wsvt", "dtterm", "cygwin")
"""What the names of terminals begin with that know no queries, no focus and no keyboard protocols."""
_NO_COLOUR_TERMS = ("vt", "xterm-mono", "sun")


class Abilities(msgspec.Struct, frozen=True):
    """What may be sent to a terminal.

    `colours` is the most colours it shows; `unicode` whether it is sure to be read as UTF-8; `mouse` whether it can
    report clicks; `modern` whether questions and keyboard protocols are safe to send; `animation` whether its line and
    its screen are quick enough for anything that glides; `notice` which sequence makes it show a desktop notification.
    """

    colours: Depth = "true"
    unicode: bool = True
    mouse: bool = True
    modern: bool = True
    animation: bool = True
    notice: Notice = "none"


def abilities_of(environment: Mapping[str, str], *, encoding: str | None = None) -> Abilities:
    """Return what a terminal can do. `encoding` is that of the stream it is written to, where there is such a stream.

    TERM, COLORTERM, NO_COLOR and the locale decide; where a terminal is known by more than TERM, its own variables do.
    """
    term = environment.get("TERM", "")
    program = environment.get("TERM_PROGRAM", "")
    old = term.startswith(_OLD)
    multiplexed = term.startswith(("screen", "tmux")) or bool(environment.get("TMUX") or environment.get("STY"))
    return Abilities(
        colours=_colours(environment, term, program),
        unicode=_reads_utf8(environment, encoding),
        mouse=not old,
        modern=not old,
        animation=not old and not environment.get("SSH_CONNECTION"),
        notice="none" if old or multiplexed else _notice(environment, term, program),
    )


def refusal_of(environment: Mapping[str, str], *, is_terminal: bool, command: str, instead: str = "") -> str:
    """Return why nothing can be drawn here, and what works instead, as a sentence; empty where something can be.

    `instead` is the command that has a line mode, `command` itself where it is not given.
    """
    term = environment.get("TERM", "")
    if not is_terminal:
        why = "there is none here"
    elif not term:
        why = "TERM is not set, so nothing is known of this one"
    elif term in ("dumb", "unknown"):
        why = f"one of the kind TERM={term} knows lines of text only"
    else:
        return ""
    return (
        f"`{command}` needs a terminal to draw on, and {why}; `{instead or command} {LINE_MODE}` plays in lines of "
        "text, and `looseends simulate` lets bots play without you."
    )


def locale_codeset(environment: Mapping[str, str]) -> str:
    """Return the character set that the locale names, in small letters; `ascii` for C, empty where nothing is said."""
    chosen = next((value for name in ("LC_ALL", "LC_CTYPE", "LANG") if (value := environment.get(name))), "")
    if chosen == "C.UTF-8" and not environment.get("LC_ALL"):
        # Python puts this into LC_CTYPE by itself where the locale is C or is not installed (PEP 538). What the person
        # said is in LANG, and letters alone can be read everywhere.
        chosen = environment.get("LANG") or chosen
    if chosen in ("C", "POSIX"):
        return "ascii"
    codeset = chosen.partition(".")[2].partition("@")[0]
    return codeset.lower()


def _reads_utf8(environment: Mapping[str, str], encoding: str | None) -> bool:
    if encoding is not None and _plain(encoding) != "utf8":
        return False  # whatever the locale says, other characters cannot be written
    codeset = locale_codeset(environment)
    return not codeset or _plain(codeset) == "utf8"


def _plain(codeset: str) -> str:
    return codeset.lower().replace("-", "").replace("_", "")


def _colours(environment: Mapping[str, str], term: str, program: str) -> Depth:
    if environment.get("NO_COLOR"):
        return "mono"
    if term.startswith(_NO_COLOUR_TERMS) or term.endswith(("-m", "-mono")):
        return "mono"
    if term.startswith("linux"):
        return "16"
    gnu_screen = bool(environment.get("STY")) and not environment.get("TMUX")
    if not gnu_screen:  # which hands COLORTERM on from the terminal around it and cannot do what it says
        if environment.get("COLORTERM", "").lower() in ("truecolor", "24bit"):
            return "true"
        if term.endswith("-direct") or term.startswith(_TRUE_COLOUR_TERMS):
            return "true"
        if program in _TRUE_COLOUR_PROGRAMS or environment.get("WT_SESSION"):
            return "true"
    return "256" if "256color" in term else "16"


def _notice(environment: Mapping[str, str], term: str, program: str) -> Notice:
    if term.startswith(("foot", "rxvt-unicode")):
        return "osc777"
    if term.startswith(("xterm-kitty", "xterm-ghostty", "wezterm")) or program in ("iTerm.app", "WezTerm", "ghostty"):
        return "osc9"
    return "osc9" if environment.get("LC_TERMINAL") == "iTerm2" else "none"
