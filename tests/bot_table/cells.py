"""The cells of the table: two neighbouring levels, a number of players, a set of variants; and the code behind them."""

from __future__ import annotations

import ast
import hashlib
import itertools
from collections.abc import Iterator
from pathlib import Path

import msgspec

import looseends_core.bots
from looseends_client.arena.entrants import Entrant
from looseends_client.arena.game import MatchSetup
from looseends_client.commands.arena import ALL, NONE, SIMPLIFIED, variants_of_option
from looseends_core.bots import LEVELS
from looseends_core.rules import MAX_PLAYERS, MIN_PLAYERS, VARIANTS, rule_set

PAIRS = tuple((stronger, weaker) for weaker, stronger in itertools.pairwise(LEVELS))
"""Each level with the one below it, weakest first."""
PLAYERS = tuple(range(MIN_PLAYERS, MAX_PLAYERS + 1))
VARIANT_SETS = (NONE, ALL, *VARIANTS, SIMPLIFIED)
"""None, all four, and each alone."""

_BOTS = Path(looseends_core.bots.__file__).parent
_PACKAGE = looseends_core.bots.__name__


class Cell(msgspec.Struct, frozen=True, order=True):
    """One cell. The stronger level is the one that should be."""

    stronger: str
    weaker: str
    players: int
    variants: str

    def __str__(self) -> str:
        return f"{self.stronger} over {self.weaker}, {self.players} players, {self.variants}"

    @property
    def version(self) -> str:
        """Which bots it is about: a digest of the code of both."""
        return f"{level_version(self.stronger)}-{level_version(self.weaker)}"

    def setup(self, seed: str) -> MatchSetup:
        """Return the match of this cell. Each cell has deals of its own, so that cells are independent."""
        variants, scoring = variants_of_option(self.variants)
        rules = rule_set(self.players, variants, scoring=scoring)
        return MatchSetup(rules, f"{seed}/{self}", (Entrant(self.stronger), Entrant(self.weaker)))


def all_cells() -> Iterator[Cell]:
    """Yield every cell, in the order in which they are played: first each pair and number of players once."""
    for variants in VARIANT_SETS:
        for players in PLAYERS:
            for stronger, weaker in PAIRS:
                yield Cell(stronger, weaker, players, variants)


def level_version(level: str) -> str:
    """Return a digest of the code of a level: of the module of its name and all in the bots' package that it imports.

    Comments, docstrings and layout do not count. Raises OSError where the level has no module of its name.
    """
    modules: list[str] = []
    waiting = [level]
    while waiting:
        module = waiting.pop()
        if module in modules:
            continue
        modules.append(module)
        waiting += _imports_of(_tree(module))
    digest = hashlib.sha256()
    for module in sorted(modules):
        digest.update(f"{module}: {_meaning(_tree(module))}\n".encode())
    return digest.hexdigest()[:10]


def _tree(module: str) -> ast.Module:
    return ast.parse((_BOTS / f"{module}.py").read_text(encoding="utf-8"))


def _imports_of(tree: ast.Module) -> list[str]:
    prefix = f"{_PACKAGE}."
    return [
        node.module.removeprefix(prefix)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module is not None and node.module.startswith(prefix)
    ]


def _meaning(node: object) -> str:
    """Return a text of a syntax tree that is the same in every Python version; what is empty is left out."""
    if isinstance(node, list):
        return f"[{' '.join(_meaning(part) for part in node if not _is_docstring(part))}]"
    if not isinstance(node, ast.AST):
        return repr(node)
    parts = ((field, getattr(node, field, None)) for field in node._fields)
    told = " ".join(f"{field}={_meaning(value)}" for field, value in parts if value is not None and value != [])
    return f"{type(node).__name__}({told})"


def _is_docstring(node: object) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
