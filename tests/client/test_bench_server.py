"""`looseends bench server` and `bench engine`: the real thing runs and is told of; how fast it was is not tested."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from looseends_client.commands import CommandFailed, bench_engine, bench_server
from looseends_client.commands.disk import file_system_of, sync_milliseconds
from tests.client.command import run_here

LINUX = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read as Linux tells it")


@LINUX
@pytest.mark.parametrize(
    "options",
    [
        ("--tables", "2", "--bare"),
        ("--tables", "1", "--seats", "2", "--spectators", "2", "--rate", "50", "--tls", "--no-journal"),
    ],
    ids=["at full speed, beside a bare one", "at a rate, watched, over TLS, without a journal"],
)
def test_a_real_server_is_played_on_and_measured(
    options: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench_server, "WARMING_UP_SECONDS", 0.2)
    words = ["bench", "server", "--seconds", "0.5", "--json", "--folder", str(tmp_path), *options]
    done = run_here(capsys, words)
    if "too_fast" in done.err:  # a machine that stood still lets more come at once than a server takes
        done = run_here(capsys, words)
    assert done.code == 0, done.err
    measured = json.loads(done.out)
    assert measured["moves"] > 0
    assert measured["moves_per_cpu_second"] > 0
    latency = measured["latency_ms"]
    assert 0 < latency["p50"] <= latency["p99"] <= latency["p999"] <= latency["most"]
    assert measured["bytes_out_per_client_move"] > 20
    assert measured["rss_mb"] > 10
    assert measured["journal"] is ("--no-journal" not in options)
    assert measured["tls"] is ("--tls" in options)
    assert (measured["bare_moves_per_cpu_second"] > 0) is ("--bare" in options)
    assert not list(tmp_path.iterdir()), "what it wrote is gone with it"


@pytest.mark.parametrize(
    "options",
    [
        ("--tables", "0"),
        ("--tables", "2001"),
        ("--seconds", "0"),
        ("--seats", "1"),
        ("--spectators", "21"),
        ("--rate", "-1"),
        ("--folder", "/not/there"),
    ],
)
@LINUX
def test_what_cannot_be_measured_is_refused(options: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    done = run_here(capsys, ["bench", "server", *options])
    assert done.code == 2
    assert options[0] in done.err


@LINUX
def test_a_journal_in_memory_is_no_journal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench_server, "file_system_of", lambda folder: "tmpfs")
    done = run_here(capsys, ["bench", "server", "--folder", str(tmp_path)])
    assert done.code == 2
    assert "tmpfs" in done.err
    assert "--folder" in done.err


@pytest.mark.skipif(not Path("/proc/self/mounts").exists(), reason="file systems are read as Linux tells them")
def test_a_file_system_is_that_of_the_innermost_mount(tmp_path: Path) -> None:
    assert file_system_of(Path("/proc/self")) == "proc"
    assert file_system_of(tmp_path) not in ("proc", "unknown")


def test_a_disk_takes_some_time_and_keeps_nothing_of_the_trial(tmp_path: Path) -> None:
    assert sync_milliseconds(tmp_path) > 0
    assert not list(tmp_path.iterdir())


def test_times_are_told_by_their_shares() -> None:
    latency = bench_server.latency_of([float(number) for number in range(1, 1002)])
    assert (latency.p50, latency.p99, latency.p999, latency.most) == (501_000, 991_000, 1_000_000, 1_001_000)
    assert bench_server.latency_of([]) == bench_server.Latency(0, 0, 0, 0)


def test_a_server_is_told_of_in_lines(capsys: pytest.CaptureFixture[str]) -> None:
    measured = bench_server.Measured(
        tables=50,
        seats=4,
        spectators=1,
        rate=200.0,
        seconds=10.0,
        tls=False,
        journal=True,
        file_system="ext4",
        sync_ms=0.25,
        moves=2000,
        games=7,
        moves_per_second=200.0,
        moves_per_cpu_second=12345.6,
        server_cpu_share=0.02,
        load_cpu_share=0.01,
        latency_ms=bench_server.Latency(0.5, 2.0, 3.0, 4.0),
        lag_ms=bench_server.Latency(0.1, 0.2, 0.3, 0.4),
        bytes_out_per_client_move=46.25,
        bytes_in_per_move=34.5,
        rss_mb=41.25,
        connection_kb=3.5,
        table_kb=9.25,
        loaded_rss_mb=46.0,
        missed_rate=3,
        machine_load=1.25,
    )
    bench_server.show(measured, as_json=False)
    assert capsys.readouterr().out.splitlines() == [
        "50 tables of 4 seats and 1 watching, 10 s, 200 moves a second, TCP; one sync takes 0.25 ms on ext4; "
        "load of the machine 1.2",
        "moves        12,346 a second of the server's CPU   (200 a second, 7 games to their end, server 0.02 cores, "
        "load 0.01)",
        "latency      p50 0.50 ms   p99 2.00 ms   p99.9 3.00 ms   most 4.0 ms   from a move sent to the last of the "
        "table having it",
        "loop lag     p50 0.10 ms   p99 0.20 ms   p99.9 0.30 ms   most 0.4 ms",
        "bytes        46.2 to each client per move, 34.5 from all of them",
        "memory       41.2 MB at start, 3.5 kB a connection, 9.2 kB a table, 46.0 MB at the end",
        "3 moves of that rate found no table ready",
    ]


def test_the_engine_is_measured_over_every_table(capsys: pytest.CaptureFixture[str]) -> None:
    done = run_here(capsys, ["bench", "engine", "--seconds", "0.1", "--json"])
    assert done.code == 0, done.err
    assert all(value > 0 for value in json.loads(done.out).values())
    assert {rules.players for rules in bench_engine.EVERY_TABLE} == {2, 3, 4, 5}
    assert len({(rules.players, rules.variants) for rules in bench_engine.EVERY_TABLE}) == 32


def test_the_engine_is_told_of_in_lines(capsys: pytest.CaptureFixture[str]) -> None:
    bench_engine.show(bench_engine.Measured(2.0, 300_000.4, 1_500_000, 40_000, 900_000, 25_000, 950), as_json=False)
    assert capsys.readouterr().out.splitlines() == [
        "a second of CPU, over tables of 2 to 5 with every set of variants; 2 s each",
        "decide and evolve          300,000 moves",
        "uniform playouts         1,500,000 cards     40,000 rounds",
        "playouts by policy         900,000 cards     25,000 rounds",
        "records verified               950 games",
    ]


def test_the_engine_refuses_no_time_at_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_here(capsys, ["bench", "engine", "--seconds", "0"]).code == 2


def test_what_does_not_hold_by_the_rules_measures_nothing() -> None:
    with pytest.raises(CommandFailed):
        bench_engine._verify(b"{}")  # pyright: ignore[reportPrivateUsage]
