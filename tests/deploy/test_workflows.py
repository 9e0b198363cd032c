"""The workflows, update rules and issue forms are ones that the service which reads them accepts."""

from __future__ import annotations

import re
import subprocess
import sysconfig
from pathlib import Path

import pytest

TREE = Path(__file__).parents[2]
GITHUB = TREE / ".github"
CHECKER = Path(sysconfig.get_path("scripts")) / "check-jsonschema"
FORMS = sorted(path for path in (GITHUB / "ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml")


@pytest.mark.parametrize(
    ("schema", "files"),
    [
        ("vendor.github-workflows", sorted((GITHUB / "workflows").glob("*.yml"))),
        ("vendor.dependabot", [GITHUB / "dependabot.yml"]),
        ("vendor.github-issue-forms", FORMS),
    ],
)
def test_a_file_fits_its_schema(schema: str, files: list[Path]) -> None:
    assert files
    done = subprocess.run(
        [CHECKER, "--builtin-schema", schema, *files], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_fault_in_a_workflow_would_be_found(tmp_path: Path) -> None:
    file = tmp_path / "ci.yml"
    file.write_text((GITHUB / "workflows" / "ci.yml").read_text("utf-8").replace("runs-on:", "runs_on:"))
    done = subprocess.run([CHECKER, "--builtin-schema", "vendor.github-workflows", file], check=False, timeout=60)
    assert done.returncode


def test_every_make_target_that_ci_names_is_there() -> None:
    makefile = (TREE / "Makefile").read_text("utf-8")
    workflows = "".join(path.read_text("utf-8") for path in (GITHUB / "workflows").glob("*.yml"))
    targets = set(re.findall(r"run: make ([\w-]+)", workflows))
    assert targets >= {"conformance", "docs", "ways-in"}
    for target in targets:
        assert f"\n{target}:" in makefile


def test_ci_checks_every_python_that_the_package_promises() -> None:
    promised = re.findall(r'"Programming Language :: Python :: (3\.\d+)"', (TREE / "pyproject.toml").read_text("utf-8"))
    checked = re.search(r"python: (\[.*\])", (GITHUB / "workflows" / "ci.yml").read_text("utf-8"))
    assert checked
    assert re.findall(r"3\.\d+", checked[1]) == promised
