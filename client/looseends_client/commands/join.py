"""`looseends join`: the lobby of a server, or one of its tables."""

from __future__ import annotations

import asyncio
import contextlib
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from looseends_client.address import AddressInvalid, parse_address
from looseends_client.commands import CommandFailed
from looseends_client.commands.on_terminal import run_on_terminal
from looseends_client.commands.terminal_options import (
    NO_OPTIONS,
    TerminalOptions,
    found_settings,
    set_up_terminal,
)
from looseends_client.plain.wording import CardStyle
from looseends_client.terminal import has_terminal, login_name
from looseends_protocol.people_text import NameInvalid, person_name

if TYPE_CHECKING:
    from looseends_client.address import Address
    from looseends_client.game_client import GameClient
    from looseends_client.plain.conversation import Conversation
    from looseends_client.starting import AppSettings, Dialled, StartLobby

CANNOT_JOIN = 1
"""Exit code where the server cannot be reached, or does not let us in."""
PASSWORD_VARIABLE = "LOOSEENDS_PASSWORD"

_Flag = Parameter(negative=(), show_default=False)


def join(
    server: str,
    /,
    *,
    name: str | None = None,
    table: str = "",
    tls: Annotated[bool, _Flag] = False,
    tls_ca: Path | None = None,
    insecure: Annotated[bool, _Flag] = False,
    terminal: TerminalOptions = NO_OPTIONS,
    plain: Annotated[bool, _Flag] = False,
    cards: CardStyle = "letters",
) -> int:
    """Join a server: its lobby, or a table of it.

    The same command again brings you back to your seats: your name belongs to you there, by a token that is kept in
    this user's state folder.

    Parameters
    ----------
    server
        HOST, HOST:PORT, or an address that begins with looseends:// as its host gave it to you. Port 8749 unless said
        otherwise.
    name
        Your name there, 1 to 20 characters: that of your settings, or your login name, if not given.
    table
        The code of a table to go to at once.
    tls
        Use TLS, which an address that begins with looseends:// does anyway.
    tls_ca
        A PEM file with the certificates of the authority that the server's certificate comes from.
    insecure
        Send your token over plain TCP to another machine. Whoever is on the way can read it and play in your name.
    plain
        Play in lines of text instead of on a full screen: for a screen reader, a serial line, a pipe or a script.
    cards
        With --plain: cards as letters (R9), words (red 9) or shapes, which need Unicode.
    """
    found = found_settings(terminal)
    try:
        address = parse_address(server)
        chosen = person_name(found.settings.name or login_name() if name is None else name)
    except AddressInvalid as error:
        raise CommandFailed(f"{error}.") from error
    except NameInvalid as error:
        raise CommandFailed(f"--name: {error}") from error
    if tls or tls_ca is not None:
        from msgspec.structs import replace

        address = replace(address, tls=True)
    settings = None if plain else set_up_terminal("looseends join", found, is_terminal=has_terminal())
    client = client_for(address, chosen, authorities=tls_ca, insecure=insecure)
    options = (("--tls-ca", str(tls_ca)) if tls_ca is not None else ()) + (("--insecure",) if insecure else ())
    options += ("--plain", *(("--cards", cards) if cards != "letters" else ())) if plain else ()
    start = start_at(address, chosen, table, options=options)
    if settings is None:
        return asyncio.run(_join_in_lines(client, address, start, cards))
    return asyncio.run(_join(client, address, start, settings))


def dial(server: str, name: str) -> Dialled:
    """Return a client for what a person typed into the menu. Raises ValueError with a sentence."""
    from looseends_client.muted_people import muted_at
    from looseends_client.starting import Dialled
    from looseends_client.token_store import default_token_folder

    address = parse_address(server)
    try:
        client = client_for(address, person_name(name))
    except CommandFailed as error:
        raise ValueError(str(error)) from error
    muted = muted_at(default_token_folder().parent, address.server)
    return Dialled(client, address.server, start_at(address, client.name), muted)


def start_at(address: Address, name: str, code: str = "", *, options: tuple[str, ...] = ()) -> StartLobby:
    """Return where to begin at an address, with the command that brings this name back there."""
    from msgspec.structs import replace

    from looseends_client.starting import StartLobby

    again = ["looseends", "join", str(replace(address, code="")), "--name", name, *options]
    return StartLobby(code or address.code, come_back=shlex.join(again))


