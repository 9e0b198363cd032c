"""`looseends simulate`: its table, its records, its seed, and what it refuses before it plays."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import subprocess
import sys
from pathlib import Path

import pytest

from looseends_client.commands import simulate as simulate_module
from tests.client.command import TIMEOUT, run, run_here

VARIANTS = ("--variant", "getaway", "--variant", "plan-b", "--variant", "double-cross")


def test_verify_accepts_the_records_and_every_deal_is_proven(tmp_path: Path) -> None:
    file = tmp_path / "out.jsonl"
    done = run("simulate", "--games", "20", "--players", "4", *VARIANTS, "--seed", "1", "--records", str(file))
    assert (done.code, done.err) == (0, "")
    verified = run("verify", str(file))
    assert verified == (0, "20 records, 0 bad\n", "")


def test_the_same_seed_gives_the_same_file_byte_for_byte_in_every_process(tmp_path: Path) -> None:
    files = []
    for hash_seed in ("0", "1", "4242"):
        file = tmp_path / f"{hash_seed}.jsonl"
        arguments = ("--games", "6", *VARIANTS, "--seed", "täglich", "--records", str(file))
        assert run("simulate", *arguments, env={"PYTHONHASHSEED": hash_seed}).code == 0
        files.append(file.read_bytes())
    assert files[0] == files[1] == files[2]
    assert len(files[0].splitlines()) == 6


def test_more_games_of_a_seed_begin_with_the_same_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for games in (2, 4):
        file = str(tmp_path / f"{games}.jsonl")
        assert run_here(capsys, ["simulate", "--games", str(games), "--seed", "9", "--records", file]).code == 0
    assert (tmp_path / "4.jsonl").read_bytes().startswith((tmp_path / "2.jsonl").read_bytes())


def test_without_a_seed_one_is_drawn_and_printed_and_gives_the_same_games_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = run_here(capsys, ["simulate", "--games", "3", "--records", str(tmp_path / "a.jsonl")])
    seed = re.search(r"^3 games of 4 players, seed (\d+)$", first.out, re.MULTILINE)
    assert seed
    run_here(capsys, ["simulate", "--games", "3", "--seed", seed[1], "--records", str(tmp_path / "b.jsonl")])
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
    other = run_here(capsys, ["simulate", "--games", "3"])
    assert "seed" in other.out
    assert f"seed {seed[1]}" not in other.out


def test_the_table_is_the_mean_the_standard_error_and_the_wins_of_each_bot_in_the_records(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Worked out once more from the records: a bot with several seats counts once a game, a shared win in parts."""
    file = tmp_path / "games.jsonl"
    arguments = ["--games", "9", "--players", "3", "--rounds", "1", "--hand-size", "3", "--scoring", "simplified"]
    done = run_here(capsys, ["simulate", *arguments, "--seed", "5", "--records", str(file)])
    records = [json.loads(line) for line in file.read_text().splitlines()]
    assert any(len(record["winners"]) > 1 for record in records), "choose a seed with a shared win"
    for bot in ("rookie", "steady"):
        means, wins = [], 0.0
        for record in records:
            seats = [seat for seat, name in enumerate(record["players"]) if name == f"bot:{bot}"]
            means.append(sum(record["scores"][seat] for seat in seats) / len(seats))
            wins += sum(seat in record["winners"] for seat in seats) / len(record["winners"])
        mean = sum(means) / len(means)
        error = (sum((one - mean) ** 2 for one in means) / (len(means) - 1) / len(means)) ** 0.5
        row = next(line.split() for line in done.out.splitlines() if line.strip().startswith(bot))
        assert row[2:5] == [f"{mean:.2f}", f"{error:.2f}", f"{wins:.1f}"]


def test_the_bots_are_repeated_over_the_seats_and_move_on_one_seat_a_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.jsonl"
    arguments = ["--games", "3", "--players", "3", "--bots", "steady, rookie", "--records", str(file)]
    assert run_here(capsys, ["simulate", *arguments]).code == 0
    seated = [json.loads(line)["players"] for line in file.read_text().splitlines()]
    s, r = "bot:steady", "bot:rookie"
    assert seated == [[s, r, s], [r, s, s], [s, s, r]]


