"""`looseends doctor`: whether this machine and this terminal can play and host, and what to do where they cannot.

What is looked at is in `looseends_client.doctor`; here it is gathered and printed.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from typing import Annotated

import msgspec
from cyclopts import Parameter

from looseends_client.commands.printing import print_line
from looseends_client.doctor import Finding, findings, lines_of
from looseends_client.terminal import terminal_encoding

SOMETHING_WRONG = 1
"""Exit code where a finding is wrong."""
LOOKED_AT = ("♠", "♥", "♦", "♣", "▶", "─", "╭", "┏", "✓", "·")
"""Glyphs that a table is drawn with."""


def doctor(*, json: Annotated[bool, Parameter(name="--json", negative=(), show_default=False)] = False) -> int:
    """Look whether this machine and this terminal can play and host, and say what to do where they cannot.

    The output holds nothing secret and is meant to be pasted into a report of a fault. Exit code 0: all is well, or
    nearly. 1: something is wrong.

    Parameters
    ----------
    json
        Print it for a program.
    """
    found = _findings()
    if json:
        sys.stdout.write(msgspec.json.format(msgspec.json.encode(found), indent=2).decode() + "\n")
    else:
        for line in lines_of(found):
            print_line(line)
    return SOMETHING_WRONG if any(finding.verdict == "wrong" for finding in found) else 0


def _findings() -> list[Finding]:
    on_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    size = shutil.get_terminal_size() if on_terminal else None
    widths = None
    if on_terminal and os.environ.get("TERM", "dumb") != "dumb":
        from looseends_client.glyph_widths import measured

        widths = measured(LOOKED_AT, sys.stdin.fileno())
    columns_and_rows = None if size is None else (size.columns, size.lines)
    return findings(os.environ, time.time(), columns_and_rows, terminal_encoding(), widths)
