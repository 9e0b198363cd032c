"""What can be done on the screen in front, for Textual's command palette: its keys in words, and what the app adds.

Where a session is served to strangers there is no palette; nothing here reaches the machine that the app runs on.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.app import SystemCommand
from textual.screen import Screen

from looseends_client.doctor import findings, lines_of
from looseends_client.game_client import NotConnected, RequestRefused
from looseends_client.narration import plain
from looseends_client.report import packed_report
from looseends_client.screens.menu import MenuScreen
from looseends_client.screens.page import key_name
from looseends_client.screens.table import TableScreen
from looseends_client.table_words import code_text
from looseends_client.terminal import terminal_encoding

if TYPE_CHECKING:
    from looseends_client.app import LooseEndsApp
    from looseends_client.attendance import Attendance

_MOVES = frozenset(
    {
        *("choose", "choose_suit", "choose_line", "scroll_by", "scroll_to_top", "page", "turn", "heading", "change"),
        *("step", "trick", "round", "decision", "begin", "end"),
        *("act", "clear", "close", "done", "find_next", "give_up", "go_on", "help"),
    }
)
"""Actions that only move about, or that need what a palette hides: they are for keys alone."""
_ONLY_WHERE_SHOWN = {"pass": "pass", "double_cross": "double-cross", "hint": "hint", "talk": "talk"}
"""Actions of the table that are offered while its last row shows them under this word."""


def commands_here(app: LooseEndsApp, screen: Screen[Any]) -> Iterator[SystemCommand]:
    """Yield what can be done on this screen, its own keys first."""
    yield from _keys_as_commands(screen)
    attendance = app.attendance
    if attendance is not None and not app.alone:
        code = code_text(attendance.model.code)

        def copy() -> None:
            app.copy_to_clipboard(code)
            app.say_aside(f"{code} is on the clipboard, where the terminal lets programs write there.")

        yield SystemCommand("Copy the invite code", "For somebody who is to join this table", copy)
    if attendance is not None:

        def report() -> None:
            app.run_worker(_write_report(app, attendance))

        yield SystemCommand("Report a fault", "Pack what a report of it needs into a file in this folder", report)
    if not isinstance(screen, MenuScreen):  # which has these among its own
        if attendance is None and app.can_learn:
            yield SystemCommand(
                "Learn to play", "Three lessons at a real table, three minutes in all", app.action_learn
            )
        yield SystemCommand("Settings", "Every setting with its default, kept in a file", app.action_settings)
    mouse = "off, so that text can be selected" if app.mouse_is_on else "on, so that clicks choose cards"
    yield SystemCommand("Switch the mouse", f"Switch the mouse {mouse}", app.action_switch_mouse)


async def _write_report(app: LooseEndsApp, attendance: Attendance) -> None:
    """Write what a report of a fault at this table needs: no card of a running round, and no talk."""
    record: str | None = None
    with contextlib.suppress(RequestRefused, NotConnected):
        record = await attendance.record()
    log = [plain(line.words) for line in attendance.model.log if line.kind in ("story", "system")]
    file = Path(f"looseends-report-{attendance.model.code or 'table'}-{attendance.model.state.number}.zip")
    size = (app.size.width, app.size.height)
    doctor = findings(os.environ, time.time(), size, terminal_encoding())
    try:
        await asyncio.to_thread(_write_new, file, packed_report(lines_of(doctor), record, log))
    except OSError as error:
        app.say_aside(f"{file} could not be written: {error.strerror}.")
    else:
        app.say_aside(f"Wrote {file}. It is text: read it before you pass it on.")


def _write_new(file: Path, content: bytes) -> None:
    with file.open("xb") as made:
        made.write(content)


def _keys_as_commands(screen: Screen[Any]) -> Iterator[SystemCommand]:
    """Yield the screen's own keys that do something which can be said without moving about first."""
    shown = {does for _, does in screen.scene.keys} if isinstance(screen, TableScreen) else None
    keys: dict[str, list[str]] = {}
    told: dict[str, str] = {}
    for key, active in screen.active_bindings.items():
        action = active.binding.action
        name = action.partition("(")[0].rpartition(".")[2]
        if not active.binding.description or name in _MOVES or action == "take" or not _is_ours(screen, name):
            continue
        if shown is not None and _ONLY_WHERE_SHOWN.get(name, "") not in {"", *shown}:
            continue
        keys.setdefault(action, []).append(key_name(key))
        told[action] = active.binding.description

    def doing(action: str) -> Any:
        async def act() -> None:
            await screen.run_action(action)

        return act

    for action, does in told.items():
        yield SystemCommand(does[:1].upper() + does[1:], f"Key {' or '.join(keys[action])}", doing(action))


def _is_ours(screen: Screen[Any], action: str) -> bool:
    """Return whether an action is one of this program's, and not one that Textual gives every screen."""
    kinds = (kind for kind in type(screen).__mro__ if kind.__module__.startswith("looseends_client."))
    return any(f"action_{action}" in vars(kind) for kind in kinds)
