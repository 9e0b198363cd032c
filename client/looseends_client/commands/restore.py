"""`looseends restore`: puts a backup in the place of a server's state, while no server runs."""

from __future__ import annotations

import time
from pathlib import Path

from looseends_client.commands import CommandFailed
from looseends_client.commands.copying import copying
from looseends_client.commands.printing import print_line
from looseends_client.commands.server_folder import server_folder


def restore(file: Path, /, *, folder: Path | None = None) -> int:
    """Put a backup in the place of a server's state.

    What was there before is kept beside it under another name. The server must not run. Whatever happened after the
    backup is not in it: players of those games find them as they were then.

    Parameters
    ----------
    file
        A file that `looseends backup` made.
    folder
        The server's folder, where it is not the usual one; made where it is missing.
    """
    from looseends_server.store import backup as store_backup
    from looseends_server.store.base import StoreUnusable

    target = server_folder(folder)
    try:
        with copying("Restoring") as progress:
            kept = store_backup.restore(file, target, now=time.time(), progress=progress)
    except StoreUnusable as error:
        raise CommandFailed(str(error)) from error
    print_line(f"Restored {file} into {target}." + (f" What was there is kept as {kept}." if kept else ""))
    return 0
