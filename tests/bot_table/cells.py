"""The cells of the table: two neighbouring levels, a number of players, a set of variants; and the code behind them."""

from __future__ import annotations

import ast
import functools
import hashlib
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

import looseends_core
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

_CORE = Path(looseends_core.__file__).parent
_PACKAGE = looseends_core.__name__
_GAME = "bot_game"
"""The module by which a game follows from a seed."""


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
    """Return a digest of the code that a level's games follow from: its own module, that of bot games, and all of the
    core that these import.

    Comments, docstrings and layout do not count. Raises OSError where the level has no module of its name.
    """
    code: dict[str, _Code] = {}
    waiting = [f"bots.{level}", _GAME]
    while waiting:
        module = waiting.pop()
        if module not in code:
            file = _file(module)
            found = file.stat()
            code[module] = _code_of(file, found.st_mtime_ns, found.st_size)
            waiting += code[module].imports
    digest = hashlib.sha256()
    for module in sorted(code):
        digest.update(f"{module}: {code[module].digest}\n".encode())
    return digest.hexdigest()[:10]


def _file(module: str) -> Path:
    return _CORE.joinpath(*module.split(".")).with_suffix(".py")


class _Code(NamedTuple):
    """What one module means, as a digest, and the modules of the core that it imports."""

    digest: str
    imports: tuple[str, ...]


@functools.lru_cache(maxsize=256)
def _code_of(file: Path, _changed: int, _size: int) -> _Code:
    """Return the code in a file, read anew only where it has changed."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return _Code(hashlib.sha256(_meaning(tree).encode()).hexdigest(), tuple(_imports_of(tree)))


def _imports_of(tree: ast.Module) -> Iterator[str]:
    """Yield the modules of the core that a module imports. A package is none: that of the bots imports every level."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            for imported in (node.module, *(f"{node.module}.{alias.name}" for alias in node.names)):
                module = imported.removeprefix(f"{_PACKAGE}.")
                if module != imported and _file(module).is_file():
                    yield module


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
