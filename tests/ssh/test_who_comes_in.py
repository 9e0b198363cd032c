"""Who somebody is at the door: by the key that they proved, as a guest, by a code; and nobody by anything else."""

from __future__ import annotations

import asyncio
import stat
from pathlib import Path

import asyncssh
import pytest

from looseends_client.game_client import NO_ID
from looseends_client.ssh import visit
from looseends_client.ssh.door import DoorSettings
from looseends_client.ssh.doorkeeper import Doorkeeper
from looseends_client.ssh.host_keys import FILE, KeysUnusable, fingerprint, host_key, listed_keys
from looseends_protocol.fingerprints import fingerprint_text
from looseends_protocol.messages import CodeMade, MakeCode
from looseends_server.limits import Limits, ServerSettings
from looseends_server.passwords import PasswordDesk
from tests.ssh.at_the_door import AtTheDoor, at_the_door, new_key


async def test_the_same_key_is_the_same_person_and_takes_over_at_once(tmp_path: Path) -> None:
    key = new_key()
    async with at_the_door(tmp_path) as at, at.inside("ann", key=key) as first:
        await first.shows("you are ann")
        async with at.inside("bob", key=key) as second:
            await second.shows("you are ann")
            await first.shows("You connected from somewhere else")
            assert await second.quit() == 0
        assert len(at.house.people) == 1


async def test_who_has_no_key_is_a_guest_without_a_question_and_comes_back_by_a_code(tmp_path: Path) -> None:
    async with at_the_door(tmp_path) as at:
        async with at.inside("ann") as guest:
            words = f"ssh -t -p {at.door.port} 127.0.0.1 back "
            await guest.until(lambda: words in guest.words)
            code = guest.words.partition(words)[2].split()[0]
            await guest.quit()
            assert f"Your way back: {words}{code}\r\n".encode() in guest.received.rpartition(b"\x1b[?1049l")[2]
        async with at.inside("guest", command=f"back {code}") as again:
            await again.shows("you are ann")
            await again.shows(code)
        async with at.inside("ann") as other:
            await other.shows("you are ann 2")
        assert len(at.house.people) == 2


async def test_a_wrong_code_is_nobody(tmp_path: Path) -> None:
    async with at_the_door(tmp_path) as at, at.inside("ann", command="back 0123456789ABCDEF") as person:
        assert await person.ended() == 1
        assert b"does not know that code" in person.received
        assert len(at.house.people) == 0


async def test_a_name_that_is_taken_or_is_none_is_replaced_without_a_question(tmp_path: Path) -> None:
    async with at_the_door(tmp_path) as at, at.inside("ann", key=new_key()) as ann:
        await ann.shows("you are ann")
        async with at.inside("ANN", key=new_key()) as other:
            await other.shows("ANN is somebody else here, so you are ANN 2.")
        async with at.inside("bot:x", key=new_key()) as third:
            await third.shows("you are guest")


# ── the attack: somebody else's public key is no secret ──────────────────────────────────────────────────────────


class StolenPublicKey(asyncssh.SSHKeyPair):
    """Somebody's public key, in the hands of somebody who does not have the private one."""

    def __init__(self, victims: asyncssh.SSHKey, own: asyncssh.SSHKey | None) -> None:
        algorithm = victims.algorithm
        super().__init__(algorithm, algorithm, (algorithm,), (algorithm,), victims.public_data, None)
        self._own = own

    def sign(self, data: bytes) -> bytes:
        """Sign with another key, or not at all: then it stays with the question whether this key would do."""
        if self._own is None:
            raise ValueError("there is no private key")
        return self._own.sign(data, self.sig_algorithm)


@pytest.mark.parametrize("signs", [False, True], ids=["a question alone", "a signature of another key"])
async def test_asking_about_somebodys_key_makes_nobody_them(tmp_path: Path, *, signs: bool) -> None:
    """Trap 7: asyncssh looks at a key for the mere question too, before anybody has proved to have it."""
    victims = new_key()
    thiefs = StolenPublicKey(victims, new_key() if signs else None)
    async with at_the_door(tmp_path) as at:
        async with at.inside("ann", key=victims) as ann:
            await ann.shows("you are ann")
        looked_at = watched(at)
        async with at.inside("ann", key=[thiefs]) as thief:
            await thief.shows("you are ann 2")
        assert set(looked_at) == {fingerprint(victims)}
        assert at.house.people.by_key(fingerprint(victims)) is at.house.people.by_name("ann")


async def test_a_key_that_was_asked_about_is_not_the_key_that_proved_itself_later(tmp_path: Path) -> None:
    victims, own = new_key(), new_key()
    async with at_the_door(tmp_path) as at, at.login("eve", key=[StolenPublicKey(victims, None), own]) as connection:
        (keeper,) = keepers(at)
        assert keeper.key == fingerprint(own)
        assert connection.get_extra_info("username") == "eve"


async def test_a_guest_by_name_is_not_asked_for_a_key(tmp_path: Path) -> None:
    key = new_key()
    async with at_the_door(tmp_path) as at:
        looked_at = watched(at)
        async with at.login("guest", key=key):
            assert [keeper.key for keeper in keepers(at)] == [b""]
        assert looked_at == []


