"""Many apps of Textual in one process behind asyncssh: each of the ways in which that goes wrong, and does not here.

The number of a trap names what the door does about it; each test fails where that is left out.
"""

from __future__ import annotations

import asyncio
import gc
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import asyncssh
import pytest
from structlog.testing import capture_logs

from looseends_client.screens.table import TableScreen
from looseends_client.ssh.collecting import LEAST_LEFT, LeftBehind, rare_full_collections
from looseends_client.ssh.own_terminal import forget_own_terminal
from tests.ssh.at_the_door import AtTheDoor, Person, at_the_door, new_key

COLOUR = re.compile(rb"\x1b\[([0-9;]*)m")


@pytest.fixture
async def at(tmp_path: Path) -> AsyncIterator[AtTheDoor]:
    async with at_the_door(tmp_path) as opened:
        yield opened


async def at_a_table(person: Person) -> None:
    """Go to a new table, give its seats to bots and start."""
    await person.shows("you are")
    person.press("n")
    await person.shows("How many sit")
    person.press("\r")
    await person.shows("b bot")
    person.press("bbb")
    await person.until(lambda: person.text.count("bot") >= 3)
    person.press("s")
    await person.until(lambda: isinstance(app_screen(person), TableScreen))


def app_screen(person: Person) -> object:
    return person.at.app_of("ann").screen


async def test_the_output_of_the_process_goes_where_it_went_whoever_leaves_first(at: AtTheDoor) -> None:
    """Trap 1: Textual redirects stdout for as long as an app runs, and apps end in any order."""
    before = (sys.stdout, sys.stderr)
    async with at.inside("ann") as first, at.inside("bob") as second:
        await first.shows("you are ann")
        await second.shows("you are bob")
        assert (sys.stdout, sys.stderr) == before
        await first.quit()
        await second.quit()
    assert (sys.stdout, sys.stderr) == before


async def test_nothing_of_an_app_is_left_once_its_person_is_gone(at: AtTheDoor) -> None:
    """Traps 1 and 2: Textual's parser, kept by a cache, keeps the last event it made, and that keeps the app."""
    for number in range(30):
        async with at.inside(f"p{number}") as person:
            await person.shows(f"you are p{number}")
            person.press("\x1b[A\x1b[<0;5;5Mn")
            await person.shows("How many sit")
            if number % 3 == 0:
                person.cut()
            elif number % 3 == 1:
                person.press("\x1b")
                await person.shows("you are")
                await person.quit()
    await at.until(lambda: at.door.admission.inside == 0)
    await at.until(lambda: at.live_apps == 0)


@pytest.mark.parametrize("terms", [("xterm-direct", "xterm-256color", "xterm", "vt100"), ("vt100", "xterm-direct")])
async def test_nobody_gets_the_colours_of_somebody_elses_terminal(at: AtTheDoor, terms: tuple[str, ...]) -> None:
    """Trap 3: Rich keeps the finished codes of a style, whatever number of colours they were made for.

    The picture that an app keeps of its terminal has a number of colours of its own.
    """
    for user, term in enumerate(terms):
        async with at.inside(f"p{user}", term=term) as person:
            await person.shows(f"you are p{user}")
            person.press("n")
            await person.shows("How many sit")
            assert depths_of(person.received) == {"xterm-direct": {"true"}, "xterm-256color": {"256"}}.get(
                term, {"16"} if term == "xterm" else set()
            )


def depths_of(drawn: bytes) -> set[str]:
    """Return the kinds of colour codes in what was drawn."""
    found: set[str] = set()
    for codes in COLOUR.findall(drawn):
        text = f";{codes.decode()};"
        found |= {name for mark, name in ((";2;", "true"), (";5;", "256")) if re.search(f";[34]8{mark}", text)}
        plain = re.sub(r";[34]8;(2(;\d+){3}|5;\d+)(?=;)", "", text)
        if re.search(r";([34][0-7]|9[0-7]|10[0-7])(?=;)", plain):
            found.add("16")
    return found


