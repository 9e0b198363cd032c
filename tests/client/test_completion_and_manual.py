"""The manual and the completions say what the command line says."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from looseends_client.main import COMMANDS, main
from looseends_client.manual import EXIT_CODES, commands_as_markdown


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_command_is_completed_in_every_shell(
    shell: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert all(command.name in script for command in COMMANDS)
    assert "--self-signed" not in script
    assert "tls-self-signed" in script
    if program := shutil.which(shell):  # where the shell is there, it has to find the script well-formed
        file = tmp_path / "script"
        file.write_text(script)
        checked = subprocess.run([program, "-n", file], capture_output=True, text=True, timeout=30, check=False)
        assert (checked.returncode, checked.stderr) == (0, "")


def test_bash_completes_a_command_that_was_begun(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("needs bash")
    assert main(["completion", "bash"]) == 0
    file = tmp_path / "script"
    file.write_text(capsys.readouterr().out)
    asked = f"source {file}; COMP_WORDS=(looseends sim); COMP_CWORD=1; _looseends; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    done = subprocess.run([bash, "-c", asked], capture_output=True, text=True, timeout=30, check=False)
    assert done.stdout.split() == ["simulate"]


def test_the_manual_has_every_command_every_exit_code_and_no_dead_anchor() -> None:
    page = commands_as_markdown()
    for command in COMMANDS:
        assert f"## looseends {command.name}\n" in page
    for code, meaning in EXIT_CODES:
        assert f"* `{code}`: {meaning}" in page
    headings = {heading.lower().replace(" ", "-") for heading in re.findall(r"^#+ (.*)$", page, re.MULTILINE)}
    assert set(re.findall(r"\]\(#([\w-]+)\)", page)) <= headings


def test_no_shell_but_the_three_is_known(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "tcsh"]) == 2
    assert "tcsh" in capsys.readouterr().err
