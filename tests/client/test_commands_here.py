"""The command palette: what can be done on the screen in front, beside Textual's own; nothing of it for strangers."""

from __future__ import annotations

import importlib
import pkgutil
import zipfile
from pathlib import Path
from typing import Any

import pytest
from textual.binding import Binding
from textual.command import CommandPalette
from textual.widgets import HelpPanel

import looseends_client.screens
from looseends_client.narration import plain
from looseends_client.screens.commands_here import commands_here
from looseends_client.screens.lobby import LobbyScreen
from looseends_client.screens.menu import MenuScreen
from looseends_client.screens.page import KeysPage, Page, keys_of
from looseends_client.screens.rules_page import RulesPage
from looseends_client.screens.score_sheet import ScoreSheet
from looseends_client.screens.settings import SettingsPage
from looseends_client.screens.table import TableScreen
from looseends_client.starting import AppSettings, StartAlone, StartLobby
from tests.client.on_screen import OnScreen, alone, opened, seated_before_the_screen
from tests.client.test_learning import AT_ONCE


def offered(on: OnScreen) -> dict[str, str]:
    """Return what the palette offers on the screen in front: each title with its help."""
    return {command.title: command.help for command in commands_here(on.app, on.app.screen)}


async def choose(on: OnScreen, title: str) -> None:
    """Do what the palette offers under a title, as it does it itself."""
    (command,) = [command for command in commands_here(on.app, on.app.screen) if command.title == title]
    on.app.call_later(command.callback)
    await on.settle()


async def test_the_table_offers_what_its_keys_do_now() -> None:
    async with alone() as on:
        await on.watch_out()
        titles = offered(on)
        assert titles["Pass (with no bid card: snitch)"] == "Key p"
        assert titles["Score sheet"] == "Key s"
        assert "Copy the invite code" not in titles, "nobody else can come"
        assert not any(title.startswith(("Choose", "Bid, play", "Copy", "Focus")) for title in titles)
        await choose(on, "The rules, those of this table first")
        assert isinstance(on.app.screen, RulesPage)
        await on.press("q")
        await choose(on, "Pass (with no bid card: snitch)")
        await on.until(lambda: on.model.state.passed[:1] != [])
        await on.until(lambda: on.model.state.tricks_in_round > 0)
        assert "Pass (with no bid card: snitch)" not in offered(on)


async def test_the_menu_offers_its_lines_and_only_those_that_are_there() -> None:
    async with (
        opened() as (house, clock),
        seated_before_the_screen(house, clock, StartAlone(None), school=AT_ONCE) as on,
    ):
        titles = offered(on)
        assert titles["Play against bots"] == "Key p"
        assert "Go on with your game" not in titles
        assert "Join a server" not in titles
        await choose(on, "Settings")
        assert isinstance(on.app.screen, SettingsPage)
        await on.press("q")
        await choose(on, "Learn to play, in three minutes")
        await on.until_shown("Lesson 1 of 3")


async def test_the_lobby_and_a_table_of_it_offer_theirs_and_the_invite_code() -> None:
    async with opened() as (house, clock), seated_before_the_screen(house, clock, StartLobby()) as on:
        assert isinstance(on.app.screen, LobbyScreen)
        await choose(on, "A new table with rules of yours")
        await on.press("enter")
        await on.until(lambda: on.app.attendance is not None)
        await on.settle()
        assert "Host: start, once every seat is taken" in offered(on)
        await choose(on, "Copy the invite code")
        code = on.model.code
        assert on.app.clipboard.replace("-", "") == code.replace("-", "")


async def test_a_fault_at_a_table_is_reported_into_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    async with alone() as on:
        await on.watch_out()
        await choose(on, "Report a fault")
        await on.until_after_thinking(lambda: any("Wrote" in plain(line.words) for line in on.model.log))
        (file,) = tmp_path.iterdir()  # noqa: ASYNC240
        with zipfile.ZipFile(file) as report:
            assert "No Loose Ends" in report.read("doctor.txt").decode()
            assert "record.json" not in report.namelist(), "no round is over"
            assert report.read("log.txt").decode().strip()


async def test_the_palette_is_textuals_own_with_ours_in_it() -> None:
    async with alone() as on:
        await on.press("ctrl+p")
        assert isinstance(on.app.screen, CommandPalette)
        await on.until_after_thinking(lambda: "Score sheet" in on.text or "Look at the last trick" in on.text)
        await on.type("score sheet")
        await on.until_after_thinking(lambda: "Key s" in on.text and "Screenshot" not in on.text)
        await on.press("enter")
        await on.until_after_thinking(lambda: isinstance(on.app.screen, ScoreSheet))


async def test_textuals_help_stands_beside_a_table_that_makes_room_for_it() -> None:
    async with alone(size=(110, 30)) as on:
        await on.watch_out()
        on.app.action_show_help_panel()
        await on.until_after_thinking(lambda: bool(on.app.screen.query(HelpPanel)))
        await on.until_after_thinking(lambda: "planning" in on.lines[0] and "bid 0 of" in on.text)
        on.app.action_hide_help_panel()
        await on.until_after_thinking(lambda: len(on.lines[1]) == 110)


async def test_nothing_of_it_where_a_session_is_served_to_strangers() -> None:
    settings = AppSettings(served_to_strangers=True)
    async with alone(settings=settings) as on:
        await on.watch_out()
        await on.press("ctrl+p")
        assert type(on.app.screen) is TableScreen
        await on.press("s", "question_mark")
        assert isinstance(on.app.screen, KeysPage)
        assert "Ctrl-P" not in on.text


@pytest.mark.parametrize("start", ["menu", "lobby"])
async def test_question_mark_shows_all_keys_there(start: str) -> None:
    async with (
        opened() as (house, clock),
        seated_before_the_screen(house, clock, StartAlone(None) if start == "menu" else StartLobby()) as on,
    ):
        below = on.app.screen
        assert isinstance(below, MenuScreen | LobbyScreen)
        await on.press("question_mark")
        assert isinstance(on.app.screen, KeysPage)
        told = keys_of(below)
        assert ("play against bots" in told) == (start == "menu")
        assert ("go to a table by its invite code" in told) == (start == "lobby")
        assert "go on with your game" not in told
        await on.press("question_mark")
        assert on.app.screen_stack[-1] is below


def every_page(kind: type[Page[Any]] = Page) -> list[type[Page[Any]]]:
    """Return every kind of page that the program has."""
    for module in pkgutil.iter_modules(looseends_client.screens.__path__):
        importlib.import_module(f"{looseends_client.screens.__name__}.{module.name}")
    kinds = [kind, *(further for child in kind.__subclasses__() for further in every_page(child))]
    return [each for each in kinds if each.__module__.startswith("looseends_client.")]


def test_every_key_of_every_page_says_what_it_does() -> None:
    pages = every_page()
    assert {MenuScreen, LobbyScreen, RulesPage, ScoreSheet, SettingsPage} < set(pages)
    for page in pages:
        bindings = [binding for binding in page.__dict__.get("BINDINGS", ()) if isinstance(binding, Binding)]
        assert [binding.key for binding in bindings if not binding.description] == [], page
        assert all("question_mark" not in binding.key for binding in bindings) or page is Page
