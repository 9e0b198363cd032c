"""Whatever a terminal is and sends, it does no harm, and it is left as it was."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from looseends_client.screens.lobby import LobbyScreen
from looseends_client.ssh import driver as driving
from looseends_client.ssh.driver import LARGEST_SIZE, USUAL_SIZE, ChannelDriver, sensible_size
from tests.ssh.at_the_door import AtTheDoor, Person, at_the_door, new_key

OFF = tuple(b"\x1b[?%s" % code for code in (b"1000l", b"1002l", b"1006l", b"2004l", b"1004l", b"1049l", b"25h", b"7h"))


@pytest.fixture
async def at(tmp_path: Path) -> AsyncIterator[AtTheDoor]:
    async with at_the_door(tmp_path) as opened:
        yield opened


def left_clean(person: Person) -> bool:
    """Whether everything that was switched on was switched off again, and the picture taken away last."""
    return all(person.received.count(off) == 1 for off in OFF) and b"\x1b[?1049h" in person.received


async def in_the_lobby(person: Person) -> ChannelDriver:
    await person.shows("you are")
    driver = person.at.app_of("ann").line_driver
    assert driver is not None
    return driver


# ── the end ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_the_terminal_is_left_clean_by_leaving(at: AtTheDoor) -> None:
    async with at.inside("ann") as person:
        await in_the_lobby(person)
        assert await person.quit() == 0
        assert left_clean(person)


@pytest.mark.parametrize("signal", ["HUP", "INT", "TERM"])
async def test_the_terminal_is_left_clean_by_a_signal(at: AtTheDoor, signal: str) -> None:
    async with at.inside("ann") as person:
        await in_the_lobby(person)
        assert person.channel is not None
        person.channel.send_signal(signal)
        assert await person.ended() == 0
        assert left_clean(person)


async def test_the_terminal_is_left_clean_at_the_end_of_input(at: AtTheDoor) -> None:
    async with at.inside("ann") as person:
        await in_the_lobby(person)
        assert person.channel is not None
        person.channel.write_eof()
        assert await person.ended() == 0
        assert left_clean(person)


async def test_the_terminal_is_left_clean_when_the_door_closes_and_is_told_why(tmp_path: Path) -> None:
    async with at_the_door(tmp_path) as at, at.inside("ann", key=new_key()) as person:
        await in_the_lobby(person)
        await at.door.close()
        assert await person.ended() == 0
        assert left_clean(person)
        assert "The server is shutting down. Every game is kept" in person.text


async def test_the_terminal_is_left_clean_when_a_key_comes_from_elsewhere(at: AtTheDoor) -> None:
    key = new_key()
    async with at.inside("ann", key=key) as first:
        await in_the_lobby(first)
        async with at.inside("ann", key=key) as second:
            await in_the_lobby(second)
            await first.shows("You connected from somewhere else")
            first.press("\r")
            assert await first.ended() == 0
            assert left_clean(first)


async def test_a_line_that_drops_ends_the_app_and_keeps_the_seat(at: AtTheDoor) -> None:
    key = new_key()
    async with at.inside("ann", key=key) as person:
        await in_the_lobby(person)
        person.press("n")
        await person.shows("How many sit")
        person.press("\r")
        await at.until(lambda: at.house.tables)
        (table,) = at.house.tables.values()
        await at.until(lambda: table.anybody_present)
        person.cut()
        await at.until(lambda: not table.anybody_present and at.door.admission.inside == 0)
        assert table.name_at(0) == "ann"
    async with at.inside("ann", key=key, command=f"join {table.code}") as again:
        await at.until(lambda: table.anybody_present)
        await again.shows("ann")


# ── sizes ────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("said", "drawn"),
    [
        ((0, 0), USUAL_SIZE),
        ((0, 40), (80, 40)),
        ((100, 0), (100, 24)),
        ((10**6, 10**9), LARGEST_SIZE),
        ((1, 1), (1, 1)),
    ],
)
def test_a_size_is_one_that_can_be_drawn(said: tuple[int, int], drawn: tuple[int, int]) -> None:
    assert sensible_size(*said) == drawn


async def test_a_terminal_without_a_size_is_drawn_at_the_usual_one(at: AtTheDoor) -> None:
    async with at.inside("ann", size=(80, 24)) as person:
        await in_the_lobby(person)
        person.resize(0, 0)
        person.press("n")
        await person.shows("How many sit")
        assert at.app_of("ann").size == USUAL_SIZE


async def test_a_storm_of_resizes_ends_in_the_last_size(at: AtTheDoor, monkeypatch: pytest.MonkeyPatch) -> None:
    async with at.inside("ann") as person:
        await in_the_lobby(person)
        drawn = len(person.received)
        for number in range(2000):
            person.resize(40 + number % 160, 10 + number % 50)
        person.resize(100, 30)
        await at.until(lambda: at.app_of("ann").size == (100, 30))
        await person.shows("you are")
        assert len(person.received) - drawn < 200_000
        for size in ((1, 1), (2**32 - 1, 2**32 - 1), (0, 0), (80, 24)):
            person.resize(*size)
        await at.until(lambda: at.app_of("ann").size == (80, 24))


# ── what comes in ────────────────────────────────────────────────────────────────────────────────────────────────

REPLIES = (
    b"\x1b[?2026;2$y",  # DECRQM
    b"\x1b[?62;22c",  # what the terminal is
    b"\x1b[12;40R",  # where the cursor is
    b"\x1b]10;rgb:ffff/ffff/ffff\x07",  # OSC, ended by BEL
    b"\x1b]52;c;cXFxcXFx\x1b\\",  # OSC with a clipboard, ended by ST
    b"\x1bP1$r48;5;q\x1b\\",  # DCS
    b"\x1b_Gi=1;OK\x1b\\",  # APC
    "\x9d11;rgb:0000/0000/0000\x9c".encode(),  # OSC, begun and ended by one character each
)


@pytest.mark.parametrize("reply", REPLIES, ids=repr)
async def test_an_answer_of_the_terminal_is_no_key(at: AtTheDoor, reply: bytes) -> None:
    async with at.inside("ann", key=new_key()) as person:
        await in_the_lobby(person)
        for part in (reply[:3], reply[3:], reply):
            person.press(part)
        person.press("n")
        await person.shows("How many sit")  # nothing of it left the lobby by its q, or opened another page


async def test_a_paste_presses_no_key(at: AtTheDoor) -> None:
    async with at.inside("ann", key=new_key()) as person:
        await in_the_lobby(person)
        person.press("\x1b[200~q\rq\x1b[A\x1b]0;x\x07q" + "q" * 100_000 + "\x1b[201~")
        person.press("n")
        await person.shows("How many sit")


async def test_a_flood_of_keys_holds_nobody_up(at: AtTheDoor) -> None:
    async with at.inside("ann", key=new_key()) as ann, at.inside("bob", key=new_key()) as bob:
        driver = await in_the_lobby(ann)
        await bob.shows("you are")
        ann.press("\x1b[A" * 40_000)
        most = 0
        for _ in range(50):
            await asyncio.sleep(0)
            most = max(most, at.app_of("ann").message_queue_size)
        bob.press("n")
        await bob.shows("How many sit")
        assert most <= driving.MOST_WAITING + driving.FEED_BYTES
        assert len(driver._in) < 200_000  # pyright: ignore[reportPrivateUsage]
        ann.cut()


async def test_a_lone_escape_is_a_key_after_a_moment(at: AtTheDoor) -> None:
    async with at.inside("ann", key=new_key()) as person:
        await in_the_lobby(person)
        person.press("n")
        await person.shows("How many sit")
        person.press("\x1b")
        await person.until(lambda: "you are ann" in person.text and isinstance(at.app_of("ann").screen, LobbyScreen))


async def test_what_is_typed_before_the_screen_is_there_counts(at: AtTheDoor) -> None:
    async with at.inside("ann", key=new_key()) as person:
        person.press("n")
        await person.shows("How many sit")


async def test_letters_in_any_script_arrive_whole(at: AtTheDoor) -> None:
    async with at.inside("ann", key=new_key()) as person:
        await in_the_lobby(person)
        person.press("c")
        await person.shows("The table's code")
        for byte in "é♠𝄞".encode() + b"\xff\xc3":
            person.press(bytes([byte]))
        person.press("\x1b")
        await person.until(lambda: "The table's code" not in person.text)


# ── what a terminal can show ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("term", "environment", "depth", "ascii_faces", "mouse"),
    [
        ("xterm-256color", {"LANG": "de_DE.UTF-8"}, "256", False, True),
        ("xterm", {"LC_ALL": "C.UTF-8"}, "16", False, True),
        ("xterm-kitty", {}, "true", False, True),
        ("xterm-256color", {"LC_ALL": "de_DE.ISO-8859-1"}, "256", True, True),
        ("xterm-256color", {"COLORTERM": "truecolor"}, "true", False, True),
        ("xterm-256color", {"NO_COLOR": "1"}, "mono", False, True),
        ("linux", {"LANG": "C"}, "16", True, False),
        ("vt100", {}, "mono", False, False),
    ],
)
async def test_a_terminal_is_drawn_on_as_it_says_of_itself(
    at: AtTheDoor, term: str, environment: dict[bytes | str, bytes | str], depth: str, ascii_faces: bool, mouse: bool
) -> None:
    async with at.inside("ann", term=term, environment=environment) as person:
        await in_the_lobby(person)
        settings = at.app_of("ann").settings
        assert (settings.depth, settings.ascii_faces) == (depth, ascii_faces)
        assert (b"\x1b[?1000h" in person.received) == mouse
        assert (b"\x1b[?2004h" in person.received) == mouse
        if ascii_faces:
            assert person.received.isascii()
        assert b"\x1b[?2026" not in person.received  # nothing is asked, so that nothing comes back


async def test_of_an_environment_a_little_is_kept(at: AtTheDoor) -> None:
    flood: dict[bytes | str, bytes | str] = {f"V{number}": "x" for number in range(500)}
    async with at.inside("ann", environment={"LANG": "C.UTF-8", "LONG": "x" * 5000, **flood}) as person:
        await person.shows("you are ann")
        (session,) = at.door.sessions
        assert session.environment["LANG"] == "C.UTF-8"
        channel = session._channel  # pyright: ignore[reportPrivateUsage]
        assert channel is not None
        assert len(channel.get_environment_bytes()) == 64
        assert b"LONG" not in channel.get_environment_bytes()


async def test_the_mouse_clicks(at: AtTheDoor) -> None:
    async with at.inside("ann", key=new_key()) as person:
        await in_the_lobby(person)
        row = next(number for number, line in enumerate(person.text.split("\n"), 1) if "play now" in line)
        person.press(f"\x1b[<0;5;{row}M\x1b[<0;5;{row}m\x1b[<35;6;{row}M")
        person.press("n")
        await person.shows("How many sit")


async def test_what_would_reach_the_machine_of_the_door_does_nothing(at: AtTheDoor, tmp_path: Path) -> None:
    async with at.inside("ann", key=new_key()) as person:
        driver = await in_the_lobby(person)
        driver.open_url("http://127.0.0.1:1/")
        target = tmp_path / "delivered"
        with (tmp_path / "source").open("w+b") as source:
            driver.deliver_binary(source, delivery_key="x", save_path=target)
            assert source.closed
        assert not target.exists()
        assert not driver.can_suspend
        person.press("\x10")  # where the palette would open
        person.press("n")
        await person.shows("How many sit")
