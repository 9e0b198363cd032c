"""The door by the real commands: beside a server, and in a process of its own."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import asyncssh
import pytest

from tests.client.command import run, run_here
from tests.client.running_server import SECONDS, Running, running
from tests.ssh.at_the_door import new_key


class DoorProcess:
    """A process of `looseends ssh-door`."""

    def __init__(self, *options: str, log: Path) -> None:
        with log.open("wb") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "looseends_client", "ssh-door", "--listen", "127.0.0.1:0", *options],
                stdout=subprocess.PIPE,
                stderr=errors,
                env=os.environ,
            )
        assert self.process.stdout is not None
        self.line = self.process.stdout.readline().decode()
        if not self.line:
            self.stop()
            raise AssertionError(log.read_text())
        self.port = int(self.line.split("SSH on 127.0.0.1:")[1].split(",")[0])

    def stop(self) -> int:
        self.process.terminate()
        code = self.process.wait(SECONDS)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code


@contextlib.contextmanager
def door_to(server: Running, *options: str) -> Iterator[DoorProcess]:
    words = ("--server", f"127.0.0.1:{server.port}", "--folder", str(server.folder), *options)
    door = DoorProcess(*words, log=server.folder.with_name("door.log"))
    try:
        yield door
    finally:
        if door.process.poll() is None:
            door.stop()


async def said(port: int, command: str, key: asyncssh.SSHKey, stdin: str = "quit\n") -> str:
    async with (
        asyncio.timeout(SECONDS),
        asyncssh.connect("127.0.0.1", port, username="ann", client_keys=[key], known_hosts=None) as connection,
    ):
        done = await connection.run(command, input=stdin, encoding="utf-8")
        return str(done.stdout) + str(done.stderr)


def test_a_door_of_its_own_leads_to_the_same_people_as_the_one_beside_the_server(tmp_path: Path) -> None:
    key = new_key()
    with running(tmp_path / "state", "--ssh", "127.0.0.1:0") as server:
        assert server.process.stdout is not None
        beside = int(server.process.stdout.readline().decode().split("SSH on 127.0.0.1:")[1].split(",")[0])
        assert "You are ann at" in asyncio.run(said(beside, "plain", key))
        with door_to(server, "--address", "games.example.org") as door:
            assert "ssh -p" in door.line
            assert "games.example.org" in door.line
            assert "You are ann at" in asyncio.run(said(door.port, "plain", key))
            guest = asyncio.run(said(door.port, "plain", new_key()))
            assert "You are ann 2 at" in guest
            assert door.stop() == 0
        assert server.log.count('"key": "' + key.get_fingerprint()) == 2


def test_a_door_that_stays_lets_people_come_back_when_the_server_does(tmp_path: Path) -> None:
    key = new_key()
    with running(tmp_path / "state") as server, door_to(server) as door:
        assert "You are ann at" in asyncio.run(said(door.port, "plain", key))
        server.signal(signal.SIGTERM)
        assert server.ends_within(SECONDS) == 0
        assert "No server answers at The server" in asyncio.run(said(door.port, "plain", key, ""))
        again = Running(server.folder, port=server.port)
        try:
            assert "You are ann at" in asyncio.run(said(door.port, "plain", key))
        finally:
            again.stop()


def test_a_door_with_another_secret_lets_nobody_in(tmp_path: Path) -> None:
    secret = tmp_path / "another"
    secret.write_text("00" * 32)
    with running(tmp_path / "state") as server, door_to(server, "--secret-file", str(secret)) as door:
        assert "Only a door of this server may say" in asyncio.run(said(door.port, "plain", new_key(), ""))
        server.wait_for_log("door refused")
        assert "00000000" not in server.log


def test_a_server_ends_in_time_with_people_inside_and_tells_them(tmp_path: Path) -> None:
    key = new_key()

    async def inside(port: int, server: Running) -> str:
        async with (
            asyncio.timeout(SECONDS),
            asyncssh.connect("127.0.0.1", port, username="ann", client_keys=[key], known_hosts=None) as connection,
        ):
            process = await connection.create_process(term_type="xterm", term_size=(80, 24), encoding="utf-8")
            drawn = ""
            while "you are" not in drawn:
                drawn += await process.stdout.read(1000)
            server.signal(signal.SIGTERM)
            return str(await process.stdout.read())

    with running(tmp_path / "state", "--ssh", "127.0.0.1:0") as server:
        assert server.process.stdout is not None
        port = int(server.process.stdout.readline().decode().split("SSH on 127.0.0.1:")[1].split(",")[0])
        last = asyncio.run(inside(port, server))
        assert "\x1b[?1049l" in last
        assert "The server is shutting down. Every game is kept" in last.rpartition("\x1b[?25h")[2]
        assert server.ends_within(5) == 0


@pytest.mark.parametrize(
    ("options", "code", "why"),
    [
        (["--folder", "none"], 1, "There is no server's secret in none"),
        (["--listen", "a:b:1"], 2, "--listen must be PORT, ADDRESS:PORT or an address"),
        (["--server", "http://x"], 2, "is no address of a server"),
        (["--set", "door.sesions=1"], 2, "did you mean door.sessions?"),
        (["--secret-file", "good", "--server", "192.0.2.1"], 1, "--insecure"),
        (["--secret-file", "good", "--tls-ca", "none"], 2, "none"),
    ],
)
def test_a_door_that_cannot_open_says_why_in_a_sentence(
    options: list[str],
    code: int,
    why: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good").write_text("11" * 32)
    done = run_here(capsys, ["ssh-door", *options])
    assert (done.code, done.out) == (code, "")
    assert why in done.err
    assert done.err.count("\n") == 1
    assert "1111" not in done.err


def test_a_list_of_keys_that_cannot_be_read_opens_no_door(tmp_path: Path) -> None:
    (tmp_path / "good").write_text("11" * 32)
    done = run("ssh-door", "--secret-file", "good", "--ssh-allowed-keys", "none", "--listen", "0", cwd=tmp_path)
    assert done.code == 1
    assert "none cannot be read: No such file or directory." in done.err.splitlines()[-1]


def test_a_port_in_use_is_said_by_both_commands(tmp_path: Path) -> None:
    with running(tmp_path / "state") as server:
        for words in (
            ("ssh-door", "--listen", f"127.0.0.1:{server.port}", "--folder", str(server.folder)),
            ("serve", "--port", "0", "--ssh", f"127.0.0.1:{server.port}", "--folder", str(tmp_path / "other")),
        ):
            done = run(*words)
            assert done.code == 1
            option = "--listen" if words[0] == "ssh-door" else "--ssh"
            assert f"is in use already: stop what listens there, or choose another port with {option}." in done.err


def test_a_spoilt_host_key_stops_the_server_with_a_sentence(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    folder.mkdir()
    (folder / "ssh-host-key").write_text("spoilt")
    done = run("serve", "--port", "0", "--ssh", "0", "--folder", str(folder))
    assert done.code == 1
    assert "ssh-host-key cannot be used" in done.err.splitlines()[-1]
