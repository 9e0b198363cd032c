"""A player's numbers are what their games add up to."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings

from looseends_core.numbers import Numbers, numbers_of_game
from looseends_core.record import record_of
from tests.strategies import PlayedGame, games


@settings(max_examples=40)
@given(games())
def test_numbers_agree_with_the_scores_and_with_each_other(game: PlayedGame) -> None:
    record = record_of(game.rules, [f"p{seat}" for seat in range(game.rules.players)], game.events)
    assert record.scores is not None
    assert record.winners is not None
    numbers = numbers_of_game(record)
    assert [one.points for one in numbers] == list(record.scores)
    assert sum(one.wins for one in numbers) == len(record.winners)
    for one in numbers:
        assert (one.games, one.rounds) == (1, game.rules.rounds)
        assert one.bidding + one.snitches == one.rounds
        assert one.exact <= one.bidding
        assert one.perfect_crimes <= one.rounds  # with Plan B a snitch who wins may make one too
        assert one.snitches_made <= one.snitches


def test_numbers_add_up_field_by_field() -> None:
    one, other = Numbers(1, 1, 12, 3, 1, 2, 1, 1, 0, 4), Numbers(2, 0, -5, 6, 0, 6, 2, 0, 0, 7)
    assert msgspec.structs.astuple(one + other) == (3, 1, 7, 9, 1, 8, 3, 1, 0, 11)
    assert one + Numbers() == one


@given(games(max_rounds=1))
@settings(max_examples=5)
def test_a_game_that_is_not_over_has_none(game: PlayedGame) -> None:
    unfinished = record_of(game.rules, ["x"] * game.rules.players, game.steps[0])
    with pytest.raises(ValueError, match="not over"):
        numbers_of_game(unfinished)
