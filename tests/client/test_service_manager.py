"""A service manager hears from a real server that it is ready, alive and ending; without one nothing is said."""

from __future__ import annotations

import os
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.client.running_server import SECONDS, Running

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="`serve` does not run on Windows")


class Listening:
    """The manager's end: a socket, and all that was told to it."""

    def __init__(self, address: str) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(address)
        self.socket.settimeout(SECONDS)

    def hear(self) -> list[str]:
        """Wait for the next words, a line each."""
        return self.socket.recv(4096).decode().split("\n")


@pytest.fixture
def manager(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Listening]:
    # A relative name: a path of a socket has some 100 bytes, and a test's folder may lie deep.
    monkeypatch.chdir(tmp_path)
    listening = Listening("notify")
    yield listening
    listening.socket.close()


def test_it_is_told_when_the_server_serves_that_it_lives_and_when_it_ends(tmp_path: Path, manager: Listening) -> None:
    server = Running(
        tmp_path / "server", environment={"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "300000"}
    )
    try:
        assert manager.hear() == ["READY=1", f"STATUS={server.line}"]
        assert manager.hear() == ["WATCHDOG=1"]
        assert manager.hear() == ["WATCHDOG=1"]
        server.process.send_signal(signal.SIGTERM)
        while (heard := manager.hear()) == ["WATCHDOG=1"]:
            pass
        assert heard[0] == "STOPPING=1"
        assert server.process.wait(SECONDS) == 0
    finally:
        server.stop()


@pytest.mark.skipif(sys.platform != "linux", reason="names without a file exist on Linux alone")
def test_a_name_without_a_file_is_reached(tmp_path: Path) -> None:
    name = f"looseends-{os.getpid()}"
    manager = Listening(f"\0{name}")
    server = Running(tmp_path / "server", environment={"NOTIFY_SOCKET": f"@{name}"})
    try:
        assert manager.hear()[0] == "READY=1"
    finally:
        server.stop()
        manager.socket.close()


@pytest.mark.parametrize("named", ["", "/nowhere/at/all", "@nobody-listens"])
def test_a_manager_that_is_not_there_hinders_nothing(tmp_path: Path, named: str) -> None:
    server = Running(tmp_path / "server", environment={"NOTIFY_SOCKET": named, "WATCHDOG_USEC": "many"})
    try:
        assert server.process.poll() is None
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(SECONDS) == 0
    finally:
        server.stop()
