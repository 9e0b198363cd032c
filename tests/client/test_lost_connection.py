"""A connection that is lost: coming back with growing waits, words that are final, and closing on the way."""

from __future__ import annotations

import pytest

from looseends_client.game_client import (
    FINAL_REFUSALS,
    HELLO_SECONDS,
    LONGEST_WAIT_SECONDS,
    NO_ID,
    STEADY_SECONDS,
    Connected,
    ConnectionClosed,
    ConnectionWasLost,
    NotConnected,
    RequestRefused,
)
from looseends_client.tls import ServerNotTrusted
from looseends_protocol.errors import ERRORS
from looseends_protocol.messages import Done, Hello, LeaveTable, Refused
from tests.client.scripted_server import (
    TOKEN,
    ClientAt,
    ClientClock,
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


class TestComingBack:
    async def test_waits_grow_to_half_a_minute_and_are_spread(self, server: ScriptedServer, clock: ClientClock) -> None:
        waits: list[list[float]] = []
        for seed in (1, 2):
            server.out_of_reach = None
            at = ClientAt(server, clock, seed=seed)
            await at.client.connect()
            server.out_of_reach = OSError("gone")
            server.line.hang_up()
            await settled()
            for _ in range(12):
                await clock.advance(at.told(ConnectionWasLost)[-1].wait)
            waits.append([lost.wait for lost in at.told(ConnectionWasLost)])
            await at.client.close()
        longest = [min(LONGEST_WAIT_SECONDS, 0.5 * 2**number) for number in range(13)]
        for waited in waits:
            assert len(waited) == 13
            assert all(most / 2 <= wait <= most for wait, most in zip(waited, longest, strict=True))
        assert waits[0] != waits[1]

    async def test_says_hello_with_the_token_and_tells_that_it_is_back(
        self, at: ClientAt, server: ScriptedServer, clock: ClientClock
    ) -> None:
        await at.client.connect()
        server.line.hang_up()
        await clock.advance(1)
        assert server.line.got(Hello)[0].token == TOKEN
        assert [event.again for event in at.told(Connected)] == [False, True]
        assert at.kept == [("ann", TOKEN)]
        server.on_request = answer_done
        await at.client.request(LeaveTable(NO_ID), Done)

    async def test_a_server_that_lets_in_and_hangs_up_is_not_hammered(
        self, at: ClientAt, server: ScriptedServer, clock: ClientClock
    ) -> None:
        await at.client.connect()
        for _ in range(8):
            server.line.hang_up()
            await settled()
            await clock.advance(at.told(ConnectionWasLost)[-1].wait)
        assert at.told(ConnectionWasLost)[-1].wait > LONGEST_WAIT_SECONDS / 2
        await clock.advance(STEADY_SECONDS)
        server.line.hang_up()
        await settled()
        assert at.told(ConnectionWasLost)[-1].wait < 1, "a connection that lasted begins the waits anew"

    async def test_a_refusal_that_may_pass_is_tried_again(
        self, at: ClientAt, server: ScriptedServer, clock: ClientClock
    ) -> None:
        await at.client.connect()
        server.on_hello = refuse_hello("server/cannot_save")
        server.line.hang_up(Refused("server/closing", "Closing."))
        await clock.advance(2)
        assert len(at.told(ConnectionWasLost)) > 1
        server.on_hello = welcome
        await clock.advance(LONGEST_WAIT_SECONDS)
        assert at.is_online()

    @pytest.mark.parametrize("error", sorted(FINAL_REFUSALS))
    async def test_after_a_final_word_it_stays_away(
        self, at: ClientAt, server: ScriptedServer, clock: ClientClock, error: str
    ) -> None:
        await at.client.connect()
        waiting = asked(at)
        await settled()
        server.line.hang_up(Refused(error, ERRORS[error]))
        with pytest.raises(RequestRefused):
            await waiting
        await clock.advance(1000)
        assert at.events[1:] == [ConnectionClosed(error, ERRORS[error])]
        assert server.attempts == 1

    @pytest.mark.parametrize("error", ["hello/token", "hello/version", "session/banned"])
    async def test_a_final_refusal_of_the_hello_ends_the_tries(
        self, at: ClientAt, server: ScriptedServer, clock: ClientClock, error: str
    ) -> None:
        await at.client.connect()
        server.on_hello = refuse_hello(error, "No more.")
        server.line.hang_up()
        await clock.advance(1000)
        assert at.told(ConnectionClosed) == [ConnectionClosed(error, "No more.")]
        assert server.attempts == 2

    async def test_a_server_that_cannot_be_trusted_any_more_is_left_alone(
        self, at: ClientAt, server: ScriptedServer, clock: ClientClock
    ) -> None:
        await at.client.connect()
        server.out_of_reach = ServerNotTrusted("It shows another certificate.")
        server.line.hang_up()
        await clock.advance(1000)
        assert at.told(ConnectionClosed) == [ConnectionClosed("", "It shows another certificate.")]
        assert server.attempts == 2

    async def test_a_hello_that_hangs_on_the_way_back_is_given_up_and_tried_again(
        self, at: ClientAt, server: ScriptedServer, clock: ClientClock
    ) -> None:
        await at.client.connect()
        server.on_hello = lambda line, hello: None
        server.line.hang_up()
        await clock.advance(1)
        assert server.attempts == 2
        server.on_hello = welcome
        await clock.advance(HELLO_SECONDS + 2)
        assert at.is_online()


class TestClosing:
    async def test_closes_and_tells_nobody(self, at: ClientAt, server: ScriptedServer, clock: ClientClock) -> None:
        await at.client.connect()
        waiting = asked(at)
        await settled()
        await at.client.close()
        with pytest.raises(NotConnected):
            await waiting
        await clock.advance(1000)
        assert server.line.lost
        assert server.attempts == 1
        assert len(at.events) == 1

    async def test_closing_between_two_tries_ends_them(
        self, at: ClientAt, server: ScriptedServer, clock: ClientClock
    ) -> None:
        await at.client.connect()
        server.out_of_reach = OSError("gone")
        server.line.hang_up()
        await settled()
        await at.client.close()
        await clock.advance(1000)
        assert server.attempts == 1

    async def test_closing_on_the_way_back_ends_the_hello(
        self, at: ClientAt, server: ScriptedServer, clock: ClientClock
    ) -> None:
        await at.client.connect()
        server.on_hello = lambda line, hello: None
        server.line.hang_up()
        await clock.advance(1)
        await at.client.close()
        await clock.advance(1000)
        assert server.line.lost
        assert (server.attempts, at.is_online()) == (2, False)
