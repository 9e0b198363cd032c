"""A table's code survives being read aloud, written down and typed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from looseends_protocol.codes import ALPHABET, code_from, table_code
from looseends_protocol.limits import CODE_LENGTH

numbers = st.integers(0, 2**50 - 1)


@given(numbers)
def test_a_code_has_ten_letters_of_the_alphabet_and_is_read_as_itself(number: int) -> None:
    code = code_from(number)
    assert len(code) == CODE_LENGTH
    assert set(code) <= set(ALPHABET)
    assert table_code(code) == code


@given(numbers, numbers)
def test_two_numbers_have_two_codes(one: int, other: int) -> None:
    assert (code_from(one) == code_from(other)) == (one == other)


def test_codes_count_up_from_the_last_letter() -> None:
    assert code_from(0) == "0000000000"
    assert code_from(1) == "0000000001"
    assert code_from(32) == "0000000010"
    assert code_from(2**50 - 1) == "ZZZZZZZZZZ"


@given(numbers, st.data())
def test_a_code_is_read_however_it_is_typed(number: int, data: st.DataObject) -> None:
    code = code_from(number)
    typed = code.translate({ord("0"): data.draw(st.sampled_from("0oO")), ord("1"): data.draw(st.sampled_from("1iIlL"))})
    if data.draw(st.booleans()):
        typed = typed.lower()
    if data.draw(st.booleans()):
        typed = f" {typed[:5]}-{typed[5:]} "

    assert table_code(typed) == code


@pytest.mark.parametrize("letter", "ILOU")
def test_letters_that_are_misread_are_in_no_code(letter: str) -> None:
    assert len(ALPHABET) == 32
    assert letter not in ALPHABET


@given(st.text(max_size=16))
def test_anything_typed_is_read_as_some_code_without_a_fault(typed: str) -> None:
    table_code(typed)