def client_for(address: Address, name: str, *, authorities: Path | None = None, insecure: bool = False) -> GameClient:
    """Return a client, not connected yet, with the token that is kept for this server and name.

    Raises CommandFailed where the token would travel in the open, or the certificates cannot be used.
    """
    import os

    from looseends_client.connector import tcp_connector
    from looseends_client.game_client import GameClient
    from looseends_client.tls import CertificatesUnusable, client_context, refusal_of_plain_tcp, tls_connector
    from looseends_client.token_store import TokenStore, default_token_folder

    refusal = refusal_of_plain_tcp(address, insecure=insecure)
    if refusal:
        raise CommandFailed(refusal, CANNOT_JOIN)
    try:
        connector = (
            tls_connector(address, client_context(address, authorities))
            if address.tls
            else tcp_connector(address.host, address.port)
        )
    except CertificatesUnusable as error:
        raise CommandFailed(str(error)) from error
    tokens = TokenStore(default_token_folder())
    try:
        tokens.make_ready()
    except OSError as error:
        raise CommandFailed(
            f"Your token cannot be kept in {default_token_folder()} ({error.strerror or error}), and without it you "
            "would lose your seat and your name: put that right and join again.",
            CANNOT_JOIN,
        ) from error
    return GameClient(
        connector,
        name=name,
        token=tokens.token_for(address.server, name),
        password=os.environ.get(PASSWORD_VARIABLE, ""),
        keep_token=lambda kept, token: tokens.keep(address.server, kept, token),
    )


async def _join(client: GameClient, address: Address, start: StartLobby, settings: AppSettings) -> int:
    from msgspec.structs import replace

    from looseends_client.app import LooseEndsApp
    from looseends_client.commands.school import school_of
    from looseends_client.muted_people import muted_at
    from looseends_client.token_store import default_token_folder
    from looseends_client.unproven_deals import unproven_deals_of

    word = await let_in(client, address.server)
    try:
        kept = default_token_folder().parent
        app = LooseEndsApp(
            client,
            replace(start, word=word),
            settings=settings,
            keep_unproven=unproven_deals_of(kept, address.server),
            muted=muted_at(kept, address.server),
            school=school_of(client),
        )
        return await run_on_terminal(app)
    finally:
        await client.close()


async def _join_in_lines(client: GameClient, address: Address, start: StartLobby, cards: CardStyle) -> int:
    from msgspec.structs import replace

    from looseends_client.commands.on_lines import run_on_lines
    from looseends_client.muted_people import muted_at
    from looseends_client.plain.conversation import Conversation
    from looseends_client.plain.line_mode import LineMode
    from looseends_client.plain.standard_channel import StandardChannel
    from looseends_client.token_store import default_token_folder
    from looseends_client.unproven_deals import unproven_deals_of

    talk = Conversation(StandardChannel())
    try:
        word = await let_in(client, address.server, talk)
        kept = default_token_folder().parent
        keep, muted = unproven_deals_of(kept, address.server), muted_at(kept, address.server)
        mode = LineMode(talk, client, replace(start, word=word), style=cards, keep_unproven=keep, muted=muted)
        return await run_on_lines(mode)
    finally:
        await client.close()


async def let_in(client: GameClient, server: str, talk: Conversation | None = None) -> str:
    """Connect, and return what there is to say about it; ask for the server's password where somebody can be asked.

    Raises CommandFailed with what to do now.
    """
    from looseends_client.arrival import NotLetIn, arrive
    from looseends_client.plain.conversation import Ended

    try:
        try:
            return await arrive(client, server)
        except NotLetIn as error:
            if error.code != "hello/password" or client.password or talk is None:
                raise
            talk.say(error.said)
            with contextlib.suppress(Ended):
                client.password = await talk.ask_secret("The server's password:")
            if not client.password:
                raise
            return await arrive(client, server)
    except NotLetIn as error:
        more = f" Put it into the environment variable {PASSWORD_VARIABLE}." if error.code == "hello/password" else ""
        more = f" Use --name {shlex.quote(error.suggestion)}." if error.suggestion else more
        raise CommandFailed(f"{error}{more}", CANNOT_JOIN) from error
