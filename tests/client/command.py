"""Runs the command `looseends` for tests: as a process of its own, or in this one where that is all a test needs."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from typing import NamedTuple

import pytest

from looseends_client.main import main

TIMEOUT = 120
"""Seconds after which a command that should have ended is given up."""


class Finished(NamedTuple):
    """How a command ended, and what it printed."""

    code: int
    out: str
    err: str


def run(
    *arguments: str | bytes, stdin: bytes = b"", env: dict[str, str] | None = None, cwd: os.PathLike[str] | None = None
) -> Finished:
    """Run the command in a process of its own, with some environment variables set on top."""
    done = subprocess.run(
        [sys.executable, "-m", "looseends_client", *arguments],
        input=stdin,
        capture_output=True,
        env={**os.environ, **(env or {})},
        cwd=cwd,
        timeout=TIMEOUT,
        check=False,
    )
    return Finished(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))


def run_here(capsys: pytest.CaptureFixture[str], arguments: Sequence[str]) -> Finished:
    """Run the command in this process."""
    capsys.readouterr()
    code = main(arguments)
    printed = capsys.readouterr()
    return Finished(code, printed.out, printed.err)