def test_the_terminal_that_the_door_was_started_on_is_nobodys_business() -> None:
    """Trap 4: Textual reads colours, size and debugging from the environment of the process, for every app."""
    own = {"TERM": "dumb", "NO_COLOR": "1", "COLUMNS": "10", "TEXTUAL": "debug", "TEXTUAL_THEME": "x", "PATH": "/bin"}
    forget_own_terminal(own)
    assert own == {
        "PATH": "/bin",
        "TERM": "xterm-256color",
        "TEXTUAL_COLOR_SYSTEM": "truecolor",
        "TEXTUAL_ANIMATIONS": "none",
    }


async def test_an_app_reads_nothing_of_the_environment_of_the_process(
    at: AtTheDoor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Trap 4, where Textual had been imported before the door was opened."""
    for name, value in {"NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "10", "TEXTUAL": "debug"}.items():
        monkeypatch.setenv(name, value)
    async with at.inside("ann", term="xterm-direct") as person:
        await person.shows("you are ann")
        await person.shows("you are")
        assert depths_of(person.received) == {"true"}
        app = at.app_of("ann")
        assert (app.debug, app.css_monitor, app.devtools) == (False, None, None)


def test_full_collections_are_rare_while_a_door_is_open() -> None:
    """Trap 5: a full collection looks at every object of every app, and nobody is answered meanwhile."""
    before, frozen = gc.get_threshold(), gc.get_freeze_count()
    with rare_full_collections():
        young, middle, old = gc.get_threshold()
        assert young * middle * old >= 5_000_000
        assert gc.get_freeze_count() > frozen + 10_000
    assert gc.get_threshold() == before


def test_what_was_left_is_collected_when_nobody_plays_or_many_have_left(monkeypatch: pytest.MonkeyPatch) -> None:
    collected: list[int] = []
    monkeypatch.setattr(gc, "collect", lambda: collected.append(1))
    left = LeftBehind()
    for _ in range(LEAST_LEFT - 1):
        left.one_left(10)
    assert collected == []
    left.one_left(10)
    assert len(collected) == 1
    left.one_left(0)
    assert len(collected) == 2
    for _ in range(49):
        left.one_left(100)
    assert len(collected) == 2
    left.one_left(100)
    assert len(collected) == 3


async def test_the_first_screen_is_drawn_once(at: AtTheDoor) -> None:
    """Trap 6: an app draws itself four or five times while it begins. What stands there already is not sent again."""
    async with at.inside("ann") as person:
        await person.shows("you are")
        assert person.received.count(b"you are ann") == 1
        assert len(person.received) < 4_000


async def test_what_goes_wrong_in_a_callback_is_logged_and_ends_one_session(
    at: AtTheDoor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Trap 8: asyncssh ends the connection and tells nobody why."""

    def broken(self: Any, *_: object) -> None:
        raise KeyError("B7 is in this hand")

    async with at.inside("bob") as bob:
        await bob.shows("you are bob")
        with capture_logs() as logs, monkeypatch.context() as patch:
            patch.setattr("looseends_client.ssh.visit.Visit.resize", broken)
            async with at.inside("ann") as ann:
                await ann.shows("you are ann")
                ann.resize(100, 30)
                await ann.until(lambda: ann.lost)
        (line,) = [line for line in logs if line["log_level"] == "error"]
        assert (line["event"], line["step"], line["error"]) == ("session failed", "terminal_size_changed", "KeyError")
        assert "B7" not in repr(logs)
        bob.press("n")
        await bob.shows("How many sit")


async def test_an_app_that_fails_ends_by_itself_with_nothing_secret_in_the_log(
    at: AtTheDoor, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Trap 9: Textual prints what went wrong, with the values of variables: hands, tokens, passwords."""
    async with at.inside("bob") as bob, at.inside("ann") as ann:
        await bob.shows("you are bob")
        await ann.shows("you are ann")

        def broken(self: Any, *_: object) -> None:
            hand = "the hand is B7 R3"
            raise ValueError(hand)

        with capture_logs() as logs, monkeypatch.context() as patch:
            patch.setattr("looseends_client.screens.lobby.LobbyScreen.on_key", broken, raising=False)
            app = at.app_of("ann")
            app.call_later(broken, app)
            assert await ann.ended() == 1
        assert [line["event"] for line in logs if line["log_level"] == "error"] == ["app failed"]
        assert "ValueError" in repr(logs)
        assert "the hand is" not in repr(logs) + "".join(capfd.readouterr())
        tail = ann.received.rpartition(b"\x1b[?1049l")[2].decode()
        assert "Something went wrong here" in tail
        assert "Your way back: ssh" in tail
        bob.press("n")
        await bob.shows("How many sit")


async def test_an_app_leaves_the_loops_way_of_making_tasks_alone(
    at: AtTheDoor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Trap 10: from Python 3.12 on Textual makes the loop begin every task at once, the server's included."""

    def eager(loop: asyncio.AbstractEventLoop, coroutine: Any, **options: Any) -> asyncio.Task[Any]:
        made.append(coroutine)
        return asyncio.Task(coroutine, loop=loop, **options)

    made: list[object] = []
    monkeypatch.setattr(asyncio, "eager_task_factory", eager, raising=False)
    loop = asyncio.get_running_loop()
    before = loop.get_task_factory()
    async with at.inside("ann") as person:
        await person.shows("you are ann")
        assert loop.get_task_factory() is before
    assert made == []


async def test_who_does_not_read_is_drawn_nothing_and_sees_what_is_now_when_they_do(at: AtTheDoor) -> None:
    """Trap 11: asyncssh holds two megabytes for a client that has stopped reading, all of it old when it is read."""
    async with at.inside("slow", window=64 * 1024) as slow, at.inside("bob") as bob:
        await slow.shows("you are slow")
        await bob.shows("you are bob")
        assert slow.channel is not None
        slow.channel.pause_reading()
        app = at.app_of("slow")
        driver = app.line_driver
        assert driver is not None
        for number in range(1500):
            driver.write("\x1b[H" + f"frame {number:05} " * 60)
            driver.flush()
            if number % 50 == 0:
                await asyncio.sleep(0)
        before = len(slow.received)
        bob.press("n")
        await bob.shows("How many sit")
        slow.channel.resume_reading()
        await slow.until(lambda: "frame" not in slow.text and "you are slow" in slow.text)
        written = 1500 * 60 * len("frame 00000 ")
        assert len(slow.received) - before < 400_000 < written / 2


def test_a_process_with_a_door_is_told_apart_from_its_terminal(tmp_path: Path) -> None:
    """Trap 4 by the real command: started on a bad terminal, it serves good ones."""
    folder = tmp_path / "state"
    textuals_log = tmp_path / "textual.log"
    own = {"TERM": "dumb", "NO_COLOR": "1", "COLUMNS": "10", "TEXTUAL": "debug", "TEXTUAL_LOG": str(textuals_log)}
    environment = os.environ | own
    command = [sys.executable, "-m", "looseends_client", "serve", "--port", "0", "--ssh", "0", "--folder", str(folder)]
    with (tmp_path / "log").open("wb") as errors:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, env=environment, text=True)
    assert process.stdout is not None
    try:
        assert process.stdout.readline().startswith("Serving on")
        line = process.stdout.readline()
        assert line.startswith("SSH on 127.0.0.1:")
        port = int(line.split("SSH on 127.0.0.1:")[1].split(",")[0])
        drawn = asyncio.run(first_screen(port))
    finally:
        process.terminate()
        assert process.wait(20) == 0
        process.stdout.close()
    assert depths_of(drawn) == {"true"}
    assert b"you are ann" in drawn
    assert not textuals_log.exists()


async def first_screen(port: int) -> bytes:
    async with (
        asyncssh.connect("127.0.0.1", port, username="ann", client_keys=[new_key()], known_hosts=None) as connection,
        asyncio.timeout(20),
    ):
        process = await connection.create_process(term_type="xterm-direct", term_size=(80, 24), encoding=None)
        drawn = b""
        while b"you are" not in drawn:
            drawn += await process.stdout.read(4096)
        process.stdin.write(b"q")
        await process.wait()
        return drawn
