"""Programs as players: what they are told, and that none of them, however bad, hinders a game or is left running."""

from __future__ import annotations

import contextlib
import json
import os
import random
import select
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from looseends_client.programs.player import STARTS, ProgramPlayer
from looseends_client.programs.program import LINE_LIMIT, can_run_programs, words_of
from looseends_client.programs.view_json import AnswerInvalid, action_of_line, action_to_json, view_to_json
from looseends_core.actions import PASS, Action
from looseends_core.bot_game import play_bot_game
from looseends_core.bots import LEVELS
from looseends_core.bots.steady import choose_as_steady
from looseends_core.cards import parse
from looseends_core.decide import legal_actions
from looseends_core.events import Event
from looseends_core.redact import redact
from looseends_core.rules import VARIANTS, RuleSet, rule_set
from looseends_core.state import State, fold
from tests.strategies import rule_sets

needs_processes = pytest.mark.skipif(not can_run_programs(), reason="no process groups on this system")

LONG = 60.0
"""Seconds that a program that answers may take: nothing here waits for them."""
SHORT = 0.05
"""Seconds after which one that never answers is given up."""

RULES = rule_set(3, VARIANTS, rounds=1, hand_size=4)


def moments(rules: RuleSet, seed: str) -> Iterator[tuple[State, State]]:
    """Yield the full state and the view of the seat on turn, at each decision of a game."""
    past: list[Event] = []
    for event in play_bot_game(rules, [LEVELS["rookie"].choose] * rules.players, seed):
        past.append(event)
        state = fold(rules, past)
        if state.turn is not None and legal_actions(state):
            yield state, fold(rules, [redact(one, state.turn) for one in past])


# What a program is told


@settings(max_examples=15)
@given(rule_sets(max_rounds=2, max_hand=8), st.text(max_size=4))
def test_a_view_is_the_same_whatever_else_its_source_knows_and_names_no_card_that_the_seat_has_not_seen(
    rules: RuleSet, seed: str
) -> None:
    for state, view in moments(rules, seed):
        told = view_to_json(view, 7)
        assert told == view_to_json(state, 7)
        seen = set(told["hand"]) | {card for bids in told["bids"] for card in bids}
        seen |= {card for shown in told["shown"] for card in shown} | {card for _, card in told["trick"]}
        seen |= {card for trick in told["tricks"] for _, card in trick["plays"]}
        text = json.dumps({key: value for key, value in told.items() if key not in ("phase", "rules")})
        assert seen >= {word for word in text.replace('"', " ").replace(",", " ").split() if word[0] in "BRGYX"}
        assert [action_of_line(json.dumps(one).encode(), view) for one in told["legal"]] == legal_actions(view)


def test_a_view_says_what_a_seat_needs_to_play() -> None:
    _, view = next(moment for moment in moments(RULES, "3") if moment[1].tricks and moment[1].trick)
    told = view_to_json(view, 99)
    assert (told["format"], told["version"], told["seed"]) == ("no-loose-ends/view", 1, 99)
    assert (told["seat"], told["phase"], told["round"]) == (view.turn, "playing", 1)
    assert told["rules"]["variants"] == list(VARIANTS)
    assert [parse(card) for _, card in told["trick"]] == [card for _, card in view.trick]
    assert told["tricks"][0]["winner"] == view.tricks[0].winner
    assert told["hand_sizes"] == view.hand_sizes
    assert told["legal"] == [action_to_json(action) for action in legal_actions(view)]


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"pass",
        b'"pass"',
        b'["play"]',
        b'["play", "B99"]',
        b'[0, "pass"]',
        b"\xff\x00",
        b"[" * 3000,
        b"{}",
        b"null",
    ],
    ids=repr,
)
def test_what_is_no_legal_action_is_refused_in_a_harmless_sentence(line: bytes) -> None:
    _, view = next(moments(RULES, "1"))
    with pytest.raises(AnswerInvalid) as refused:
        action_of_line(line, view)
    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < 200


# How it is run


class Played:
    """A program at work on one view, as often as it is asked, and what was said of it."""

    def __init__(self, folder: Path, source: str, seconds: float = LONG) -> None:
        script = folder / "program.py"
        script.write_text(f"import sys, os, time, json, signal\n{source}\n")
        self.said: list[str] = []
        command = shlex.join([sys.executable, "-S", str(script)])
        self.player = ProgramPlayer(command, self.said.append, seconds=seconds, starting_seconds=seconds)
        _, self.view = next(moments(RULES, "1"))

    def choose(self) -> Action:
        return self.player.choose(self.view, random.Random(5))


@contextlib.contextmanager
def playing(folder: Path, source: str, seconds: float = LONG) -> Iterator[Played]:
    played = Played(folder, source, seconds)
    try:
        yield played
    finally:
        played.player.close(kindly=False)


def instead(view: State) -> Action:
    """Return what steady chooses in the place of the program, which has drawn its seed before."""
    rng = random.Random(5)
    rng.random()
    return choose_as_steady(view, rng)


PASSES = 'for line in sys.stdin: print(json.dumps(["pass"]), flush=True)'


