"""`ssh -T host plain`, with the client that everybody has: a whole game by the lines alone, beside one over TCP."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.client.running_server import Running
from tests.e2e.line_player import LinePlayer, Lines, play_together

SSH = shutil.which("ssh")
pytestmark = pytest.mark.skipif(SSH is None, reason="the OpenSSH client is not installed")


class House:
    """A server with a door to SSH."""

    def __init__(self, server: Running) -> None:
        self.server = server
        assert server.process.stdout is not None
        said = server.process.stdout.readline().decode()
        self.door = said.split("SSH on 127.0.0.1:")[1].split(",")[0]

    def ssh(self, name: str, *words: str) -> Lines:
        assert SSH is not None
        known = ("-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR")
        where = ("-p", self.door, "-l", name, "127.0.0.1")
        return Lines(*words, program=(SSH, "-T", "-F", "/dev/null", *known, *where))


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    server = Running(tmp_path / "server", "--ssh", "127.0.0.1:0")
    yield House(server)
    server.stop()


def test_a_whole_game_between_ssh_tcp_and_a_bot(house: House) -> None:
    with (
        house.ssh("ann", "plain") as ann,
        Lines("join", f"127.0.0.1:{house.server.port}", "--name", "bob", "--plain") as bob,
    ):
        ann.says("No table is open")
        ann.type("new 3 pace 0 rounds 1 getaway")
        code = ann.says("is the table's code").split()[0]
        bob.says("Lobby:")
        bob.type(f"join {code}")
        ann.says("bob sat down.")
        ann.type("bot rookie")
        ann.says("Every seat is taken, type start:")
        ann.type("start")
        play_together(LinePlayer(ann), LinePlayer(bob))
        assert b"\x1b" not in ann.raw + bob.raw
        assert b"\r" not in ann.raw
        assert ann.ends() == 0
        assert bob.ends() == 0


def test_the_end_of_input_keeps_the_seat_and_the_way_back_leads_to_it_in_lines(house: House) -> None:
    with house.ssh("ann", "plain") as ann:
        ann.says("Lobby:")
        ann.type("new 2 bots rookie")
        hand = ann.says("Your hand, 16 cards: ")
        assert ann.ends() == 0
    kept = next(line for line in ann.lines if line.startswith("Your seat is kept. To come back: ssh "))
    words = kept.split("127.0.0.1 ")[1].split()
    assert words[:2] == ["plain", "back"]
    with house.ssh("ann", *words) as again:
        assert again.says("Your hand, 16 cards: ") == hand
        assert again.ends() == 0
