"""Somebody at a keyboard: plays a game from what stands on the screen and nothing else."""

from __future__ import annotations

import re
import select
from collections.abc import Callable
from typing import Protocol

from tests.e2e.terminal import SECONDS, Terminal

FINAL = "Final score"
READY = ("Enter: ready", "Enter: next round")
"""What a score sheet asks between two rounds: among people, and alone."""
FRAME_SECONDS = 0.02
"""A screen is drawn in pieces, which follow each other faster than this."""
PASSES = "p pass"
"""What stands in the last row where one may pass."""
_MY_TURN = re.compile(r"Enter (bid|play|cover)\b")


def cards_in_hand(text: str) -> tuple[str, ...]:
    """Return the cards of the hand as they stand on the screen, wherever each is raised or not.

    Not those of the line above, which tells of the chosen one and of what it would cover.
    """
    rows = text.splitlines()[-4:-1]
    return tuple(sorted(re.findall(r"[BRGYX][♦♥♣♠]?\d*\b", " ".join(rows))))


class Watched(Protocol):
    """A screen to read and a keyboard to type on."""

    @property
    def text(self) -> str:
        """What stands on the screen."""
        ...

    def press(self, *keys: str) -> None:
        """Type keys."""

    def settled(self, seconds: float = ..., /) -> None:
        """Return when nothing more is drawn for so many seconds."""

    def changed(self) -> None:
        """Return as soon as the screen differs from what it shows now."""


class KeyboardPlayer:
    """Bids `bids` cards a round, plays the first card that the arrows come to, and is ready after each round."""

    def __init__(self, terminal: Watched, *, bids: int = 2) -> None:
        self.terminal = terminal
        self._bids = bids
        self._acted_on: tuple[object, ...] = ()

    def act(self) -> bool:
        """Press what the screen asks for; False where it asks nothing of this player at the moment."""
        text = self.terminal.text
        rows = text.rstrip().splitlines()
        if not rows or FINAL in text:
            return False
        turn = _MY_TURN.search(rows[-1])
        only_passes = turn is None and PASSES in rows[-1]
        round_over = any(ready in rows[-1] for ready in READY)
        # What counts is whether something else is asked than was answered: more may have been drawn since.
        asked = (rows[0], turn and turn[1], only_passes, cards_in_hand(text), "must bid" in text, round_over)
        if asked == self._acted_on:
            return False
        if round_over:
            keys = ["Enter"]
        elif only_passes:  # whoever acted on half a picture may have bid the most there is
            keys = ["p"]
        elif turn is None:
            return False
        elif turn[1] == "cover":
            keys = ["Enter"]
        elif turn[1] == "bid" and "must bid" not in text and self._has_bid_enough(text):
            keys = ["p"]
        else:
            keys = ["Right", "Enter"]
        self._acted_on = asked
        self.terminal.press(*keys)
        return True

    def _has_bid_enough(self, text: str) -> bool:
        asked = re.search(r"Bid a card \((\d+) of", text)
        return "the most" in text or (asked is not None and int(asked[1]) > self._bids)

    def play_until(self, fact: Callable[[str], object]) -> str:
        """Play on until a fact holds of the screen, and return it.

        Where nothing comes of a key for as long as a person would wait, it is pressed once more.
        """
        pressed_again = False
        while True:
            self.terminal.settled(FRAME_SECONDS)
            if fact(self.terminal.text):
                return self.terminal.text
            if self.act():
                continue
            try:
                self.terminal.changed()
            except AssertionError:
                if pressed_again:
                    raise
                pressed_again, self._acted_on = True, ()


def play_together(players: list[KeyboardPlayer], fact: Callable[[str], object]) -> None:
    """Let all of them play until a fact holds of every screen."""
    terminals = [player.terminal for player in players if isinstance(player.terminal, Terminal)]
    while not all(fact(terminal.text) for terminal in terminals):
        acted = [player.act() for player in players]
        if any(acted):
            continue
        drawn, _, _ = select.select(terminals, [], [], SECONDS)
        if not drawn:
            raise AssertionError("nobody is asked anything:\n" + "\n\n".join(each.text for each in terminals))
        for terminal in drawn:
            terminal.settled(FRAME_SECONDS)
