"""`looseends identity`: a name goes to another machine in a file, and nothing else does."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from looseends_client.identity_file import IdentityFile, NoIdentity, identity_of, identity_text
from looseends_client.token_store import TokenStore, default_token_folder
from looseends_protocol.people_text import NameInvalid, person_name
from tests.client.command import Finished, run, run_here
from tests.client.running_server import running

Here = Callable[..., Finished]
TOKEN = bytes(range(32))
WRITTEN = f'server = "games.example.org:8749"\nname = "ann"\ntoken = "{TOKEN.hex()}"\n'


@pytest.fixture
def here(capsys: pytest.CaptureFixture[str]) -> Here:
    return lambda *words: run_here(capsys, ["identity", *words])


def kept() -> TokenStore:
    return TokenStore(default_token_folder())


def test_a_name_goes_from_one_machine_to_another(here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept().keep("games.example.org:8749", "ann", TOKEN)
    file = tmp_path / "ann.identity"
    done = here("export", "looseends://games.example.org", str(file), "--name", "ann")
    assert (done.code, done.err) == (0, "")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    for name in ("HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "other"))
    assert kept().token_for("games.example.org:8749", "ann") == b""
    done = here("import", str(file))
    assert done.code == 0
    assert done.out == "You are ann here too: looseends join looseends://games.example.org:8749 --name ann\n"
    assert kept().token_for("games.example.org:8749", "ann") == TOKEN
    assert here("import", str(file)).code == 0


def test_nothing_is_overwritten_unasked(here: Here, tmp_path: Path) -> None:
    kept().keep("games.example.org:8749", "ann", b"x" * 32)
    file = tmp_path / "ann.identity"
    file.write_text(WRITTEN)
    done = here("import", str(file))
    assert (done.code, kept().token_for("games.example.org:8749", "ann")) == (1, b"x" * 32)
    assert "--replace takes this one instead" in done.err
    assert here("export", "games.example.org", str(file), "--name", "ann").code == 1
    assert file.read_text() == WRITTEN
    assert here("import", str(file), "--replace").code == 0
    assert kept().token_for("games.example.org:8749", "ann") == TOKEN


def test_an_export_can_be_printed(here: Here) -> None:
    kept().keep("games.example.org:8749", "ann", TOKEN)
    done = here("export", "games.example.org", "--name", "ann")
    assert identity_of(done.out) == IdentityFile("games.example.org:8749", "ann", TOKEN)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["export", "games.example.org", "--name", "ann"], "No name ann is kept for games.example.org:8749"),
        (["export", "http://x", "--name", "ann"], "is no address of a server"),
        (["export", "x", "--name", "bot:x"], "--name: "),
        (["link", "games.example.org", "--name", "ann"], "join the server first"),
        (["import", "none"], "none cannot be read: No such file or directory."),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(here: Here, arguments: list[str], said: str) -> None:
    done = here(*arguments)
    assert (done.code, done.out) == (2, "")
    assert said in done.err


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "lacks the lines"),
        ("= =", "lacks the lines"),
        ("x" * 5000, "lacks the lines"),
        ("server = 1\nname = 2\ntoken = 3", "lacks the lines"),
        (WRITTEN.replace("games", "http://games"), "its server is none"),
        (WRITTEN.replace('"ann"', '"bot:x"'), "its name is none"),
        (WRITTEN.replace('"ann"', '""'), "its name is none"),
        (WRITTEN.replace("0001", "zz01"), "not written in hexadecimal digits"),
        (WRITTEN.replace("0001", "01"), "has 31 bytes, not 32"),
    ],
)
def test_a_file_that_is_no_identity_is_explained_and_its_token_never_shown(
    here: Here, text: str, why: str, tmp_path: Path
) -> None:
    with pytest.raises(NoIdentity, match=why):
        identity_of(text)
    file = tmp_path / "file"
    file.write_text(text)
    done = here("import", str(file))
    assert (done.code, TOKEN.hex()[8:] in done.err) == (2, False)
    file.write_bytes(b"\xff")
    assert "it is not text" in here("import", str(file)).err


def is_a_name(text: str) -> bool:
    try:
        return person_name(text) == text
    except NameInvalid:
        return False


@given(st.text(max_size=20).filter(is_a_name), st.binary(min_size=32, max_size=32))
def test_whatever_name_somebody_has_comes_back_from_its_file(name: str, token: bytes) -> None:
    kept = IdentityFile("[::1]:9", name, token)
    assert identity_of(identity_text(kept)) == kept


def test_a_key_is_tied_by_a_code_that_the_server_makes(tmp_path: Path) -> None:
    with running(tmp_path / "state") as server:
        address = f"127.0.0.1:{server.port}"
        with_token = run("join", address, "--name", "ann", "--plain", stdin=b"quit\n")
        assert with_token.code == 0, with_token.err
        done = run("identity", "link", address, "--name", "ann", "--ssh-port", "22")
        assert done.code == 0, done.err
        before, _, code = done.out.strip().rpartition(" ")
        assert before == "Run this where your key is, within 10 minutes:  ssh -t 127.0.0.1 link"
        assert len(code) == 16
