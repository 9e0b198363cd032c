"""`looseends config`: write a server's file of settings, check one, and show what is in force and where it is from.

What a setting may be is the server's; a running server is not asked.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from looseends_client.commands import CommandFailed
from looseends_client.commands.printing import print_error, print_line
from looseends_client.examples import examples_text

if TYPE_CHECKING:
    from looseends_server.config_sources import Settled

WRONG = 1
"""Exit code of `config check` where something is wrong."""

Assignments = Annotated[
    tuple[str, ...],
    Parameter(name="--set", negative=(), help="A key as SECTION.KEY=VALUE, as `serve` takes it; as often as you like."),
]

config = App(
    name="config",
    help="Write, check and show the settings of a server.",
    help_epilogue=examples_text(
        "looseends config init looseends.toml",
        "looseends config check looseends.toml",
        "looseends config show looseends.toml --set limits.tables=200",
    ),
)


@config.command
def init(file: Annotated[Path, Parameter(allow_leading_hyphen=True)] = Path("looseends.toml"), /) -> int:
    """Write a file in which every setting stands with its default and a sentence, all of it commented out.

    Parameters
    ----------
    file
        Where to; what is there already is never overwritten. `-` prints it instead.
    """
    from looseends_server.config_sources import default_file

    if str(file) == "-":
        sys.stdout.write(default_file())
        return 0
    try:
        with file.open("x", encoding="utf-8") as made:
            made.write(default_file())
    except FileExistsError:
        raise CommandFailed(
            f"{file} is there already and stays as it is: name another file, or take that one away first."
        ) from None
    print_line(f"Wrote {file}. Change what you like, then: looseends config check {file}")
    return 0


@config.command
def check(file: Path, /, *, assignments: Assignments = ()) -> int:
    """Say whether a server would start on a file: its keys, what they name, and whether they go together.

    Exit code 0: it would. 1: it would not, and the line says where and why.

    Parameters
    ----------
    file
        The TOML file.
    """
    from looseends_server.config import ConfigInvalid

    try:
        found = _settled(file, assignments)
        changed = sum(origin != "default" for origin in found.origins.values())
        _what_it_names(found)
    except ConfigInvalid as error:
        print_error(f"looseends: {error}")
        return WRONG
    print_line(f"{file} is right. It changes {changed} of {len(found.origins)} settings.")
    return 0


@config.command
def show(file: Path | None = None, /, *, assignments: Assignments = ()) -> int:
    """Print every setting that would be in force, as a TOML file, each with where it comes from.

    The environment counts: variables such as LOOSEENDS_LIMITS_TABLES win over the file, `--set` over both.

    Parameters
    ----------
    file
        The TOML file; without one, what `serve` does without `--config`.
    """
    from looseends_server.config import ConfigInvalid
    from looseends_server.config_sources import settings_in_force

    try:
        found = _settled(file, assignments)
    except ConfigInvalid as error:
        raise CommandFailed(str(error)) from error
    for line in settings_in_force(found).splitlines():
        print_line(line)
    return 0


def _settled(file: Path | None, assignments: tuple[str, ...]) -> Settled:
    from looseends_server.config_sources import settled

    return settled(file, os.environ, {}, assignments)


def _what_it_names(found: Settled) -> None:
    """Try the files that settings name. Raises ConfigInvalid."""
    from looseends_server.config import ConfigInvalid, read_password
    from looseends_server.tls import Certificate, CertificateUnusable

    server = found.config.server
    if server.password_file:
        try:
            read_password(Path(server.password_file))
        except ConfigInvalid as error:
            raise ConfigInvalid(f"{found.origins['server.password_file']}: {error}") from error
    if server.tls_cert:
        try:
            Certificate(Path(server.tls_cert), Path(server.tls_key))
        except CertificateUnusable as error:
            raise ConfigInvalid(f"{found.origins['server.tls_cert']}: TLS cannot be used: {error}") from error
