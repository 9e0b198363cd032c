"""The games that somebody began alone and has not finished, to go on with one of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from looseends_client.cards_text import Faces
from looseends_client.drawing.rows import Row, Span, cut_text, filled
from looseends_client.screens.page import Page
from looseends_client.table_words import code_text
from looseends_client.widgets.lines import Lines
from looseends_protocol.messages import SeatHeld
from looseends_protocol.people_text import visible

_PHASES = {"playing": "in a round", "between": "between two rounds", "frozen": "waits for the disk"}


class GameLines(Lines):
    """The games, one a line, the newest first."""

    DEFAULT_CSS = "GameLines { height: 1fr; }"

    def __init__(self, games: Sequence[SeatHeld], faces: Faces) -> None:
        super().__init__(id="games")
        self.games = games
        self.faces = faces
        self.chosen = 0

    def rows(self, width: int, height: int) -> list[Row]:
        """Return the games; where there are fewer rows, those around the chosen one, with how many more there are."""
        faces = self.faces
        room = height - 2
        if len(self.games) > room:
            room -= 1
        room = max(1, room)
        first = max(0, min(self.chosen - room // 2, len(self.games) - room))
        shown = self.games[first : first + room]
        rows: list[Row] = [[]]
        for number, game in enumerate(shown, first):
            chosen = number == self.chosen
            title = cut_text(visible(game.title), max(8, width - 50), faces)
            phase = f"{_PHASES.get(game.phase, game.phase)}{', your turn' if game.yours else ''}"
            rows.append(
                [
                    Span(f" {faces.turn if chosen else ' '} ", "turn"),
                    *filled([Span(title, "strong" if chosen else "")], max(8, width - 50) + 2, faces),
                    Span(f"{code_text(game.code)}  ", "dim"),
                    Span(phase, "dim"),
                ]
            )
        if len(self.games) > len(shown):
            rows.append([Span(f"   {faces.plus}{len(self.games) - len(shown)} more", "dim")])
        blank = filled([], width, faces)
        return [filled(row, width, faces) for row in rows[:height]] + [blank] * (height - len(rows))


class UnfinishedPage(Page[str | None]):
    """The list. Enter gives the code of the chosen game, q nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,tab", "choose(1)", "the next game", show=False),
        Binding("up,shift+tab", "choose(-1)", "the game before", show=False),
        Binding("enter", "take", "go on with it", show=False),
        Binding("q,escape", "close", "back", show=False),
    ]
    heading = "No Loose Ends    games that are not finished"
    keys = "↑↓ game   Enter go on with it   q back"

    def __init__(self, games: Sequence[SeatHeld], faces: Faces) -> None:
        super().__init__()
        self._games = GameLines(games, faces)

    def middle(self) -> ComposeResult:
        """Yield the games."""
        yield self._games

    def action_choose(self, step: int) -> None:
        """Choose another game."""
        self._games.chosen = (self._games.chosen + step) % len(self._games.games)
        self._games.redraw()

    def action_take(self) -> None:
        """Go on with the chosen game."""
        self.dismiss(self._games.games[self._games.chosen].code)

    def action_close(self) -> None:
        """Go back."""
        self.dismiss(None)
