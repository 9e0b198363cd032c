"""A finished game that several people look at together, each on a screen of their own: one leads, the others follow.

Whoever follows may look elsewhere by the same keys, and come back. What was said stands over the table.
"""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType

from looseends_client.attendance import Attendance
from looseends_client.cards_text import Faces
from looseends_client.drawing.replay import STRIP_ROWS
from looseends_client.drawing.rows import Row
from looseends_client.drawing.shared_replay import ROWS, shared_rows
from looseends_client.game_client import NotConnected, RequestRefused
from looseends_client.history.replay import Replay
from looseends_client.screens.at_a_table import AtATable
from looseends_client.screens.page import Question
from looseends_client.screens.replay import ReplayScreen
from looseends_client.widgets.replay_table import ReplayStrip


class SharedStrip(ReplayStrip):
    """Which moment this is, who leads, and what was said last."""

    DEFAULT_CSS = f"SharedStrip {{ dock: top; height: {STRIP_ROWS + ROWS}; }}"

    def __init__(self, screen: SharedReplay) -> None:
        super().__init__(screen.scene)
        self._screen = screen

    def rows(self, width: int, height: int) -> list[Row]:
        """Return the strip of the replay, and that of the company under it."""
        screen = self._screen
        company = shared_rows(screen.attendance.model, screen.scene.faces, width, astray=screen.astray)
        return [*super().rows(width, STRIP_ROWS), *company]


class SharedReplay(ReplayScreen, AtATable[None]):
    """The replay of everybody at a table. Dismissed when the reader leaves it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c", "come_back", "go back to who leads, and follow again", show=False),
        Binding("t", "talk", "say something to everybody here", show=False),
        Binding("h", "people", "who is here; mute somebody", show=False),
    ]
    rows_above = STRIP_ROWS + ROWS

    def __init__(self, replay: Replay, faces: Faces, attendance: Attendance, *, at: int) -> None:
        self.attendance = attendance
        self.astray = False
        """Whether the reader looks elsewhere than who leads."""
        self._told = attendance.model.looking_at
        self._tells = False
        super().__init__(replay, faces, at=at)

    def strip(self) -> ReplayStrip:
        """Return what stands over the table."""
        return SharedStrip(self)

    @property
    def table_faces(self) -> Faces:
        """With which signs this screen draws."""
        return self.scene.faces

    def on_mount(self) -> None:
        """Lead everybody to where one begins."""
        if self.leads:
            self.run_worker(self._lead())

    # ── leading and following ───────────────────────────────────────────────────────────────────────────────────

    @property
    def leads(self) -> bool:
        """Whether the others follow the reader."""
        return self.attendance.model.leads

    @property
    def led_to(self) -> int:
        """The moment that is led to."""
        number = self.attendance.model.looking_at
        return len(self.replay.stops) - 1 if number is None else self.replay.at_number(number)

    def go_to(self, at: int) -> None:
        """Show another moment: everybody's where the reader leads, one's own otherwise."""
        super().go_to(at)
        self._moved()

    def _moved(self) -> None:
        if not self.leads:
            self.astray = self.at != self.led_to
        elif not self._tells and self.is_mounted:
            self.run_worker(self._lead())
        if self.is_mounted:
            self._strip.redraw()

    async def _lead(self) -> None:
        """Tell where the reader looks, and once more where that has changed meanwhile: never faster than is heard."""
        self._tells = True
        try:
            while (number := self.stop.number) != self._told:
                await self.attendance.look_at(number)
                self._told = number
        except (RequestRefused, NotConnected) as error:
            self.show_answer(str(error))
        finally:
            self._tells = False

    def table_changed(self) -> None:
        """Follow who leads, unless the reader looks elsewhere, and show what was said."""
        if not self.is_mounted:
            return
        if not self.leads and not self.astray:
            super().go_to(self.led_to)
        elif self.at == self.led_to:
            self.astray = False
        self._strip.redraw()

    # ── keys ────────────────────────────────────────────────────────────────────────────────────────────────────

    def keys_here(self) -> list[tuple[str, str]]:
        """Return the keys that are shown."""
        come_back = [] if self.leads else [("c", "back to who leads")]
        return [*come_back, ("t", "talk"), *super().keys_here()]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Say that who leads has nobody to go back to."""
        if action == "come_back" and self.leads:
            return False
        return super().check_action(action, parameters)

    def action_come_back(self) -> None:
        """Go back to who leads."""
        self.astray = False
        super().go_to(self.led_to)
        self._strip.redraw()

    def action_leave(self) -> None:
        """Leave; who leads is asked first where others are here, because it ends for them too."""
        if not self.leads or len(self.attendance.model.watching) <= 1:
            self.dismiss(None)
            return

        def answered(yes: bool | None) -> None:
            if yes:
                self.dismiss(None)

        self.app.push_screen(Question("Leave? It ends for everybody here, because you lead.", "leave"), answered)
