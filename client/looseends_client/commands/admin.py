"""`looseends admin`: what the host of a running server asks it through the socket in its folder.

It speaks the words of `looseends_server.admin_requests` and prints what comes back; what they lead to is the server's.
"""

from __future__ import annotations

import json
import re
import socket
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, Parameter

from looseends_client.commands import CommandFailed
from looseends_client.commands.printing import print_line
from looseends_client.commands.server_folder import server_folder
from looseends_client.examples import examples_text

if TYPE_CHECKING:
    from looseends_server.admin_requests import AdminRequest

REFUSED = 1
"""Exit code where the server said no."""
ANSWER_SECONDS = 20.0
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}


Folder = Annotated[Path | None, Parameter(help="The server's folder, where it is not the usual one.")]
Json = Annotated[
    bool, Parameter(name="--json", negative=(), show_default=False, help="Print the server's answer as JSON.")
]

admin = App(
    name="admin",
    help="Look after a running server: who is there, who is kept out, a word to all.",
    help_epilogue=examples_text(
        "looseends admin status",
        "looseends admin tables --folder /var/lib/looseends",
        'looseends admin announce "The server restarts at ten."',
        "looseends admin kick ann",
        "looseends admin ban 203.0.113.7 --for 24h --reason spam",
        "looseends admin shutdown",
    ),
)


@admin.command
def status(*, folder: Folder = None, json: Json = False) -> int:
    """Say how the server is."""
    from looseends_server.admin_requests import Status

    return _ask(Status(), folder, json, _status_lines)


@admin.command
def tables(*, folder: Folder = None, json: Json = False) -> int:
    """List every table, private ones too."""
    from looseends_server.admin_requests import Tables

    return _ask(Tables(), folder, json, _table_lines)


@admin.command
def bans(*, folder: Folder = None, json: Json = False) -> int:
    """List who is kept out or muted, until when and why."""
    from looseends_server.admin_requests import Bans

    return _ask(Bans(), folder, json, _ban_lines)


@admin.command
def kick(name: str, /, *, folder: Folder = None, json: Json = False) -> int:
    """End a person's connection; they may come back.

    Parameters
    ----------
    name
        Who, in capitals or not.
    """
    from looseends_server.admin_requests import Kick

    return _ask(Kick(name), folder, json, lambda result: [f"{result['name']} was disconnected."])


@admin.command
def ban(
    who: str,
    /,
    *,
    for_: Annotated[str | None, Parameter(name="--for")] = None,
    reason: str = "",
    folder: Folder = None,
    json: Json = False,
) -> int:
    """Keep a person or an address out, and end their connections.

    Parameters
    ----------
    who
        A name, an IP address (of an IPv6 address its whole /64), or the SHA256:… of an SSH key.
    for_
        How long: a number and s, m, h, d or w, such as 7d. For ever unless said otherwise.
    reason
        A note for `looseends admin bans`; the person is not told.
    """
    from looseends_server.admin_requests import Ban

    seconds = None if for_ is None else _seconds(for_)
    return _ask(
        Ban(who, seconds, reason),
        folder,
        json,
        lambda result: [
            f"{result['who']} is banned {_until(result['until'])}. "
            f"{_counted(result['dropped'], 'connection was', 'connections were')} ended."
        ],
    )


@admin.command
def unban(who: str, /, *, folder: Folder = None, json: Json = False) -> int:
    """Let a person or an address in again.

    Parameters
    ----------
    who
        The name or address that was banned.
    """
    from looseends_server.admin_requests import Unban

    return _ask(Unban(who), folder, json, lambda result: [f"{result['who']} may come in again."])


@admin.command
def mute(name: str, /, *, folder: Folder = None, json: Json = False) -> int:
    """Let a person say nothing, at any table, until they are unmuted.

    Parameters
    ----------
    name
        Who, in capitals or not.
    """
    from looseends_server.admin_requests import Mute

    return _ask(Mute(name), folder, json, lambda result: [f"{result['name']} is muted."])


@admin.command
def unmute(name: str, /, *, folder: Folder = None, json: Json = False) -> int:
    """Let a person talk again.

    Parameters
    ----------
    name
        Who was muted.
    """
    from looseends_server.admin_requests import Unmute

    return _ask(Unmute(name), folder, json, lambda result: [f"{result['name']} may talk again."])


@admin.command
def announce(text: str, /, *, folder: Folder = None, json: Json = False) -> int:
    """Show a line to everybody who is connected.

    Parameters
    ----------
    text
        The line, in quotes; 300 characters at most.
    """
    from looseends_server.admin_requests import Announce

    return _ask(
        Announce(text),
        folder,
        json,
        lambda result: [f"{_counted(result['told'], 'person was', 'people were')} told: {result['text']}"],
    )


@admin.command
def close(code: str, /, *, folder: Folder = None, json: Json = False) -> int:
    """End a table and forget its game; its people are told. This cannot be undone.

    Parameters
    ----------
    code
        The table's code, as `looseends admin tables` shows it.
    """
    from looseends_server.admin_requests import CloseTable

    return _ask(
        CloseTable(code),
        folder,
        json,
        lambda result: [
            f"Table {result['code']} ({result['title']}) is closed. "
            f"{_counted(result['told'], 'person was', 'people were')} told."
        ],
    )


@admin.command
def rebuild(*, folder: Folder = None, json: Json = False) -> int:
    """Fold all finished games anew into everybody's numbers and ratings."""
    from looseends_server.admin_requests import Rebuild

    return _ask(
        Rebuild(),
        folder,
        json,
        lambda result: [
            f"{_counted(result['games'], 'game', 'games')} folded anew: "
            + ("something was not right and is now." if result["differed"] else "all was right.")
        ],
    )


