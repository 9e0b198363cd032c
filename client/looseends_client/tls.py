"""How a client makes sure which server it talks to: by authorities, by an authority of one's own, or by a pin.

Nothing is sent to a server before it has shown the right certificate. What travels afterwards is not known here.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import ipaddress
import ssl
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, cast

from looseends_client.address import SCHEME, Address

if TYPE_CHECKING:
    from looseends_client.connector import Connector

HANDSHAKE_SECONDS = 20.0
"""How long a connection and its handshake may take: the server gives a handshake 15 s."""

NOT_OVER_PLAIN_TCP = (
    "{server} is reached over plain TCP, where anybody on the way can read the token that says who you are. Ask its "
    "host for an address that begins with " + SCHEME + ", use --tls, or say --insecure to send it all the same."
)


class ServerNotTrusted(OSError):
    """The server is not the one that was asked for, or does not speak TLS; the message says so. Nothing was sent."""


class CertificatesUnusable(ValueError):
    """The file of an authority's certificates cannot be used; the message says why."""


def is_own_machine(host: str) -> bool:
    """Return whether what travels to this host stays on this machine."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.split("%", 1)[0]).is_loopback
    except ValueError:
        return False


def refusal_of_plain_tcp(address: Address, *, insecure: bool) -> str:
    """Return why no token may be sent to this address, as a sentence; empty where it may."""
    if address.tls or insecure or is_own_machine(address.host):
        return ""
    return NOT_OVER_PLAIN_TCP.format(server=address.server)


def client_context(address: Address, authorities: Path | None = None) -> ssl.SSLContext:
    """Return the context for an address over TLS, which verifies the server unless the address pins it.

    `authorities` is a PEM file with the certificates that are trusted in place of the system's. Raises
    CertificatesUnusable.
    """
    if address.pin:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        # The pin says more than any authority could: it is compared before anything is sent (`_Pinned`).
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    else:
        try:
            context = ssl.create_default_context(cafile=None if authorities is None else str(authorities))
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, FileNotFoundError) else "it holds no certificate in PEM form"
            raise CertificatesUnusable(f"{authorities} cannot be used: {reason}.") from error
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


def tls_connector(address: Address, context: ssl.SSLContext) -> Connector:
    """Return a connector over TLS. Beside what any connector raises it raises ServerNotTrusted."""

    async def connect(make: Callable[[], asyncio.Protocol]) -> asyncio.Transport:
        loop = asyncio.get_running_loop()
        gate = _Pinned(make, address)
        try:
            async with asyncio.timeout(HANDSHAKE_SECONDS):
                transport, _ = await loop.create_connection(lambda: gate, address.host, address.port, ssl=context)
        except ssl.SSLCertVerificationError as error:
            raise ServerNotTrusted(
                f"{address.server} showed a certificate that is not trusted ({error.verify_message}): ask its host for "
                "the address with #sha256=, or name the authority with --tls-ca."
            ) from error
        except ssl.SSLError as error:
            raise ServerNotTrusted(
                f"{address.server} does not speak TLS as expected ({error.reason or error}): is it the right port, and "
                "does that server use TLS?"
            ) from error
        if gate.shown is not None:
            raise ServerNotTrusted(
                f"{address.server} is not the server that was asked for: its certificate has the SHA-256 {gate.shown}, "
                f"not {address.pin.hex()}. Nothing was sent. Ask its host for the address of today."
            )
        return transport

    return connect


class _Pinned(asyncio.Protocol):
    """Stands before the real protocol until the handshake is over and the certificate was looked at."""

    def __init__(self, make: Callable[[], asyncio.Protocol], address: Address) -> None:
        self._make = make
        self._pin = address.pin
        self.shown: str | None = None
        """The hash of a certificate that is the wrong one, None while there is none."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        transport = cast("asyncio.Transport", transport)  # uvloop's are no subclass of it
        if self._pin:
            certificate = transport.get_extra_info("ssl_object").getpeercert(binary_form=True) or b""
            digest = hashlib.sha256(certificate).digest()
            if not hmac.compare_digest(digest, self._pin):
                self.shown = digest.hex()
                transport.abort()
                return
        protocol = self._make()
        transport.set_protocol(protocol)
        protocol.connection_made(transport)
