"""Somebody before a screen at a table of another, who plays by himself."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from looseends_client.screens.table import TableScreen
from looseends_client.starting import StartLobby
from looseends_core.rules import RuleSet, rule_set
from looseends_protocol.messages import Attending, CreateTable, StartGame, TableOptions
from tests.client.on_screen import OnScreen, opened, seated_before_the_screen
from tests.server.peers import FAST, Peer, arrive

TWO_ROUNDS = rule_set(2, rounds=2, hand_size=3)


class Two:
    """Somebody before a screen, and bob, who made the table and plays by himself."""

    def __init__(self, on: OnScreen, bob: Peer, code: str) -> None:
        self.on = on
        self.bob = bob
        self.code = code

    async def play_until(self, fact: object) -> None:
        """Play both seats until a fact holds; nobody says to be ready."""
        assert callable(fact)
        on = self.on
        for _ in range(300):
            await on.settle()
            if fact():
                return
            self.bob.act_if_due()
            if on.app.attendance is not None and on.model.my_turn and on.app.client.online:
                await on.table.act(on.rng.choice(on.model.legal()))
            await on.clock.advance(0.3)
        raise AssertionError(f"what was waited for never came; on screen:\n{on.text}")


@asynccontextmanager
async def two_at_a_table(rules: RuleSet = TWO_ROUNDS, options: TableOptions = FAST) -> AsyncIterator[Two]:
    async with opened() as (house, clock):
        bob, _ = await arrive(house, "bob")
        table = await bob.expect(CreateTable(0, rules, options), Attending)
        async with seated_before_the_screen(house, clock, StartLobby(table.code)) as on:
            await on.until(lambda: on.app.attendance is not None)
            await bob.ask(StartGame(0))
            await on.until(lambda: isinstance(on.app.screen, TableScreen) and on.model.state.round == 1)
            yield Two(on, bob, table.code)
        bob.close()
