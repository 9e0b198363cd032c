"""Every rule of the game has a test that carries its id."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

RULES = {
    *("R1", "R2", "R3", "R4", "R5", "R6", "R7"),
    *("P1", "P2", "P3", "P4", "P5", "P6", "P7"),
    *("T1", "T2", "T3", "T4"),
    *("C1", "C2", "C3", "C4"),
    *("S1", "S2", "S3", "S4", "S5", "S6", "S7", "S8"),
    *("E1", "E2"),
    *("V1", "V2", "V3", "V4", "V5", "V6", "V7", "V8", "V9", "V10", "V11", "V12", "V13"),
    "F1",
}


def ids_of(decorator: ast.expr) -> list[str]:
    """Return the ids in `@pytest.mark.rule("P3", …)`, none for any other decorator."""
    if not isinstance(decorator, ast.Call) or ast.unparse(decorator.func) != "pytest.mark.rule":
        return []
    return [str(ast.literal_eval(argument)) for argument in decorator.args]


def named_by_rule() -> dict[str, list[str]]:
    """Return the names of the tests of this folder by the rule ids that they carry, read from their source."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for module in sorted(Path(__file__).parent.glob("test_*.py")):
        for node in ast.parse(module.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for rule in (rule for decorator in node.decorator_list for rule in ids_of(decorator)):
                    found[rule].append(f"{module.name}::{node.name}")
    return dict(found)


def test_every_rule_has_a_test_that_carries_its_id() -> None:
    assert sorted(RULES - named_by_rule().keys()) == []


def test_no_test_carries_an_id_that_is_no_rule() -> None:
    assert sorted(named_by_rule().keys() - RULES) == []
