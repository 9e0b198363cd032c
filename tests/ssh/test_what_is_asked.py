"""What can be asked for at the door, and that everything else is refused with one line."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import asyncssh
import pytest
from hypothesis import given
from hypothesis import strategies as st

from looseends_client.screens.gathering import GatheringScreen
from looseends_client.ssh.words import Errand, NoErrand, errand_of
from tests.ssh.at_the_door import AtTheDoor, at_the_door, new_key


@pytest.fixture
async def at(tmp_path: Path) -> AsyncIterator[AtTheDoor]:
    async with at_the_door(tmp_path) as opened:
        yield opened


@pytest.mark.parametrize(
    ("command", "errand"),
    [
        (None, Errand()),
        ("", Errand()),
        ("  ", Errand()),
        ("join ABC", Errand("join", "ABC")),
        ("watch  ABC ", Errand("watch", "ABC")),
        ("back ABC", Errand(way_back="ABC")),
        ("link ABC", Errand(way_back="ABC", link=True)),
        ("plain", Errand(plain=True)),
        ("plain join ABC", Errand("join", "ABC", plain=True)),
        ("plain back ABC", Errand(way_back="ABC", plain=True)),
        ("set colours=16 suits=letters", Errand(settings=(("colours", "16"), ("suits", "letters")))),
    ],
)
def test_the_words_are_these(command: str | None, errand: Errand) -> None:
    assert errand_of(command) == errand


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("ls", "There is no shell here"),
        ("sh -c 'join ABC'", "There is no shell here"),
        ("join ABC; ls", "join needs a code behind it"),
        ("join", "join needs a code behind it"),
        ("watch a b", "watch needs a code behind it"),
        ("plain plain", "There is no shell here"),
        ("plain set a=b", "There is no shell here"),
        ("set", "set needs settings behind it"),
        ("set colours", "set needs settings behind it"),
        ("set =16", "set needs settings behind it"),
        ("PLAIN", "There is no shell here"),
        ("join " + "A" * 600, "There is no shell here"),
    ],
)
def test_other_words_are_refused_with_a_sentence(command: str, said: str) -> None:
    with pytest.raises(NoErrand) as refused:
        errand_of(command)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


@given(st.text(max_size=60))
def test_whatever_the_words_are_they_are_understood_or_refused(command: str) -> None:
    with contextlib.suppress(NoErrand):
        assert isinstance(errand_of(command), Errand)


@pytest.mark.parametrize("command", ["ls", "scp -t /tmp", "rsync --server", "cat /etc/passwd", "../../bin/sh"])
async def test_no_command_is_run(at: AtTheDoor, command: str) -> None:
    code, said, why = await at.run(command)
    assert (code, said, why.count("\n")) == (1, "", 1)
    assert why.startswith("There is no shell here, only a game: ssh -t -p ")


async def test_without_a_terminal_the_line_mode_is_named(at: AtTheDoor) -> None:
    code, said, why = await at.run(None)
    assert (code, said) == (1, "")
    assert why.endswith(f"ssh -p {at.door.port} 127.0.0.1 plain plays in lines of text.\n")


@pytest.mark.parametrize("term", ["dumb", "unknown", ""])
async def test_a_terminal_that_cannot_be_drawn_on_is_told_of_the_line_mode(at: AtTheDoor, term: str) -> None:
    async with at.login() as connection:
        done = await connection.run(None, term_type=term or "\t", encoding="utf-8", stdin=asyncssh.DEVNULL)
        if term:
            assert done.exit_status == 1
            assert f"TERM={term} cannot be drawn on" in str(done.stdout)
            assert "plain plays in lines of text" in str(done.stdout)
            assert "\x1b" not in str(done.stdout)


async def test_no_subsystem_is_to_be_had(at: AtTheDoor) -> None:
    async with at.login() as connection:
        with pytest.raises(asyncssh.ChannelOpenError):
            await connection.start_sftp_client()
        with pytest.raises(asyncssh.ChannelOpenError):
            await connection.create_session(asyncssh.SSHClientSession, subsystem="netconf")


async def test_nothing_is_forwarded(at: AtTheDoor) -> None:
    """Connections to anywhere from here, listening, sockets of this machine, agents, displays, tunnels."""
    async with at.login(key=new_key()) as connection:
        refusals = [
            connection.create_connection(asyncssh.SSHTCPSession, "127.0.0.1", at.door.port),
            connection.create_unix_connection(asyncssh.SSHUNIXSession, "/tmp/x"),
            connection.create_tun(asyncssh.SSHTunTapSession),
            connection.create_tap(asyncssh.SSHTunTapSession),
        ]
        for asking in refusals:
            with pytest.raises(asyncssh.ChannelOpenError, match="There is only a game here"):
                await asking
        for listening in (
            connection.forward_remote_port("", 0, "127.0.0.1", 1),
            connection.forward_remote_path("/tmp/looseends-x", "/tmp/y"),
        ):
            with pytest.raises(asyncssh.ChannelListenError):
                await listening
    code, _, _ = await at.run("ls")
    assert code == 1


async def test_neither_an_agent_nor_a_display_is_taken(at: AtTheDoor) -> None:
    async with at.login() as connection:
        with pytest.raises(asyncssh.ChannelOpenError):
            await connection.create_session(
                asyncssh.SSHClientSession, "plain", x11_forwarding=True, x11_display="localhost:0"
            )


async def test_join_and_watch_lead_to_the_table(at: AtTheDoor) -> None:
    async with at.inside("ann", key=new_key()) as ann:
        await ann.shows("you are")
        ann.press("n")
        await ann.shows("How many sit")
        ann.press("\r")
        await ann.until(lambda: isinstance(at.app_of("ann").screen, GatheringScreen))
        (code,) = at.house.tables
        table = at.house.tables[code]
        async with (
            at.inside("bob", command=f"join {code.lower()}") as bob,
            at.inside("eve", command=f"watch {code}") as eve,
        ):
            await at.until(lambda: "bob" in {table.name_at(seat) for seat in range(4)})
            await at.until(lambda: list(table.watchers.values()) == ["eve"])
            await bob.shows("ann")
            await eve.shows("bob")


async def test_a_table_that_is_not_there_is_said_in_the_lobby(at: AtTheDoor) -> None:
    async with at.inside("ann", command="join 0000000000") as ann:
        await ann.shows("There is no such table.")
        assert await ann.quit() == 0


async def test_one_connection_has_so_many_sessions_and_no_more(at: AtTheDoor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("looseends_client.ssh.doorkeeper.MOST_SESSIONS", 1)
    async with at.login(key=new_key()) as connection:
        held = await connection.create_process("plain")
        with pytest.raises(asyncssh.ChannelOpenError):
            await connection.create_process("plain")
        held.stdin.write_eof()
        await held.wait()
        await connection.create_process("plain")


# ── lines of text ────────────────────────────────────────────────────────────────────────────────────────────────


async def test_the_line_mode_runs_without_a_terminal(at: AtTheDoor) -> None:
    async with at.login(key=new_key()) as connection:
        process = await connection.create_process("plain", encoding="utf-8")
        process.stdin.write("help\nquit\n")
        done = await process.wait()
        assert done.exit_status == 0
        assert str(done.stdout).startswith(
            "No Loose Ends. Type help for the commands.\nYou are ann at No Loose Ends.\n"
        )
        assert "\x1b" not in str(done.stdout)
        assert str(done.stderr) == ""


async def test_the_line_mode_on_a_terminal_shows_what_is_typed_and_lets_it_be_corrected(at: AtTheDoor) -> None:
    async with at.inside("ann", command="plain", term="dumb", key=new_key()) as person:
        await person.shows("Type help")
        person.press("hepl\x7f\x7flp ne\x08\x08new\r")
        await person.shows("help new")
        await person.shows("how many play")
        assert b"\x1b" not in person.received
        person.press("\x04")
        assert await person.ended() == 0


async def test_the_end_of_input_ends_the_line_mode_and_the_seat_is_kept(at: AtTheDoor) -> None:
    async with at.login("ann") as connection:
        process = await connection.create_process("plain", encoding="utf-8")
        process.stdin.write("new\n")
        await at.until(lambda: at.house.tables)
        process.stdin.write_eof()
        done = await process.wait()
        assert done.exit_status == 0
        assert f"Your way back: ssh -p {at.door.port} 127.0.0.1 plain back " in str(done.stderr)
    (table,) = at.house.tables.values()
    assert table.name_at(0) == "ann"


# ── settings ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_settings_are_kept_for_a_key(at: AtTheDoor) -> None:
    key = new_key()
    said = await at.run("set colours=mono suits=letters", key=key)
    assert said == (0, "", "Kept for your key: colours = mono\nKept for your key: suits = letters\n")
    async with at.inside("ann", key=key, term="xterm-direct") as person:
        await person.shows("you are")
        assert at.app_of("ann").settings.depth == "mono"
        assert at.app_of("ann").settings.ascii_faces
    async with at.inside("bob", key=new_key(), term="xterm-direct") as person:
        await person.shows("you are")
        assert at.app_of("bob").settings.depth == "true"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("set colours=many", "one of auto, true, 256, 16, mono"),
        ("set colour=16", "There is no setting 'colour'."),
        ("set keys=x", "keys"),
    ],
)
async def test_a_wrong_setting_is_explained(at: AtTheDoor, command: str, said: str) -> None:
    code, _, why = await at.run(command, key=new_key())
    assert (code, why.count("\n")) == (2, 1)
    assert said in why


async def test_a_guest_keeps_no_settings(at: AtTheDoor) -> None:
    code, _, why = await at.run("set colours=16")
    assert code == 1
    assert "you came without one" in why
