"""What is heavy is imported only by the commands that need it, so that the others start at once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("textual", "asyncssh", "looseends_server", "uvloop", "msgpack", "structlog")

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


def test_the_probe_would_notice() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import textual\n" + _PROBE.format(heavy=HEAVY), "--version"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.stderr == "0 ['textual']\n"
