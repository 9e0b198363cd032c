"""When a prompt is written: once everything has been said that came together, and only where something new is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from looseends_client.game_client import Clock, Timer
from looseends_client.plain.asking import NOTHING, Asked
from looseends_client.plain.conversation import Conversation
from looseends_client.table_model import TableModel

CLOCK_WARNING_SECONDS = 10
"""So long before a turn runs out its player is told."""


class Prompter:
    """Writes the prompts of one conversation. `asks` says what is asked at this moment."""

    def __init__(self, talk: Conversation, asks: Callable[[], Asked]) -> None:
        self._talk = talk
        self._asks = asks
        self.asked = NOTHING
        """What was asked last."""
        self.busy = True
        """Whether something that was typed is being carried out: the prompt comes after it."""
        self._is_due = False

    def soon(self) -> None:
        """Ask when everything has been said that came together."""
        if not self._is_due:
            self._is_due = True
            asyncio.get_running_loop().call_soon(self.now)

    def now(self, *, after_typing: bool = False) -> None:
        """Ask what is new. Whoever has just typed at an open line is given the prompt again in any case."""
        self._is_due = False
        if self.busy:
            return
        asked, before = self._asks(), self.asked
        self.asked = asked
        anew = bool(asked.words) and asked.moment != before.moment
        if self._talk.interactive:
            interrupted = bool(asked.words) and not self._talk.prompt_is_open
            if after_typing or anew or interrupted:
                self._talk.prompt(f"{asked.words}:" if asked.words else ">")
        elif anew:
            self._talk.prompt(f"{asked.words}:")


class TurnWarning:
    """Tells a player that the time for their turn runs out, where enough of it is left to be worth a word."""

    def __init__(self, clock: Clock, say: Callable[[str], None]) -> None:
        self._clock = clock
        self._say = say
        self._timer: Timer | None = None

    def follow(self, model: TableModel | None) -> None:
        """Go by a table as it is now, or by none."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if model is None or not model.my_turn or model.turn_until is None:
            return
        left = model.turn_until - self._clock.time()
        if left > CLOCK_WARNING_SECONDS:
            words = f"{CLOCK_WARNING_SECONDS} seconds left for your turn."
            self._timer = self._clock.call_later(left - CLOCK_WARNING_SECONDS, lambda: self._say(words))
