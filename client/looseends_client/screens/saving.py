"""Writing finished games into a file, one record a line: what `looseends verify` and `games import` read."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import BinaryIO

import msgspec

from looseends_client.game_client import NotConnected, RequestRefused
from looseends_client.history.desk import GamesDesk, NoGame
from looseends_client.history.search import Search
from looseends_core.record import record_to_json
from looseends_protocol.messages import GameLine


async def save_games(desk: GamesDesk, name: str, which: list[GameLine] | Search, say: Callable[[str], None]) -> None:
    """Write these games, or all that a search finds, into a new file; `say` is told how far it has come, and the end.

    A file that is there stays as it is. What was written before something went wrong stays, and is said.
    """
    count = 0
    try:
        with _new_file(name) as file:
            async for line, of in _games(desk, which):
                record = await desk.record(line.game)
                file.write(msgspec.json.encode(record_to_json(record)) + b"\n")
                count += 1
                if of > 1:
                    say(f"{count} of {of} written ...")
    except FileExistsError:
        say(f"{name} is there already and stays as it is: name another file.")
    except (RequestRefused, NotConnected, NoGame) as error:
        say(f"{_counted(count)} written to {name}, then: {error}")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        say(f"{name} cannot be written: {reason or error}.")
    else:
        say(f"{_counted(count)} written to {name}. `looseends verify {name}` proves what it holds.")


def _new_file(name: str) -> BinaryIO:
    return Path(name).expanduser().open("xb")


async def _games(desk: GamesDesk, which: list[GameLine] | Search) -> AsyncIterator[tuple[GameLine, int]]:
    """Yield each game with how many there are, as far as is known."""
    if isinstance(which, list):
        for line in which:
            yield line, len(which)
        return
    seen: set[int] = set()
    page = 0
    while True:
        found = await desk.page(which, page)
        of = max(len(found.games), found.pages * len(found.games) if page == 0 else len(seen) + len(found.games))
        for line in found.games:
            if line.game not in seen:  # one that ended meanwhile moves the others on
                seen.add(line.game)
                yield line, of
        page += 1
        if page >= found.pages:
            return


def _counted(count: int) -> str:
    return f"{count} {'game' if count == 1 else 'games'}"
