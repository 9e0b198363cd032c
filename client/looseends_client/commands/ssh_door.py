"""`looseends ssh-door`: people come in over SSH to a server that runs in another process, or on another machine."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from looseends_client.address import AddressInvalid, parse_address
from looseends_client.commands import CommandFailed
from looseends_client.commands.printing import print_line
from looseends_client.commands.server_folder import server_folder

if TYPE_CHECKING:
    from looseends_client.address import Address
    from looseends_client.connector import Connector
    from looseends_server.config import Config

CANNOT_OPEN = 1
"""Exit code where the door cannot be opened: no secret, port in use, no server there."""

_Flag = Parameter(negative=(), show_default=False)


def ssh_door(
    *,
    server: str = "127.0.0.1",
    listen: str | None = None,
    folder: Path | None = None,
    secret_file: Path | None = None,
    config: Path | None = None,
    address: str | None = None,
    log_level: Literal["debug", "info", "warning", "error"] | None = None,
    assignments: Annotated[tuple[str, ...], Parameter(name="--set", negative=())] = (),
    keys_only: Annotated[bool, Parameter(name="--ssh-keys-only", negative=(), show_default=False)] = False,
    allowed_keys: Annotated[Path | None, Parameter(name="--ssh-allowed-keys")] = None,
    admin_keys: Annotated[Path | None, Parameter(name="--ssh-admin-keys")] = None,
    tls_ca: Path | None = None,
    insecure: Annotated[bool, _Flag] = False,
) -> int:
    """Let people in over SSH to a server that runs elsewhere: in another process, or on another machine.

    `looseends serve --ssh` opens a door in the server's own process, which is simpler. This one can be stopped and
    started by itself, and several can lead to one server. It proves to the server what it is by the server's secret,
    which lies in the file door-secret of the server's folder.

    Parameters
    ----------
    server
        The server: HOST, HOST:PORT, or an address that begins with looseends://.
    listen
        [ADDRESS:]PORT to listen on, or an address alone: 127.0.0.1:8722 unless said otherwise.
    folder
        Where the door keeps its host key and people's settings: the server's folder unless said otherwise.
    secret_file
        The file with the server's secret: door-secret in the folder unless said otherwise.
    config
        A TOML file as `serve` takes it; of it the door reads [door] and what begins with ssh.
    address
        The host name that people call the door by, for the commands that it tells them.
    log_level
        The least important log lines that go to stderr: debug, info, warning or error.
    assignments
        Any key of the file, as SECTION.KEY=VALUE: --set door.sessions=50. It can be given many times.
    keys_only
        Let nobody in without a key.
    allowed_keys
        A file with the public keys that may come in, one a line; nobody else may.
    admin_keys
        A file with the public keys that are let in whatever is full.
    tls_ca
        A PEM file with the certificates of the authority that the server's certificate comes from.
    insecure
        Send the secret, and with it everybody's identity, over plain TCP to another machine.
    """
    if sys.platform == "win32":
        raise CommandFailed("`ssh-door` does not run on Windows: use Linux, macOS or WSL.")
    from looseends_server.config import ConfigInvalid, ssh_endpoint
    from looseends_server.config_sources import settled
    from looseends_server.fast_loop import run_in_fast_loop
    from looseends_server.logs import log_to_stderr

    options = {
        "ssh": listen,
        "address": address,
        "log_level": log_level,
        "ssh_keys_only": keys_only or None,
        "ssh_allowed_keys": _text(allowed_keys),
        "ssh_admin_keys": _text(admin_keys),
    }
    options["ssh"] = listen or "127.0.0.1"
    try:
        chosen = settled(config, os.environ, options, assignments).config
        reached = parse_address(server)
    except ConfigInvalid as error:
        raise CommandFailed(str(error).replace("--ssh ", "--listen ")) from error
    except AddressInvalid as error:
        raise CommandFailed(f"{error}.") from error
    log_to_stderr(chosen.server.log_level)
    kept = server_folder(folder)
    secret = _secret(secret_file or kept / "door-secret")
    connector = _connector(reached, tls_ca, insecure=insecure)
    where = ssh_endpoint(chosen.server.ssh, "127.0.0.1") or ("127.0.0.1", 0)
    run_in_fast_loop(_serve(kept, secret, connector, chosen, where))
    return 0


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path.expanduser().absolute())


def _secret(file: Path) -> bytes:
    from looseends_server.door_secret import read_door_secret

    try:
        secret = read_door_secret(file)
    except OSError as error:
        raise CommandFailed(f"The server's secret {file} cannot be read: {error.strerror}.", CANNOT_OPEN) from error
    if secret is None:
        raise CommandFailed(
            f"There is no server's secret in {file}: a server makes it in its folder when it starts; name it with "
            "--secret-file.",
            CANNOT_OPEN,
        )
    return secret


def _connector(address: Address, authorities: Path | None, *, insecure: bool) -> Connector:
    from looseends_client.connector import tcp_connector
    from looseends_client.tls import CertificatesUnusable, client_context, refusal_of_plain_tcp, tls_connector

    if authorities is not None:
        import msgspec

        address = msgspec.structs.replace(address, tls=True)
    if refusal := refusal_of_plain_tcp(address, insecure=insecure):
        raise CommandFailed(refusal, CANNOT_OPEN)
    try:
        if address.tls:
            return tls_connector(address, client_context(address, authorities))
    except CertificatesUnusable as error:
        raise CommandFailed(str(error)) from error
    return tcp_connector(address.host, address.port)


async def _serve(folder: Path, secret: bytes, connector: Connector, config: Config, where: tuple[str, int]) -> None:
    from looseends_client.commands.door_opening import line_of_welcome, opened
    from looseends_client.ssh.host_keys import KeysUnusable
    from looseends_server.hosting import why_not_listening
    from looseends_server.logs import log_faults_of_loop

    loop = asyncio.get_running_loop()
    log_faults_of_loop(loop)
    told_to_end = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, told_to_end.set)
    try:
        async with opened(folder, secret, lambda came_from: connector, config, where) as door:
            print_line(line_of_welcome(door, *where))
            sys.stdout.flush()
            await told_to_end.wait()
    except KeysUnusable as error:
        raise CommandFailed(str(error), CANNOT_OPEN) from error
    except OSError as error:
        raise CommandFailed(why_not_listening(error, *where, "--listen"), CANNOT_OPEN) from error
