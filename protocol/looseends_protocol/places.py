"""What counts as one place among the addresses that peers come from: for servers and doors, which count by it.

An IPv6 customer has a whole /64, so that is one place there. Nothing is looked up, and nothing is counted here.
"""

from __future__ import annotations

import ipaddress


def place_of(address: str) -> str:
    """Return what counts as one place: an IPv4 address, an IPv6 /64; anything else stands for itself."""
    try:
        parsed = ipaddress.ip_address(address.split("%", 1)[0])
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is not None:
            return str(parsed.ipv4_mapped)
        return str(ipaddress.ip_network((parsed, 64), strict=False))
    return str(parsed)


def is_loopback(address: str) -> bool:
    """Return whether an address is this machine's own; what is no address is not."""
    try:
        parsed = ipaddress.ip_address(address.split("%", 1)[0])
    except ValueError:
        return False
    mapped = parsed.ipv4_mapped if isinstance(parsed, ipaddress.IPv6Address) else None
    return (mapped or parsed).is_loopback
