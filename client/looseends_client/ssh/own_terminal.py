"""What a door forgets of the terminal that it was itself started on. To be called before Textual is imported.

Textual takes its settings from the environment of its process, and some of them once and for all apps: a door that was
started with TERM=dumb, or without colours, would draw so for everybody.
"""

from __future__ import annotations

from collections.abc import MutableMapping

OWN = ("COLORTERM", "COLUMNS", "FORCE_COLOR", "LINES", "NO_COLOR", "TERM", "TERM_PROGRAM", "TMUX", "STY")
PREFIXES = ("TEXTUAL", "CLICOLOR", "TTY_")
FOR_ALL = {"TEXTUAL_COLOR_SYSTEM": "truecolor", "TEXTUAL_ANIMATIONS": "none", "TERM": "xterm-256color"}
"""Every app draws in true colours; each line brings them down to what its terminal has."""


def forget_own_terminal(environ: MutableMapping[str, str]) -> None:
    """Take out of an environment what it says of a terminal, and put in what holds for every app of a door."""
    for name in [name for name in environ if name in OWN or name.startswith(PREFIXES)]:
        del environ[name]
    environ.update(FOR_ALL)
