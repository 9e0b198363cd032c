"""The processes of a benchmark: a server and its load, each told what to do by lines, and ended whatever happens."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from looseends_client.commands import CommandFailed

if TYPE_CHECKING:
    from looseends_client.commands.bench_house import Mark
    from looseends_client.commands.bench_load import Counted

LOAD = ("looseends_client.commands.bench_load",)
"""The module that makes the load, and its arguments."""


class Process:
    """A process that answers each line on its stdin with one on its stdout."""

    def __init__(self, popen: subprocess.Popen[bytes]) -> None:
        self._popen = popen

    def tell(self, line: str) -> None:
        """Write a line. Raises CommandFailed where the process is gone."""
        assert self._popen.stdin is not None
        try:
            self._popen.stdin.write(line.encode() + b"\n")
            self._popen.stdin.flush()
        except OSError as error:
            raise CommandFailed(f"A process of the benchmark ended with {self._popen.wait()}.", 1) from error

    def line(self) -> str:
        """Return the next line that it writes. Raises CommandFailed where none comes."""
        assert self._popen.stdout is not None
        line = self._popen.stdout.readline()
        if not line:
            raise CommandFailed(f"A process of the benchmark ended with {self._popen.wait()}.", 1)
        return line.decode()

    def ask(self, order: str) -> str:
        """Give an order and return the answer."""
        self.tell(order)
        return self.line()

    def mark(self) -> Mark:
        """Ask the server what it used."""
        from looseends_client.commands.bench_house import Mark

        return msgspec.json.decode(self.ask(""), type=Mark)

    def counted(self) -> Counted:
        """Ask the load what it counted."""
        from looseends_client.commands.bench_load import Counted

        return msgspec.json.decode(self.ask("end"), type=Counted)


@contextlib.contextmanager
def running(arguments: Sequence[str], within: float, core: int | None = None) -> Iterator[Process]:
    """Run a module of ours, held to a core where one is named, until the end of the block or for so many seconds."""
    popen = subprocess.Popen(
        [sys.executable, "-m", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
    )
    given_up = threading.Timer(within, popen.kill)
    given_up.daemon = True
    given_up.start()
    try:
        if core is not None:
            _hold_to_core(popen.pid, core)
        yield Process(popen)
    finally:
        _end(popen)
        given_up.cancel()


def _hold_to_core(pid: int, core: int) -> None:
    try:
        os.sched_setaffinity(pid, {core})
    except OSError as error:
        raise CommandFailed(f"There is no core {core} to run on: {error.strerror}.") from error


def _end(popen: subprocess.Popen[bytes]) -> None:
    """End a process by the end of its stdin, or where that does not help by force."""
    assert popen.stdin is not None
    assert popen.stdout is not None
    with contextlib.suppress(OSError):
        popen.stdin.close()
    try:
        popen.wait(10)
    except subprocess.TimeoutExpired:
        popen.kill()
        popen.wait()
    popen.stdout.close()
