"""What somebody who came in does: their settings, their client, their way to the table, their app or their lines.

It ends with an exit code and leaves the terminal as it found it. Whether they may come in is `admission`'s business.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

import structlog

from looseends_client.arrival import NotLetIn, arrive
from looseends_client.game_client import NO_ID, GameClient, NotConnected, RequestRefused
from looseends_client.muted_people import MutedPeople
from looseends_client.settings import Settings, ValueRefused, from_text
from looseends_client.settings_file import FileBarred, find_settings, keep_setting
from looseends_client.ssh.driver import sensible_size
from looseends_client.ssh.line import TypedLines
from looseends_client.ssh.words import Errand
from looseends_client.starting import AppSettings, StartLobby
from looseends_client.terminal_abilities import abilities_of
from looseends_protocol.limits import NAME_LENGTH
from looseends_protocol.messages import CodeMade, MakeCode
from looseends_protocol.people_text import NameInvalid, person_name, visible

if TYPE_CHECKING:
    from looseends_client.plain.line_mode import LineMode
    from looseends_client.ssh.door import Door
    from looseends_client.ssh.door_app import DoorApp
    from looseends_client.ssh.session import DoorSession

log = structlog.get_logger()

NO_TERMINAL = "There is no terminal to draw on here: ssh -t HOST draws on yours, ssh HOST plain plays in lines of text."
DUMB_TERMINAL = "A terminal that says of itself TERM={term} cannot be drawn on: ssh HOST plain plays in lines of text."
LINK_NEEDS_KEY = "link ties the key that you log in with, and you came without one: see ssh-keygen and ssh-add."
SETTINGS_NEED_KEY = "Settings are kept for a key, and you came without one: see ssh-keygen and ssh-add."
PASSWORD_HOUSE = (
    "It cannot be asked for over SSH: join once with `looseends join`, then let `looseends identity link` tie your key."
)
CANNOT_ENTER = 1
WORDS_WRONG = 2
NAME_TRIES = 5
"""How often another name is taken where the one before went to somebody else in that moment."""


class Visit:
    """One errand of one person. `take` is what their terminal's bytes are handed to, None while nothing listens."""

    def __init__(self, door: Door, session: DoorSession, errand: Errand) -> None:
        self._door = door
        self._session = session
        self._errand = errand
        self._app: DoorApp | None = None
        self._farewell = ""
        self.typed: TypedLines | None = None
        """The lines of text that are typed, where there is no app."""
        self._mode: LineMode | None = None

    @property
    def take(self) -> Callable[[bytes], None] | None:
        """What the terminal's bytes are for at the moment."""
        if self.typed is not None:
            return self.typed.take
        driver = self._app.line_driver if self._app is not None else None
        return driver.receive if driver is not None else None

    def resize(self, columns: int, rows: int) -> None:
        """Take another size of the terminal."""
        if self._app is not None and (driver := self._app.line_driver) is not None:
            driver.resize(columns, rows)

    def resumed(self) -> None:
        """The line takes something again."""
        if self._app is not None and (driver := self._app.line_driver) is not None:
            driver.resumed()

    def end(self, sentence: str = "") -> bool:
        """End the app or the lines; False where there are none, so that whoever waits has to be told otherwise."""
        if self._app is not None and self._app.is_running:
            self._farewell = sentence or self._farewell
            self._app.exit()
            return True
        if self._mode is not None:
            if sentence:
                self._session.tell(sentence)
            self._mode.end()
            return True
        return False

    # ── the way in ───────────────────────────────────────────────────────────────────────────────────────────────

    async def run(self) -> int:
        """Do the errand and return its exit code."""
        session, keeper, errand = self._session, self._session.keeper, self._errand
        if errand.settings:
            return self._keep_settings()
        if errand.link and not keeper.key:
            session.tell(LINK_NEEDS_KEY)
            return CANNOT_ENTER
        if not errand.plain and not self._only_links and (refusal := self._refusal()):
            session.tell(refusal)
            return CANNOT_ENTER
        admission = self._door.admission
        host = keeper.key in self._door.settings.admin_keys
        if refusal := admission.session_begins(keeper.address, keeper.key, host=host):
            log.info("session turned away", address=keeper.address, why=refusal)
            session.tell(refusal)
            return CANNOT_ENTER
        try:
            wait = 0.0 if host else admission.seconds_to_wait(asyncio.get_running_loop().time())
            if wait is None:
                session.tell(self._door.too_fast)
                return CANNOT_ENTER
            if wait > 0:
                await asyncio.sleep(wait)
            return await self._enter()
        finally:
            admission.session_ends(keeper.address, keeper.key)
            self._door.left_behind.one_left(admission.inside)
            log.info("left", address=keeper.address, inside=admission.inside)

    @property
    def _only_links(self) -> bool:
        """Whether the errand is done once the key is tied, because there is no terminal for more."""
        return self._errand.link and not self._errand.plain and not self._session.has_terminal

    def _refusal(self) -> str:
        """Return why nothing can be drawn there; empty where something can."""
        if not self._session.has_terminal:
            return NO_TERMINAL
        if self._session.term.lower() in ("", "dumb", "unknown"):
            return DUMB_TERMINAL.format(term=ascii(self._session.term)[1:-1] or "''")
        return ""

    async def _enter(self) -> int:
        errand = self._errand
        keeper = self._session.keeper
        client = self._door.client_for(keeper.address, keeper.key, self._proposed_name(), errand.way_back)
        try:
            word = await self._let_in(client)
            if errand.link:
                client.way_back = ""  # it works once; from here on the key says who they are
            if self._only_links:
                self._session.tell(self._words(client, word))
                return 0
            come_back = await self._way_back(client)
            start = StartLobby(
                errand.code, come_back=come_back, word=self._words(client, word), watch=errand.place == "watch"
            )
            code = await (self._play_in_lines(client, start) if errand.plain else self._play(client, start))
        except NotLetIn as refusal:
            more = f" {PASSWORD_HOUSE}" if refusal.code == "hello/password" else ""
            self._session.tell(f"{visible(str(refusal))}{more}")
            return CANNOT_ENTER
        finally:
            await client.close()
        if self._farewell:
            self._session.tell(self._farewell)
        return code

    def _proposed_name(self) -> str:
        """Return the name of the login where it can be one, else `guest`."""
        try:
            return person_name(self._session.keeper.user[:NAME_LENGTH])
        except NameInvalid:
            return "guest"

    async def _let_in(self, client: GameClient) -> str:
        """Say hello, under another name where the proposed one is somebody else's; a sentence about that, or nothing.

        Raises NotLetIn.
        """
        wished = client.name
        for tried in range(NAME_TRIES):
            try:
                word = await arrive(client, "The server")
            except NotLetIn as refusal:
                if refusal.code == "name/taken" and refusal.suggestion and tried < NAME_TRIES - 1:
                    client.call_me(refusal.suggestion)
                    continue
                raise
            taken = client.name != wished and not self._errand.way_back and self._is_new(client)
            return f"{word} {wished} is somebody else here, so you are {client.name}.".strip() if taken else word
        raise AssertionError("the last try returns or raises")

    @staticmethod
    def _is_new(client: GameClient) -> bool:
        return client.welcome is not None and bool(client.welcome.token)

    def _words(self, client: GameClient, word: str) -> str:
        if self._errand.link:
            return f"This key is {visible(client.name)}'s from now on. {word}".strip()
        return word

    async def _way_back(self, client: GameClient) -> str:
        """Return the command that brings this person back: by their key, or for a guest by a code."""
        door, keeper = self._door, self._session.keeper
        reached, plain = door.reached_under(keeper.local_address), self._errand.plain
        if keeper.key and not (self._errand.way_back and not self._errand.link):
            return f"ssh {reached} plain" if plain else f"ssh {reached}"
        code = self._errand.way_back
        if not code:
            try:
                code = (await client.request(MakeCode(NO_ID, "back"), CodeMade)).way_back
            except (RequestRefused, NotConnected):
                return ""  # there is none this time
            client.way_back = code
        back = f"ssh {reached} plain back {code}" if plain else f"ssh -t {reached} back {code}"
        self._farewell = f"Your way back: {back}"
        return back

    # ── what they came for ───────────────────────────────────────────────────────────────────────────────────────

    async def _play(self, client: GameClient, start: StartLobby) -> int:
        from looseends_client.ssh.door_app import DoorApp
        from looseends_client.ssh.session import FAILED

        session = self._session
        assert session.line is not None
        settings = self._app_settings()
        app = DoorApp(client, start, settings=settings, line=session.line, typed=session.early(), muted=self._muted())
        self._app = app
        self._door.apps.add(app)
        try:
            mouse = settings.abilities.mouse and settings.own.mouse
            await app.run_async(size=sensible_size(*session.size), mouse=mouse)
            if app.failed:
                self._farewell = " ".join(filter(None, (FAILED, self._farewell)))
            return app.return_code or 0
        finally:
            self._app = None

    async def _play_in_lines(self, client: GameClient, start: StartLobby) -> int:
        from looseends_client.plain.conversation import Conversation
        from looseends_client.plain.line_mode import LineMode

        assert self.typed is not None
        self._mode = LineMode(Conversation(self.typed), client, start, muted=self._muted())
        try:
            return await self._mode.run()
        except OSError:
            return 0  # nobody reads any more
        finally:
            self._mode = None

    # ── settings of a key ────────────────────────────────────────────────────────────────────────────────────────

    def _app_settings(self) -> AppSettings:
        """Return with what the app begins: what is kept for a key, on a terminal that says so much of itself."""
        session = self._session
        file = self._door.settings_file(session.keeper.key)
        found = find_settings(file, {}) if file is not None else None
        own = found.settings if found is not None else Settings()
        abilities = abilities_of(session.environment)
        return AppSettings(
            own=own,
            found=found,
            abilities=abilities,
            stream_encoding="utf-8" if abilities.unicode else "ascii",
            served_to_strangers=True,
        )

    def _muted(self) -> MutedPeople | None:
        """Return whom the owner of this key has muted; nobody is kept for a guest."""
        file = self._door.settings_file(self._session.keeper.key)
        return None if file is None else MutedPeople(file.with_suffix(".muted"))

    def _keep_settings(self) -> int:
        session = self._session
        file = self._door.settings_file(session.keeper.key)
        if file is None:
            session.tell(SETTINGS_NEED_KEY)
            return CANNOT_ENTER
        for key, text in self._errand.settings:
            try:
                keep_setting(file, key, from_text(key, text))
            except KeyError:
                session.tell(f"There is no setting {key!a}.")
                return WORDS_WRONG
            except (ValueRefused, FileBarred) as error:
                session.tell(visible(str(error)))
                return WORDS_WRONG
            session.tell(f"Kept for your key: {key} = {visible(text)}")
        return 0
