"""What a host copies from `deploy/` is right by the judgement of the programs that read it, or of linters for them."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from looseends_client.main import main
from looseends_protocol.limits import DEFAULT_PORT

DEPLOY = Path(__file__).parents[2] / "deploy"
UNITS = sorted(DEPLOY.glob("*.service")) + sorted(DEPLOY.glob("*.timer"))
INSTALLED = "/opt/looseends/bin/looseends"
SCRIPTS = Path(sysconfig.get_path("scripts"))
systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze (package systemd)")


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def as_installed(folder: Path) -> list[Path]:
    """Copy the units as they would be with the program where this one is."""
    copies = [folder / unit.name for unit in UNITS]
    for unit, copy in zip(UNITS, copies, strict=True):
        copy.write_text(unit.read_text("utf-8").replace(INSTALLED, sys.executable))
    return copies


@systemd
def test_systemd_finds_nothing_wrong_with_the_units(tmp_path: Path) -> None:
    checked = run("systemd-analyze", "verify", *as_installed(tmp_path))
    assert (checked.returncode, checked.stdout + checked.stderr) == (0, "")


@systemd
def test_systemd_would_find_a_fault(tmp_path: Path) -> None:
    service = next(path for path in as_installed(tmp_path) if path.name == "looseends.service")
    service.write_text(service.read_text("utf-8").replace("Type=notify", "Type=notfy"))
    assert "notfy" in run("systemd-analyze", "verify", service).stderr


@systemd
def test_the_server_can_do_little_besides_serving(tmp_path: Path) -> None:
    service = next(path for path in as_installed(tmp_path) if path.name == "looseends.service")
    judged = run("systemd-analyze", "security", "--offline=true", "--no-pager", service)
    exposure = re.search(r"exposure level for looseends\.service: ([\d.]+)", judged.stdout)
    assert exposure, judged.stdout + judged.stderr
    assert float(exposure[1]) < 2.0


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_every_command_in_a_unit_is_one_of_the_program(unit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for line in re.findall(rf"{INSTALLED} ([^'\n]*)", unit.read_text("utf-8")):
        command, options = line.split()[0], re.findall(r"--[\w-]+", line)
        assert main([command, "--help"]) == 0
        shown = capsys.readouterr().out
        assert all(option in shown for option in options)


def test_a_linter_finds_nothing_wrong_with_the_dockerfile() -> None:
    checked = run(SCRIPTS / "hadolint", "--no-color", DEPLOY / "Dockerfile")
    assert (checked.returncode, checked.stdout) == (0, "")


def test_a_linter_finds_nothing_dangerous_in_the_compose_file() -> None:
    checked = run(SCRIPTS / "compose-lint", "--fail-on", "high", DEPLOY / "compose.yaml")
    assert checked.returncode == 0, checked.stdout


def test_the_container_copies_what_the_wheel_is_made_of_and_listens_where_it_says() -> None:
    text = (DEPLOY / "Dockerfile").read_text("utf-8")
    for folder in ("core", "protocol", "server", "client"):
        assert f"COPY {folder} {folder}\n" in text
        assert f"!{folder}\n" in (DEPLOY.parent / ".dockerignore").read_text("utf-8")
    assert f"EXPOSE {DEFAULT_PORT}" in text
    assert f'- "{DEFAULT_PORT}:{DEFAULT_PORT}"' in (DEPLOY / "compose.yaml").read_text("utf-8")


def test_the_settings_of_the_container_are_ones_that_the_server_has() -> None:
    from looseends_server.config_sources import settled

    text = (DEPLOY / "Dockerfile").read_text("utf-8") + (DEPLOY / "compose.yaml").read_text("utf-8")
    environ = dict(re.findall(r"(LOOSEENDS_SERVER_\w+)(?:=|: )([^\s\\]+)", text))
    assert len(environ) == 4
    assert settled(None, environ).config.server.host == "0.0.0.0"
