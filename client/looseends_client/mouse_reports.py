"""Asking a terminal for reports of the mouse, and asking no more, so that its own selection of text works again."""

from __future__ import annotations

from textual.driver import Driver

MOUSE_ON = "\x1b[?1000h\x1b[?1002h\x1b[?1006h"
"""Clicks, movements while a button is held, in the form that knows no right edge. Movements alone are not asked for:
nothing here changes under a pointer, and over a slow line they are most of what is sent."""
MOUSE_OFF = "\x1b[?1006l\x1b[?1003l\x1b[?1002l\x1b[?1000l"


def switch_mouse(driver: Driver, on: bool) -> None:
    """Switch the mouse on or off while the program runs; the driver leaves the terminal as it found it either way."""
    driver._mouse = on  # pyright: ignore[reportPrivateUsage]  # what it will undo at the end
    driver.write(MOUSE_ON if on else MOUSE_OFF)
    driver.flush()
