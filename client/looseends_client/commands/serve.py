"""`looseends serve`: options and the config file become one plan, and the server runs it until it is told to end."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from looseends_client.commands import CommandFailed
from looseends_client.commands.printing import print_line
from looseends_client.commands.server_folder import server_folder
from looseends_protocol.limits import DEFAULT_PORT

NOT_ON_WINDOWS = (
    "`looseends serve` does not run on Windows: use WSL, Linux or macOS. `looseends play` and `join` run everywhere."
)


def serve(
    *,
    host: str = "127.0.0.1",
    port: int = DEFAULT_PORT,
    folder: Path | None = None,
    name: str = "No Loose Ends",
    insecure: Annotated[bool, Parameter(negative=())] = False,
    log_level: Literal["debug", "info", "warning", "error"] = "info",
) -> int:
    """Run a server that others join.

    Parameters
    ----------
    host
        The address to listen on; 0.0.0.0 is every address of this machine.
    port
        The port to listen on, 0 for any free one.
    folder
        Where games, identities and bans are kept; by default a folder of yours that only you can read.
    name
        What the server is called.
    insecure
        Take tokens and passwords over plain TCP from other machines. Whoever is on the way can read them and play in
        somebody else's name.
    log_level
        The least important log lines that go to stderr.
    """
    if sys.platform == "win32":
        raise CommandFailed(NOT_ON_WINDOWS)
    from looseends_server.hosting import HostingFailed, Plan, run
    from looseends_server.limits import ServerSettings
    from looseends_server.logs import log_to_stderr
    from looseends_server.store.base import StoreUnusable

    log_to_stderr(log_level)
    plan = Plan(
        settings=ServerSettings(name=name, insecure=insecure), folder=server_folder(folder), host=host, port=port
    )
    try:
        run(plan, _say)
    except (HostingFailed, StoreUnusable) as error:
        raise CommandFailed(str(error), 1) from error
    return 0


def _say(line: str) -> None:
    print_line(line)
    sys.stdout.flush()
