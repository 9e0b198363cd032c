"""Every command shows examples of itself, and each of them is one that the command line takes."""

from __future__ import annotations

import shlex

import pytest

from looseends_client.examples import IN_GENERAL, OF
from looseends_client.main import COMMANDS, command_line, main

GROUPS = {"admin", "bench", "config", "games", "identity"}


def examples_in(words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return the examples that the help of a command shows."""
    monkeypatch.setenv("COLUMNS", "200")
    capsys.readouterr()
    assert main([*words, "--help"]) == 0
    _, _, shown = capsys.readouterr().out.partition("Examples:")
    return [line.strip() for line in shown.splitlines() if line.strip().startswith("looseends ")]


@pytest.mark.parametrize("command", [command.name for command in COMMANDS])
def test_the_help_of_a_command_shows_examples_of_itself(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = examples_in([command], monkeypatch, capsys)
    assert shown
    assert all(command in shlex.split(line) for line in shown), shown


@pytest.mark.parametrize("command", [[], *([command.name] for command in COMMANDS)], ids=" ".join)
def test_every_example_is_one_that_the_command_line_takes(
    command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for line in examples_in(command, monkeypatch, capsys):
        for part in line.split(" | "):
            words = shlex.split(part)[1:]
            command_line(words[0]).parse_args(words, exit_on_error=False, print_error=False)


def test_a_command_alone_shows_the_examples_of_its_group(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for group in sorted(GROUPS):
        shown = examples_in([group], monkeypatch, capsys)
        capsys.readouterr()
        assert main([group]) == 0
        told = capsys.readouterr().out
        assert all(line in told for line in shown)
        assert IN_GENERAL[0] not in told


def test_no_command_is_without_examples_and_none_is_left_over() -> None:
    assert set(OF) | GROUPS == {command.name for command in COMMANDS}
    assert not set(OF) & GROUPS
