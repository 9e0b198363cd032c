"""Who can enter a match: a level of bot, or a program of somebody else, written as `cmd:` and its command line."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from looseends_client.programs.player import DECISION_SECONDS, ProgramPlayer
from looseends_client.programs.program import words_of
from looseends_core.bots import LEVELS, Bot
from looseends_core.record import NAME_LIMIT

PROGRAM = "cmd:"
"""What an entrant that is a program begins with."""


class Entrant(msgspec.Struct, frozen=True):
    """A bot by the name under which it enters: `steady`, or `cmd:./mybot`."""

    name: str

    @property
    def is_program(self) -> bool:
        """Whether it is a program of somebody else. Its time is that which was waited for it, not its CPU."""
        return self.name.startswith(PROGRAM)

    @property
    def player_name(self) -> str:
        """Its name in a record."""
        return f"bot:{self.name}"[:NAME_LIMIT]

    def player(self, say: Callable[[str], None], seconds: float) -> Bot | ProgramPlayer:
        """Return a player for one seat. `say` hears of each fault; a program has so many seconds a decision."""
        if self.is_program:
            return ProgramPlayer(self.name.removeprefix(PROGRAM), say, seconds=seconds)
        return LEVELS[self.name].choose


def entrant_of(name: str) -> Entrant:
    """Return the entrant of a name. Raises ValueError, with a sentence, where there is none."""
    if name.startswith(PROGRAM):
        words_of(name.removeprefix(PROGRAM))
    elif name not in LEVELS:
        raise ValueError(f"{name!r} is no bot: expected {', '.join(LEVELS)}, or {PROGRAM} and a command")
    return Entrant(name)


__all__ = ["DECISION_SECONDS", "PROGRAM", "Entrant", "entrant_of"]
