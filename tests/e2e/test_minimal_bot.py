"""The example bot, written against docs/protocol.md alone, plays whole games with the real server over TCP."""

from __future__ import annotations

import ast
import asyncio
import importlib.util
import socket
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from looseends_server.house import House

SOURCE = Path(__file__).parents[2] / "docs" / "examples" / "minimal_bot.py"
PATIENCE = 30
"""Seconds after which a game that goes on is a fault; one takes less than one."""


@pytest.fixture
async def port(tmp_path: Path) -> AsyncIterator[int]:
    house = await House.open(tmp_path)
    try:
        yield await house.listen("127.0.0.1", 0)
    finally:
        await house.close()


async def run_bot(*arguments: str) -> tuple[str, str, int]:
    """Run the bot as a person would; return what it printed, what it complained of and its exit code."""
    bot = await asyncio.create_subprocess_exec(
        sys.executable,
        str(SOURCE),
        *arguments,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        printed, complained = await asyncio.wait_for(bot.communicate(), PATIENCE)
    finally:
        if bot.returncode is None:
            bot.kill()
            await bot.wait()
    assert bot.returncode is not None
    return printed.decode(), complained.decode(), bot.returncode


async def scores_of_a_game(*arguments: str) -> list[int]:
    """Let the bot play; return the scores that it prints."""
    printed, complained, code = await run_bot(*arguments)
    assert (complained, code) == ("", 0)
    label, *scores = printed.split()
    assert label == "Scores:"
    return [int(score) for score in scores]


def bot_class() -> Any:
    spec = importlib.util.spec_from_file_location("minimal_bot", SOURCE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Bot


def test_the_bot_needs_msgpack_and_the_standard_library_alone() -> None:
    imported = {
        name.split(".")[0]
        for node in ast.walk(ast.parse(SOURCE.read_text(encoding="utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names])
    }
    assert imported - sys.stdlib_module_names == {"msgpack"}


async def test_the_bot_plays_a_whole_game_with_a_bot_of_the_server(port: int) -> None:
    scores = await scores_of_a_game("127.0.0.1", str(port), "ann")
    assert len(scores) == 2


async def test_two_of_them_play_a_whole_game_at_one_table(port: int) -> None:
    codes: asyncio.Queue[str] = asyncio.Queue()
    loop = asyncio.get_running_loop()
    bot: Any = bot_class()

    class Host(bot):  # type: ignore[misc]
        """Waits for somebody on the other seat where the example seats a bot."""

        def send(self, tag: str, **fields: Any) -> None:
            if tag not in ("seat-bot", "start"):
                super().send(tag, **fields)

        def on_attending(self, message: dict[str, Any]) -> Any:
            loop.call_soon_threadsafe(codes.put_nowait, message["c"])
            return super().on_attending(message)

        def on_seats(self, message: dict[str, Any]) -> None:
            if message["ph"] == "gathering" and all(seat["k"] == "person" for seat in message["ss"]):
                super().send("start")

    def host_a_game() -> list[int]:
        with (
            socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection,
            connection.makefile("rwb") as stream,
        ):
            try:
                scores: list[int] = Host(stream, "ann", "").play()
            except SystemExit as end:  # how the bot ends on a refusal; it must not end the tests too
                raise AssertionError(str(end)) from end
            return scores

    hosting = asyncio.create_task(asyncio.to_thread(host_a_game))
    code = await asyncio.wait_for(codes.get(), PATIENCE)
    seen_by_guest = await scores_of_a_game("127.0.0.1", str(port), "cy", code)

    assert await asyncio.wait_for(hosting, PATIENCE) == seen_by_guest


async def test_a_refusal_ends_the_bot_with_the_reason(port: int) -> None:
    await scores_of_a_game("127.0.0.1", str(port), "ann")

    printed, complained, code = await run_bot("127.0.0.1", str(port), "ann")

    assert (printed, code) == ("", 1)
    assert complained.startswith("name/taken: The name ann belongs to somebody else")
