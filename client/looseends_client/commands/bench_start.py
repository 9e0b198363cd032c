"""`looseends bench start`: how soon the program is there, from the command line to the first picture on a terminal.

Every run is a process of its own, as a person starts it, with an empty home folder. Runs of what is compared take
turns, so that a busy machine is unfair to neither.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import Parameter

from looseends_client.commands import CommandFailed
from looseends_client.commands.printing import print_line

LONGEST_SECONDS = 60.0
"""After so long a program that has not drawn anything is given up."""
COLUMNS, ROWS = 80, 24
PICTURES = (
    ("a newcomer's choice", ("play",), b"first"),
    ("a table", ("play", "--pace", "0"), b"planning"),
    ("a lesson", ("learn",), b"Lesson"),
)
"""What is waited for on a terminal: its name, the command, and a word of the picture that stands by then."""
_BARE = """\
from cyclopts import App
app = App(name="bare")
for name in {names!r}:
    app.command(lambda: None, name=name, help="Does nothing.")
app(["--help"])
"""


class Start(msgspec.Struct, frozen=True):
    """How long something takes from the start of its process, in milliseconds."""

    what: str
    median_ms: float
    least_ms: float
    most_ms: float
    cpu_ms: float
    """CPU time of the process by then, median: what a busy machine does not change."""


class Command(msgspec.Struct, frozen=True):
    """What importing a command takes over starting Python, and how many modules are loaded by then."""

    name: str
    import_ms: float
    modules: int


class Measured(msgspec.Struct, frozen=True):
    """What was measured."""

    runs: int
    pictures: tuple[Start, ...]
    help: Start
    bare_help: Start
    """`--help` of a program with as many commands that do nothing."""
    commands: tuple[Command, ...]

    @property
    def help_ratio(self) -> float:
        """How many times as long `--help` takes as that of the bare program."""
        return self.help.median_ms / self.bare_help.median_ms


def start(*, runs: int = 10, json: Annotated[bool, Parameter(negative=(), show_default=False)] = False) -> int:
    """Measure how long the program takes to be there: its first picture, its help, the import of each command.

    Parameters
    ----------
    runs
        How often each is started, 1 to 1000; what is shown are medians.
    json
        Print one JSON object instead of lines.
    """
    if not 1 <= runs <= 1000:
        raise CommandFailed(f"--runs must be from 1 to 1000, not {runs}.")
    if os.name != "posix":
        raise CommandFailed("A first picture can be timed only where there are pseudo-terminals: on Linux and macOS.")
    show(_measured(runs), as_json=json)
    return 0


def show(measured: Measured, *, as_json: bool) -> None:
    """Print what was measured."""
    if as_json:
        print_line(json.dumps({**msgspec.to_builtins(measured), "help_ratio": round(measured.help_ratio, 3)}))
        return
    print_line(f"medians of {measured.runs} runs, from the start of the process   (least to most, and CPU)")
    for begun in (*measured.pictures, measured.help, measured.bare_help):
        print_line(
            f"  {begun.what:<24}{begun.median_ms:>6.0f} ms   ({begun.least_ms:.0f} to {begun.most_ms:.0f}, "
            f"{begun.cpu_ms:.0f} of CPU)"
        )
    print_line(f"  --help takes {measured.help_ratio:.2f} times as long as that of the bare program")
    print_line("importing a command, beyond starting Python")
    for command in measured.commands:
        print_line(f"  {command.name:<24}{command.import_ms:>6.0f} ms   {command.modules} modules")


def _measured(runs: int) -> Measured:
    from looseends_client.main import COMMANDS

    ours = [sys.executable, "-m", "looseends_client", "--help"]
    bare = [sys.executable, "-c", _BARE.format(names=[command.name for command in COMMANDS])]
    helps: list[tuple[float, float]] = []
    bares: list[tuple[float, float]] = []
    for _ in range(runs):
        helps.append(_run(ours))
        bares.append(_run(bare))
    pictures: list[list[tuple[float, float]]] = [[] for _ in PICTURES]
    for _ in range(runs):
        for times, (_, arguments, word) in zip(pictures, PICTURES, strict=True):
            times.append(_first_picture(arguments, word))
    empty = statistics.median(_run([sys.executable, "-c", "pass"])[0] for _ in range(runs))
    return Measured(
        runs=runs,
        pictures=tuple(_start(what, times) for times, (what, _, _) in zip(pictures, PICTURES, strict=True)),
        help=_start("--help", helps),
        bare_help=_start("--help of a bare program", bares),
        commands=tuple(_import(command.name, command.function.partition(":")[0], runs, empty) for command in COMMANDS),
    )


def _start(what: str, times: Sequence[tuple[float, float]]) -> Start:
    walls = [1000 * wall for wall, _ in times]
    cpu = statistics.median(1000 * cpu for _, cpu in times)
    return Start(what, statistics.median(walls), min(walls), max(walls), cpu)


def _import(name: str, module: str, runs: int, empty: float) -> Command:
    code = f"import sys, {module}; print(len(sys.modules))"
    arguments = [sys.executable, "-c", code]
    modules = int(subprocess.run(arguments, capture_output=True, text=True, check=True).stdout)
    took = statistics.median(_run(arguments)[0] for _ in range(runs))
    return Command(name, 1000 * max(0.0, took - empty), modules)


def _run(arguments: Sequence[str]) -> tuple[float, float]:
    """Return the seconds and the CPU seconds that a program takes. Raises CommandFailed where it fails."""
    began = time.perf_counter()
    process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise CommandFailed(f"`{' '.join(arguments)[:60]}` ended with {process.returncode}.", 1)
    return time.perf_counter() - began, usage.ru_utime + usage.ru_stime


def _first_picture(arguments: Sequence[str], word: bytes) -> tuple[float, float]:
    """Return the seconds until a word stands on a terminal of its own, and the CPU seconds of the process by then."""
    import fcntl
    import termios

    with tempfile.TemporaryDirectory(prefix="looseends-bench-") as home:
        main, theirs = os.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        with contextlib.ExitStack() as stack:
            stack.callback(os.close, main)
            began = time.perf_counter()
            process = subprocess.Popen(
                [sys.executable, "-m", "looseends_client", *arguments],
                stdin=theirs,
                stdout=theirs,
                stderr=theirs,
                start_new_session=True,
                env=_environment(home),
            )
            os.close(theirs)  # so that its end is seen where the program ends
            stack.callback(process.wait)
            stack.callback(process.kill)
            return _until(main, word, began), _cpu_of(process.pid)


def _environment(home: str) -> dict[str, str]:
    """Return what a person's terminal has, with nothing of theirs: no settings, no games, no size but the real one."""
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    return {**kept, "HOME": home, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}


def _until(main: int, word: bytes, began: float) -> float:
    drawn = b""
    while word not in drawn:
        left = began + LONGEST_SECONDS - time.perf_counter()
        if left <= 0 or not select.select([main], [], [], left)[0]:
            raise CommandFailed(f"Nothing with {word.decode()!r} was drawn within {LONGEST_SECONDS:.0f} s.", 1)
        with contextlib.suppress(OSError):  # the other end is gone: what was drawn says why
            drawn += os.read(main, 65536)
            continue
        raise CommandFailed(f"The program ended before it drew anything: {drawn[-200:]!r}", 1)
    return time.perf_counter() - began


def _cpu_of(pid: int) -> float:
    """Return the CPU seconds that a running process has used; 0 where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
