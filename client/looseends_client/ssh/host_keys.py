"""The keys by which people know the door again, and the lists of keys that a host keeps.

Host keys are made once, for the door's user alone; a door whose keys changed would look like another one to everybody.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

import asyncssh

from looseends_protocol.fingerprints import fingerprint_of

ALGORITHM = "ssh-ed25519"
FILE = "ssh-host-key"
LARGEST_LIST = 1024 * 1024
"""Bytes of a list of keys that are read."""


class KeysUnusable(Exception):
    """A key or a list of keys cannot be used; the message says which, why and what to do."""


def host_key(folder: Path) -> asyncssh.SSHKey:
    """Return the folder's host key; the first time it is made, readable for its owner alone.

    Raises KeysUnusable; a file that is there and cannot be read is never replaced.
    """
    file = folder / FILE
    try:
        if not file.exists():
            _make(file)
        elif file.stat().st_mode & 0o077:
            file.chmod(0o600)
        return asyncssh.read_private_key(file)
    except (OSError, asyncssh.KeyImportError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise KeysUnusable(
            f"The SSH host key {file} cannot be used ({reason}): put that right, or move the file away and a new one "
            "is made, which everybody's ssh will ask about."
        ) from error


def _make(file: Path) -> None:
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = file.with_name(f"{file.name}.{secrets.token_hex(8)}.new")
    # Made with its mode, so that no moment exists in which others could read it.
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as opened:
            opened.write(asyncssh.generate_private_key(ALGORITHM, comment="No Loose Ends").export_private_key())
            opened.flush()
            os.fsync(opened.fileno())
        with contextlib.suppress(FileExistsError):  # two that start at once: the first one's stays
            os.link(new, file)
    finally:
        new.unlink(missing_ok=True)


def fingerprint(key: asyncssh.SSHKey) -> bytes:
    """Return the SHA-256 of a key, the bytes of what `ssh-keygen -l` shows."""
    return fingerprint_of(key.get_fingerprint("sha256"))


def listed_keys(file: Path) -> frozenset[bytes]:
    """Return the fingerprints of the keys in a file: one a line, as in `authorized_keys`, without options.

    Raises KeysUnusable, with the line that is wrong.
    """
    try:
        if file.stat().st_size > LARGEST_LIST:
            raise KeysUnusable(f"The list of keys {file} has more than {LARGEST_LIST // 1024} KiB.")
        lines = file.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise KeysUnusable(f"The list of keys {file} cannot be read: {reason}.") from error
    found: set[bytes] = set()
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            found.add(fingerprint(asyncssh.import_public_key(line.strip())))
        except asyncssh.KeyImportError as error:
            raise KeysUnusable(
                f"{file}, line {number}: this is no public key. One a line is expected, as in a .pub file."
            ) from error
    return frozenset(found)
