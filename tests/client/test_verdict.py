"""Who won, and why, in words that agree with the scores."""

from __future__ import annotations

from hypothesis import given

from looseends_client.verdict import verdict
from looseends_core.events import Event
from looseends_core.rules import RuleSet, rule_set
from looseends_core.scoring import SeatResult
from looseends_core.state import State, fold
from tests.client.games import any_game

NAMES = ["you", "bob", "cy"]


def finished(*rounds: tuple[int, int, int]) -> State:
    """Return a game of three that is over with these points a round."""
    state = State(rule_set(3, rounds=len(rounds)))
    for points in rounds:
        state.results.append(tuple(SeatResult(0, 0, 0, 0, False, False, False, made) for made in points))
        state.scores = [score + made for score, made in zip(state.scores, points, strict=True)]
    state.last_delta = rounds[-1]
    best = max(state.scores)
    tied = [seat for seat, score in enumerate(state.scores) if score == best]
    last = max(rounds[-1][seat] for seat in tied)
    state.winners = tuple(seat for seat in tied if rounds[-1][seat] == last)
    return state


def test_a_clear_win_says_by_how_much() -> None:
    said = verdict(finished((5, 1, 0), (2, 1, 3)), NAMES)
    assert said[:2] == ["You win the game with 12 points.", "That is 4 more than cy."]


def test_a_tie_is_decided_by_the_last_round() -> None:
    said = verdict(finished((5, 1, 0), (1, 5, 0)), NAMES)
    assert said[0] == "bob wins the game with 11 points."
    assert said[1] == "You and bob both have 11; bob made more in the last round (you +1, bob +5)."


def test_a_tie_of_the_last_round_too_is_shared() -> None:
    said = verdict(finished((3, 3, 0)), NAMES)
    assert said[:2] == [
        "You and bob share the win with 8 points.",
        "They are level in the last round too (+3).",
    ]


@given(any_game())
def test_every_game_that_is_over_has_a_verdict_that_names_every_winner(game: tuple[RuleSet, list[Event]]) -> None:
    rules, events = game
    state = fold(rules, events)
    names = [f"p{seat}" for seat in range(rules.players)]
    assert state.winners is not None
    first = verdict(state, names)[0]
    assert all(names[seat] in first for seat in state.winners)
    assert verdict(fold(rules, events[:-1]), names) == []
