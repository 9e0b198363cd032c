"""`looseends bench server`: a real server under a real load, each a process of its own, and what a move costs it.

The server is what `serve` runs, with TCP on this machine, its limits as they are and its journal on a disk; the load is
`looseends_client.load`. What is enough is in the documents.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import msgspec
from cyclopts import Parameter

from looseends_client.commands import CommandFailed
from looseends_client.commands.bench_process import LOAD, Process, running
from looseends_client.commands.disk import IN_MEMORY, file_system_of, sync_milliseconds
from looseends_client.commands.printing import print_line
from looseends_client.commands.process_memory import resident_bytes

if TYPE_CHECKING:
    from looseends_client.commands.bench_house import Mark
    from looseends_client.commands.bench_load import Counted

BARE = "looseends_client.commands.bench_bare"
"""The module of a server that only passes moves on, and of its load."""
WARMING_UP_SECONDS = 1.0
SETTING_UP_SECONDS = 240.0
"""After so long, and what is measured, a process that is still there is ended."""
SETTLING_SECONDS = 0.3
"""Until what a step has left to do is done, before memory is read."""
_Flag = Parameter(negative=(), show_default=False)
_Decoded = TypeVar("_Decoded")


class Latency(msgspec.Struct, frozen=True):
    """From a move sent to the last of its table's clients having it, in milliseconds."""

    p50: float
    p99: float
    p999: float
    most: float


class Measured(msgspec.Struct, frozen=True):
    """What was measured. CPU seconds are the server process's, its writer's thread included."""

    tables: int
    seats: int
    spectators: int
    rate: float
    seconds: float
    tls: bool
    journal: bool
    file_system: str
    sync_ms: float
    """Writing 4 kB and waiting until the disk has them, median."""
    moves: int
    games: int
    moves_per_second: float
    moves_per_cpu_second: float
    server_cpu_share: float
    """Of one core."""
    load_cpu_share: float
    latency_ms: Latency
    lag_ms: Latency
    """How late the server's own event loop was."""
    bytes_out_per_client_move: float
    """From the server to each client of a table, per move of that table, answers and legal lists included."""
    bytes_in_per_move: float
    """To the server, from all clients of a table, per move."""
    rss_mb: float
    """Of `looseends serve` when it has said where it listens."""
    connection_kb: float
    """Memory for each connection that has said hello and is at no table."""
    table_kb: float
    """Memory for each table where everybody sits with the cards dealt, beyond their connections."""
    loaded_rss_mb: float
    """Of the server at the end."""
    missed_rate: int
    """Moves of the given rate for which no table was ready."""
    machine_load: float
    """The machine's load average of the last minute, at the end."""
    bare_moves_per_cpu_second: float = 0.0
    """What a server without rules, journal and limits makes on the same machine right afterwards; 0 where that was not
    asked for."""


def server(
    *,
    tables: int = 50,
    seconds: float = 10.0,
    seats: int = 4,
    spectators: int = 0,
    rate: float = 0.0,
    tls: Annotated[bool, _Flag] = False,
    no_journal: Annotated[bool, _Flag] = False,
    bare: Annotated[bool, _Flag] = False,
    folder: Path | None = None,
    server_core: int | None = None,
    load_core: int | None = None,
    seed: int = 1,
    json: Annotated[bool, _Flag] = False,
) -> int:
    """Measure what a real server makes of many tables: moves a second of its CPU, latency, bytes and memory.

    Every seat is a connection that takes any legal action. The server's limits are on, and every move is on the disk
    before anybody sees it.

    Parameters
    ----------
    tables
        How many tables play at the same time, 1 to 2000.
    seconds
        How long to measure, 0.5 to 3600.
    seats
        Seats at each table, 2 to 5.
    spectators
        Connections that watch each table, 0 to 20.
    rate
        Moves a second over all tables together; 0 for nobody thinking at all.
    tls
        Encrypt the connections.
    no_journal
        Keep games in memory alone, to know what the journal costs.
    bare
        Measure right afterwards a server that only passes moves on, to know what the machine can do at the moment.
    folder
        A folder on the disk that the journal is to lie on; by default where temporary files are.
    server_core
        The processor core that the server is held to.
    load_core
        The processor core that the load is held to.
    seed
        What the actions follow from.
    json
        Print one JSON object instead of lines.
    """
    if not sys.platform.startswith("linux"):
        raise CommandFailed("Memory and processor time of a server are read as Linux tells them: run this on Linux.")
    for option, value, least, most in (
        ("--tables", tables, 1, 2000),
        ("--seconds", seconds, 0.5, 3600),
        ("--seats", seats, 2, 5),
        ("--spectators", spectators, 0, 20),
        ("--rate", rate, 0, 1_000_000),
    ):
        if not least <= value <= most:
            raise CommandFailed(f"{option} must be from {least} to {most}, not {value}.")
    if folder is not None and not folder.is_dir():
        raise CommandFailed(f"--folder must be a folder that is there, not {folder}.")
    with tempfile.TemporaryDirectory(prefix="looseends-bench-", dir=folder) as made:
        own = Path(made)
        if not no_journal and file_system_of(own) in IN_MEMORY:
            raise CommandFailed(
                f"{own.parent} is a {file_system_of(own)}, which keeps nothing: name a folder on a disk with --folder, "
                "or leave the journal out with --no-journal."
            )
        bench = Bench(own, tables, seats, spectators, rate, tls, no_journal, seed, (server_core, load_core))
        measured = bench.measured(seconds)
        if bare:
            measured = msgspec.structs.replace(measured, bare_moves_per_cpu_second=bench.bare(seconds))
        show(measured, as_json=json)
    return 0


