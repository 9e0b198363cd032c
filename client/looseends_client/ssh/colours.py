"""Colours as the terminal of one person can show them: what an app drew in true colour, brought down on its way out.

Apps in one process share what Rich keeps of a style, the finished colour codes among it, so the first one's colours
would be everybody's. That is why every app draws in true colour and each line out of the door brings them down.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache, partial

from rich.color import Color, ColorSystem

from looseends_client.terminal_abilities import Depth

_SYSTEMS = {"256": ColorSystem.EIGHT_BIT, "16": ColorSystem.STANDARD}
_SGR = re.compile(r"\x1b\[([0-9;]*)m")
_EXTENDED = {"38": True, "48": False}


def colours_as(depth: Depth) -> Callable[[str], str]:
    """Return what brings a text down to a depth."""
    return _unchanged if depth == "true" else partial(_SGR.sub, partial(_of_match, depth))


def _unchanged(text: str) -> str:
    return text


def _of_match(depth: Depth, match: re.Match[str]) -> str:
    return _brought_down(match[1], depth)


@lru_cache(8192)
def _brought_down(codes: str, depth: Depth) -> str:
    """Return a whole sequence for the codes between CSI and m; empty where nothing is left of them."""
    given = codes.split(";")
    kept: list[str] = []
    at = 0
    while at < len(given):
        code = given[at]
        at += 1
        if code in _EXTENDED and at < len(given):
            length = {"2": 4, "5": 2}.get(given[at], 1)
            kept += _colour(given[at : at + length], depth, foreground=_EXTENDED[code])
            at += length
        elif not (depth == "mono" and _is_colour(code)):
            kept.append(code)
    return f"\x1b[{';'.join(kept)}m" if kept else ""


def _is_colour(code: str) -> bool:
    number = int(code or "0")
    return 30 <= number <= 49 or 90 <= number <= 107


def _colour(codes: list[str], depth: Depth, *, foreground: bool) -> list[str]:
    if depth == "mono":
        return []
    try:
        numbers = [int(code) for code in codes[1:]]
        colour = Color.from_rgb(*numbers) if codes[0] == "2" else Color.from_ansi(numbers[0])
        return list(colour.downgrade(_SYSTEMS[depth]).get_ansi_codes(foreground=foreground))
    except (IndexError, KeyError, TypeError, ValueError):
        return []
