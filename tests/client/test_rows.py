"""Rows keep to their cells, whatever is written in them, and a repaint of what differs leaves nothing of the old."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from looseends_client.cards_text import ASCII_FACES, UNICODE_FACES, Faces
from looseends_client.drawing.rows import (
    Row,
    Span,
    centred,
    clicked_card,
    column_widths,
    columns,
    cut_text,
    filled,
    row_text,
    spread,
    width_of,
    wrapped,
    wrapped_in_company,
)
from looseends_client.widgets.lines import changed_cells
from looseends_protocol.people_text import visible

faces = st.sampled_from((UNICODE_FACES, ASCII_FACES))
texts = st.text("ab 漢字é♥…", max_size=12) | st.text(max_size=8).map(visible)
spans = st.builds(Span, texts, st.sampled_from(("", "dim", "red strong")), st.none() | st.integers(0, 63))
rows = st.lists(spans, max_size=6)
widths = st.integers(1, 40)


def cells(row: Row) -> list[tuple[str, str]]:
    """Return each cell of a row: its character (empty for the second half of a wide one) and its look."""
    found: list[tuple[str, str]] = []
    for span in row:
        for char in span.text:
            size = cell_len(char)
            found += [(char, span.look), ("", span.look)][:size]
    return found


@given(rows, rows, widths, faces)
def test_whatever_is_fitted_takes_its_width_exactly(one: Row, other: Row, width: int, drawn: Faces) -> None:
    assert width_of(filled(one, width, drawn)) == width
    assert width_of(centred(one, width, drawn)) == width
    assert width_of(spread(one, other, width, drawn)) == width
    assert width_of(columns([one, other], column_widths(width, 2), drawn)) == width


@given(texts, widths, faces)
def test_a_text_that_is_cut_says_so(text: str, width: int, drawn: Faces) -> None:
    cut = cut_text(text, width, drawn)
    assert cell_len(cut) <= width
    assert cut == text or cut.endswith(drawn.ellipsis)


@given(rows, st.integers(8, 40), st.integers(0, 4))
def test_a_row_that_is_broken_loses_no_word_and_no_row_is_too_wide(row: Row, width: int, indent: int) -> None:
    broken = wrapped(row, width, UNICODE_FACES, indent)
    assert all(width_of(part) <= width for part in broken)
    words = row_text(row).split()
    kept = " ".join(row_text(part) for part in broken).split()
    if all(cell_len(word) <= width - indent for word in words):
        assert kept == words


@given(rows, rows, widths)
def test_cells_outside_of_what_changed_are_the_same_before_and_after(old: Row, new: Row, width: int) -> None:
    before, after = filled(old, width, UNICODE_FACES), filled(new, width, UNICODE_FACES)
    start, end = changed_cells(before, after, width)
    assert 0 <= start <= width
    assert start <= end <= width
    shown = cells(before)[:start] + cells(after)[start:end] + cells(before)[end:]
    assert shown == cells(after)


@given(st.integers(1, 200), st.integers(1, 5))
def test_columns_share_a_width_fairly(width: int, count: int) -> None:
    shared = column_widths(width, count)
    assert sum(shared) == width
    assert max(shared) - min(shared) <= 1


def test_a_click_means_the_card_under_it() -> None:
    row: Row = [Span("  "), Span("漢"), Span("G♣7", "", 36), Span(" ")]
    assert [clicked_card(row, x) for x in range(9)] == [None] * 4 + [36] * 3 + [None] * 2


@given(rows, st.integers(8, 80), st.integers(0, 4))
def test_a_row_that_is_broken_in_company_takes_no_more_rows_and_says_the_same(
    row: Row, width: int, indent: int
) -> None:
    plainly = wrapped(row, width, UNICODE_FACES, indent)
    broken = wrapped_in_company(row, width, UNICODE_FACES, indent)
    assert len(broken) == len(plainly)
    assert all(width_of(part) <= width for part in broken)
    if all(cell_len(word) <= width - indent for word in row_text(row).split()):
        assert words_of(broken) == words_of(plainly)


def words_of(broken: list[Row]) -> list[str]:
    return " ".join(row_text(row) for row in broken).split()


def test_no_word_is_left_alone_in_a_row_where_the_one_before_can_spare_another() -> None:
    row = [Span("You won with G15. Cover which of your bids?")]
    assert words_of(wrapped(row, 39, UNICODE_FACES)[1:]) == ["bids?"]
    assert words_of(wrapped_in_company(row, 39, UNICODE_FACES)[1:]) == ["your", "bids?"]
    assert wrapped_in_company(row, 36, UNICODE_FACES) == wrapped(row, 36, UNICODE_FACES)
