"""The gate before connections of a proxy, over real sockets and with a clock that is moved by hand."""

from __future__ import annotations

import socket

from looseends_protocol.frames import framed
from looseends_protocol.messages import Hello
from looseends_server.proxy_gate import Proxies
from looseends_server.proxy_header import SIGNATURE
from tests.server.peers import HandClock, open_house, settled
from tests.server.tcp import connected, until

BODY = socket.inet_aton("203.0.113.5") + socket.inet_aton("192.0.2.1") + bytes(4)
HEADER = SIGNATURE + b"\x21\x11" + len(BODY).to_bytes(2, "big") + BODY
HELLO = framed(Hello(1, 1, name="ann"))


async def test_a_header_that_never_comes_is_waited_for_as_long_as_a_hello() -> None:
    clock = HandClock()
    house = await open_house(clock)
    proxies = Proxies(["127.0.0.1"], over_tls=True)
    port = await house.listen("127.0.0.1", 0, proxies=proxies)
    async with connected(port) as line:
        line.write(HEADER[:10])
        await until(lambda: proxies.waiting)
        await clock.advance(house.settings.limits.handshake_seconds + 0.1)
        assert await line.rest() == b""
    assert house.counts.dropped["proxy/header"] == 1
    assert not proxies.waiting
    await house.close()


async def test_a_header_may_come_byte_by_byte_and_with_the_hello_behind_it() -> None:
    house = await open_house()
    port = await house.listen("127.0.0.1", 0, proxies=Proxies(["127.0.0.1"], over_tls=True))
    sent = HEADER + HELLO
    async with connected(port) as line:
        for at in range(len(HEADER) + 3):
            line.write(sent[at : at + 1])
            await settled(3)
        line.write(sent[len(HEADER) + 3 :])
        await until(lambda: house.people.by_name("ann"))
        (connection,) = house.connections
        assert (connection.address, connection.secure) == ("203.0.113.5", True)
    await until(lambda: not house.connections)
    await house.close()


async def test_a_check_of_the_proxy_itself_has_the_proxys_address() -> None:
    house = await open_house()
    port = await house.listen("127.0.0.1", 0, proxies=Proxies(["127.0.0.1"], over_tls=False))
    async with connected(port) as line:
        line.write(SIGNATURE + b"\x20\x00\x00\x00")
        await until(lambda: house.connections)
        (connection,) = house.connections
        assert connection.address == "127.0.0.1"
    await until(lambda: not house.connections)
    await house.close()


async def test_closing_the_house_waits_for_no_header() -> None:
    house = await open_house()
    proxies = Proxies(["127.0.0.1"], over_tls=True)
    port = await house.listen("127.0.0.1", 0, proxies=proxies)
    async with connected(port) as line:
        await until(lambda: proxies.waiting)
        await house.close()
        assert await line.rest() == b""
