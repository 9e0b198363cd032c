"""`looseends replay`: a recorded game on the table that it was played at, to step through by key.

How files are cut into records is `record_texts`', which games there are is `own_games`'.
"""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import Parameter

from looseends_client.commands import CommandFailed
from looseends_client.commands.record_texts import STDIN, Unreadable, record_texts, too_long
from looseends_client.commands.terminal_options import (
    NO_OPTIONS,
    TerminalOptions,
    found_settings,
    set_up_terminal,
)
from looseends_client.terminal import has_terminal
from looseends_core.record import GameRecord, record_from_json
from looseends_core.verify import verify_text

NOT_RIGHT = 1
"""Exit code where there is no such game, or its record is not right."""
_KEY = re.compile(r"[1-9][0-9]*-[1-9][0-9]*")


def replay(
    game: Annotated[str, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    number: int = 1,
    folder: Annotated[
        Path | None, Parameter(help="The folder that holds the games, where it is not the usual one of this user.")
    ] = None,
    terminal: TerminalOptions = NO_OPTIONS,
) -> int:
    """Go through a finished game on the table, by key: forwards, backwards, from any seat, with every hand open.

    The record is verified first. ? shows all keys.

    Parameters
    ----------
    game
        A file of game records, or one of your own games as `looseends games list` names it, such as 1-17.
    number
        Which record of the file, from 1.
    """
    found = found_settings(terminal)
    is_key = _KEY.fullmatch(game) is not None and not Path(game).exists()
    record = _own_game(game, folder) if is_key else _record_in(game, number)
    if not record.rounds:
        raise CommandFailed(f"There is nothing to see in {game}: no round of this game was dealt.", NOT_RIGHT)
    if not has_terminal():
        raise CommandFailed(
            "`looseends replay` needs a terminal to draw on, and there is none here; `looseends games show` tells one "
            "of your games in lines."
        )
    settings = set_up_terminal("looseends replay", found, is_terminal=True)
    # Imported from here on: the user interface, which the checks above must not wait for.
    from looseends_client.commands.on_terminal import run_on_terminal
    from looseends_client.history.replay import Replay, only_person
    from looseends_client.replay_app import ReplayApp

    async def shown() -> int:
        return await run_on_terminal(ReplayApp(Replay(record, only_person(record)), settings))

    return asyncio.run(shown())


def _own_game(key: str, folder: Path | None) -> GameRecord:
    from contextlib import closing

    from looseends_client.commands.games import games_folder
    from looseends_client.commands.own_games import OwnGames

    with closing(OwnGames(games_folder(folder))) as own:
        record = own.record(key)
    if record is None:
        raise CommandFailed(f"There is no game {key}: `looseends games list` names them.", NOT_RIGHT)
    return record


def _record_in(name: str, number: int) -> GameRecord:
    if name == STDIN:
        raise CommandFailed("replay needs a file: the keys come from standard input.")
    if number < 1:
        raise CommandFailed(f"--number is a number from 1 on, not {number}.")
    count = 0
    try:
        for line, text in record_texts(name):
            count += 1
            if count == number:
                fault = too_long() if text is None else verify_text(text, line).fault
                if fault or text is None:
                    raise CommandFailed(f"{name}:{line}: {fault}", NOT_RIGHT)
                return record_from_json(msgspec.json.decode(text))
    except Unreadable as error:
        raise CommandFailed(f"{name} cannot be read: {error}.") from error
    held = f"only {count} {'record' if count == 1 else 'records'}" if count else "no record"
    raise CommandFailed(f"{name} holds {held}: there is no number {number}.", NOT_RIGHT)
