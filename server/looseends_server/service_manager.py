"""What a service manager is told about the process: that it is ready, that it is ending, that it is alive.

The words are systemd's sd_notify(3): datagrams to the socket that NOTIFY_SOCKET names. Where nobody named one, nothing
is told and nothing fails. What the process does when it is told something itself lives in `hosting`.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import MutableMapping

SOCKET_VARIABLE = "NOTIFY_SOCKET"
WATCHDOG_VARIABLE = "WATCHDOG_USEC"


class ServiceManager:
    """Whoever started the process and wants to hear of it.

    Takes its variables out of the environment, so that no process started from here speaks in this one's name.
    """

    def __init__(self, environ: MutableMapping[str, str]) -> None:
        path = environ.pop(SOCKET_VARIABLE, "")
        # An @ stands for the zero byte that begins an abstract name.
        self._path = "\0" + path[1:] if path.startswith("@") else path
        microseconds = environ.pop(WATCHDOG_VARIABLE, "")
        self.watchdog_seconds = int(microseconds) / 1e6 if microseconds.isdecimal() else 0.0
        """How long the manager waits for a sign of life, 0 where it does not."""
        self._next_sign: asyncio.TimerHandle | None = None

    def ready(self, status: str) -> None:
        """Say that the server serves, with a line for `systemctl status`, and give signs of life from now on."""
        self._tell(f"READY=1\nSTATUS={status}")
        if self.watchdog_seconds:
            self._give_sign()

    def ending(self) -> None:
        """Say that the end has begun."""
        if self._next_sign is not None:
            self._next_sign.cancel()
        self._tell("STOPPING=1\nSTATUS=Ending")

    def _give_sign(self) -> None:
        """Only the event loop gives it: one that hangs is a server that hangs."""
        self._tell("WATCHDOG=1")
        self._next_sign = asyncio.get_running_loop().call_later(self.watchdog_seconds / 3, self._give_sign)

    def _tell(self, words: str) -> None:
        if not self._path:
            return
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notifying:
            notifying.setblocking(False)
            notifying.sendto(words.encode(), self._path)
