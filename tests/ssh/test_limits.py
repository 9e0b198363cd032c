"""How many may be at the door and inside, and how fast they come in."""

from __future__ import annotations

import asyncio
from pathlib import Path

import asyncssh
import msgspec
import pytest

from looseends_client.commands.door_opening import door_settings
from looseends_client.ssh import visit
from looseends_client.ssh.admission import ADDRESS_FULL, FULL, KEY_FULL, Admission, DoorLimits
from looseends_client.ssh.door import DoorSettings
from looseends_client.ssh.host_keys import fingerprint
from looseends_protocol.places import place_of
from looseends_server.admin import Admin
from looseends_server.admin_requests import Ban
from looseends_server.config import Config, DoorSection, ServerSection
from looseends_server.door_secret import door_secret
from tests.ssh.at_the_door import SECONDS, at_the_door, new_key

HERE, THERE = "192.0.2.1", "192.0.2.2"


def limits(**values: float) -> DoorLimits:
    return msgspec.structs.replace(DoorLimits(sessions_per_second=10_000, limit_loopback=True), **values)


# ── counting ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_logins_are_counted_in_all_and_by_address() -> None:
    admission = Admission(limits(logins=3, logins_per_address=2))
    assert [admission.login_begins(HERE) for _ in range(3)] == [True, True, False]
    assert [admission.login_begins(THERE) for _ in range(2)] == [True, False]
    admission.login_ends(HERE)
    assert admission.login_begins(THERE)


def test_sessions_are_counted_in_all_by_address_and_by_key() -> None:
    admission = Admission(limits(sessions=4, sessions_per_address=3, sessions_per_key=2))
    assert [admission.session_begins(HERE, b"k") for _ in range(3)] == ["", "", KEY_FULL]
    assert [admission.session_begins(HERE, b"") for _ in range(2)] == ["", ADDRESS_FULL]
    assert [admission.session_begins(THERE, b"") for _ in range(2)] == ["", FULL]
    assert admission.session_begins(HERE, b"k", host=True) == ""
    for _ in range(3):
        admission.session_ends(HERE, b"k")
    admission.session_ends(HERE, b"")
    assert admission.inside == 1
    assert admission.session_begins(HERE, b"k") == ""


def test_this_machine_is_exempt_from_limits_by_address_alone() -> None:
    exempt = limits(logins=2, logins_per_address=1, sessions=2, sessions_per_address=1, limit_loopback=False)
    for address in ("127.0.0.1", "::1", "::ffff:127.0.0.1"):
        admission = Admission(exempt)
        assert [admission.login_begins(address) for _ in range(3)] == [True, True, False]
        assert [admission.session_begins(address, b"") for _ in range(3)] == ["", "", FULL]
    admission = Admission(exempt)
    assert [admission.login_begins("::2") for _ in range(2)] == [True, False]


