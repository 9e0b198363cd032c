"""The client's end of the connection: requests and answers, pushes, silence, and coming back after a loss."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from looseends_client.game_client import (
    HELLO_SECONDS,
    NO_ID,
    PING_SECONDS,
    SILENCE_SECONDS,
    Connected,
    ConnectionWasLost,
    NotConnected,
    RequestRefused,
)
from looseends_client.tls import ServerNotTrusted
from looseends_protocol.errors import ERRORS
from looseends_protocol.frames import framed
from looseends_protocol.messages import (
    Done,
    Hello,
    LeaveTable,
    ListTables,
    LobbyChanged,
    Notice,
    Ping,
    Pong,
    Refused,
    Request,
    Tables,
)
from tests.client.scripted_server import (
    TOKEN,
    ClientAt,
    ClientClock,
    Line,
    ScriptedServer,
    answer_done,
    asked,
    refuse_hello,
    settled,
    welcome,
)


@pytest.fixture
def clock() -> ClientClock:
    return ClientClock()


@pytest.fixture
def server() -> ScriptedServer:
    return ScriptedServer()


@pytest.fixture
def at(server: ScriptedServer, clock: ClientClock) -> ClientAt:
    return ClientAt(server, clock)


class TestHello:
    async def test_says_name_and_keeps_the_token_once(self, at: ClientAt, server: ScriptedServer) -> None:
        got = await at.client.connect()
        (hello,) = server.line.got(Hello)
        assert (hello.name, hello.token, got.name) == ("ann", b"", "ann")
        assert at.kept == [("ann", TOKEN)]
        assert at.events == [Connected(got, again=False)]
        assert at.is_online()

    async def test_with_a_token_the_name_is_not_said_and_nothing_is_kept(
        self, server: ScriptedServer, clock: ClientClock
    ) -> None:
        at = ClientAt(server, clock, token=TOKEN)
        await at.client.connect()
        (hello,) = server.line.got(Hello)
        assert (hello.name, hello.token) == ("", TOKEN)
        assert at.kept == []

    async def test_a_refusal_is_raised_with_its_sentence_and_closes(self, at: ClientAt, server: ScriptedServer) -> None:
        server.on_hello = refuse_hello("name/taken", "ann is taken\x1b[2J.", "ann2")
        with pytest.raises(RequestRefused, match=r"^ann is taken\[2J\.$") as caught:
            await at.client.connect()
        await settled()
        assert caught.value.refusal.suggestion == "ann2"
        assert server.line.lost
        assert at.events == []

    async def test_a_name_that_is_free_can_be_tried_next(self, at: ClientAt, server: ScriptedServer) -> None:
        server.on_hello = refuse_hello("name/taken")
        with pytest.raises(RequestRefused):
            await at.client.connect()
        server.on_hello = welcome
        at.client.call_me("ann2")
        assert (await at.client.connect()).name == "ann2"

    async def test_a_server_that_is_full_is_heard_though_it_speaks_before_the_hello(
        self, at: ClientAt, server: ScriptedServer
    ) -> None:
        server.on_arrival = lambda line: line.hang_up(Refused("server/full", ERRORS["server/full"]))
        server.on_hello = lambda line, hello: None
        with pytest.raises(RequestRefused, match="full"):
            await at.client.connect()

    async def test_a_server_that_hangs_up_without_a_word(self, at: ClientAt, server: ScriptedServer) -> None:
        server.on_hello = lambda line, hello: line.hang_up()
        with pytest.raises(NotConnected):
            await at.client.connect()
        assert at.events == []

    async def test_a_hello_that_is_not_answered_ends_in_time(
        self, at: ClientAt, server: ScriptedServer, clock: ClientClock
    ) -> None:
        server.on_hello = lambda line, hello: None
        connecting = asyncio.ensure_future(at.client.connect())
        await clock.advance(HELLO_SECONDS - 1)
        assert not connecting.done()
        await clock.advance(2)
        with pytest.raises(NotConnected):
            await connecting
        assert at.events == []

    async def test_a_connection_lost_right_behind_the_welcome_keeps_the_token(
        self, at: ClientAt, server: ScriptedServer
    ) -> None:
        def welcome_and_go(line: Line, hello: Hello) -> None:
            welcome(line, hello)
            line.hang_up()

        server.on_hello = welcome_and_go
        try:
            await at.client.connect()
        except NotConnected:
            assert not at.is_online()
        await settled()
        assert at.kept == [("ann", TOKEN)]
        server.on_hello = welcome
        await at.client.connect()
        assert server.line.got(Hello)[0].token == TOKEN

    @pytest.mark.parametrize(
        "raised", [OSError("no route"), TimeoutError(), UnicodeError("label too long"), ServerNotTrusted("not it")]
    )
    async def test_whatever_stops_a_connection_is_an_oserror(
        self, at: ClientAt, server: ScriptedServer, raised: Exception
    ) -> None:
        server.out_of_reach = raised
        with pytest.raises(OSError, match=r"\w"):
            await at.client.connect()

    async def test_nothing_is_asked_before_the_server_knows_us(self, at: ClientAt, server: ScriptedServer) -> None:
        server.on_hello = lambda line, hello: None
        connecting = asyncio.ensure_future(at.client.connect())
        await settled()
        with pytest.raises(NotConnected):
            await at.client.request(LeaveTable(NO_ID), Done)
        assert len(server.line.heard) == 1
        await at.client.close()
        with pytest.raises(NotConnected):
            await connecting


class TestRequests:
    async def test_each_has_its_own_id_and_gets_its_own_answer(self, at: ClientAt, server: ScriptedServer) -> None:
        await at.client.connect()
        first = asyncio.ensure_future(at.client.request(ListTables(NO_ID), Tables))
        second = asked(at)
        await settled()
        one, two = server.line.heard[-2:]
        assert isinstance(one, ListTables)
        assert isinstance(two, LeaveTable)
        assert len({NO_ID, one.id, two.id}) == 3
        server.line.say(Done(two.id))
        server.line.say(Tables(one.id, (), page=3))
        assert (await second).answers == two.id
        assert (await first).page == 3

    async def test_a_refusal_is_raised_and_the_connection_stays(self, at: ClientAt, server: ScriptedServer) -> None:
        await at.client.connect()
        server.on_request = lambda line, request: line.say(Refused("table/full", "Full.", request.id))
        with pytest.raises(RequestRefused, match="Full"):
            await at.client.request(LeaveTable(NO_ID), Done)
        server.on_request = answer_done
        await at.client.request(LeaveTable(NO_ID), Done)
        assert len(server.lines) == 1

    async def test_answers_that_come_twice_late_or_for_nobody_are_left_alone(
        self, at: ClientAt, server: ScriptedServer
    ) -> None:
        await at.client.connect()

        def twice(line: Line, request: Request) -> None:
            line.say(Done(request.id))
            line.say(Done(request.id))
            line.say(Refused("table/full", "Full.", request.id))
            line.say(Done(request.id + 999))

        server.on_request = twice
        await at.client.request(LeaveTable(NO_ID), Done)
        await settled()
        await at.client.request(LeaveTable(NO_ID), Done)
        assert at.is_online()
        assert at.pushed == []

    async def test_an_answer_of_another_kind_is_none(self, at: ClientAt, server: ScriptedServer) -> None:
        await at.client.connect()
        server.on_request = lambda line, request: line.say(Pong(request.id))
        with pytest.raises(NotConnected):
            await at.client.request(LeaveTable(NO_ID), Done)

    async def test_those_under_way_when_the_connection_goes_are_told(
        self, at: ClientAt, server: ScriptedServer
    ) -> None:
        await at.client.connect()
        waiting = asked(at)
        await settled()
        server.line.hang_up(Refused("server/closing", "Closing."))
        with pytest.raises(NotConnected):
            await waiting
        with pytest.raises(NotConnected):
            await at.client.request(LeaveTable(NO_ID), Done)

    async def test_pushes_go_on_in_order(self, at: ClientAt, server: ScriptedServer) -> None:
        await at.client.connect()
        said = [Notice("one"), LobbyChanged(()), Notice("two")]
        for message in said:
            server.line.say(message)
        await settled()
        assert at.pushed == said

    async def test_what_cannot_be_understood_is_left_out_and_the_rest_is_heard(
        self, at: ClientAt, server: ScriptedServer
    ) -> None:
        await at.client.connect()

        def framed_bytes(payload: bytes) -> bytes:
            return len(payload).to_bytes(4, "big") + payload

        for payload in (
            b"\xc1",
            b"",
            msgspec.msgpack.encode(["no", "map"]),
            msgspec.msgpack.encode({"t": "news of tomorrow"}),
            msgspec.msgpack.encode({"t": "notice"}),
            msgspec.msgpack.encode({"no": "tag"}),
        ):
            server.line.say_bytes(framed_bytes(payload))
        whole = framed(Notice("whole"))
        server.line.say_bytes(whole[:5])
        server.line.say_bytes(whole[5:])
        await settled()
        assert at.pushed == [Notice("whole")]
        assert at.is_online()

    async def test_a_frame_that_is_too_long_ends_the_connection(self, at: ClientAt, server: ScriptedServer) -> None:
        await at.client.connect()
        server.line.say_bytes(b"\xff\xff\xff\xff")
        await settled()
        assert not at.is_online()
        assert len(at.told(ConnectionWasLost)) == 1


class TestSilence:
    async def test_a_ping_is_answered(self, at: ClientAt, server: ScriptedServer) -> None:
        await at.client.connect()
        server.line.say(Ping(77))
        await settled()
        assert server.line.got(Pong) == [Pong(77)]

    async def test_a_silent_server_is_asked_and_then_given_up(
        self, at: ClientAt, server: ScriptedServer, clock: ClientClock
    ) -> None:
        await at.client.connect()
        await clock.advance(PING_SECONDS - 1)
        assert server.line.got(Ping) == []
        await clock.advance(1)
        assert len(server.line.got(Ping)) == 1
        await clock.advance(SILENCE_SECONDS - PING_SECONDS - 1)
        assert at.is_online()
        await clock.advance(1)
        assert not at.is_online()
        assert len(at.told(ConnectionWasLost)) == 1
        assert server.line.lost

    async def test_whoever_answers_stays(self, at: ClientAt, server: ScriptedServer, clock: ClientClock) -> None:
        server.on_request = lambda line, request: line.say(Pong(request.id))
        await at.client.connect()
        await clock.advance(10 * SILENCE_SECONDS)
        assert at.is_online()
        assert len(server.lines) == 1
        assert len(server.line.got(Ping)) == pytest.approx(10 * SILENCE_SECONDS / PING_SECONDS, abs=1)
