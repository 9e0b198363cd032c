"""One table screen in an app of its own, at a moment that stands still: for what is drawn, not for what is done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from textual.app import App
from textual.filter import LineFilter
from textual.pilot import Pilot

from looseends_client.app import LooseEndsApp
from looseends_client.attendance import Attendance
from looseends_client.cards_text import ASCII_FACES, UNICODE_FACES, Faces
from looseends_client.game_client import GameClient
from looseends_client.screens.table import TableScreen
from looseends_client.themes import DARK, OUR_THEMES, suit_colours
from looseends_client.widgets.letters_alone import LettersAlone
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
        self._letters_alone = LettersAlone("ascii") if faces is ASCII_FACES else None
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

    def get_line_filters(self) -> Sequence[LineFilter]:
        filters = super().get_line_filters()
        return filters if self._letters_alone is None else [*filters, self._letters_alone]

    async def on_mount(self) -> None:
        await self.push_screen(self.table)

    @property
    def picture(self) -> str:
        """What stands on the screen, as it is painted, a line a row, without spaces at the ends."""
        strips = self.screen._compositor.render_strips()  # pyright: ignore[reportPrivateUsage]
        return "".join(f"{strip.text.rstrip()}\n" for strip in strips)


async def at_size(pilot: Pilot[None], width: int, height: int) -> None:
    """Give the terminal a size and wait until everything has been laid out for it."""
    await pilot.resize_terminal(width, height)
    await pilot.pause()
