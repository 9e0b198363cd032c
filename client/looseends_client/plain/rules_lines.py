"""The rules a sentence a line, whole or one part of them. What they say is in `rules_text`."""

from __future__ import annotations

import re

from looseends_client.plain.wording import Wording
from looseends_client.rules_text import rules_text
from looseends_core.rules import RuleSet

_BETWEEN_SENTENCES = re.compile(r"(?<=[.!?]) +(?=[A-Z])")


def rules_lines(rules: RuleSet | None, part: str, wording: Wording) -> list[str]:
    """Return the rules of a table, or of the usual game where None is given; of one part alone where it is named."""
    parts = _parts(wording.text(rules_text(rules)))
    word = part.casefold().strip()
    if word:
        found = [title for title in parts if word in title.casefold()]
        if not found:
            return [f"Parts of the rules: {', '.join(parts)}."]
        parts = {title: parts[title] for title in found}
    return [line for title, lines in parts.items() for line in (f"{title}:", *lines)]


def _parts(text: str) -> dict[str, list[str]]:
    parts: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in text.splitlines():
        if line.startswith("# "):
            lines = parts.setdefault(line[2:], [])
        elif line.strip():
            lines += _BETWEEN_SENTENCES.split(" ".join(line.split()))
    return parts
