"""What the process does that no client sees; the rest of it is tested with the command."""

from __future__ import annotations

import errno
import os
import socket

import pytest

from looseends_protocol.messages import Hello
from looseends_server.hosting import close_within, is_own_machine, joined, why_not_listening
from tests.server.faulty_store import FaultyStore
from tests.server.peers import connect, open_house, settled


class Exited(BaseException):
    """Stands for the end of the process."""


async def test_a_store_that_hangs_does_not_keep_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    def leave(code: int) -> None:
        raise Exited(code)

    monkeypatch.setattr(os, "_exit", leave)
    disk = FaultyStore()
    house = await open_house(store=disk)
    disk.hold()
    peer = connect(house)
    peer.write(Hello(0, 1, name="ann"))
    await settled()
    assert disk.held_back
    with pytest.raises(Exited, match="1"):
        await close_within(house, 0.05)
    disk.release()
    for connection in list(house.connections):
        connection.abort()
    await settled()


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(errno.EADDRINUSE, "x"), "h:1 is in use already: stop what listens there, or choose another port with"),
        (OSError(errno.EACCES, "x"), "h:1 needs rights that this user does not have: choose a port above 1023"),
        (OSError(errno.EADDRNOTAVAIL, "x"), "h is no address of this machine: name one that is, or 0.0.0.0"),
        (socket.gaierror(-2, "x"), "h is no address of this machine"),
        (OSError(errno.EINVAL, "Invalid argument"), "h:1 cannot be listened on: Invalid argument."),
    ],
)
def test_why_a_port_cannot_be_listened_on_is_a_sentence(error: OSError, said: str) -> None:
    assert why_not_listening(error, "h", 1).startswith(said)


def test_an_ipv6_address_has_brackets_before_its_port() -> None:
    assert joined("::1", 5) == "[::1]:5"
    assert joined("games.example", 5) == "games.example:5"


@pytest.mark.parametrize(
    ("host", "own"),
    [("127.0.0.1", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("", False), ("192.0.2.1", False)],
)
def test_only_loopback_is_this_machine_alone(host: str, own: bool) -> None:
    assert is_own_machine(host) == own
