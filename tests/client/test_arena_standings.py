"""What a match shows: margins are of deals and not of games, the cards cancel, quantiles are right to five percent."""

from __future__ import annotations

import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from looseends_client.arena.standings import Estimate, SeatOutcome, Standings, Times, estimate, pooled

A, B = 0, 1


def made(score: int, win: float = 0.0, *, perfect: int = 0, snitched: int = 0, succeeded: int = 0) -> SeatOutcome:
    return SeatOutcome(score, win, 3, perfect, snitched, succeeded)


def test_the_margin_is_the_mean_of_one_difference_a_deal_and_its_error_counts_deals() -> None:
    standings = Standings(2)
    # Seat 0 has the better cards by 8 points in both deals; A plays better by 2 and by 4.
    standings.add_deal([((A, B), (made(10), made(0))), ((B, A), (made(8), made(2)))])
    standings.add_deal([((A, B), (made(12), made(0))), ((B, A), (made(8), made(4)))])
    assert standings.margin(A, B) == Estimate(3.0, 1.0)
    assert standings.margin(B, A) == Estimate(-3.0, 1.0)
    assert standings.of[A].score == Estimate(7.0, 1.0)
    assert (standings.deals, standings.games) == (2, 4)


@given(st.lists(st.tuples(*[st.integers(-40, 60)] * 3), min_size=2, max_size=12), st.integers(-9, 9))
def test_what_the_cards_are_worth_cancels_whatever_it_is(luck: list[tuple[int, int, int]], better: int) -> None:
    standings = Standings(2)
    for hands in luck:
        standings.add_deal(
            [
                (seated, tuple(made(hand + better * (who == A)) for hand, who in zip(hands, seated, strict=True)))
                for seated in ((A, A, B), (B, B, A))
            ]
        )
    margin = standings.margin(A, B)
    assert margin.mean == pytest.approx(better)
    assert margin.error == pytest.approx(0, abs=1e-9)


@given(st.lists(st.floats(-100, 100), min_size=2, max_size=50))
def test_an_estimate_is_the_textbooks_mean_and_standard_error(numbers: list[float]) -> None:
    found = estimate(numbers)
    assert found.mean == pytest.approx(statistics.fmean(numbers), abs=1e-9)
    assert found.error == pytest.approx(statistics.stdev(numbers) / math.sqrt(len(numbers)), abs=1e-6)


def test_one_deal_has_a_mean_and_no_error() -> None:
    assert estimate([4.0]) == Estimate(4.0, None)
    assert estimate([4.0]).errors_away is None
    assert Estimate(3.0, 0.5).errors_away == 6.0
    assert Estimate(3.0, 0.0).errors_away is None
    assert estimate([0.1 + 0.2, 0.3, 0.3]).errors_away is None
    with pytest.raises(ValueError, match="nothing"):
        estimate([])


def test_pooling_counts_every_cell_alike_and_adds_the_variances() -> None:
    both = pooled([Estimate(1.0, 0.3), Estimate(3.0, 0.4)])
    assert both.mean == 2.0
    assert both.error == pytest.approx(0.25)
    assert pooled([Estimate(1.0, 0.3), Estimate(3.0, None)]) == Estimate(2.0, None)


def test_rounds_of_each_kind_are_shares_of_the_seats_rounds_and_success_is_of_the_snitches() -> None:
    standings = Standings(2)
    standings.add_deal(
        [
            ((A, B), (made(9, 1.0, perfect=1, snitched=1), made(4))),
            ((B, A), (made(5, 0.5), made(5, 0.5, snitched=1, succeeded=1))),
        ]
    )
    of_a, of_b = standings.of
    assert (of_a.share("perfect"), of_a.share("snitched"), of_a.share("succeeded")) == (1 / 6, 2 / 6, 1 / 2)
    assert (of_b.share("snitched"), of_b.share("succeeded")) == (0.0, 0.0)
    assert (of_a.wins_a_seat, of_b.wins_a_seat) == (0.75, 0.25)


@given(st.lists(st.floats(1e-6, 10.0), min_size=1, max_size=200), st.floats(0.01, 1.0))
def test_a_quantile_is_not_too_short_and_at_most_five_percent_too_long(seconds: list[float], share: float) -> None:
    times = Times()
    for one in seconds:
        times.add(one)
    true = sorted(seconds)[math.ceil(share * len(seconds) - 1e-9) - 1]
    assert true * 0.999 <= times.quantile(share) <= true * 1.051


@given(st.lists(st.floats(0.0, 1.0)), st.lists(st.floats(0.0, 1.0)))
def test_times_that_were_counted_apart_are_merged_as_if_counted_together(
    some: list[float], others: list[float]
) -> None:
    apart, more, together = Times(), Times(), Times()
    for one in some:
        apart.add(one)
        together.add(one)
    for one in others:
        more.add(one)
        together.add(one)
    apart.merge(more)
    assert (apart.count, apart.classes) == (together.count, together.classes)
    assert apart.mean == pytest.approx(together.mean)


def test_nothing_counted_takes_no_time() -> None:
    assert (Times().mean, Times().quantile(0.5)) == (0.0, 0.0)
