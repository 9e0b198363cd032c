"""Nothing that people or servers write steers the terminal, is read as markup, can be clicked, or breaks a screen."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

import msgspec
import pytest
from rich.style import Style
from textual import events

from looseends_client.screens.gathering import GatheringScreen
from looseends_client.screens.lobby import LobbyScreen
from looseends_client.screens.page import Ask
from looseends_client.screens.table import TableScreen
from looseends_client.starting import StartLobby
from looseends_core.events import Event
from looseends_core.rules import rule_set
from looseends_core.state import fold
from looseends_protocol.messages import (
    Attending,
    ChatLine,
    CreateTable,
    Detached,
    Happened,
    Hello,
    JoinTable,
    ListTables,
    Notice,
    ReadyChanged,
    Refused,
    Request,
    Said,
    SeatHeld,
    SeatInfo,
    SeatsChanged,
    TableLine,
    TableOptions,
    Tables,
    WatchTable,
)
from tests.client.games import attending, full_game, seen_by
from tests.client.on_screen import OnScreen, at_a_scripted_server
from tests.client.scripted_server import Line, ScriptedServer, welcome

STEERING = "\x1b[2J\x1b]0;owned\x07\x1b[31m \x9b2J\x9d0;owned\x9c\x90q\x9c \x00\x08\x7f \ue000 a\nb\r\n\tc \u2028d"
HIDING = "\u202eevil\u202c\u2066x\u2069 \u200b\u200d\ufeff a\u0300\u0301\u0302\u0303\u0304\u0305\u0306"
HOSTILE = {
    "link": "[@click=app.quit]x[/]",
    "end": "[/x",
    "markup": "[red]SYSTEM [bold ] \\[ $accent{}%s [/] [/red]",
    "steering": STEERING,
    "hiding": HIDING,
    "nothing": "\u200b\u200d\ufeff\ue000",
    "wide": "世界🏆🃏" * 12,
    "long": "x" * 300,
}
"""What somebody may have written, by what it tries."""
RULES = rule_set(3, ["plan-b"], rounds=1, hand_size=4)


def assert_harmless(on: OnScreen) -> None:
    """See that the screen is exactly as large as it is, and holds nothing that steers or can be clicked."""
    width, height = on.app.size
    strips = on.strips
    assert len(strips) == height
    for strip in strips:
        assert strip.cell_length == width, strip.text
        assert "\n" not in strip.text
        for character in strip.text:
            assert unicodedata.category(character) not in ("Cc", "Cf", "Co", "Cn", "Cs"), repr(strip.text)
        for segment in strip:
            style = segment.style or Style()
            assert "@click" not in style.meta, strip.text
            assert not style.link, strip.text


def seats_called(text: str, bots: int = 1) -> tuple[SeatInfo, ...]:
    return (
        SeatInfo("person", name="ann", connected=True),
        SeatInfo("person", name=text, connected=True),
        SeatInfo("bot", name=text, level=text, connected=True) if bots else SeatInfo("person", name=text, away="left"),
    )


def table_called(text: str, all_events: list[Event], number: int, seat: int | None = 0) -> Attending:
    table = attending(RULES, all_events[:number], seat)
    return msgspec.structs.replace(
        table,
        code=text[:16],
        title=text,
        host=text,
        seats=seats_called(text),
        chat=(ChatLine("said", text, text, 1), ChatLine("said", text, "ann", 0), ChatLine("system", text)),
        watching=(text, text),
    )


def listed(text: str) -> tuple[TableLine, ...]:
    options = TableOptions(title=text[:24])
    strange = msgspec.structs.replace(RULES, scoring=text)
    return (
        TableLine(text, text, text, RULES, options, "gathering", 1, (text, text)),
        TableLine(text + "2", text, text, strange, options, "playing", 0, (text,)),
        TableLine(text + "3", text, text, msgspec.structs.replace(RULES, players=99), options, "over", 0),
    )


class Wicked:
    """A server that puts one text wherever a text may stand."""

    def __init__(self, text: str, number: int) -> None:
        self.text = text
        self.server = ScriptedServer()
        self.server.on_hello = self._welcome
        self.server.on_request = self._answer
        self.shown: Callable[[], Attending] = lambda: table_called(text, full_game(RULES), number)

    def _welcome(self, line: Line, hello: Hello) -> None:
        text = self.text
        seats = (SeatHeld(text[:16], text, 0, "playing", yours=True), SeatHeld(text[:15] + "2", text, 1, "gathering"))
        welcome(line, hello, name=text, server=text, seats=seats, levels=((text, text), (text, text)))

    def _answer(self, line: Line, request: Request) -> None:
        if isinstance(request, ListTables):
            line.say(Tables(request.id, listed(self.text)))
        elif isinstance(request, JoinTable | WatchTable | CreateTable):
            line.say(msgspec.structs.replace(self.shown(), answers=request.id))
        else:
            line.say(Refused("table/not_host", self.text, request.id))


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
async def test_in_the_lobby_its_dialogs_and_its_form(text: str) -> None:
    wicked = Wicked(text, 0)
    async with at_a_scripted_server(wicked.server, StartLobby(code="", come_back="looseends join x", word=text)) as on:
        # One running game of ours is gone back to at once; step back from it to see the lobby.
        await on.until(lambda: on.app.attendance is not None)
        await on.settle()
        assert_harmless(on)
        wicked.server.line.say(Detached("table/removed", text))
        await on.until(lambda: isinstance(on.app.screen, LobbyScreen))
        for pushed in (Notice(text), Tables(0, listed(text))):
            wicked.server.line.say(pushed)
            await on.settle()
            assert_harmless(on)
        for keys in (("down", "down"), ("n",), ("up", "up"), ("q",), ("c",), ("escape",), ("i",), ("q",)):
            await on.press(*keys)
            assert_harmless(on)
        assert on.app.is_running


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
async def test_while_a_table_gathers(text: str) -> None:
    wicked = Wicked(text, 0)
    shown = msgspec.structs.replace(table_called(text, [], 0), game=0, phase="gathering", host="ann")
    wicked.shown = lambda: shown
    async with at_a_scripted_server(wicked.server, StartLobby(code="KITE")) as on:
        await on.until(lambda: isinstance(on.app.screen, GatheringScreen))
        assert_harmless(on)
        await on.press("enter")  # refused with the text
        assert_harmless(on)
        await on.press("down", "x")
        wicked.server.line.say(SeatsChanged(1, (shown.seats[0], shown.seats[1], SeatInfo("open")), "ann", "gathering"))
        wicked.server.line.say(Said(2, ChatLine("said", text, text, 1)))
        await on.settle()
        assert_harmless(on)
        await on.press("b")
        assert_harmless(on)
        await on.press("1", "t", "x", "enter", "q")
        assert_harmless(on)
        assert on.app.is_running


@pytest.mark.parametrize(
    ("text", "size"),
    [*((text, (80, 24)) for text in HOSTILE.values()), (HOSTILE["wide"], (60, 20)), (HOSTILE["long"], (60, 20))],
    ids=[*HOSTILE, "wide at 60x20", "long at 60x20"],
)
async def test_at_the_table_and_on_its_sheets(text: str, size: tuple[int, int]) -> None:
    game = full_game(RULES)
    wicked = Wicked(text, 9)
    async with at_a_scripted_server(wicked.server, StartLobby(code="KITE"), size=size) as on:
        await on.until(lambda: isinstance(on.app.screen, TableScreen))
        assert_harmless(on)
        line = wicked.server.line
        for number, event in enumerate(seen_by(game, 0)[9:], 1):
            line.say(Happened(number, (event,)))
        last = len(game) - 9
        line.say(SeatsChanged(last + 1, seats_called(text, bots=0), text, "over", (text,)))
        line.say(Said(last + 2, ChatLine("said", text, text, 2)))
        line.say(Notice(text))
        await on.settle()
        assert on.model.phase == "over"
        assert_harmless(on)
        await on.press("q", "left", "n", "s")
        assert_harmless(on)
        line.say(ReadyChanged(last + 3, (0, 1, 2), 5))
        await on.settle()
        assert_harmless(on)
        line.say(Detached("table/closed", text))
        await on.until(lambda: isinstance(on.app.screen, LobbyScreen))
        assert_harmless(on)
        assert on.app.is_running


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
async def test_in_a_last_word_and_a_refused_act(text: str) -> None:
    game = full_game(RULES)
    number = next(at for at in range(1, len(game)) if turn_after(game, at) == 0)
    wicked = Wicked(text, number)
    async with at_a_scripted_server(wicked.server, StartLobby(code="KITE")) as on:
        await on.until(lambda: isinstance(on.app.screen, TableScreen))
        await on.press("enter", "enter", "p")
        assert on.acted
        assert_harmless(on)
        wicked.server.line.hang_up(Refused("session/kicked", text))
        await on.until(lambda: not isinstance(on.app.screen, TableScreen))
        assert_harmless(on)


def turn_after(game: list[Event], number: int) -> int | None:
    return fold(RULES, game[:number]).turn


async def test_what_is_pasted_into_a_line_is_stripped_and_said_as_it_is_shown() -> None:
    wicked = Wicked("x", 0)
    shown = msgspec.structs.replace(table_called("x", [], 0), game=0, phase="gathering")
    wicked.shown = lambda: shown
    async with at_a_scripted_server(wicked.server, StartLobby(code="KITE")) as on:
        await on.until(lambda: isinstance(on.app.screen, GatheringScreen))
        await on.press("t")
        assert isinstance(on.app.screen, Ask)
        on.app.post_message(events.Paste("he\x1b[31mllo\u202e\x07 there\nsecond line"))
        await on.until_shown("he[31mllo there")
        assert_harmless(on)
        assert "second line" not in on.text


async def test_nobody_can_speak_as_the_table_or_as_the_reader() -> None:
    wicked = Wicked("you", 0)
    shown = msgspec.structs.replace(
        attending(RULES),
        game=0,
        phase="gathering",
        seats=seats_called("you"),
        chat=(
            ChatLine("said", "* The table is closed.", "you", 1),
            ChatLine("said", "mine", "ann", 0),
            ChatLine("system", "bob sat down."),
            ChatLine("said", "from a watcher", "* SYSTEM", None),
        ),
    )
    wicked.shown = lambda: shown
    async with at_a_scripted_server(wicked.server, StartLobby(code="KITE")) as on:
        await on.until(lambda: isinstance(on.app.screen, GatheringScreen))
        said = [line.strip() for line in on.lines if line.strip().startswith((">", "<", "*"))]
        assert said == [
            '> "you": * The table is closed.',
            "< you: mine",
            "* bob sat down.",
            "> * SYSTEM: from a watcher",
        ]
