"""Games, numbers, searches and reviews in words and rows: pure functions, over whatever a server may send."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from datetime import date, datetime, timedelta

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from looseends_client.bid_marks import points_if_over_now
from looseends_client.cards_text import ASCII_FACES, UNICODE_FACES
from looseends_client.drawing.looking_back import bar_row, game_row, picture_rows
from looseends_client.drawing.open_hands import open_hand_rows
from looseends_client.drawing.rows import row_text, width_of
from looseends_client.history.game_words import kind_of_games, number_cells, numbers_of, seats_words, when
from looseends_client.history.replay import Replay
from looseends_client.history.review_words import costly_words, mean_words, progress_words, remark, remarks, where_words
from looseends_client.history.reviews import Review
from looseends_client.history.score_by_trick import courses_of
from looseends_client.history.search import NoSuchDay, Search, options_of_search, search_of
from looseends_client.narration import plain
from looseends_core.actions import PASS, Bid, Play
from looseends_core.cards import parse
from looseends_core.numbers import Numbers, numbers_of_game
from looseends_core.record import record_of
from looseends_core.rules import VARIANTS
from looseends_core.state import fold
from looseends_protocol.frames import framed, unpacked
from looseends_protocol.limits import FROM_CLIENT
from looseends_protocol.messages import (
    GameLine,
    ListGames,
    NumbersLine,
    Reviewed,
    ReviewedDecision,
    message_from_client,
)
from tests.client.games import NAMES, any_game
from tests.server.kept_games import record

GAME = record("ann", "bot:fox", "bob", seed=9)
LINE = GameLine(7, 1_790_000_000, ("ann", "bot:fox", "bob"), (12, -3, 12), (0, 2), ("plan-b",), "KITE2", 0, proven=True)

# ── lists ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_game_in_a_list_names_the_reader_as_you_and_marks_who_won() -> None:
    assert seats_words(LINE) == "you 12*, fox -3, bob 12*"
    watched = msgspec.structs.replace(LINE, seat=None)
    assert seats_words(watched) == "ann 12*, fox -3, bob 12*"


def test_a_time_is_told_in_this_machines_own_and_one_that_cannot_be_is_a_dash() -> None:
    assert when(LINE.ended_at) == time.strftime("%Y-%m-%d %H:%M", time.localtime(LINE.ended_at))
    assert when(LINE.ended_at, short=True) == time.strftime("%m-%d %H:%M", time.localtime(LINE.ended_at))
    assert when(2**62) == "-"


@given(
    st.integers(-(2**63), 2**63 - 1),
    st.lists(st.text(max_size=70), max_size=7),
    st.lists(st.integers(-(10**9), 10**9), max_size=7),
    st.lists(st.text(max_size=20), max_size=4),
    st.integers(1, 130),
    st.booleans(),
)
def test_whatever_a_server_lists_is_one_row_of_the_width(
    ended_at: int, names: list[str], scores: list[int], variants: list[str], width: int, chosen: bool
) -> None:
    line = GameLine(1, ended_at, tuple(names), tuple(scores), (0, 9), tuple(variants), "import", 1)
    for faces in (UNICODE_FACES, ASCII_FACES):
        row = game_row(line, faces, width, chosen=chosen)
        assert width_of(row) == width
        assert not any(ord(char) < 32 for span in row for char in span.text)


def test_a_row_tells_the_day_in_full_where_there_is_room_and_what_is_out_of_the_ordinary() -> None:
    bare = msgspec.structs.replace(LINE, proven=False, origin="import")
    assert row_text(game_row(bare, UNICODE_FACES, 80, chosen=True)).endswith("PB  not proven  imported")
    narrow = row_text(game_row(bare, UNICODE_FACES, 60, chosen=False))
    assert narrow.endswith("PB  np")
    assert when(LINE.ended_at, short=True) in narrow


# ── numbers ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_numbers_are_told_as_means_and_shares() -> None:
    numbers = Numbers(4, 1, 18, 12, 2, 9, 5, 3, 1, 15)
    assert number_cells(numbers) == ("4", "1", "4.5", "2", "1/3", "5/9", "1.25")
    assert number_cells(Numbers()) == ("0", "0", "0.0", "0", "0/0", "0/0", "0.00")


def test_a_line_of_numbers_may_hold_more_or_less_than_is_known_here() -> None:
    of_game = numbers_of_game(GAME)[0]
    sent = msgspec.structs.astuple(of_game)
    assert numbers_of(NumbersLine(3, (), (*sent, 99, 100))) == of_game
    assert numbers_of(NumbersLine(3, (), sent[:3])) == Numbers(*sent[:3])
    line = NumbersLine(3, ("plan-b", "new\x1b"), ())
    assert kind_of_games(line) == "3 players, Plan B, new"
    assert kind_of_games(line, short=True) == "3 players PB new"
    assert kind_of_games(NumbersLine(2, (), ()), short=True) == "2 players"


# ── searches ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def any_search() -> st.SearchStrategy[Search]:
    days = st.dates(min_value=date(1971, 1, 2), max_value=date(2100, 1, 1)).map(str)
    return st.builds(
        Search,
        own=st.booleans(),
        name=st.sampled_from(("", "bob", "bot:fox")),
        since=st.one_of(st.just(""), days),
        until=st.one_of(st.just(""), days),
        players=st.sampled_from((0, 2, 3, 4, 5)),
        variants=st.one_of(st.none(), st.lists(st.sampled_from(VARIANTS), unique=True).map(_in_order)),
    )


def _in_order(variants: Sequence[str]) -> tuple[str, ...]:
    return tuple(variant for variant in VARIANTS if variant in variants)


@given(any_search())
def test_a_form_gives_back_the_search_that_it_was_made_of(search: Search) -> None:
    assert search_of(options_of_search(search, alone=False), alone=False) == search
    request = search.request(3)
    assert message_from_client(unpacked(framed(request)[4:], FROM_CLIENT)) == request
    alone = search_of(options_of_search(search, alone=True), alone=True)
    assert alone == msgspec.structs.replace(search, own=False)


def test_a_search_asks_for_whole_days_of_this_machine() -> None:
    search = Search(name="bob", since="2026-11-30", until="2026-12-01", players=3, variants=("plan-b",))
    day = datetime.fromisoformat("2026-11-30").astimezone()
    after = (datetime.fromisoformat("2026-12-01").astimezone() + timedelta(days=1)).timestamp()
    assert search.request(2) == ListGames(0, True, "bob", int(day.timestamp()), int(after), 3, ("plan-b",), 2)
    assert search.words == "with bob, 3 players, Plan B, from 2026-11-30, to 2026-12-01"
    assert Search(variants=()).words == "no variants"
    assert Search().words == ""


@pytest.mark.parametrize("day", ["yesterday", "2026-13-01", "2026-02-30", "1969-12-31", "20261130", "0001-01-01"])
def test_what_is_no_day_is_refused_in_a_sentence(day: str) -> None:
    options = options_of_search(Search(), alone=True)
    options[3].write(day)
    with pytest.raises(NoSuchDay, match="2026-11-30"):
        search_of(options, alone=True)


def test_a_text_of_the_form_is_taken_away_with_a_dash() -> None:
    options = options_of_search(Search(name="bob"), alone=False)
    options[0].write("-")
    assert search_of(options, alone=False).name == ""


# ── reviews ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def reviewed(review: Review, *lost: int) -> None:
    """Let a bot have looked at the first decisions, with so much lost by each."""
    replay = review.replay
    mine = [stop for stop in replay.stops if stop.turn == replay.seat and stop.is_choice]
    for done, (stop, hundredths) in enumerate(zip(mine, lost, strict=False), 1):
        assert stop.taken is not None
        best = stop.taken if not hundredths else next(action for action in stop.legal if action != stop.taken)
        decision = ReviewedDecision(stop.number, stop.taken, best, hundredths, 12, planning=stop.trick == 0)
        review.take(Reviewed(replay.game, done, len(mine), decision))


def test_a_review_adds_up_and_names_the_three_that_cost_most() -> None:
    review = Review(Replay(GAME, 0, game=7))
    assert not review.over
    assert progress_words(review) == f"fox looks at your decisions: 0 of {review.total}"
    assert mean_words(review, UNICODE_FACES) == ""
    lost = [0, 140, 30, 0, 250, 20, 0, 0]
    reviewed(review, *lost)
    looked = min(len(lost), review.total)
    assert [one.lost for one in review.costliest()] == sorted((n for n in lost[:looked] if n), reverse=True)[:3]
    for planning in (True, False):
        mine = [one.lost for one in review.decisions if one.planning == planning]
        mean, count = review.mean(planning=planning)
        assert count == len(mine)
        assert math.isclose(mean, -sum(mine) / max(1, len(mine)) / 100)
        assert mean <= 0
    assert mean_words(review, UNICODE_FACES).startswith("Points a decision, beside fox: ")
    assert "−" in mean_words(review, UNICODE_FACES)
    assert mean_words(review, ASCII_FACES).isascii()
    assert set(remarks(review)) == {one.number for one in review.decisions}


def test_a_review_ends_with_its_last_decision_and_says_of_how_many_nothing_is_known() -> None:
    review = Review(Replay(GAME, 0, game=7))
    for done in range(1, review.total + 1):
        review.take(Reviewed(7, done, review.total))
    assert review.over
    said = progress_words(review)
    assert said == (f"fox has looked at all {review.total} of your decisions. Of {review.total} it could say nothing.")
    review.refused = "The server is too busy."
    assert progress_words(review) == "The server is too busy."


def test_a_game_of_nothing_to_decide_is_reviewed_at_once() -> None:
    review = Review(Replay(GAME, None))
    assert review.over
    assert progress_words(review) == "There was nothing to decide in this game."


def test_a_review_leaves_alone_what_is_not_of_its_game() -> None:
    replay = Replay(GAME, 0, game=7)
    review = Review(replay)
    mine = next(stop for stop in replay.stops if stop.turn == 0 and stop.is_choice)
    theirs = next(stop for stop in replay.stops if stop.turn == 1 and stop.is_choice)
    assert mine.taken is not None
    assert theirs.taken is not None
    other = next(action for action in mine.legal if action != mine.taken)
    for decision in (
        ReviewedDecision(theirs.number, theirs.taken, theirs.taken),
        ReviewedDecision(mine.number, other, other),
        ReviewedDecision(mine.number + 10_000, mine.taken, mine.taken),
        ReviewedDecision(mine.number, mine.taken, Play(63)),
    ):
        review.take(Reviewed(7, 1, review.total, decision))
    assert review.decisions == []
    good = ReviewedDecision(mine.number, mine.taken, other, 5)
    review.take(Reviewed(7, 2, review.total, good))
    review.take(Reviewed(7, 2, review.total, good))
    assert review.decisions == [good]


def test_a_decision_is_told_with_what_would_have_been_better() -> None:
    bid, play = Bid(parse("B12")), Play(parse("G5"))
    costly = ReviewedDecision(3, PASS, bid, 135, 30, planning=True)
    assert plain(costly_words(costly)) == "you passed; fox would bid B♦12: 1.4 points better, give or take 0.3."
    assert plain(remark(costly)) == "You passed; fox would bid B♦12: 1.4 points better, give or take 0.3."
    assert plain(costly_words(msgspec.structs.replace(costly, uncertainty=2))).endswith(": 1.4 points better.")
    same = ReviewedDecision(3, play, play)
    assert plain(remark(same)) == "You played G♣5, and so would fox."
    even = ReviewedDecision(3, play, Play(parse("R2")))
    assert plain(remark(even)) == "You played G♣5; fox would play R♥2, for as much."


def test_where_a_decision_was_is_told_by_round_and_trick() -> None:
    stops = Replay(GAME).stops
    assert where_words(stops[0]) == "round 1, planning"
    assert where_words(next(stop for stop in stops if stop.trick == 2)) == "round 1, trick 2"


# ── the picture, the bar and open hands ──────────────────────────────────────────────────────────────────────────────


@given(any_game())
def test_the_course_of_a_round_ends_with_what_it_made(game: tuple[object, ...]) -> None:
    rules, events = game
    replay = Replay(record_of(rules, NAMES[: rules.players], events))  # type: ignore[attr-defined,arg-type]
    courses = courses_of(replay)
    state = fold(rules, events)  # type: ignore[arg-type]
    assert len(courses) == len(state.results)
    for course, sheet in zip(courses, state.results, strict=True):
        assert course[-1] == tuple(result.points for result in sheet)
    begun = replay.whole(next(stop for stop in replay.stops if stop.trick == 1).number)
    assert courses[0][0] == tuple(points_if_over_now(begun))


@given(any_game(), st.integers(24, 130))
def test_the_picture_has_a_row_a_seat_of_the_width(game: tuple[object, ...], width: int) -> None:
    rules, events = game
    replay = Replay(record_of(rules, NAMES[: rules.players], events))  # type: ignore[attr-defined,arg-type]
    courses = courses_of(replay)
    for faces in (UNICODE_FACES, ASCII_FACES):
        rows = picture_rows(courses, replay.model(0, None).names, faces, width)
        assert [width_of(row) for row in rows] == [width] * rules.players  # type: ignore[attr-defined]
        for seat, row in enumerate(rows):
            text = row_text(row)
            assert text.split()[0] == NAMES[seat]
            assert faces is UNICODE_FACES or text.isascii()
        tall = [row_text(row) for row in rows]
        assert faces is not UNICODE_FACES or any("█" in row or "▅" in row for row in tall) or width < 40
    assert picture_rows([], ["ann"], UNICODE_FACES, width) == []


def test_a_bar_fills_as_far_as_it_has_come() -> None:
    assert row_text(bar_row(0, 10, ASCII_FACES, 14)) == " [..........]"
    assert row_text(bar_row(5, 10, ASCII_FACES, 14)) == " [#####.....]"
    assert row_text(bar_row(99, 10, UNICODE_FACES, 14)) == " [██████████]"
    assert row_text(bar_row(0, 0, ASCII_FACES, 14)) == " [##########]"


@given(any_game(), st.data())
def test_open_hands_fill_their_rows_whatever_room_there_is(game: tuple[object, ...], data: st.DataObject) -> None:
    rules, events = game
    replay = Replay(record_of(rules, NAMES[: rules.players], events))  # type: ignore[attr-defined,arg-type]
    stop = data.draw(st.sampled_from(replay.stops))
    width, height = data.draw(st.integers(20, 130)), data.draw(st.integers(0, 12))
    whole = replay.whole(stop.number)
    rows = open_hand_rows(NAMES[: rules.players], whole.hands, stop.turn, ~0, UNICODE_FACES, width, height)  # type: ignore[attr-defined]
    assert [width_of(row) for row in rows] == [width] * height
