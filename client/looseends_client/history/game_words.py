"""A finished game in one line, and somebody's numbers in columns: what lists say. Nothing here draws."""

from __future__ import annotations

from datetime import datetime

import msgspec

from looseends_client.narration import YOU
from looseends_client.seat_names import speaker_name
from looseends_client.table_words import VARIANT_NAMES
from looseends_core.numbers import Numbers
from looseends_core.rules import VARIANTS
from looseends_protocol.messages import GameLine, NumbersLine
from looseends_protocol.people_text import BOT_PREFIX, visible

NUMBER_HEADINGS = ("games", "won", "mean", "crimes", "snitch", "exact", "loose")
"""What the columns of `number_cells` are called."""
_LETTERS = {"double-cross": "DC", "getaway": "G", "plan-b": "PB"}


def when(ended_at: int, *, short: bool = False) -> str:
    """Return when a game ended, in this machine's own time; a time that cannot be is a dash."""
    try:
        ended = datetime.fromtimestamp(ended_at).astimezone()
    except (ValueError, OverflowError, OSError):
        return "-"
    return f"{ended:%m-%d %H:%M}" if short else f"{ended:%Y-%m-%d %H:%M}"


def player_name(name: str) -> str:
    """Return what a player of a record is called in a list."""
    return speaker_name(name.removeprefix(BOT_PREFIX))


def seats_words(line: GameLine, longest: int = 64) -> str:
    """Return who played with how many points, the reader as `you`, winners with a star; long names are cut short."""
    parts: list[str] = []
    for seat, (name, score) in enumerate(zip(line.names, line.scores, strict=False)):
        shown = YOU if seat == line.seat else player_name(name)[:longest].rstrip()
        parts.append(f"{shown} {score}{'*' if seat in line.winners else ''}")
    return ", ".join(parts)


def variant_letters(variants: tuple[str, ...]) -> str:
    """Return variants by their letters, an unknown one by its name."""
    known = [_LETTERS[variant] for variant in VARIANTS if variant in variants]
    return " ".join([*known, *(visible(variant) for variant in variants if variant not in _LETTERS)])


def kind_of_games(line: NumbersLine, *, short: bool = False) -> str:
    """Return which games a line of numbers is about: `3 players, Plan B`, or `3 players PB`."""
    if short:
        return f"{line.players} players {variant_letters(line.variants)}".rstrip()
    named = [VARIANT_NAMES.get(variant) or visible(variant) for variant in line.variants]
    return ", ".join([f"{line.players} players", *named])


def numbers_of(line: NumbersLine) -> Numbers:
    """Return the numbers of a line; a newer server may send more of them than are known here."""
    known = len(msgspec.structs.fields(Numbers))
    return Numbers(*line.numbers[:known])


def number_cells(numbers: Numbers) -> tuple[str, ...]:
    """Return the columns of somebody's numbers, as `NUMBER_HEADINGS` calls them."""
    mean = numbers.points / numbers.games if numbers.games else 0.0
    loose = numbers.loose_ends / numbers.rounds if numbers.rounds else 0.0
    return (
        str(numbers.games),
        str(numbers.wins),
        f"{mean:.1f}",
        str(numbers.perfect_crimes),
        f"{numbers.snitches_made}/{numbers.snitches}",
        f"{numbers.exact}/{numbers.bidding}",
        f"{loose:.2f}",
    )


def rating_text(hundredths: int) -> str:
    """Return a rating."""
    return f"{hundredths / 100:.2f}"
