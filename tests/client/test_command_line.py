"""The command line as a whole: help, version, errors, interruption, closed pipes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from looseends_client.commands import CommandFailed
from looseends_client.commands import verify as verify_module
from looseends_client.main import COMMANDS
from tests.client.command import TIMEOUT, run, run_here

LOOSEENDS = [sys.executable, "-m", "looseends_client"]


def test_help_lists_every_command_with_its_line_and_shows_examples() -> None:
    done = run("--help", env={"COLUMNS": "200"})
    assert (done.code, done.err) == (0, "")
    for command in COMMANDS:
        assert command.name in done.out
        assert command.line in done.out
    assert "looseends simulate --games" in done.out
    assert run(env={"COLUMNS": "200"}) == done


@pytest.mark.parametrize("command", [command.name for command in COMMANDS])
def test_help_of_a_command_says_more_than_its_line(command: str) -> None:
    done = run(command, "--help", env={"COLUMNS": "200"})
    assert (done.code, done.err) == (0, "")
    assert f"Usage: looseends {command}" in done.out
    assert len(done.out) > 600


def test_help_of_simulate_says_that_seats_rotate() -> None:
    assert "one seat on from game to game" in run("simulate", "--help", env={"COLUMNS": "200"}).out


def test_version_is_that_of_the_distribution() -> None:
    assert run("--version") == (0, version("no-loose-ends") + "\n", "")


def test_the_installed_command_and_the_module_are_the_same() -> None:
    installed = Path(sys.executable).with_name("looseends")
    if not installed.exists():
        pytest.skip("the package is not installed beside this Python")
    done = subprocess.run([installed, "--version"], capture_output=True, text=True, timeout=TIMEOUT, check=False)
    assert (done.returncode, done.stdout) == (0, version("no-loose-ends") + "\n")


@pytest.mark.parametrize("arguments", [["smulate"], ["--nonsense"], ["simulate", "7"], ["simulate"]])
def test_a_mistyped_command_line_is_one_line_on_stderr_with_the_next_step(arguments: list[str]) -> None:
    done = run(*arguments)
    assert (done.code, done.out) == (2, "")
    assert len(done.err.splitlines()) == 1
    assert done.err.startswith("looseends: ")
    assert "--help`." in done.err


def test_an_error_quotes_control_characters_escaped() -> None:
    done = run("simulate", "--games", "\x1b[2J\u202e")
    assert done.code == 2
    assert "\\x1b[2J\\u202e" in done.err


@pytest.mark.parametrize("place", [0, 1, 2])
def test_debug_shows_the_traceback_wherever_it_stands(place: int) -> None:
    arguments = ["verify", "--strict"]
    arguments.insert(place, "--debug")
    done = run(*arguments)
    assert done.code == 2
    assert "Traceback" in done.err
    assert CommandFailed.__name__ in done.err
    assert "Traceback" not in run("verify", "--strict").err


def test_a_fault_of_the_program_is_one_line_with_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("out of\norder")

    monkeypatch.setattr(verify_module, "verify_text", broken)
    file = tmp_path / "game.json"
    file.touch()
    done = run_here(capsys, ["verify", str(file)])
    assert done.code == 70
    assert len(done.err.splitlines()) == 1
    assert "RuntimeError: out of\\norder" in done.err
    assert "--debug" in done.err
    assert "Traceback" in run_here(capsys, ["verify", str(file), "--debug"]).err


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent differently there")
def test_ctrl_c_ends_with_130_and_says_nothing(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    # More answers than a pipe holds: once the first is here, the command is in the middle of its work.
    file.write_bytes(b"{}\n" * 100_000)
    with subprocess.Popen([*LOOSEENDS, "verify", str(file)], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        answer = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=TIMEOUT)
    assert answer.startswith(f"{file}:1: ".encode())
    assert (process.returncode, err) == (130, b"")


@pytest.mark.skipif(sys.platform == "win32", reason="pipes break differently there")
@pytest.mark.parametrize("arguments", [("verify", "-"), ("simulate", "--games", "3"), ("--help",), ("--version",)])
def test_a_pipe_that_nobody_reads_ends_the_command_quietly(arguments: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with subprocess.Popen(
        [*LOOSEENDS, *arguments], stdin=subprocess.PIPE, stdout=writer, stderr=subprocess.PIPE
    ) as process:
        os.close(writer)
        _, err = process.communicate(b"{}\n" * 1000, timeout=TIMEOUT)
    assert err == b""
    assert process.returncode in {1, 141}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_one_line_on_stderr() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*LOOSEENDS, "simulate", "--games", "1"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=TIMEOUT,
            check=False,
        )
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "No space left on device" in done.stderr
