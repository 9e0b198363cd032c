"""How a contest went, in words: places, the result to pass on, points by seat and deal, as rows of every width."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from looseends_client.cards_text import ASCII_FACES, UNICODE_FACES
from looseends_client.contest_words import (
    compared_at,
    contest_title,
    contest_words,
    is_contest,
    means,
    own_standing,
    result_lines,
    standings,
    told_right,
)
from looseends_client.drawing.contest import contest_rows
from looseends_client.drawing.rows import row_text, width_of
from looseends_client.plain.contests import contest_lines
from looseends_client.plain.wording import Wording
from looseends_core.rules import rule_set
from looseends_protocol.messages import Contest, ContestLine

BOTS = ("bot:steady", "bot:sharp", "bot:fox")
RULES = rule_set(4)


def day_of(name: str, own: tuple[int, ...], *, seat: int | None = None, game: int = 1) -> ContestLine:
    """Return a day's game in which each bot made a point a deal."""
    deltas = tuple((points, 1, 1, 1) for points in own)
    return ContestLine(game, (name, *BOTS), (5 + sum(own), 8, 8, 8), deltas, seat)


DAY = Contest(
    0,
    "daily 2026-12-01",
    RULES,
    (day_of("bob", (4, 2, 4)), day_of("ann", (4, 0, -2), seat=0, game=2), day_of("cy", (-2, 2, 2), game=3)),
)
TABLES = Contest(
    0,
    "duplicate KITE234567",
    rule_set(2, rounds=2),
    (
        ContestLine(1, ("ann", "bot:rookie"), (9, 3), ((4, -2), (0, 0)), 0),
        ContestLine(2, ("bob", "cy"), (12, 4), ((3, -1), (4, 0))),
        ContestLine(3, ("dee", "ann"), (5, 5), ((0, 0),), 1),
    ),
)


def test_equal_scores_share_a_place_and_ones_own_stands_first_among_them() -> None:
    assert [(one.place, one.name, one.score, one.mine) for one in standings(DAY)] == [
        (1, "bob", 15, False),
        (2, "ann", 7, True),
        (2, "cy", 7, False),
    ]
    own = own_standing(DAY)
    assert own is not None
    assert own.points == (4, 0, -2)


def test_a_result_is_three_lines_with_the_day_the_place_and_a_sign_a_round() -> None:
    assert result_lines(DAY) == ("No Loose Ends, deal of 2026-12-01", "7 points, place 2 of 3", "★■▼")
    lines = result_lines(DAY, ASCII_FACES)
    assert lines is not None
    assert lines[2] == "*o-"
    assert all(line.isascii() for line in lines)
    gained = Contest(0, "daily 2026-12-01", RULES, (ContestLine(1, ("ann", *BOTS), (7, 9, 5, 5), ((2, 4, 0, 0),), 0),))
    assert result_lines(gained) == ("No Loose Ends, deal of 2026-12-01", "7 points, place 1 of 1", "▲")


def test_who_has_not_played_has_nothing_to_pass_on() -> None:
    assert result_lines(Contest(0, "daily 2026-12-01", RULES, (day_of("bob", (1, 1, 1)),))) is None


@given(
    st.lists(st.lists(st.integers(-30, 30), min_size=4, max_size=4), min_size=1, max_size=3),
    st.sampled_from([UNICODE_FACES, ASCII_FACES]),
)
def test_a_result_gives_away_no_more_than_points_place_and_signs(deals: list[list[int]], faces: object) -> None:
    deltas = tuple((deal[0], deal[1], deal[2], deal[3]) for deal in deals)
    scores = tuple(5 + sum(delta[seat] for delta in deltas) for seat in range(4))
    assert faces in (UNICODE_FACES, ASCII_FACES)
    drawn = UNICODE_FACES if faces is UNICODE_FACES else ASCII_FACES
    lines = result_lines(
        Contest(0, "daily 2026-12-01", RULES, (ContestLine(1, ("ann", *BOTS), scores, deltas, 0),)), drawn
    )
    assert lines is not None
    assert len(lines[2]) == len(deals)
    assert set(lines[2]) <= set("★▲■▼" if faces is UNICODE_FACES else "*+o-")
    assert "\n" not in "".join(lines)


