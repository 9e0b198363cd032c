"""A new table out of one typed line: `3 plan-b clock 60 title Friday`.

Whether the rules fit together is the core's to judge.
"""

from __future__ import annotations

import msgspec

from looseends_client.table_form import MOST_TABLES
from looseends_client.visits import PRACTICE, TableWish
from looseends_core.rules import DEFAULT_ROUNDS, VARIANTS, RulesError, rule_set
from looseends_protocol.limits import TITLE_LENGTH_SENT
from looseends_protocol.messages import TableOptions
from looseends_protocol.people_text import visible

_VARIANT_OF = {name.replace("-", ""): name for name in VARIANTS} | {"dc": "double-cross", "pb": "plan-b"}


class NotATable(ValueError):
    """A line that makes no table; the message says which word, and what was expected."""


class NewTable(msgspec.Struct, frozen=True):
    """What is wished for, and whether a password has still to be asked for."""

    wish: TableWish
    asks_password: bool = False


def new_table(line: str, levels: tuple[str, ...], bots: tuple[str, ...], *, alone: bool) -> NewTable:
    """Return the table that a line asks for. `bots` sit at a table where one plays alone. Raises NotATable."""
    head, title = _parted(line)
    words = head.replace(",", " ").replace("plan b", "plan-b").replace("double cross", "double-cross").split()
    players = 4
    numbers = {"rounds": DEFAULT_ROUNDS, "clock": 0, "pace": TableOptions().bots, "tables": 1}
    variants: list[str] = []
    chosen: list[str] = []
    flags: set[str] = set()
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word in numbers:
            numbers[word] = _number(words[at] if at < len(words) else "", word)
            at += 1
        elif word in ("bots", "bot"):
            while at < len(words) and words[at] in levels:
                chosen.append(words[at])
                at += 1
            if not chosen:
                raise NotATable(f"bots takes levels: {', '.join(map(visible, levels)) or 'this server has none'}.")
        elif word in ("players", "player"):
            continue
        elif word.isascii() and word.isdigit():
            players = int(word[:4])
        elif word.replace("-", "") in _VARIANT_OF:
            variants.append(_VARIANT_OF[word.replace("-", "")])
        elif word in ("simplified", "standard", "wait", "private", "password", "nowatching"):
            flags.add(word)
        else:
            raise NotATable(f"{word[:24]} is no option of a table. Type help new for all of them.")
    try:
        rules = rule_set(
            players,
            sorted(set(variants)),
            scoring="simplified" if "simplified" in flags else "standard",
            rounds=numbers["rounds"],
        )
        options = TableOptions(
            title=PRACTICE if alone else title,
            clock_seconds=numbers["clock"],
            absence="wait" if "wait" in flags else "bot",
            private=alone or "private" in flags,
            spectators="nowatching" not in flags,
            bots=numbers["pace"],
        )
        options = msgspec.convert(msgspec.to_builtins(options), TableOptions)  # held to the limits of the wire
    except RulesError as error:
        raise NotATable(f"{str(error).rstrip('.')}.") from error
    except msgspec.ValidationError as error:
        raise NotATable("clock is from 0 to 3600 seconds, pace from 0 to 5000 milliseconds.") from error
    if not 1 <= numbers["tables"] <= MOST_TABLES:
        raise NotATable(f"tables is from 1 to {MOST_TABLES}.")
    line_up = tuple(chosen) or (bots if alone else ())
    seats = players - 1
    filled = tuple(line_up[seat % len(line_up)] for seat in range(seats)) if line_up else ()
    copies = 1 if alone else numbers["tables"]
    return NewTable(TableWish(rules, options, filled, copies=copies), asks_password="password" in flags and not alone)


def _parted(line: str) -> tuple[str, str]:
    """Return the options, in small letters, and the title, which keeps its own."""
    words = line.split()
    for at, word in enumerate(words):
        if word.casefold() == "title":
            return " ".join(words[:at]).casefold(), " ".join(words[at + 1 :])[:TITLE_LENGTH_SENT]
    return " ".join(words).casefold(), ""


def _number(word: str, option: str) -> int:
    if not (word.isascii() and word.isdigit()):
        raise NotATable(f"{option} takes a whole number.")
    return int(word[:6])
