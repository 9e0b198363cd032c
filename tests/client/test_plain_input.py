"""Whatever bytes come in, the line mode reads short lines of harmless text, and answers on lines of its own."""

from __future__ import annotations

import asyncio
import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from looseends_client.plain.conversation import Conversation, Ended
from looseends_client.plain.input_lines import MOST_CHARACTERS, InputLines, LineTooLong
from looseends_protocol.people_text import visible
from tests.client.line_channel import MemoryChannel

TOO_LONG = "(too long)"


async def read(*received: bytes) -> list[str]:
    """Return every line of what is received in these pieces."""
    lines = InputLines(MemoryChannel(*received, b""))
    found: list[str] = []
    while True:
        try:
            line = await lines.next()
        except LineTooLong:
            line = TOO_LONG
        if line is None:
            return found
        found.append(line)


@pytest.mark.parametrize(
    ("received", "lines"),
    [
        ([b"hand\n"], ["hand"]),
        ([b"ha", b"nd", b"\n"], ["hand"]),
        ([b"a\nb\n", b"c\n"], ["a", "b", "c"]),
        ([b"a\r\nb\rc\n\nd"], ["a", "b", "c", "", "d"]),
        ([b"a\r", b"\nb"], ["a", "b"]),
        ([b"no end of line"], ["no end of line"]),
        ([b""], []),
        ([b"\n\n"], ["", ""]),
        ([b"say gr\xc3", b"\xbc\xc3\x9fe\n"], ["say grüße"]),
        ([b"\xff\xfe\x80\n"], ["\ufffd\ufffd\ufffd"]),
        ([b"a\x00\x1b[2J\x07\x08b\x7f\n"], ["a[2Jb"]),
        ([b"tab\there\n"], ["tab here"]),
        (["sáy \u202eevil\u200b\n".encode()], ["sáy evil"]),
        ([b"x" * MOST_CHARACTERS + b"\nhand\n"], ["x" * MOST_CHARACTERS, "hand"]),
        ([b"x" * (MOST_CHARACTERS + 1) + b"\nhand\n"], [TOO_LONG, "hand"]),
        ([b"x" * 65_536] * 3 + [b"\nhand"], [TOO_LONG, "hand"]),
        ([b"x" * 65_536], [TOO_LONG]),
    ],
    ids=lambda value: None,
)
async def test_bytes_become_lines(received: list[bytes], lines: list[str]) -> None:
    assert await read(*(received if received != [b""] else [])) == lines


@given(st.lists(st.binary(min_size=1, max_size=60), max_size=12))
def test_any_bytes_become_lines_that_steer_nothing(received: list[bytes]) -> None:
    lines = asyncio.run(read(*received))
    assert all(line == visible(line) and "\n" not in line for line in lines)
    assert asyncio.run(read(b"".join(received))) == lines, "how they are cut up does not matter"


async def test_a_line_that_is_left_out_takes_no_memory() -> None:
    lines = InputLines(MemoryChannel(*[b"x" * 65_536] * 40, b"\nhand\n", b""))
    with contextlib.suppress(LineTooLong):
        await lines.next()
    assert await lines.next() == "hand"


async def test_a_line_too_long_is_answered_and_the_next_one_read() -> None:
    channel = MemoryChannel(b"x" * 9999 + b"\n  HAND \n")
    talk = Conversation(channel)
    assert await talk.next() == "HAND"
    assert channel.written == f"That line was left out: it had more than {MOST_CHARACTERS} characters.\n"


async def test_the_end_of_input_ends_the_conversation() -> None:
    talk = Conversation(MemoryChannel(b"last words", b""))
    assert await talk.next() == "last words"
    for _ in range(2):
        with pytest.raises(Ended):
            await talk.next()


async def test_it_can_be_ended_while_it_waits() -> None:
    talk = Conversation(MemoryChannel())
    waiting = asyncio.ensure_future(talk.next())
    await asyncio.sleep(0)
    talk.end()
    talk.end()
    with pytest.raises(Ended):
        await waiting


class TestAPrompt:
    async def test_stands_at_the_end_of_an_open_line_and_makes_way_for_what_others_say(self) -> None:
        channel = MemoryChannel(b"x\n", interactive=True)
        talk = Conversation(channel)
        talk.prompt("Your turn:")
        assert talk.prompt_is_open
        talk.say("ann plays G7.", "bob plays G9.")
        talk.prompt(">")
        await talk.next()
        talk.say("No.")
        assert channel.written == "Your turn: \nann plays G7.\nbob plays G9.\n> No.\n"

    async def test_is_a_line_of_its_own_in_a_pipe(self) -> None:
        channel = MemoryChannel()
        talk = Conversation(channel)
        talk.prompt("Your turn:")
        talk.say("ann plays G7.")
        talk.close()
        assert channel.written == "Your turn:\nann plays G7.\n"

    async def test_that_is_open_at_the_end_leaves_a_whole_line(self) -> None:
        channel = MemoryChannel(interactive=True)
        talk = Conversation(channel)
        talk.prompt(">")
        talk.close()
        assert channel.written == "> \n"


class TestASecret:
    async def test_is_not_shown_while_it_is_typed(self) -> None:
        channel = MemoryChannel(b" s3cret \nhand\n", interactive=True)
        talk = Conversation(channel)
        assert await talk.ask_secret("The password:") == " s3cret "
        assert channel.typing_shown == [False, True]
        assert channel.written == "The password: \n"
        assert await talk.next() == "hand"
        assert "s3cret" not in " ".join(talk.repeat())

    async def test_typing_is_shown_again_where_the_input_ends(self) -> None:
        channel = MemoryChannel(b"", interactive=True)
        talk = Conversation(channel)
        with pytest.raises(Ended):
            await talk.ask_secret("The password:")
        assert channel.typing_shown == [False, True]

    async def test_one_too_long_is_none(self) -> None:
        talk = Conversation(MemoryChannel(b"x" * 9999 + b"\n"))
        assert await talk.ask_secret("The password:") == ""


async def test_what_is_said_steers_no_terminal() -> None:
    channel = MemoryChannel(interactive=True)
    talk = Conversation(channel)
    talk.say("a\x1b[2Jb\r\nc\x9b2J\u202ed")
    talk.prompt("x\x1b[2J\n>")
    assert channel.written == "a[2Jb  c2Jd\nx[2J > "


async def test_what_was_said_between_two_lines_can_be_said_again() -> None:
    talk = Conversation(MemoryChannel(b"a\nb\n"))
    talk.say("one", "two")
    await talk.next()
    assert talk.repeat() == ["one", "two"]
    talk.say("three")
    await talk.next()
    assert talk.repeat() == ["three"]


async def test_nobody_reading_ends_it_and_says_why() -> None:
    channel = MemoryChannel(b"hand\n")
    talk = Conversation(channel)
    channel.closed = True
    talk.say("anything")
    talk.say("more")
    assert isinstance(talk.broken, BrokenPipeError)
    with pytest.raises(Ended):
        await talk.next()
