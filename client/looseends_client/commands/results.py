"""What commands that play many games share: a seed, a progress bar on stderr, a table of results on stdout."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from looseends_client.commands.printing import escaped, print_line

T = TypeVar("T")


def counted(number: int, what: str) -> str:
    """Return the number with its noun: `1 game`, `2 games`."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def drawn_seed() -> str:
    """Return a seed by chance, short enough to be typed again."""
    import secrets

    return str(secrets.randbelow(10**9))


def print_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table on stdout, as wide as its columns; the first column is of words, the others of numbers."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    draws_lines = (sys.stdout.encoding or "").lower().startswith("utf")
    table = Table(box=box.SIMPLE_HEAD if draws_lines else box.ASCII, show_edge=False, collapse_padding=True)
    table.add_column(headings[0], no_wrap=True)
    for heading in headings[1:]:
        table.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(*(Text(escaped(cell)) for cell in row))
    # Drawn into a text first, as wide as its columns: Rich itself would fit it to a terminal that may not be there, and
    # would end the program on its own where nobody reads the output any more.
    console = Console(file=io.StringIO(), width=200, highlight=False, safe_box=False, legacy_windows=False)
    with console.capture() as drawn:
        console.print(table)
    for line in drawn.get().splitlines():
        print_line(line.rstrip())


@contextlib.contextmanager
def shown_progress(steps: Iterable[T], total: int, what: str) -> Iterator[Iterable[T]]:
    """Give the steps as they are, with a progress bar on stderr where that is a terminal."""
    if not (sys.stderr and sys.stderr.isatty()):
        yield steps
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        yield progress.track(steps, total=total)
