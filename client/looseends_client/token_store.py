"""The tokens by which servers know this person again: one a server and name, in a folder that only its owner reads.

Written so that several programs at once lose nothing: one file a token, each replaced in one step. Never logged.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
from pathlib import Path

from looseends_client.private_file import FOLDER_MODE, write_private
from looseends_protocol.limits import TOKEN_BYTES
from looseends_protocol.people_text import name_key

APPLICATION = "looseends"


def default_token_folder() -> Path:
    """Return the folder of this user's tokens, made by the platform's rules."""
    from platformdirs import user_state_dir

    return Path(user_state_dir(APPLICATION, appauthor=False)) / "tokens"


class TokenStore:
    """Tokens by server address and name. The address is any text that names a server, such as `host:port`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def token_for(self, server: str, name: str) -> bytes:
        """Return the token kept for a name at a server, empty where there is none or its file is spoilt."""
        try:
            token = bytes.fromhex(self._path(server, name).read_text("ascii").strip())
        except (OSError, ValueError):
            return b""
        return token if len(token) == TOKEN_BYTES else b""

    def make_ready(self) -> None:
        """Make the folder for its owner alone. Raises OSError where it cannot be written."""
        self._folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        with contextlib.suppress(OSError):  # a folder on a foreign file system may know no modes
            self._folder.chmod(FOLDER_MODE)
        if not os.access(self._folder, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(self._folder))

    def keep(self, server: str, name: str, token: bytes) -> None:
        """Keep a token. Raises OSError where the folder cannot be written."""
        self.make_ready()
        write_private(self._path(server, name), token.hex() + "\n")

    def forget(self, server: str, name: str) -> None:
        """Forget a token that its server does not know any more."""
        with contextlib.suppress(OSError):
            self._path(server, name).unlink(missing_ok=True)

    def _path(self, server: str, name: str) -> Path:
        # Hashed, because a name may hold anything and file names may not.
        key = hashlib.sha256(f"{server.casefold()}\n{name_key(name)}".encode()).hexdigest()
        return self._folder / f"{key[:40]}.token"
