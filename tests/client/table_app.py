"""One table screen in an app of its own, and a server of a few lines: it decides, and tells the facts to one seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar, cast

import msgspec
from textual.app import App
from textual.pilot import Pilot

from looseends_client.app import LooseEndsApp
from looseends_client.attendance import Attendance
from looseends_client.cards_text import UNICODE_FACES, Faces
from looseends_client.game_client import GameClient, RequestRefused
from looseends_client.messages import TableChanged
from looseends_client.screens.table import TableScreen
from looseends_client.themes import DARK, OUR_THEMES, suit_colours
from looseends_client.widgets.lines import Lines
from looseends_core.decide import IllegalAction, decide
from looseends_core.events import Event
from looseends_core.redact import redact
from looseends_core.rules import RuleSet
from looseends_core.state import State, evolve, fold
from looseends_protocol.messages import Act, Answer, Done, Happened, Push, Refused, Request
from tests.client.games import attending

A = TypeVar("A", bound=Answer)


class StillClock:
    """A clock that a test moves by setting `now`."""

    def __init__(self) -> None:
        self.now = 1000.0

    def time(self) -> float:
        return self.now


class Desk:
    """Stands where a client with its server would: keeps the full game, answers requests, remembers them."""

    def __init__(self, rules: RuleSet, events: Sequence[Event], seat: int | None) -> None:
        self.clock = StillClock()
        self.state: State = fold(rules, events)
        self.seat = seat
        self.requests: list[Request] = []
        self.app: TableApp | None = None

    async def request(self, message: Request, expected: type[A]) -> A:
        self.requests.append(message)
        if isinstance(message, Act):
            assert self.seat is not None, "a spectator takes no action"
            try:
                self.happen(decide(self.state, self.seat, message.action))
            except IllegalAction as error:
                raise RequestRefused(Refused(error.refusal.code, error.refusal.sentence)) from error
        return cast("A", Done(0))

    @property
    def acts(self) -> list[Act]:
        return [request for request in self.requests if isinstance(request, Act)]

    def happen(self, events: Sequence[Event], clock: int | None = None) -> None:
        """Let facts happen, and tell them as the seat may know them."""
        for event in events:
            evolve(self.state, event)
        self.push(Happened(0, tuple(redact(event, self.seat) for event in events), clock=clock))

    def push(self, push: Push) -> None:
        """Send a push, numbered as the next one."""
        assert self.app is not None, "the app is running"
        attendance = self.app.attendance
        attendance.take(msgspec.structs.replace(push, sequence=attendance.model.sequence + 1))


class TableApp(App[None]):
    """An app of one table screen."""

    CSS_PATH = LooseEndsApp.CSS_PATH
    animation_level = "none"

    def __init__(
        self,
        rules: RuleSet,
        events: Sequence[Event],
        seat: int | None = 0,
        *,
        bots: int = 0,
        faces: Faces = UNICODE_FACES,
        trick_pause: float = 0,
        alone: bool = True,
    ) -> None:
        super().__init__()
        for theme in OUR_THEMES:
            self.register_theme(theme)
        self.theme = DARK
        self.desk = Desk(rules, events, seat)
        self.desk.app = self
        self.attendance = Attendance(
            cast("GameClient", self.desk), attending(rules, events, seat, bots=bots), lambda count: bytes(count)
        )
        self.attendance.on_change = self._changed_soon
        self.table = TableScreen(self.attendance, faces, trick_pause=trick_pause, alone=alone)
        self.left: list[str | None] = []

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return suit_colours(self.current_theme.dark if self.theme in self.available_themes else True)

    async def on_mount(self) -> None:
        await self.push_screen(self.table, self.left.append)

    def _changed_soon(self) -> None:
        self.call_later(self._changed)

    def _changed(self) -> None:
        for screen in self.screen_stack:
            follow = getattr(screen, "table_changed", None)
            if follow is not None:
                follow()

    def on_table_changed(self, message: TableChanged) -> None:
        self._changed()

    @property
    def picture(self) -> str:
        """What stands on the screen, from every region of rows, each at its place, without spaces at the ends."""
        width, height = self.size
        canvas = [[" "] * width for _ in range(height)]
        for region in self.screen.query(Lines):
            place = region.region
            if not region.display or not place.area or any(not above.display for above in region.ancestors_with_self):
                continue
            for row, text in enumerate(region.text.split("\n")[: place.height]):
                for column, char in enumerate(text[: place.width]):
                    if place.y + row < height and place.x + column < width:
                        canvas[place.y + row][place.x + column] = char
        return "\n".join("".join(row).rstrip() for row in canvas) + "\n"


async def at_size(pilot: Pilot[None], width: int, height: int) -> None:
    """Give the terminal a size and wait until everything has been laid out for it."""
    await pilot.resize_terminal(width, height)
    await pilot.pause()
