"""`looseends learn`: the lessons, and on to a game against bots for whoever wants one."""

from __future__ import annotations

import asyncio

from looseends_client.commands import CommandFailed
from looseends_client.commands.play import DEFAULT_PACE, own_name, run_alone
from looseends_client.commands.terminal_options import (
    NO_OPTIONS,
    TerminalOptions,
    found_settings,
    set_up_terminal,
)
from looseends_client.terminal import has_terminal

FIRST_BOTS = ("rookie", "steady", "rookie")
"""Whom somebody plays against who has just learnt the game."""


def learn(*, lesson: int = 1, pace: int = DEFAULT_PACE, terminal: TerminalOptions = NO_OPTIONS) -> int:
    """Learn the game by playing it: three short lessons at a real table, three minutes in all.

    You can leave a lesson at any time with q, begin it again, or go to another. The lessons are in the menu of
    `looseends play` too.

    Parameters
    ----------
    lesson
        The lesson to begin with: 1 is to bid, follow suit and cover, 2 to snitch, 3 to commit a Perfect Crime.
    pace
        Milliseconds that the others wait before they act, so that you can follow: 0 to 5000.
    """
    from looseends_client.tutorial.lessons import LESSONS

    found = found_settings(terminal)
    if not 1 <= lesson <= len(LESSONS):
        raise CommandFailed(f"--lesson must be a number from 1 to {len(LESSONS)}, not {lesson}.")
    if not 0 <= pace <= 5000:
        raise CommandFailed(f"--pace must be a whole number from 0 to 5000 milliseconds, not {pace}.")
    settings = set_up_terminal("looseends learn", found, is_terminal=has_terminal())
    # Imported from here on: the user interface, which the checks above must not wait for.
    from looseends_client.visits import PRACTICE, TableWish
    from looseends_core.rules import rule_set
    from looseends_protocol.messages import TableOptions

    options = TableOptions(title=PRACTICE, private=True, bots=pace)
    wish = TableWish(rule_set(len(FIRST_BOTS) + 1), options, FIRST_BOTS)
    return asyncio.run(run_alone(wish, found.settings.name or own_name(), settings, lesson=lesson))
