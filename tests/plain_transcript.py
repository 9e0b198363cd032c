"""Writes the transcript of docs/plain.md: a game that is really begun, by the line mode itself, from a fixed deal.

`python -m tests.plain_transcript` puts it into the page; a test holds the page to it.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from looseends_client.starting import StartAlone
from looseends_client.visits import PRACTICE, TableWish
from looseends_core.rules import rule_set
from looseends_protocol.messages import TableOptions
from tests.client.line_channel import MemoryChannel
from tests.client.on_lines import on_lines
from tests.client.on_screen import opened

PAGE = Path(__file__).parent.parent / "docs" / "plain.md"
BEGIN, END = "<!-- transcript -->\n```console\n", "```\n<!-- end of the transcript -->"
TYPED = ("R 8", "yellow 11", "pass", "why r11", "r11", "r8", "bids", "scroe", "score", "cards words", "hand", "quit")
"""What is typed, a line each time that something is asked."""
SEED = 180


class Terminal(MemoryChannel):
    """A channel that shows what is typed, as a terminal does."""

    async def receive(self) -> bytes:
        typed = await super().receive()
        self.written += typed.decode()
        return typed


async def transcript(typed: tuple[str, ...] = TYPED) -> str:
    """Return what stands on the terminal after these lines were typed, each as soon as something was asked."""
    wish = TableWish(rule_set(3), TableOptions(title=PRACTICE, private=True, bots=0), ("rookie", "rookie"))
    async with opened(SEED) as (house, clock):
        terminal = Terminal(interactive=True)
        async with on_lines(house, clock, StartAlone(wish), channel=terminal) as on:
            for line in typed:
                await on.until(lambda new: new.startswith("Your turn") and new.endswith(": "))
                terminal.type(line)
            await on.ends()
        return terminal.written


def page_with(shown: str) -> str:
    """Return the page with a transcript in the place of the one it holds."""
    page = PAGE.read_text("utf-8")
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}$ looseends play --plain --players 3\n{shown}{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(page_with(asyncio.run(transcript())), "utf-8")
