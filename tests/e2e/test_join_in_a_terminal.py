"""`looseends serve` and people who `join` it, each on a real terminal."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.client.running_server import SECONDS, Running
from tests.e2e.keyboard_player import FINAL, KeyboardPlayer, cards_in_hand, play_together
from tests.e2e.terminal import Terminal

pytestmark = pytest.mark.terminal


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Running]:
    running = Running(tmp_path / "server")
    yield running
    running.stop()


def join(server: Running, name: str) -> Terminal:
    return Terminal("join", f"127.0.0.1:{server.port}", "--name", name, "--trick-pause", "0")


def set_option(terminal: Terminal, name: str, value: str) -> None:
    """Go down to an option of the form and change it until it shows the value."""

    def chosen(text: str) -> tuple[str, ...]:
        found = re.search(r"▶ (\S.*?) +< (.+) >", text)
        return found.groups() if found else ()

    terminal.until(chosen)
    for key, place, wanted in (("Down", 0, name), ("Right", 1, value)):
        for _ in range(20):
            now = chosen(terminal.text)[place]
            if now == wanted:
                break
            terminal.press(key)
            terminal.until(lambda text, now=now, place=place: chosen(text) and chosen(text)[place] != now)  # type: ignore[misc]
        else:
            raise AssertionError(f"{wanted!r} never came:\n{terminal.text}")


def gathered(ann: Terminal, bob: Terminal, *, players: str = "2", rounds: str = "1") -> None:
    """Let ann make a table in the lobby, bob sit down, and a bot take the third seat where there is one."""
    ann.shows("No table is open.")
    ann.press("n")
    ann.shows("a new table")
    set_option(ann, "players", players)
    set_option(ann, "rounds", rounds)
    set_option(ann, "bots' pace", "at once")
    ann.press("Enter")
    ann.shows("Invite code")
    bob.shows("ann's table")
    bob.press("Enter")
    bob.shows("Invite code")
    ann.shows("bob")
    if players == "3":
        ann.press("b")
        ann.shows("Which bot")
        ann.press("1")
    ann.shows("press Enter to start")


def test_two_people_and_a_bot_play_a_whole_game_from_the_lobby_to_the_final_sheet(server: Running) -> None:
    with join(server, "ann") as ann, join(server, "bob") as bob:
        gathered(ann, bob, players="3", rounds="3")
        bob.shows("Waiting for ann to start")
        ann.press("Enter")
        play_together([KeyboardPlayer(ann), KeyboardPlayer(bob)], lambda text: FINAL in text)
        for terminal in (ann, bob):
            terminal.until(lambda text: re.search(r"wins? the game with|win together|share", text))
            terminal.until(lambda text: text.count("deal proven") == 3)
        # Both want to play again: the same people, the same seats.
        for terminal in (ann, bob):
            terminal.shows("n: play again")
            terminal.press("n")
        for terminal in (ann, bob):
            terminal.until(lambda text: "planning" in text and FINAL not in text)
        bob.press("q")
        bob.shows("Leave the table?")
        bob.press("x")
        bob.shows("you are bob")
        ann.shows("bob left")
        bob.press("q")
        assert bob.exit_code() == 0
        assert bob.is_restored


def test_a_killed_client_and_the_same_command_again_is_back_in_its_seat(server: Running) -> None:
    with join(server, "ann") as ann, join(server, "bob") as bob:
        gathered(ann, bob)
        ann.press("Enter")
        players = [KeyboardPlayer(ann, bids=1), KeyboardPlayer(bob, bids=1)]
        play_together(players, lambda text: re.search(r"trick [2-9] of|trick 1\d of", text))
        bob.settled()
        hand = set(cards_in_hand(bob.text))
        bob.kill()
        ann.shows("bob lost the connection")
        with join(server, "bob") as again:
            again.shows("trick")
            again.settled()
            assert set(cards_in_hand(again.text)) <= hand
            assert cards_in_hand(again.text)
            ann.shows("bob is back")
            play_together([KeyboardPlayer(ann), KeyboardPlayer(again)], lambda text: FINAL in text)


@pytest.mark.parametrize("ended_by", [signal.SIGTERM, signal.SIGKILL], ids=lambda number: number.name)
def test_clients_come_back_by_themselves_when_the_server_does(tmp_path: Path, ended_by: signal.Signals) -> None:
    first = Running(tmp_path / "server")
    try:
        with join(first, "ann") as ann, join(first, "bob") as bob:
            gathered(ann, bob)
            ann.press("Enter")
            players = [KeyboardPlayer(ann, bids=1), KeyboardPlayer(bob, bids=1)]
            play_together(players, lambda text: re.search(r"trick [2-9] of|trick 1\d of", text))
            first.signal(ended_by)
            first.process.wait(SECONDS)
            ann.shows("connection lost")
            bob.shows("connection lost")
            second = Running(tmp_path / "server", port=first.port)
            try:
                for terminal in (ann, bob):
                    terminal.until(lambda text: "connection lost" not in text)
                players = [KeyboardPlayer(ann, bids=1), KeyboardPlayer(bob, bids=1)]
                play_together(players, lambda text: FINAL in text)
                for terminal in (ann, bob):
                    terminal.shows("deal proven")
            finally:
                second.stop()
    finally:
        first.stop()


def test_a_name_of_somebody_else_is_refused_with_a_free_one(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    with join(server, "ann") as ann:
        ann.shows("you are ann")
        monkeypatch.setenv("XDG_STATE_HOME", str(server.folder.with_name("another-state")))
        with join(server, "Ann") as other:
            other.shows("Ann 2")
            assert other.exit_code() == 1


def test_the_same_name_from_a_second_terminal_takes_over(server: Running) -> None:
    with join(server, "ann") as ann:
        ann.shows("you are ann")
        with join(server, "ann") as second:
            second.shows("you are ann")
            ann.shows("connected from somewhere else")
            ann.press("Enter")
            assert ann.exit_code() == 0


def test_no_server_is_said_in_one_sentence() -> None:
    with Terminal("join", "127.0.0.1:1", "--name", "ann") as terminal:
        assert terminal.exit_code() == 1
        assert "No server answers at 127.0.0.1:1" in terminal.text
