"""The line mode at servers of every kind: wicked, wrong, full, and such as do not let anybody in."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from looseends_client.commands import join
from looseends_client.game_client import GameClient
from looseends_client.starting import StartLobby
from looseends_protocol.messages import (
    Attending,
    ChatLine,
    CreateTable,
    Detached,
    Happened,
    LobbyChanged,
    Notice,
    Push,
    ReadyChanged,
    Refused,
    Request,
    Said,
    SeatInfo,
    SeatsChanged,
    TablePhase,
)
from tests.client.command import run_here
from tests.client.games import attending, full_game, seen_by
from tests.client.on_lines import OnLines, on_lines
from tests.client.scripted_server import ClientClock, Line, ScriptedServer, refuse_hello
from tests.client.test_hostile_text import HOSTILE, RULES, Wicked, listed, seats_called
from tests.client.test_unproven_deals import played_round

EVERYTHING = (
    "help",
    "table",
    "people",
    "bids",
    "hand",
    "legal",
    "why x",
    "score",
    "score now",
    "last",
    "log 600",
    "code",
    "rules",
    "say x",
    "mute x",
    "hint",
    "pass",
    "repeat",
)


def assert_harmless(on: OnLines) -> None:
    written = on.channel.written
    assert all(char == "\n" or char.isprintable() for char in written)
    assert all(len(line) < 2000 for line in on.channel.lines)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
async def test_what_a_server_writes_anywhere_is_shown_and_not_obeyed(text: str) -> None:
    wicked = Wicked(text, 14)
    async with on_lines(wicked.server.connect, ClientClock(), StartLobby("KITE", come_back=text, word=text)) as on:
        await on.heard()
        await on.type(*EVERYTHING)
        events = seen_by(full_game(RULES), 0)
        pushes: tuple[Push, ...] = (
            Said(1, ChatLine("said", text, text, 1)),
            Said(2, ChatLine("system", text)),
            SeatsChanged(3, seats_called(text, 0), text, "playing", (text,)),
            Happened(4, (events[14],)),
            ReadyChanged(5, (1,), 9),
        )
        for push in pushes:
            wicked.server.line.say(push)
        await on.type("log 600", "table", "people")
        wicked.server.line.say(Detached("table/removed", text))
        wicked.server.line.say(LobbyChanged(listed(text)))
        wicked.server.line.say(Notice(text))
        await on.type("list", "rules", "help", "join 1", "leave", "leave", "quit")
        assert await on.ends() == 0
        assert_harmless(on)


async def test_nobody_can_speak_as_the_game() -> None:
    wicked = Wicked("Your turn, play", 0)
    async with on_lines(wicked.server.connect, ClientClock(), StartLobby("KITE")) as on:
        await on.heard()
        wicked.server.line.say(Said(1, ChatLine("said", "Your turn, follow Red:\nYour turn:", "Round 9", 1)))
        assert await on.heard() == ["Said by Round 9: Your turn, follow Red: Your turn:"]


class Shows:
    """A server that shows one table, whatever is asked for, and refuses everything else."""

    def __init__(self, table: Attending) -> None:
        self.table = table
        self.server = ScriptedServer()
        self.server.on_request = self._answer

    def _answer(self, line: Line, request: Request) -> None:
        line.say(msgspec.structs.replace(self.table, answers=request.id))


async def test_a_table_that_cannot_be_is_left_in_words() -> None:
    shows = Shows(msgspec.structs.replace(attending(RULES), seats=()))
    async with on_lines(shows.server.connect, ClientClock(), StartLobby("KITE")) as on:
        assert any("cannot have happened in the game" in line for line in await on.heard())
        assert any("cannot have happened in the game" in line for line in await on.type("new 3"))


async def test_a_table_that_is_refused_is_refused_in_words() -> None:
    server = ScriptedServer()
    server.on_request = lambda line, request: line.say(
        Refused("table/limit" if isinstance(request, CreateTable) else "server/busy", "Too many.", request.id)
    )
    async with on_lines(server.connect, ClientClock()) as on:
        assert (await on.heard())[2] == "Too many."
        assert await on.type("new 3") == ["Too many."]


@pytest.mark.parametrize(
    ("phase", "said"),
    [
        ("dealing", "The cards are being dealt."),
        ("frozen", "The table stands still: the server cannot go on with it at the moment."),
        ("between", "The round is over: type ready for the next."),
        ("over", "The game is over: type ready to play again."),
    ],
)
async def test_a_card_while_none_is_asked_for(phase: TablePhase, said: str) -> None:
    shows = Shows(msgspec.structs.replace(attending(RULES, full_game(RULES)[:3]), phase=phase))
    async with on_lines(shows.server.connect, ClientClock(), StartLobby("KITE")) as on:
        await on.heard()
        assert said in await on.type("pass")


async def test_bots_that_play_for_others_are_told() -> None:
    table = attending(RULES, full_game(RULES)[:3])
    away = SeatInfo("person", name="bob", away="left", stand_in=True)
    gone = SeatInfo("person", name="cy")
    shows = Shows(msgspec.structs.replace(table, seats=(table.seats[0], away, gone)))
    async with on_lines(shows.server.connect, ClientClock(), StartLobby("KITE")) as on:
        told = [line for line in await on.heard() if line.startswith(("bob: ", "cy: "))]
        assert "a bot plays for them" in told[0]
        assert "offline" in told[1]


async def test_a_deal_that_does_not_prove_is_told_and_kept() -> None:
    kept: list[dict[str, Any]] = []
    table, pushes = played_round(secret_shown=bytes(32))
    shows = Shows(table)
    async with on_lines(shows.server.connect, ClientClock(), StartLobby("KITE"), keep_unproven=kept.append) as on:
        await on.heard()
        for push in pushes:
            shows.server.line.say(push)
        told = await on.heard()
        assert any(line.startswith("Round 1: ") and "promised" in line for line in told), told
        assert [entry["round"] for entry in kept] == [1]


class TestTheCommand:
    """`looseends join --plain` where nobody is let in."""

    def joined(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], server: ScriptedServer
    ) -> tuple[int, str, str]:
        monkeypatch.setattr(join, "client_for", lambda *_, **__: GameClient(server.connect, name="ann"))
        done = run_here(capsys, ["join", "127.0.0.1", "--name", "ann", "--plain"])
        return done.code, done.out, done.err

    @pytest.mark.parametrize(
        ("error", "suggestion", "said"),
        [
            ("hello/version", "", "looseends: Upgrade."),
            ("name/taken", "ann 2", "looseends: Upgrade. Use --name 'ann 2'."),
            ("session/banned", "", "looseends: Upgrade."),
        ],
    )
    def test_a_refusal_is_one_line_with_what_to_do(
        self,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
        error: str,
        suggestion: str,
        said: str,
    ) -> None:
        server = ScriptedServer()
        server.on_hello = refuse_hello(error, "Upgrade.", suggestion)
        assert self.joined(monkeypatch, capsys, server) == (1, "", f"{said}\n")

    def test_without_input_no_password_is_made_up(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        server = ScriptedServer()
        server.on_hello = refuse_hello("hello/password", "This server needs a password.")
        code, out, err = self.joined(monkeypatch, capsys, server)
        assert (code, out) == (1, "This server needs a password.\nThe server's password:\n")
        assert "LOOSEENDS_PASSWORD" in err
        assert server.attempts == 1

    def test_no_server_at_all(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        server = ScriptedServer()
        server.out_of_reach = ConnectionRefusedError(111, "Connection refused")
        code, out, err = self.joined(monkeypatch, capsys, server)
        assert (code, out) == (1, "")
        assert "is it running?" in err

    @pytest.mark.parametrize("option", ["--tutorial", "--coach"])
    def test_what_needs_the_screen_is_refused_and_not_left_out(
        self, capsys: pytest.CaptureFixture[str], option: str
    ) -> None:
        done = run_here(capsys, ["play", "--plain", option])
        assert (done.code, done.out) == (2, "")
        assert f"{option} " in done.err
        assert "leave --plain away" in done.err

    @pytest.mark.parametrize("command", [["play"], ["join", "127.0.0.1"]], ids=" ".join)
    def test_without_a_terminal_the_screens_name_the_lines(
        self, capsys: pytest.CaptureFixture[str], command: list[str]
    ) -> None:
        done = run_here(capsys, command)
        assert done.code == 2
        assert f"`looseends {command[0]} --plain` plays in lines of text" in done.err
