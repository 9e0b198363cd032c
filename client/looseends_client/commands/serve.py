"""`looseends serve`: options and the config file become one plan, and the server runs it until it is told to end."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Group, Parameter

from looseends_client.commands import CommandFailed
from looseends_client.commands.printing import print_line
from looseends_client.commands.server_folder import server_folder

if TYPE_CHECKING:
    from looseends_server.config import Config

CANNOT_START = 1
"""Exit code where the server cannot start: port in use, folder in use."""
PASSWORD_VARIABLE = "LOOSEENDS_PASSWORD"

_TLS = Group("TLS", sort_key=1)
_SSH = Group("SSH", sort_key=2)
_Flag = Parameter(negative=(), show_default=False)


def serve(
    *,
    host: str | None = None,
    port: int | None = None,
    folder: Path | None = None,
    name: str | None = None,
    config: Path | None = None,
    address: str | None = None,
    password_file: Path | None = None,
    insecure: Annotated[bool, _Flag] = False,
    metrics: str | None = None,
    log_level: Literal["debug", "info", "warning", "error"] | None = None,
    assignments: Annotated[tuple[str, ...], Parameter(name="--set", negative=())] = (),
    tls_cert: Annotated[Path | None, Parameter(group=_TLS)] = None,
    tls_key: Annotated[Path | None, Parameter(group=_TLS)] = None,
    tls_self_signed: Annotated[bool, Parameter(group=_TLS, negative=(), show_default=False)] = False,
    ssh: Annotated[str | None, Parameter(group=_SSH)] = None,
    ssh_keys_only: Annotated[bool, Parameter(group=_SSH, negative=(), show_default=False)] = False,
    ssh_allowed_keys: Annotated[Path | None, Parameter(group=_SSH)] = None,
    ssh_admin_keys: Annotated[Path | None, Parameter(group=_SSH)] = None,
) -> int:
    """Run a server that others join.

    Games, identities and bans are kept in a folder; a server that is started on it again goes on where it was. SIGTERM
    or Ctrl-C ends it within five seconds, and players come back to their seats by themselves when it is back. SIGHUP
    reads the TLS certificate anew.

    Parameters
    ----------
    host
        The address to listen on: 127.0.0.1 unless said otherwise, which only this machine can reach; 0.0.0.0 is every
        address of this machine.
    port
        The port to listen on: 8749 unless said otherwise, 0 for any free one.
    folder
        Where everything is kept: by default a folder of this user's, which nobody else can read.
    name
        What the server is called.
    config
        A TOML file with the sections [server], [limits], [pace] and [door]; `looseends config init` writes one.
        Variables of the environment such as LOOSEENDS_SERVER_PORT win over it, options over both.
    address
        HOST or HOST:PORT that others reach the server under, where it is another than it listens on. Only printed.
    password_file
        A file whose first line is the password that new players need. The environment variable LOOSEENDS_PASSWORD may
        hold it instead.
    insecure
        Take tokens and passwords over plain TCP from other machines. Whoever is on the way can read them and play in
        somebody else's name.
    metrics
        [ADDRESS:]PORT for /metrics and /healthz; on this machine only unless an address is named.
    log_level
        The least important log lines that go to stderr: debug, info, warning or error.
    assignments
        Any key of the file, as SECTION.KEY=VALUE: --set limits.tables=200. It can be given many times.
    tls_cert
        A PEM file with the certificate and the chain above it.
    tls_key
        A PEM file with the certificate's key.
    tls_self_signed
        Make a certificate once and keep it in the folder. The address that is printed pins it, so that players need
        nobody else to trust.
    ssh
        [ADDRESS:]PORT of a door for people who come in over SSH and have nothing to install; an address alone listens
        on port 8722. It is on the server's own address unless one is named.
    ssh_keys_only
        Let nobody in over SSH without a key.
    ssh_allowed_keys
        A file with the public keys that may come in over SSH, one a line; nobody else may.
    ssh_admin_keys
        A file with the public keys that are let in over SSH whatever is full.
    """
    if sys.platform == "win32":
        raise CommandFailed(
            "`serve` does not run on Windows: use Linux, macOS or WSL. `play` and `join` run on Windows too."
        )
    from looseends_client.commands.door_opening import beside
    from looseends_server.config import ConfigInvalid
    from looseends_server.config_sources import settled as settle
    from looseends_server.hosting import HostingFailed, Plan, run
    from looseends_server.logs import log_to_stderr
    from looseends_server.store.base import StoreUnusable

    options = {
        "host": host,
        "port": port,
        "name": name,
        "address": address,
        "password_file": _text(password_file),
        "insecure": insecure or None,
        "metrics": metrics,
        "log_level": log_level,
        "tls_cert": _text(tls_cert),
        "tls_key": _text(tls_key),
        "tls_self_signed": tls_self_signed or None,
        "ssh": ssh,
        "ssh_keys_only": ssh_keys_only or None,
        "ssh_allowed_keys": _text(ssh_allowed_keys),
        "ssh_admin_keys": _text(ssh_admin_keys),
    }
    try:
        settled = settle(config, os.environ, options, assignments).config
        password = _password(settled)
    except ConfigInvalid as error:
        raise CommandFailed(str(error)) from error
    log_to_stderr(settled.server.log_level)
    try:
        state = server_folder(folder)
        run(Plan(config=settled, folder=state, password=password), _say, beside(settled, state))
    except (HostingFailed, StoreUnusable) as error:
        raise CommandFailed(str(error), CANNOT_START) from error
    return 0


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path.expanduser())


def _password(config: Config) -> str:
    """Return the house's password: of the file where one is named, else of the environment, empty for none."""
    from looseends_server.config import checked_password, read_password

    # Out of the environment in any case: what is started from here has no business with it.
    in_environment = os.environ.pop(PASSWORD_VARIABLE, "")
    if config.server.password_file:
        return read_password(Path(config.server.password_file))
    return checked_password(in_environment, PASSWORD_VARIABLE) if in_environment else ""


def _say(line: str) -> None:
    print_line(line)
    sys.stdout.flush()
