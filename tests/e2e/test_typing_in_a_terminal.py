"""What arrives from a real keyboard, mouse and clipboard, as the bytes that terminals send."""

from __future__ import annotations

import re

import pytest

from tests.e2e.keyboard_player import KeyboardPlayer, cards_in_hand
from tests.e2e.terminal import Terminal

pytestmark = pytest.mark.terminal

AT_ONCE = ("--pace", "0", "--trick-pause", "0", "--rounds", "1", "--bots", "steady")
NOISE = {
    "a paste": "\x1b[200~p\rCARD\rp\r\x1b[201~",
    "an unasked reply": "\x1bP1$r48;5;1m\x1b\\",
    "an answer and focus": "\x1b[?2026;2$y\x1b[I\x1b[O",
    "mouse reports": "\x1b[<35;1;1M\x1b[<64;5;5M\x1b[<0;300;300M\x1b[M\x20\x21\x21",
    "control bytes": "\x00\x01\x02\x7f\x1b[99;99~\x1bOZ\x1b\x1b\x1b",
    "other letters": "\u00e4\u4e2d\U0001f0cf\u202e\u200d",
}
"""What a terminal sends that is no key of the table."""
CARD = re.compile(r"[BRGY][♦♥♣♠]\d+")


def typed(card: str) -> str:
    """Return what one types for a card, as it is written on the screen."""
    return re.sub(r"[♦♥♣♠]", "", card).lower()


def click_at(terminal: Terminal, card: str) -> str:
    """Return what a terminal sends for a click on a card of the hand."""
    rows = terminal.text.splitlines()
    row = max(place for place, text in enumerate(rows) if re.search(rf"{card}\b", text))
    column = rows[row].index(card)
    return f"\x1b[<0;{column + 2};{row + 1}M\x1b[<0;{column + 2};{row + 1}m"


def cards_of_another_suit(text: str) -> list[str]:
    """Return the cards at hand that may not be played, where a suit has to be followed."""
    led = re.search(r"Follow (\w)\w+\.", text)
    return [card for card in cards_in_hand(text) if CARD.fullmatch(card) and card[0] != led[1]] if led else []


def planning(terminal: Terminal) -> tuple[str, ...]:
    """Wait for the first turn and return the hand."""
    terminal.shows("Enter bid")
    terminal.settled()
    return tuple(card for card in cards_in_hand(terminal.text) if CARD.fullmatch(card))


def test_cards_are_bid_by_their_names_and_refused_ones_say_why() -> None:
    with Terminal("play", *AT_ONCE) as terminal:
        hand = planning(terminal)
        terminal.press(typed(hand[-1]), "Enter")
        terminal.shows(f"You bid {hand[-1]}")
        player = KeyboardPlayer(terminal, bids=1)
        wrong = None
        while wrong is None:
            player.play_until(cards_of_another_suit)
            terminal.settled()
            wrong = next(iter(cards_of_another_suit(terminal.text)), None)
        held = cards_in_hand(terminal.text)
        terminal.press(typed(wrong))
        terminal.shows("You must follow")
        terminal.press("Enter")
        terminal.settled()
        assert cards_in_hand(terminal.text) == held


def test_a_click_chooses_a_card_and_the_next_one_bids_it() -> None:
    with Terminal("play", *AT_ONCE) as terminal:
        card = planning(terminal)[3]
        terminal.press(click_at(terminal, card))
        terminal.shows(f"{card} is covered when")
        terminal.press(click_at(terminal, card))
        terminal.press("Enter")  # for a second click that came too late to be one
        terminal.shows(f"You bid {card}")


def test_nothing_but_a_key_acts_on_the_table() -> None:
    with Terminal("play", *AT_ONCE) as terminal:
        hand = planning(terminal)
        for name, sent in NOISE.items():
            terminal.press(sent.replace("CARD", typed(hand[0])))
            terminal.settled()
            assert "bid 0 of 4" in terminal.text, name
            terminal.press("Escape")
            terminal.settled()
        terminal.press(typed(hand[1]), "Enter")
        terminal.shows(f"You bid {hand[1]}")


def test_double_cross_is_asked_about_and_takes_the_bids_back() -> None:
    for _ in range(10):  # a deal in which nobody passes before the second turn comes soon enough
        with Terminal("play", *AT_ONCE, "--players", "2", "--variant", "double-cross") as terminal:
            hand = planning(terminal)
            terminal.press(typed(hand[0]), "Enter")
            terminal.until(lambda text: "(2 of 6)" in text and "p pass" in text)
            terminal.settled()
            if "d double-cross" not in terminal.text:
                terminal.press("q")
                terminal.shows("Leave the table?")
                terminal.press("x")
                terminal.shows("Play against bots")
                terminal.press("q")
                assert terminal.exit_code() == 0
                continue
            terminal.press("d")
            terminal.shows("Double-cross: take back")
            terminal.press("p")
            terminal.until(lambda text: "take back" not in text and "bid 1 of 6" in text)
            terminal.press("d")
            terminal.shows("Double-cross: take back")
            terminal.press("y")
            terminal.until(lambda text: "snitching" in text and "(2 of 6)" not in text)
            return
    raise AssertionError("ten times in a row somebody passed at once")