class Bench:
    """One run, in a folder of its own."""

    def __init__(
        self,
        folder: Path,
        tables: int,
        seats: int,
        spectators: int,
        rate: float,
        tls: bool,
        no_journal: bool,
        seed: int,
        cores: tuple[int | None, int | None],
    ) -> None:
        self._folder = folder
        self._tables = tables
        self._seats = seats
        self._spectators = spectators
        self._rate = rate
        self._tls = tls
        self._no_journal = no_journal
        self._seed = seed
        self._cores = cores

    def measured(self, seconds: float) -> Measured:
        """Run everything and return what was measured. Raises CommandFailed where the server or the load fails."""
        sync_ms = sync_milliseconds(self._folder)
        start_rss = _rss_of_serve(self._folder / "start")
        within = SETTING_UP_SECONDS + seconds
        with (
            running(self._house(), within, self._cores[0]) as house,
            running(LOAD, within, self._cores[1]) as load,
        ):
            port = int(_found(r"^Serving on .*?:(\d+)", house.line()))
            load.tell(self._load(port))
            empty = self._mark(house)
            load.ask("connect")
            connected = self._mark(house)
            load.ask("sit")
            seated = self._mark(house)
            load.ask("play")
            time.sleep(WARMING_UP_SECONDS)
            before = house.mark()
            load.ask("begin")
            time.sleep(seconds)
            after = house.mark()
            counted = load.counted()
        self._hold_to_the_rules(counted, after)
        clients = self._tables * (self._seats + self._spectators)
        cpu = after.cpu_seconds - before.cpu_seconds
        moves = max(1, counted.moves)
        return Measured(
            tables=self._tables,
            seats=self._seats,
            spectators=self._spectators,
            rate=self._rate,
            seconds=round(counted.seconds, 2),
            tls=self._tls,
            journal=not self._no_journal,
            file_system=file_system_of(self._folder),
            sync_ms=sync_ms,
            moves=counted.moves,
            games=counted.games,
            moves_per_second=counted.moves / counted.seconds,
            moves_per_cpu_second=counted.moves / max(cpu, 1e-9),
            server_cpu_share=cpu / counted.seconds,
            load_cpu_share=counted.cpu_seconds / counted.seconds,
            latency_ms=latency_of(counted.latencies),
            lag_ms=latency_of(after.lags),
            bytes_out_per_client_move=counted.bytes_received / moves / (self._seats + self._spectators),
            bytes_in_per_move=counted.bytes_sent / moves,
            rss_mb=start_rss / 1e6,
            connection_kb=(connected.rss_bytes - empty.rss_bytes) / clients / 1e3,
            table_kb=(seated.rss_bytes - connected.rss_bytes) / self._tables / 1e3,
            loaded_rss_mb=after.rss_bytes / 1e6,
            missed_rate=counted.late,
            machine_load=os.getloadavg()[0],
        )

    def bare(self, seconds: float) -> float:
        """Return the moves a CPU second of a server that only passes them on, without pauses and over TCP."""
        from looseends_client.commands.bench_bare import Spent

        within = SETTING_UP_SECONDS + seconds
        with running((BARE, "serve", str(self._seats)), within, self._cores[0]) as server:
            load = (BARE, "load", str(int(server.line())), str(self._tables), str(self._seats))
            with running(load, within, self._cores[1]) as players:
                players.ask("")  # which answers when everybody has sat down
                time.sleep(WARMING_UP_SECONDS)
                before = msgspec.json.decode(server.ask(""), type=Spent)
                time.sleep(seconds)
                after = msgspec.json.decode(server.ask(""), type=Spent)
        return (after.moves - before.moves) / max(after.cpu_seconds - before.cpu_seconds, 1e-9)

    def _house(self) -> list[str]:
        tls = ["--tls"] if self._tls else []
        journal = ["--no-journal"] if self._no_journal else []
        return ["looseends_client.commands.bench_house", str(self._folder / "house"), *tls, *journal]

    def _load(self, port: int) -> str:
        load = {
            "host": "127.0.0.1",
            "port": port,
            "tables": self._tables,
            "seats": self._seats,
            "spectators": self._spectators,
            "rate": self._rate,
            "tls": self._tls,
            "seed": self._seed,
        }
        return json.dumps(load)

    def _mark(self, house: Process) -> Mark:
        time.sleep(SETTLING_SECONDS)
        return house.mark()

    def _hold_to_the_rules(self, counted: Counted, after: Mark) -> None:
        """Measure nothing where the server was not as it should be."""
        if counted.failures or counted.lost:
            raise CommandFailed(f"The server refused {counted.failures} and ended {counted.lost} connections.", 1)
        if after.dropped:
            raise CommandFailed(f"The server dropped connections: {after.dropped}.", 1)


