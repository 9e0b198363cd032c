"""Somebody who looks elsewhere is called, quietly: for what they asked to be, once, and never with anybody's words."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import product
from typing import Any, get_args

from textual.events import AppBlur, AppFocus

from looseends_client.alerts import (
    AT_THE_KEYBOARD_SECONDS,
    BELL,
    Occasions,
    Presence,
    alert_sequence,
    wanted,
)
from looseends_client.screens.table import TableScreen
from looseends_client.settings import Alerts, Occasion, Settings
from looseends_client.starting import AppSettings, StartLobby
from looseends_client.terminal_abilities import Abilities, Notice
from looseends_core.rules import rule_set
from looseends_protocol.messages import Attending, CreateTable, JoinTable, StartGame, TableOptions
from tests.client.on_screen import OnScreen, alone, opened, seated_before_the_screen
from tests.server.peers import FAST, arrive

EVIL = "\x07\x1b]9;evil"
TURN_9 = "\x1b]9;No Loose Ends: It is your turn.\x1b\\"
TURN_777 = "\x1b]777;notify;No Loose Ends;It is your turn.\x1b\\"
FULL_9 = "\x1b]9;No Loose Ends: The table is full.\x1b\\"
START_9 = "\x1b]9;No Loose Ends: The game begins.\x1b\\"


class TestTheBytes:
    def test_each_kind_of_terminal_is_sent_what_it_reads(self) -> None:
        assert alert_sequence("turn", "none", "osc9") == ""
        assert alert_sequence("turn", "bell", "osc9") == BELL == "\x07"
        assert alert_sequence("turn", "notify", "none") == BELL
        assert alert_sequence("turn", "notify", "osc9") == TURN_9
        assert alert_sequence("turn", "notify", "osc777") == TURN_777

    def test_every_notification_is_one_whole_sequence_of_printable_letters(self) -> None:
        notices: tuple[Notice, ...] = ("osc9", "osc777")
        for occasion, notice in product(get_args(Occasion), notices):
            sequence = alert_sequence(occasion, "notify", notice)
            assert re.fullmatch(r"\x1b\](9;[ -:<-~]+|777;notify;[ -:<-~]+;[ -:<-~]+)\x1b\\", sequence)

    def test_nobody_is_called_for_what_they_did_not_ask_for(self) -> None:
        assert wanted("turn", Settings(alerts="bell"))
        assert not wanted("turn", Settings(alerts="none"))
        assert not wanted("turn", Settings(alerts_for=("full",)))
        assert not wanted(None, Settings())


class TestPresence:
    def test_the_focus_decides_where_the_terminal_tells_it(self) -> None:
        presence = Presence()
        presence.focused = True
        assert presence.looks(1e9)
        presence.typed(50.0)
        presence.focused = False
        assert not presence.looks(50.0)

    def test_where_it_does_not_somebody_who_has_just_typed_is_there(self) -> None:
        presence = Presence()
        assert not presence.looks(0.0)
        presence.typed(100.0)
        assert presence.looks(100.0 + AT_THE_KEYBOARD_SECONDS / 2)
        assert not presence.looks(101.0 + AT_THE_KEYBOARD_SECONDS)


def written_from_now(on: OnScreen) -> list[str]:
    """Return a list that grows by all that the terminal is sent."""
    written: list[str] = []
    driver: Any = vars(on.app)["_driver"]
    driver.write = written.append
    return written


# ── at a table of people ────────────────────────────────────────────────────────────────────────────────────────────


class Away:
    """Somebody who looks elsewhere while a table fills and plays: what their terminal was sent, and who plays."""

    def __init__(self, on: OnScreen, written: list[str], others: list[Any]) -> None:
        self.on = on
        self.written = written
        self.others = others

    @property
    def alerts(self) -> list[str]:
        return [piece for piece in self.written if piece == BELL or piece.startswith("\x1b]")]

    async def play_until(self, fact: Any) -> None:
        for _ in range(300):
            await self.on.settle()
            if fact():
                return
            for other in self.others:
                other.act_if_due()
            await self.on.clock.advance(0.3)
        raise AssertionError(self.on.text)


@asynccontextmanager
async def away_from_the_table(
    *, alerts: Alerts = "notify", notice: Notice = "osc9", occasions: tuple[Occasion, ...] = ("turn", "full", "start")
) -> AsyncIterator[Away]:
    """Seat ann at a table of three with bob as its host and the third seat open; she has looked away."""
    settings = AppSettings(
        Settings(trick_pause=0, alerts=alerts, alerts_for=occasions), abilities=Abilities(notice=notice)
    )
    async with opened() as (house, clock):
        bob, _ = await arrive(house, "bob")
        options = TableOptions(title=EVIL, **{name: getattr(FAST, name) for name in ("bots", "clock_seconds")})
        table = await bob.expect(CreateTable(0, rule_set(3, rounds=2, hand_size=4), options), Attending)
        async with seated_before_the_screen(house, clock, StartLobby(table.code), settings=settings) as on:
            await on.until(lambda: on.app.attendance is not None)
            await on.settle()
            written = written_from_now(on)
            on.app.post_message(AppBlur())
            cy, _ = await arrive(house, "cy]9;x")
            await on.settle()
            assert written == []
            await cy.expect(JoinTable(0, table.code), Attending)
            await on.settle()
            yield Away(on, written, [bob, cy])
        for other in (bob, cy):
            other.close()


async def begin(away: Away) -> None:
    await away.others[0].ask(StartGame(0))
    await away.on.until(lambda: isinstance(away.on.app.screen, TableScreen) and away.on.model.state.round == 1)


async def test_a_table_that_fills_a_game_that_starts_and_a_turn_are_each_called_for_once() -> None:
    async with away_from_the_table() as away:
        assert away.alerts == [FULL_9]
        await begin(away)
        assert away.alerts[:2] == [FULL_9, START_9]
        await away.play_until(lambda: away.on.model.my_turn)
        await away.on.clock.advance(5)
        called = away.alerts[2:]
        assert called in ([TURN_9], [])  # none where the game began with it
        assert not any("evil" in piece or "cy" in piece for piece in away.alerts)


async def test_the_next_turn_is_called_for_again_and_the_same_one_is_not() -> None:
    async with away_from_the_table(occasions=("turn",), notice="osc777") as away:
        await begin(away)
        await away.play_until(lambda: away.on.model.my_turn)
        before = len(away.alerts)
        away.on.line.cut()
        await away.on.until(lambda: not away.on.app.client.online)
        await away.on.until(lambda: away.on.app.client.online)
        await away.on.until(lambda: away.on.model.my_turn)
        await away.on.settle()
        assert len(away.alerts) == before
        await away.on.table.act(away.on.model.legal()[0])
        await away.play_until(lambda: not away.on.model.my_turn)
        await away.play_until(lambda: away.on.model.my_turn)
        assert away.alerts[before:] == [TURN_777]


async def test_nobody_is_called_to_a_window_that_they_look_at() -> None:
    async with away_from_the_table(alerts="bell") as away:
        assert away.alerts == [BELL]
        away.on.app.post_message(AppFocus())
        await begin(away)
        await away.play_until(lambda: away.on.model.my_turn)
        assert away.alerts == [BELL]


async def test_where_nobody_wants_to_be_called_nothing_is_sent() -> None:
    async with away_from_the_table(alerts="none") as away:
        await begin(away)
        await away.play_until(lambda: away.on.model.my_turn)
        assert away.alerts == []


async def test_among_bots_of_ones_own_nobody_waits_and_nobody_is_called() -> None:
    async with alone(bots=5, settings=AppSettings(Settings(trick_pause=0, alerts="bell"))) as on:
        written = written_from_now(on)
        on.app.post_message(AppBlur())
        await on.watch_out()
        assert BELL not in written


def test_a_table_that_one_comes_to_calls_nobody() -> None:
    from tests.client.games import attending
    from tests.client.scenes import FOUR, FOUR_HANDS, PLANNED, played, scene_of

    model = scene_of(FOUR, played(FOUR, FOUR_HANDS, PLANNED)).model
    assert model.my_turn
    occasions = Occasions()
    assert occasions.look(model) is None
    assert occasions.look(model) is None
    model.attend(attending(FOUR, played(FOUR, FOUR_HANDS, PLANNED), 0, bots=0))
    assert occasions.look(model) is None
    watched = scene_of(FOUR, played(FOUR, FOUR_HANDS, PLANNED), None).model
    assert [occasions.look(watched), occasions.look(watched)] == [None, None]
