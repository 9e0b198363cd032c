"""The screen of settings: all from the keyboard, at once in force, kept in the file or told why not."""

from __future__ import annotations

import tomllib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from rich.color import ColorSystem

from looseends_client.cards_text import ASCII_FACES
from looseends_client.painting import look_of
from looseends_client.screens.menu import MenuScreen
from looseends_client.screens.settings import AskSetting, SettingsPage
from looseends_client.screens.table import TableScreen
from looseends_client.settings import SETTINGS, Settings
from looseends_client.settings_file import find_settings
from looseends_client.starting import AppSettings, StartAlone
from looseends_client.terminal_abilities import Abilities
from tests.client.on_screen import OnScreen, alone, opened, seated_before_the_screen

KEYS = list(SETTINGS)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "settings.toml"


@asynccontextmanager
async def at_the_settings(
    file: Path | None, *, size: tuple[int, int] = (80, 24), environment: dict[str, str] | None = None
) -> AsyncIterator[OnScreen]:
    """Open the settings from the menu."""
    found = None if file is None else find_settings(file, environment or {})
    settings = AppSettings(Settings() if found is None else found.settings, found)
    async with (
        opened() as (house, clock),
        seated_before_the_screen(house, clock, StartAlone(None), size=size, settings=settings) as on,
    ):
        await on.press("s")
        assert isinstance(on.app.screen, SettingsPage)
        yield on


async def choose(on: OnScreen, key: str) -> None:
    """Go to a setting, from the first."""
    await on.press(*["down"] * KEYS.index(key))


def write(file: Path, text: str) -> None:
    file.write_text(text, "utf-8")


def text_of(file: Path) -> str:
    """Return what the file holds, empty where there is none."""
    return file.read_text("utf-8") if file.exists() else ""


def kept(file: Path) -> dict[str, object]:
    return tomllib.loads(text_of(file))


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
async def test_every_setting_is_listed_with_its_value_its_sentence_and_its_default(
    file: Path, size: tuple[int, int]
) -> None:
    async with at_the_settings(file, size=size) as on:
        for key, setting in SETTINGS.items():
            assert key.replace("_", " ") in on.text
            words = " ".join(on.text.split())
            assert setting.sentence in words
            assert all(len(line) <= size[0] for line in on.lines)
            await on.press("down")
        assert "Usually: looseends-dark" in on.text
        assert text_of(file) == ""
        await on.press("q")
        assert isinstance(on.app.screen, MenuScreen)


async def test_in_a_small_window_the_chosen_setting_is_among_those_that_are_shown(file: Path) -> None:
    async with at_the_settings(file, size=(40, 12)) as on:
        for key in KEYS:
            assert any(line.startswith(f" ▶ {key.replace('_', ' ')}") for line in on.lines)
            await on.press("down")


async def test_a_choice_turns_with_the_arrows_holds_at_once_and_is_kept(file: Path) -> None:
    write(file, "# mine\nunknown = 1\n")
    async with at_the_settings(file) as on:
        await choose(on, "alerts")
        await on.press("right")
        assert on.app.own.alerts == "notify"
        assert kept(file) == {"unknown": 1, "alerts": "notify"}
        assert "Kept." in on.text
        await on.press("right", "left", "left", "enter")
        assert kept(file)["alerts"] == "notify"
        await on.press("d")
        assert kept(file)["alerts"] == "bell"
        assert text_of(file).startswith("# mine\n")


async def test_a_theme_is_seen_at_once_and_remembered(file: Path) -> None:
    async with at_the_settings(file) as on:
        assert on.app.theme == "looseends-dark"
        await on.press("right")
        assert on.app.theme == "looseends-light"
        await on.press("left", "left")
        assert on.app.theme == on.app.themes()[-1]
        await on.press("right", "right")
        assert kept(file) == {"theme": "looseends-light"}
    async with at_the_settings(file) as again:
        assert again.app.theme == "looseends-light"
        assert set(again.app.themes()) == set(again.app.available_themes)