def latency_of(seconds: Sequence[float]) -> Latency:
    """Return what to say of times, which are given the smallest first."""
    if not seconds:
        return Latency(0.0, 0.0, 0.0, 0.0)
    last = len(seconds) - 1
    p50, p99, p999 = (1000 * seconds[round(last * share)] for share in (0.5, 0.99, 0.999))
    return Latency(p50, p99, p999, 1000 * seconds[last])


def _rss_of_serve(folder: Path) -> int:
    """Return the memory of `looseends serve` once it listens."""
    serve = [sys.executable, "-m", "looseends_client", "serve", "--port", "0", "--folder", str(folder)]
    popen = subprocess.Popen(serve, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True)
    assert popen.stdout is not None
    try:
        if not popen.stdout.readline():
            raise CommandFailed("`looseends serve` does not start here.", 1)
        return resident_bytes(popen.pid)
    finally:
        popen.send_signal(signal.SIGTERM)
        popen.wait()
        popen.stdout.close()


def _found(pattern: str, line: str) -> str:
    match = re.match(pattern, line)
    if match is None:
        raise CommandFailed(f"The server said {line!r} instead of where it listens.", 1)
    return match[1]


def show(measured: Measured, *, as_json: bool) -> None:
    """Print what was measured."""
    if as_json:
        print_line(json.dumps(msgspec.to_builtins(measured)))
        return
    pace = f"{measured.rate:g} moves a second" if measured.rate else "nobody thinks"
    journal = (
        f"one sync takes {measured.sync_ms:.2f} ms on {measured.file_system}" if measured.journal else "no journal"
    )
    clients = f"{measured.seats} seats" + (f" and {measured.spectators} watching" if measured.spectators else "")
    for line in (
        f"{measured.tables} tables of {clients}, {measured.seconds:g} s, {pace}, {'TLS' if measured.tls else 'TCP'}; "
        f"{journal}; load of the machine {measured.machine_load:.1f}",
        f"moves        {measured.moves_per_cpu_second:,.0f} a second of the server's CPU   "
        f"({measured.moves_per_second:,.0f} a second, {measured.games} games to their end, "
        f"server {measured.server_cpu_share:.2f} cores, load {measured.load_cpu_share:.2f})",
        f"latency      {_in_words(measured.latency_ms)}   from a move sent to the last of the table having it",
        f"loop lag     {_in_words(measured.lag_ms)}",
        f"bytes        {measured.bytes_out_per_client_move:.1f} to each client per move, "
        f"{measured.bytes_in_per_move:.1f} from all of them",
        f"memory       {measured.rss_mb:.1f} MB at start, {measured.connection_kb:.1f} kB a connection, "
        f"{measured.table_kb:.1f} kB a table, {measured.loaded_rss_mb:.1f} MB at the end",
        *_beside_bare(measured),
        *([f"{measured.missed_rate} moves of that rate found no table ready"] if measured.missed_rate else []),
    ):
        print_line(line)


def _beside_bare(measured: Measured) -> list[str]:
    bare = measured.bare_moves_per_cpu_second
    if not bare:
        return []
    return [
        f"bare         {bare:,.0f} a second of the CPU of a server that only passes moves on: "
        f"{measured.moves_per_cpu_second / bare:.2f} of that are made here"
    ]


def _in_words(latency: Latency) -> str:
    shares = f"p50 {latency.p50:.2f} ms   p99 {latency.p99:.2f} ms   p99.9 {latency.p999:.2f} ms"
    return f"{shares}   most {latency.most:.1f} ms"
