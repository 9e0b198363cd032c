"""What a terminal answers never becomes a key; what a person does comes through as it was, in whatever pieces."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from textual import events
from textual._ansi_sequences import ANSI_SEQUENCES_KEYS

from looseends_client.input_filter import LONGEST_PASTE, PATIENCE, InputFilter
from looseends_client.terminal_input import DELAY, TerminalInput

ANSWERS = {
    "DA1": "\x1b[?62;4;22;52c",
    "DA1 of a vt100": "\x1b[?1;2c",
    "DA2": "\x1b[>41;354;0c",
    "DA3": "\x1bP!|00000000\x1b\\",
    "XTVERSION": "\x1bP>|XTerm(354)\x1b\\",
    "XTVERSION of a multiplexer": "\x1bP>|tmux 3.4\x1b\\",
    "DECRQSS": "\x1bP1$r48:2:1:16:32:28m\x1b\\",
    "DECRQSS refused": "\x1bP0$r\x1b\\",
    "XTGETTCAP": "\x1bP1+r544e=787465726d\x1b\\",
    "OSC 4": "\x1b]4;1;rgb:cdcd/0000/0000\x07",
    "OSC 10": "\x1b]10;rgb:dfdf/e6e6/eaea\x1b\\",
    "OSC 11": "\x1b]11;rgb:1010/2020/1c1c\x07",
    "OSC 52": "\x1b]52;c;cGxheSBiMTUKcXEK\x1b\\",
    "OSC 52 with a book in it": f"\x1b]52;c;{'cGFzcyE' * 1_000}\x1b\\",
    "OSC 99": "\x1b]99;i=1:p=?;a=focus\x1b\\",
    "title": "\x1b]lno loose ends\x1b\\",
    "icon": "\x1b]Lno loose ends\x1b\\",
    "window's size in characters": "\x1b[8;24;80t",
    "window's size in pixels": "\x1b[4;600;800t",
    "cell's size": "\x1b[6;18;9t",
    "window's place": "\x1b[3;10;20t",
    "window's state": "\x1b[1t",
    "status": "\x1b[0n",
    "printer": "\x1b[?13n",
    "colour scheme": "\x1b[?997;1n",
    "cursor's place with a page": "\x1b[?1;1;1R",
    "mode that nobody asked for": "\x1b[?1016;2$y",
    "mode of ANSI": "\x1b[4;2$y",
    "kitty's flags": "\x1b[?25u",
    "modifyOtherKeys": "\x1b[>4;2m",
    "sixel": "\x1b[?1;0;256S",
    "DECREQTPARM": "\x1b[2;1;1;128;128;1;0x",
    "kitty's graphics": "\x1b_Gi=31;OK\x1b\\",
    "privacy message": "\x1b^hello\x1b\\",
    "start of string": "\x1bXq\x1b\\",
    "8-bit DCS": "\x90>|x\x9c",
    "8-bit CSI": "\x9b?62c",
    "8-bit OSC": "\x9d11;rgb:0/0/0\x9c",
    "window that cannot be": "\x1b[48;30000;30000;1;1t",
    "kitty's key that is no character": "\x1b[99999999;5u",
    "kitty's key that is half of one": "\x1b[55296u",
    "number of no key": "\x1b[99~",
    "sequence without an end in sight": "\x1b[" + "1;" * 40 + "q",
    "console's key that is none": "\x1b[[q",
    "keypad's key that is none": "\x1bOz",
    "keypad's key with a number that is none": "\x1bO5P",
    "kitty's key with too much": "\x1b[97;1;97;1u",
}
KEYS = {
    "arrows": "\x1b[A\x1b[B\x1b[C\x1b[D",
    "arrows of the application keypad": "\x1bOA\x1bOB\x1bOC\x1bOD",
    "arrows with modifiers": "\x1b[1;5A\x1b[1;2C",
    "function keys": "\x1bOP\x1b[15~\x1b[24~\x1b[1;2P",
    "function keys of the console": "\x1b[[A\x1b[[E",
    "keys of rxvt": "\x1b[a\x1b[23$\x1b[3^\x1b[c",
    "home, end, pages, delete": "\x1b[H\x1b[F\x1b[1~\x1b[4~\x1b[5~\x1b[6~\x1b[3~",
    "shift and tab": "\x1b[Z",
    "control and shift": "\x1b[1;5R\x1b[1;6x",
    "kitty's letters": "\x1b[98;;98u\x1b[97:65;2;65u\x1b[27u\x1b[13u\x1b[57414;129u",
    "xterm's other keys": "\x1b[27;5;13~",
    "Alt and a letter": "\x1bp\x1bd",
    "Alt and Enter": "\x1b\r",
    "clicks": "\x1b[<0;10;5M\x1b[<0;10;5m\x1b[<64;1;1M\x1b[<35;80;24M",
    "clicks outside of the window": "\x1b[<0;-1;5M",
    "clicks of urxvt": "\x1b[32;10;5M",
    "clicks of old": "\x1b[M !!\x1b[M#qq",
    "focus": "\x1b[I\x1b[O",
    "paste": "\x1b[200~b15\nq\x1b[201~",
    "cursor's place": "\x1b[24;80R",
    "modes that Textual asks for": "\x1b[?2026;2$y\x1b[?2048;0$y",
    "window": "\x1b[48;24;80;480;640t",
    "letters": "b15gqy?!",
    "letters of all the world": "éß한🎲",
    "control characters": "\r\t\x7f\x03\x11\x00",
}


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS.keys())
def test_an_answer_of_a_terminal_is_taken_out(answer: str) -> None:
    assert InputFilter().feed(f"b1{answer}5") == "b15"


@pytest.mark.parametrize("keys", KEYS.values(), ids=KEYS.keys())
def test_what_people_do_comes_through_unchanged(keys: str) -> None:
    assert InputFilter().feed(keys) == keys


@pytest.mark.parametrize("sequence", [keys for keys in ANSI_SEQUENCES_KEYS if keys not in ("\x1b", "\x1b\x1b", "\x9b")])
def test_every_key_that_textual_knows_comes_through(sequence: str) -> None:
    assert InputFilter().feed(sequence) == sequence


PIECES = st.lists(st.sampled_from([*ANSWERS.values(), *KEYS.values()]), max_size=5)


def _in_pieces(text: str, cuts: list[int]) -> list[str]:
    places = sorted({0, len(text), *(cut % (len(text) + 1) for cut in cuts)})
    return [text[start:end] for start, end in pairwise(places)]


@given(pieces=PIECES, cuts=st.lists(st.integers(0, 400), max_size=12))
def test_answers_among_keys_vanish_and_the_keys_stay_wherever_it_is_split(pieces: list[str], cuts: list[int]) -> None:
    text = "".join(pieces)
    kept = "".join(piece for piece in pieces if piece in KEYS.values())
    one = InputFilter()
    assert "".join(map(one.feed, _in_pieces(text, cuts))) == kept
    assert not one.holds


@given(
    text=st.text(st.sampled_from("\x1b[]PX^_O\\?>;0159$cuRtMm~ABI\x07\x9b\x9c\rbqé"), max_size=60),
    cuts=st.lists(st.integers(0, 60)),
)
@example("\x1b[200~\x1b[20\x1b[201~x", [6])
def test_any_split_of_any_text_gives_the_same(text: str, cuts: list[int]) -> None:
    one, other = InputFilter(), InputFilter()
    assert one.feed(text) == "".join(map(other.feed, _in_pieces(text, cuts)))
    assert vars(one) == vars(other)


@given(
    answer=st.sampled_from([answer for answer in ANSWERS.values() if answer[0] == "\x1b" and answer[1] not in "OX^"]),
    cuts=st.lists(st.integers(0, 400), max_size=4),
    waits=st.integers(1, PATIENCE // 5),
)
def test_an_answer_over_a_slow_line_is_none_the_less_taken_out(answer: str, cuts: list[int], waits: int) -> None:
    one = InputFilter()
    out = ""
    for piece in _in_pieces(answer, [2 + cut % (len(answer) - 1) for cut in cuts]):
        out += one.feed(piece)
        for _ in range(waits):
            out += one.let_go()
    assert out in ("", answer[:2])  # Alt and a letter looks no different, as long as no more of it has come
    assert one.feed("q") == "q"


@pytest.mark.parametrize("answer", ["\x1b[?62;4c", "\x1b]11;rgb:0/0/0\x07", "\x1bP>|xterm\x1b\\", "\x1b_Gi=1;OK\x1b\\"])
def test_an_answer_whose_esc_came_too_early_is_that_key_and_no_other(answer: str) -> None:
    one = InputFilter()
    assert one.feed(answer[0]) + one.let_go() == "\x1b"
    assert one.feed(answer[1:]) == ""
    assert one.feed("q") == "q"


def test_a_lone_esc_is_let_go_once_and_what_follows_it_later_is_typed() -> None:
    for typed in ("x2", "X2", "P", "[", "Old", "q", "\r"):
        one = InputFilter()
        assert one.feed("\x1b") == ""
        assert one.let_go() == "\x1b"
        assert one.let_go() == ""
        assert one.feed(typed) + one.let_go() == typed


def test_esc_pressed_twice_is_two_keys() -> None:
    one = InputFilter()
    assert one.feed("\x1b\x1b") + one.let_go() == "\x1b\x1b"


def test_esc_and_then_an_answer_is_esc() -> None:
    assert InputFilter().feed("\x1b\x1b[?62c\x1b[A") == "\x1b\x1b[A"


def test_alt_and_a_letter_that_begins_answers_is_let_go() -> None:
    for typed in ("\x1bP", "\x1b[", "\x1b]", "\x1bO", "\x1bX"):
        one = InputFilter()
        assert one.feed(typed) + one.let_go() == typed
        assert one.feed("a") == "a"


def test_a_sequence_that_never_ends_is_given_up_and_the_keyboard_works_again() -> None:
    for begun in ("\x1b[?62;", "\x1bP>|xter", "\x1b]11;rgb:", "\x1b[M!", "\x1b[" + "1;" * 40):
        one = InputFilter()
        assert one.feed(begun) == ""
        for _ in range(PATIENCE + 1):
            assert one.holds
            assert one.let_go() == ""
        assert not one.holds
        assert one.feed("q") == "q"


def test_enter_ends_a_sequence_that_was_cut_short() -> None:
    for begun in ("\x1b[?62;", "\x1bP>|xter", "\x1b]11;rgb:"):
        assert InputFilter().feed(f"{begun}\rq") == "\rq"


def test_what_cannot_be_in_a_sequence_ends_it_and_is_a_key() -> None:
    assert InputFilter().feed("\x1b[?1éq") == "éq"
    long = "\x1b[" + "1;" * 40
    assert InputFilter().feed(f"{long}\rq") == "\rq"
    assert InputFilter().feed(f"{long}\x1b[Aq") == "\x1b[Aq"
    assert InputFilter().feed(f"\x1b]52;c;{'Q' * 200_000}\rq") == "\rq"
    assert InputFilter().feed("\x1bP>|x\x18q") == "q"


def test_a_new_sequence_ends_one_that_was_cut_short() -> None:
    assert InputFilter().feed("\x1b[?62;\x1b[A\x1bP>|x\x1b[B") == "\x1b[A\x1b[B"


@pytest.mark.parametrize("begun", ["\x1bP>|", "\x1b]52;c;", "\x1b[1"])
def test_what_is_held_stays_small_however_much_comes(begun: str) -> None:
    one = InputFilter()
    one.feed(begun)
    for _ in range(20):
        one.feed("1" * 10_000)
    assert sum(len(value) for value in vars(one).values() if isinstance(value, str)) < 100
    assert one.feed("\x1b\\q") in ("\\q", "q", "\x1b\\q")


def test_a_paste_is_text_whatever_is_in_it_and_has_a_greatest_length() -> None:
    one = InputFilter()
    inside = "\x1b[A\x1b]0;x\x07\x1bP>|\x1b\\" + "z" * 50
    assert one.feed(f"\x1b[200~{inside}\x1b[201~q") == f"\x1b[200~{inside.replace(chr(27), '')}\x1b[201~q"
    long = one.feed("\x1b[200~" + "z" * (LONGEST_PASTE + 500))
    assert len(long) == len("\x1b[200~") + LONGEST_PASTE
    assert one.feed("\x1b[20") + one.let_go() + one.feed("1~q") == "\x1b[201~q"


# ── with Textual's parser behind it ─────────────────────────────────────────────────────────────────────────────────


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@given(
    pieces=st.lists(st.sampled_from(list(ANSWERS.values())), min_size=1, max_size=3), cuts=st.lists(st.integers(0, 99))
)
def test_no_answer_becomes_a_message(pieces: list[str], cuts: list[int]) -> None:
    terminal = TerminalInput(Clock())
    whole = "".join(pieces).encode()
    places = sorted({0, len(whole), *(cut % len(whole) for cut in cuts)})
    messages = [message for start, end in pairwise(places) for message in terminal.feed(whole[start:end])]
    assert messages == []
    terminal.close()


def test_bytes_that_are_no_text_and_letters_in_two_pieces() -> None:
    terminal = TerminalInput(Clock())
    keys = [message for part in (b"\xff", b"\xc3", b"\xa9", b"q") for message in terminal.feed(part)]
    assert [key.character for key in keys if isinstance(key, events.Key)] == ["�", "é", "q"]
    terminal.close()
    terminal.close()
    assert terminal.feed(b"q") == []


def test_a_lone_esc_is_a_key_after_the_time_that_textual_gives_it() -> None:
    clock = Clock()
    terminal = TerminalInput(clock)
    assert terminal.wait is None
    assert terminal.feed(b"\x1b") == []
    assert terminal.wait == pytest.approx(DELAY)
    assert terminal.tick() == []
    clock.now += DELAY
    keys = terminal.tick()
    assert [(key.key, key.character) for key in keys if isinstance(key, events.Key)] == [("escape", "\x1b")]
    for _ in range(PATIENCE):
        clock.now += DELAY
        assert terminal.tick() == []
    assert terminal.wait is None
    terminal.close()


def test_the_parser_sees_what_people_do() -> None:
    terminal = TerminalInput(Clock())
    kinds = [type(message).__name__ for message in terminal.feed(b"q\x1b[A\x1b[<0;3;4M\x1b[I\x1b[200~hi\x1b[201~")]
    assert kinds == ["Key", "Key", "MouseDown", "AppFocus", "Paste"]
    terminal.close()


def test_every_answer_here_would_have_been_keys_without_the_filter() -> None:
    from textual._xterm_parser import XTermParser

    harmful = 0
    for answer in ANSWERS.values():
        parser = XTermParser()
        try:
            messages = list(parser.feed(answer + "z" * 40))
        except ValueError:  # one of them even ends the thread that reads the keyboard
            harmful += 1
            continue
        harmful += any(isinstance(one, events.Key) and re.fullmatch("[^z]", one.character or "z") for one in messages)
        list(parser.feed(""))
    assert harmful > len(ANSWERS) // 2
