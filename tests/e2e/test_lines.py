"""The line mode as a process: whole games through pipes and a dumb terminal, every end, and input of any kind."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.client.command import TIMEOUT
from tests.client.running_server import Running
from tests.e2e.line_player import LinePlayer, Lines, PtyLines, play_together

ALONE = ("play", "--plain", "--pace", "0")
TABLES = [
    ("2", "1"),
    ("3", "1", "plan-b"),
    ("4", "1", "double-cross"),
    ("5", "2", "double-cross", "getaway", "plan-b"),
]
"""Players, rounds, variants."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Running]:
    running = Running(tmp_path / "server")
    yield running
    running.stop()


def join(server: Running, name: str) -> Lines:
    return Lines("join", f"127.0.0.1:{server.port}", "--name", name, "--plain")


@pytest.mark.parametrize("table", TABLES, ids=" ".join)
def test_the_lines_are_enough_to_play_a_whole_game_by(table: tuple[str, ...]) -> None:
    players, rounds, *variants = table
    options = [word for variant in variants for word in ("--variant", variant)]
    with Lines(*ALONE, "--players", players, "--rounds", rounds, *options) as lines:
        player = LinePlayer(lines)
        player.play_to_the_end()
        lines.type("score")
        lines.says(f"Round {rounds}: deal proven")
        lines.type("ready")
        lines.says("A new game begins.")
        lines.says("Your hand, ")
        assert lines.ends() == 0
        assert lines.raw.isascii()
        assert b"\x1b" not in lines.raw
        assert all(len(line) < 200 for line in lines.lines)
        assert sum(line.startswith("Score: ") for line in lines.lines) == int(rounds) + 1
        refused = r"You must follow|not your turn|not among your cards|no command|too late"
        assert [line for line in lines.lines if re.search(refused, line)] == [], "every act was legal"
        assert lines.errors == ""


def test_a_whole_game_on_a_dumb_terminal() -> None:
    with PtyLines(*ALONE, "--players", "3", "--rounds", "1") as lines:
        LinePlayer(lines).play_to_the_end()
        assert b"\x1b" not in lines.raw
        assert lines.ends() == 0
        assert lines.raw.replace(b"\r", b"").isascii()


def test_two_in_lines_and_a_bot_at_one_table(server: Running) -> None:
    with join(server, "ann") as ann, join(server, "bob") as bob:
        ann.says("No table is open")
        ann.type("new 3 pace 0 rounds 1 title Friday")
        code = ann.says("is the table's code").split()[0]
        bob.says("Lobby:")
        bob.type(f"join {code.lower()}")
        bob.says("Seat 2: you.")
        ann.says("bob sat down.")
        ann.type("bot 3 steady")
        bob.says("Seat 3: steady, bot, steady.")
        ann.type("say hello")
        bob.says("Said by ann: hello")
        ann.type("start")
        play_together(LinePlayer(ann), LinePlayer(bob, bids=1))
        scores = [
            re.findall(r"(\w+): (-?\d+)", next(line for line in lines.lines if line.startswith("Score: ")))
            for lines in (ann, bob)
        ]
        assert [points for _, points in scores[0]] == [points for _, points in scores[1]]
        assert (ann.ends(), bob.ends()) == (0, 0)


def test_the_server_goes_and_comes_back_and_the_game_goes_on(server: Running) -> None:
    with join(server, "ann") as ann:
        ann.says("Lobby:")
        ann.type("new 3 rounds 1 bots rookie pace 0")
        player = LinePlayer(ann)
        while not any(line.startswith("Trick 2: ") for line in ann.lines):
            assert player.hear()
        server.signal(signal.SIGKILL)
        server.ends_within(20)
        while not any("The connection is lost" in line for line in ann.lines):
            ann.read()
        again = Running(server.folder, port=server.port)
        try:
            while "Connected again." not in ann.lines:
                ann.read()
            ann.type("hand")
            player.play_to_the_end()
            assert ann.ends() == 0
        finally:
            again.stop()


def test_a_game_that_was_left_is_gone_on_with() -> None:
    with Lines(*ALONE) as lines:
        hand = lines.says("Your hand, 15 cards: ")
        assert lines.ends() == 0
        assert lines.lines[-1] == "Your seat is kept."
    with Lines(*ALONE) as again:
        again.says("You have a game that is not finished")
        again.type("go")
        assert again.says("Your hand, 15 cards: ") == hand
        assert again.ends() == 0


class TestEnds:
    def test_ctrl_c_ends_it_without_a_word_too_many(self) -> None:
        with PtyLines(*ALONE) as lines:
            lines.says("Your hand")
            lines.type_bytes(b"\x03")
            assert lines.exit_code() == 130
            assert b"Traceback" not in lines.raw
            assert lines.raw.endswith(b"\r\n")

    def test_sigterm_steps_away(self) -> None:
        with Lines(*ALONE) as lines:
            lines.says("Your hand")
            lines.process.send_signal(signal.SIGTERM)
            assert lines.exit_code() == 143
            assert lines.lines[-1] == "Your seat is kept."
            assert lines.errors == ""

    def test_nobody_reading_any_more(self) -> None:
        with Lines(*ALONE, "--players", "2") as lines:
            lines.says("Your hand")
            assert lines.process.stdout is not None
            lines.process.stdout.close()
            lines.type("help")
            assert lines.process.wait(TIMEOUT) == 141
            assert lines.errors == ""

    def test_a_terminal_that_is_taken_away(self) -> None:
        lines = PtyLines(*ALONE)
        lines.says("Your hand")
        os.close(lines.fileno())
        assert lines.process.wait(TIMEOUT) in (0, 141, -signal.SIGHUP)


