"""The app of one person behind the door: one of many in its process, on a line instead of this process's terminal.

Textual takes a process for its own: it redirects the process's output, reads its environment, prints what went wrong.
Here each of these is undone, so that no app notices another one and the log holds nothing of anybody's hand.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import MutableSet
from functools import partial
from typing import Any, TextIO, cast

import structlog
from rich.console import RenderableType
from textual.driver import Driver
from textual.screen import Screen
from textual.widget import Widget

from looseends_client.app import LooseEndsApp
from looseends_client.game_client import GameClient
from looseends_client.ssh.driver import ChannelDriver, Line
from looseends_client.ssh.faults import fault_words
from looseends_client.ssh.shared_rules import share_rules
from looseends_client.starting import AppSettings, StartLobby

log = structlog.get_logger()


class DoorApp(LooseEndsApp):
    """An app that draws on a line. `failed` is set where a fault of the program ended it."""

    def __init__(
        self,
        client: GameClient,
        start: StartLobby,
        *,
        settings: AppSettings,
        line: Line,
        typed: bytes = b"",
        muted: MutableSet[str] | None = None,
    ) -> None:
        """`line` is the way to the terminal, `typed` what came from there before the app began."""
        super().__init__(client, start, settings=settings, muted=muted)
        self.failed = False
        # Of the environment of this process, which is not the person's, no debugging and no watching of files.
        self.features = frozenset()
        self.css_monitor = None
        share_rules(self.stylesheet)
        made = partial(ChannelDriver, line=line, modern=settings.abilities.modern, typed=typed)
        self.driver_class = cast("type[Driver]", made)
        self._task_factory = asyncio.get_running_loop().get_task_factory()

    @property
    def line_driver(self) -> ChannelDriver | None:
        """The driver, None while nothing is drawn yet or any more."""
        return self._driver if isinstance(self._driver, ChannelDriver) else None

    def _display(self, screen: Screen[object], renderable: RenderableType | None) -> None:
        """Draw, and let go of the drawn rows that Textual keeps for every widget.

        They are half of an app's memory. The picture knows what stands on the terminal, and a row is soon drawn again.
        """
        super()._display(screen, renderable)
        for widget in screen.walk_children(with_self=True):
            if isinstance(widget, Widget):
                widget._styles_cache.clear()  # pyright: ignore[reportPrivateUsage]

    # Textual sends the process's output to the app while it runs. Apps end in any order, so that the last one to end
    # would leave it pointing at one that is gone; with these two it is sent where it goes already.

    @property  # type: ignore[override]
    def _capture_stdout(self) -> TextIO:
        return sys.stdout

    @_capture_stdout.setter
    def _capture_stdout(self, value: object) -> None:
        pass

    @property  # type: ignore[override]
    def _capture_stderr(self) -> TextIO:
        return sys.stderr

    @_capture_stderr.setter
    def _capture_stderr(self, value: object) -> None:
        pass

    async def _process_messages(self, *arguments: Any, **options: Any) -> None:
        """Run the app, with the loop's way of making tasks as it was: Textual changes it for everybody."""
        asyncio.get_running_loop().set_task_factory(self._task_factory)
        await super()._process_messages(*arguments, **options)

    def _handle_exception(self, error: Exception) -> None:
        """End this app, and log where it failed: neither the values of variables nor the error's own words."""
        cause = getattr(error, "error", None)  # of a worker
        error = cause if isinstance(cause, Exception) else error
        log.error("app failed", **fault_words(error))
        self.failed = True
        self._return_code = 1
        if self._exception is None:
            self._exception = error
            self._exception_event.set()
        self._close_messages_no_wait()

    def _print_error_renderables(self) -> None:
        """Print nothing: it would be on the terminal of the host, with the values of variables."""
        self._exit_renderables.clear()
