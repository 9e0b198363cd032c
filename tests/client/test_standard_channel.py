"""Standard input and output as a channel of lines: pipes, files, nothing at all, and any encoding."""

from __future__ import annotations

import asyncio
import io
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from looseends_client.plain.standard_channel import StandardChannel


class Piped:
    """A pipe in the place of standard input."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        reading, self.writing = os.pipe()
        self.stream = os.fdopen(reading, encoding="utf-8")
        monkeypatch.setattr(sys, "stdin", self.stream)


@pytest.fixture
def piped(monkeypatch: pytest.MonkeyPatch) -> Iterator[Piped]:
    pipe = Piped(monkeypatch)
    yield pipe
    pipe.stream.close()


def output(encoding: str) -> tuple[io.BytesIO, StandardChannel]:
    written = io.BytesIO()
    return written, StandardChannel(io.TextIOWrapper(written, encoding=encoding, newline="\n"))


async def test_a_pipe_is_read_as_it_comes_to_its_end(piped: Piped) -> None:
    channel = StandardChannel(io.StringIO())
    assert not channel.interactive
    reading = asyncio.ensure_future(channel.receive())
    os.write(piped.writing, b"hand\n")
    assert await reading == b"hand\n"
    os.close(piped.writing)
    assert await channel.receive() == b""
    assert await channel.receive() == b""


async def test_who_gives_up_waiting_leaves_no_fault_behind(piped: Piped) -> None:
    channel = StandardChannel(io.StringIO())
    reading = asyncio.ensure_future(channel.receive())
    await asyncio.sleep(0)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    os.write(piped.writing, b"late\n")
    os.close(piped.writing)
    assert await channel.receive() in (b"", b"late\n")


async def test_a_file_and_no_input_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "script").write_bytes(b"quit\n")
    with (tmp_path / "script").open() as script:
        monkeypatch.setattr(sys, "stdin", script)
        channel = StandardChannel(io.StringIO())
        assert [await channel.receive(), await channel.receive()] == [b"quit\n", b""]
    for nothing in (None, script, io.StringIO("no descriptor")):
        monkeypatch.setattr(sys, "stdin", nothing)
        channel = StandardChannel(io.StringIO())
        assert await channel.receive() == b""
        assert not channel.interactive


@pytest.mark.parametrize(
    ("encoding", "written"),
    [("utf-8", "é 世\n".encode()), ("latin-1", b"\xe9 \\u4e16\n"), ("ascii", b"\\xe9 \\u4e16\n")],
)
def test_what_an_encoding_cannot_hold_is_escaped(encoding: str, written: bytes) -> None:
    stream, channel = output(encoding)
    channel.send("é 世\n")
    assert stream.getvalue() == written, "and it is there at once"


def test_hiding_what_is_typed_does_nothing_without_a_terminal(piped: Piped) -> None:
    channel = StandardChannel(io.StringIO())
    channel.show_typing(False)
    channel.show_typing(True)
    os.close(piped.writing)
    assert piped.stream.readable()
