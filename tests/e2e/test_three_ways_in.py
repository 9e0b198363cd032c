"""One game between somebody who came over SSH, somebody over TCP, somebody with lines of text, and a bot."""

from __future__ import annotations

import select
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.client.running_server import running
from tests.e2e.keyboard_player import FINAL, FRAME_SECONDS, KeyboardPlayer
from tests.e2e.line_player import LinePlayer, Lines
from tests.e2e.terminal import SECONDS, Terminal

SSH = shutil.which("ssh")
pytestmark = [
    pytest.mark.terminal,
    pytest.mark.skipif(SSH is None, reason="the client of OpenSSH is not installed"),
]


def ssh_words(port: str, user: str, key: Path) -> tuple[str, ...]:
    options = ("StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null", "LogLevel=ERROR", "IdentitiesOnly=yes")
    return (
        *(str(SSH), "-F", "/dev/null", "-i", str(key), "-p", port, "-l", user),
        *(word for option in options for word in ("-o", option)),
    )


def test_four_seats_three_ways_in_one_game(tmp_path: Path) -> None:
    with running(tmp_path / "server", "--ssh", "127.0.0.1:0") as server:
        assert server.process.stdout is not None
        port = server.process.stdout.readline().decode().split("SSH on 127.0.0.1:")[1].split(",")[0]
        address = f"127.0.0.1:{server.port}"
        key = tmp_path / "key"
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True, timeout=SECONDS)
        ssh = ssh_words(port, "sue", key)
        subprocess.run([*ssh, "127.0.0.1", "set", "trick_pause=0"], check=True, timeout=SECONDS, capture_output=True)
        with Lines("join", address, "--name", "lin", "--plain") as lines:
            lines.says("No table is open")
            lines.type("new 4 pace 0 rounds 1")
            code = lines.says("is the table's code").split()[0]
            with (
                Terminal("join", address, "--name", "tom", "--table", code, "--trick-pause", "0") as tcp,
                Terminal("-t", "127.0.0.1", "join", code, program=ssh) as over_ssh,
            ):
                lines.says("tom sat down.")
                lines.says("sue sat down.")
                lines.type("bot rookie")
                lines.says("Every seat is taken, type start:")
                lines.type("start")
                screens = [KeyboardPlayer(tcp), KeyboardPlayer(over_ssh, bids=1)]
                play_on(screens, LinePlayer(lines), [tcp, over_ssh])
                for terminal, others in ((tcp, ("lin", "sue")), (over_ssh, ("lin", "tom"))):
                    assert all(name in terminal.text for name in others)
                assert lines.ends() == 0


def play_on(screens: list[KeyboardPlayer], line_player: LinePlayer, terminals: list[Terminal]) -> None:
    """Let all of them play until the game is over for each."""
    while not (line_player.game_is_over and all(FINAL in terminal.text for terminal in terminals)):
        acted = [player.act() for player in screens]
        readable: list[Any] = [*terminals, line_player.lines]
        ready, _, _ = select.select(readable, [], [], 0 if any(acted) else SECONDS)
        if not ready and not any(acted):
            raise AssertionError("nobody is asked anything:\n" + "\n\n".join(one.text for one in terminals))
        for one in ready:
            if isinstance(one, Terminal):
                one.settled(FRAME_SECONDS)
            else:
                assert line_player.hear()
