"""The server's certificate: loaded, made once where there is none, and renewed while the server runs.

Which connections come over TLS is decided by the listeners; who is let in, by nobody here.
"""

from __future__ import annotations

import contextlib
import hashlib
import ipaddress
import socket
import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from looseends_server.store.folder import make_folder, make_private, sync_file, sync_folder

if TYPE_CHECKING:
    from cryptography import x509

CERTIFICATE = "tls-cert.pem"
KEY = "tls-key.pem"
VALID_DAYS = 365 * 30
"""A self-signed certificate is pinned, not trusted for its dates: it must outlive the server."""


class CertificateUnusable(Exception):
    """A certificate or its key cannot be used; the message says which and why."""


class Certificate:
    """A certificate with its key, as new connections are shown it.

    `context` stays the same for as long as the server runs; what it shows changes with `reload`.
    """

    def __init__(self, cert: Path, key: Path) -> None:
        """Load both. Raises CertificateUnusable."""
        self._cert = cert
        self._key = key
        self._shown = _loaded(cert, key)
        self.context = _loaded(cert, key)
        self.context.sni_callback = self._show
        self.fingerprint = fingerprint(cert)
        """SHA-256 of the certificate's DER, in hex: what an address pins."""

    def reload(self) -> None:
        """Show what the files hold now to every new connection.

        Raises CertificateUnusable where that is broken; then everything stays as it was.
        """
        shown = _loaded(self._cert, self._key)
        self.fingerprint = fingerprint(self._cert)
        self._shown = shown

    def _show(self, connection: ssl.SSLObject | ssl.SSLSocket, name: str | None, context: ssl.SSLContext) -> None:
        # Called in every handshake, with or without a name. To load a new pair into a context in use would not do: the
        # certificate is taken before the key turns out to be the wrong one.
        connection.context = self._shown


def _loaded(cert: Path, key: Path) -> ssl.SSLContext:
    for file, what in ((cert, "certificate"), (key, "key")):
        try:
            file.open("rb").close()
        except OSError as error:
            raise CertificateUnusable(f"the TLS {what} {file} cannot be read: {error.strerror}.") from error
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        context.load_cert_chain(cert, key, password="")  # without one it would ask for it on the terminal
    except (ssl.SSLError, OSError, ValueError) as error:
        reason = getattr(error, "reason", None) or str(error) or "unknown format"
        raise CertificateUnusable(
            f"{cert} and {key} are no certificate and its key ({str(reason).lower().replace('_', ' ')}): both must be "
            "PEM, belong together, and the key must not be encrypted."
        ) from error
    return context


def fingerprint(cert: Path) -> str:
    """Return the SHA-256 of the first certificate in a PEM file, of its DER, in hex. Raises CertificateUnusable."""
    try:
        text = cert.read_text("ascii", "replace")
        begin = text.index("-----BEGIN CERTIFICATE-----")
        end_mark = "-----END CERTIFICATE-----"
        der = ssl.PEM_cert_to_DER_cert(text[begin : text.index(end_mark, begin) + len(end_mark)])
    except (OSError, ValueError) as error:
        raise CertificateUnusable(f"{cert} holds no certificate in PEM form.") from error
    return hashlib.sha256(der).hexdigest()


def self_signed(folder: Path, host: str) -> Certificate:
    """Return the folder's own certificate; the first time it is made, for its owner alone.

    `host` is an address or name that it is made out to, besides this machine's. Raises CertificateUnusable and
    `store.base.StoreUnusable`.
    """
    cert, key = folder / CERTIFICATE, folder / KEY
    if not cert.exists():
        make_folder(folder)
        try:
            _make(cert, key, host)
        except OSError as error:
            raise CertificateUnusable(f"no certificate can be kept in {folder}: {error.strerror}.") from error
    return Certificate(cert, key)


def _make(cert: Path, key: Path, host: str) -> None:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509 import oid

    private = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(oid.NameOID.COMMON_NAME, "No Loose Ends")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(private.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=VALID_DAYS))
        .add_extension(x509.SubjectAlternativeName(_names(host)), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([oid.ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(private, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    _write_private(key, private.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    # The certificate comes last: a key without one was left by an interrupted start and is made anew.
    _write_private(cert, made.public_bytes(pem))
    sync_folder(cert.parent)


def _names(host: str) -> list[x509.GeneralName]:
    from cryptography import x509

    names: dict[str, x509.GeneralName] = {}
    for name in ("localhost", "127.0.0.1", "::1", socket.gethostname(), host):
        with contextlib.suppress(ValueError):
            try:
                names[name] = x509.IPAddress(ipaddress.ip_address(name))
            except ValueError:
                names[name] = x509.DNSName(name)  # refuses what is not ASCII
    return [names[name] for name in names if name]


def _write_private(file: Path, content: bytes) -> None:
    unfinished = file.with_name(f"unfinished-{file.name}")
    unfinished.unlink(missing_ok=True)
    make_private(unfinished)
    unfinished.write_bytes(content)
    sync_file(unfinished)
    unfinished.replace(file)
