"""How many bytes each change of the table costs on a real terminal: `python -m tests.terminal_bytes`.

It starts a server, joins it on a pty, plays, and counts what is drawn for each kind of change. docs/terminals.md keeps
what it said. It is no test: what must not grow is held in tests/e2e/test_bytes_drawn.py.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.client.running_server import Running
from tests.e2e.keyboard_player import KeyboardPlayer
from tests.e2e.terminal import Terminal

QUIET_SECONDS = 0.3
"""Nothing more belongs to a change after so long a silence; the bots of the table wait much longer than that."""
TICKS = 6

Counted = dict[str, list[int]]


def drawn_by(terminal: Terminal, change: Callable[[], object]) -> int:
    """Return the bytes that a change draws, from here until nothing more comes."""
    terminal.settled(QUIET_SECONDS)
    before = len(terminal.raw)
    change()
    terminal.settled(QUIET_SECONDS)
    return len(terminal.raw) - before


def drawn_in(terminal: Terminal, seconds: float) -> int:
    """Return the bytes that are drawn while nobody does anything."""
    before = len(terminal.raw)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        terminal.settled(0.05)
    return len(terminal.raw) - before


def join(server: Running, name: str, size: tuple[int, int], environment: dict[str, str]) -> Terminal:
    return Terminal(
        "join",
        f"127.0.0.1:{server.port}",
        "--name",
        name,
        "--trick-pause",
        "0",
        columns=size[0],
        rows=size[1],
        environment=environment,
    )


def table_for_three(ann: Terminal, bob: Terminal) -> None:
    """Let ann open a table with a clock and two slow bots, and bob watch it."""
    ann.shows("No table is open.")
    ann.press("n")
    ann.shows("a new table")
    ann.press("Left")  # three players
    ann.shows("< 3 >")
    while "▶ bots' pace" not in ann.text:
        ann.press("Down")
        ann.changed()
    ann.press("Right")
    ann.shows("< slow >")
    ann.press("Enter")
    ann.shows("Invite code")
    for _ in range(2):
        ann.press("b")
        ann.shows("Which bot")
        ann.press("1")
        ann.until(lambda text: "Which bot" not in text)
    ann.shows("press Enter to start")
    bob.shows("ann's table")
    bob.press("w")
    bob.shows("Invite code")


def measured(size: tuple[int, int], environment: dict[str, str]) -> Counted:
    """Return what each change cost, once for each time it was seen."""
    counted: Counted = {}

    def note(what: str, count: int) -> None:
        counted.setdefault(what, []).append(count)

    with tempfile.TemporaryDirectory() as folder:
        server = Running(Path(folder) / "server")
        try:
            with (
                join(server, "ann", size, environment) as ann,
                join(server, "bob", size, environment) as bob,
            ):
                ann.shows("No table is open.")
                ann.settled(QUIET_SECONDS)
                note("first screen (lobby)", len(ann.raw))
                table_for_three(ann, bob)
                ann.settled(QUIET_SECONDS)
                before = len(ann.raw)
                ann.press("Enter")
                ann.until(lambda text: "planning" in text)
                ann.settled(QUIET_SECONDS)
                note("the table appears", len(ann.raw) - before)
                _play(ann, bob, note)
        finally:
            server.stop()
    return counted


def _play(ann: Terminal, bob: Terminal, note: Callable[[str, int], None]) -> None:
    player = KeyboardPlayer(ann, bids=2)
    player.play_until(lambda text: "trick 1 of" in text and "Enter play" in text)
    for _ in range(9):
        note("selection move", drawn_by(ann, lambda: ann.press("Right")))
    note("clock tick, a second of it", drawn_in(ann, TICKS) // TICKS)
    for word in ("hello", "good luck", "nice one"):
        bob.press("t")
        bob.shows("Say to the table")
        bob.press(word)
        bob.shows(word)
        note("log line", drawn_by(ann, lambda: bob.press("Enter")))
        bob.until(lambda text: "Say to the table" not in text)
    for trick in range(2, 6):
        cost = drawn_by(ann, lambda: ann.press("Enter"))
        note("a card played", cost)
        before = len(ann.raw)
        player.play_until(lambda text, trick=trick: f"trick {trick} of" in text and "Enter play" in text)  # type: ignore[misc]
        note("the rest of a trick, two cards of others and ticks", len(ann.raw) - before)
        ann.press("Right")
        ann.settled(QUIET_SECONDS)
    before = len(ann.raw)
    ann.resize(ann.screen.columns, ann.screen.lines - 1)
    ann.settled(QUIET_SECONDS)
    note("a resize by a row", len(ann.raw) - before)


def main() -> None:
    columns, rows = (int(part) for part in (sys.argv[1] if len(sys.argv) > 1 else "80x24").split("x"))
    print(f"bytes drawn at {columns}x{rows}: median (least to most)")
    for colours, environment in (("256 colours", {}), ("true colour", {"COLORTERM": "truecolor"})):
        print(f"\n{colours}")
        for what, counts in measured((columns, rows), environment).items():
            print(f"  {what:<52}{round(statistics.median(counts)):>7}  ({min(counts)} to {max(counts)})")


if __name__ == "__main__":
    main()