@pytest.mark.parametrize(
    ("address", "place"),
    [("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("2001:db8::1%eth0", "2001:db8::/64"), ("x", "x")],
)
def test_a_place_is_an_address_or_the_64_bits_of_a_customer(address: str, place: str) -> None:
    assert place_of(address) == place


def test_people_come_in_one_after_the_other_and_nobody_waits_for_ever() -> None:
    admission = Admission(limits(sessions_per_second=2, waiting_seconds=1))
    waits = [admission.seconds_to_wait(100.0) for _ in range(5)]
    assert waits == [0.0, 0.5, 1.0, None, None]
    assert admission.seconds_to_wait(101.5) == 0.0


def test_the_section_of_the_config_is_the_limits_of_the_door(tmp_path: Path) -> None:
    assert msgspec.structs.asdict(DoorSection()) == msgspec.structs.asdict(DoorLimits())
    allowed, hosts = new_key(), new_key()
    for name, key in (("allowed", allowed), ("hosts", hosts)):
        (tmp_path / name).write_bytes(key.export_public_key())
    server = ServerSection(
        ssh="1",
        ssh_allowed_keys=str(tmp_path / "allowed"),
        ssh_admin_keys=str(tmp_path / "hosts"),
        address="games.example.org:9",
    )
    settings = door_settings(Config(server=server, door=DoorSection(sessions=7)))
    assert (settings.keys_only, settings.limits.sessions, settings.address) == (True, 7, "games.example.org")
    assert settings.allowed_keys == frozenset([fingerprint(allowed)])
    assert settings.admin_keys == frozenset([fingerprint(hosts)])
    assert door_settings(Config(server=ServerSection(address="[::1]"))).address == "::1"


# ── at a real door ───────────────────────────────────────────────────────────────────────────────────────────────


async def test_too_many_logins_of_an_address_are_cut_off(tmp_path: Path) -> None:
    async with at_the_door(tmp_path, DoorSettings(limits=limits(logins_per_address=2))) as at:
        streams = [await asyncio.open_connection("127.0.0.1", at.door.port) for _ in range(2)]
        for reader, _ in streams:
            assert (await reader.readline()).startswith(b"SSH-2.0-")
        with pytest.raises((asyncssh.Error, OSError)):
            async with at.login():
                pass
        streams[0][1].close()
        await at.until(lambda: len(at.door.connections) == 1)
        async with at.login(), at.login():  # who is through counts no more
            pass
        streams[1][1].close()


async def test_who_says_nothing_is_cut_off(tmp_path: Path) -> None:
    async with at_the_door(tmp_path, DoorSettings(limits=limits(login_seconds=0.2))) as at, asyncio.timeout(SECONDS):
        reader, writer = await asyncio.open_connection("127.0.0.1", at.door.port)
        while await reader.read(4096):
            pass
        writer.close()
        await at.until(lambda: not at.door.connections)


async def test_whoever_is_one_too_many_is_told_so_and_the_host_comes_in_all_the_same(tmp_path: Path) -> None:
    hosts = new_key()
    settings = DoorSettings(limits=limits(sessions=1), admin_keys=frozenset([fingerprint(hosts)]))
    async with at_the_door(tmp_path, settings) as at, at.inside("ann") as ann:
        await ann.shows("you are")
        async with at.inside("bob") as bob:
            assert await bob.ended() == 1
            assert bob.text.rstrip() == FULL
        async with at.inside("host", key=hosts) as host:
            await host.shows("you are")
        await ann.quit()
        await at.until(lambda: at.door.admission.inside == 0)
        async with at.inside("bob") as bob:
            await bob.shows("you are")


async def test_who_would_wait_too_long_is_told_to_come_again(tmp_path: Path) -> None:
    slow = limits(sessions_per_second=0.1, waiting_seconds=0.5)
    async with at_the_door(tmp_path, DoorSettings(limits=slow)) as at, at.inside("ann") as ann:
        await ann.shows("you are")
        async with at.inside("bob") as bob:
            assert await bob.ended() == visit.CANNOT_ENTER
            assert "come again in a minute" in bob.text
        assert at.door.admission.inside == 1


async def test_who_leaves_while_they_wait_leaves_nothing(tmp_path: Path) -> None:
    slow = limits(sessions_per_second=0.1, waiting_seconds=100)
    async with at_the_door(tmp_path, DoorSettings(limits=slow)) as at, at.inside("ann") as ann:
        await ann.shows("you are")
        async with at.inside("bob") as bob:
            await at.until(lambda: at.door.admission.inside == 2)
            bob.cut()
            await at.until(lambda: at.door.admission.inside == 1)
        assert len(at.door.apps) == 1


async def test_a_banned_key_or_address_is_kept_out_by_the_server(tmp_path: Path) -> None:
    key = new_key()
    async with at_the_door(tmp_path) as at, at.inside("ann", key=key) as ann:
        await ann.shows("you are")
        admin = Admin(at.house, lambda: None)
        await admin.carry_out(Ban(key.get_fingerprint(), None, ""))
        await ann.shows("You may not use this server.")
        async with at.inside("other", key=key) as other:
            assert await other.ended() == 1
            assert "You may not use this server." in other.text
        async with at.inside("guest") as guest:
            await guest.shows("you are")
            await admin.carry_out(Ban("127.0.0.1", None, ""))
            await guest.shows("You may not use this server.")


async def test_a_door_without_the_servers_secret_lets_nobody_in(tmp_path: Path) -> None:
    async with at_the_door(tmp_path) as at:
        at.house.door_secret = door_secret(tmp_path / "another")
        async with at.inside("ann", key=new_key()) as ann:
            assert await ann.ended() == 1
            assert "Only a door of this server may say who comes through it." in ann.words
        assert len(at.house.people) == 0


async def test_a_half_open_line_is_found_by_its_silence(tmp_path: Path) -> None:
    """A client whose machine is gone says nothing, and nothing says that it is gone."""
    settings = DoorSettings(limits=limits(keepalive_seconds=0.1))
    async with at_the_door(tmp_path, settings) as at, at.inside("ann", key=new_key()) as ann:
        await ann.shows("you are")
        transport = ann.connection._transport  # pyright: ignore[reportPrivateUsage]
        assert transport is not None
        transport.pause_reading()  # so that the questions are not answered
        await at.until(lambda: at.door.admission.inside == 0 and not at.door.connections)
        await at.until(lambda: at.live_apps == 0)
