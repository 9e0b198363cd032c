"""`looseends bench`: each benchmark runs the real thing and says what it measured; how fast it was is not tested."""

from __future__ import annotations

import json

import pytest

from looseends_client.commands import CommandFailed, bench_bots, bench_start
from looseends_client.commands.bench import BENCHMARKS
from looseends_client.main import COMMANDS
from tests.client.command import run, run_here


def test_the_list_names_every_benchmark() -> None:
    shown = run("bench", "--help").out
    for benchmark in BENCHMARKS:
        assert benchmark.name in shown


def test_bots_think_beside_a_loop_that_is_measured() -> None:
    done = run("bench", "bots", "--bots", "2", "--players", "2", "--seconds", "1", "--json")
    assert done.code == 0, done.err
    measured = json.loads(done.out)
    assert measured["bots"] == 2
    assert measured["levels"] == ["sharp", "fox"]
    assert measured["workers"] == 1
    assert measured["thoughts"] == measured["outcomes"].get("whole", 0)
    assert measured["lag_p50_ms"] <= measured["lag_p99_ms"] <= measured["lag_max_ms"]


def test_bots_tell_in_lines_too(capsys: pytest.CaptureFixture[str]) -> None:
    measured = bench_bots.Measured(
        bots=20,
        players=4,
        levels=("sharp",),
        seconds=20.0,
        workers=1,
        loop="uvloop",
        idle_p99_ms=0.1,
        lag_p50_ms=0.12,
        lag_p99_ms=1.25,
        lag_max_ms=3.0,
        thoughts=200,
        thoughts_per_second=10.0,
        cpu_ms_per_thought=38.2,
        moves_per_second=14.0,
        house_cpu_share=0.05,
        outcomes={"whole": 199, "cut_short": 1},
    )
    bench_bots.show(measured, as_json=False)
    assert capsys.readouterr().out.splitlines() == [
        "20 tables of 4 with sharp, 20 s, 1 worker process, uvloop",
        "loop lag     p50 0.12 ms   p99 1.25 ms   most 3.00 ms   (p99 without tables 0.10 ms)",
        "thoughts     10.0 a second, 38.2 ms of CPU each (199 whole, 1 cut short)",
        "moves        14.0 a second",
        "house        5 % of one core, the persons included",
    ]


@pytest.mark.parametrize(
    "options",
    [
        ("--level", "oracle"),
        ("--level", ","),
        ("--bots", "0"),
        ("--players", "6"),
        ("--seconds", "0"),
        ("--workers", "-1"),
    ],
)
def test_bots_refuse_what_they_cannot_measure(options: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    done = run_here(capsys, ["bench", "bots", *options])
    assert done.code == 2
    assert options[0] in done.err


def test_start_waits_for_a_real_picture_and_measures_the_help_beside_a_bare_program(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench_start, "PICTURES", bench_start.PICTURES[-1:])
    monkeypatch.setattr("looseends_client.main.COMMANDS", tuple(c for c in COMMANDS if c.name in ("bench", "verify")))
    done = run_here(capsys, ["bench", "start", "--runs", "1", "--json"])
    assert done.code == 0, done.err
    measured = json.loads(done.out)
    (lesson,) = measured["pictures"]
    assert lesson["what"] == "a lesson"
    assert 0 < lesson["least_ms"] <= lesson["median_ms"] <= lesson["most_ms"]
    assert measured["help_ratio"] > 0
    assert [command["name"] for command in measured["commands"]] == ["verify", "bench"]
    assert all(command["modules"] > 0 for command in measured["commands"])


def test_start_tells_in_lines_too(capsys: pytest.CaptureFixture[str]) -> None:
    begun = bench_start.Start("a table", 312.4, 300.0, 350.9, 290.0)
    helped = bench_start.Start("--help", 150.0, 140.0, 160.0, 140.0)
    command = bench_start.Command("verify", 40.2, 96)
    bench_start.show(bench_start.Measured(10, (begun,), helped, helped, (command,)), as_json=False)
    told = capsys.readouterr().out
    assert "a table                    312 ms   (300 to 351, 290 of CPU)" in told
    assert "--help takes 1.00 times as long" in told
    assert "verify                      40 ms   96 modules" in told


def test_start_says_what_it_cannot_do(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert "--runs must be from 1 to 1000" in run_here(capsys, ["bench", "start", "--runs", "0"]).err
    monkeypatch.setattr(bench_start, "PICTURES", (("nothing", ("play", "--players", "9"), b"planning"),))
    monkeypatch.setattr("looseends_client.main.COMMANDS", COMMANDS[-1:])
    monkeypatch.setattr(bench_start, "_run", lambda arguments: (1.0, 1.0))
    with pytest.raises(CommandFailed, match="ended before it drew anything"):
        bench_start.start(runs=1)
