"""Lines that come over a channel are handed on as they were typed, and nothing typed is no end of them."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from looseends_client.ssh.line import TypedLines


class Line:
    """A channel that keeps what is shown on it."""

    def __init__(self) -> None:
        self.sent = b""
        self.is_gone = False

    def send(self, content: bytes) -> None:
        self.sent += content

    def read(self, *, on: bool) -> None:
        pass


def typed(*, has_terminal: bool) -> TypedLines:
    return TypedLines(cast("Any", Line()), has_terminal=has_terminal)


@pytest.mark.parametrize("has_terminal", [False, True])
async def test_a_client_that_has_typed_nothing_yet_is_waited_for(has_terminal: bool) -> None:
    lines = typed(has_terminal=has_terminal)
    lines.take(b"")
    receiving = asyncio.ensure_future(lines.receive())
    for _ in range(20):
        await asyncio.sleep(0)
    assert not receiving.done()
    lines.take(b"list\n")
    assert await asyncio.wait_for(receiving, 5) == b"list\n"


async def test_only_the_end_is_the_end() -> None:
    lines = typed(has_terminal=False)
    lines.take(b"quit\n")
    lines.end()
    assert await asyncio.wait_for(lines.receive(), 5) == b"quit\n"
    assert await asyncio.wait_for(lines.receive(), 5) == b""
