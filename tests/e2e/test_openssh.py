"""The door by the client that people have: OpenSSH, in a window of tmux, at a server of the real command."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.client.running_server import Running, running
from tests.e2e.terminal import SECONDS
from tests.e2e.tmux_pane import TmuxPane

pytestmark = [
    pytest.mark.terminal,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
    pytest.mark.skipif(shutil.which("ssh") is None, reason="the client of OpenSSH is not installed"),
]


class OpenSsh:
    """A server with a door, and what OpenSSH needs to come to it: nobody's own settings, keys or known hosts."""

    def __init__(self, server: Running, folder: Path) -> None:
        self.server = server
        self.folder = folder
        assert server.process.stdout is not None
        line = server.process.stdout.readline().decode()
        self.port = int(line.split("SSH on 127.0.0.1:")[1].split(",")[0])
        self.key = self.key_of("somebody")
        self.environment = {
            "HOME": str(folder),
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
        }

    def key_of(self, user: str) -> Path:
        """Return a key of their own for somebody."""
        file = self.folder / f"key-of-{user}"
        if not file.exists():
            words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(file)]
            subprocess.run(words, check=True, timeout=SECONDS)
        return file

    def words(self, *arguments: str, user: str = "ann", key: Path | None = None) -> list[str]:
        """Return the words of an ssh command; without a key nobody's is looked for."""
        identity = ["-i", str(key)] if key is not None else ["-o", "PubkeyAuthentication=no"]
        return [
            *("ssh", "-F", "/dev/null", "-o", "StrictHostKeyChecking=no", "-o", "LogLevel=ERROR"),
            *("-o", f"UserKnownHostsFile={self.folder / 'known'}", "-o", "IdentitiesOnly=yes", "-o", "SendEnv=LANG"),
            *("-o", "IdentityAgent=none"),
            *identity,
            *("-p", str(self.port), "-l", user),
            *arguments,
        ]

    def run(self, *arguments: str, key: Path | None = None, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        """Run an ssh command without a terminal."""
        return subprocess.run(
            self.words(*arguments, key=key),
            input=stdin,
            capture_output=True,
            timeout=SECONDS,
            env=self.environment,
            check=False,
        )

    @property
    def sessions_over(self) -> int:
        """How many people have left, however they did."""
        return self.server.log.count('"event": "left"')

    @staticmethod
    def client_of(pane: TmuxPane) -> int:
        """Return the process of the ssh that runs in a pane."""
        shell = pane.says("#{pane_pid}")
        children = Path(f"/proc/{shell}/task/{shell}/children").read_text("ascii").split()
        return int(children[0])

    @property
    def people(self) -> list[str]:
        """The keys with which people said hello, in order; `guest` for those without."""
        return [
            (re.findall(r'"key": "(SHA256:[^"]+)"', line) or ["guest"])[0]
            for line in self.server.log.splitlines()
            if '"event": "hello"' in line
        ]


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenSsh]:
    folder = tmp_path_factory.mktemp("openssh")
    with running(folder / "state", "--ssh", "0", "--set", "door.sessions_per_second=100") as server:
        yield OpenSsh(server, folder)


@pytest.fixture
def panes(tmp_path: Path) -> Iterator[list[TmuxPane]]:
    opened: list[TmuxPane] = []
    yield opened
    for pane in opened:
        pane.stop()


def come_in(door: OpenSsh, panes: list[TmuxPane], tmp_path: Path, *words: str, user: str, term: str = "") -> TmuxPane:
    """Come in over SSH in a window of tmux, with a key of one's own."""
    folder = tmp_path / f"window-{len(panes)}"
    folder.mkdir()
    command = door.words(*words, "127.0.0.1", user=user, key=door.key_of(user))
    if term:
        command = ["env", f"TERM={term}", *command]
    pane = TmuxPane(folder, command=command)
    panes.append(pane)
    return pane


def test_somebody_comes_in_plays_and_leaves_a_clean_terminal(
    door: OpenSsh, panes: list[TmuxPane], tmp_path: Path
) -> None:
    pane = come_in(door, panes, tmp_path, user="ann")
    pane.shows("you are ann")
    assert pane.says("#{alternate_on} #{mouse_any_flag} #{cursor_flag}") == "1 1 0"
    pane.press("p")
    pane.shows("Invite code")
    pane.press("f")
    pane.until(lambda text: "open" not in text.partition("seat 2")[2].partition("\n\n")[0])
    pane.press("Enter")
    pane.shows("round 1")
    for columns, rows in ((100, 30), (60, 20), (80, 24)):
        pane.resize(columns, rows)
        pane.shows("round 1")
        pane.settled()
        pane.until(lambda text: "round 1" in text and "bid" in text)
    pane.press("Right")
    pane.changed()
    pane.press("i")
    pane.shows("The rules")
    pane.press("Escape")
    pane.until(lambda text: "The rules" not in text)
    pane.press("q")
    pane.shows("Leave the table?")
    pane.press("Enter")
    pane.shows("you are ann")
    pane.press("q")
    pane.shows("ended with 0")
    assert pane.says("#{alternate_on} #{mouse_any_flag} #{cursor_flag} #{wrap_flag}") == "0 0 1 1"


