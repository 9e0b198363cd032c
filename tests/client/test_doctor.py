"""`looseends doctor`: what it finds, what it says to do, and that it changes and tells nothing it should not."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from looseends_client.doctor import Finding, clock, folder, glyphs, ports, program, settings, terminal
from looseends_client.glyph_widths import measured

posix = pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals on Windows")


def only(findings: Iterable[Finding]) -> Finding:
    (finding,) = findings
    return finding


def of_topic(topic: str, findings: Iterable[Finding]) -> Finding:
    return only(finding for finding in findings if finding.topic == topic)


@pytest.mark.parametrize(
    ("term", "size", "verdict", "said"),
    [
        ("xterm-256color", (80, 24), "ok", ""),
        ("xterm", (60, 20), "note", "80x24 shows more"),
        ("xterm", (39, 24), "wrong", "at least 40x16"),
        ("xterm", (80, 15), "wrong", "at least 40x16"),
        ("dumb", (80, 24), "wrong", "--plain"),
        ("", (80, 24), "wrong", "--plain"),
    ],
)
def test_a_terminal_is_judged_by_its_kind_and_size(term: str, size: tuple[int, int], verdict: str, said: str) -> None:
    found = of_topic("terminal", terminal({"TERM": term, "TMUX": "x"} if term else {}, size, "utf-8"))
    assert found.verdict == verdict
    assert said in found.remedy
    assert f"{size[0]}x{size[1]}" in found.found
    assert ("inside tmux" in found.found) == bool(term)


def test_a_locale_without_unicode_is_told() -> None:
    environ = {"TERM": "xterm", "LC_ALL": "en_US.ISO-8859-1", "LANG": "C.UTF-8"}
    found = of_topic("locale", terminal(environ, (80, 24), "iso8859-1"))
    assert found.verdict == "note"
    assert "LC_ALL=en_US.ISO-8859-1" in found.found
    assert of_topic("locale", terminal({"TERM": "xterm"}, (80, 24), "UTF-8")).verdict == "ok"


def test_colours_are_told_as_the_table_would_be_drawn() -> None:
    for environ, said in (
        ({"TERM": "xterm", "COLORTERM": "truecolor"}, "true colour"),
        ({"TERM": "xterm-256color"}, "256"),
        ({"TERM": "linux"}, "16"),
        ({"TERM": "xterm", "NO_COLOR": "1"}, "none; what is chosen"),
    ):
        assert of_topic("colours", terminal(environ, (80, 24), "utf-8")).found.startswith(said)


def test_wide_glyphs_are_wrong_and_a_silent_terminal_is_a_note() -> None:
    assert only(glyphs({"♠": 1, "♦": 1})).verdict == "ok"
    assert only(glyphs({"♠": 1, "♦": None})).verdict == "note"
    wide = only(glyphs({"♠": 2, "♦": 1, "♣": None}))
    assert (wide.verdict, wide.found[0]) == ("wrong", "♠")
    assert "--ascii" in wide.remedy


def test_a_clock_before_the_program_was_written_is_wrong() -> None:
    assert only(clock(0)).verdict == "wrong"
    assert only(clock(1_900_000_000)) == Finding("clock", "ok", "2030-03-17 17:46:40 UTC")


def test_a_port_in_use_is_told() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        number = taken.getsockname()[1]
        found = only(ports({"a server": number}))
        assert (found.topic, found.verdict) == (f"port {number}", "note")
        assert "--port" in found.remedy
    assert only(ports({"a server": number})).verdict == "ok"


@posix
def test_a_folder_is_judged_by_whether_it_can_be_used(tmp_path: Path) -> None:
    inside = tmp_path / "tokens"
    assert "not there yet" in only(folder("token", inside, tmp_path)).found
    assert not inside.exists()
    inside.mkdir(mode=0o755)
    open_to_all = only(folder("token", inside, tmp_path))
    assert (open_to_all.verdict, open_to_all.remedy) == ("wrong", "chmod 700 ~/tokens")
    inside.chmod(0o700)
    assert only(folder("token", inside, tmp_path)).verdict == "ok"
    assert list(inside.iterdir()) == []
    (tmp_path / "file").write_text("")
    assert only(folder("games", tmp_path / "file" / "games", tmp_path)).verdict == "wrong"


def test_what_runs_is_named_with_its_versions() -> None:
    findings = list(program())
    assert [finding.topic for finding in findings[:3]] == ["program", "python", "libraries"]
    assert "protocol 1." in findings[0].found
    assert "textual 8" in findings[2].found


def test_a_fault_in_the_settings_is_told_by_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "settings.toml"
    monkeypatch.setattr("looseends_client.settings_file.default_settings_file", lambda: file)
    assert only(settings({})).verdict == "ok"
    file.write_text("\nno_such_key_at_all = 3\n")
    assert only(settings({})).found.startswith("settings.toml, line 2")
    file.write_text('[keys]\npass = "u"\n')
    assert only(settings({})).found == ("settings.toml, line 2: u is the key of last-trick too; p stands for pass.")


@posix
def test_glyphs_are_measured_by_where_the_cursor_is_after_them() -> None:
    main, theirs = os.openpty()
    try:
        os.write(main, b"\x1b[5;2R\x1b[5;3Rx")
        assert measured(["a", "b"], theirs, seconds=0) == {"a": 1, "b": None}
        assert b"a\x1b[6n" in os.read(main, 4096)
    finally:
        os.close(main)
        os.close(theirs)


def doctor(home: Path, *options: str) -> subprocess.CompletedProcess[str]:
    environ = {"HOME": str(home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "LOOSEENDS_PASSWORD": "swordfish"}
    return subprocess.run(
        [sys.executable, "-m", "looseends_client", "doctor", *options],
        env=environ,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=60,
        check=False,
    )


@posix
def test_in_a_pipe_it_says_all_of_it_and_changes_nothing(tmp_path: Path) -> None:
    done = doctor(tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "note   terminal" in done.stdout
    assert "~/.local/state/looseends/tokens: not there yet, can be made" in done.stdout
    assert str(tmp_path) not in done.stdout
    assert "swordfish" not in done.stdout
    assert list(tmp_path.iterdir()) == []


@posix
def test_what_is_wrong_is_the_exit_code_and_json_is_for_programs(tmp_path: Path) -> None:
    tokens = tmp_path / ".local" / "state" / "looseends" / "tokens"
    tokens.mkdir(parents=True)
    tokens.chmod(0o755)
    done = doctor(tmp_path, "--json")
    assert done.returncode == 1
    wrong = [finding for finding in json.loads(done.stdout) if finding["verdict"] == "wrong"]
    assert [finding["topic"] for finding in wrong] == ["token folder"]
