"""The menu, games against bots that are kept, and joining a server from the menu."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Callable

import pytest

from looseends_client.screens.lobby import LobbyScreen
from looseends_client.screens.menu import MenuScreen
from looseends_client.screens.page import Choice
from looseends_client.screens.table import TableScreen
from looseends_client.starting import Dialled, StartAlone, StartLobby
from looseends_protocol.messages import CreateTable, Hello, JoinTable, Refused
from looseends_server.house import House
from tests.client.at_house import CutLine
from tests.client.on_screen import OnScreen, Recording, alone, opened, seated_before_the_screen, wish
from tests.client.scripted_server import ClientClock, Line, ScriptedServer, refuse_hello, welcome
from tests.server.peers import arrive

Place = tuple[House, ClientClock]


@pytest.fixture
async def place() -> AsyncIterator[Place]:
    async with opened() as place:
        yield place


class TestAGameAgainstBots:
    async def test_begins_at_once_and_is_offered_again_when_it_was_left(self, place: Place) -> None:
        async with seated_before_the_screen(*place, StartAlone(wish())) as on:
            await on.until(lambda: isinstance(on.app.screen, TableScreen) and on.model.state.round == 1)
            await on.watch_out()
            await on.press("right", "enter")
            await on.watch_out()
            code, bids = on.model.code, on.model.state.bids[0]
            token = on.app.client._token  # pyright: ignore[reportPrivateUsage]
        async with seated_before_the_screen(*place, StartAlone(wish()), token=token) as on:
            await on.until_shown("You have a game that is not finished.")
            await on.press("enter")
            await on.until(lambda: isinstance(on.app.screen, TableScreen))
            assert (on.model.code, on.model.state.bids[0]) == (code, bids)
        async with seated_before_the_screen(*place, StartAlone(wish()), token=token) as on:
            await on.until_shown("You have a game that is not finished.")
            await on.press("n")
            await on.until(lambda: isinstance(on.app.screen, TableScreen))
            assert on.model.code != code
            await on.press("q", "enter")
            await on.until_shown("Go on with your game")
        async with seated_before_the_screen(*place, StartAlone(wish()), token=token) as on:
            await on.until_shown("You have 2 games that are not finished.")
            await on.press("escape")
            await on.until(lambda: isinstance(on.app.screen, MenuScreen))
            assert "Go on with your game" in on.text
            assert on.asked(JoinTable) == []
            assert on.asked(CreateTable) == []

    async def test_a_game_given_up_is_not_offered(self) -> None:
        async with alone() as on:
            await on.press("q")
            assert isinstance(on.app.screen, Choice)
            await on.press("x")
            await on.until_shown("Play against bots")
            assert "Go on with your game" not in on.text

    async def test_the_form_of_the_menu_makes_a_game_that_starts(self, place: Place) -> None:
        async with seated_before_the_screen(*place, StartAlone(None)) as on:
            await on.until_shown("Play against bots")
            await on.press("p")
            await on.until_shown("a game against bots")
            await on.press("left", "left", "enter")
            await on.until(lambda: isinstance(on.app.screen, TableScreen) and on.model.state.round == 1)
            (made,) = on.asked(CreateTable)
            assert (made.rules.players, made.options.private) == (2, True)

    async def test_arrows_and_letters_reach_every_line(self, place: Place) -> None:
        async with seated_before_the_screen(*place, StartAlone(None)) as on:
            await on.until_shown("Play against bots")
            assert "Join a server" not in on.text, "nothing to dial with"
            await on.press("j")
            assert isinstance(on.app.screen, MenuScreen)
            await on.press("i")
            await on.until_shown("In a nutshell")
            await on.press("q", "up", "enter")
            assert on.app._exit  # pyright: ignore[reportPrivateUsage]


class FromTheMenu:
    """Dials a house, or a scripted server, whatever address is typed."""

    def __init__(self, place: Place, server: ScriptedServer | None = None) -> None:
        self.line = CutLine(place[0])
        self.clock = place[1]
        self.server = server
        self.dialled: list[tuple[str, str]] = []
        self.client: Recording | None = None

    def __call__(self, address: str, name: str) -> Dialled:
        self.dialled.append((address, name))
        if address == "nonsense":
            raise ValueError("'nonsense' is no address.")
        connect = self.line.connect if self.server is None else self.server.connect
        self.client = Recording(connect, name=name, clock=self.clock, rng=random.Random(5))
        self.client.asked = []
        return Dialled(self.client, "games.example:8749", StartLobby(come_back=f"looseends join {address}"), set())


async def ask_for(on: OnScreen, address: str, name: str = "") -> None:
    """Type address and name into the dialogs of the menu."""
    await on.until_shown("Join a server")
    await on.press("j")
    await on.until_shown("The server's address")
    await on.type(address)
    await on.press("enter")
    await on.until_shown("Your name there")
    for _ in range(20 if name else 0):
        await on.press("backspace")
    await on.type(name)
    await on.press("enter")


class TestJoiningFromTheMenu:
    async def test_opens_the_lobby_of_that_server_and_comes_back_to_the_menu(self, place: Place) -> None:
        async with opened(2) as (other, _):
            dial = FromTheMenu((other, place[1]))
            async with seated_before_the_screen(*place, StartAlone(None), dial=dial) as on:
                await ask_for(on, "games.example", "cy")
                await on.until(lambda: isinstance(on.app.screen, LobbyScreen))
                assert dial.dialled == [("games.example", "cy")]
                assert "you are cy" in on.text
                assert "looseends join games.example" in on.text
                await on.press("q")
                await on.until(lambda: isinstance(on.app.screen, MenuScreen))
                assert dial.client is not None
                assert not dial.client.online
                await on.press("p")
                await on.until_shown("a game against bots")

    @pytest.mark.parametrize("given_up", [["escape"], ["enter"], ["x", "enter", "escape"]])
    async def test_can_be_given_up_at_every_step(self, place: Place, given_up: list[str]) -> None:
        dial = FromTheMenu(place)
        async with seated_before_the_screen(*place, StartAlone(None), dial=dial) as on:
            await on.until_shown("Join a server")
            await on.press("j")
            await on.until_shown("The server's address")
            await on.press(*given_up)
            assert dial.dialled == []
            assert isinstance(on.app.screen, MenuScreen)

    @pytest.mark.parametrize(
        ("on_hello", "said"),
        [
            (refuse_hello("name/taken", "The name ann belongs to somebody else; ann2 is free."), "ann2 is free"),
            (
                refuse_hello("session/banned", "You may not use this server.\x1b]0;x\x07"),
                "You may not use this server.",
            ),
            (lambda line, hello: line.hang_up(Refused("server/full", "The server is full.")), "The server is full."),
            (lambda line, hello: line.hang_up(), "closed the connection"),
        ],
    )
    async def test_says_why_a_server_does_not_let_us_in(
        self, place: Place, on_hello: Callable[[Line, Hello], None], said: str
    ) -> None:
        server = ScriptedServer()
        server.on_hello = on_hello
        async with seated_before_the_screen(*place, StartAlone(None), dial=FromTheMenu(place, server)) as on:
            await ask_for(on, "games.example")
            await on.until_shown(said)
            assert isinstance(on.app.screen, MenuScreen)
            assert "\x1b" not in on.text

    async def test_says_that_nobody_answers_there_and_that_an_address_is_none(self, place: Place) -> None:
        server = ScriptedServer()
        server.out_of_reach = OSError(111, "Connection refused")
        async with seated_before_the_screen(*place, StartAlone(None), dial=FromTheMenu(place, server)) as on:
            await ask_for(on, "games.example")
            await on.until_shown("No server answers at games.example:8749 (Connection refused)")
            await ask_for(on, "nonsense")
            await on.until_shown("'nonsense' is no address.")

    async def test_asks_for_the_servers_password_until_it_is_right(self, place: Place) -> None:
        server = ScriptedServer()

        def check(line: Line, hello: Hello) -> None:
            if hello.hello_password == "sesame":
                welcome(line, hello)
            else:
                line.say(Refused("hello/password", "This server asks for a password.", hello.id))

        server.on_hello = check
        async with seated_before_the_screen(*place, StartAlone(None), dial=FromTheMenu(place, server)) as on:
            await ask_for(on, "games.example")
            for password in ("wrong", "sesame"):
                await on.until_shown("The server's password")
                await on.type(password)
                await on.press("enter")
            await on.until(lambda: isinstance(on.app.screen, LobbyScreen))

    async def test_a_final_word_there_leads_back_to_the_menu_with_it(self, place: Place) -> None:
        async with (
            opened(2) as (other, _),
            seated_before_the_screen(*place, StartAlone(None), dial=FromTheMenu((other, place[1]))) as on,
        ):
            await ask_for(on, "games.example", "cy")
            await on.until(lambda: isinstance(on.app.screen, LobbyScreen))
            await on.press("n", "enter")
            await on.until(lambda: on.app.attendance is not None)
            (connection,) = other.connections
            connection.drop("session/kicked")
            await on.until(lambda: isinstance(on.app.screen, MenuScreen))
            await on.until_shown("The host of the server ended your connection.")
            await on.press("p")
            await on.until_shown("a game against bots")


async def test_a_new_name_is_taken_where_a_server_has_forgotten_us(place: Place) -> None:
    from looseends_client.arrival import FORGOTTEN, NotLetIn
    from looseends_client.arrival import arrive as come
    from looseends_client.game_client import GameClient

    line = CutLine(place[0])
    client = GameClient(line.connect, name="ann", token=b"x" * 32, clock=place[1])
    assert await come(client, "here") == f"{FORGOTTEN} You begin anew as ann."
    await client.close()
    await arrive(place[0], "bob")
    taken = GameClient(line.connect, name="bob", token=b"x" * 32, clock=place[1])
    with pytest.raises(NotLetIn) as caught:
        await come(taken, "here")
    assert str(caught.value).startswith(f"{FORGOTTEN} The name bob belongs to somebody else on this server; ")
    assert caught.value.suggestion
    await taken.close()