@admin.command
def shutdown(*, folder: Folder = None, json: Json = False) -> int:
    """End the server within five seconds, as SIGTERM does; every game is kept."""
    from looseends_server.admin_requests import Shutdown

    return _ask(Shutdown(), folder, json, lambda _result: ["The server is shutting down."])


def _ask(request: AdminRequest, folder: Path | None, as_json: bool, lines: Any) -> int:
    """Ask the server, print what comes back, and return the exit code. Raises CommandFailed."""
    import msgspec

    from looseends_server.admin_requests import Answer

    answer = msgspec.json.decode(_exchange(server_folder(folder), msgspec.json.encode(request)), type=Answer)
    if as_json:
        print_line(json.dumps({"ok": answer.ok, **answer.result, **({} if answer.ok else {"error": answer.error})}))
        return 0 if answer.ok else REFUSED
    if not answer.ok:
        raise CommandFailed(answer.error, REFUSED)
    for line in lines(answer.result):
        print_line(line)
    return 0


def _exchange(folder: Path, request: bytes) -> bytes:
    from looseends_server.admin_requests import SOCKET

    if sys.platform == "win32":
        raise CommandFailed("`admin` does not run on Windows, where no server runs either.")
    path = folder / SOCKET
    received = bytearray()
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connected:
            connected.settimeout(ANSWER_SECONDS)
            connected.connect(str(path))
            connected.sendall(request + b"\n")
            while not received.endswith(b"\n"):
                part = connected.recv(1 << 16)
                if not part:
                    raise CommandFailed("the server ended the conversation without an answer: its log may say why.")
                received += part
    except (FileNotFoundError, ConnectionRefusedError) as error:
        raise CommandFailed(
            f"no server runs on {folder}: start one with `looseends serve`, or name its folder with --folder."
        ) from error
    except PermissionError as error:
        raise CommandFailed(f"{path} belongs to another user: ask as the user that the server runs as.") from error
    except TimeoutError as error:
        raise CommandFailed(f"the server on {folder} did not answer within {ANSWER_SECONDS:g} seconds.") from error
    except OSError as error:
        raise CommandFailed(f"{path} cannot be reached: {error.strerror or error}.") from error
    return bytes(received)


# ── what it looks like ───────────────────────────────────────────────────────────────────────────────────────────────


def _status_lines(result: dict[str, Any]) -> list[str]:
    phases = ", ".join(f"{count} {phase}" for phase, count in sorted(result["tables"].items()))
    frozen = result["frozen"]
    return [
        f"{result['name']}, version {result['version']}, protocol {result['protocol']}, process {result['pid']}",
        f"up for {_span(result['uptime_seconds'])}" + (", closing" if result["closing"] else ""),
        f"{_counted(result['connections'], 'connection', 'connections')}, "
        f"{result['people_connected']} of {_counted(result['people_known'], 'known person', 'known people')} connected",
        f"{_counted(sum(result['tables'].values()), 'table', 'tables')}" + (f": {phases}" if phases else ""),
        *([f"standing still: {' '.join(frozen)}"] if frozen else []),
        f"{result['moves']} moves since the start, "
        f"{_counted(sum(result['refused'].values()), 'request', 'requests')} refused, "
        f"{_counted(sum(result['dropped'].values()), 'connection', 'connections')} ended by the server",
        f"{_counted(result['bans'], 'ban', 'bans')}, {_counted(result['mutes'], 'mute', 'mutes')}",
    ]


def _table_lines(result: dict[str, Any]) -> list[str]:
    if not result["tables"]:
        return ["There are no tables."]
    lines: list[str] = []
    for table in result["tables"]:
        notes = [
            f"round {table['round']} of {table['rounds']}" if table["phase"] not in ("gathering", "over") else "",
            "private" if table["private"] else "",
            "password" if table["needs_password"] else "",
            table["why_frozen"],
            f"nobody there since {_moment(table['nobody_there_since'])}" if table["nobody_there_since"] else "",
        ]
        seats = ", ".join(_seat(seat) for seat in table["seats"])
        lines.append(f"{table['code']}  {table['title']}: {', '.join([table['phase'], *filter(None, notes)])}")
        lines.append(f"    host {table['host'] or 'none'}; seats: {seats}")
        if table["watching"]:
            lines.append(f"    watching: {', '.join(table['watching'])}")
    return lines


def _seat(seat: dict[str, Any]) -> str:
    if seat["kind"] == "open":
        return "open"
    if seat["kind"] == "bot":
        return f"bot {seat['name']}"
    return seat["name"] if seat["connected"] else f"{seat['name']} ({seat['away'] or 'away'})"


def _ban_lines(result: dict[str, Any]) -> list[str]:
    if not result["bans"]:
        return ["Nobody is banned or muted."]
    return [
        f"{'muted' if ban['kind'] == 'mute' else 'banned'}  {ban['who']}  {_until(ban['until'])}"
        + (f"  {ban['reason']}" if ban["reason"] else "")
        for ban in result["bans"]
    ]


def _seconds(text: str) -> float:
    found = re.fullmatch(r"([0-9]{1,6})([smhdw])", text)
    if not found or not int(found[1]):
        raise CommandFailed(f"--for takes a number and s, m, h, d or w, such as 7d, not {text!r}.")
    return float(int(found[1]) * _UNITS[found[2]])


def _until(until: float | None) -> str:
    return "for ever" if until is None else f"until {_moment(until)}"


def _moment(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M} UTC"


def _span(seconds: int) -> str:
    days, rest = divmod(seconds, 86400)
    hours, rest = divmod(rest, 3600)
    minutes, rest = divmod(rest, 60)
    return f"{days} d {hours} h" if days else f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"
