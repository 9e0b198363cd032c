"""The style rules of many apps in one process, parsed once: they are the same for everybody with the same theme.

Each app of Textual parses all of its style sheets for itself, which is a fifth of its memory and of its start.
"""

from __future__ import annotations

from typing import Any

from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet

MOST_SHEETS = 1024
"""Parsed sheets that are kept, of all themes together; when there are more all are let go."""

_PARSED: dict[tuple[Any, ...], list[RuleSet]] = {}


class SharedRules:
    """What a style sheet keeps its parsed rules in: everybody's, told apart by the variables of the theme."""

    def __init__(self, stylesheet: Stylesheet) -> None:
        self._stylesheet = stylesheet
        self._variables: tuple[Any, ...] | None = None

    def _key(self, key: tuple[Any, ...]) -> tuple[Any, ...]:
        if self._variables is None:
            kept = self._stylesheet._variables  # pyright: ignore[reportPrivateUsage]
            self._variables = tuple(sorted(kept.items()))
        return (self._variables, *key)

    def __getitem__(self, key: tuple[Any, ...]) -> list[RuleSet]:
        """Return the rules of a sheet. Raises KeyError where it was not parsed with these variables yet."""
        return _PARSED[self._key(key)]

    def __setitem__(self, key: tuple[Any, ...], rules: list[RuleSet]) -> None:
        """Keep the rules of a sheet."""
        if len(_PARSED) >= MOST_SHEETS:
            _PARSED.clear()
        _PARSED[self._key(key)] = rules

    def clear(self) -> None:
        """Look at the variables anew: the theme has changed. Nobody else's rules are touched."""
        self._variables = None


def share_rules(stylesheet: Stylesheet) -> None:
    """Let a style sheet use what others have parsed."""
    stylesheet._parse_cache = SharedRules(stylesheet)  # type: ignore[assignment]
