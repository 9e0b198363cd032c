"""Tokens are kept one a server and name, for their owner's eyes alone, whoever else writes at the same time."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from looseends_client.token_store import TokenStore

TOKEN = bytes(range(32))


def test_a_token_is_found_again_for_its_server_and_name_alone(tmp_path: Path) -> None:
    store = TokenStore(tmp_path / "tokens")
    store.keep("host:8749", "ann", TOKEN)
    assert store.token_for("host:8749", "ann") == TOKEN
    assert store.token_for("HOST:8749", "Ann") == TOKEN, "neither addresses nor names differ by capitals"
    assert store.token_for("host:8749", "bob") == b""
    assert store.token_for("other:8749", "ann") == b""


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps rights in another way")
def test_folder_and_file_are_for_their_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "tokens"
    TokenStore(folder).keep("host", "ann", TOKEN)
    (kept,) = folder.iterdir()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert "ann" not in kept.name, "a file's name tells nobody who plays"


def test_a_spoilt_file_is_as_good_as_none(tmp_path: Path) -> None:
    store = TokenStore(tmp_path)
    store.keep("host", "ann", TOKEN)
    (kept,) = tmp_path.iterdir()
    for spoilt in ("", "not hex", "00ff"):
        kept.write_text(spoilt)
        assert store.token_for("host", "ann") == b""


def test_a_token_can_be_replaced_and_forgotten(tmp_path: Path) -> None:
    store = TokenStore(tmp_path)
    store.keep("host", "ann", TOKEN)
    store.keep("host", "ann", TOKEN[::-1])
    assert store.token_for("host", "ann") == TOKEN[::-1]
    store.forget("host", "ann")
    store.forget("host", "ann")
    assert store.token_for("host", "ann") == b""
    assert list(tmp_path.iterdir()) == []


def test_programs_that_write_at_once_leave_one_whole_token_each(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from looseends_client.token_store import TokenStore\n"
        "store = TokenStore(Path(sys.argv[1]))\n"
        "for n in range(60):\n"
        "    store.keep('host', 'shared', bytes([int(sys.argv[2])]) * 32)\n"
        "    store.keep('host', f'own{sys.argv[2]}', bytes([n]) * 32)\n"
    )
    writers = [subprocess.Popen([sys.executable, "-c", script, str(tmp_path), str(n)]) for n in (1, 2, 3)]
    assert [writer.wait(60) for writer in writers] == [0, 0, 0]
    store = TokenStore(tmp_path)
    assert store.token_for("host", "shared") in [bytes([n]) * 32 for n in (1, 2, 3)]
    assert [store.token_for("host", f"own{n}") for n in (1, 2, 3)] == [bytes([59]) * 32] * 3
    assert len(list(tmp_path.iterdir())) == 4, "nothing half-written is left behind"
