"""Every box over a screen says which keys answer it, Esc among them; a page of keys can be read at every width."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from textual.screen import Screen

from looseends_client.key_list import keys_text
from looseends_client.screens.page import Ask, Choice, HungLines, KeysPage, Question, SureQuestion
from looseends_client.starting import StartLobby
from looseends_core.rules import rule_set
from looseends_protocol.messages import Attending, CreateTable, SeatBot, StartGame
from tests.client.on_screen import OnScreen, opened, seated_before_the_screen
from tests.server.peers import FAST, arrive


@pytest.fixture
async def on(request: pytest.FixtureRequest) -> AsyncIterator[OnScreen]:
    size = getattr(request, "param", (80, 24))
    async with opened() as place, seated_before_the_screen(*place, StartLobby(), size=size) as on:
        await on.until_shown("No table is open.")
        yield on


@pytest.mark.parametrize(
    ("box", "answers"),
    [
        (lambda: Choice("Which?", "Press its number.", {"1": "this", "2": "that"}), ["1", "2", "Esc"]),
        (lambda: Choice("Which?", "", {"Enter": "this", "Esc": "stay"}), ["Enter", "Esc"]),
        (lambda: Ask("What?"), ["Enter", "Esc"]),
        (lambda: Ask("What?", "A sentence about it."), ["Enter", "Esc"]),
        (lambda: Question("Really?", "yes, go"), ["Enter or y", "any other key"]),
        (lambda: SureQuestion("Really?"), ["y", "n or Esc"]),
    ],
)
async def test_a_box_says_which_keys_answer_it(
    on: OnScreen, box: Callable[[], Screen[Any]], answers: list[str]
) -> None:
    screen = box()
    on.app.push_screen(screen)
    await on.until(lambda: on.app.screen is screen and "?" in on.text)
    for key in answers:
        assert re.search(rf"(?m)(^|[\s┃│]){re.escape(key)}(:| {{2}}|$)", on.text), (key, on.text)


@pytest.mark.parametrize("on", [(60, 20), (80, 24)], indirect=True)
async def test_esc_gives_a_choice_nothing_and_other_keys_leave_it_there(on: OnScreen) -> None:
    given: list[str | None] = []
    choice = Choice("Which?", "", {"Enter": "this", "1": "that"})
    on.app.push_screen(choice, given.append)
    await on.until(lambda: on.app.screen is choice)
    await on.press("x", "2", "space")
    assert given == []
    await on.press("escape")
    assert given == [None]


@pytest.mark.parametrize("width", [38, 58, 78])
def test_later_rows_of_a_key_stand_below_what_it_does(width: int) -> None:
    broken = 0
    for line in keys_text().split("\n"):
        first, *later = ["".join(span.text for span in row) for row in HungLines(line).all_rows(width)]
        assert line.startswith(first.rstrip())
        entry = re.match(r"  (\S+(?: \S+)*) {2,}", line)
        indent = entry.end() if entry and entry.end() < width // 2 else 2 if line.startswith("  ") else 0
        broken += bool(later and indent)
        for row in later:
            assert len(row) == width
            assert len(row) - len(row.lstrip()) == indent
    assert broken


async def test_the_page_of_keys_is_drawn_in_such_rows(on: OnScreen) -> None:
    on.app.push_screen(KeysPage("Keys", keys_text()))
    await on.until_shown("← → Tab     choose a card")
    at = next(at for at, line in enumerate(on.lines) if line.startswith("   Enter       bid, play or cover"))
    assert on.lines[at + 1].startswith(" " * 15)
    assert on.lines[at + 1].endswith("ahead")


async def test_the_lobby_says_what_enter_does_at_the_chosen_table() -> None:
    async with opened() as place:
        host, _ = await arrive(place[0], "bob")
        await host.expect(CreateTable(0, rule_set(3), FAST), Attending)
        async with seated_before_the_screen(*place, StartLobby()) as on:
            await on.until_shown("bob's table")
            assert "Enter sit down" in on.lines[-1]
            for seat in (1, 2):
                await host.ask(SeatBot(0, seat, "rookie"))
            await place[1].advance(2)
            await on.until_shown("3 of 3 seats taken")
            assert "Enter watch" in on.lines[-1]
            await host.ask(StartGame(0))
            await place[1].advance(2)
            await on.until_shown("playing")
            assert "Enter watch" in on.lines[-1]
        host.close()
