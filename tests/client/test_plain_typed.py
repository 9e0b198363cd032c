"""What a person types is taken as they mean it: any case, spaces and short forms; else it says what is near."""

from __future__ import annotations

import contextlib
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from looseends_client.plain.typed import NoCard, NotUnderstood, card_in, command_in
from looseends_client.plain.vocabulary import GATHERING, HALL, HOME, TABLE, help_lines
from looseends_core.cards import DECK_CARDS, name, parse

PLACES = {"lobby": HALL, "alone": HOME, "gathering": GATHERING, "table": TABLE}
HAND = [parse(card) for card in ["B3", "B9", "R9", "G7", "X2", "X4"]]


@pytest.mark.parametrize(
    ("typed", "card"),
    [
        ("b3", "B3"),
        ("B 3", "B3"),
        ("blue 3", "B3"),
        ("Blue3", "B3"),
        ("b03", "B3"),
        ("b-3", "B3"),
        ("RED  9", "R9"),
        ("r", "R9"),
        ("green", "G7"),
        ("g", "G7"),
        ("x", "X2"),
        ("x4", "X2"),
        ("X 1", "X2"),
        ("getaway", "X2"),
    ],
)
def test_a_card_by_its_name(typed: str, card: str) -> None:
    found = card_in(typed, HAND)
    assert found is not None
    assert name(found) == card


@pytest.mark.parametrize("typed", ["", "pass", "b3 r9", "bb3", "3b", "3", "b3!", "say r9", "bids"])
def test_what_is_no_card(typed: str) -> None:
    assert card_in(typed, HAND) is None


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("b", "Which Blue card? Type its number too."),
        ("b1", "B1 is not among your cards."),
        ("y", "You have no Yellow card there."),
        ("y4", "Y4 is not among your cards."),
        ("r16", "Red has the ranks 1 to 15."),
        ("r0", "Red has the ranks 1 to 15."),
        ("r" + "9" * 500, "Red has the ranks 1 to 15."),
    ],
)
def test_a_card_that_is_not_at_hand_is_never_another(typed: str, said: str) -> None:
    with pytest.raises(NoCard) as error:
        card_in(typed, HAND)
    assert str(error.value) == said


def test_a_getaway_card_that_nobody_has() -> None:
    with pytest.raises(NoCard, match="no Getaway card"):
        card_in("x", HAND[:3])


@given(st.integers(0, DECK_CARDS - 5), st.lists(st.integers(0, DECK_CARDS - 1)))
def test_a_full_name_is_that_card_or_none(card: int, others: list[int]) -> None:
    assert card_in(name(card).lower(), [*others, card]) == card


@pytest.mark.parametrize(
    ("line", "word", "rest"),
    [
        ("pass", "pass", ""),
        ("  PASS  ", "pass", ""),
        ("p", "pass", ""),
        ("dc", "double", ""),
        ("tab", "table", ""),
        ("Say  Hello, all ", "say", "Hello, all"),
        ("'hello", "say", "hello"),
        ("' hello", "say", "hello"),
        ("?", "help", ""),
        ("?why", "help", "why"),
        (".", "repeat", ""),
        ("bid r9", "play", "r9"),
        ("cover r9", "play", "r9"),
    ],
)
def test_a_command_by_its_word_its_short_form_or_its_beginning(line: str, word: str, rest: str) -> None:
    command, found = command_in(line, TABLE)
    assert (command.word, found) == (word, rest)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("scroe", "Did you mean score?"),
        ("lgeal", "Did you mean legal?"),
        ("hnad", "Did you mean hand?"),
        ("xyzzy", "Type help for all commands."),
        ("le", "le may be legal or leave."),
        ("q" * 5000, "is no command and no card."),
    ],
)
def test_a_word_that_is_none_is_answered_with_the_nearest(line: str, said: str) -> None:
    with pytest.raises(NotUnderstood) as error:
        command_in(line, TABLE)
    assert said in str(error.value)
    assert len(str(error.value)) < 120


@given(st.text(max_size=80), st.sampled_from(sorted(PLACES)))
def test_any_line_is_a_command_or_is_answered(line: str, place: str) -> None:
    with contextlib.suppress(NotUnderstood):
        assert command_in(line, PLACES[place])[0] in PLACES[place]


@pytest.mark.parametrize("place", sorted(PLACES))
def test_no_word_of_a_place_means_two_things_or_a_card(place: str) -> None:
    words = [[c.word, c.short, *c.also] for c in PLACES[place]]
    every = list(itertools.chain(*words))
    assert len(every) == len(set(every))
    for word in every:
        if place == "table":
            assert card_in(word, []) is None, word
        assert command_in(word, PLACES[place])[0].word in every


@pytest.mark.parametrize("place", sorted(PLACES))
def test_help_tells_every_command_and_each_alone(place: str) -> None:
    commands = PLACES[place]
    told = help_lines(commands, "", cards=place == "table")
    assert [line for line in told if line.startswith("A card's name")] == told[: place == "table"]
    for command in commands:
        assert any(line.startswith(command.word) and f"short {command.short}:" in line for line in told)
        assert help_lines(commands, command.short.upper(), cards=False)
    assert "no command" in help_lines(commands, "dance", cards=False)[0]
    assert all(line.isascii() for line in told)