@needs_processes
def test_a_program_that_answers_is_asked_again_and_again_and_ends_when_its_input_does(tmp_path: Path) -> None:
    source = f"{PASSES}\nopen({str(tmp_path / 'end')!r}, 'w').write('1')"
    with playing(tmp_path, source) as played:
        assert [played.choose() for _ in range(20)] == [PASS] * 20
        played.player.close()
        assert (tmp_path / "end").exists()
        assert (played.said, played.player.replaced) == ([], 0)


@needs_processes
@pytest.mark.parametrize(
    ("source", "seconds", "reason"),
    [
        ("sys.exit(3)", LONG, "ended"),
        ("sys.stdin.readline(); print('[\"pa', end='', flush=True)", LONG, "ended"),
        ("os.close(0); signal.pause()", SHORT, "does not read what it is asked|took more than 0.1 seconds"),
        ("signal.pause()", SHORT, "took more than 0.1 seconds"),
        ("sys.stdin.readline(); signal.pause()", SHORT, "took more than 0.1 seconds"),
        ("while True: os.write(1, b'x' * 65536)", LONG, f"wrote a line of more than {LINE_LIMIT} bytes"),
        (f"sys.stdin.readline(); print('x' * {LINE_LIMIT + 1}, flush=True)", LONG, "wrote a line of more than"),
    ],
    ids=["ends", "ends-in-a-line", "closes-its-input", "never-reads", "never-answers", "floods-a-line", "long-line"],
)
def test_steady_chooses_for_a_program_that_fails_which_is_started_anew_a_few_times(
    tmp_path: Path, source: str, seconds: float, reason: str
) -> None:
    with playing(tmp_path, source, seconds) as played:
        expected = instead(played.view)
        assert [played.choose() for _ in range(STARTS + 2)] == [expected] * (STARTS + 2)
        assert played.player.replaced == STARTS + 2
        assert len(played.said) == STARTS
        for sentence in played.said:
            assert any(one in sentence for one in reason.split("|"))
        assert "it is started anew" in played.said[0]
        assert "steady plays on for it" in played.said[-1]


@needs_processes
@pytest.mark.parametrize("line", ["hello", '["play", "B15", "now"]', '["double-cross"]', "\\x1b[2J"])
def test_one_bad_answer_costs_that_decision_alone(tmp_path: Path, line: str) -> None:
    with playing(tmp_path, f"sys.stdin.readline()\nprint('{line}', flush=True)\n{PASSES}") as played:
        assert [played.choose() for _ in range(3)] == [instead(played.view), PASS, PASS]
        assert played.player.replaced == 1
        assert len(played.said) == 1
        assert "steady chooses this once" in played.said[0]
        assert played.said[0].isprintable()


@needs_processes
def test_whoever_answers_more_than_it_is_asked_is_started_anew(tmp_path: Path) -> None:
    with playing(tmp_path, 'for line in sys.stdin: print(\'["pass"]\\n["pass"]\', flush=True)') as played:
        assert [played.choose() for _ in range(2)] == [PASS, instead(played.view)]
        assert "wrote more than one line for one view" in played.said[0]


@needs_processes
def test_a_flood_of_good_lines_is_not_taken_for_answers(tmp_path: Path) -> None:
    with playing(tmp_path, "while True: os.write(1, b'[\"pass\"]\\n' * 999)") as played:
        for _ in range(STARTS * 2 + 1):
            assert played.choose() in (PASS, instead(played.view))
        assert len(played.said) == STARTS
        assert all("line" in sentence for sentence in played.said)


@needs_processes
@pytest.mark.parametrize("kindly", [True, False])
def test_what_a_program_started_is_killed_with_it(tmp_path: Path, kindly: bool) -> None:
    """The child that it leaves behind holds a pipe open: the pipe ends when the child does."""
    pipe = tmp_path / "held"
    os.mkfifo(pipe)
    source = f"""
held = os.open({str(pipe)!r}, os.O_WRONLY)
sys.stdin.readline()
if os.fork() == 0:
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT): signal.signal(number, signal.SIG_IGN)
    while True: signal.pause()
print(json.dumps(["pass"]), flush=True)
"""
    held = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with playing(tmp_path, source) as played:
            assert played.choose() == PASS
            assert not select.select([held], [], [], 0)[0]
            played.player.close(kindly=kindly)
        assert select.select([held], [], [], LONG)[0]
        assert os.read(held, 1) == b""
    finally:
        os.close(held)


@needs_processes
def test_nothing_is_left_of_a_program_that_was_given_up(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    source = f"open({str(pid)!r}, 'w').write(str(os.getpid()))\nos.write(1, b'x' * 9999)\nsignal.pause()"
    with playing(tmp_path, source) as played:
        played.choose()
        with pytest.raises(ProcessLookupError):
            os.killpg(int(pid.read_text()), 0)


def test_a_command_that_cannot_be_run_is_refused_before_anything_is_played() -> None:
    if not can_run_programs():
        with pytest.raises(ValueError, match="process groups"):
            words_of("x")
        return
    for command, reason in (("", "empty"), ("'x", "cannot be read"), ("./no-such-bot --now", "no program './no-such")):
        with pytest.raises(ValueError, match=reason):
            ProgramPlayer(command, print)


def test_where_there_are_no_process_groups_a_program_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("looseends_client.programs.program.can_run_programs", lambda: False)
    with pytest.raises(ValueError, match="process groups"):
        words_of(sys.executable)
