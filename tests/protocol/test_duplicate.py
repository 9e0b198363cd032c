"""Sides of a duplicate: over as many tables as seats every side sits on every seat once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from looseends_protocol.codes import ALPHABET, code_from
from looseends_protocol.duplicate import SIDES, DuplicateTable, code_and_side, duplicate_table

players = st.integers(2, 5)
codes = st.integers(0, 2**50 - 1).map(code_from)
tables = st.integers(1, 8).flatmap(lambda of: st.builds(DuplicateTable, codes, st.integers(1, of), st.just(of)))


@given(codes, players, st.integers(0, 3))
def test_within_as_many_tables_as_seats_every_side_sits_on_every_seat_once(first: str, seats: int, begin: int) -> None:
    numbers = range(1 + begin, 1 + begin + seats)
    for side in SIDES[:seats]:
        sat = [DuplicateTable(first, number, 8).seat_of(side, seats) for number in numbers]
        assert sorted(seat for seat in sat if seat is not None) == list(range(seats))


@given(tables, players)
def test_the_side_on_a_seat_has_its_seat_there_and_no_other_side_has(table: DuplicateTable, seats: int) -> None:
    assert sorted(table.side_at(seat, seats) for seat in range(seats)) == list(SIDES[:seats])
    for seat in range(seats):
        assert table.seat_of(table.side_at(seat, seats), seats) == seat
    for stranger in ("", "F", "AB", "a", SIDES[seats:][:1]):
        assert table.seat_of(stranger, seats) is None


@given(tables)
def test_a_table_is_known_by_what_its_options_call_it(table: DuplicateTable) -> None:
    assert duplicate_table(table.contest) == table
    assert len(table.contest) <= 32
    assert [one.number for one in table.all] == list(range(1, table.of + 1))


@given(st.text(max_size=32) | st.text("duplicate K7QP2MX0VD/12", max_size=32))
def test_any_other_name_is_no_such_table(name: str) -> None:
    found = duplicate_table(name)
    assert found is None or found.contest == name


def test_names_of_before_there_were_sides_and_numbers_past_the_last_table_are_none() -> None:
    for name in ("duplicate K7QP2MX0VD", "duplicate K7QP2MX0VD/3/2", "duplicate K7QP2MX0VD/0/2", "daily 2026-11-30"):
        assert duplicate_table(name) is None


@given(codes, st.sampled_from(["", *SIDES]))
def test_a_side_is_a_letter_behind_a_code_however_it_is_typed(code: str, side: str) -> None:
    for typed in (f"{code}{side}", f"{code[:5]}-{code[5:]}-{side}", f" {code.lower()} {side.lower()}"):
        assert code_and_side(typed) == (code, side)


@given(codes, st.sampled_from([letter for letter in ALPHABET if letter not in SIDES]))
def test_a_longer_code_that_names_no_side_is_a_code_that_nobody_has(code: str, more: str) -> None:
    assert code_and_side(code + more) == (code + more, "")
