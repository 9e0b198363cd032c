"""What is heavy is imported only by the commands that need it, so that the others start at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from looseends_client.main import COMMANDS

HEAVY = ("textual", "asyncssh", "looseends_server", "uvloop", "msgpack", "structlog")
PINNED = (
    *HEAVY,
    "rich",
    "sqlite3",
    "asyncio",
    "multiprocessing",
    "openskill",
    "prometheus_client",
    "looseends_protocol",
)
"""What the module of a command may import only where it is said below."""
NETWORK = ["asyncio", "looseends_protocol"]
IMPORTS = {
    "arena": ["multiprocessing"],
    "bot": NETWORK,
    "doctor": ["looseends_protocol"],
    "games": ["asyncio"],
    "identity": NETWORK,
    "join": NETWORK,
    "learn": NETWORK,
    "play": NETWORK,
    "replay": NETWORK,
    "report": ["looseends_protocol", "sqlite3"],
    "ssh-door": NETWORK,
}
"""Of PINNED, what the module of each command imports before the command runs; every other command none of it."""

_PROBE = """\
import sys
from looseends_client.main import main
code = main(sys.argv[1:])
loaded = [name for name in {heavy!r} if name in sys.modules]
print(code, loaded, file=sys.stderr)
"""


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        [],
        ["verify", "--help"],
        ["simulate", "--help"],
        ["verify", str(Path(__file__).parent.parent / "golden" / "good.jsonl")],
        ["simulate", "--games", "1", "--records", os.devnull],
        ["arena", "--line-up", "rookie,steady", "--players", "2", "--deals", "1"],
        ["bench", "--help"],
    ],
    ids=" ".join,
)
def test_a_command_imports_nothing_heavy_that_it_does_not_need(arguments: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _PROBE.format(heavy=HEAVY), *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.stderr == "0 []\n"


_PROBE_OF_ALL = """\
import importlib, json, os, sys
from looseends_client.main import COMMANDS
for command in COMMANDS:
    # Each in a process of its own, so that none sees what another has imported.
    if os.fork() == 0:
        importlib.import_module(command.function.partition(":")[0])
        loaded = [name for name in {pinned!r} if name in sys.modules]
        print(json.dumps([command.name, sorted(loaded)]), flush=True)
        os._exit(0)
    os.wait()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_what_the_module_of_each_command_imports_is_pinned() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _PROBE_OF_ALL.format(pinned=PINNED)],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    told = dict(json.loads(line) for line in done.stdout.splitlines())
    assert set(told) == {command.name for command in COMMANDS}
    assert told == {name: IMPORTS.get(name, []) for name in told}


def test_the_probe_would_notice() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import textual\n" + _PROBE.format(heavy=HEAVY), "--version"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.stderr == "0 ['textual']\n"
