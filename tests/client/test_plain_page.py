"""docs/plain.md shows what the line mode really says, and names every command that there is."""

from __future__ import annotations

from looseends_client.plain.vocabulary import EVERY_COMMAND
from tests.plain_transcript import PAGE, page_with, transcript


async def test_its_transcript_is_what_is_said_today() -> None:
    page = PAGE.read_text("utf-8")
    assert page == page_with(await transcript()), "`python -m tests.plain_transcript` writes it anew"


def test_it_names_every_command() -> None:
    page = PAGE.read_text("utf-8")
    assert [command.word for command in EVERY_COMMAND if f"`{command.word}" not in page] == []
