"""What people type is shown as text and nothing else: nothing steers a terminal, hides, or passes for somebody else."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from rich.text import Text

from looseends_protocol.limits import CHAT_LENGTH, NAME_LENGTH
from looseends_protocol.people_text import NameInvalid, chat_line, name_key, person_name, visible

# Most characters are letters; what matters here is drawn far more often than it is common.
_AWKWARD = (
    "\x00\x07\t\n\r\x0b\x1b\x1c\x1f\x7f\x80\x85\x9b\x9d\xa0\xa8\xad\xb4"
    "\u0300\u0301\u0308\u0323\u0327\u0344\u0345\u034f\u0958\u093c\u0930\u093f\u061c\u115f\u1160\u1680\u17b4\u180b\u180e"
    "\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u202e\u2060\u2064\u2066\u2069\u20e3\u2800\u3000\u3164\ufe0f\ufeff\uffa0"
    "\ufffc\ud800\udfff\ue000\uffff\U0001d159\U0001f468\U0001f3fd\U0001f1e9\U000e0001\U000e0061\U000e0101\U0010fffd"
    "eoaAſßİıΣςǅﬁ①：[]/\\@="
)
awkward_text = st.text(st.sampled_from(_AWKWARD) | st.characters(), max_size=40)


@given(awkward_text)
@example("\u0958\u0344\u0344")
def test_nothing_that_steers_or_hides_is_left(text: str) -> None:
    for shown in (visible(text), chat_line(text)):
        for char in shown:
            assert unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
            assert char == " " or not char.isspace()
        assert shown.isprintable()


@given(awkward_text)
def test_no_letter_carries_more_than_two_combining_marks_and_none_stands_alone(text: str) -> None:
    for shown in (visible(text), chat_line(text)):
        on_this_letter = 0
        for place, char in enumerate(shown):
            if unicodedata.category(char) in ("Mn", "Me"):
                on_this_letter += 1
                assert place > 0
                assert shown[place - on_this_letter] != " "
                assert on_this_letter <= 2
            else:
                on_this_letter = 0


@given(awkward_text)
def test_making_visible_twice_changes_nothing(text: str) -> None:
    assert visible(visible(text)) == visible(text)


@given(awkward_text)
@example("e\u200b\u0301")
@example(" \u0301x")
@example("a" * (CHAT_LENGTH - 1) + " b")
@example("e" * CHAT_LENGTH + "\u0301")
def test_a_chat_line_is_left_alone_the_second_time(text: str) -> None:
    assert chat_line(chat_line(text)) == chat_line(text)


@given(awkward_text)
def test_a_chat_line_is_at_most_300_characters_without_outer_spaces(text: str) -> None:
    line = chat_line(text * 12)
    assert len(line) <= CHAT_LENGTH
    assert line == line.strip()
    assert "  " not in line


@given(awkward_text)
@example("a\xa0b")
@example("\xb4a")
@example("ﬁ①")
def test_a_name_is_left_alone_the_second_time_or_refused_the_first(text: str) -> None:
    try:
        name = person_name(text)
    except NameInvalid:
        return
    assert person_name(name) == name
    assert visible(name) == name
    assert unicodedata.is_normalized("NFKC", name)
    assert 1 <= len(name) <= NAME_LENGTH


@given(awkward_text)
def test_what_two_names_are_compared_by_is_final(text: str) -> None:
    assert name_key(name_key(text)) == name_key(text)


@given(st.text(max_size=10))
def test_capitals_make_no_other_name(text: str) -> None:
    assume(text.upper().lower() == text.lower())
    assert name_key(text.upper()) == name_key(text.lower()) == name_key(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann", "aNN"),
        ("ann", "ａｎｎ"),
        ("Straße", "STRASSE"),
        ("Σίσυφος", "ΣΊΣΥΦΟΣ"),
        ("e\u0301va", "Éva"),
        ("ﬁn", "FIN"),
        ("K", "\u212a"),
        ("ᾳ", "ΑΙ"),
    ],
)
def test_names_that_read_alike_are_one_name(one: str, other: str) -> None:
    assert name_key(person_name(one)) == name_key(person_name(other))


@pytest.mark.parametrize(
    "name",
    [
        "ann",
        "Ann Lee",
        "Zoë",
        "李雷",
        "Ngọc",
        "नमस्ते",
        "ישראל",
        "🦊",
        "a" * NAME_LENGTH,
        "<b>",
        "[@click=app.quit]",
        "[/x",
        "#1",
    ],
)
def test_names_of_all_scripts_and_emoji_are_taken_as_they_are(name: str) -> None:
    assert person_name(name) == name


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("  ann  ", "ann"),
        ("ann\tlee", "ann lee"),
        ("ann \u00a0 lee", "ann lee"),
        ("ａｎｎ", "ann"),
        ("e\u0301va", "éva"),
    ],
)
def test_a_name_is_brought_into_the_form_it_is_shown_in(typed: str, shown: str) -> None:
    assert person_name(typed) == shown


UNFIT_NAMES = {
    "empty": "",
    "blank": " \t\u3000 ",
    "too long": "a" * (NAME_LENGTH + 1),
    "escape": "a\x1b[31m",
    "bell": "a\x07",
    "C1 control": "a\x9b31m",
    "next to nothing": "\u200b",
    "zero-width space": "an\u200bn",
    "zero-width joiner": "👨\u200d👩",
    "right to left override": "\u202eann",
    "isolate": "\u2066ann\u2069",
    "soft hyphen": "an\u00adn",
    "filler that looks blank": "ann\u3164",
    "blank braille": "\u2800\u2800",
    "variation selector": "❤\ufe0f",
    "tag characters": "ann\U000e0061",
    "stacked marks": "a\u0301\u0302\u0303",
    "mark alone": "\u0301",
    "accent that stands on a space": "\u00b4ann",
    "lone surrogate": "ann\ud800",
    "private use": "ann\ue000",
    "byte order mark": "\ufeffann",
    "like a bot's": "bot:steady",
    "like a bot's in capitals": "BOT:x",
    "like a bot's in wide letters": "ｂｏｔ：x",
    "like a bot's behind a space": "  bot:x",
}


@pytest.mark.parametrize("why", UNFIT_NAMES)
def test_a_name_that_hides_steers_or_deceives_is_refused(why: str) -> None:
    with pytest.raises(NameInvalid, match=r"^A name .*\.$"):
        person_name(UNFIT_NAMES[why])


@pytest.mark.parametrize("name", ["bot", "robot:x", "botany", "bot x"])
def test_only_the_mark_of_a_bot_is_kept_from_people(name: str) -> None:
    assert person_name(name) == name


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("hello", "hello"),
        ("two\nlines\r\nand\ttabs", "two lines and tabs"),
        ("\x1b[31mred\x1b[0m", "[31mred[0m"),
        ("\x1b]0;title\x07", "]0;title"),
        ("\x9b31mC1", "31mC1"),
        ("\x1b]8;;http://x\x1b\\y", "]8;;http://x\\y"),
        ("\u202egnirts", "gnirts"),
        ("z\u0301\u0302\u0303\u0304algo", "ź\u0302algo"),
        ("ệ\u0302", "ệ"),
        ("e\u200b\u0301", "é"),
        ("👍🏽 🎉", "👍🏽 🎉"),
        ("👨\u200d👩\u200d👧", "👨👩👧"),
        ("❤\ufe0f", "❤"),
        ("\u200b\u2060\ufeff", ""),
        (" \u2028 ", ""),
        ("ﬁ", "ﬁ"),
    ],
)
def test_a_chat_line_keeps_what_can_be_seen(typed: str, shown: str) -> None:
    assert chat_line(typed) == shown


def test_a_long_line_of_wide_characters_is_cut_at_300_of_them() -> None:
    assert chat_line("🎉" * 400) == "🎉" * CHAT_LENGTH


@pytest.mark.parametrize("markup", ["[@click=app.quit]x[/]", "[/x", "[red]SYSTEM", "[bold", "\\[x]", "[link=http://x]"])
def test_markup_stays_text_and_is_drawn_as_it_was_typed(markup: str) -> None:
    line = chat_line(markup)

    assert line == markup
    drawn = Text(line)
    assert drawn.plain == markup
    assert drawn.spans == []
