"""Whom somebody has muted at a server stays muted there when the program is started again, and nowhere else."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from looseends_client.muted_people import MutedPeople, muted_at
from looseends_client.screens.gathering import GatheringScreen
from looseends_client.starting import StartLobby
from looseends_core.rules import rule_set
from looseends_protocol.messages import Attending, CreateTable, Say
from tests.client.on_screen import opened, seated_before_the_screen
from tests.server.peers import FAST, arrive


def test_a_name_is_kept_for_the_server_where_it_was_muted(tmp_path: Path) -> None:
    muted_at(tmp_path, "games.example:8749").add("bob")
    assert "bob" in muted_at(tmp_path, "Games.Example:8749")
    assert "bob" not in muted_at(tmp_path, "other.example:8749")
    again = muted_at(tmp_path, "games.example:8749")
    again.add("漢字")
    again.discard("bob")
    assert list(muted_at(tmp_path, "games.example:8749")) == ["漢字"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no modes")
def test_nobody_else_reads_who_is_muted(tmp_path: Path) -> None:
    muted_at(tmp_path, "games.example").add("bob")
    (file,) = (tmp_path / "muted").iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("spoilt", [b"\xff\xfe\x00", b"\n\n"])
def test_a_spoilt_file_mutes_nobody(tmp_path: Path, spoilt: bytes) -> None:
    file = tmp_path / "muted.txt"
    file.write_bytes(spoilt)
    assert not MutedPeople(file)


def test_what_cannot_be_kept_holds_while_the_program_runs(tmp_path: Path) -> None:
    (tmp_path / "in the way").write_text("a file")
    muted = MutedPeople(tmp_path / "in the way" / "muted.txt")
    muted.add("bob")
    assert "bob" in muted


async def test_who_was_muted_on_the_page_of_people_is_muted_when_the_program_comes_back(tmp_path: Path) -> None:
    async with opened() as place:
        bob, _ = await arrive(place[0], "bob")
        code = (await bob.expect(CreateTable(0, rule_set(3), FAST), Attending)).code
        token = b""
        for time in ("first", "second"):
            muted = muted_at(tmp_path, "here")
            async with seated_before_the_screen(*place, StartLobby(code), token=token, muted=muted) as on:
                await on.until_shown("bob")
                assert isinstance(on.app.screen, GatheringScreen)
                if time == "first":
                    await bob.ask(Say(0, "one"))
                    await on.until_shown("bob: one")
                    await on.press("w", "m", "enter")
                    welcome = on.app.client.welcome
                    assert welcome is not None
                    token = welcome.token
                else:
                    await bob.ask(Say(0, "two"))
                    await on.press("w")
                    await on.until_shown("muted by you")
                    await on.press("m", "enter")
                    await bob.ask(Say(0, "three"))
                    await on.until_shown("bob: three")
                    assert "bob: two" not in on.text
        bob.close()
    assert not muted_at(tmp_path, "here")
