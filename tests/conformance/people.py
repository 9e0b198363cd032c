"""Who plays in the tests: a few people with tokens, connected when a test asks for one and gone when it is over."""

from __future__ import annotations

import contextlib
import secrets
from typing import Any

from tests.conformance.address import Server
from tests.conformance.client import Client, Closed

RULES: dict[str, Any] = {
    "players": 2,
    "variants": [],
    "scoring": "standard",
    "rounds": 1,
    "hand_size": 5,
    "max_bid": 2,
    "first_player": "random",
}
"""A short game for two."""
QUICK = {"bt": 0, "pv": True}
"""Options of a table that nobody else sees, at which bots do not wait."""


class People:
    """Everybody by name. Names are drawn anew for each run, because a server keeps them."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.mark = secrets.token_hex(3)
        self._tokens: dict[str, bytes] = {}
        self._connected: list[Client] = []

    def name(self, who: str) -> str:
        """Return what the server calls them."""
        return f"{who} {self.mark}"

    def stranger(self, **options: Any) -> Client:
        """Return a connection that has not said hello."""
        client = Client(self.server, **options)
        self._connected.append(client)
        return client

    def token(self, who: str) -> bytes:
        """Return the token of somebody, who is made known where they are not yet."""
        if who not in self._tokens:
            client = self.stranger()
            hello = {"pw": self.server.password} if self.server.password else {}
            self._tokens[who] = client.expect("welcome", "hello", v=1, nm=self.name(who), **hello)["tk"]
            self._connected.remove(client)
            client.close()
        return self._tokens[who]

    def connect(self, who: str, **options: Any) -> Client:
        """Return a connection of somebody who has said hello."""
        token = self.token(who)
        client = self.stranger(**options)
        client.expect("welcome", "hello", v=1, tk=token)
        return client

    def host(self, who: str, rules: dict[str, Any] = RULES, **options: Any) -> Client:
        """Return somebody who has made a table and sits on seat 0."""
        client = self.connect(who)
        client.expect("attending", "create", ru=rules, o={**QUICK, **options})
        return client

    def guest(self, who: str, host: Client, **fields: Any) -> Client:
        """Return somebody who sits at the host's table."""
        client = self.connect(who)
        client.expect("attending", "join", c=host.table["c"], **fields)
        name = self.name(who)
        host.until(lambda: any(seat.get("nm") == name and seat.get("on") for seat in host.table["ss"]))
        return client

    def watcher(self, who: str, host: Client) -> Client:
        """Return somebody who watches the host's table."""
        client = self.connect(who)
        client.expect("attending", "watch", c=host.table["c"])
        return client

    def two(self, rules: dict[str, Any] = RULES, **options: Any) -> tuple[Client, Client]:
        """Return two people at a table for two, the first its host."""
        host = self.host("ann", rules, **options)
        return host, self.guest("cy", host)

    def go_home(self) -> None:
        """Let everybody leave their table and close."""
        for client in self._connected:
            with contextlib.suppress(Closed, OSError, AssertionError):
                if client.table:
                    client.ask("leave")
            client.close()
        self._connected.clear()


def start(host: Client) -> None:
    """Give the open seats of the host's table to bots, and start."""
    for seat, held in enumerate(host.table["ss"]):
        if held["k"] == "open":
            host.expect("done", "seat-bot", st=seat, lv=host.welcome["ls"][0][0])
    host.expect("done", "start")
