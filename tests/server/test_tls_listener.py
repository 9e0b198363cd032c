"""TLS handshakes that never end count for their address like any other connection."""

from __future__ import annotations

import ssl
from pathlib import Path

import pytest

from looseends_server.house import House
from looseends_server.limits import Limits, ServerSettings
from looseends_server.tls import CERTIFICATE, KEY, Certificate, CertificateUnusable, self_signed
from tests.server.peers import settled
from tests.server.tcp import connected, until


async def house_of(**limits: object) -> House:
    return await House.open(None, ServerSettings(limits=Limits(limit_loopback=True, **limits)))  # type: ignore[arg-type]


def anybody() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


async def test_handshakes_that_never_end_count_for_their_address(tmp_path: Path) -> None:
    house = await house_of(connections_per_address=2)
    port = await house.listen("127.0.0.1", 0, self_signed(tmp_path, "localhost").context)
    async with connected(port), connected(port), connected(port) as third:
        assert await third.rest() == b""
        assert house.counts.dropped["server/too_many"] == 1
        assert not house.connections
    await until(lambda: house.counts.dropped["tls/handshake"] == 2)
    async with connected(port, anybody()), connected(port, anybody()), connected(port) as third:
        assert await third.rest() == b""
        assert len(house.connections) == 2
    await until(lambda: not house.connections)
    async with connected(port, anybody()):
        await until(lambda: house.connections)
    await house.close()


async def test_a_handshake_has_as_long_as_a_hello(tmp_path: Path) -> None:
    house = await house_of(handshake_seconds=0.05)
    port = await house.listen("127.0.0.1", 0, self_signed(tmp_path, "localhost").context)
    async with connected(port) as line:
        assert await line.rest() == b""
    await until(lambda: house.counts.dropped["tls/handshake"] == 1)
    await house.close()


async def test_closing_breaks_handshakes_off(tmp_path: Path) -> None:
    house = await house_of()
    port = await house.listen("127.0.0.1", 0, self_signed(tmp_path, "localhost").context)
    async with connected(port) as line:
        await settled()
        await house.close()
        assert await line.rest() == b""


async def test_a_whole_house_counts_handshakes_too(tmp_path: Path) -> None:
    house = await house_of(connections=1)
    port = await house.listen("127.0.0.1", 0, self_signed(tmp_path, "localhost").context)
    async with connected(port), connected(port) as second:
        assert await second.rest() == b""
        assert house.counts.dropped["server/full"] == 1
    await house.close()


def test_a_certificate_is_made_once_and_finished_where_that_was_interrupted(tmp_path: Path) -> None:
    made = self_signed(tmp_path, "games.example").fingerprint
    assert self_signed(tmp_path, "other.example").fingerprint == made
    (tmp_path / CERTIFICATE).unlink()
    assert self_signed(tmp_path, "games.example").fingerprint != made


@pytest.mark.parametrize("broken", [CERTIFICATE, KEY])
def test_a_pair_that_does_not_fit_is_refused_and_the_one_before_stays(tmp_path: Path, broken: str) -> None:
    certificate = self_signed(tmp_path / "one", "localhost")
    self_signed(tmp_path / "two", "localhost")
    before = certificate.fingerprint
    (tmp_path / "one" / broken).write_bytes((tmp_path / "two" / broken).read_bytes())
    with pytest.raises(CertificateUnusable, match="no certificate and its key"):
        certificate.reload()
    assert certificate.fingerprint == before
    with pytest.raises(CertificateUnusable):
        Certificate(tmp_path / "one" / CERTIFICATE, tmp_path / "one" / KEY)
