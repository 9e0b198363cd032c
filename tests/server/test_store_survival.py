"""What a store said is durable is there after kill -9 and after the loss of power.

The harness is held to its word too: it must notice a store that speaks too early, or that does not sync.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.server.store_child import TABLES, fact
from tests.server.stores import loaded

KILLS = 10
CHILD = Path(__file__).with_name("store_child.py")


class LostFact(AssertionError):
    """A fact was reported as durable and is not in the store."""


def lines_until_killed(
    folder: Path, kind: str = "durable", *, burst: int, die_after: int = 0, kill_after: int = 0, **environment: str
) -> list[str]:
    """Run the child until it kills itself, or kill it after that many lines; return all that it printed."""
    command = [sys.executable, str(CHILD), str(folder), kind, str(burst), str(die_after)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, **environment}) as child:
        assert child.stdout is not None
        lines: list[str] = []
        for line in child.stdout:
            lines.append(line)
            if len(lines) == kill_after:
                child.kill()
        assert child.wait() == -9
    return lines


def check_nothing_lost(folder: Path, lines: list[str]) -> None:
    """Open the store as a restarted server would. Raises LostFact for a reported fact that is not there."""
    stored = loaded(folder)
    assert stored.unreadable == []
    journals = {table.table: table.facts for table in stored.tables}
    for table, facts in journals.items():
        assert facts == [fact(table, position) for position in range(len(facts))]
    for line in lines:
        table, position = map(int, line.split())
        if position >= len(journals.get(table, [])):
            raise LostFact(f"table {table}, entry {position}")


def test_every_fact_reported_by_a_process_is_there_after_it_was_killed_while_it_reported(tmp_path: Path) -> None:
    lines: list[str] = []
    for kill in range(KILLS):
        lines += lines_until_killed(tmp_path, burst=1 + kill % 4, die_after=1 + 7 * kill)
        check_nothing_lost(tmp_path, lines)
    assert len(lines) == sum(1 + 7 * kill for kill in range(KILLS))


def test_every_fact_reported_by_a_process_is_there_after_it_was_killed_at_any_moment(tmp_path: Path) -> None:
    lines: list[str] = []
    for kill in range(KILLS):
        lines += lines_until_killed(tmp_path, burst=1 + 20 * (kill % 4), kill_after=1 + 31 * kill)
        check_nothing_lost(tmp_path, lines)
    assert {int(line.split()[0]) for line in lines} == set(TABLES)


def test_the_harness_notices_a_store_that_announces_before_it_commits(tmp_path: Path) -> None:
    lines = lines_until_killed(tmp_path, "announces-before-commit", burst=5, die_after=40)
    with pytest.raises(LostFact):
        check_nothing_lost(tmp_path, lines)


class Disk:
    """Starts the child on a disk whose power is cut when the child is killed: what was not synced is gone."""

    def __init__(self, library: Path, folder: Path) -> None:
        self._library = library
        self._running = folder / "running"
        self._synced = folder / "synced"
        self._synced.mkdir()
        self.after_restart = folder / "after-restart"
        self.after_restart.mkdir()

    def lines_until_power_is_lost(self, kind: str, *, burst: int, die_after: int) -> list[str]:
        lines = lines_until_killed(
            self._running,
            kind,
            burst=burst,
            die_after=die_after,
            LD_PRELOAD=str(self._library),
            KEEP_SYNCED=str(self._synced),
        )
        for entry in (self._synced / "names").read_text().splitlines():
            inode, name = entry.split(" ", 1)
            content = self._synced / inode
            (self.after_restart / name).write_bytes(content.read_bytes() if content.exists() else b"")
        return lines


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("cc")
    if sys.platform != "linux" or compiler is None:
        pytest.skip("simulating the loss of power needs Linux and a C compiler")
    built = tmp_path_factory.mktemp("library") / "keep_synced.so"
    source = Path(__file__).with_name("keep_synced.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", built, source, "-ldl"], check=True)
    return built


@pytest.fixture
def disk(library: Path, tmp_path: Path) -> Disk:
    return Disk(library, tmp_path)


@pytest.mark.parametrize("burst", [1, 30])
def test_every_reported_fact_was_synced_before_it_was_reported(disk: Disk, burst: int) -> None:
    lines = disk.lines_until_power_is_lost("durable", burst=burst, die_after=500)
    check_nothing_lost(disk.after_restart, lines)


@pytest.mark.parametrize("kind", ["synchronous-off", "synchronous-normal", "announces-before-commit"])
def test_the_harness_notices_a_store_that_does_not_sync(disk: Disk, kind: str) -> None:
    lines = disk.lines_until_power_is_lost(kind, burst=5, die_after=40)
    with pytest.raises(LostFact):
        check_nothing_lost(disk.after_restart, lines)
