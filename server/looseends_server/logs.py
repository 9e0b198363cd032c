"""Where log lines go and how they look: stderr, one event a line, as text for a person or as JSON for a program.

A line may hold names, codes, numbers and addresses; never a card, a token, a password or a line of talk. So tracebacks
are printed without the values of variables, and nothing that a peer sent reaches a terminal as it is.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
from collections.abc import MutableMapping
from typing import Any, TextIO

import structlog

log = structlog.get_logger()


class _Lines:
    """A stream that is written to whole lines at a time, and that takes no harm when its reader has gone."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write what the logger made of one event."""
        with contextlib.suppress(OSError, ValueError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        """Let it out now."""
        with contextlib.suppress(OSError, ValueError):
            self._stream.flush()


def _escaped(_logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Write every character that steers a terminal as an escape, wherever it came from."""
    for key, value in event.items():
        if isinstance(value, str) and not value.isprintable() and key != "exception":
            event[key] = ascii(value)[1:-1]
    return event


def log_to(stream: TextIO, level: str = "info", *, as_json: bool) -> None:
    """Send every log line of this process to a stream, from this level (`config.LOG_LEVELS`) on."""
    renderers: list[structlog.typing.Processor]
    if as_json:
        # Not `dict_tracebacks`: it would print the values of local variables, which are cards and tokens.
        renderers = [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    else:
        plain = structlog.dev.plain_traceback  # the default would print local variables too
        renderers = [_escaped, structlog.dev.ConsoleRenderer(colors=stream.isatty(), exception_formatter=plain)]
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            *renderers,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.WriteLoggerFactory(_Lines(stream)),  # type: ignore[arg-type]  # write and flush do
    )


def log_to_stderr(level: str = "info") -> None:
    """Log for whoever reads stderr: text on a terminal, JSON lines anywhere else."""
    log_to(sys.stderr, level, as_json=not sys.stderr.isatty())


def log_faults_of_loop(loop: asyncio.AbstractEventLoop) -> None:
    """Log what no code of ours caught, instead of letting asyncio print it with the objects that it concerns."""

    def fault(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        # Up to the bracket only: what asyncio puts into it are the arguments of a call, such as bytes of a peer.
        what = str(context.get("message", "")).split("(", 1)[0]
        log.error("fault", what=what, exc_info=context.get("exception"))

    loop.set_exception_handler(fault)