def test_every_option_of_the_rules_reaches_the_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "games.jsonl"
    options = ["--players", "2", "--variant", "plan-b", "--scoring", "3,-1,-2,4,9", "--rounds", "2"]
    options += ["--hand-size", "5", "--max-bid", "2", "--first-player", "rotate"]
    done = run_here(capsys, ["simulate", "--games", "1", *options, "--records", str(file)])
    assert done.code == 0
    scoring = {"covered": 3, "loose_end": -1, "loose_end_with_snitch": -2, "perfect_crime": 4, "snitch": 9}
    assert json.loads(file.read_text())["rules"] == {
        "players": 2,
        "variants": ["plan-b"],
        "scoring": scoring,
        "rounds": 2,
        "hand_size": 5,
        "max_bid": 2,
        "first_player": "rotate",
    }


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        (["--players", "6"], "--players must be a whole number from 2 to 5, not 6."),
        (["--variant", "x\x1b[2J"], "--variant must be among double-cross, getaway, plan-b"),
        (["--variant", "plan-b", "--variant", "plan-b"], "--variant must name each variant once"),
        (["--scoring", "golden"], "--scoring must be"),
        (["--scoring", "2,-1,-2,5"], "--scoring must be standard, simplified or five whole numbers"),
        (["--scoring", "2,-1,-2,5,x"], "--scoring must be standard, simplified or five whole numbers"),
        (["--scoring=-101,0,0,0,0"], "--scoring: covered must be a whole number from -100 to 100, not -101."),
        (["--rounds", "0"], "--rounds must be a whole number from 1 to 20, not 0."),
        (["--hand-size", "16"], "--hand-size must leave every player a hand"),
        (["--max-bid", "15"], "--max-bid must be a whole number from 0 to 14, not 15."),
        (["--first-player", "me"], "--first-player must be"),
        (["--bots", "steady,ace"], "--bots must be among rookie, steady"),
        (["--bots", "rookie,rookie,rookie,rookie,rookie"], "--bots names 5 bots for 4 seats"),
        (["--games", "0"], "--games must be 1 or more, not 0."),
        (["--games", "many"], "Invalid value for --games"),
        (["--game", "3"], "--game"),
        (["--records", "-"], "--records needs a file"),
    ],
)
def test_what_cannot_be_played_is_refused_in_one_line_that_names_the_option(
    capsys: pytest.CaptureFixture[str], option: list[str], expected: str
) -> None:
    games = [] if "--games" in option else ["--games", "1"]
    done = run_here(capsys, ["simulate", *games, *option])
    assert done.code == 2
    assert done.out == ""
    assert len(done.err.splitlines()) == 1
    assert expected in done.err
    assert "\x1b" not in done.err


# The file of records


@pytest.fixture
def no_game_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a game was played")

    monkeypatch.setattr(simulate_module, "play_bot_game", refuse)


@pytest.mark.usefixtures("no_game_is_played")
def test_a_file_that_cannot_be_written_is_refused_before_a_game_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for file, reason in ((tmp_path / "no" / "x.jsonl", "No such file or directory"), (tmp_path, "Is a directory")):
        done = run_here(capsys, ["simulate", "--games", "1", "--records", str(file)])
        assert done.code == 2
        assert f"--records {file} cannot be written: {reason}" in done.err


@pytest.mark.usefixtures("no_game_is_played")
def test_a_file_of_something_else_is_never_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "diary.txt"
    file.write_text("dear diary")
    done = run_here(capsys, ["simulate", "--games", "1", "--records", str(file)])
    assert done.code == 2
    assert "holds no game records" in done.err
    assert file.read_text() == "dear diary"


def test_a_file_of_game_records_is_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "games.jsonl"
    for games in (3, 2):
        assert run_here(capsys, ["simulate", "--games", str(games), "--records", str(file)]).code == 0
    assert len(file.read_text().splitlines()) == 2
    assert list(tmp_path.iterdir()) == [file]


def test_a_run_that_breaks_leaves_the_old_file_and_nothing_beside_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "games.jsonl"
    assert run_here(capsys, ["simulate", "--games", "2", "--records", str(file)]).code == 0
    old = file.read_bytes()
    monkeypatch.setattr(simulate_module, "_count", _interrupt)
    assert run_here(capsys, ["simulate", "--games", "2", "--records", str(file)]).code == 130
    assert file.read_bytes() == old
    assert list(tmp_path.iterdir()) == [file]


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def test_a_device_is_written_to_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_here(capsys, ["simulate", "--games", "1", "--records", os.devnull]).code == 0
    assert not Path(os.devnull).is_file()


# Progress


def test_a_progress_bar_is_drawn_on_a_terminal_and_on_stderr_alone() -> None:
    leader, follower = pty.openpty()
    try:
        with subprocess.Popen(
            [sys.executable, "-m", "looseends_client", "simulate", "--games", "5", "--seed", "1"],
            stdout=subprocess.PIPE,
            stderr=follower,
        ) as process:
            out, _ = process.communicate(timeout=TIMEOUT)
        drawn = b""
        while select.select([leader], [], [], 0)[0]:
            drawn += os.read(leader, 65536)
    finally:
        os.close(follower)
        os.close(leader)
    assert process.returncode == 0
    assert b"5/5" in drawn
    assert b"\x1b" not in out
    assert out.decode() == run("simulate", "--games", "5", "--seed", "1").out