def watched(at: AtTheDoor) -> list[bytes]:
    """Return a list to which the door adds every key that it looks at."""
    seen: list[bytes] = []
    admits = at.door.admits

    def noted(key: bytes) -> bool:
        seen.append(key)
        return admits(key)

    at.door.admits = noted  # type: ignore[method-assign]
    return seen


def keepers(at: AtTheDoor) -> list[Doorkeeper]:
    owners = [connection.get_owner() for connection in at.door.connections]
    return [owner for owner in owners if isinstance(owner, Doorkeeper)]


# ── closed houses ────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_closed_house_lets_nobody_in_without_a_key(tmp_path: Path) -> None:
    async with at_the_door(tmp_path, DoorSettings(keys_only=True)) as at:
        for user in ("ann", "guest"):
            with pytest.raises(asyncssh.PermissionDenied):
                async with at.login(user):
                    pass
        async with at.login("guest", key=new_key()):
            assert keepers(at)[0].key


async def test_a_list_of_keys_lets_in_these_and_the_hosts_alone(tmp_path: Path) -> None:
    allowed, hosts, other = new_key(), new_key(), new_key()
    settings = DoorSettings(
        keys_only=True, allowed_keys=frozenset([fingerprint(allowed)]), admin_keys=frozenset([fingerprint(hosts)])
    )
    async with at_the_door(tmp_path, settings) as at:
        for key in (allowed, hosts):
            async with at.login(key=key):
                pass
        with pytest.raises(asyncssh.PermissionDenied):
            async with at.login(key=other):
                pass


async def test_a_house_with_a_password_says_how_to_come_in(tmp_path: Path) -> None:
    desk = PasswordDesk()
    hashed: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
    desk.hash("open sesame", hashed.set_result)
    house = ServerSettings(password_hash=await hashed or "", limits=Limits())
    desk.close()
    async with at_the_door(tmp_path, house_settings=house) as at, at.inside("ann", key=new_key()) as person:
        assert await person.ended() == 1
        assert b"asks for a password" in person.received
        assert b"looseends identity link" in person.received


async def test_a_link_ties_the_key_to_who_asked_for_it(tmp_path: Path) -> None:
    key = new_key()
    async with at_the_door(tmp_path) as at:
        async with at.inside("ann") as guest:
            await guest.shows("you are ann")
            client = at.app_of("ann").client
            code = (await client.request(MakeCode(NO_ID, "link"), CodeMade)).way_back
            async with at.inside("x", key=key, command=f"link {code}") as linked:
                await linked.shows("you are ann")
                await linked.shows("This key is ann's from now on.")
        async with at.inside("y", key=key) as again:
            await again.shows("you are ann")
        assert await at.run(f"link {code}") == (1, "", f"{visit.LINK_NEEDS_KEY}\n")
        status, said, why = await at.run(f"link {code}", key=key)
        assert (status, said) == (1, "")
        assert "does not know that code, or it has been used" in why


async def test_a_key_is_tied_without_a_terminal_too(tmp_path: Path) -> None:
    key = new_key()
    async with at_the_door(tmp_path) as at, at.inside("ann") as guest:
        await guest.shows("you are ann")
        code = (await at.app_of("ann").client.request(MakeCode(NO_ID, "link"), CodeMade)).way_back
        assert await at.run(f"link {code}", key=key) == (0, "", "This key is ann's from now on.\n")
        assert at.house.people.by_key(fingerprint(key)) is at.house.people.by_name("ann")


# ── keys of the host ─────────────────────────────────────────────────────────────────────────────────────────────


def test_the_host_key_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    made = host_key(tmp_path / "state")
    file = tmp_path / "state" / FILE
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.chmod(0o644)
    assert host_key(tmp_path / "state").public_data == made.public_data
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [kept.name for kept in file.parent.iterdir()] == [FILE]


def test_a_spoilt_host_key_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("spoilt")
    with pytest.raises(KeysUnusable, match=r"ssh-host-key cannot be used .*: put that right, or move the file away"):
        host_key(tmp_path)
    assert (tmp_path / FILE).read_text() == "spoilt"


def test_a_list_of_keys_is_read_as_people_write_it(tmp_path: Path) -> None:
    keys = [new_key(), asyncssh.generate_private_key("ecdsa-sha2-nistp256")]
    file = tmp_path / "keys"
    lines = ["# ours", "", *(key.export_public_key().decode().strip() for key in keys)]
    file.write_text("\n".join(lines))
    assert listed_keys(file) == {fingerprint(key) for key in keys}
    file.write_text("\n".join([*lines, "ssh-ed25519 nonsense"]))
    with pytest.raises(KeysUnusable, match="keys, line 5: this is no public key"):
        listed_keys(file)
    with pytest.raises(KeysUnusable, match="cannot be read"):
        listed_keys(tmp_path / "none")
    file.write_bytes(b"\xff")
    with pytest.raises(KeysUnusable, match="not UTF-8"):
        listed_keys(file)
    file.write_bytes(b"#" * (1024 * 1024 + 1))
    with pytest.raises(KeysUnusable, match="more than 1024 KiB"):
        listed_keys(file)


def test_a_fingerprint_is_what_ssh_keygen_shows() -> None:
    key = asyncssh.import_public_key("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f")
    assert fingerprint_text(fingerprint(key)) == key.get_fingerprint()
