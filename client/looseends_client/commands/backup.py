"""`looseends backup`: a copy of a server's state in one file, also while the server runs."""

from __future__ import annotations

from pathlib import Path

from looseends_client.commands import CommandFailed
from looseends_client.commands.copying import copying
from looseends_client.commands.printing import print_line
from looseends_client.commands.server_folder import server_folder


def backup(file: Path, /, *, folder: Path | None = None) -> int:
    """Copy a server's games, identities and bans into one file.

    A server may run meanwhile. The file is for its owner alone: whoever reads it can see the cards of running games.
    The TLS key of --tls-self-signed is not in it.

    Parameters
    ----------
    file
        The file to make; it must not exist yet.
    folder
        The server's folder, where it is not the usual one.
    """
    from looseends_server.store.backup import back_up
    from looseends_server.store.base import StoreUnusable

    try:
        with copying("Backing up") as progress:
            back_up(server_folder(folder), file, progress=progress)
    except StoreUnusable as error:
        raise CommandFailed(str(error)) from error
    print_line(f"Backed up to {file} ({file.stat().st_size:,} bytes). `looseends restore` puts it back.")
    return 0