async def test_what_has_too_many_values_is_typed(file: Path) -> None:
    async with at_the_settings(file) as on:
        await choose(on, "phrases")
        await on.press("enter")
        assert isinstance(on.app.screen, AskSetting)
        await on.press("ctrl+u", "ctrl+k")
        await on.type("hm, hm|ah")
        await on.press("enter")
        assert isinstance(on.app.screen, SettingsPage)
        assert on.app.own.phrases == ("hm, hm", "ah")
        assert kept(file) == {"phrases": ["hm, hm", "ah"]}


async def test_a_name_may_be_emptied_and_esc_changes_nothing(file: Path) -> None:
    write(file, 'name = "ann"\n')
    async with at_the_settings(file) as on:
        await choose(on, "name")
        await on.press("enter", "escape")
        assert kept(file) == {"name": "ann"}
        await on.press("enter", "ctrl+u", "ctrl+k", "enter")
        assert kept(file) == {"name": ""}


async def test_what_cannot_be_is_told_with_what_was_expected_and_nothing_changes(file: Path) -> None:
    async with at_the_settings(file) as on:
        await choose(on, "trick_pause")
        await on.press("enter", "ctrl+u", "ctrl+k")
        await on.type("99")
        await on.press("enter")
        assert "trick_pause must be a number from 0 to 60, not 99.0." in on.text
        assert on.app.own.trick_pause == 1.6
        assert text_of(file) == ""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("mouse = maybe\n", "settings.toml, line 1: this is not TOML (Invalid value)"),
        ("\ntrick_pause = 99\n", "settings.toml, line 2: trick_pause must be a number from 0 to 60, not 99"),
    ],
)
async def test_a_file_with_a_fault_is_told_and_never_written_but_a_change_holds_for_now(
    file: Path, text: str, said: str
) -> None:
    write(file, text)
    async with at_the_settings(file) as on:
        assert said in " ".join(on.text.split())
        await choose(on, "alerts")
        await on.press("right")
        words = " ".join(on.text.split())
        assert "alerts: notify. It holds until you leave. Not kept, because the file has a fault: " in words
        assert said in words
        assert on.app.own.alerts == "notify"
        assert text_of(file) == text


async def test_what_wins_over_the_file_is_named(file: Path) -> None:
    async with at_the_settings(file, environment={"NO_COLOR": "1", "LOOSEENDS_ALERTS": "none"}) as on:
        await choose(on, "colours")
        assert "NO_COLOR says so for this run, whatever the file says." in on.text
        await choose(on, "suits")
        await on.press("down", "down", "down", "down")


async def test_where_nothing_is_kept_a_change_lasts_as_long_as_the_program() -> None:
    async with at_the_settings(None) as on:
        await choose(on, "alerts")
        await on.press("right")
        assert "It holds until you leave." in on.text
        assert on.app.own.alerts == "notify"


async def test_keys_are_left_to_the_file(file: Path) -> None:
    write(file, '[keys]\npass = "n"\n')
    async with at_the_settings(file) as on:
        await choose(on, "keys")
        assert "1 of your own" in on.text
        await on.press("enter", "right", "d")
        assert isinstance(on.app.screen, SettingsPage)
        # A path that is longer than the room for it is cut at its end.
        assert str(file)[:50] in "".join(on.text.split("\n")).replace("  ", "")
        assert kept(file) == {"keys": {"pass": "n"}}


async def test_a_theme_that_does_not_exist_is_told_with_its_line(file: Path) -> None:
    write(file, 'mouse = true\ntheme = "nope"\n')
    async with at_the_settings(file) as on:
        assert on.app.theme == "looseends-dark"
        assert on.app.faults[0].startswith("settings.toml, line 2: there is no theme 'nope'; looseends-dark stands.")


