"""Secrets of a house that outlive it: made once, each in a file of its own, for the server's user alone.

One is that by which it knows its SSH doors (what a door may say because of it is decided in `greeting`), one is what
the deals of the day follow from (`contests`).
"""

from __future__ import annotations

import secrets
from pathlib import Path

from looseends_server.store.folder import make_folder, make_private, sync_file, sync_folder

FILE = "door-secret"
CONTEST_FILE = "contest-secret"
SECRET_BYTES = 32


def door_secret(folder: Path) -> bytes:
    """Return the secret that doors know, as `kept_secret`."""
    return kept_secret(folder, FILE)


def kept_secret(folder: Path, name: str) -> bytes:
    """Return a secret of the folder; the first time, or where its file is spoilt, it is made.

    Raises OSError, and `store.base.StoreUnusable` where there can be no folder.
    """
    file = folder / name
    if (kept := read_door_secret(file)) is not None:
        return kept
    make_folder(folder)
    made = secrets.token_bytes(SECRET_BYTES)
    unfinished = file.with_name(f"unfinished-{name}")
    unfinished.unlink(missing_ok=True)
    make_private(unfinished)
    unfinished.write_text(f"{made.hex()}\n", "ascii")
    sync_file(unfinished)
    unfinished.replace(file)
    sync_folder(folder)
    return made


def read_door_secret(file: Path) -> bytes | None:
    """Return the secret in a file, None where there is no whole one. Raises OSError where it cannot be read."""
    try:
        secret = bytes.fromhex(file.read_text("ascii").strip())
    except (FileNotFoundError, ValueError):
        return None
    return secret if len(secret) == SECRET_BYTES else None
