"""Small files of one person that nobody else may read, such as tokens. What stands in them is not known here."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

FOLDER_MODE = 0o700
FILE_MODE = 0o600


def write_private(file: Path, text: str) -> None:
    """Put a text in the place of what the file held, in one step and durably, making its folder where it is missing.

    Raises OSError where it cannot be written; the old text stays then.
    """
    file.parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    new = file.with_name(f"{file.name}.{secrets.token_hex(8)}.new")
    # Made with its mode, so that no moment exists in which others could read it.
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as opened:
            opened.write(text)
            opened.flush()
            os.fsync(opened.fileno())
        new.replace(file)
    except BaseException:
        with contextlib.suppress(OSError):
            new.unlink(missing_ok=True)
        raise