async def test_letters_alone_hold_at_the_table_at_once() -> None:
    async with alone() as on:
        await on.watch_out()
        assert "♦" in on.text or "♥" in on.text
        on.app.change_setting("suits", "letters")
        await on.settle()
        assert isinstance(on.app.screen, TableScreen)
        assert on.screen.scene.faces == ASCII_FACES
        assert on.text.isascii()
        on.app.change_setting("suits", "auto")
        await on.settle()
        assert not on.text.isascii()


async def test_without_colour_dim_and_reverse_stand_for_it_and_no_style_is_a_colours_alone() -> None:
    settings = AppSettings(Settings(trick_pause=0, colours="mono"), abilities=Abilities(colours="true"))
    async with alone(settings=settings) as on:
        await on.watch_out()
        await on.press("right")
        styles = [segment.style for strip in on.strips for segment in strip if segment.style and segment.text.strip()]
        assert any(style.dim for style in styles)
        assert any(style.reverse for style in styles)
        assert (on.app.colour_depth, on.app.no_color) == ("mono", True)
        on.app.change_setting("colours", "auto")
        assert (on.app.colour_depth, on.app.no_color) == ("true", False)


async def test_themes_can_be_drawn_in_every_depth_and_hide_no_text(file: Path) -> None:
    """Of Textual's own, every fourth: all of them take seconds."""
    async with alone(settings=AppSettings(Settings(trick_pause=0), find_settings(file, {}))) as on:
        await on.watch_out()
        await on.press("right")
        themes = [*on.app.themes()[:2], *on.app.themes()[2::4]]
        for theme in themes:
            on.app.theme = theme
            await on.settle()
            for strip in on.strips:
                for text, style, _ in strip:
                    if style is None or style.color is None or style.bgcolor is None or not text.strip(" ─│╭╮╰╯╌╎"):
                        continue
                    for system in ColorSystem.TRUECOLOR, ColorSystem.EIGHT_BIT:
                        colour, behind = style.color.downgrade(system), style.bgcolor.downgrade(system)
                        assert colour != behind or colour.is_default, (theme, text, colour, behind)
                    look = look_of(style, ColorSystem.STANDARD)
                    same = look.foreground.isdigit() and look.background == str(int(look.foreground) + 10)
                    assert not same or look.foreground == "39", (theme, text, look)
        assert kept(file) == {"theme": themes[-1]}


async def test_the_pause_after_a_trick_holds_for_the_table_that_one_sits_at() -> None:
    async with alone() as on:
        await on.watch_out()
        assert on.screen.trick_pause == 0
        on.app.change_setting("trick_pause", 2.5)
        assert on.screen.trick_pause == 2.5
        on.screen.trick_pause = 1e9
        on.app.change_setting("trick_pause", 1.0)
        assert on.screen.trick_pause == 1e9


async def test_pages_glide_only_where_that_is_wanted_and_the_line_is_quick() -> None:
    own = Settings(animation=True)
    levels: list[str] = []
    async with alone(settings=AppSettings(own)) as on:
        levels.append(on.app.animation_level)
        on.app.change_setting("animation", False)
        levels.append(on.app.animation_level)
    assert levels == ["full", "none"]
    async with alone(settings=AppSettings(own, abilities=Abilities(animation=False))) as on:
        assert on.app.animation_level == "none"


async def test_the_mouse_is_switched_at_the_table_and_that_is_told_where_it_covers_nothing(file: Path) -> None:
    async with alone(settings=AppSettings(Settings(trick_pause=0), find_settings(file, {}))) as on:
        await on.watch_out()
        hand = on.lines[20:23]
        on.app.action_switch_mouse()
        await on.until_shown("* mouse: off. Kept.")
        assert on.lines[20:23] == hand
        assert (on.app.mouse_is_on, kept(file)) == (False, {"mouse": False})
        on.app.action_settings()
        await on.settle()
        assert isinstance(on.app.screen, SettingsPage)
        on.app.action_settings()
        await on.press("q")
        assert isinstance(on.app.screen, TableScreen)
