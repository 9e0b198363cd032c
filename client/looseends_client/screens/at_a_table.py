"""What every screen of a table offers besides the game: to talk, to see who is there, to read what happened."""

from __future__ import annotations

from typing import Generic, TypeVar

from looseends_client.attendance import Attendance
from looseends_client.cards_text import Faces
from looseends_client.drawing.scene import Scene
from looseends_client.game_client import NotConnected, RequestRefused
from looseends_client.screens.people_here import PeopleHere
from looseends_client.screens.talk import Talk
from looseends_client.screens.whole_log import WholeLog
from looseends_client.settings import DEFAULT_BOTS, DEFAULT_PHRASES, Settings
from looseends_client.widgets.looks import LooksScreen

R = TypeVar("R")


class AtATable(LooksScreen[R], Generic[R]):
    """A screen of a table. A subclass says where an answer is shown."""

    attendance: Attendance

    @property
    def table_faces(self) -> Faces:
        """With which signs this screen draws."""
        raise NotImplementedError

    def show_answer(self, text: str) -> None:
        """Show a sentence about what was just asked for."""
        raise NotImplementedError

    def table_changed(self) -> None:
        """Bring the screen up to date with its table."""
        raise NotImplementedError

    @property
    def _phrases(self) -> tuple[str, ...]:
        own = getattr(self.app, "own", None)
        return own.phrases if isinstance(own, Settings) else DEFAULT_PHRASES

    @property
    def usual_bots(self) -> tuple[str, ...]:
        """The levels of the bots that this person plays against."""
        own = getattr(self.app, "own", None)
        return own.bots if isinstance(own, Settings) else DEFAULT_BOTS

    def action_talk(self) -> None:
        """Ask for a line, or a phrase, and say it to the table."""

        def said(line: str | None) -> None:
            if line:
                self.run_worker(self._say(line))

        self.app.push_screen(Talk(self._phrases), said)

    async def _say(self, line: str) -> None:
        try:
            await self.attendance.say(line)
        except (RequestRefused, NotConnected) as error:
            self.show_answer(str(error))

    def action_people(self) -> None:
        """Show who is here."""
        self.app.push_screen(PeopleHere(self.attendance, self.table_faces))

    def action_log(self) -> None:
        """Show all that happened."""
        self.app.push_screen(WholeLog(Scene(self.attendance.model, self.table_faces)))
