"""The suite knows of this project what anybody may know: the page, a socket, msgpack."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
MODULES = sorted(HERE.glob("*.py"))
STARTS_OURS = Path(__file__).parents[1] / "client" / "running_server.py"
"""How a server of our own is started: the command itself, as a process, with nothing of it imported."""


def imported(module: Path) -> set[str]:
    """Return what a module imports, in dotted names."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(f"{'.' * node.level}{node.module or ''}")
    return names


def is_known_to_anybody(name: str) -> bool:
    """Return whether a name is of Python, of a library, or of this suite."""
    return name.partition(".")[0] in {*sys.stdlib_module_names, "msgpack", "pytest"} or name.startswith(
        "tests.conformance"
    )


@pytest.mark.parametrize("module", [*MODULES, STARTS_OURS], ids=lambda module: module.name)
def test_no_module_of_the_suite_imports_the_project(module: Path) -> None:
    foreign = {name for name in imported(module) if not is_known_to_anybody(name)}

    assert foreign == ({"tests.client.running_server"} if module.name == "conftest.py" else set())


def test_an_import_of_the_project_would_be_noticed(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(
        "import looseends_core.cards\ndef f():\n    from looseends_server import house\n", encoding="utf-8"
    )

    assert not any(is_known_to_anybody(name) for name in imported(module))
    assert imported(module) == {"looseends_core.cards", "looseends_server"}
