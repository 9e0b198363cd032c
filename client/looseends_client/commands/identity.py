"""`looseends identity`: take a name on a server to another machine, or tie an SSH key to it.

A name is a token that is kept on this machine. What a file of one looks like is in `identity_file`.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from looseends_client.address import AddressInvalid, parse_address
from looseends_client.commands import CommandFailed
from looseends_client.commands.printing import print_line
from looseends_client.examples import examples_text
from looseends_client.terminal import login_name
from looseends_protocol.limits import SSH_PORT
from looseends_protocol.people_text import NameInvalid, person_name

if TYPE_CHECKING:
    from looseends_client.address import Address
    from looseends_client.game_client import GameClient

REFUSED = 1
"""Exit code where the server says no, or nothing may be overwritten."""

Name = Annotated[str | None, Parameter(help="The name there: your login name if not given.")]
_Flag = Parameter(negative=(), show_default=False)

identity = App(
    name="identity",
    help="Take your name on a server to another machine, or tie an SSH key to it.",
    help_epilogue=examples_text(
        "looseends identity export games.example.org ann.identity --name ann",
        "looseends identity import ann.identity",
        "looseends identity link games.example.org --name ann",
    ),
)


@identity.command
def export(server: str, file: Path = Path("-"), /, *, name: Name = None) -> int:
    """Write your name on a server into a file, from which another machine can take it.

    Whoever has the file is you there: pass it on by a way that you trust, and delete it once it was read.

    Parameters
    ----------
    server
        The server's address, as you gave it to `join`.
    file
        Where to; nothing is overwritten. `-` prints it instead.
    """
    from looseends_client.identity_file import IdentityFile, identity_text
    from looseends_client.token_store import TokenStore, default_token_folder

    address, chosen = _address(server), _name(name)
    token = TokenStore(default_token_folder()).token_for(address.server, chosen)
    if not token:
        raise CommandFailed(
            f"No name {chosen} is kept for {address.server} on this machine: name the server as you did when you "
            "joined it, and yourself with --name."
        )
    text = identity_text(IdentityFile(str(address), chosen, token))
    if str(file) == "-":
        sys.stdout.write(text)
        return 0
    try:
        # Made with its mode, so that no moment exists in which others could read it.
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise CommandFailed(f"{file} is there already and stays as it is: name another file.", REFUSED) from None
    with os.fdopen(descriptor, "w", encoding="utf-8") as opened:
        opened.write(text)
    print_line(f"Wrote {file}. On the other machine: looseends identity import {file}")
    return 0


@identity.command(name="import")
def take_in(file: Path, /, *, replace: Annotated[bool, _Flag] = False) -> int:
    """Take a name from a file that another machine wrote.

    Parameters
    ----------
    file
        The file; `-` reads standard input.
    replace
        Take it in the place of another identity that is kept here for that server and name. That one is lost.
    """
    from looseends_client.identity_file import LARGEST, NoIdentity, identity_of
    from looseends_client.token_store import TokenStore, default_token_folder

    try:
        if str(file) == "-":
            text = sys.stdin.read(LARGEST + 1)
        else:
            with file.open(encoding="utf-8") as opened:
                text = opened.read(LARGEST + 1)
        found = identity_of(text)
    except OSError as error:
        raise CommandFailed(f"{file} cannot be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise CommandFailed(f"{file} is no identity: it is not text.") from error
    except NoIdentity as error:
        raise CommandFailed(f"{file} is no identity: {error}.") from error
    address = parse_address(found.server)
    tokens = TokenStore(default_token_folder())
    kept = tokens.token_for(address.server, found.name)
    if kept and kept != found.token and not replace:
        raise CommandFailed(
            f"Another {found.name} is kept here for {address.server}. --replace takes this one instead, and that one "
            "is lost.",
            REFUSED,
        )
    tokens.keep(address.server, found.name, found.token)
    print_line(
        f"You are {found.name} here too: {shlex.join(['looseends', 'join', str(address), '--name', found.name])}"
    )
    return 0


@identity.command
def link(
    server: str,
    /,
    *,
    name: Name = None,
    ssh_port: int = SSH_PORT,
    tls_ca: Path | None = None,
    insecure: Annotated[bool, _Flag] = False,
) -> int:
    """Tie an SSH key to your name, so that `ssh` brings you to the same seats.

    It prints one line to run where the key is. The code in it works once, for ten minutes.

    Parameters
    ----------
    server
        The server's address, as you gave it to `join`.
    ssh_port
        The port of the server's SSH door, for the line that is printed.
    tls_ca
        A PEM file with the certificates of the authority that the server's certificate comes from.
    insecure
        Send your token over plain TCP to another machine.
    """
    from looseends_client.commands.join import client_for
    from looseends_client.token_store import TokenStore, default_token_folder

    address, chosen = _address(server), _name(name)
    if tls_ca is not None:
        import msgspec

        address = msgspec.structs.replace(address, tls=True)
    if not TokenStore(default_token_folder()).token_for(address.server, chosen):
        raise CommandFailed(
            f"No name {chosen} is kept for {address.server} on this machine: join the server first, or name yourself "
            "with --name."
        )
    client = client_for(address, chosen, authorities=tls_ca, insecure=insecure)
    code, minutes = asyncio.run(_code_for(client, address))
    port = "" if ssh_port == 22 else f"-p {ssh_port} "
    print_line(f"Run this where your key is, within {minutes} minutes:  ssh -t {port}{address.host} link {code}")
    return 0


async def _code_for(client: GameClient, address: Address) -> tuple[str, int]:
    from looseends_client.commands.join import let_in
    from looseends_client.game_client import NO_ID, NotConnected, RequestRefused
    from looseends_protocol.messages import CodeMade, MakeCode

    await let_in(client, address.server)
    try:
        made = await client.request(MakeCode(NO_ID, "link"), CodeMade)
    except (RequestRefused, NotConnected) as error:
        raise CommandFailed(str(error), REFUSED) from error
    finally:
        await client.close()
    return made.way_back, made.seconds // 60


def _address(server: str) -> Address:
    try:
        return parse_address(server)
    except AddressInvalid as error:
        raise CommandFailed(f"{error}.") from error


def _name(name: str | None) -> str:
    try:
        return person_name(login_name() if name is None else name)
    except NameInvalid as error:
        raise CommandFailed(f"--name: {error}") from error
