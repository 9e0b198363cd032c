"""`looseends config`, as a host types it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from looseends_client.main import main


def test_a_file_is_written_once_and_is_right_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "looseends.toml"
    assert main(["config", "init", str(file)]) == 0
    assert f"looseends config check {file}" in capsys.readouterr().out
    assert main(["config", "check", str(file)]) == 0
    assert f"{file} is right. It changes 0 of " in capsys.readouterr().out
    before = file.read_text("utf-8")
    assert main(["config", "init", str(file)]) == 2
    assert "is there already and stays as it is" in capsys.readouterr().err
    assert file.read_text("utf-8") == before
    assert main(["config", "init", "-"]) == 0
    assert capsys.readouterr().out == before


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[limits]\n\ntabels = 3\n", "line 3: [limits] has no key tabels; did you mean tables?"),
        ("[limits]\ntables = \n", "line 2"),
        ('[server]\npassword_file = "none"\n', "none cannot be read"),
        ('[server]\ntls_cert = "none"\ntls_key = "none"\n', "line 2: TLS cannot be used: "),
        ("[limits]\nping_seconds = 100\n", "silence_seconds (75) must be more than ping_seconds (100)"),
    ],
)
def test_a_wrong_file_is_explained_by_its_line_and_exits_with_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    file = tmp_path / "looseends.toml"
    file.write_text(text)
    assert main(["config", "check", str(file)]) == 1
    out, err = capsys.readouterr()
    assert not out
    assert said in err
    assert str(file) in err
    assert err.count("\n") == 1


def test_what_is_in_force_says_where_it_is_from_and_never_a_password(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "looseends.toml"
    file.write_text("[server]\nport = 9\n")
    monkeypatch.setattr(os, "environ", {"LOOSEENDS_SERVER_NAME": "Harbour", "LOOSEENDS_PASSWORD": "swordfish"})
    assert main(["config", "show", str(file), "--set", "limits.tables=3"]) == 0
    out = capsys.readouterr().out
    assert f"port = 9  # {file}, line 2" in out
    assert 'name = "Harbour"  # LOOSEENDS_SERVER_NAME of the environment' in out
    assert "tables = 3  # --set limits.tables=3" in out
    assert "spectators = 20  # default" in out
    assert "swordfish" not in out
    assert main(["config", "show", "--set", "nonsense"]) == 2
