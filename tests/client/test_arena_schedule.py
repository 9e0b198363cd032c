"""Who sits where in a duplicate match: every arrangement once, and every seat for everybody."""

from __future__ import annotations

from collections import Counter
from math import factorial, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from looseends_client.arena.schedule import arrangements, even_line_ups, mirrored_pairs, seatings

LINE_UPS = st.lists(st.sampled_from("abcd"), min_size=1, max_size=5)


@given(LINE_UPS)
def test_the_arrangements_are_all_different_ones_of_the_same_members(line_up: list[str]) -> None:
    found = arrangements(line_up)
    assert len(set(found)) == len(found)
    assert all(sorted(one) == sorted(line_up) for one in found)
    # As many as there are: the permutations, less those that swap equals.
    assert len(found) == factorial(len(line_up)) // prod(map(factorial, Counter(line_up).values()))


@given(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=6, unique=True), st.integers(2, 5))
def test_over_all_games_of_a_deal_everybody_holds_every_seat_equally_often(entrants: list[str], seats: int) -> None:
    games = seatings(entrants, seats)
    for seat in range(seats):
        held = Counter(seated[seat] for seated in games)
        assert len(held) == len(entrants)
        assert len(set(held.values())) == 1


def test_as_many_names_as_seats_are_one_line_up_as_they_are() -> None:
    assert even_line_ups(["a", "b", "b"], 3) == [("a", "b", "b")]


def test_seats_that_cannot_be_shared_evenly_go_to_each_in_turn() -> None:
    assert even_line_ups(["a", "b"], 3) == [("a", "a", "b"), ("a", "b", "b")]
    assert even_line_ups(["a", "b"], 4) == [("a", "a", "b", "b")]
    assert even_line_ups(["a", "b", "c"], 2) == [("a", "b"), ("a", "c"), ("b", "c")]


def test_a_line_up_is_not_played_twice_because_a_name_is_written_twice() -> None:
    assert even_line_ups(["a", "b", "b"], 2) == [("a", "b"), ("b", "b")]


@pytest.mark.parametrize(("seats", "pairs"), [(2, 1), (3, 3), (4, 3), (5, 10)])
def test_mirrored_pairs_are_all_arrangements_of_two_and_in_each_both_hold_every_seat_once(
    seats: int, pairs: int
) -> None:
    found = mirrored_pairs("a", "b", seats)
    assert len(found) == pairs
    assert sorted(seated for pair in found for seated in pair) == sorted(seatings("ab", seats))
    for pair in found:
        assert all({seated[seat] for seated in pair} == {"a", "b"} for seat in range(seats))


def test_nobody_plays_alone_or_against_a_mirror() -> None:
    with pytest.raises(ValueError, match="needs somebody"):
        even_line_ups([], 3)
    with pytest.raises(ValueError, match="two different"):
        mirrored_pairs("a", "a", 3)
