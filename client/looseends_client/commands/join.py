"""`looseends join`: the lobby of a server, or one of its tables."""

from __future__ import annotations

import asyncio
import getpass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from looseends_client.address import AddressInvalid, parse_address
from looseends_client.commands import CommandFailed
from looseends_client.terminal import forget_size_variables, has_terminal
from looseends_protocol.people_text import NameInvalid, person_name

if TYPE_CHECKING:
    from looseends_client.address import Address
    from looseends_client.app import AppSettings
    from looseends_client.game_client import GameClient

CANNOT_JOIN = 1
"""Exit code where the server cannot be reached, or does not let us in."""
NO_TERMINAL = "`looseends join` needs a terminal to draw on; `looseends simulate` lets bots play without one."
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
    trick_pause: float = 1.6,
    ascii: Annotated[bool, _Flag] = False,  # noqa: A002  # the option's own name
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
        Your name there, 1 to 20 characters: your login name if not given.
    table
        The code of a table to go to at once.
    tls
        Use TLS, which an address that begins with looseends:// does anyway.
    tls_ca
        A PEM file with the certificates of the authority that the server's certificate comes from.
    insecure
        Send your token over plain TCP to another machine. Whoever is on the way can read it and play in your name.
    trick_pause
        Seconds that a finished trick lies so that you can read it; any key ends it.
    ascii
        Draw with letters and plain strokes alone.
    """
    try:
        address = parse_address(server)
        chosen = person_name(name if name is not None else _login_name())
    except AddressInvalid as error:
        raise CommandFailed(f"{error}.") from error
    except NameInvalid as error:
        raise CommandFailed(f"--name: {error}") from error
    if not 0 <= trick_pause <= 60:
        raise CommandFailed(f"--trick-pause must be from 0 to 60 seconds, not {trick_pause}.")
    if tls or tls_ca is not None:
        from msgspec.structs import replace

        address = replace(address, tls=True)
    if not has_terminal():
        raise CommandFailed(NO_TERMINAL)
    forget_size_variables()
    client = client_for(address, chosen, authorities=tls_ca, insecure=insecure)
    from looseends_client.app import AppSettings
    from looseends_client.terminal import speaks_unicode

    settings = AppSettings(trick_pause=trick_pause, ascii_faces=ascii or not speaks_unicode())
    return asyncio.run(_join(client, address, table or address.code, settings))


def _login_name() -> str:
    try:
        return getpass.getuser()[:20]
    except (KeyError, OSError):
        raise CommandFailed("Say who you are: looseends join SERVER --name NAME.") from None


def dial(server: str, name: str) -> GameClient:
    """Return a client for what a person typed into the menu. Raises ValueError with a sentence."""
    return client_for(parse_address(server), person_name(name))


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
    return GameClient(
        connector,
        name=name,
        token=tokens.token_for(address.server, name),
        password=os.environ.get(PASSWORD_VARIABLE, ""),
        keep_token=lambda kept, token: tokens.keep(address.server, kept, token),
    )


async def _join(client: GameClient, address: Address, code: str, settings: AppSettings) -> int:
    from looseends_client.app import LooseEndsApp, StartLobby
    from looseends_client.token_store import default_token_folder
    from looseends_client.unproven_deals import unproven_deals_of

    await _connect(client, address)
    try:
        keep = unproven_deals_of(default_token_folder().parent, address.server)
        app = LooseEndsApp(client, StartLobby(code), settings=settings, keep_unproven=keep)
        await app.run_async()
        return app.return_code or 0
    finally:
        await client.close()


async def _connect(client: GameClient, address: Address) -> None:
    from looseends_client.game_client import NotConnected, RequestRefused

    try:
        try:
            await client.connect()
        except RequestRefused as error:
            if error.refusal.error != "hello/token":
                raise
            # The server has forgotten us, or is another one under the old address: begin anew under the same name.
            client.call_me(client.name)
            await client.connect()
    except RequestRefused as error:
        text = error.refusal.text
        if error.refusal.suggestion:
            text += f" Try --name {error.refusal.suggestion!r}."
        if error.refusal.error == "hello/password":
            text += f" Put it into the environment variable {PASSWORD_VARIABLE}."
        raise CommandFailed(text, CANNOT_JOIN) from error
    except NotConnected as error:
        raise CommandFailed(
            f"{address.server} closed the connection before it answered: try again.", CANNOT_JOIN
        ) from error
    except OSError as error:
        reason = error.strerror or str(error) or type(error).__name__
        raise CommandFailed(f"No server answers at {address.server} ({reason}): is it running?", CANNOT_JOIN) from error
