"""What the host asks a running server through its admin socket: one JSON line there, one JSON line back.

Only the words are here, so that the command can speak them without loading a server.
"""

from __future__ import annotations

from typing import Any

import msgspec

SOCKET = "admin.sock"
"""The socket's name in the state folder. Whoever may open it is the host; the folder and its mode see to that."""
LONGEST_LINE = 64 * 1024
"""Bytes of a request."""


class AdminRequest(msgspec.Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    """What every request is."""


class Status(AdminRequest, frozen=True, tag="status"):
    """How the server is."""


class Tables(AdminRequest, frozen=True, tag="tables"):
    """Every table, private ones included. Says nothing of cards."""


class Bans(AdminRequest, frozen=True, tag="bans"):
    """Who is kept out or muted, until when and why."""


class Kick(AdminRequest, frozen=True, tag="kick"):
    """End the connection of a person, who may come back."""

    name: str


class Ban(AdminRequest, frozen=True, tag="ban"):
    """Keep a name, an address or an SSH key out; `seconds` from now, for ever where it is None."""

    who: str
    seconds: float | None = None
    reason: str = ""


class Unban(AdminRequest, frozen=True, tag="unban"):
    """Let a name or an address in again."""

    who: str


class Mute(AdminRequest, frozen=True, tag="mute"):
    """Let a person say nothing until they are unmuted."""

    name: str


class Unmute(AdminRequest, frozen=True, tag="unmute"):
    """Let a person talk again."""

    name: str


class Announce(AdminRequest, frozen=True, tag="announce"):
    """Show a line to everybody who is connected."""

    text: str


class CloseTable(AdminRequest, frozen=True, tag="close"):
    """End a table and forget its game."""

    code: str


class Rebuild(AdminRequest, frozen=True, tag="rebuild"):
    """Fold all finished games anew into everybody's numbers and ratings."""


class Shutdown(AdminRequest, frozen=True, tag="shutdown"):
    """End the server as SIGTERM does."""


AnyRequest = Status | Tables | Bans | Kick | Ban | Unban | Mute | Unmute | Announce | CloseTable | Rebuild | Shutdown


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """What comes back: `error` is a sentence where the request was not carried out, otherwise `result` has it all."""

    ok: bool
    error: str = ""
    result: dict[str, Any] = msgspec.field(default_factory=dict)
