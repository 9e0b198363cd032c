"""The admin socket: a Unix socket in the state folder that only the server's user can open.

What is asked there is carried out in `admin`. A request is one line of JSON, its answer another.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import struct
import sys
from pathlib import Path

import msgspec
import structlog

from looseends_protocol.people_text import visible
from looseends_server.admin import LOOKS, Admin, AdminRefused
from looseends_server.admin_requests import LONGEST_LINE, SOCKET, AdminRequest, Answer, AnyRequest

log = structlog.get_logger()

IDLE_SECONDS = 60.0
"""How long a connection may take for its next request."""

_ENCODER = msgspec.json.Encoder()
_DECODER: msgspec.json.Decoder[AdminRequest] = msgspec.json.Decoder(AnyRequest)


class AdminSocket:
    """Listens in a folder from `open` to `close`. The folder's lock is the server's, so a socket there is stale."""

    def __init__(self, admin: Admin, folder: Path) -> None:
        self._admin = admin
        self._path = folder / SOCKET
        self._server: asyncio.Server | None = None
        self._talking: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Make the socket, for its owner alone, and take requests. Raises OSError."""
        self._path.unlink(missing_ok=True)
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            # The mode is there before anybody could connect, not a moment after.
            before = os.umask(0o177)
            try:
                listening.bind(str(self._path))
            finally:
                os.umask(before)
            self._server = await asyncio.start_unix_server(self._talk, sock=listening, limit=LONGEST_LINE)
        except BaseException:
            listening.close()
            raise

    async def close(self) -> None:
        """Take nothing more and remove the socket; whoever is connected is cut off."""
        if self._server is not None:
            self._server.close()
            self._server = None
            self._path.unlink(missing_ok=True)
        for task in list(self._talking):
            task.cancel()
        if self._talking:
            await asyncio.wait(self._talking)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._talking.add(task)
        who = _peer(writer)
        try:
            with contextlib.suppress(OSError, TimeoutError, asyncio.CancelledError, ValueError):
                while line := await asyncio.wait_for(reader.readline(), IDLE_SECONDS):
                    writer.write(_ENCODER.encode(await self._answer(line, who)) + b"\n")
                    await asyncio.wait_for(writer.drain(), IDLE_SECONDS)
        finally:
            self._talking.discard(task)
            writer.close()

    async def _answer(self, line: bytes, who: dict[str, int]) -> Answer:
        try:
            request = _DECODER.decode(line)
        except (msgspec.MsgspecError, ValueError) as error:
            log.warning("admin", did="unreadable", outcome=str(error)[:200], **who)
            return Answer(False, f"The request is not understood: {error}.")
        told = {key: visible(value) if isinstance(value, str) else value for key, value in _fields(request).items()}
        write = log.info if isinstance(request, LOOKS) else log.warning
        try:
            result = await self._admin.carry_out(request)
        except AdminRefused as error:
            write("admin", **told, outcome=str(error), **who)
            return Answer(False, str(error))
        except Exception:
            log.exception("admin", **told, **who)
            return Answer(False, "Something went wrong on the server with that; its log says what.")
        write("admin", **told, outcome="done", **who)
        return Answer(True, result=result)


def _fields(request: AdminRequest) -> dict[str, object]:
    fields = msgspec.to_builtins(request)
    did = fields.pop("do")
    return {"did": did, **fields}


def _peer(writer: asyncio.StreamWriter) -> dict[str, int]:
    """Return which process asks, where the system says so: for the log."""
    connected = writer.get_extra_info("socket")
    if not sys.platform.startswith("linux") or connected is None:
        return {}
    try:
        process, user, _ = struct.unpack("3i", connected.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    except OSError:
        return {}
    return {"uid": user, "pid": process}
