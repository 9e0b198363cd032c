"""What `looseends doctor` looks at, and what it says of each: whether this machine and terminal can play and host.

Each check returns findings and changes nothing. Nothing secret is looked at; paths are shown from the home folder on.
How findings are printed is the command's.
"""

from __future__ import annotations

import contextlib
import os
import platform
import shutil
import socket
import ssl
import stat
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Literal

import msgspec

from looseends_client.main import DISTRIBUTION
from looseends_client.terminal_abilities import Depth, abilities_of
from looseends_protocol.limits import DEFAULT_PORT, PROTOCOL_MAJOR, PROTOCOL_MINOR

Verdict = Literal["ok", "note", "wrong"]

LIBRARIES = ("textual", "rich", "msgspec", "msgpack", "cyclopts", "platformdirs", "structlog", "argon2-cffi", "uvloop")
NEEDED_NOWHERE = ("uvloop",)
"""Libraries that the program goes without where they do not exist."""
SMALLEST = (40, 16)
"""Columns and rows below which a table is not drawn."""
DESIGNED_FOR = (80, 24)
WRITTEN = 1_780_000_000
"""A time in seconds since 1970, in 2026, before which no clock can be right: this was written later."""
FREE_BYTES = 100 * 2**20
"""What a folder should have left: a busy server writes a few megabytes a day."""


COLOURS: dict[Depth, str] = {
    "true": "true colour",
    "256": "256",
    "16": "16",
    "mono": "none; what is chosen, and whose turn it is, has a shape too",
}


class Finding(msgspec.Struct, frozen=True):
    """One thing that was looked at: what was found, whether it is right, and what to do where it is not."""

    topic: str
    verdict: Verdict
    found: str
    remedy: str = ""


_SIGNS = {"ok": "ok   ", "note": "note ", "wrong": "WRONG"}


def lines_of(findings: Sequence[Finding]) -> list[str]:
    """Return findings as lines of text."""
    width = max((len(finding.topic) for finding in findings), default=0)
    lines: list[str] = []
    for finding in findings:
        lines.append(f"{_SIGNS[finding.verdict]}  {finding.topic:<{width}}  {finding.found}")
        if finding.remedy:
            lines.append(f"       {'':<{width}}  -> {finding.remedy}")
    return lines


def findings(
    environ: Mapping[str, str],
    now: float,
    size: tuple[int, int] | None,
    encoding: str,
    widths: Mapping[str, int | None] | None = None,
) -> list[Finding]:
    """Return all that can be found, in order; `now` is in seconds since 1970, `widths` what a terminal that was asked
    said of its glyphs, None where none was."""
    return [
        *program(),
        *terminal(environ, size, encoding),
        *(glyphs(widths) if widths is not None else ()),
        *encryption(),
        *clock(now),
        *ports(usual_ports()),
        *folders(),
        *settings(environ),
    ]


def program() -> Iterator[Finding]:
    """What runs, and on what."""
    system = f"{platform.system()} {platform.release()} {platform.machine()}"
    yield Finding("program", "ok", f"No Loose Ends {version(DISTRIBUTION)}, protocol {PROTOCOL_MAJOR}.{PROTOCOL_MINOR}")
    yield Finding("python", "ok", f"{platform.python_implementation()} {platform.python_version()} on {system}")
    found, missing = [], []
    for name in LIBRARIES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            missing.append(name)
    yield Finding("libraries", "ok", ", ".join(found))
    needed = [name for name in missing if name not in NEEDED_NOWHERE]
    if needed:
        yield Finding("libraries", "wrong", f"missing: {', '.join(needed)}", "install the program anew")
    elif missing:
        yield Finding("libraries", "note", f"without {', '.join(missing)}: a server carries half as many moves")


def terminal(environ: Mapping[str, str], size: tuple[int, int] | None, encoding: str) -> Iterator[Finding]:
    """What can be drawn; `size` is columns and rows, None where there is no terminal."""
    term = environ.get("TERM", "")
    if size is None:
        yield Finding("terminal", "note", "none: the output goes to a file or a pipe", "run it in a terminal to look")
        return
    columns, rows = size
    shown = f"{columns}x{rows}, TERM={term or '(not set)'}"
    for variable in ("COLORTERM", "TERM_PROGRAM", "NO_COLOR"):
        if environ.get(variable):
            shown += f", {variable}={environ[variable]}"
    for variable, words in (("TMUX", "inside tmux"), ("STY", "inside screen"), ("SSH_CONNECTION", "over SSH")):
        if environ.get(variable):
            shown += f", {words}"
    if term in ("", "dumb"):
        yield Finding("terminal", "wrong", shown, "it cannot place a cursor: play with --plain")
    elif columns < SMALLEST[0] or rows < SMALLEST[1]:
        yield Finding("terminal", "wrong", shown, f"make the window at least {SMALLEST[0]}x{SMALLEST[1]}")
    elif columns < DESIGNED_FOR[0] or rows < DESIGNED_FOR[1]:
        yield Finding("terminal", "note", shown, f"{DESIGNED_FOR[0]}x{DESIGNED_FOR[1]} shows more")
    else:
        yield Finding("terminal", "ok", shown)
    abilities = abilities_of(environ, encoding=encoding)
    yield Finding("colours", "ok", COLOURS[abilities.colours])
    if abilities.unicode:
        yield Finding("locale", "ok", f"{encoding}, {_locale(environ)}")
    else:
        yield Finding(
            "locale",
            "note",
            f"{encoding}, {_locale(environ)}: letters stand in for suits",
            "set LANG to a UTF-8 locale",
        )


