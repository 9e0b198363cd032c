"""`looseends arena`: duplicate matches by the real command, side by side too, their records, and how they end."""

from __future__ import annotations

import json
import os
import pty
import random
import select
import shlex
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from looseends_client.arena import workers
from looseends_client.arena.entrants import Entrant
from looseends_client.arena.game import GameResult, GameTask, MatchSetup
from looseends_client.arena.workers import WorkerLost, play_games
from looseends_client.commands import arena_quick
from looseends_client.programs.program import can_run_programs
from looseends_core.actions import DOUBLE_CROSS
from looseends_core.bots import LEVELS, Level
from looseends_core.rules import rule_set
from tests.client.command import TIMEOUT, run, run_here

SMALL = ("--rounds", "1", "--hand-size", "4")
PAIR = ("--line-up", "steady,rookie")
EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "program_bot.py"
needs_processes = pytest.mark.skipif(not can_run_programs(), reason="no process groups on this system")


def played(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    done = run_here(capsys, ["arena", "--json", *arguments])
    assert done.code == 0, done.err
    result: dict[str, Any] = json.loads(done.out)
    return result


def without_times(result: dict[str, Any]) -> dict[str, Any]:
    for bot in result["bots"]:
        del bot["seconds_a_decision"]
    return {key: value for key, value in result.items() if key not in ("seconds", "decisions_a_second", "jobs")}


def test_every_deal_is_played_in_every_arrangement_and_verify_accepts_the_records(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    options = (*PAIR, "--players", "3", "--deals", "2", "--variants", "all", "--seed", "1", "--records", str(file))
    done = run("arena", *options)
    assert (done.code, done.err) == (0, f"12 records in {file}: `looseends verify` checks them.\n")
    assert done.out.startswith("2 deals, 12 games of 3 players, variants all, seed 1\n")
    assert run("verify", str(file)) == (0, "12 records, 0 bad\n", "")
    records = [json.loads(line) for line in file.read_text().splitlines()]
    for deal in (records[:6], records[6:]):
        assert len({json.dumps([one["hands"] for one in record["rounds"]]) for record in deal}) == 1
        assert len({tuple(record["players"]) for record in deal}) == 6
        for seat in range(3):
            assert Counter(record["players"][seat] for record in deal) == {"bot:steady": 3, "bot:rookie": 3}
    assert records[0]["rounds"][0]["hands"] != records[6]["rounds"][0]["hands"]
    assert records[0]["rules"]["variants"] == ["double-cross", "getaway", "plan-b"]
    assert records[0]["rules"]["scoring"] == "simplified"


def test_the_margin_and_the_means_are_those_of_the_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Worked out once more from the records, one number a deal."""
    file = tmp_path / "games.jsonl"
    options = ("--line-up", "steady,rookie,rookie", "--deals", "4", "--seed", "x", "--records", str(file))
    result = played(capsys, *options)
    records = [json.loads(line) for line in file.read_text().splitlines()]
    assert (result["games"], len(records)) == (12, 12)
    means: dict[str, list[float]] = {"steady": [], "rookie": []}
    for deal in range(4):
        of_deal = records[deal * 3 : deal * 3 + 3]
        for bot, found in means.items():
            scores = [
                record["scores"][seat]
                for record in of_deal
                for seat, name in enumerate(record["players"])
                if name == f"bot:{bot}"
            ]
            found.append(sum(scores) / len(scores))
    margins = [mine - theirs for mine, theirs in zip(means["steady"], means["rookie"], strict=True)]
    mean = sum(margins) / 4
    [told] = result["margins"]
    assert (told["of"], told["over"]) == ("steady", "rookie")
    assert told["mean"] == pytest.approx(mean)
    assert told["standard_error"] == pytest.approx((sum((one - mean) ** 2 for one in margins) / 3 / 4) ** 0.5)
    for bot in result["bots"]:
        assert bot["score"]["mean"] == pytest.approx(sum(means[bot["bot"]]) / 4)
        mine = [(r, s) for r in records for s, name in enumerate(r["players"]) if name == f"bot:{bot['bot']}"]
        assert bot["wins"] == pytest.approx(sum((s in r["winners"]) / len(r["winners"]) for r, s in mine))
        assert bot["seats"] == len(mine)
        assert bot["rounds"] == 3 * len(mine)
    assert result["decisions"] == sum(len(one["actions"]) for record in records for one in record["rounds"])


def test_side_by_side_comes_out_as_one_after_the_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--line-up", "steady,rookie,rookie", *SMALL, "--deals", "5", "--seed", "2")
    files = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"]
    one = played(capsys, *options, "--jobs", "1", "--records", str(files[0]))
    two = played(capsys, *options, "--jobs", "2", "--records", str(files[1]))
    assert without_times(one) == without_times(two)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_mirrored_a_deal_is_played_with_the_two_bots_swapped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.jsonl"
    options = (*PAIR, "--players", "3", *SMALL, "--deals", "3", "--mirror", "--records", str(file))
    assert played(capsys, *options)["games"] == 6
    names = [json.loads(line)["players"] for line in file.read_text().splitlines()]
    for one, other in (names[0:2], names[2:4], names[4:6]):
        assert all({a, b} == {"bot:steady", "bot:rookie"} for a, b in zip(one, other, strict=True))
    assert len({tuple(seated) for seated in names}) == 6


def test_every_level_can_enter_and_the_lines_say_who_beats_whom(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--line-up", ",".join(LEVELS), "--players", "2", "--rounds", "1", "--hand-size", "3", "--deals", "2"]
    done = run_here(capsys, ["arena", *options])
    assert done.code == 0
    for level in LEVELS:
        assert f"\n {level} " in done.out
    assert done.out.count(" over ") == 6
    assert "points a game" in done.out
    assert "decisions in" in done.out
    assert max(map(len, done.out.splitlines())) <= 80


def test_one_deal_has_no_standard_error_and_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    done = run_here(capsys, ["arena", *PAIR, *SMALL, "--deals", "1"])
    assert "one deal: how sure that is, nobody can say" in done.out
    assert played(capsys, *PAIR, *SMALL, "--deals", "1")["margins"][0]["standard_error"] is None


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--line-up", "steady,ace"], "'ace' is no bot: expected rookie, steady"),
        (["--line-up", "steady"], "--line-up names 1: say with --players a number from 2 to 5"),
        (["--line-up", ",".join(["rookie"] * 6)], "--line-up names 6"),
        (["--line-up", ",".join(["rookie"] * 11)], "at most 10"),
        (["--line-up", ",".join(["rookie"] * 10), "--players", "5"], "arrangements on 5 seats: name fewer"),
        (["--players", "6"], "--players must be a number from 2 to 5, not 6."),
        (
            ["--variants", "plan-c"],
            "--variants must be none, all, or some of double-cross, getaway, plan-b, simplified",
        ),
        (["--variants", "plan-b,plan-b"], "--variants must name each variant once: plan-b"),
        (["--deals", "0"], "--deals must be 1 or more, not 0."),
        (["--jobs", "0"], "--jobs must be 1 or more, not 0."),
        (["--limit", "0"], "--limit must be from 0.01 to 3600 seconds, not 0."),
        (["--mirror", "--line-up", "sharp,steady,rookie"], "--mirror needs two different bots"),
        (["--mirror", "--line-up", "steady,steady"], "--mirror needs two different bots"),
        (["--rounds", "0"], "--rounds must be a whole number from 1 to 20, not 0."),
        (["--line-up", "cmd:./no-such-bot,steady"], "no-such-bot" if can_run_programs() else "process groups"),
        (["--records", "-"], "--records needs a file"),
    ],
)
def test_what_cannot_be_played_is_refused_in_one_line_that_names_the_option(
    capsys: pytest.CaptureFixture[str], options: list[str], expected: str
) -> None:
    done = run_here(capsys, ["arena", *options])
    assert (done.code, done.out) == (2, "")
    assert len(done.err.splitlines()) == 1
    assert expected in done.err


# A program of somebody else


@needs_processes
def test_the_example_program_plays_by_the_rules_and_better_than_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.jsonl"
    program = f"cmd:{shlex.join([sys.executable, str(EXAMPLE)])}"
    options = ("--line-up", f"{program},rookie", "--players", "3", "--variants", "all", "--deals", "2", "--seed", "1")
    result = played(capsys, *options, "--records", str(file))
    [mine] = [bot for bot in result["bots"] if not bot["is_level"]]
    assert (mine["bot"], mine["replaced"]) == (program, 0)
    assert mine["decisions"] > 0
    # Its numbers come from the view alone, so its games repeat.
    assert without_times(played(capsys, *options)) == without_times(result)
    assert run("verify", str(file)) == (0, "12 records, 0 bad\n", "")
    assert program[: 64 - 4] in file.read_text()


def test_the_example_program_is_as_short_as_the_docs_say() -> None:
    code = EXAMPLE.read_text().split('"""', 2)[2]
    assert sum(bool(line.strip()) for line in code.splitlines()) <= 20


@needs_processes
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_program_that_fails_is_replaced_said_and_counted_and_the_match_goes_on(tmp_path: Path, jobs: str) -> None:
    script = tmp_path / "bad.py"
    script.write_text("import sys\nfor line in sys.stdin: print('\\x1b[2J no', flush=True)\n")
    options = ("--line-up", f"cmd:{sys.executable} {script},rookie", *SMALL, "--deals", "2", "--jobs", jobs)
    done = run("arena", "--json", *options)
    assert done.code == 0
    [mine] = [bot for bot in json.loads(done.out)["bots"] if not bot["is_level"]]
    assert mine["replaced"] == mine["decisions"] > 0
    assert "which is no action" in done.err
    assert "\x1b" not in done.err
    assert "steady took" in run("arena", *options).out


# How a match ends


def test_ctrl_c_prints_what_was_reached_keeps_the_records_and_leaves_no_process(tmp_path: Path) -> None:
    """With two processes side by side, by the signal that a terminal sends to all of them."""
    file = tmp_path / "games.jsonl"
    leader, follower = pty.openpty()
    command = ["arena", *PAIR, *SMALL, "--deals", "100000", "--jobs", "2", "--seed", "1", "--records", str(file)]
    try:
        process = subprocess.Popen(
            [sys.executable, "-m", "looseends_client", *command],
            stdout=subprocess.PIPE,
            stderr=follower,
            start_new_session=True,
        )
        with process:
            drawn = b""
            # The bar is drawn from the beginning; a count with a digit before the total says that games were played.
            while b"games" not in drawn or b" 0/200000" in drawn.rpartition(b"games")[2][-400:]:
                assert select.select([leader], [], [], TIMEOUT)[0]
                drawn += os.read(leader, 65536)
            os.killpg(process.pid, signal.SIGINT)
            out, _ = process.communicate(timeout=TIMEOUT)
        os.close(follower)
        # Every process of it has the terminal as its stderr: it ends when the last of them has.
        assert ends(leader)
    finally:
        os.close(leader)
    assert process.returncode == 130
    assert out.startswith(b"interrupted after ")
    records = file.read_bytes().splitlines()
    assert records
    assert json.loads(records[-1])["scores"]


def ends(leader: int) -> bool:
    """Return True when nobody holds the other end of a terminal any more, False where that takes too long."""
    while select.select([leader], [], [], TIMEOUT)[0]:
        try:
            if not os.read(leader, 65536):
                return True
        except OSError:
            return True
    return False


def test_with_nothing_reached_there_is_nothing_to_compare(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(LEVELS, "rookie", Level("rookie", "", _interrupt))
    done = run_here(capsys, ["arena", *PAIR, *SMALL])
    assert done.code == 130
    assert "there is nothing to compare" in done.out
    assert json.loads(run_here(capsys, ["arena", "--json", *PAIR, *SMALL]).out)["margins"] == []


def _interrupt(*_: object) -> Any:
    raise KeyboardInterrupt


def _cheat(*_: object) -> Any:
    return DOUBLE_CROSS


def test_an_illegal_choice_ends_the_match_and_says_where(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(LEVELS, "rookie", Level("rookie", "", _cheat))
    done = run_here(capsys, ["arena", *PAIR, *SMALL, "--seed", "9"])
    assert done.code == 1
    assert "an illegal choice in deal 0 of seed 9 with steady, rookie on the seats" in done.err


SETUP = MatchSetup(rule_set(2, rounds=1, hand_size=4), "1", (Entrant("rookie"),))


def results(tasks: Iterator[GameTask]) -> Iterator[GameResult]:
    return play_games(SETUP, tasks, 2)


def test_a_process_that_dies_ends_the_match_instead_of_being_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[Any] = []
    start: Callable[[MatchSetup], Any] = workers._started  # pyright: ignore[reportPrivateUsage]

    def noted(setup: MatchSetup) -> Any:
        started.append(start(setup))
        return started[-1]

    monkeypatch.setattr(workers, "_started", noted)
    games = results(GameTask(deal, (0, 0)) for deal in range(1000))
    next(games)
    started[0].process.kill()
    with pytest.raises(WorkerLost, match="is gone"):
        for _ in games:
            pass


def test_a_fault_in_a_process_comes_out_of_it() -> None:
    with pytest.raises(WorkerLost, match="IndexError"):
        list(results(GameTask(deal, (0, 1)) for deal in range(1)))


# Quick


@pytest.fixture
def two_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(LEVELS):
        if name not in ("rookie", "steady"):
            monkeypatch.delitem(LEVELS, name)


@pytest.mark.usefixtures("two_levels")
def test_quick_accepts_levels_that_run_repeat_and_stand_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    done = run_here(capsys, ["arena", "--quick", "--jobs", "1"])
    assert done.code == 0, done.out
    assert "steady over rookie: +" in done.out
    assert "steady: plays with 2 to 5 players and all variants, twice the same" in done.out


@pytest.mark.usefixtures("two_levels")
@pytest.mark.parametrize("fault", ["illegal", "beaten", "random"])
def test_quick_finds_a_level_that_is_broken(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    rookie, steady = LEVELS["rookie"], LEVELS["steady"]
    drawn = iter(range(10**9))
    broken = {
        "illegal": _cheat,
        "beaten": rookie.choose,
        "random": lambda view, rng: rookie.choose(view, random.Random(next(drawn))),
    }
    said = {"illegal": "illegal choice", "beaten": "(-", "random": "came out in two ways"}
    if fault == "beaten":
        monkeypatch.setitem(LEVELS, "rookie", Level("rookie", "", steady.choose))
    monkeypatch.setitem(LEVELS, "steady", Level("steady", "", broken[fault]))
    done = run_here(capsys, ["arena", "--quick", "--jobs", "1"])
    assert done.code == 1
    assert said[fault] in done.out
    assert "broken" in done.out


def test_quick_is_interrupted_like_any_command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arena_quick, "_plays_everywhere", _interrupt)
    assert run_here(capsys, ["arena", "--quick"]).code == 130
