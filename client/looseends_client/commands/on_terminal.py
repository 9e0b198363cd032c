"""Running the user interface on this process's own terminal, so that the terminal is as it was however the run ends."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, cast

from looseends_client.commands.first_picture import look_for_garbage_again, look_for_garbage_soon

if TYPE_CHECKING:
    from textual.driver import Driver

    from looseends_client.personal_app import PersonalApp

TERMINATED = 143
"""Exit code after SIGTERM: 128 and its number."""


async def run_on_terminal(app: PersonalApp) -> int:
    """Run the app until it ends, or until the process is told to, and return the exit code."""
    if sys.platform != "win32":  # where Textual's own driver knows the console
        from looseends_client.local_driver import LocalDriver

        app.driver_class = cast("type[Driver]", partial(LocalDriver, modern=app.settings.abilities.modern))
    looks_again = look_for_garbage_soon()
    try:
        with _ended_by_sigterm(app):
            await app.run_async(mouse=app.mouse_is_on)
    finally:
        looks_again.cancel()
        look_for_garbage_again()
    return app.return_code or 0


@contextlib.contextmanager
def _ended_by_sigterm(app: PersonalApp) -> Iterator[None]:
    loop = asyncio.get_running_loop()
    try:
        # Left to itself, SIGTERM would leave the shell without a cursor, and with the mouse typing into it.
        loop.add_signal_handler(signal.SIGTERM, lambda: app.exit(return_code=TERMINATED))
    except NotImplementedError:  # Windows, which has no such signal
        yield
        return
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGTERM)
