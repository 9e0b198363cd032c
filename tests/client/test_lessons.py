"""The lessons: each is a round that the rules allow, told in words that fit, and what is said of it is true."""

from __future__ import annotations

import random
import re

import pytest

from looseends_client.cards_text import UNICODE_FACES
from looseends_client.drawing.rows import sentence_row, wrapped
from looseends_client.narration import Sentence, plain
from looseends_client.tutorial.lessons import LEARNER, LESSONS, NONCE, OTHERS, Lesson
from looseends_client.tutorial.teacher import Teacher, move_of, sentence_of
from looseends_core.cards import cards_in, parse
from looseends_core.decide import deal_round, decide, legal_actions
from looseends_core.shuffle import NONCE_BYTES, SECRET_BYTES
from looseends_core.state import Phase, State, evolve

NARROW = 56
"""Columns that a text of a lesson has in a window of 60."""

each_lesson = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: f"lesson {lesson.number}")


def begun(lesson: Lesson) -> State:
    """Return the lesson's table right after the deal."""
    state = State(lesson.rules)
    for event in deal_round(state, Teacher(lesson).deal()):
        evolve(state, event)
    return state


def gone_through(lesson: Lesson) -> list[State]:
    """Return the state before each move of the lesson, and the one at its end."""
    state = begun(lesson)
    states = [state.copy()]
    for move in lesson.moves:
        assert state.turn is not None
        for event in decide(state, state.turn, move_of(move)):
            evolve(state, event)
        states.append(state.copy())
    return states


def every_text(lesson: Lesson) -> list[str]:
    words = [text for step in lesson.steps for text in (step.says, step.instead) if text]
    return [*words, *lesson.tricks, lesson.sheet]


@each_lesson
def test_is_a_whole_round_that_the_learner_begins_with_a_secret_of_the_right_length(lesson: Lesson) -> None:
    states = gone_through(lesson)
    assert states[0].turn == LEARNER
    assert states[-1].phase is Phase.OVER
    assert (len(lesson.secret), len(NONCE)) == (SECRET_BYTES, NONCE_BYTES)
    assert len(lesson.tricks) == states[-1].tricks_in_round
    assert lesson.rules.players == 1 + len(OTHERS)


@each_lesson
def test_has_one_step_for_each_move_of_the_learner_and_says_something_at_each(lesson: Lesson) -> None:
    teacher = Teacher(lesson)
    own = [state for state in gone_through(lesson) if state.turn == LEARNER]
    assert [teacher.step(state) for state in own] == list(range(len(lesson.steps)))
    for state, step in zip(own, lesson.steps, strict=True):
        assert teacher.says(state, trick_lies=False) == sentence_of(step.says)


@each_lesson
def test_answers_every_other_legal_move_with_a_word_and_takes_the_one_it_waits_for(lesson: Lesson) -> None:
    teacher = Teacher(lesson)
    for state, move in zip(gone_through(lesson), lesson.moves, strict=False):
        if state.turn == LEARNER:
            for action in legal_actions(state):
                assert bool(teacher.instead(state, action)) == (action != move_of(move)), (move, action)


@each_lesson
def test_others_move_as_written_and_legally_at_any_other_moment(lesson: Lesson) -> None:
    teacher = Teacher(lesson)
    rng = random.Random(1)
    levels = list(teacher.others().values())
    for state, move in zip(gone_through(lesson), lesson.moves, strict=False):
        if state.turn != LEARNER:
            assert all(level.choose(state, rng) == move_of(move) for level in levels)
    astray = begun(lesson)
    astray.number += 1000
    assert levels[0].choose(astray, rng) in legal_actions(astray)


@each_lesson
def test_every_text_is_two_lines_at_most_in_a_narrow_window(lesson: Lesson) -> None:
    for text in every_text(lesson):
        rows = wrapped(sentence_row(sentence_of(text), UNICODE_FACES), NARROW, UNICODE_FACES)
        assert len(rows) <= 2, text


@each_lesson
def test_every_card_that_is_named_is_in_the_deal(lesson: Lesson) -> None:
    dealt = {card for hand in Teacher(lesson).deal().hands for card in hand}
    for text in every_text(lesson):
        for card in re.findall(r"\{(\w+)\}", text):
            assert parse(card) in dealt, text


def test_a_text_becomes_words_and_cards() -> None:
    said: Sentence = sentence_of("Bid {G6} first.")
    assert said == ("Bid ", parse("G6"), " first.")
    assert plain(sentence_of("{R5} fits")) == "R♥5 fits"
    assert sentence_of("Press <pass>.") == ("Press p.",)
    assert sentence_of("Press <pass>.", {"pass": "F2"}.__getitem__) == ("Press F2.",)


def outcome(lesson: Lesson) -> tuple[list[int], State]:
    end = gone_through(lesson)[-1]
    return [result.points for result in end.results[0]], end


def test_lesson_1_shows_a_covered_bid_a_loose_end_and_what_lesson_3_is_about() -> None:
    points, end = outcome(LESSONS[0])
    mine, _, owls = end.results[0]
    assert points == [1, -1, 7]
    assert (mine.covered, mine.loose, owls.perfect_crime) == (1, 1, True)


def test_lesson_2_shows_a_snitch_and_loose_ends_that_cost_two() -> None:
    points, end = outcome(LESSONS[1])
    mine, cats, owls = end.results[0]
    assert points == [10, 0, -4]
    assert mine.snitch_succeeded
    assert (cats.covered, cats.loose_ends, owls.loose_ends) == (1, 1, 2)
    assert list(cards_in(end.hands[LEARNER])) == [parse("B3")]


def test_lesson_3_shows_a_choice_to_cover_and_a_perfect_crime() -> None:
    points, end = outcome(LESSONS[2])
    assert points == [9, -2, -2]
    assert end.results[0][LEARNER].perfect_crime
    choices = [state for state in gone_through(LESSONS[2]) if state.phase is Phase.COVERING]
    assert [sorted(legal_actions(state), key=repr) for state in choices] == [
        sorted([move_of("cover Y7"), move_of("cover R5")], key=repr)
    ]