@pytest.mark.parametrize(("term", "depth"), [("xterm-256color", "256"), ("xterm", "16"), ("vt100", "mono")])
def test_the_terminal_gets_as_many_colours_as_it_has(
    door: OpenSsh, panes: list[TmuxPane], tmp_path: Path, term: str, depth: str
) -> None:
    pane = come_in(door, panes, tmp_path, user=f"with-{depth}", term=term)
    pane.shows("you are")
    codes = ";".join(re.findall(r"\x1b\[([0-9;]*)m", pane.painted()))
    found = "256" if "8;5;" in codes else "16" if re.search(r"\b(3[0-7]|9[0-7]|4[0-7])\b", codes) else "mono"
    assert found == depth
    assert "8;2;" not in codes


def test_a_click_and_a_paste_reach_the_game(door: OpenSsh, panes: list[TmuxPane], tmp_path: Path) -> None:
    pane = come_in(door, panes, tmp_path, user="dave")
    pane.shows("you are")
    pane.press("n")
    pane.shows("How many sit")
    # Bracketed: the q in it is text, and no key that leaves.
    pane.paste("q q q")
    row = next(number for number, line in enumerate(pane.text.split("\n"), 1) if "rounds" in line)
    pane.press("-l", f"\x1b[<0;5;{row}M\x1b[<0;5;{row}m")
    pane.press("Escape")
    pane.shows("you are")


@pytest.mark.parametrize("end", ["kill -9", "~."])
def test_a_client_that_is_gone_leaves_nothing_and_its_seat_waits(
    door: OpenSsh, panes: list[TmuxPane], tmp_path: Path, end: str
) -> None:
    user = "bob" if end == "~." else "cat"
    pane = come_in(door, panes, tmp_path, user=user)
    pane.shows(f"you are {user}")
    pane.press("p")
    pane.shows("Invite code")
    before = door.sessions_over
    if end == "~.":
        pane.press("Enter", "~", ".")
        pane.shows("ended with 255")
    else:
        os.kill(door.client_of(pane), signal.SIGKILL)
    pane.until(lambda _: door.sessions_over > before)
    again = come_in(door, panes, tmp_path, user=user)
    again.until(lambda text: f"you are {user}" in text and "your seat is kept" in text)


def test_everything_but_the_game_is_refused_with_one_line(door: OpenSsh) -> None:
    done = door.run("127.0.0.1", "ls")
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.startswith(b"There is no shell here, only a game: ssh -t -p ")
    assert done.stderr.count(b"\n") == 1
    done = door.run("-T", "127.0.0.1")
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (1, b"", 1)
    assert b"plain plays in lines of text" in done.stderr
    done = door.run("-s", "127.0.0.1", "sftp")
    assert done.returncode != 0
    assert done.stderr.strip() == b"subsystem request failed on channel 0"
    done = door.run("-W", "127.0.0.1:22", "127.0.0.1")
    assert done.returncode == 255
    assert done.stderr.strip() == b"stdio forwarding failed"
    done = door.run("-o", "ExitOnForwardFailure=yes", "-R", "0:127.0.0.1:1", "127.0.0.1", "plain")
    assert done.returncode == 255
    assert b"remote port forwarding failed" in done.stderr


def test_a_forwarded_port_leads_nowhere(door: OpenSsh) -> None:
    """`ssh -L` opens its port on the client's side; what comes through it is refused at the door."""
    import socket

    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    words = door.words("-L", f"{port}:127.0.0.1:{door.port}", "127.0.0.1", "plain")
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=door.environment) as client:
        assert client.stdout is not None
        assert client.stdin is not None
        assert client.stdout.readline().startswith(b"No Loose Ends")
        with socket.create_connection(("127.0.0.1", port), SECONDS) as through:
            assert through.recv(100) == b""
        client.stdin.close()
        assert client.wait(SECONDS) == 0


@pytest.mark.skipif(shutil.which("sftp") is None, reason="sftp of OpenSSH is not installed")
def test_sftp_and_scp_get_nothing(door: OpenSsh) -> None:
    for program in ("sftp", "scp"):
        options = door.words()[1:-4]
        words = [program, *options, "-P", str(door.port)]
        words += ["ann@127.0.0.1:/etc/passwd", str(door.folder / "stolen")] if program == "scp" else ["ann@127.0.0.1"]
        done = subprocess.run(words, input=b"", capture_output=True, timeout=SECONDS, env=door.environment, check=False)
        assert done.returncode != 0
        assert not (door.folder / "stolen").exists()


def test_asking_about_somebodys_key_makes_nobody_them(door: OpenSsh) -> None:
    """Trap 7, by OpenSSH: with nothing but somebody's public key it asks about that, and then comes in as a guest."""
    victims = door.key
    assert door.run("127.0.0.1", "plain", key=victims).returncode == 0
    thiefs = door.folder / "thiefs"
    thiefs.write_bytes(victims.with_suffix(".pub").read_bytes())
    thiefs.chmod(0o600)
    done = door.run("-v", "127.0.0.1", "plain", key=thiefs)
    assert b"Server accepts key" in done.stderr or b"Offering public key" in done.stderr
    assert done.returncode == 0
    owner = subprocess.run(
        ["ssh-keygen", "-lf", str(victims)], capture_output=True, check=True, text=True, timeout=SECONDS
    ).stdout.split()[1]
    assert door.people[-2:] == [owner, "guest"]


def test_a_slow_line_is_compressed_where_the_client_asks_for_it(door: OpenSsh) -> None:
    done = door.run("-C", "-v", "127.0.0.1", "plain", key=door.key)
    assert done.returncode == 0
    assert b"zlib@openssh.com" in done.stderr
