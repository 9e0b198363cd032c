"""What somebody looks for among finished games: the form that asks it, and the request that it comes to."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

from looseends_client.game_client import NO_ID
from looseends_client.table_form import Option
from looseends_client.table_words import VARIANT_NAMES
from looseends_core.rules import VARIANTS
from looseends_protocol.messages import ListGames
from looseends_protocol.people_text import visible

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
NAME_LONGEST = 64
LATEST = 2**31 - 1
"""The latest second that a request can name."""


class Search(msgspec.Struct, frozen=True):
    """Which games are looked for. `since` and `until` are days such as 2026-11-30, both included, in this machine's own
    time; empty, 0 and None stand for any. With `own` only those that the reader played."""

    own: bool = True
    name: str = ""
    since: str = ""
    until: str = ""
    players: int = 0
    variants: tuple[str, ...] | None = None

    def request(self, page: int) -> ListGames:
        """Return the request for a page, counted from 0."""
        since = int(_day(self.since).timestamp()) if self.since else 0
        until = int((_day(self.until) + timedelta(days=1)).timestamp()) if self.until else 0
        times = min(since, LATEST), min(until, LATEST)
        return ListGames(NO_ID, self.own, self.name, *times, self.players, self.variants, page)

    @property
    def words(self) -> str:
        """What is looked for, in words; empty where it is everything."""
        parts = [
            f"with {visible(self.name)}" if self.name else "",
            f"{self.players} players" if self.players else "",
            _variant_words(self.variants) if self.variants is not None else "",
            f"from {self.since}" if self.since else "",
            f"to {self.until}" if self.until else "",
        ]
        return ", ".join(part for part in parts if part)


class NoSuchDay(ValueError):
    """What was typed is no day; the message is a sentence for people."""


def _day(text: str) -> datetime:
    """Return the beginning of a day. Raises NoSuchDay."""
    if _DAY.fullmatch(text):
        try:
            day = datetime.fromisoformat(text).astimezone()
            day.timestamp()
        except (ValueError, OverflowError, OSError):
            pass
        else:
            if day.year >= 1971:
                return day
    raise NoSuchDay(f"A day is written like 2026-11-30, not {visible(text)[:20]}.")


def _variant_words(variants: Sequence[str]) -> str:
    return ", ".join(VARIANT_NAMES[variant] for variant in variants) or "no variants"


def options_of_search(search: Search, *, alone: bool) -> list[Option]:
    """Return the form, set as the search is; who is alone sees every game there is anyway."""
    sets: list[tuple[str, ...] | None] = [None]
    for count in range(len(VARIANTS) + 1):
        sets += itertools.combinations(VARIANTS, count)
    variants: list[tuple[str, object]] = [
        ("any" if chosen is None else _variant_words(chosen), chosen) for chosen in sets
    ]
    players: list[tuple[str, object]] = [("any", 0), *((str(number), number) for number in range(2, 6))]
    wanted = None if search.variants is None else tuple(v for v in VARIANTS if v in search.variants)
    mine = Option(
        "whose",
        [("yours", True), ("all you may see", False)],
        "Those that you played, or also those that you watched and those of public tables.",
        at=int(not search.own),
    )
    return [
        _text("with", search.name, "Somebody who played, or a bot such as bot:fox; - for anybody."),
        Option("players", players, "Only games of so many players.", at=search.players and search.players - 1),
        Option("variants", variants, "Only games with exactly these variants.", at=sets.index(wanted)),
        _text("from", search.since, "The first day, as 2026-11-30; - for any."),
        _text("to", search.until, "The last day, as 2026-11-30; - for any."),
        *([] if alone else [mine]),
    ]


def _text(name: str, value: str, about: str) -> Option:
    asks = {"with": "Whose games?", "from": "From which day on?", "to": "Up to which day?"}[name]
    return Option(name, [(visible(value) or "any", value)], about, asks=asks, longest=NAME_LONGEST)


def search_of(options: Sequence[Option], *, alone: bool) -> Search:
    """Return what a form says. Raises NoSuchDay."""
    values = {option.name: option.value for option in options}
    players, variants = values["players"], values["variants"]
    assert isinstance(players, int)
    assert variants is None or isinstance(variants, tuple)
    search = Search(
        own=not alone and bool(values["whose"]),
        name=_cleared(values["with"]),
        since=_cleared(values["from"]),
        until=_cleared(values["to"]),
        players=players,
        variants=variants,
    )
    search.request(0)
    return search


def _cleared(value: object) -> str:
    """Return what was typed; `any` or a dash takes a text away, because a line left empty keeps it."""
    text = str(value).strip()
    return "" if text.casefold() in ("any", "-") else text
