"""A door to a house in this very process, and people who come to it with the client of asyncssh."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import weakref
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any

import asyncssh
import pyte

from looseends_client.commands.door_opening import in_memory
from looseends_client.ssh.admission import DoorLimits
from looseends_client.ssh.door import Door, DoorSettings
from looseends_client.ssh.door_app import DoorApp
from looseends_server.house import House
from looseends_server.limits import Limits, ServerSettings

SECONDS = 20
"""What anything may take before a test gives up on it."""
SECRET = bytes(range(32))
SIZE = (80, 24)
AT_ONCE = DoorLimits(sessions_per_second=10_000)
"""Limits with which nobody waits at the door."""

Keys = asyncssh.SSHKey | Sequence[asyncssh.SSHKey | asyncssh.SSHKeyPair]


class Unasked(asyncssh.SSHClient):
    """A client that goes on to keyboard-interactive where no key does, and can answer nothing there."""

    def __init__(self) -> None:
        self.questions = 0

    def kbdint_auth_requested(self) -> str:
        return ""

    def kbdint_challenge_received(
        self, name: str, instructions: str, lang: str, prompts: object
    ) -> asyncssh.misc.MaybeAwait[list[str] | None]:
        self.questions += 1
        return None


def new_key() -> asyncssh.SSHKey:
    return asyncssh.generate_private_key("ssh-ed25519")


class AtTheDoor:
    """A door, and the house behind it."""

    def __init__(self, door: Door, house: House) -> None:
        self.door = door
        self.house = house
        self.apps: list[weakref.ref[DoorApp]] = []

    @contextlib.asynccontextmanager
    async def login(
        self, user: str = "ann", *, key: Keys | None = None, **options: Any
    ) -> AsyncIterator[asyncssh.SSHClientConnection]:
        """Log in as somebody, with a key or as a guest."""
        connection = await asyncssh.connect(
            "127.0.0.1",
            self.door.port,
            username=user,
            client_keys=[key] if isinstance(key, asyncssh.SSHKey) else key,
            known_hosts=None,
            config=None,
            agent_path=None,
            client_factory=Unasked,
            **options,
        )
        try:
            yield connection
        finally:
            connection.abort()
            await connection.wait_closed()

    @contextlib.asynccontextmanager
    async def inside(
        self,
        user: str = "ann",
        *,
        key: Keys | None = None,
        command: str | None = None,
        term: str = "xterm-256color",
        size: tuple[int, int] = SIZE,
        environment: dict[bytes | str, bytes | str] | None = None,
        window: int = 2 * 1024 * 1024,
        **options: Any,
    ) -> AsyncIterator[Person]:
        """Come in, and be there until the end of the block."""
        async with self.login(user, key=key, **options) as connection:
            person = Person(self, connection, size)
            await connection.create_session(
                lambda: person,
                command,
                term_type=term,
                term_size=size,
                env=environment if environment is not None else {"LANG": "C.UTF-8"},
                encoding=None,
                window=window,
            )
            yield person

    async def run(self, command: str | None, user: str = "ann", *, key: Keys | None = None) -> tuple[int, str, str]:
        """Run words behind the host's name without a terminal; return exit code, output and errors."""
        async with self.login(user, key=key) as connection, asyncio.timeout(SECONDS):
            done = await connection.run(command, encoding="utf-8", stdin=asyncssh.DEVNULL)
            assert done.exit_status is not None
            return done.exit_status, str(done.stdout), str(done.stderr)

    async def until(self, fact: Callable[[], Any]) -> None:
        """Wait for a fact of the door or the house."""
        async with asyncio.timeout(SECONDS):
            while not fact():  # noqa: ASYNC110  # there is no event for every fact
                await asyncio.sleep(0)

    @property
    def live_apps(self) -> int:
        """How many apps are in memory, once all that is unreachable has been collected."""
        gc.collect()
        return len(self.door.apps)

    def app_of(self, name: str) -> DoorApp:
        """Return the running app of somebody, known by the name that the server gave them."""
        return next(app for app in self.door.apps if app.is_running and app.client.name == name)


class Person(asyncssh.SSHClientSession[bytes]):
    """Somebody at a terminal. What came is in `received`, what stands on the screen in `text`."""

    def __init__(self, at: AtTheDoor, connection: asyncssh.SSHClientConnection, size: tuple[int, int]) -> None:
        self.at = at
        self.connection = connection
        self.received = b""
        self.errors = b""
        self.exit_status: int | None = None
        self.exit_signal: tuple[Any, ...] | None = None
        self.lost = False
        self.channel: asyncssh.SSHClientChannel[bytes] | None = None
        self.screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self.screen)
        self._news = asyncio.Event()

    # ── asyncssh calls these ──
    def connection_made(self, chan: asyncssh.SSHClientChannel[bytes]) -> None:
        self.channel = chan

    def data_received(self, data: bytes, datatype: Any) -> None:
        if datatype is not None:
            self.errors += data
        else:
            self.received += data
            self._stream.feed(data)
        self._news.set()

    def exit_status_received(self, status: int) -> None:
        self.exit_status = status
        self._news.set()

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost = True
        self._news.set()

    # ── what a test does ──
    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display)

    @property
    def words(self) -> str:
        """What stands on the screen, as if it were one long line."""
        return " ".join(self.text.split())

    def press(self, keys: str | bytes) -> None:
        assert self.channel is not None
        self.channel.write(keys.encode() if isinstance(keys, str) else keys)

    def resize(self, columns: int, rows: int) -> None:
        assert self.channel is not None
        self.channel.change_terminal_size(columns, rows)
        if 0 < columns <= 500 and 0 < rows <= 200:
            self.screen.resize(rows, columns)

    async def until(self, fact: Callable[[], Any]) -> None:
        """Wait for a fact of what has come. Fails with the screen where it never does."""
        try:
            async with asyncio.timeout(SECONDS):
                while not fact():
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            raise AssertionError(f"what was waited for never came; on screen:\n{self.text}\n{self.errors!r}") from None

    async def shows(self, words: str) -> None:
        await self.until(lambda: words in self.text)

    async def ended(self) -> int:
        """Wait for the end of the session and return its exit code."""
        await self.until(lambda: self.exit_status is not None and self.lost)
        assert self.exit_status is not None
        return self.exit_status

    async def quit(self) -> int:
        """Leave the lobby by its key and return the exit code."""
        self.press("q")
        return await self.ended()

    def cut(self) -> None:
        """Let the line drop."""
        self.connection.abort()


@contextlib.asynccontextmanager
async def at_the_door(
    folder: Path, settings: DoorSettings | None = None, *, house_settings: ServerSettings | None = None
) -> AsyncIterator[AtTheDoor]:
    """Open a house on memory and a door to it."""
    house = await House.open(None, house_settings or ServerSettings(limits=Limits(burst_messages=1000, resyncs=1000)))
    house.door_secret = SECRET
    door = Door(folder, SECRET, in_memory(house), settings or DoorSettings(limits=AT_ONCE))
    await door.listen("127.0.0.1", 0)
    gc.freeze()  # a test looks for what it left itself, and the door collects that often
    try:
        yield AtTheDoor(door, house)
    finally:
        await door.close()
        await house.close()
        gc.unfreeze()
