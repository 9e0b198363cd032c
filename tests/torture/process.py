"""A server process as the torture sees it: started, watched, ended. It ends only what it started, by its process id."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import msgspec

from tests.torture.line import Broken, Line
from tests.torture.serving import Order

ROOT = Path(__file__).parents[2]
START_SECONDS = 30.0
END_SECONDS = 10.0


class ServerProcess:
    """A running server. `port` is None where it died before it listened."""

    def __init__(self, process: asyncio.subprocess.Process, log: Path) -> None:
        self._process = process
        self.log = log
        self.port: int | None = None

    @classmethod
    async def start(cls, order: Order, log: Path, environment: Mapping[str, str] | None = None) -> ServerProcess:
        """Start one; its log takes the place of what the file held."""
        with log.open("wb") as errors:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "tests.torture.serving",
                msgspec.json.encode(order).decode(),
                stdout=asyncio.subprocess.PIPE,
                stderr=errors,
                stdin=asyncio.subprocess.PIPE,
                cwd=ROOT,
                env={**os.environ, **(environment or {})},
            )
        server = cls(process, log)
        assert process.stdout is not None
        try:
            async with asyncio.timeout(START_SECONDS):
                line = (await process.stdout.readline()).decode()
        except BaseException:
            await server.gone()
            raise
        if found := re.search(r":(\d+)\. Join", line):
            server.port = int(found[1])
        return server

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    @property
    def lives(self) -> bool:
        """Whether it has not ended."""
        return self._process.returncode is None

    async def open_line(self) -> Line:
        """Return a fresh line to it. Raises OSError where nobody listens."""
        if self.port is None:
            raise ConnectionRefusedError
        return await Line.open(self.port)

    def resident_bytes(self) -> int:
        """Return the memory that it holds, as Linux counts it."""
        found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{self.pid}/status").read_text())
        assert found is not None
        return int(found[1]) * 1024

    async def ended(self) -> int:
        """Return its exit status once it has ended, negative for a signal."""
        return await self._process.wait()

    def kill(self) -> None:
        """Kill it, if it lives."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()

    async def stop(self) -> None:
        """Ask it to end, as a service manager does. Raises Broken where it does not."""
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGTERM)
        try:
            async with asyncio.timeout(END_SECONDS):
                status = await self.ended()
        except TimeoutError as error:
            raise Broken("the server does not end when it is told to") from error
        if status != 0:
            raise Broken(f"the server ended with status {status}")

    async def gone(self) -> None:
        """Make sure that nothing is left of it."""
        self.kill()
        await self.ended()


def check_log(log: Path) -> None:
    """Raise Broken where a log tells of a fault: a line of level error, or one that no logger wrote."""
    for line in log.read_text(errors="replace").splitlines():
        try:
            level = json.loads(line)["level"]
        except (ValueError, KeyError, TypeError):
            level = "unknown"
        if level not in ("debug", "info", "warning"):
            told = line.encode().decode("unicode_escape", "replace")
            raise Broken(f"the server's log says: {told[:3000]}")


@contextlib.asynccontextmanager
async def serving(order: Order | None = None) -> AsyncIterator[ServerProcess]:
    """Run a server for as long as the block runs, on a folder of its own unless the order names one.

    At the end it has to stop when it is told to, and its log may not tell of a fault.
    """
    with tempfile.TemporaryDirectory(prefix="looseends-torture-") as temporary:
        order = order or Order()
        if not order.folder:
            order = msgspec.structs.replace(order, folder=str(Path(temporary) / "folder"))
        server = await ServerProcess.start(order, Path(temporary) / "log")
        try:
            if server.port is None:
                raise Broken(f"the server did not start: {server.log.read_text()[-2000:]}")
            yield server
            await server.stop()
            check_log(server.log)
        finally:
            await server.gone()
