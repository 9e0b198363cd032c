"""One worker process as the house sees it: started, asked one thing at a time, watched, and ended.

What it is asked and what becomes of an answer is for `minds`; what it does with a question for `mind_process`.
"""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import cast

import msgspec
import structlog

from looseends_server.mind_messages import LENGTH_BYTES, Answer, FrameBroken, Question, frame_length, frame_of

log = structlog.get_logger()

COMMAND = (sys.executable, "-P", "-m", "looseends_server.mind_process")
"""How a worker is started: by itself and not by a fork of a process full of connections and keys."""
REAP_SECONDS = 0.01
"""How often the system is asked whether a process that was killed is gone."""

_decoder = msgspec.msgpack.Decoder(Answer)


class MindWorker(asyncio.Protocol):
    """A worker. `on_answer` is called with each answer, `on_loss` once, when it is gone or has to be given up.

    Raises OSError where no process can be started.
    """

    def __init__(
        self,
        command: Sequence[str],
        on_answer: Callable[[MindWorker, Answer], None],
        on_loss: Callable[[MindWorker, str], None],
    ) -> None:
        self._on_answer = on_answer
        self._on_loss: Callable[[MindWorker, str], None] | None = on_loss
        self._received = bytearray()
        self._waiting = b""
        """What is for the worker before its socket is part of the loop."""
        self._transport: asyncio.Transport | None = None
        self._loop = asyncio.get_running_loop()
        self._gone: asyncio.Future[None] = self._loop.create_future()
        ours, theirs = socket.socketpair()
        try:
            # A session of its own: a Ctrl-C or a hang-up at our terminal is ours to deal with.
            self._process: subprocess.Popen[bytes] = subprocess.Popen(
                command,
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError:
            ours.close()
            raise
        finally:
            theirs.close()
        ours.setblocking(False)
        self._joining = self._loop.create_task(self._join(ours))

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    async def _join(self, ours: socket.socket) -> None:
        try:
            await self._loop.create_unix_connection(lambda: self, sock=ours)
        except OSError as error:
            ours.close()
            self._lose(f"its socket cannot be used: {error.strerror}")

    def ask(self, question: Question) -> None:
        """Send a question."""
        frame = frame_of(question)
        if self._transport is None:
            self._waiting += frame
        else:
            self._transport.write(frame)

    def end(self) -> None:
        """End the process: it holds nothing that would be lost. `on_loss` is not called any more."""
        self._on_loss = None
        self._lose("")

    async def ended(self) -> None:
        """Wait until nothing of the process is left."""
        await self._joining
        await self._gone

    def _lose(self, why: str) -> None:
        on_loss, self._on_loss = self._on_loss, None
        transport, self._transport = self._transport, None
        if transport is not None:
            transport.abort()
        if self._process.poll() is None:
            self._process.kill()
        self._reap()
        if on_loss is not None:
            on_loss(self, why)

    def _reap(self) -> None:
        """Take note of the end of the process, which follows its SIGKILL within a moment."""
        if self._gone.done():
            return
        if self._process.poll() is None:
            self._loop.call_later(REAP_SECONDS, self._reap)
        else:
            self._gone.set_result(None)

    # ── the transport calls these ────────────────────────────────────────────────────────────────────────────────

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send what waits."""
        transport = cast("asyncio.Transport", transport)  # uvloop's are no subclass of it
        if self._process.poll() is not None or self._gone.done():
            transport.abort()
            return
        self._transport = transport
        if self._waiting:
            transport.write(self._waiting)
            self._waiting = b""

    def data_received(self, data: bytes) -> None:
        """Put an answer together; a worker that sends anything else is given up."""
        self._received += data
        try:
            if len(self._received) < LENGTH_BYTES:
                return
            length = frame_length(self._received)
            if len(self._received) < LENGTH_BYTES + length:
                return
            answer = _decoder.decode(memoryview(self._received)[LENGTH_BYTES : LENGTH_BYTES + length])
        except (FrameBroken, msgspec.MsgspecError, ValueError) as error:
            self._lose(f"it answered with what is no answer: {type(error).__name__}")
            return
        self._received = self._received[LENGTH_BYTES + length :]
        self._on_answer(self, answer)

    def connection_lost(self, exc: Exception | None) -> None:
        """The worker is gone, whether it ended or was killed."""
        self._lose("it ended")