HOSTILE = (
    b"\n\n\r\n\n",
    b"x" * 100_000 + b"\nhelp\n",
    bytes(range(256)) * 40,
    b"\x1b[2J\x1b]0;owned\x07hand\n",
    "say \u202eevil\u200b\x00\nénorme\n世界\n".encode(),
    b"[red]x[/] {0} %s \\ ' \" ; $(ls)\n" * 50,
    b"p" * 1999 + b"\nb99999999999999999999\nlog 99999999999\nwhy\nrules \x00\ncards \xff\n",
    b"no end of line",
)


def test_input_of_any_kind_is_answered_in_harmless_lines() -> None:
    with Lines(*ALONE, "--players", "2") as lines:
        lines.says("Your hand")
        for typed in HOSTILE:
            lines.type_bytes(typed)
        assert lines.ends() == 0
        assert lines.errors == ""
        text = lines.raw.decode()
        assert all(char == "\n" or char.isprintable() for char in text)
        assert text.count("That line was left out: it had more than") == 1
        assert lines.lines[-1] == "Your seat is kept."


@pytest.mark.parametrize("closed", [True, False], ids=["no input at all", "an empty file"])
def test_without_input_it_begins_and_ends(closed: bool) -> None:
    done = subprocess.run(
        ["sh", "-c", f'exec "$0" -m looseends_client play --plain {"<&-" if closed else "</dev/null"}', sys.executable],
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("No Loose Ends. ")
    assert done.stdout.endswith("Your seat is kept.\n")


def test_a_script_in_a_file(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("rules scoring\nquit\nhelp\n")
    with script.open("rb") as typed:
        done = subprocess.run(
            [sys.executable, "-m", "looseends_client", *ALONE],
            stdin=typed,
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            check=False,
        )
    assert (done.returncode, done.stderr) == (0, "")
    assert "Scoring a round:" in done.stdout
    assert "short ?" not in done.stdout, "what comes after quit is not read"


_PROBE = """\
import sys
from looseends_client.main import main
code = main(sys.argv[1:])
print(code, [name for name in ("textual", "asyncssh") if name in sys.modules], file=sys.stderr)
"""


class TestWhatItLoads:
    def _probed(self, *arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", _PROBE, *arguments],
            input=b"help\nrules\nlist\nquit\n",
            capture_output=True,
            timeout=TIMEOUT,
            check=False,
        )
        return done.stderr.decode()

    def test_play_in_lines_never_loads_the_screens(self) -> None:
        assert self._probed(*ALONE) == "0 []\n"

    def test_join_in_lines_never_loads_the_screens(self, server: Running) -> None:
        assert self._probed("join", f"127.0.0.1:{server.port}", "--name", "ann", "--plain") == "0 []\n"


def shows_typing(lines: PtyLines) -> bool:
    """Return whether the terminal shows what is typed on it."""
    return bool(termios.tcgetattr(lines)[3] & termios.ECHO)


class TestPasswords:
    @pytest.fixture
    def closed_house(self, tmp_path: Path) -> Iterator[Running]:
        (tmp_path / "password").write_text("open sesame\n")
        running = Running(tmp_path / "server", "--password-file", str(tmp_path / "password"))
        yield running
        running.stop()

    def test_the_servers_is_asked_for_once_and_not_shown(self, closed_house: Running) -> None:
        address = f"127.0.0.1:{closed_house.port}"
        with PtyLines("join", address, "--name", "ann", "--plain") as lines:
            lines.says("The server's password:")
            assert not shows_typing(lines)
            lines.type("open sesame")
            lines.says("Lobby:")
            assert shows_typing(lines)
            assert lines.ends() == 0
            assert b"sesame" not in lines.raw
        with Lines("join", address, "--name", "ann", "--plain") as again:
            again.says("Lobby:")
            assert again.ends() == 0

    def test_a_wrong_one_ends_it_with_what_to_do(self, closed_house: Running) -> None:
        with Lines("join", f"127.0.0.1:{closed_house.port}", "--name", "ann", "--plain") as lines:
            lines.says("The server's password:")
            lines.type("close sesame")
            assert lines.ends() == 1
            assert "LOOSEENDS_PASSWORD" in lines.errors

    def test_ctrl_c_while_it_is_typed_leaves_the_terminal_as_it_was(self, closed_house: Running) -> None:
        with PtyLines("join", f"127.0.0.1:{closed_house.port}", "--name", "ann", "--plain") as lines:
            lines.says("The server's password:")
            lines.type_bytes(b"\x03")
            assert lines.exit_code() == 130
            assert shows_typing(lines)
