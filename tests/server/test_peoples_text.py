"""What people type comes out harmless wherever the server shows it, and never as a line of its own."""

from __future__ import annotations

import pytest

from looseends_core.rules import rule_set
from looseends_protocol.limits import PROTOCOL_MAJOR
from looseends_protocol.messages import (
    Attending,
    CreateTable,
    Done,
    Hello,
    JoinTable,
    ListTables,
    Refused,
    Said,
    Say,
    TableOptions,
    Tables,
    Welcome,
)
from looseends_protocol.people_text import visible
from looseends_server.hall_requests import TITLE_LENGTH_KEPT
from looseends_server.people import NOBODY
from tests.server.peers import HandClock, arrive, connect, open_house, seated_table, settled

HOSTILE = [
    "[@click=app.quit]x[/]",
    "[/x",
    "[red]SYSTEM[/red]",
    "\x1b[2Jgone",
    "\x1b]0;title\x07",
    "\x9b31mred",
    "\x9d8;;http://x\x9clink",
    "a\u202eb\u2066c",
    "z\u200bw\u200dj\ufeff",
    "c" + "\u0301" * 40,
    "line\nSYSTEM: bob was removed.",
    "\r\x00\x07\x08\x7f",
    "\ud7ff\U000e0041tags",
]


@pytest.mark.parametrize("text", HOSTILE)
async def test_a_line_of_talk_and_a_title_lose_what_steers_a_terminal_and_keep_the_rest_as_it_was(text: str) -> None:
    house = await open_house(HandClock())
    ann, _ = await arrive(house, "ann")
    table = await ann.expect(CreateTable(0, rule_set(2), TableOptions(title=text[:64])), Attending)
    bob, _ = await arrive(house, "bob")
    listed = await bob.expect(ListTables(0), Tables)
    for title in (table.title, listed.tables[0].title):
        assert title
        assert visible(title) == title
        assert len(title) <= TITLE_LENGTH_KEPT
    await bob.expect(JoinTable(0, table.code), Attending)
    answer = await ann.ask(Say(0, text))
    await settled()
    if isinstance(answer, Refused):
        assert answer.error == "chat/empty"
        return
    line = [push.line for push in bob.got(Said) if push.line.kind == "said"][-1]
    assert visible(line.text) == line.text
    assert "\n" not in line.text
    assert (line.kind, line.name, line.seat) == ("said", "ann", 0)
    if text.startswith("["):
        assert line.text == text, "brackets are text, not markup, and stay"


@pytest.mark.parametrize("name", [*HOSTILE, "", " ", "bot:steady", "BOT:x", "x" * 21, "\u3164"])
async def test_a_name_is_refused_or_comes_out_as_harmless_as_it_went_in(name: str) -> None:
    house = await open_house(HandClock())
    peer = connect(house)
    answer = await peer.ask(Hello(0, PROTOCOL_MAJOR, name=name))
    if isinstance(answer, Refused):
        assert answer.error == "name/invalid"
        assert visible(answer.text) == answer.text
    else:
        assert isinstance(answer, Welcome)
        assert answer.name == name == visible(name), "what is shown is what was typed"
        assert 1 <= len(answer.name) <= 20


async def test_a_name_that_differs_in_capitals_is_taken_and_a_free_one_is_proposed() -> None:
    house = await open_house(HandClock())
    await arrive(house, "Ann")
    peer = connect(house)
    answer = await peer.expect(Hello(0, PROTOCOL_MAJOR, name="aNN"), Refused)
    assert answer.error == "name/taken"
    await peer.expect(Hello(0, PROTOCOL_MAJOR, name=answer.suggestion), Welcome)


@pytest.mark.parametrize("name", [NOBODY, NOBODY.upper(), "\uff53omebody"])
async def test_nobody_is_called_as_those_whose_traces_are_deleted(name: str) -> None:
    house = await open_house(HandClock())
    peer = connect(house)
    answer = await peer.expect(Hello(0, PROTOCOL_MAJOR, name=name), Refused)
    assert (answer.error, answer.suggestion.casefold()) == ("name/taken", f"{NOBODY} 2")
    await peer.expect(Hello(0, PROTOCOL_MAJOR, name=answer.suggestion), Welcome)


async def test_two_who_want_one_name_at_the_same_time_are_two_people() -> None:
    house = await open_house(HandClock())
    first, second = connect(house), connect(house)
    ids = [peer.post(Hello(0, PROTOCOL_MAJOR, name="ann")) for peer in (first, second)]
    await settled()
    answers = [peer.answer(number) for peer, number in zip((first, second), ids, strict=True)]
    assert [type(answer) for answer in answers] == [Welcome, Refused]


async def test_nobody_can_say_a_system_line() -> None:
    house = await open_house(HandClock())
    ann, bob = await seated_table(house, ["ann", "bob"])
    await ann.expect(Say(0, "The table goes on."), Done)
    await settled()
    line = bob.got(Said)[-1].line
    assert (line.kind, line.name) == ("said", "ann")
    again = await bob.expect(JoinTable(0, house.tables[next(iter(house.tables))].code), Attending)
    assert [said.kind for said in again.chat if said.text == "The table goes on."] == ["said"]


async def test_a_blank_line_is_refused() -> None:
    house = await open_house(HandClock())
    ann, _bob = await seated_table(house, ["ann", "bob"])
    for text in ("", "   ", "\u200b\u200d", "\x1b"):
        assert await ann.refused(Say(0, text)) == "chat/empty"


async def test_a_table_is_called_by_the_whole_name_of_its_host_where_it_has_no_title() -> None:
    house = await open_house(HandClock())
    name = "Maximilian of Aarhus"
    host, _ = await arrive(house, name)
    assert len(name) == 20
    table = await host.expect(CreateTable(0, rule_set(2)), Attending)
    assert table.title == f"{name}'s table"
