"""What the terminal that this runs on can do, as far as the environment tells. No user interface is imported here."""

from __future__ import annotations

import getpass
import os
import sys

from looseends_protocol.limits import NAME_LENGTH


def has_terminal() -> bool:
    """Return whether somebody can see and type: both ends are a terminal."""
    try:
        return sys.stdin.isatty() and sys.stdout.isatty()
    except (AttributeError, ValueError):  # a stream that is closed, or not there at all
        return False


def terminal_encoding() -> str:
    """Return the encoding that the terminal is written to in, `ascii` where that is not known."""
    stream = sys.__stderr__
    return (stream.encoding or "ascii") if stream is not None else "ascii"


def forget_size_variables() -> None:
    """Take COLUMNS and LINES out of the environment: left by a parent, they would win over the real size for good."""
    for variable in ("COLUMNS", "LINES"):
        os.environ.pop(variable, None)


def login_name() -> str:
    """Return the name that this person has on this machine, as far as a name of the game can be; empty where none."""
    try:
        return getpass.getuser()[:NAME_LENGTH]
    except (ImportError, KeyError, OSError):
        return ""
