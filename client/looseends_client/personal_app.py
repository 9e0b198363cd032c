"""An app as one person has set it up: theme, faces, colours, mouse. What is shown in it is not decided here."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from textual.events import Event, Key, MouseDown, Paste
from textual.filter import ANSIToTruecolor, LineFilter, Monochrome, NoColor

from looseends_client.alerts import Occasions, Presence, alert_sequence, wanted
from looseends_client.cards_text import ASCII_FACES, UNICODE_FACES, Faces
from looseends_client.mouse_reports import switch_mouse
from looseends_client.settings import Settings, as_text, checked
from looseends_client.settings_file import Fault, FileBarred, fault_at, fault_words, keep_setting
from looseends_client.starting import AppSettings
from looseends_client.table_keys import TableKeys, keys_in_force
from looseends_client.table_model import TableModel
from looseends_client.themes import DARK, OUR_THEMES, suit_colours
from looseends_client.thrifty_app import ThriftyApp
from looseends_client.widgets.letters_alone import LettersAlone
from looseends_client.widgets.lines import Lines


class PersonalApp(ThriftyApp[None]):
    """An app that looks and behaves as a person's settings say, and as far as their terminal can.

    `change_setting` is the one way in which a setting changes while it runs.
    """

    def __init__(self, settings: AppSettings | None = None) -> None:
        self.settings = settings or AppSettings()
        self.faces: Faces = UNICODE_FACES
        self._letters_alone: LettersAlone | None = None
        self._more_faults: list[Fault] = []
        self.table_keys = TableKeys()
        self._sets_up = False
        self._faults_told = False
        self._presence = Presence()
        self._occasions = Occasions()
        self._clock = time.monotonic
        super().__init__()
        # Textual takes the process's own environment for the terminal's, and greys for no colour.
        self._filters = [kept for kept in self._filters if not isinstance(kept, Monochrome | NoColor)]
        self.use_command_palette = not self.settings.served_to_strangers
        for theme in OUR_THEMES:
            self.register_theme(theme)
        self._set_up(self.settings.own)

    @property
    def own(self) -> Settings:
        """The settings that hold now."""
        return self.settings.own

    @property
    def faults(self) -> list[str]:
        """What is wrong with the person's settings, a line each; empty where all is well."""
        found = self.settings.found
        faults = [*(found.faults if found is not None else ()), *self._more_faults]
        return [fault_words(found.file, fault) for fault in faults] if found is not None else []

    def _set_up(self, own: Settings) -> None:
        self._sets_up = True
        settings = self.settings
        self.colour_depth = settings.depth
        self.no_color = settings.depth == "mono"
        self.animation_level = "full" if own.animation and settings.abilities.animation else "none"
        self.table_keys, refused = keys_in_force(own.keys)
        self.set_keymap(self.table_keys.changed())
        for key in refused:
            self._tell_fault(key.name, key.sentence, under="keys")
        self.faces = ASCII_FACES if settings.ascii_faces else UNICODE_FACES
        self._letters_alone = LettersAlone(settings.encoding) if settings.ascii_faces else None
        if own.theme in self.available_themes:
            self.theme = own.theme
        else:
            self.theme = DARK
            self._tell_fault("theme", f"there is no theme {own.theme!r}; {DARK} stands. The settings list all themes.")
        self._sets_up = False

    def _tell_fault(self, key: str, sentence: str, *, under: str = "") -> None:
        if self.settings.found is not None:
            self._more_faults.append(fault_at(self.settings.found.file, key, sentence, under=under))

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Return the suits' colours, for Textual's own themes."""
        return suit_colours(self.current_theme.dark if self.theme in self.available_themes else True)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return what every painted line goes through."""
        filters = super().get_line_filters()
        if self.colour_depth == "mono":  # in which dim is an attribute and no colour
            filters = [kept for kept in filters if not isinstance(kept, ANSIToTruecolor)]
        return filters if self._letters_alone is None else [*filters, self._letters_alone]

    def _set_pointer_shape(self, shape: str) -> None:
        # Textual asks every terminal for it, old ones among them, which would print what they are asked.
        pass

    # ── changing ────────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def mouse_is_on(self) -> bool:
        """Whether the terminal reports the mouse."""
        return self.own.mouse and self.settings.abilities.mouse

    def change_setting(self, key: str, value: Any) -> str:
        """Let a setting hold from now on, and keep it in the file; return in a sentence what became of it.

        Raises ValueRefused where the setting cannot have this value.
        """
        value = checked(key, list(value) if isinstance(value, tuple) else value)
        had_mouse = self.mouse_is_on
        before = self.own
        self.settings = msgspec.structs.replace(
            self.settings, own=msgspec.structs.replace(self.settings.own, **{key: value})
        )
        self._more_faults = []
        self._set_up(self.settings.own)
        if self.mouse_is_on != had_mouse and self._driver is not None:
            switch_mouse(self._driver, self.mouse_is_on)
        self._redraw_all()
        for screen in self.screen_stack if self.is_running else ():
            if getattr(screen, "trick_pause", None) == before.trick_pause:  # a lesson has a pause of its own
                setattr(screen, "trick_pause", self.own.trick_pause)  # noqa: B010
        return self._keep(key, value)

    def _keep(self, key: str, value: Any) -> str:
        shown = f"{key}: {as_text(key, value) or 'nothing'}."
        found = self.settings.found
        if found is None:
            return f"{shown} It holds until you leave."
        if key in found.won_over:
            won = f" {found.won_over[key]} wins over the file at the next start."
        else:
            won = ""
        try:
            keep_setting(found.file, key, value)
        except FileBarred as barred:
            return f"{shown} It holds until you leave. {barred}"
        return f"{shown} Kept.{won}"

    def _redraw_all(self) -> None:
        """Show every screen anew, with the faces and colours that hold now."""
        if not self.is_running:
            return
        for screen in self.screen_stack:
            for lines in screen.query(Lines):
                for owner in (lines, getattr(lines, "scene", None)):
                    if isinstance(getattr(owner, "faces", None), Faces):
                        setattr(owner, "faces", self.faces)  # noqa: B010  # of whatever draws with faces
                lines.notify_style_update()
                lines.redraw()
        self.refresh_css(animate=False)
        self.refresh(layout=True)

    def watch_theme(self, theme: str) -> None:
        """Remember a theme that was chosen elsewhere than among the settings, such as in the command palette."""
        if not self._sets_up and self.is_running and theme != self.own.theme:
            self.say_aside(self.change_setting("theme", theme))

    def action_switch_mouse(self) -> None:
        """Switch the mouse on or off; off, the terminal's own selection of text works."""
        word = self.change_setting("mouse", not self.own.mouse)
        self.say_aside(word)

    def say_aside(self, text: str) -> None:
        """Show a sentence about the program, which no table is told of."""
        self.notify(text, timeout=6, markup=False)

    @property
    def fault_words(self) -> str:
        """What is wrong with the settings, in one line; empty where all is well."""
        faults = self.faults
        more = f" And {len(faults) - 1} more: the settings tell." if len(faults) > 1 else ""
        return f"{faults[0]}{more}" if faults else ""

    def fault_words_once(self) -> str:
        """Return the same, and nothing the next time."""
        words, self._faults_told = "" if self._faults_told else self.fault_words, True
        return words

    # ── calling somebody who looks elsewhere ────────────────────────────────────────────────────────────────────

    def alert_about(self, model: TableModel, *, alone: bool) -> None:
        """Call the person for what has come about at a table, where they want that and do not look at it.

        Among bots of their own, `alone`, nobody waits for them.
        """
        occasion = self._occasions.look(model)
        if occasion is None or alone or not wanted(occasion, self.own) or self._driver is None:
            return
        if not self._presence.looks(self._clock()):
            self._driver.write(alert_sequence(occasion, self.own.alerts, self.settings.abilities.notice))
            self._driver.flush()

    def on_app_focus(self) -> None:
        """Take notice that the person looks at the window."""
        self._presence.focused = True

    def on_app_blur(self) -> None:
        """Take notice that the person looks elsewhere."""
        self._presence.focused = False

    async def on_event(self, event: Event) -> None:
        """Take notice of what the person does, and pass it on."""
        if isinstance(event, Key | MouseDown | Paste):
            self._presence.typed(self._clock())
        await super().on_event(event)

    # ── what the screen of settings asks ────────────────────────────────────────────────────────────────────────

    @property
    def where_kept(self) -> str:
        """The file's place, empty where nothing is kept."""
        found = self.settings.found
        if found is None:
            return ""
        with contextlib.suppress(ValueError, RuntimeError):  # not in the home folder, or there is none
            return f"~/{found.file.relative_to(Path.home())}"
        return str(found.file)

    def won_over(self, key: str) -> str:
        """What wins over the file for a setting, empty where nothing does."""
        found = self.settings.found
        return found.won_over.get(key, "") if found is not None else ""

    def themes(self) -> list[str]:
        """The names of all themes, the table's own first."""
        own = [theme.name for theme in OUR_THEMES]
        return own + sorted(name for name in self.available_themes if name not in own and name != "textual-ansi")

    def action_settings(self) -> None:
        """Show the settings."""
        from looseends_client.screens.settings import SettingsPage

        if not isinstance(self.screen, SettingsPage):
            self.push_screen(SettingsPage(self))
