"""`looseends play` and `looseends join` before there is anything to draw: what they refuse, and what they keep."""

from __future__ import annotations

import asyncio
import io
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from looseends_client import terminal, tls
from looseends_client.address import parse_address
from looseends_client.commands import join, play
from looseends_client.commands.join import dial, start_at
from looseends_client.game_client import GameClient
from looseends_client.token_store import TokenStore, default_token_folder
from looseends_protocol.frames import FrameSplitter, unpacked
from looseends_protocol.limits import BEFORE_LOGIN, TOKEN_BYTES
from looseends_protocol.messages import Hello, message_from_client
from looseends_server.memory_transport import connect_in_memory
from tests.client.command import TIMEOUT, run_here
from tests.client.test_import_hygiene import HEAVY


@pytest.fixture
def _terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the commands believe that they have a terminal; nothing here gets so far as to draw on it."""
    monkeypatch.setattr(join, "has_terminal", lambda: True)
    monkeypatch.setattr(play, "has_terminal", lambda: True)


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    """A port that nobody serves, on which it shows whether somebody came."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(0)
        yield listening


def port_of(listening: socket.socket) -> int:
    port: int = listening.getsockname()[1]
    return port


@pytest.mark.parametrize("arguments", [["play"], ["learn"], ["join", "127.0.0.1"]], ids=" ".join)
def test_without_a_terminal_they_say_so_and_load_nothing_heavy(arguments: list[str]) -> None:
    probe = (
        "import sys\nfrom looseends_client.main import main\ncode = main(sys.argv[1:])\n"
        f"print(code, [name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", probe, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )
    sentence, probed = done.stderr.splitlines()
    assert sentence.startswith(f"looseends: `looseends {arguments[0]}` needs a terminal")
    assert "`looseends simulate`" in sentence
    assert (probed, done.stdout) == ("2 []", "")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["play", "--players", "9"], "players"),
        (["play", "--variant", "chess"], "chess"),
        (["play", "--bots", "oracle"], "--bots"),
        (["play", "--name", ""], "--name: A name has 1 to 20"),
        (["play", "--name", "bot:x"], "--name"),
        (["play", "--name", "a\u202eb"], "--name"),
        (["play", "--pace", "9999"], "--pace"),
        (["play", "--coach", "--plain"], "--coach"),
        (["play", "--trick-pause", "-1"], "--trick-pause"),
        (["play", "--trick-pause", "nan"], "--trick-pause"),
        (["learn", "--lesson", "7"], "--lesson must be a number from 1 to 3, not 7"),
        (["learn", "--pace", "-1"], "--pace"),
        (["join", "ftp://x"], "looseends://"),
        (["join", "127.0.0.1:99999"], "port"),
        (["join", "127.0.0.1", "--name", "x" * 21], "--name"),
        (["join", "127.0.0.1", "--trick-pause", "61"], "--trick-pause"),
        (["join", "127.0.0.1", "--tls-ca", "/nowhere.pem"], "/nowhere.pem"),
        (["join"], "--help"),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, list) else None,
)
@pytest.mark.usefixtures("_terminal")
def test_what_cannot_be_is_said_in_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    done = run_here(capsys, arguments)
    assert (done.code, done.out) == (2, "")
    assert len(done.err.splitlines()) == 1
    assert said in done.err


