"""One connection at the door: who it is, and that nothing but the game can be asked for.

A key counts only for who proved to have it. A client may ask about any public key without proof, so what was asked
about says nothing; what was signed for in the very step that let somebody in does.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING

import asyncssh
import structlog
from asyncssh.constants import OPEN_ADMINISTRATIVELY_PROHIBITED

from looseends_client.ssh.host_keys import fingerprint
from looseends_client.ssh.session import DoorSession

if TYPE_CHECKING:
    from looseends_client.ssh.door import Door

log = structlog.get_logger()

GUEST = "guest"
"""The name with which nobody is asked for a key."""
MOST_TRIES = 40
"""Keys that one connection may ask about: an agent holds a few."""
MOST_SESSIONS = 4
"""Sessions of one connection at the same time, as shared connections have them."""
SEND_BUFFER_BYTES = 64 * 1024
"""What the system may hold for somebody who does not read: the rest is not drawn."""

_looked_at: ContextVar[bytes] = ContextVar("key that the running step of a login looked at", default=b"")


class Doorkeeper(asyncssh.SSHServer):
    """Lets one connection in, as the owner of a key or as a guest."""

    def __init__(self, door: Door) -> None:
        self._door = door
        self._connection: asyncssh.SSHServerConnection | None = None
        self._counted = False
        self._tries = 0
        self._inside = False
        self.address = ""
        self.local_address = ""
        """The address that they came to."""
        self.user = ""
        self.key = b""
        """The fingerprint of the key that they proved to have; empty for a guest."""
        self.sessions = 0
        """How many sessions this connection has at the moment."""

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        """Count somebody who connects, or end the connection at once."""
        self._connection = conn
        peer = conn.get_extra_info("peername")
        self.address = str(peer[0]) if isinstance(peer, tuple) and peer else "unknown"
        own = conn.get_extra_info("sockname")
        self.local_address = str(own[0]) if isinstance(own, tuple) and own else "HOST"
        self._counted = not self._door.closing and self._door.admission.login_begins(self.address)
        if not self._counted:
            log.info("connection turned away", address=self.address)
            conn.abort()
            return
        self._door.connections.add(conn)
        self._door.bound_buffers(conn, SEND_BUFFER_BYTES)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget somebody who is gone."""
        if self._connection is not None:
            self._door.connections.discard(self._connection)
        self._connection = None
        self._login_over()

    def _login_over(self) -> None:
        if self._counted:
            self._counted = False
            self._door.admission.login_ends(self.address)

    # ── who it is ────────────────────────────────────────────────────────────────────────────────────────────────

    def begin_auth(self, username: str) -> bool:
        """Ask everybody for a key first, apart from who says that they are a guest."""
        self.user = username
        return self._door.settings.keys_only or username != GUEST

    def public_key_auth_supported(self) -> bool:
        """Keys are what people are known by."""
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        """Return whether the owner of a key may come in; whether this is the owner has not been proved yet."""
        self._tries += 1
        if self._tries > MOST_TRIES:
            return False
        found = fingerprint(key)
        # The step of a login is a task, and the one in which this key is proved is the one that ends the login.
        _looked_at.set(found)
        return self._door.admits(found)

    def kbdint_auth_supported(self) -> bool:
        """Let in who has no key, without a question, unless the house is closed to guests."""
        return not self._door.settings.keys_only

    def get_kbdint_challenge(self, username: str, lang: str, submethods: str) -> bool:
        """Let a guest in."""
        return not self._door.settings.keys_only

    def password_auth_supported(self) -> bool:
        """There are no passwords."""
        return False

    def host_based_auth_supported(self) -> bool:
        """No other machine vouches for anybody."""
        return False

    def auth_completed(self) -> None:
        """Take the key of the step that let them in as theirs; a guest's step looked at none."""
        self._inside = True
        self.key = _looked_at.get()
        self._login_over()

    # ── what they ask for ────────────────────────────────────────────────────────────────────────────────────────

    def session_requested(self) -> asyncssh.SSHServerSession[bytes] | bool:
        """Begin a session, which says by itself what it is not for."""
        if not self._inside or self._door.closing or self.sessions >= MOST_SESSIONS:
            return False
        return DoorSession(self._door, self)

    def connection_requested(self, dest_host: str, dest_port: int, orig_host: str, orig_port: int) -> bool:
        """Refuse to connect to anywhere from here (`ssh -L`, `-D`, `-W`)."""
        raise self._no_forwarding("connection")

    def server_requested(self, listen_host: str, listen_port: int) -> bool:
        """Refuse to listen for anybody (`ssh -R`)."""
        self._no_forwarding("listening")
        return False

    def unix_connection_requested(self, dest_path: str) -> bool:
        """Refuse sockets of this machine."""
        raise self._no_forwarding("socket")

    def unix_server_requested(self, listen_path: str) -> bool:
        """Refuse sockets of this machine."""
        self._no_forwarding("socket")
        return False

    def tun_requested(self, unit: int | None) -> bool:
        """Refuse tunnels."""
        raise self._no_forwarding("tunnel")

    def tap_requested(self, unit: int | None) -> bool:
        """Refuse tunnels."""
        raise self._no_forwarding("tunnel")

    def _no_forwarding(self, what: str) -> asyncssh.ChannelOpenError:
        log.info("forwarding refused", what=what, address=self.address)
        return asyncssh.ChannelOpenError(OPEN_ADMINISTRATIVELY_PROHIBITED, "There is only a game here.")
