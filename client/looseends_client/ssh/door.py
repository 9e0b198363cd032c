"""The door: it listens for SSH, holds what there is one of, and closes. Who comes in is the doorkeeper's business."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import socket
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import asyncssh
import msgspec
import structlog

from looseends_client.connector import Connector
from looseends_client.game_client import DoorPass, GameClient
from looseends_client.ssh.admission import TOO_FAST, Admission, DoorLimits
from looseends_client.ssh.collecting import LeftBehind
from looseends_client.ssh.doorkeeper import Doorkeeper
from looseends_client.ssh.host_keys import host_key

if TYPE_CHECKING:
    from looseends_client.ssh.door_app import DoorApp
    from looseends_client.ssh.session import DoorSession

log = structlog.get_logger()

USUAL_SSH_PORT = 22
KEEPALIVES = 3
"""Questions that may stay unanswered, one after the other."""
CLOSING_SECONDS = 0.4
"""What apps get to leave their terminals clean when the door closes."""
CLOSING = "The server is shutting down. Every game is kept: come again with the same command."
RECEIVE_WINDOW = 64 * 1024
"""Bytes that a client may send before anybody has read them."""

COMPRESSION = ("zlib@openssh.com", "none")
"""Offered and left to the client: `ssh -C` sends a tenth. Never before the login, when it would be anybody's."""


class DoorSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What a host sets. Keys are fingerprints.

    `keys_only` lets nobody in without a key, `allowed_keys` only the owners of these; `admin_keys` are let in whatever
    is full. `address` is the name that people reach the door under, empty for the address they came to.
    """

    keys_only: bool = False
    allowed_keys: frozenset[bytes] | None = None
    admin_keys: frozenset[bytes] = frozenset()
    address: str = ""
    limits: DoorLimits = DoorLimits()


class Door:
    """An open door. `connect` returns for a person's address how to reach the server; `secret` is the server's own."""

    def __init__(
        self, folder: Path, secret: bytes, connect: Callable[[str], Connector], settings: DoorSettings | None = None
    ) -> None:
        """`folder` is where the host key and people's settings are kept. Raises host_keys.KeysUnusable."""
        self.folder = folder
        self.settings = settings or DoorSettings()
        self.admission = Admission(self.settings.limits)
        self.closing = False
        self.too_fast = TOO_FAST
        self.port = 0
        self.connections: set[asyncssh.SSHServerConnection] = set()
        self.sessions: set[DoorSession] = set()
        self.apps: weakref.WeakSet[DoorApp] = weakref.WeakSet()
        """Every app that is in memory, those included that ended and were not collected yet."""
        self.left_behind = LeftBehind()
        self._secret = secret
        self._connect = connect
        self._key = host_key(folder)
        self._listeners: list[asyncssh.SSHAcceptor] = []

    @property
    def host_key_text(self) -> str:
        """The fingerprint of the door's own key, as an ssh that comes for the first time shows it."""
        return self._key.get_fingerprint("sha256")

    async def listen(self, host: str, port: int) -> int:
        """Let people in at a TCP port, 0 for any free one; return the port. Raises OSError."""
        limits = self.settings.limits
        listener = await asyncssh.create_server(
            lambda: Doorkeeper(self),
            host,
            port,
            server_host_keys=[self._key],
            server_version="NoLooseEnds",
            encoding=None,
            line_editor=False,
            agent_forwarding=False,
            x11_forwarding=False,
            allow_scp=False,
            sftp_factory=None,
            password_auth=False,
            host_based_auth=False,
            gss_host=None,
            compression_algs=COMPRESSION,
            login_timeout=limits.login_seconds,
            keepalive_interval=limits.keepalive_seconds,
            keepalive_count_max=KEEPALIVES,
            window=RECEIVE_WINDOW,
            config=None,
            reuse_address=True,
        )
        self._listeners.append(listener)
        self.port = listener.get_port()
        log.info("door open", host=host, port=self.port)
        return self.port

    # ── for those who come in ────────────────────────────────────────────────────────────────────────────────────

    def admits(self, key: bytes) -> bool:
        """Return whether the owner of a key may come in."""
        allowed = self.settings.allowed_keys
        return allowed is None or key in allowed or key in self.settings.admin_keys

    def client_for(self, came_from: str, key: bytes, name: str, way_back: str) -> GameClient:
        """Return a client, not connected yet, for a person that the door vouches for."""
        client = GameClient(
            self._connect(came_from), name=name, door=DoorPass(self._secret, came_from, key), program="ssh"
        )
        client.way_back = way_back
        return client

    def settings_file(self, key: bytes) -> Path | None:
        """Return where the settings of a key's owner are kept; None for a guest, whom nobody knows again."""
        if not key:
            return None
        return self.folder / "ssh-settings" / f"{hashlib.sha256(key).hexdigest()[:40]}.toml"

    def reached_under(self, local_address: str) -> str:
        """Return the host, and its port where that is not the usual one, as words of an ssh command."""
        host = self.settings.address or local_address
        return host if self.port == USUAL_SSH_PORT else f"-p {self.port} {host}"

    @staticmethod
    def bound_buffers(connection: asyncssh.SSHServerConnection, size: int) -> None:
        """Let the system hold little for somebody who does not read, so that what they see later is not old."""
        made = connection.get_extra_info("socket")
        if made is not None:
            with contextlib.suppress(OSError):
                made.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, size)

    # ── the end ──────────────────────────────────────────────────────────────────────────────────────────────────

    async def close(self) -> None:
        """Take nobody new, let every app leave its terminal clean, and end what is left."""
        self.closing = True
        for listener in self._listeners:
            listener.close()
        ending = [session.ended for session in list(self.sessions)]
        for session in list(self.sessions):
            session.end(CLOSING)
        if ending:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(CLOSING_SECONDS):
                    await asyncio.gather(*(event.wait() for event in ending))
        connections = list(self.connections)
        for connection in connections:
            connection.close()
        if connections:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(CLOSING_SECONDS):
                    await asyncio.gather(*(connection.wait_closed() for connection in connections))
        for connection in list(self.connections):
            connection.abort()
        log.info("door closed")