@pytest.mark.usefixtures("_terminal")
class TestJoin:
    def test_nobody_there(self, capsys: pytest.CaptureFixture[str], listener: socket.socket) -> None:
        port = port_of(listener)
        listener.close()
        done = run_here(capsys, ["join", f"127.0.0.1:{port}", "--name", "ann"])
        assert done.code == 1
        assert done.err.startswith(f"looseends: No server answers at 127.0.0.1:{port} (")
        assert "is it running?" in done.err

    def test_a_host_that_cannot_be_one(self, capsys: pytest.CaptureFixture[str]) -> None:
        done = run_here(capsys, ["join", f"{'x' * 70}.example", "--name", "ann", "--insecure"])
        assert done.code == 1
        assert "No server answers" in done.err

    def test_no_token_goes_to_another_machine_over_plain_tcp(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, listener: socket.socket
    ) -> None:
        monkeypatch.setattr(tls, "is_own_machine", lambda host: False)
        server = f"127.0.0.1:{port_of(listener)}"
        done = run_here(capsys, ["join", server, "--name", "ann"])
        assert done.code == 1
        assert "--insecure" in done.err
        assert "--tls" in done.err
        with pytest.raises(BlockingIOError):
            listener.accept()
        with pytest.raises(ValueError, match="--insecure"):
            dial(server, "ann")

    def test_with_insecure_it_does_for_whoever_asks_for_it(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, listener: socket.socket
    ) -> None:
        monkeypatch.setattr(tls, "is_own_machine", lambda host: False)
        monkeypatch.setattr("looseends_client.game_client.HELLO_SECONDS", 0.2)
        server = f"127.0.0.1:{port_of(listener)}"
        token = bytes(range(TOKEN_BYTES))
        TokenStore(default_token_folder()).keep(server, "ann", token)
        done = run_here(capsys, ["join", server, "--name", "ann", "--insecure"])
        assert done.code == 1
        assert "said nothing" in done.err
        connection, _ = listener.accept()
        with connection:
            (payload,) = FrameSplitter(BEFORE_LOGIN).feed(connection.recv(1024))
        hello = message_from_client(unpacked(payload, BEFORE_LOGIN))
        assert isinstance(hello, Hello)
        assert (hello.token, hello.name) == (token, "")

    def test_a_folder_in_which_no_token_can_be_kept_is_said_before_a_name_is_taken(
        self, capsys: pytest.CaptureFixture[str], listener: socket.socket
    ) -> None:
        folder = default_token_folder()
        folder.parent.parent.mkdir(parents=True, exist_ok=True)
        folder.parent.write_text("in the way")
        done = run_here(capsys, ["join", f"127.0.0.1:{port_of(listener)}", "--name", "ann"])
        assert done.code == 1
        assert "cannot be kept" in done.err
        with pytest.raises(BlockingIOError):
            listener.accept()

    @pytest.mark.parametrize(
        ("address", "options", "again"),
        [
            ("127.0.0.1", (), "looseends join 127.0.0.1:8749 --name 'ann b'"),
            ("[::1]:99/KITE2345AB", (), "looseends join '[::1]:99' --name 'ann b'"),
            (
                "looseends://games.example/KITE2345AB",
                (),
                "looseends join looseends://games.example:8749 --name 'ann b'",
            ),
            ("games.example", ("--insecure",), "looseends join games.example:8749 --name 'ann b' --insecure"),
        ],
    )
    def test_the_command_that_brings_one_back_reads_as_it_is_typed(
        self, address: str, options: tuple[str, ...], again: str
    ) -> None:
        start = start_at(parse_address(address), "ann b", options=options)
        assert start.come_back == again
        assert start.code == parse_address(address).code


class TestTheOwnServerOfPlay:
    async def test_two_terminals_have_a_folder_each(self) -> None:
        async with AsyncExitStack() as stack:
            _, first = await play._open_house(stack)  # pyright: ignore[reportPrivateUsage]
            _, second = await play._open_house(stack)  # pyright: ignore[reportPrivateUsage]
            assert (first.name, second.name) == ("solo-1", "solo-2")
            assert first.stat().st_mode & 0o777 == 0o700
        async with AsyncExitStack() as stack:
            _, again = await play._open_house(stack)  # pyright: ignore[reportPrivateUsage]
            assert again == first

    @pytest.mark.parametrize("token", [b"", b"x" * TOKEN_BYTES])
    async def test_lost_or_foreign_tokens_are_no_reason_not_to_play(self, token: bytes) -> None:
        async with AsyncExitStack() as stack:
            house, _ = await play._open_house(stack)  # pyright: ignore[reportPrivateUsage]

            async def connect(make: Callable[[], asyncio.Protocol]) -> asyncio.Transport:
                return connect_in_memory(house.connection(), make())

            names = []
            for _ in range(2):
                client = GameClient(connect, name="you", token=token)
                stack.push_async_callback(client.close)
                await play._sit_at_home(client)  # pyright: ignore[reportPrivateUsage]
                names.append(client.name)
            assert names[0] == "you"
            assert names[1] != "you"

    @pytest.mark.usefixtures("_terminal")
    def test_a_folder_that_cannot_be_used_is_said(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        (tmp_path / "looseends").write_text("in the way")
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
        done = run_here(capsys, ["play"])
        assert done.code == 1
        assert "cannot be used" in done.err
        assert len(done.err.splitlines()) == 1


class _Stream(io.StringIO):
    def __init__(self, encoding: str = "utf-8", *, tty: bool = True) -> None:
        super().__init__()
        self._encoding = encoding
        self._tty = tty

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding

    def isatty(self) -> bool:
        if self.closed:
            raise ValueError("closed")
        return self._tty


class TestTheTerminal:
    @pytest.mark.parametrize("name", ["stdin", "stdout"])
    def test_both_ends_are_needed(self, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        monkeypatch.setattr(sys, "stdin", _Stream())
        monkeypatch.setattr(sys, "stdout", _Stream())
        assert terminal.has_terminal()
        closed = _Stream()
        closed.close()
        for stream in (_Stream(tty=False), None, closed):
            monkeypatch.setattr(sys, name, stream)
            assert not terminal.has_terminal()

    def test_its_encoding_is_that_of_the_stream_that_is_drawn_on(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "__stderr__", _Stream("iso8859-1"))
        assert terminal.terminal_encoding() == "iso8859-1"
        monkeypatch.setattr(sys, "__stderr__", None)
        assert terminal.terminal_encoding() == "ascii"

    def test_the_size_of_a_parent_is_forgotten(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("COLUMNS", "200")
        monkeypatch.setenv("LINES", "50")
        terminal.forget_size_variables()
        assert not {"COLUMNS", "LINES"} & set(os.environ)
