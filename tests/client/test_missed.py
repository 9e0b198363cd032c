"""Whoever comes back is told in one sentence what happened meanwhile."""

from __future__ import annotations

from looseends_client.missed import missed_words
from looseends_core.events import BidCovered, CardPlayed, Event, GameEnded, Passed, RoundScored, TrickWon

NAMES = ("you", "bob", "cy")


def test_tricks_rounds_and_what_a_bot_did_are_told() -> None:
    missed: list[Event] = [
        Passed(0),
        CardPlayed(1, 3),
        CardPlayed(2, 5),
        CardPlayed(0, 7),
        TrickWon(2, 5),
        BidCovered(2, 20),
        TrickWon(1, 9),
        TrickWon(2, 11),
        RoundScored((1, 2, 3)),
    ]
    assert missed_words(missed, NAMES, 0) == (
        "While you were away three tricks went by (cy won 2 and bob won 1), one round ended and a bot acted for you "
        "2 times."
    )


def test_the_end_of_the_game_names_its_winners() -> None:
    assert missed_words([GameEnded((1, 9, 9), (1, 2))], NAMES, 0) == "While you were away bob and cy won the game."


def test_nothing_is_said_of_nothing() -> None:
    assert missed_words([], NAMES, 0) == ""
    assert missed_words([CardPlayed(1, 3)], NAMES, 0) == ""
