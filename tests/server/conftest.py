"""What every test of the server stands on: a fault that the server only logged fails the test it happened in."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest
import structlog
import structlog.testing

FAULTS = frozenset(
    {
        "table fault",
        "request failed",
        "sweep failed",
        "table cannot be told that it stands still",
        "bot failed",
        "thought not taken",
        "game not kept",
    }
)
"""Log lines that say that our own code raised."""


class _Kept(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


class Logged:
    """What the server logged in this test."""

    def __init__(self, entries: list[structlog.typing.EventDict]) -> None:
        self.entries = entries

    def events(self, *levels: str) -> list[str]:
        """Return the lines of these levels, of all where none is named."""
        return [entry["event"] for entry in self.entries if not levels or entry["log_level"] in levels]

    def expect(self, event: str) -> None:
        """Take out every line of this kind: the test made it happen. Fails where there is none."""
        assert event in self.events(), self.events()
        self.entries[:] = [entry for entry in self.entries if entry["event"] != event]


@pytest.fixture(autouse=True)
def logged() -> Iterator[Logged]:
    """Keep the log, whatever an earlier test made of its settings, and see to it that no fault goes unnoticed."""
    earlier = structlog.get_config()
    structlog.reset_defaults()
    of_loop = _Kept()
    logging.getLogger("asyncio").addHandler(of_loop)
    try:
        with structlog.testing.capture_logs() as entries:
            kept = Logged(entries)
            yield kept
    finally:
        logging.getLogger("asyncio").removeHandler(of_loop)
        structlog.configure(**earlier)
    assert not [entry for entry in kept.entries if entry["event"] in FAULTS]
    assert not of_loop.messages
