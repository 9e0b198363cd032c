"""One session behind the door: what was asked for, the app or the lines of text that come of it, and its end.

asyncssh swallows what goes wrong in its callbacks and ends the connection without a word; here it is logged, and ends
this session alone.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

import asyncssh
import structlog

from looseends_client.ssh.faults import fault_words
from looseends_client.ssh.line import ChannelLine, TypedLines
from looseends_client.ssh.visit import Visit
from looseends_client.ssh.words import NoErrand, errand_of

if TYPE_CHECKING:
    from looseends_client.ssh.door import Door
    from looseends_client.ssh.doorkeeper import Doorkeeper

log = structlog.get_logger()

P = ParamSpec("P")
R = TypeVar("R")

FAILED = "Something went wrong here, and it is written down. Your seat is kept: come again with the same command."
REFUSED = 1
"""Exit code for what is not to be had here."""
ENDING_SECONDS = 5.0
"""What an app gets to end by itself once its person is gone."""


class FewVariables(dict[bytes, bytes]):
    """What a client says of its environment, as much of it as anybody honestly sends; the rest is let fall."""

    MOST = 64
    LONGEST = 1024

    def __setitem__(self, name: bytes, value: bytes) -> None:
        """Keep a variable."""
        if len(self) < self.MOST and len(name) + len(value) <= self.LONGEST:
            super().__setitem__(name, value)


def _guarded(call: Callable[Concatenate[DoorSession, P], R]) -> Callable[Concatenate[DoorSession, P], R]:
    """Log what goes wrong in a callback before asyncssh swallows it."""

    @functools.wraps(call)
    def guarded(self: DoorSession, /, *arguments: P.args, **options: P.kwargs) -> R:
        try:
            return call(self, *arguments, **options)
        except Exception as error:
            log.error("session failed", step=call.__name__, **fault_words(error))
            raise

    return guarded


class DoorSession(asyncssh.SSHServerSession[bytes]):
    """What one person does in one terminal."""

    def __init__(self, door: Door, keeper: Doorkeeper) -> None:
        self._door = door
        self.keeper = keeper
        self.line: ChannelLine | None = None
        self.term = ""
        self.size = (0, 0)
        self.has_terminal = False
        self.environment: dict[str, str] = {}
        self._command: str | None = None
        self._channel: asyncssh.SSHServerChannel[bytes] | None = None
        self._task: asyncio.Task[None] | None = None
        self._visit: Visit | None = None
        self._early = bytearray()
        self._no_more = False
        """Whether nothing more is typed."""
        self._cancelling: asyncio.TimerHandle | None = None
        self.ended = asyncio.Event()
        """Set once nothing of this session goes on any more."""

    # ── asyncssh calls these ─────────────────────────────────────────────────────────────────────────────────────

    @_guarded
    def connection_made(self, chan: asyncssh.SSHServerChannel[bytes]) -> None:
        """Take the channel."""
        self.keeper.sessions += 1
        self._channel = chan
        self.line = ChannelLine(chan)
        # asyncssh keeps whatever it is sent, and asks nobody.
        chan._env = FewVariables()  # pyright: ignore[reportPrivateUsage]
        self._door.sessions.add(self)

    @_guarded
    def connection_lost(self, exc: Exception | None) -> None:
        """End what is going on: nobody is there any more."""
        self.keeper.sessions -= 1
        self._door.sessions.discard(self)
        self.end()
        self._channel = None

    @_guarded
    def pty_requested(self, term_type: str, term_size: tuple[int, int, int, int], term_modes: Any) -> bool:
        """Take what is said of the terminal."""
        self.has_terminal = True
        self.term = term_type[:64]
        self.size = (term_size[0], term_size[1])
        return True

    @_guarded
    def shell_requested(self) -> bool:
        """Begin in the lobby; there is no shell."""
        return True

    @_guarded
    def exec_requested(self, command: str) -> bool:
        """Take the words behind the host's name. Words that mean nothing here are answered, not refused."""
        self._command = command
        return True

    @_guarded
    def subsystem_requested(self, subsystem: str) -> bool:
        """Refuse sftp and whatever else there is."""
        log.info("subsystem refused", subsystem=ascii(subsystem)[:40], address=self.keeper.address)
        return False

    @_guarded
    def session_started(self) -> None:
        """Begin, with what was asked for."""
        assert self._channel is not None
        wanted = ("LANG", "LC_ALL", "LC_CTYPE", "LC_TERMINAL", "COLORTERM", "NO_COLOR")
        sent = self._channel.get_environment()
        self.environment = {name: sent[name][:64] for name in wanted if name in sent}
        self.environment["TERM"] = self.term
        self._task = asyncio.get_running_loop().create_task(self._run())

    @_guarded
    def data_received(self, data: bytes, datatype: Any) -> None:
        """Hand in what the terminal sent, or keep a little of what comes before anybody listens."""
        if self._visit is not None and self._visit.take is not None:
            self._visit.take(data)
        elif len(self._early) < 1024:
            self._early += data

    @_guarded
    def eof_received(self) -> bool:
        """Nothing more is typed: whoever draws is left, lines of text are finished first."""
        self._no_more = True
        if self._visit is not None and self._visit.typed is not None:
            self._visit.typed.end()
        elif self.has_terminal:
            self.end()
        return True

    @_guarded
    def terminal_size_changed(self, width: int, height: int, pixwidth: int, pixheight: int) -> None:
        """Take another size."""
        self.size = (width, height)
        if self._visit is not None:
            self._visit.resize(width, height)

    @_guarded
    def signal_received(self, signal: str) -> None:
        """End on what ends programs."""
        if signal in ("HUP", "INT", "QUIT", "TERM", "KILL"):
            self.end()

    @_guarded
    def break_received(self, msec: int) -> bool:
        """A break means nothing here."""
        return False

    @_guarded
    def pause_writing(self) -> None:
        """The peer's window is full."""
        if self.line is not None:
            self.line.pause(paused=True)

    @_guarded
    def resume_writing(self) -> None:
        """The peer reads again."""
        if self.line is not None:
            self.line.pause(paused=False)
        if self._visit is not None:
            self._visit.resumed()

    # ── what happens in it ───────────────────────────────────────────────────────────────────────────────────────

    def tell(self, sentence: str) -> None:
        """Say a sentence outside of any app. HOST in it stands for the words by which this door is reached."""
        if self.line is not None:
            reached = self._door.reached_under(self.keeper.local_address)
            self.line.tell(sentence.replace("HOST", reached), to_terminal=self.has_terminal)

    def early(self) -> bytes:
        """Return what was typed before anybody listened."""
        early, self._early = bytes(self._early), bytearray()
        return early

    def end(self, sentence: str = "") -> None:
        """End what is going on here, saying why where somebody may still read it. It ends by itself, in a moment."""
        task = self._task
        if task is None or task.done():
            return
        if self._visit is None or not self._visit.end(sentence):
            if sentence:
                self.tell(sentence)
            task.cancel()
        elif self._cancelling is None:
            self._cancelling = asyncio.get_running_loop().call_later(ENDING_SECONDS, task.cancel)

    async def _run(self) -> None:
        code = REFUSED
        try:
            code = await self._attend()
        except NoErrand as refusal:
            log.info("command refused", address=self.keeper.address)
            self.tell(str(refusal))
        except asyncio.CancelledError:
            pass  # only `end` cancels this, and there is nothing behind it that would have to know
        except Exception as error:
            log.error("session failed", step="run", **fault_words(error))
            self.tell(FAILED)
        finally:
            if self._cancelling is not None:
                self._cancelling.cancel()
            self._visit = None
            if self.line is not None:
                self.line.hang_up(code)
            self._task = None
            self.ended.set()

    async def _attend(self) -> int:
        errand = errand_of(self._command)
        self._visit = visit = Visit(self._door, self, errand)
        if self.line is not None and errand.plain:
            visit.typed = TypedLines(self.line, has_terminal=self.has_terminal)
            visit.typed.take(self.early())
            if self._no_more:
                visit.typed.end()
        return await visit.run()
