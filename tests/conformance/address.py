"""Where the server under test is, and how a socket gets there: plainly, or over TLS."""

from __future__ import annotations

import hashlib
import socket
import ssl
from dataclasses import dataclass

SECONDS = 60.0
"""What anything may take before a test gives up on it: twice the 30 after which a server asks for a sign of life."""


@dataclass(frozen=True)
class Server:
    """A server: `host:port` is plain TCP, `looseends://host:port` TLS, with `#sha256=…` one pinned certificate.

    `password` is what it asks newcomers for; empty where it asks for none.
    """

    host: str
    port: int
    tls: bool = False
    pin: str = ""
    password: str = ""

    @classmethod
    def at(cls, typed: str, password: str = "") -> Server:
        """Return the server that somebody typed."""
        bare, _, pin = typed.removeprefix("looseends://").partition("#sha256=")
        host, _, port = bare.partition("/")[0].rpartition(":")
        return cls(host.strip("[]"), int(port), typed.startswith("looseends://"), pin, password)

    def connect(self) -> socket.socket:
        """Return a connected socket. Raises OSError."""
        plain = socket.create_connection((self.host, self.port), timeout=SECONDS)
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if not self.tls:
            return plain
        context = ssl.create_default_context()
        if self.pin:
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        secure = context.wrap_socket(plain, server_hostname=self.host)
        if self.pin and hashlib.sha256(secure.getpeercert(True) or b"").hexdigest() != self.pin.lower():
            raise OSError("the server's certificate is not the one that its address names")
        return secure
