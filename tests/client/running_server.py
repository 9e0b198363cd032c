"""A server as a process of its own, started by the real command, and peers that speak to it over real sockets."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgpack

SECONDS = 20
"""What anything may take before a test gives up on it."""


RULES = {
    "players": 2,
    "variants": [],
    "scoring": "standard",
    "rounds": 3,
    "hand_size": 16,
    "max_bid": 6,
    "first_player": "random",
}
"""Rules of a table for two, as they travel."""


class Running:
    """A process of `looseends serve` that has said where it serves."""

    def __init__(
        self,
        folder: Path,
        *options: str,
        port: int = 0,
        environment: dict[str, str] | None = None,
        before: Callable[[], None] | None = None,
    ) -> None:
        """`before` runs in the new process before the server does."""
        self.folder = folder
        self.errors = folder.with_name(f"{folder.name}.log")
        with self.errors.open("ab") as errors:
            self.process = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "looseends_client",
                    "serve",
                    "--folder",
                    str(folder),
                    "--port",
                    str(port),
                    *options,
                ],
                stdout=subprocess.PIPE,
                stderr=errors,
                env=os.environ | (environment or {}),
                preexec_fn=before,
            )
        try:
            self.line = self._first_line()
            where = self.line.split("Serving on ", 1)[1].split(" ", 1)[0].rstrip(".")
        except BaseException:
            self.stop()
            raise
        self.port = int(where.rpartition(":")[2])
        self.address = self.line.rpartition(" ")[2]
        """What the line says to join."""

    def _first_line(self) -> str:
        assert self.process.stdout is not None
        with selectors.DefaultSelector() as ready:
            ready.register(self.process.stdout, selectors.EVENT_READ)
            if not ready.select(SECONDS):
                raise AssertionError(f"the server said nothing: {self.log}")
        line = self.process.stdout.readline().decode()
        if not line:
            raise AssertionError(f"the server did not start: {self.log}")
        return line.rstrip("\n")

    @property
    def log(self) -> str:
        return self.errors.read_text()

    def wait_for_log(self, text: str) -> None:
        """Return when the log holds a text."""
        with selectors.DefaultSelector() as pause:  # nothing in it: `select` only lets the server have the machine
            for _ in range(SECONDS * 100):
                if text in self.log:
                    return
                pause.select(0.01)
        raise AssertionError(f"{text!r} never came: {self.log}")

    def signal(self, number: int) -> None:
        self.process.send_signal(number)

    def ends_within(self, seconds: float) -> int:
        return self.process.wait(seconds)

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


@contextlib.contextmanager
def running(
    folder: Path,
    *options: str,
    environment: dict[str, str] | None = None,
    before: Callable[[], None] | None = None,
) -> Iterator[Running]:
    server = Running(folder, *options, environment=environment, before=before)
    try:
        yield server
    finally:
        server.stop()


@contextlib.contextmanager
def served_again(server: Running, *options: str) -> Iterator[Running]:
    """End a server and serve its folder anew."""
    server.signal(signal.SIGTERM)
    assert server.ends_within(SECONDS) == 0
    with running(server.folder, *options) as again:
        yield again


class RawPeer:
    """A client that knows nothing but frames of msgpack."""

    def __init__(self, port: int, *, before: bytes = b"", tls: ssl.SSLContext | None = None) -> None:
        plain = socket.create_connection(("127.0.0.1", port), timeout=SECONDS)
        plain.sendall(before)
        self.socket = tls.wrap_socket(plain, server_hostname="localhost") if tls is not None else plain
        self._received = b""
        self._next_id = 1

    def send(self, message: dict[str, Any]) -> int:
        number = self._next_id
        self._next_id += 1
        payload: bytes = msgpack.packb({"id": number, **message}) or b""
        self.socket.sendall(len(payload).to_bytes(4, "big") + payload)
        return number

    def receive(self) -> dict[str, Any] | None:
        """Return the next message, None where the server has closed."""
        while len(self._received) < 4 or len(self._received) < 4 + int.from_bytes(self._received[:4], "big"):
            try:
                part = self.socket.recv(65536)
            except (ConnectionResetError, ssl.SSLEOFError):
                return None
            if not part:
                return None
            self._received += part
        end = 4 + int.from_bytes(self._received[:4], "big")
        message: dict[str, Any] = msgpack.unpackb(self._received[4:end])
        self._received = self._received[end:]
        return message

    def until(self, kind: str) -> dict[str, Any]:
        """Return the next message of a kind, skipping the others."""
        while (message := self.receive()) is not None:
            if message["t"] == kind:
                return message
        raise AssertionError(f"closed before any {kind}")

    def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        number = self.send(message)
        while (answer := self.receive()) is not None:
            if answer.get("re") == number:
                return answer
        raise AssertionError("closed before an answer")

    def hello(self, name: str = "", *, token: bytes = b"", password: str = "") -> dict[str, Any]:
        message: dict[str, Any] = {"t": "hello", "v": 1, "nm": name}
        if token:
            message["tk"] = token
        if password:
            message["pw"] = password
        return self.ask(message)

    def is_closed_by_server(self) -> bool:
        while self.receive() is not None:
            pass
        return True

    def close(self) -> None:
        self.socket.close()

    def __enter__(self) -> RawPeer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
