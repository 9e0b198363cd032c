"""One table screen in an app of its own, at a moment that stands still: for what is drawn, not for what is done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from textual.app import App
from textual.pilot import Pilot

from looseends_client.app import LooseEndsApp
from looseends_client.attendance import Attendance
from looseends_client.cards_text import UNICODE_FACES, Faces
from looseends_client.game_client import GameClient
from looseends_client.screens.table import TableScreen
from looseends_client.themes import DARK, OUR_THEMES, suit_colours
from looseends_client.widgets.lines import Lines
from looseends_core.events import Event
from looseends_core.rules import RuleSet
from tests.client.games import attending


class NoClient:
    """Stands where a client would: a table that stands still needs the time alone."""

    welcome = None

    class clock:  # noqa: N801  # an attribute of a client
        @staticmethod
        def time() -> float:
            return 1000.0


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
        alone: bool = True,
    ) -> None:
        super().__init__()
        for theme in OUR_THEMES:
            self.register_theme(theme)
        self.theme = DARK
        self.attendance = Attendance(
            cast("GameClient", NoClient()), attending(rules, events, seat, bots=bots), lambda count: bytes(count)
        )
        self.table = TableScreen(self.attendance, faces, trick_pause=0, alone=alone)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return suit_colours(self.current_theme.dark if self.theme in self.available_themes else True)

    async def on_mount(self) -> None:
        await self.push_screen(self.table)

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
