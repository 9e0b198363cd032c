"""What the commands with a user interface share: the options that win over the settings, and a terminal to draw on."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from looseends_client.commands import CommandFailed
from looseends_client.commands.first_picture import look_for_garbage_later
from looseends_client.settings import Colours, ValueRefused
from looseends_client.settings_file import find_settings
from looseends_client.terminal import forget_size_variables, terminal_encoding
from looseends_client.terminal_abilities import abilities_of, refusal_of

if TYPE_CHECKING:
    from looseends_client.settings_file import Found
    from looseends_client.starting import AppSettings

_Flag = Parameter(negative=(), show_default=False)


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class TerminalOptions:
    """What holds for this run, whatever the settings say.

    Parameters
    ----------
    trick_pause
        Seconds that a finished trick lies so that you can read it, 0 to 60; any key ends it.
    theme
        The theme that everything is drawn in: looseends-dark, looseends-light, or one of those that the settings list.
    colours
        How many colours the terminal is sent; auto asks its environment, mono is none at all.
    ascii
        Draw with letters and plain strokes alone.
    no_mouse
        Ask for no reports of the mouse, so that the terminal's own selection of text works.
    """

    trick_pause: float | None = None
    theme: str | None = None
    colours: Colours | None = None
    ascii: Annotated[bool, _Flag] = False
    no_mouse: Annotated[bool, _Flag] = False

    def as_settings(self) -> dict[str, Any]:
        """Return what was given, by the settings' keys; None for what was not."""
        return {
            "trick_pause": self.trick_pause,
            "theme": self.theme,
            "colours": self.colours,
            "suits": "letters" if self.ascii else None,
            "mouse": False if self.no_mouse else None,
        }


NO_OPTIONS = TerminalOptions()


def found_settings(options: TerminalOptions) -> Found:
    """Return the settings that hold for this run. Raises CommandFailed of an option that cannot be."""
    try:
        return find_settings(options=options.as_settings())
    except ValueRefused as error:
        name, _, expected = str(error).partition(" ")
        raise CommandFailed(f"--{name.replace('_', '-')} {expected}.") from error


def set_up_terminal(command: str, found: Found, *, is_terminal: bool, instead: str = "") -> AppSettings:
    """Return with what the user interface begins on this process's terminal.

    Raises CommandFailed where nothing can be drawn on it, with what works instead of `command`: its own line mode, or
    that of the command `instead`.
    """
    refusal = refusal_of(os.environ, is_terminal=is_terminal, command=command, instead=instead)
    if refusal:
        raise CommandFailed(refusal)
    forget_size_variables()
    look_for_garbage_later()
    # Imported from here on: the user interface, which a refusal must not wait for.
    from looseends_client.starting import AppSettings

    encoding = terminal_encoding()
    return AppSettings(found.settings, found, abilities_of(os.environ, encoding=encoding), stream_encoding=encoding)
