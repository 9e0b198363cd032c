"""`looseends admin`, `backup` and `restore` as a host types them, against a server that runs."""

from __future__ import annotations

import json
import signal
import socket
import sqlite3
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

from looseends_client.main import main
from tests.client.running_server import RULES, SECONDS, RawPeer, Running, running, served_again

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a server does not run on Windows")


class Host:
    """Types commands about one folder, and reads what they print."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._capsys = capsys

    def run(self, *words: str) -> tuple[int, str, str]:
        code = main([*words, "--folder", str(self.folder)])
        printed = self._capsys.readouterr()
        return code, printed.out, printed.err

    def says(self, *words: str) -> str:
        code, out, err = self.run("admin", *words)
        assert (code, err) == (0, "")
        return out

    def refused(self, *words: str) -> str:
        code, out, err = self.run("admin", *words)
        assert (code, out) == (1, "")
        assert err.startswith("looseends: ")
        return err.removeprefix("looseends: ").rstrip("\n")

    def asked(self, *words: str) -> dict[str, Any]:
        code, out, _ = self.run("admin", *words, "--json")
        answer: dict[str, Any] = json.loads(out)
        assert answer["ok"] == (code == 0)
        return answer


@pytest.fixture
def host(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Host:
    return Host(tmp_path / "state", capsys)


def audit(server: Running) -> list[dict[str, Any]]:
    return [line for line in map(json.loads, server.log.splitlines()) if line["event"] == "admin"]


def test_status_and_tables_tell_who_is_there_and_no_card(host: Host) -> None:
    with running(host.folder, "--name", "The Harbour") as server, RawPeer(server.port) as ann:
        assert host.says("tables") == "There are no tables.\n"
        ann.hello("ann")
        options = {"ti": "after dinner", "pv": True, "bt": 0}
        code = ann.ask({"t": "create", "ru": RULES, "o": options, "pw": "carrot"})["c"]
        assert "The Harbour, version " in (said := host.says("status"))
        assert "1 connection, 1 of 1 known person connected\n1 table: 1 gathering\n" in said
        assert host.says("tables") == (
            f"{code}  after dinner: gathering, private, password\n    host ann; seats: ann, open\n"
        )
        ann.ask({"t": "seat-bot", "st": 1, "lv": "rookie"})
        ann.ask({"t": "start"})
        ann.until("commit")
        ann.ask({"t": "nonce", "r": 1, "nc": bytes(16)})
        hand = ann.until("ev")
        status = host.asked("status")
        assert status["moves"] > 0
        assert status["tables"] == {"playing": 1}
        (table,) = host.asked("tables")["tables"]
        assert (table["phase"], table["round"], table["needs_password"]) == ("playing", 1, True)
        assert hand["e"]
        keys = {"code", "title", "host", "phase", "why_frozen", "game", "round", "rounds", "seats", "watching"}
        assert table.keys() == keys | {"private", "needs_password", "made_at", "nobody_there_since"}
        socket_mode = stat.S_IMODE((host.folder / "admin.sock").stat().st_mode)
        assert socket_mode == 0o600
        assert [line["did"] for line in audit(server)] == ["tables", "status", "tables", "status", "tables"]


def test_kick_ends_a_connection_and_the_person_may_come_back(host: Host) -> None:
    with running(host.folder) as server:
        with RawPeer(server.port) as ann:
            token = ann.hello("Ann")["tk"]
            assert host.refused("kick", "ben") == "Nobody of this server is called ben."
            assert host.says("kick", "ann") == "Ann was disconnected.\n"
            assert ann.until("refused")["er"] == "session/kicked"
            assert ann.is_closed_by_server()
        assert host.refused("kick", "ann") == "Ann is not connected."
        with RawPeer(server.port) as ann:
            assert ann.hello(token=token)["t"] == "welcome"
        outcomes = [(line["did"], line["name"], line["outcome"], line["level"]) for line in audit(server)]
        assert outcomes[1] == ("kick", "ann", "done", "warning")


def test_a_ban_of_a_name_outlives_a_restart_until_it_is_lifted(host: Host) -> None:
    with running(host.folder) as server:
        with RawPeer(server.port) as ann:
            token = ann.hello("ann")["tk"]
            said = host.says("ban", "ANN", "--for", "7d", "--reason", "spam\x1b[31m")
            assert said.startswith("ann is banned until 2")
            assert said.endswith("UTC. 1 connection was ended.\n")
            assert ann.until("refused")["er"] == "session/banned"
        with served_again(server) as again:
            assert "banned  ann  until 2" in (listed := host.says("bans"))
            assert listed.endswith("UTC  spam[31m\n")
            with RawPeer(again.port) as ann:
                ann.send({"t": "hello", "v": 1, "tk": token})
                assert ann.until("refused")["er"] == "session/banned"
            assert host.says("unban", "ann") == "ann may come in again.\n"
            assert host.refused("unban", "ann") == "ann is not banned."
            with RawPeer(again.port) as ann:
                assert ann.hello(token=token)["t"] == "welcome"


def test_a_ban_of_an_address_keeps_everybody_there_out(host: Host) -> None:
    with running(host.folder) as server, RawPeer(server.port) as ann:
        ann.hello("ann")
        assert host.says("ban", "127.0.0.1") == "127.0.0.1 is banned for ever. 1 connection was ended.\n"
        assert ann.until("refused")["er"] == "session/banned"
        with RawPeer(server.port) as ben:
            ben.send({"t": "hello", "v": 1, "nm": "ben"})
            assert ben.until("refused")["er"] == "session/banned"
        assert host.asked("bans")["bans"] == [{"kind": "address", "who": "127.0.0.1", "until": None, "reason": ""}]
        assert host.says("ban", "2001:db8::1", "--for", "1h").startswith("2001:db8::/64 is banned until")
        assert host.says("unban", "127.0.0.1") == "127.0.0.1 may come in again.\n"


def test_a_muted_person_says_nothing_also_after_a_restart(host: Host) -> None:
    with running(host.folder) as server:
        with RawPeer(server.port) as ann:
            token = ann.hello("ann")["tk"]
            code = ann.ask({"t": "create", "ru": RULES})["c"]
            assert host.says("mute", "ann") == "ann is muted.\n"
            assert ann.ask({"t": "say", "tx": "hello"})["er"] == "chat/muted"
        with served_again(server) as again, RawPeer(again.port) as ann:
            ann.hello(token=token)
            ann.ask({"t": "join", "c": code})
            assert ann.ask({"t": "say", "tx": "hello"})["er"] == "chat/muted"
            assert host.says("bans") == "muted  ann  for ever\n"
            assert host.says("unmute", "ann") == "ann may talk again.\n"
            assert ann.ask({"t": "say", "tx": "hello"})["t"] == "done"
            assert host.refused("unmute", "ann") == "ann is not muted."


def test_an_announcement_reaches_everybody_as_plain_text(host: Host) -> None:
    with running(host.folder) as server, RawPeer(server.port) as ann, RawPeer(server.port) as stranger:
        ann.hello("ann")
        assert host.says("announce", "back at \x1b[1mnine") == "1 person was told: back at [1mnine\n"
        assert ann.until("notice") == {"t": "notice", "tx": "back at [1mnine"}
        assert host.refused("announce", "\x1b") == "There is nothing in that line that can be shown."
        server.signal(signal.SIGTERM)
        assert stranger.until("notice")["k"] == "closing"


def test_a_closed_table_is_gone_for_good_and_its_people_are_told(host: Host) -> None:
    with running(host.folder) as server, RawPeer(server.port) as ann:
        token = ann.hello("ann")["tk"]
        code = ann.ask({"t": "create", "ru": RULES, "o": {"ti": "mine"}})["c"]
        assert host.refused("close", "ABC") == "There is no table ABC: `looseends admin tables` lists them."
        assert host.says("close", code.lower()) == f"Table {code} (mine) is closed. 1 person was told.\n"
        assert ann.until("detached")["er"] == "table/closed"
        assert ann.ask({"t": "say", "tx": "hello"})["er"] == "table/not_here"
        assert ann.ask({"t": "join", "c": code})["er"] == "table/unknown"
        with served_again(server) as again, RawPeer(again.port) as back:
            assert not back.hello(token=token).get("ss")
            assert back.ask({"t": "join", "c": code})["er"] == "table/unknown"


def test_rebuild_folds_the_finished_games_and_says_how_many(host: Host) -> None:
    with running(host.folder):
        assert host.says("rebuild") == "0 games folded anew: all was right.\n"


def test_shutdown_ends_the_server_as_a_signal_does(host: Host) -> None:
    with running(host.folder) as server, RawPeer(server.port) as ann:
        ann.hello("ann")
        assert host.says("shutdown") == "The server is shutting down.\n"
        assert ann.until("notice")["k"] == "closing"
        assert server.ends_within(5) == 0
    code, _, err = host.run("admin", "status")
    assert code == 2
    assert err == (
        f"looseends: no server runs on {host.folder}: start one with `looseends serve`, or name its folder with "
        "--folder.\n"
    )


def test_whatever_comes_through_the_socket_is_answered_and_ends_nothing(host: Host) -> None:
    with running(host.folder) as server:
        for line in (b"{}", b"[", b'{"do":"nothing"}', b'{"do":"kick"}', b'{"do":"kick","name":3}', b"\xff\x00", b""):
            with socket.socket(socket.AF_UNIX) as plain:
                plain.settimeout(SECONDS)
                plain.connect(str(host.folder / "admin.sock"))
                plain.sendall(line + b"\n")
                assert json.loads(plain.makefile("rb").readline())["ok"] is False
        with socket.socket(socket.AF_UNIX) as endless:
            endless.settimeout(SECONDS)
            endless.connect(str(host.folder / "admin.sock"))
            with pytest.raises((BrokenPipeError, ConnectionResetError)):
                endless.sendall(bytes(16 * 1024 * 1024))
        assert host.asked("status")["ok"]
        assert "fault" not in server.log


def test_a_folder_too_deep_for_a_socket_has_a_server_without_one(host: Host) -> None:
    host.folder = host.folder / ("deep" * 30)
    host.folder.parent.mkdir()
    with running(host.folder) as server, RawPeer(server.port) as ann:
        assert ann.hello("ann")["t"] == "welcome"
        assert "no admin socket" in server.log
        code, out, err = host.run("admin", "status")
        assert (code, out) == (2, "")
        assert "admin.sock cannot be reached: AF_UNIX path too long" in err


@pytest.mark.parametrize("words", [["ban", "ann", "--for", "7x"], ["ban", "ann", "--for", "0d"], ["ban"], ["no"]])
def test_what_is_typed_wrong_is_explained(host: Host, words: list[str]) -> None:
    code, out, err = host.run("admin", *words)
    assert (code, out) == (2, "")
    assert err.startswith("looseends: ")
    assert err.count("\n") == 1


def test_a_backup_of_a_running_server_brings_everybody_back(host: Host, tmp_path: Path) -> None:
    file = tmp_path / "copy.db"
    with running(host.folder) as server, RawPeer(server.port) as ann:
        token = ann.hello("ann")["tk"]
        code = ann.ask({"t": "create", "ru": RULES})["c"]
        exit_code, out, _ = host.run("backup", str(file))
        assert exit_code == 0
        assert out.startswith(f"Backed up to {file} (")
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert token not in file.read_bytes()

        exit_code, out, err = host.run("backup", str(file))
        assert (exit_code, out) == (2, "")
        assert err == f"looseends: {file} exists already: name a new file, or remove that one first.\n"
        exit_code, _, err = host.run("restore", str(file))
        assert exit_code == 2
        assert f"in use by process {server.process.pid}" in err

        ann.ask({"t": "leave"})
        server.signal(signal.SIGTERM)
        assert server.ends_within(SECONDS) == 0
    exit_code, out, _ = host.run("restore", str(file))
    assert exit_code == 0
    assert f"Restored {file} into {host.folder}. What was there is kept as " in out
    with running(host.folder) as server, RawPeer(server.port) as ann:
        assert [held["c"] for held in ann.hello(token=token)["ss"]] == [code]


@pytest.mark.parametrize("content", [b"", b"no database", None])
def test_what_is_no_backup_is_refused_and_changes_nothing(host: Host, tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "copy.db"
    if content is None:
        sqlite3.connect(file).execute("CREATE TABLE other (a)").connection.close()
    else:
        file.write_bytes(content)
    code, out, err = host.run("restore", str(file))
    assert (code, out) == (2, "")
    assert err.startswith(f"looseends: {file} ")
    assert err.count("\n") == 1
    assert not list(host.folder.glob("*.db*"))