def glyphs(widths: Mapping[str, int | None]) -> Iterator[Finding]:
    """How many columns the terminal gives each glyph, as it said itself; None where it did not say."""
    silent = [glyph for glyph, width in widths.items() if width is None]
    wide = [glyph for glyph, width in widths.items() if width not in (None, 1)]
    if wide:
        yield Finding(
            "glyphs",
            "wrong",
            f"{' '.join(wide)} take more than one column here",
            "play with --ascii, or let the terminal draw ambiguous characters narrow",
        )
    elif silent:
        yield Finding("glyphs", "note", "the terminal does not say how wide it draws", "if rows are torn, use --ascii")
    else:
        yield Finding("glyphs", "ok", f"{' '.join(widths)} take one column each")


def encryption() -> Iterator[Finding]:
    """Whether TLS can be spoken."""
    if ssl.HAS_TLSv1_2 or ssl.HAS_TLSv1_3:
        authorities = ssl.create_default_context().cert_store_stats()["x509_ca"]
        yield Finding("tls", "ok", f"{ssl.OPENSSL_VERSION}, {authorities} authorities")
        if not authorities and not ssl.get_default_verify_paths().capath:
            yield Finding("tls", "note", "no certificates of authorities", "install the package ca-certificates")
    else:
        yield Finding("tls", "wrong", f"{ssl.OPENSSL_VERSION} speaks nothing newer than TLS 1.1", "update OpenSSL")


def clock(now: float) -> Iterator[Finding]:
    """Whether the time, in seconds since 1970, can be true."""
    from datetime import UTC, datetime

    shown = datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    if now < WRITTEN:
        yield Finding("clock", "wrong", shown, "set the clock: certificates are checked against it")
    else:
        yield Finding("clock", "ok", shown)


def ports(numbers: Mapping[str, int]) -> Iterator[Finding]:
    """Whether a server could listen on each port of this machine."""
    for what, number in numbers.items():
        with socket.socket() as trying:
            if sys.platform != "win32":
                trying.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                trying.bind(("127.0.0.1", number))
            except OSError as error:
                yield Finding(
                    f"port {number}",
                    "note",
                    f"not free for {what}: {error.strerror}",
                    "a server of yours may be using it; another one needs --port",
                )
            else:
                yield Finding(f"port {number}", "ok", f"free for {what}")


def folder(what: str, path: Path, home: Path) -> Iterator[Finding]:
    """Whether a folder is there, or can be made, is this user's alone and has room."""
    shown = f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)
    topic = f"{what} folder"
    there = next(parent for parent in (path, *path.parents) if parent.exists())
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        yield Finding(topic, "wrong", f"{shown} cannot be written", "let your user own it, or free its place")
        return
    free = shutil.disk_usage(there).free
    if free < FREE_BYTES:
        yield Finding(topic, "wrong", f"{shown}: {free // 2**20} MiB left on the disk", "make room")
    elif there != path:
        yield Finding(topic, "ok", f"{shown}: not there yet, can be made")
    elif sys.platform != "win32" and what == "token" and stat.S_IMODE(path.stat().st_mode) & 0o077:
        yield Finding(topic, "wrong", f"{shown}: others on this machine can look into it", f"chmod 700 {shown}")
    else:
        with contextlib.suppress(OSError), tempfile.TemporaryFile(dir=path):
            yield Finding(topic, "ok", f"{shown}: can be written, {free // 2**20:,} MiB left")
            return
        yield Finding(topic, "wrong", f"{shown}: nothing can be written into it", "is the disk full or read-only?")


def folders() -> Iterator[Finding]:
    """The folders that the program keeps things in, of this user."""
    from platformdirs import user_config_path, user_data_path

    from looseends_client.token_store import default_token_folder

    home = Path.home()
    yield from folder("settings", user_config_path("looseends", appauthor=False), home)
    yield from folder("games", user_data_path("looseends", appauthor=False), home)
    yield from folder("token", default_token_folder(), home)


def settings(environ: Mapping[str, str]) -> Iterator[Finding]:
    """Whether this user's settings can be read as they are written."""
    from looseends_client.settings_file import fault_at, fault_words, find_settings
    from looseends_client.table_keys import keys_in_force

    found = find_settings(environment=environ)
    _, refused = keys_in_force(found.settings.keys)
    faults = [*found.faults, *(fault_at(found.file, key.name, key.sentence, under="keys") for key in refused)]
    for fault in faults:
        yield Finding("settings", "wrong", fault_words(found.file, fault), "until then the default holds")
    if not faults:
        yield Finding("settings", "ok", "as they are written" if found.file.exists() else "none written: all defaults")


def usual_ports() -> dict[str, int]:
    """Return the ports that a server listens on unless told otherwise, by what for."""
    return {"a server": DEFAULT_PORT}


def _locale(environ: Mapping[str, str]) -> str:
    for variable in ("LC_ALL", "LC_CTYPE", "LANG"):
        if environ.get(variable):
            return f"{variable}={environ[variable]}"
    return "no locale set"
