"""Running the line mode on this process's own input and output, so that it ends cleanly however it is ended."""

from __future__ import annotations

import asyncio
import signal
from typing import TYPE_CHECKING

from looseends_client.commands.on_terminal import TERMINATED

if TYPE_CHECKING:
    from looseends_client.plain.line_mode import LineMode


async def run_on_lines(mode: LineMode) -> int:
    """Run the line mode until it ends, or until the process is told to, and return the exit code.

    Raises OSError where nobody reads the output any more.
    """
    loop = asyncio.get_running_loop()
    told: list[int] = []

    def terminated() -> None:
        told.append(signal.SIGTERM)
        mode.end()

    try:
        loop.add_signal_handler(signal.SIGTERM, terminated)
    except NotImplementedError:  # Windows, which has no such signal
        return await mode.run()
    try:
        code = await mode.run()
    finally:
        loop.remove_signal_handler(signal.SIGTERM)
    return TERMINATED if told else code
