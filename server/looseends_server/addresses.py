"""Where connections come from, and how many one place may open. Pure; time is passed in.

An IPv6 customer has a whole /64, so that is what counts as one place there.
"""

from __future__ import annotations

from looseends_protocol import places
from looseends_protocol.places import place_of
from looseends_server.allowance import Window
from looseends_server.limits import Limits


def is_loopback(address: str) -> bool:
    """Return whether a peer is on this machine: by its address, or without one inside this very process."""
    return address == "local" or places.is_loopback(address)


class Addresses:
    """Counts open and new connections of each place."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._open: dict[str, int] = {}
        self._new: dict[str, Window] = {}

    def is_exempt(self, address: str) -> bool:
        """Return whether the limits do not count for this address: this machine's own, unless told otherwise."""
        return address == "local" or (not self._limits.limit_loopback and is_loopback(address))

    def opened(self, address: str) -> bool:
        """Count a connection that opens; False where its place has too many open, and then it is not counted."""
        if self.is_exempt(address):
            return True
        place = place_of(address)
        count = self._open.get(place, 0)
        if count >= self._limits.connections_per_address:
            return False
        self._open[place] = count + 1
        return True

    def closed(self, address: str) -> None:
        """Count a connection off that `opened` had counted."""
        if self.is_exempt(address):
            return
        place = place_of(address)
        left = self._open.get(place, 1) - 1
        if left > 0:
            self._open[place] = left
        else:
            self._open.pop(place, None)

    def admits_new(self, address: str, now: float) -> bool:
        """Count a connection that proved no token; False where its place had too many of those lately."""
        if self.is_exempt(address):
            return True
        place = place_of(address)
        window = self._new.get(place)
        if window is None:
            window = self._new[place] = Window(self._limits.new_connections, self._limits.new_connection_seconds)
        return window.admits(now)

    def tidy(self, now: float) -> None:
        """Forget places that have been quiet for a whole window."""
        for place in [place for place, window in self._new.items() if window.is_empty(now)]:
            del self._new[place]
