"""The commands of `looseends`, one a module, and the one exception by which a command says that it cannot go on.

This is where the parts are put together: a command may import the server, nothing else in the client may. Each module
is imported only when its command runs, so what is heavy costs only those who use it. Nothing heavy may be imported
here.
"""

from __future__ import annotations

USAGE = 2
"""Exit code where the command was asked for something that it cannot do: a wrong option, a file that is not there."""


class CommandFailed(Exception):
    """What stopped a command, as one sentence for the person who typed it, with what to do now."""

    def __init__(self, sentence: str, exit_code: int = USAGE) -> None:
        super().__init__(sentence)
        self.exit_code = exit_code
