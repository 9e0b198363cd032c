"""`looseends bot`: a level, or a program of somebody else, as a player at a table of a server."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from looseends_client.address import AddressInvalid, parse_address
from looseends_client.commands import CommandFailed
from looseends_client.commands.join import CANNOT_JOIN, client_for, let_in
from looseends_client.commands.printing import print_error, print_line
from looseends_client.programs.player import DECISION_SECONDS, ProgramPlayer
from looseends_core.bots import LEVELS
from looseends_protocol.people_text import NameInvalid, person_name

if TYPE_CHECKING:
    from looseends_client.address import Address
    from looseends_client.game_client import GameClient
    from looseends_client.seated_bot import Choose
    from looseends_core.actions import Action
    from looseends_core.state import State

TABLE_PASSWORD_VARIABLE = "LOOSEENDS_TABLE_PASSWORD"
_Flag = Parameter(negative=(), show_default=False)


def bot(
    *,
    join: str,
    table: str = "",
    level: str = "",
    command: Annotated[str, Parameter(allow_leading_hyphen=True)] = "",
    name: str = "",
    games: int | None = None,
    limit: float = DECISION_SECONDS,
    tls: Annotated[bool, _Flag] = False,
    tls_ca: Path | None = None,
    insecure: Annotated[bool, _Flag] = False,
) -> int:
    """Sit down at a table of a server as a player, and let a bot or a program of yours play.

    It sees what any player sees. A program reads one JSON view a line and writes one action a line; docs/bots.md has
    the form and an example. Where it is too slow, ends, or chooses what is not allowed, steady chooses in its place and
    the reason is printed. Ctrl-C leaves the table. The password of a server is taken from LOOSEENDS_PASSWORD, that of a
    table from LOOSEENDS_TABLE_PASSWORD.

    Examples:

        looseends bot --join 127.0.0.1 --table K7QP2MX0VD --level fox

        looseends bot --join 127.0.0.1/K7QP2MX0VD --command "python mybot.py" --name mybot

    Parameters
    ----------
    join
        The server: HOST, HOST:PORT, or an address that begins with looseends:// as its host gave it out.
    table
        The code of the table; not needed where the address ends in it.
    level
        The level that plays: rookie, steady, sharp or fox.
    command
        The command line of a program that plays instead.
    name
        Its name there, 1 to 20 characters: that of the level, or mybot, if not given.
    games
        Leave after so many games: as long as there are rematches if not given.
    limit
        Seconds that a program may take for a decision; never more than a second less than is left of its turn.
    tls
        Use TLS, which an address that begins with looseends:// does anyway.
    tls_ca
        A PEM file with the certificates of the authority that the server's certificate comes from.
    insecure
        Send the token over plain TCP to another machine. Whoever is on the way can read it and play in this name.
    """
    if bool(level) == bool(command):
        raise CommandFailed("say with --level or --command who plays: one of the two.")
    if games is not None and games < 1:
        raise CommandFailed(f"--games must be 1 or more, not {games}.")
    if not 0.01 <= limit <= 3600:
        raise CommandFailed(f"--limit must be from 0.01 to 3600 seconds, not {limit:g}.")
    address = _address(join, table, tls=tls or tls_ca is not None)
    try:
        chosen = person_name(name or level or "mybot")
    except NameInvalid as error:
        raise CommandFailed(f"--name: {error}") from error
    choose, program = _mind(level, command, limit)
    client = client_for(address, chosen, authorities=tls_ca, insecure=insecure)
    try:
        return asyncio.run(_play(client, address, choose, games, program))
    finally:
        if program is not None:
            program.close()


def _tell(sentence: str) -> None:
    # Whoever reads this through a pipe wants to know now.
    print_line(sentence)
    sys.stdout.flush()


def _address(join: str, table: str, *, tls: bool) -> Address:
    from msgspec.structs import replace

    from looseends_protocol.codes import table_code

    try:
        address = parse_address(join)
    except AddressInvalid as error:
        raise CommandFailed(f"{error}.") from error
    code = table_code(table) if table else address.code
    if not code:
        raise CommandFailed("say with --table at which table: its code is on the table and in the lobby.")
    return replace(address, tls=address.tls or tls, code=code)


def _mind(level: str, command: str, limit: float) -> tuple[Choose, ProgramPlayer | None]:
    if command:
        try:
            program = ProgramPlayer(command, print_error, seconds=limit)
        except ValueError as error:
            raise CommandFailed(f"--command: {error}.") from error
        return program.choose, program
    if level not in LEVELS:
        raise CommandFailed(f"--level must be among {', '.join(LEVELS)}, not {level!r}.")
    thinks = LEVELS[level].choose

    def choose(view: State, rng: random.Random, _within: float | None) -> Action:
        return thinks(view, rng)

    return choose, None


async def _play(
    client: GameClient, address: Address, choose: Choose, games: int | None, program: ProgramPlayer | None
) -> int:
    from looseends_client.game_client import NotConnected, RequestRefused
    from looseends_client.seated_bot import SeatedBot, TableGone
    from looseends_client.table_model import Misfit

    word = await let_in(client, address.server)
    if word:
        print_error(word)
    seated = SeatedBot(client, choose, random.Random(secrets.randbits(64)), _tell, secrets.token_bytes)
    try:
        await seated.play(address.code, os.environ.get(TABLE_PASSWORD_VARIABLE, ""), games)
    except TableGone as error:
        if games is not None or not seated.games:
            raise CommandFailed(f"{error}", CANNOT_JOIN) from error
        print_error(str(error))
    except (RequestRefused, NotConnected, Misfit) as error:
        raise CommandFailed(f"{error}", CANNOT_JOIN) from error
    finally:
        # A decision that still runs in its thread is waited for on the way out.
        if program is not None:
            program.stop()
        with contextlib.suppress(OSError):
            await client.close()
    return 0
