"""Fingerprints of SSH keys, as `ssh-keygen -l` writes them and as they travel. No key is read here."""

from __future__ import annotations

import base64
import binascii

from looseends_protocol.limits import FINGERPRINT_BYTES

PREFIX = "SHA256:"


def fingerprint_text(fingerprint: bytes) -> str:
    """Return a fingerprint as people know it: `SHA256:` and base64 without its padding."""
    return PREFIX + base64.b64encode(fingerprint).decode("ascii").rstrip("=")


def fingerprint_of(text: str) -> bytes:
    """Return the bytes of a fingerprint that a person wrote. Raises ValueError."""
    try:
        digits = base64.b64decode(text.removeprefix(PREFIX) + "=", validate=True)
    except binascii.Error as error:
        raise ValueError(f"{text} is no fingerprint of a key") from error
    if not text.startswith(PREFIX) or len(digits) != FINGERPRINT_BYTES:
        raise ValueError(f"{text} is no fingerprint of a key")
    return digits
