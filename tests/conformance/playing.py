"""Playing a table on with random legal actions, between the looks of a test."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, TypeVar

from tests.conformance.client import Client, take_all

T = TypeVar("T")
_VERBS = {"planning": "bid", "playing": "play", "covering": "cover"}
Choice = Callable[[Client, list[Any]], Any]


def actions_of(client: Client) -> list[Any]:
    """Return the actions that the client's legal list means."""
    assert client.legal is not None
    assert client.fold is not None
    cards, may_pass, may_double_cross = client.legal[:3]
    actions: list[Any] = [[_VERBS[client.fold.phase], card] for card in cards]
    return actions + [["pass"]] * may_pass + [["double-cross"]] * may_double_cross


def act(client: Client, action: list[Any]) -> int:
    """Take an action without waiting for what becomes of it; return the request's id."""
    assert client.fold is not None
    client.legal = None
    return client.post("act", g=client.game, n=client.fold.number, a=action)


def play_on(clients: list[Client], fact: Callable[[], T | None], choose: Choice | None = None) -> T:
    """Let all of them take legal actions when due, and be ready between rounds, until a fact holds; return it."""
    pick = choose or (lambda _, actions: random.choice(actions))
    ready: set[tuple[int, int]] = set()

    def meanwhile() -> None:
        for client in clients:
            if client.legal is not None:
                act(client, pick(client, actions_of(client)))
            elif is_between_rounds(client) and (id(client), client_round(client)) not in ready:
                ready.add((id(client), client_round(client)))
                client.post("ready", r=client_round(client))

    return take_all(clients, fact, meanwhile)


def client_round(client: Client) -> int:
    """Return the round that the client was last dealt."""
    assert client.fold is not None
    return client.fold.round


def is_between_rounds(client: Client) -> bool:
    """Return whether a round is over and the next not dealt, the game not over either."""
    fold = client.fold
    return fold is not None and fold.seat is not None and fold.round > 0 and fold.phase == "none" and not fold.is_over


def is_over(client: Client) -> bool:
    """Return whether the game is over as far as this client knows."""
    return client.fold is not None and client.fold.is_over


def is_due(client: Client) -> bool:
    """Return whether this client is on turn."""
    return client.legal is not None


def on_turn(clients: list[Client]) -> Client:
    """Wait until all of them have heard the same, and return the one who is on turn; nobody acts meanwhile."""

    def due() -> Client | None:
        numbers = {client.fold.number if client.fold is not None else 0 for client in clients}
        return next((client for client in clients if is_due(client)), None) if len(numbers) == 1 else None

    return take_all(clients, due)
