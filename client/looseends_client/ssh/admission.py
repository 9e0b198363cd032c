"""Who may come in, how many at once and how fast: counted by address and by key. Pure; time is passed in.

What a person may do once inside, and whether they are banned, is the server's.
"""

from __future__ import annotations

from collections import Counter

import msgspec

from looseends_protocol.places import is_loopback, place_of

FULL = "Everybody who fits is in: come again in a while."
ADDRESS_FULL = "Too many people have come in from your address: come again when one has left."
KEY_FULL = "You are in as often as you may be: leave one of your other terminals first."
TOO_FAST = "Too many people are coming in at once: come again in a minute."


class DoorLimits(msgspec.Struct, frozen=True, kw_only=True):
    """The limits of a door. Seconds are real numbers, everything else whole."""

    login_seconds: float = 30.0
    """From connecting to having proved a key, or being a guest."""
    keepalive_seconds: float = 20.0
    """Silence after which the door asks whether somebody is still there; after three times that they are gone."""
    logins: int = 64
    """People who are logging in at the same time: each costs a key exchange."""
    logins_per_address: int = 8
    """The same from one address."""
    sessions: int = 200
    """Apps at the same time: what one processor core carries while everybody plays."""
    sessions_per_address: int = 16
    """The same from one address."""
    sessions_per_key: int = 4
    """The same with one key; each new one takes over the seat of the one before."""
    sessions_per_second: float = 10.0
    """How fast people come in, each after the other: to draw the first screen costs most."""
    waiting_seconds: float = 10.0
    """How long somebody waits to come in; whoever would have to wait longer is told to come again."""
    limit_loopback: bool = False
    """Whether the limits by address hold for this machine too."""


class Admission:
    """Counts who is at the door and who is inside. Addresses are as sockets name them, keys are fingerprints."""

    def __init__(self, limits: DoorLimits) -> None:
        self.limits = limits
        self._logins: Counter[str] = Counter()
        self._sessions: Counter[str] = Counter()
        self._keys: Counter[bytes] = Counter()
        self._next_at = 0.0
        """When the next person may come in."""

    @property
    def inside(self) -> int:
        """How many apps there are."""
        return self._sessions.total()

    def _is_exempt(self, address: str) -> bool:
        return not self.limits.limit_loopback and is_loopback(address)

    def login_begins(self, address: str) -> bool:
        """Count somebody who connects; False where too many are logging in already, and then it is not counted."""
        place = place_of(address)
        if self._logins.total() >= self.limits.logins:
            return False
        if not self._is_exempt(address) and self._logins[place] >= self.limits.logins_per_address:
            return False
        self._logins[place] += 1
        return True

    def login_ends(self, address: str) -> None:
        """Count off somebody whom `login_begins` had counted: they are through, or gone."""
        _less(self._logins, place_of(address))

    def session_begins(self, address: str, key: bytes, *, host: bool = False) -> str:
        """Count an app that is to begin; a sentence that says why not, and then it is not counted.

        A `host` of the door is let in whatever is full.
        """
        place = place_of(address)
        if not host:
            if self.inside >= self.limits.sessions:
                return FULL
            if not self._is_exempt(address) and self._sessions[place] >= self.limits.sessions_per_address:
                return ADDRESS_FULL
            if key and self._keys[key] >= self.limits.sessions_per_key:
                return KEY_FULL
        self._sessions[place] += 1
        if key:
            self._keys[key] += 1
        return ""

    def session_ends(self, address: str, key: bytes) -> None:
        """Count an app off that `session_begins` had counted."""
        _less(self._sessions, place_of(address))
        if key:
            _less(self._keys, key)

    def seconds_to_wait(self, now: float) -> float | None:
        """Give the next place in the queue and return how long it is until its turn; None where it is too long."""
        at = max(now, self._next_at)
        if at - now > self.limits.waiting_seconds:
            return None
        self._next_at = at + 1 / self.limits.sessions_per_second
        return at - now


def _less(counted: Counter[str] | Counter[bytes], what: str | bytes) -> None:
    counter: Counter[str | bytes] = counted  # type: ignore[assignment]
    counter[what] -= 1
    if counter[what] <= 0:
        del counter[what]
