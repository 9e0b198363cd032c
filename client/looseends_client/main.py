"""The command `looseends`: which commands there are, and what every one of them does on the way out.

A command's own work lives in its module under `commands/`, which is imported only when the command runs: `--help`,
`verify` and `simulate` never wait for a user interface or a server to load. Nothing heavy may be imported here.
"""

from __future__ import annotations

import contextlib
import gc
import os
import sys
import traceback
from collections.abc import Sequence
from typing import NamedTuple

from cyclopts import App, CycloptsError

from looseends_client.commands import USAGE, CommandFailed
from looseends_client.commands.printing import print_error
from looseends_client.examples import IN_GENERAL, OF, epilogue

DISTRIBUTION = "no-loose-ends"
DEBUG = "--debug"
"""Wherever it stands, an error is shown with its traceback."""

INTERRUPTED = 130
"""Exit code after Ctrl-C: 128 and the number of SIGINT."""
PIPE_CLOSED = 141
"""Exit code where nobody reads the output any more: 128 and the number of SIGPIPE."""
BROKEN = 70
"""Exit code of a fault of the program itself (EX_SOFTWARE of sysexits.h)."""


class Command(NamedTuple):
    """A command: its name, where its function is, and its line in `looseends --help`."""

    name: str
    function: str
    line: str


# A command is added here and nowhere else.
COMMANDS = (
    Command(
        "play",
        "looseends_client.commands.play:play",
        "Play a game against bots.",
    ),
    Command(
        "learn",
        "looseends_client.commands.learn:learn",
        "Learn the game at a real table, in three minutes.",
    ),
    Command(
        "join",
        "looseends_client.commands.join:join",
        "Join a server: its lobby, or a table of it.",
    ),
    Command(
        "serve",
        "looseends_client.commands.serve:serve",
        "Run a server that others join.",
    ),
    Command(
        "config",
        "looseends_client.commands.config:config",
        "Write, check and show the settings of a server.",
    ),
    Command(
        "identity",
        "looseends_client.commands.identity:identity",
        "Take your name on a server to another machine, or tie an SSH key to it.",
    ),
    Command(
        "ssh-door",
        "looseends_client.commands.ssh_door:ssh_door",
        "Let people in over SSH to a server that runs elsewhere.",
    ),
    Command(
        "admin",
        "looseends_client.commands.admin:admin",
        "Look after a running server: who is there, who is kept out, a word to all.",
    ),
    Command(
        "backup",
        "looseends_client.commands.backup:backup",
        "Copy a server's games, identities and bans into one file.",
    ),
    Command(
        "restore",
        "looseends_client.commands.restore:restore",
        "Put a backup in the place of a server's state.",
    ),
    Command(
        "games",
        "looseends_client.commands.games:games",
        "List, show, export and import the games that you finished alone.",
    ),
    Command(
        "replay",
        "looseends_client.commands.replay:replay",
        "Go through a finished game on the table, by key.",
    ),
    Command(
        "simulate",
        "looseends_client.commands.simulate:simulate",
        "Let bots play against each other at full speed and compare them.",
    ),
    Command(
        "arena",
        "looseends_client.commands.arena:arena",
        "Let bots meet over the same deals in every seat, and say who is better and how sure that is.",
    ),
    Command(
        "bot",
        "looseends_client.commands.bot:bot",
        "Sit down at a table of a server and let a bot or a program of yours play.",
    ),
    Command(
        "verify",
        "looseends_client.commands.verify:verify",
        "Replay game records and check every move, every number and every deal.",
    ),
    Command(
        "bench",
        "looseends_client.commands.bench:bench",
        "Measure on this machine what has to be fast.",
    ),
    Command(
        "doctor",
        "looseends_client.commands.doctor:doctor",
        "Say whether this machine and this terminal are fit to play and to host.",
    ),
    Command(
        "report",
        "looseends_client.commands.report:report",
        "Pack what a report of a fault needs into one file.",
    ),
    Command(
        "completion",
        "looseends_client.commands.completion:completion",
        "Print what lets a shell complete these words.",
    ),
)


def _version() -> str:
    from importlib.metadata import version

    return version(DISTRIBUTION)


def command_line(chosen: str | None) -> App:
    """Return the parser of the whole command line; `chosen` is the command that is about to run, if any.

    The chosen command explains itself by its own docstring. The others have their line from COMMANDS, so that listing
    them imports none of them.
    """
    app = App(
        name="looseends",
        help="No Loose Ends: a trick-taking card game for two to five players, in your terminal.",
        help_epilogue=epilogue(IN_GENERAL),
        version=_version,
        suppress_keyboard_interrupt=False,
    )
    for command in COMMANDS:
        line = None if command.name == chosen else command.line
        if command.name in OF:
            app.command(command.function, name=command.name, help=line, help_epilogue=epilogue(OF[command.name]))
        else:
            app.command(command.function, name=command.name, help=line)
    return app


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line (without the program's name; that of the process where None) and return the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    # Taken out before anything is parsed, so that it can stand anywhere and also shows what parsing trips over.
    debug = DEBUG in given
    given = [word for word in given if word != DEBUG]
    try:
        app = command_line(next((word for word in given if not word.startswith("-")), None))
        code = app(given, exit_on_error=False, print_error=False, result_action="return_value", verbose=False)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _let_go_of_output()
        return PIPE_CLOSED
    except Exception as error:
        if debug:
            traceback.print_exc()
        return _explained(error)
    finally:
        gc.enable()  # a command that draws leaves garbage lying until its first picture stands, and may never get there
    return code if isinstance(code, int) else 0


def _explained(error: Exception) -> int:
    """Print what went wrong and what to do now, in one line; return the exit code."""
    if isinstance(error, CommandFailed):
        print_error(f"looseends: {error}")
        return error.exit_code
    if isinstance(error, CycloptsError):
        command = " ".join(["looseends", *(error.command_chain or ())])
        print_error(f"looseends: {str(error).strip()} See `{command} --help`.")
        return USAGE
    if isinstance(error, OSError):
        place = f" ({error.filename})" if error.filename else ""
        print_error(f"looseends: {error.strerror or error}{place}. Put that right and run the command again.")
        return USAGE
    print_error(
        f"looseends: a fault of the program stopped it: {type(error).__name__}: {error}. "
        "Run the command again with --debug and report what it prints."
    )
    return BROKEN


def _let_go_of_output() -> None:
    """Point both output streams at nothing, so that what they still hold cannot fail a second time at exit."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, OSError, ValueError):
            os.dup2(nothing, stream.fileno())
    os.close(nothing)
