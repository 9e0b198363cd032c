"""The app of a replay alone: a record from a file, and nobody else. It draws nothing itself."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual.binding import BindingType

from looseends_client.history.replay import Replay
from looseends_client.personal_app import PersonalApp
from looseends_client.screens.replay import ReplayScreen
from looseends_client.starting import AppSettings


class ReplayApp(PersonalApp):
    """Shows one replay, and ends with it."""

    CSS_PATH = Path(__file__).parent / "styles" / "looseends.tcss"
    TITLE = "No Loose Ends"
    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(self, replay: Replay, settings: AppSettings | None = None) -> None:
        super().__init__(settings)
        self._replay = replay

    async def on_mount(self) -> None:
        """Put up the replay."""
        await self.push_screen(ReplayScreen(self._replay, self.faces), lambda _: self.exit())

    def action_help_quit(self) -> None:
        """Ctrl-C: leave what is in front, as q would."""
        if isinstance(self.screen, ReplayScreen):
            self.exit()
        else:
            self.pop_screen()
