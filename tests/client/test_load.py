"""The load of benchmarks and soaks against a real server: whoever comes and goes plays right, and all of it ends."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import msgspec

from looseends_client.commands.bench_load import Counted
from looseends_client.commands.bench_process import LOAD, running
from looseends_client.commands.bench_server import Latency
from tests import soak

WITHIN = 60.0


def test_people_who_lose_their_line_and_change_tables_are_never_refused_anything(tmp_path: Path) -> None:
    house_command = ("looseends_client.commands.bench_house", str(tmp_path), "--no-journal")
    with running(house_command, WITHIN) as house, running(LOAD, WITHIN) as load:
        found = re.search(r":(\d+)\.", house.line())
        assert found is not None
        plan = {"host": "127.0.0.1", "port": int(found[1]), "tables": 3, "seats": 3, "rounds": 1, "losses": 20}
        load.tell(json.dumps(plan))
        for order in ("connect", "sit", "play", "begin"):
            assert load.ask(order) == "null\n"
        counted = load.counted()
        while counted.losses < 3 or counted.tables_left < 3:
            counted = load.counted()
            assert counted.failures == []
            assert counted.lost == 0
        assert counted.games >= counted.tables_left
        assert house.mark().dropped == {}


def test_the_load_ends_with_its_stdin_whatever_it_waits_for() -> None:
    nobody_there = {"host": "127.0.0.1", "port": 1, "tables": 1, "seats": 2}
    load = subprocess.Popen([sys.executable, "-m", *LOAD], stdin=subprocess.PIPE)
    load.communicate(json.dumps(nobody_there).encode() + b"\n", timeout=WITHIN)
    assert load.returncode == 0


def test_what_is_counted_is_told_whole() -> None:
    counted = Counted(1.0, 2, 3, 4, [0.5], 0, 1, 0.5, [], 0, 0, 0)
    assert msgspec.json.decode(msgspec.json.encode(counted), type=Counted) == counted


def test_a_soak_tells_what_grew_and_what_was_late() -> None:
    assert soak._broken_by_memory([1, 1, 100, 100, 110], 60.0) == []  # pyright: ignore[reportPrivateUsage]
    assert len(soak._broken_by_memory([1, 1, 100, 100, 111], 60.0)) == 1  # pyright: ignore[reportPrivateUsage]
    assert soak._broken_by_memory([1, 1, 100, 100, 111], 10.0) == []  # pyright: ignore[reportPrivateUsage]
    fast, slow = Latency(1, 2, 3, 4), Latency(100, 300, 300, 300)
    assert soak._broken_by_lateness(fast, fast) == []  # pyright: ignore[reportPrivateUsage]
    assert len(soak._broken_by_lateness(slow, slow)) == 3  # pyright: ignore[reportPrivateUsage]
