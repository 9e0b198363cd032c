"""The manual of the commands: one page, from which the site and the man page are made, and completions for shells.

All of it comes from the command line itself; what a command does and how its options read lives in the command.
"""

from __future__ import annotations

from typing import Literal

from looseends_client.main import command_line

Shell = Literal["bash", "zsh", "fish"]

EXIT_CODES = (
    (0, "done"),
    (1, "the answer is no: a record is wrong, a server refused, a port is in use"),
    (2, "the command was asked for something that it cannot do: a wrong option, a file that is not there"),
    (70, "a fault of the program itself; `--debug` shows where"),
    (130, "ended by Ctrl-C"),
    (141, "nobody reads the output any more"),
)
"""What the exit code of every command means."""


def commands_as_markdown() -> str:
    """Return the page of all commands, in Markdown."""
    pages = command_line(None).generate_docs(output_format="markdown", recursive=True)
    title, _, rest = pages.partition("\n## Table of Contents\n")
    commands = rest[rest.index("**Commands**") :]
    codes = "\n".join(f"* `{code}`: {meaning}" for code, meaning in EXIT_CODES)
    return f"{title.strip()}\n\n{commands.strip()}\n\n## Exit codes\n\n{codes}\n"


def completion(shell: Shell) -> str:
    """Return the script that completes the words of the command line in a shell."""
    return command_line(None).generate_completion(prog_name="looseends", shell=shell)
