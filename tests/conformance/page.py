"""What docs/protocol.md says in its tables, read from the page itself: fields of messages and codes of errors."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[2] / "docs" / "protocol.md"
_FIELD = re.compile(r"^\| `(\w+)` \| (\w+) \| (.+?) \| (.+?) \| .+ \|$")
_CODE = re.compile(r"^\| `([a-z]+/[a-z_]+)` \|")
_WORDS = re.compile(r'"([a-z]*)"')


@dataclass(frozen=True)
class Field:
    """A row of a message's table."""

    key: str
    kind: str
    is_needed: bool


def _sections() -> dict[str, list[str]]:
    """Return the lines below each heading; the heading's own text is the key."""
    sections: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            lines = sections[line.lstrip("# ")] = []
        else:
            lines.append(line)
    return sections


def _fields(lines: list[str]) -> dict[str, Field]:
    rows = [match.groups() for line in lines if (match := _FIELD.match(line))]
    return {key: Field(key, kind, default == "needed") for key, _, kind, default in rows}


def codes() -> set[str]:
    """Return every code of an error that the page lists."""
    return {match[1] for line in PAGE.read_text(encoding="utf-8").splitlines() if (match := _CODE.match(line))}


class Page:
    """The tables of the page: `messages` by what stands under `t`, `parts` by their name."""

    def __init__(self) -> None:
        sections = _sections()
        titled = {heading: _fields(lines) for heading, lines in sections.items()}
        self.messages = {heading.split("`")[1]: fields for heading, fields in titled.items() if " · `" in heading}
        self.parts = {heading: fields for heading, fields in titled.items() if fields and " · " not in heading}

    def why_not(self, message: Any) -> str:
        """Return why this is no message as the page has it, empty where it is one. Unknown keys are no fault."""
        tag = message.get("t") if isinstance(message, dict) else None
        if tag not in self.messages:
            return f"a message of no kind that the page has: {tag}"
        return self._why_not_map(message, self.messages[tag], str(tag))

    def _why_not_map(self, value: Any, fields: dict[str, Field], where: str) -> str:
        if not isinstance(value, dict):
            return f"{where} is no map"
        missing = [field.key for field in fields.values() if field.is_needed and field.key not in value]
        if missing:
            return f"{where} lacks {missing}"
        faults = (
            self._why_not(value[key], field.kind, f"{where}.{key}") for key, field in fields.items() if key in value
        )
        return next((fault for fault in faults if fault), "")

    def _why_not(self, value: Any, kind: str, where: str) -> str:
        if kind.endswith(" or nil"):
            return "" if value is None else self._why_not(value, kind.removesuffix(" or nil"), where)
        if kind.startswith("array of "):
            if not isinstance(value, list):
                return f"{where} is no array"
            faults = (
                self._why_not(one, kind.removeprefix("array of "), f"{where}[{at}]") for at, one in enumerate(value)
            )
            return next((fault for fault in faults if fault), "")
        if kind in self.parts:
            return self._why_not_map(value, self.parts[kind], where)
        fits = _KINDS.get("int -" if kind.startswith("int -") else kind.split(" ")[0])
        if kind.startswith('"'):
            fits = _WORDS.findall(kind).__contains__
        if fits is None:
            return f"{where}: the page says {kind}, which this suite does not know"
        return "" if fits(value) else f"{where} is no {kind}: {value!r}"


_PHASES = ("gathering", "dealing", "playing", "between", "over", "frozen")
_KINDS: dict[str, Callable[[Any], bool]] = {
    "int": lambda value: type(value) is int and value >= 0,
    "int -": lambda value: type(value) is int,
    "action": lambda value: isinstance(value, list) and bool(value) and isinstance(value[0], str),
    "str": lambda value: isinstance(value, str),
    "bool": lambda value: type(value) is bool,
    "bin": lambda value: isinstance(value, bytes),
    "phase": _PHASES.__contains__,
    "rules": lambda value: isinstance(value, dict) and len(value) == 7,
    "event": lambda value: isinstance(value, list) and bool(value) and isinstance(value[0], str),
    "legal": lambda value: isinstance(value, list) and len(value) >= 3 and isinstance(value[0], list),
    "[str,": lambda value: isinstance(value, list) and all(isinstance(text, str) for text in value),
}
