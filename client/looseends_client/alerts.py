"""Calling somebody who looks elsewhere: what for, and with which bytes. Nothing is sent here, and no clock is read.

What a terminal shows of it are words of ours alone: no name and no title of anybody gets into a sequence.
"""

from __future__ import annotations

from looseends_client.settings import Alerts, Occasion, Settings
from looseends_client.table_model import TableModel
from looseends_client.terminal_abilities import Notice

BELL = "\x07"
TITLE = "No Loose Ends"
WORDS: dict[Occasion, str] = {
    "turn": "It is your turn.",
    "full": "The table is full.",
    "start": "The game begins.",
}
AT_THE_KEYBOARD_SECONDS = 20.0
"""Whoever has pressed a key so lately is there, whatever the terminal tells of its focus."""


def alert_sequence(occasion: Occasion, kind: Alerts, notice: Notice) -> str:
    """Return what a terminal is sent: a bell, or a desktop notification the way this terminal reads one.

    A terminal that has none gets the bell. Empty where nobody wants to be called.
    """
    if kind == "none":
        return ""
    if kind == "bell" or notice == "none":
        return BELL
    if notice == "osc777":
        return f"\x1b]777;notify;{TITLE};{WORDS[occasion]}\x1b\\"
    return f"\x1b]9;{TITLE}: {WORDS[occasion]}\x1b\\"


class Presence:
    """Whether somebody looks at the window, from what the terminal tells and from what they do."""

    def __init__(self) -> None:
        self.focused: bool | None = None
        """What the terminal has told last of its focus, None where it has told nothing."""
        self._last_key = float("-inf")

    def typed(self, now: float) -> None:
        """Take notice of a key or a click, at a time in seconds of any beginning."""
        self._last_key = now

    def looks(self, now: float) -> bool:
        """Return whether somebody is there: by the focus where that is told, by the last key where it is not."""
        if self.focused is not None:
            return self.focused
        return now - self._last_key < AT_THE_KEYBOARD_SECONDS


class Occasions:
    """Finds, in one look after another at a table, what somebody may want to be called for; each of it once."""

    def __init__(self) -> None:
        self._table: TableModel | None = None
        self._full = False
        self._game = 0
        self._my_turn = False
        self._called_at: tuple[int, int] | None = None
        """Game and state of the last turn: a turn that is there again after a lost connection is the same one."""

    def look(self, model: TableModel) -> Occasion | None:
        """Return what has come about since the last look, the most important first; nothing at the first look."""
        first = self._table is not model
        self._table = model
        full = model.phase == "gathering" and all(seat.kind != "open" for seat in model.seats)
        filled_up, self._full = full and not self._full, full
        starts, self._game = model.game != self._game and model.phase != "over", model.game
        turn = (model.game, model.state.number) if model.my_turn else None
        comes, self._my_turn = turn is not None and not self._my_turn and turn != self._called_at, turn is not None
        self._called_at = turn or self._called_at
        if first or model.seat is None:
            return None
        return "start" if starts else "turn" if comes else "full" if filled_up else None


def wanted(occasion: Occasion | None, settings: Settings) -> bool:
    """Return whether a person wants to be called for this."""
    return occasion is not None and settings.alerts != "none" and occasion in settings.alerts_for
