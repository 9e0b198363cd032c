"""Log lines: readable by people or programs, without secrets, and harmless to a terminal."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Iterator

import pytest
import structlog

from looseends_server.logs import log_faults_of_loop, log_to


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    yield
    structlog.reset_defaults()


def fail(secret: str) -> None:
    held = f"{secret} in a variable"
    raise ValueError(f"{len(held)} characters")


@pytest.mark.parametrize("as_json", [True, False])
def test_a_traceback_says_where_and_never_what_was_in_the_variables(as_json: bool) -> None:
    out = io.StringIO()
    log_to(out, as_json=as_json)
    try:
        fail("ace of spades")
    except ValueError:
        structlog.get_logger().exception("request failed", table="ABC")
    written = out.getvalue()
    assert "in fail" in written
    assert "ValueError: 27 characters" in written
    assert "ace of spades in" not in written.replace('fail("ace of spades")', "")


@pytest.mark.parametrize("as_json", [True, False])
def test_nothing_that_a_peer_sent_steers_the_terminal(as_json: bool) -> None:
    out = io.StringIO()
    log_to(out, as_json=as_json)
    structlog.get_logger().info("hello", client="\x1b]0;owned\x07\u202ex\x9b31m", name="two\nlines")
    assert out.getvalue().count("\n") == 1
    assert out.getvalue().rstrip("\n").isprintable()


def test_json_lines_have_a_level_and_a_time_and_the_level_is_kept_to() -> None:
    out = io.StringIO()
    log_to(out, "warning", as_json=True)
    log = structlog.get_logger()
    log.info("quiet")
    log.warning("loud", table="ABC")
    line = json.loads(out.getvalue())
    assert (line["event"], line["level"], line["table"]) == ("loud", "warning", "ABC")
    assert line["timestamp"].endswith("Z")


def test_a_reader_that_has_gone_harms_nothing() -> None:
    class Gone(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    log_to(Gone(), as_json=True)
    structlog.get_logger().error("said to nobody")


async def test_what_no_code_caught_is_logged() -> None:
    out = io.StringIO()
    log_to(out, as_json=True)
    loop = asyncio.get_running_loop()
    log_faults_of_loop(loop)
    loop.call_soon(fail, "queen of hearts")
    await asyncio.sleep(0)
    line = json.loads(out.getvalue())
    assert (line["event"], line["level"]) == ("fault", "error")
    assert "ValueError" in line["exception"]
    assert "queen of hearts" not in out.getvalue()
