"""`looseends play` on a real terminal, from the keyboard alone."""

from __future__ import annotations

import itertools
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.keyboard_player import FINAL, KeyboardPlayer, cards_in_hand
from tests.e2e.terminal import Terminal

pytestmark = pytest.mark.terminal

USUALLY = ("--pace", "0", "--trick-pause", "0")
AT_ONCE = (*USUALLY, "--bots", "steady")
"""Against bots that take no thought, for what has nothing to do with them."""
STORM = 2000
"""Changes of size within which a round comes to its end; it takes two or three hundred."""


def test_a_whole_game_at_80x24_ends_in_a_sheet_that_says_who_won_and_why() -> None:
    with Terminal("play", *USUALLY) as terminal:
        terminal.shows("round 1 of 3")
        KeyboardPlayer(terminal).play_until(lambda text: FINAL in text)
        final = terminal.until(lambda text: text.count("deal proven") == 3 and "Enter: back" in text)
        assert re.search(r"wins? the game with|win together|share", final), final
        terminal.press("Enter")
        terminal.shows("The game is over")
        terminal.press("q")
        terminal.shows("Play against bots")
        terminal.press("q")
        assert terminal.exit_code() == 0
        assert terminal.is_restored


def test_a_hint_is_thought_of_by_a_process_that_ends_with_the_game() -> None:
    with Terminal("play", *AT_ONCE, "--players", "2", "--coach") as terminal:
        terminal.shows("h hint")
        terminal.press("h")
        terminal.until(lambda text: re.search(r"Clearly best|It is close|Better by|brings more", text) is not None)
        [worker] = children_of(terminal.process.pid)
        terminal.press("q")
        terminal.shows("Leave the table?")
        terminal.press("Enter")
        terminal.shows("Go on with your game")
        terminal.press("q")
        assert terminal.exit_code() == 0
        assert not Path(f"/proc/{worker}").exists()


def children_of(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def test_a_round_of_all_variants_at_60x20() -> None:
    variants = ("--variant", "double-cross", "--variant", "getaway", "--variant", "plan-b")
    with Terminal("play", *AT_ONCE, *variants, "--rounds", "1", "--players", "5", columns=60, rows=20) as terminal:
        KeyboardPlayer(terminal, bids=1).play_until(lambda text: FINAL in text)
        terminal.shows("deal proven")


@pytest.mark.parametrize("variant", ["double-cross", "getaway", "plan-b"])
def test_a_round_of_each_variant(variant: str) -> None:
    with Terminal("play", *AT_ONCE, "--variant", variant, "--rounds", "1") as terminal:
        KeyboardPlayer(terminal, bids=2).play_until(lambda text: FINAL in text)
        terminal.shows("deal proven")


def test_a_round_goes_on_through_a_storm_of_resizes() -> None:
    sizes = itertools.cycle([(200, 60), (40, 16), (80, 24), (60, 20), (120, 24), (72, 19), (100, 30)])
    with Terminal("play", *AT_ONCE, "--rounds", "1") as terminal:
        player = KeyboardPlayer(terminal)
        terminal.shows("Enter bid")
        for _ in range(STORM):
            if FINAL in terminal.text:
                break
            terminal.resize(*next(sizes))
            if not player.act():
                terminal.changed()
        assert FINAL in terminal.text, f"the round never comes to its end:\n{terminal.text}"
        terminal.resize(80, 24)
        terminal.shows("deal proven")


def test_two_players_and_simplified_scoring() -> None:
    with Terminal("play", *AT_ONCE, "--players", "2", "--scoring", "simplified", "--rounds", "1") as terminal:
        KeyboardPlayer(terminal, bids=3).play_until(lambda text: FINAL in text)


def test_a_game_that_was_left_is_offered_again_with_the_same_hand() -> None:
    with Terminal("play", *AT_ONCE) as terminal:
        player = KeyboardPlayer(terminal, bids=1)
        player.play_until(lambda text: re.search(r"trick [2-9] of", text) and "Enter play" in text)
        terminal.settled()
        hand = cards_in_hand(terminal.text)
        terminal.press("q")
        terminal.shows("Leave the table?")
        terminal.press("Enter")
        terminal.shows("Go on with your game")
        terminal.press("q")
        assert terminal.exit_code() == 0
    with Terminal("play", *AT_ONCE) as again:
        again.shows("You have a game that is not finished.")
        again.press("Enter")
        again.until(lambda text: re.search(r"trick [2-9] of", text) and "Enter play" in text)
        again.settled()
        assert cards_in_hand(again.text) == hand
        KeyboardPlayer(again, bids=1).play_until(lambda text: "Enter: next round" in text)


def test_new_games_may_be_begun_as_often_as_one_likes() -> None:
    with Terminal("play", *AT_ONCE) as terminal:
        for _ in range(6):
            terminal.shows("Enter bid")
            terminal.press("q")
            terminal.shows("Leave the table?")
            terminal.press("Enter")
            terminal.shows("Go on with your game")
            terminal.press("p")
            terminal.shows("a game against bots")
            terminal.press("Enter")
        terminal.until(lambda text: "round 1 of 3" in text)


def test_a_game_whose_program_was_killed_is_not_lost() -> None:
    with Terminal("play", *AT_ONCE) as terminal:
        KeyboardPlayer(terminal, bids=1).play_until(
            lambda text: re.search(r"trick [2-9] of", text) and "Enter play" in text
        )
        terminal.settled()
        hand = cards_in_hand(terminal.text)
        terminal.kill()
    with Terminal("play", *AT_ONCE) as again:
        again.shows("You have a game that is not finished.")
        again.press("Enter")
        again.until(lambda text: re.search(r"trick [2-9] of", text) and "Enter play" in text)
        again.settled()
        assert cards_in_hand(again.text) == hand


def test_a_storm_of_resizes_ends_in_the_right_picture() -> None:
    with Terminal("play", *AT_ONCE) as terminal:
        terminal.shows("Enter bid")
        for columns, rows in ((1, 1), (200, 60), (39, 15), (60, 20), (2, 40), (160, 50), (100, 30)):
            terminal.resize(columns, rows)
        terminal.resize(30, 10)
        terminal.shows("The table needs")
        terminal.resize(80, 24)
        terminal.until(lambda text: "Enter bid" in text and "round 1 of 3" in text)


@pytest.mark.parametrize(
    "environment",
    [
        {"NO_COLOR": "1"},
        {"TERM": "linux"},
        {"TERM": "screen"},
        {"LC_ALL": "C"},
        {"LC_ALL": "en_US.ISO-8859-1"},
        {"COLORTERM": "truecolor"},
    ],
    ids=lambda environment: " ".join(f"{name}={value}" for name, value in environment.items()),
)
def test_every_kind_of_terminal_gets_a_table(environment: dict[str, str]) -> None:
    with Terminal("play", *AT_ONCE, environment=environment) as terminal:
        text = terminal.shows("Enter bid")
        assert "round 1 of 3" in text
        terminal.press("q")
        terminal.shows("Leave the table?")
        terminal.press("Enter")
        terminal.shows("Play against bots")
        terminal.press("q")
        assert terminal.exit_code() == 0


@pytest.mark.parametrize("command", [("play",), ("join", "127.0.0.1")])
def test_without_a_terminal_one_sentence_names_what_works_without_one(command: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "looseends_client", *command],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert "looseends simulate" in done.stderr
    assert done.stderr.count("\n") == 1
