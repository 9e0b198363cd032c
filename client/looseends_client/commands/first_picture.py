"""Getting to the first picture sooner: no garbage is looked for before it stands.

Starting the user interface makes some hundred thousand objects that stay. Going over them again and again while they
are made is a sixth of the time that it takes; measured with `looseends bench start`.
"""

from __future__ import annotations

import asyncio
import gc

QUIET_SECONDS = 2.0
"""How long after the user interface began garbage is looked for again: by then the first table stands."""


def look_for_garbage_later() -> None:
    """Leave garbage lying until `look_for_garbage_again`."""
    gc.disable()


def look_for_garbage_again() -> None:
    """Look for garbage from now on, and never again among what is there already."""
    gc.freeze()
    gc.enable()


def look_for_garbage_soon() -> asyncio.TimerHandle:
    """Look for garbage again once the running loop has had time to draw; cancel it where the loop ends before."""
    return asyncio.get_running_loop().call_later(QUIET_SECONDS, look_for_garbage_again)