def test_one_seat_is_compared_at_every_table_best_first_with_the_means() -> None:
    rows = compared_at(TABLES, 0)
    assert [(row.name, row.points, row.score, row.mine) for row in rows] == [
        ("bob", (3, 4), 12, False),
        ("ann", (4, 0), 9, True),
        ("dee", (0, None), 5, False),
    ]
    assert means(rows) == pytest.approx((7 / 3, 2.0, 26 / 3))
    assert [(row.name, row.mine) for row in compared_at(TABLES, 1)] == [
        ("ann", True),
        ("cy", False),
        ("bot rookie", False),
    ]


def test_a_contest_says_what_it_is() -> None:
    assert contest_title("daily 2026-12-01") == "Deal of 2026-12-01"
    assert contest_words("daily 2026-12-01") == "deal of the day"
    assert contest_words("duplicate KITE234567") == "same cards as other tables"
    assert contest_words("") == ""
    assert is_contest("duplicate KITE234567")
    assert not is_contest("KITE234567")


def test_lines_that_are_no_game_by_these_rules_are_left_out() -> None:
    short = ContestLine(7, ("ann",), (1,), ((1,),), 0)
    ragged = ContestLine(8, ("ann", *BOTS), (1, 2, 3, 4), ((1, 2, 3),), 0)
    nowhere = ContestLine(9, ("ann", *BOTS), (1, 2, 3, 4), ((1, 2, 3, 4),), 4)
    unplayed = ContestLine(10, ("ann", *BOTS), (1, 2, 3, 4), (), 0)
    told = Contest(0, DAY.contest, RULES, (*DAY.lines, short, ragged, nowhere, unplayed))
    assert told_right(told) == DAY


@pytest.mark.parametrize("width", [20, 40, 58, 80, 120])
@pytest.mark.parametrize("faces", [UNICODE_FACES, ASCII_FACES])
@pytest.mark.parametrize("rounds", [1, 3, 20])
def test_rows_are_as_wide_as_the_page_and_tell_every_deal(width: int, faces: object, rounds: int) -> None:
    drawn = UNICODE_FACES if faces is UNICODE_FACES else ASCII_FACES
    rules = rule_set(2, rounds=rounds)
    deltas = tuple((2, -1) for _ in range(rounds))
    line = ContestLine(1, ("ann", "a very long name of 30"), (5, 5), deltas, 0)
    for name in ("daily 2026-12-01", "duplicate KITE234567"):
        contest = Contest(0, name, rules, (line, line))
        for seat in range(2):
            rows = contest_rows(contest, seat, drawn, width)
            assert {width_of(row) for row in rows} == {width}
            if width >= 40:
                text = "\n".join(row_text(row) for row in rows)
                assert all(f"deal {number}" in text for number in range(1, rounds + 1))


def test_lines_tell_a_day_and_several_tables() -> None:
    assert contest_lines(DAY, Wording("letters")) == [
        "Deal of 2026-12-01.",
        "1: bob, score 15; by deal +4, +2, +4.",
        "2: ann (you), score 7; by deal +4, 0, -2.",
        "2: cy, score 7; by deal -2, +2, +2.",
        "To pass on, three lines that give nothing away:",
        "No Loose Ends, deal of 2026-12-01",
        "7 points, place 2 of 3",
        "*o-",
    ]
    told = contest_lines(TABLES, Wording("letters"))
    assert told[1:3] == ["Seat 1, the same hands at every table:", "bob, score 12; by deal +3, +4."]
    assert "dee, score 5; by deal 0, not played." in told
