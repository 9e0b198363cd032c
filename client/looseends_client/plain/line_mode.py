"""The line mode: one person, one connection, one channel of lines. It leads from the lobby to tables and back.

The same `GameClient`, `Visits` and `TableModel` as the screens; what lines say is in the modules beside this one.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Callable, Coroutine, MutableSet

import msgspec

from looseends_client.game_client import (
    NO_ID,
    Connected,
    ConnectionClosed,
    ConnectionEvent,
    ConnectionWasLost,
    GameClient,
    NotConnected,
    RequestRefused,
)
from looseends_client.plain.answers import hand_line, place_lines, table_lines
from looseends_client.plain.asking import Asked, asked_at_table
from looseends_client.plain.at_table import AtTable, Way
from looseends_client.plain.contests import contest_lines
from looseends_client.plain.conversation import Conversation, Ended
from looseends_client.plain.in_hall import Listing
from looseends_client.plain.new_table import NotATable, new_table
from looseends_client.plain.news import News, log_text
from looseends_client.plain.past_games import PastGames
from looseends_client.plain.prompter import Prompter, TurnWarning
from looseends_client.plain.rules_lines import rules_lines
from looseends_client.plain.typed import Command, NotUnderstood, command_in
from looseends_client.plain.vocabulary import EVERY_COMMAND, HALL, HOME, help_lines
from looseends_client.plain.wording import CARD_STYLES, CardStyle, Wording
from looseends_client.seats_held import NOT_TOLD, after_leaving, seat_to_go_back_to, unfinished
from looseends_client.starting import StartAlone, StartLobby
from looseends_client.table_model import Misfit
from looseends_client.table_words import code_text
from looseends_client.unproven_deals import KeepUnproven
from looseends_client.visits import TableWish, Visits
from looseends_protocol.messages import (
    Contest,
    GetContest,
    JoinTable,
    ListTables,
    LobbyChanged,
    Notice,
    Tables,
    WatchTable,
)

CONNECTION_ENDED = 1
"""Exit code where the server ended the connection for good."""
GOODBYE_SECONDS = 2.0
"""How long the word that one steps away may take; the seat is kept without it too."""


class LineMode:
    """The game for one person. `client` is connected already.

    `bots` sit at a table where one plays alone, unless others are named. Every part of it runs in one event loop.
    """

    def __init__(
        self,
        talk: Conversation,
        client: GameClient,
        start: StartAlone | StartLobby,
        *,
        style: CardStyle = "letters",
        bots: tuple[str, ...] = (),
        entropy: Callable[[int], bytes] = secrets.token_bytes,
        keep_unproven: KeepUnproven | None = None,
        muted: MutableSet[str] | None = None,
    ) -> None:
        self._talk = talk
        self._client = client
        self._start = start
        self._bots = bots
        self._keep_unproven = keep_unproven
        self._wording = Wording(style)
        self._visits = Visits(entropy, on_change=self._table_changed, on_lost=self._table_lost, muted=muted)
        self._table: AtTable | None = None
        self._news: News | None = None
        self._listing = Listing()
        self._past_games = PastGames(client, self._wording, alone=self._alone)
        self._page = 0
        self._times_in_hall = 0
        self._is_lost = False
        self._exit_code = 0
        self._prompter = Prompter(talk, self._asks)
        self._warning = TurnWarning(client.clock, self._say_and_ask)
        self._tasks: set[asyncio.Task[None]] = set()
        self._moved = asyncio.Event()
        """Set whenever the table has changed."""

    @property
    def _alone(self) -> bool:
        return isinstance(self._start, StartAlone)

    async def run(self) -> int:
        """Talk until the person goes, nothing more is typed or the connection ends; return the exit code.

        Raises the OSError of a channel that cannot be written to any more. The client stays open, the seat kept.
        """
        self._client.on_push = self._pushed
        self._client.on_event = self._happened
        try:
            await self._begin()
            self._prompter.busy = False
            self._prompter.now()
            while True:
                line = await self._talk.next()
                self._prompter.busy = True
                while self._table is not None and self._table.comes_too_early(line):
                    self._moved.clear()
                    await self._talk.until(self._moved)
                await self._take(line)
                self._prompter.busy = False
                self._prompter.now(after_typing=True)
        except Ended:
            self._prompter.busy = True  # nothing is asked any more
            await self._depart()
        finally:
            self._client.on_push = lambda pushed: None
            self._client.on_event = lambda event: None
            self._warning.follow(None)
            for task in self._tasks:
                task.cancel()
            self._talk.close()
        if self._talk.broken is not None:
            raise self._talk.broken
        return self._exit_code

    def end(self) -> None:
        """End it from outside, as if nothing more were typed."""
        self._talk.end()

    async def _begin(self) -> None:
        welcome = self._client.welcome
        assert welcome is not None, "the client is connected before anything is said"
        self._talk.say("No Loose Ends. Type help for the commands.")
        if isinstance(self._start, StartLobby):
            self._talk.say(f"You are {welcome.name} at {welcome.server}.")
            if self._start.word:
                self._talk.say(self._start.word)
            code = self._start.code or seat_to_go_back_to(welcome)
            if code:
                await self._go((WatchTable if self._start.watch else JoinTable)(NO_ID, code))
        elif unfinished(welcome) is not None:
            self._talk.say("You have a game that is not finished: type go to go on with it, or new for another.")
        elif self._start.wish is not None:
            await self._make(self._start.wish)
        if self._visits.attendance is None:
            await self._enter_hall()

    async def _depart(self) -> None:
        """Step away from the table, so that the others are told, and say how to come back."""
        attendance = self._visits.end()
        if attendance is not None and self._client.online:
            with contextlib.suppress(RequestRefused, NotConnected, TimeoutError):
                async with asyncio.timeout(GOODBYE_SECONDS):
                    await attendance.leave(keep_seat=True)
        welcome = self._client.welcome
        if welcome is not None and attendance is not None:
            welcome = after_leaving(welcome, attendance.model, keep_seat=True)
        if welcome is not None and any(held.phase != "over" for held in welcome.seats):
            way = self._start.come_back if isinstance(self._start, StartLobby) else ""
            self._talk.say(f"Your seat is kept. To come back: {way}" if way else "Your seat is kept.")

    # ── what is typed ───────────────────────────────────────────────────────────────────────────────────────────

    @property
    def _commands(self) -> tuple[Command, ...]:
        if self._table is not None:
            return self._table.commands
        return HOME if self._alone else HALL

    async def _take(self, line: str) -> None:
        """Do what a line says; an empty one only brings the prompt again."""
        if not line:
            return
        try:
            if self._table is not None:
                command, rest = self._table.understood(line)
            else:
                command, rest = command_in(line, self._commands, EVERY_COMMAND)
        except NotUnderstood as error:
            self._talk.say(str(error))
            return
        attendance = self._visits.attendance
        match command.word:
            case "help":
                self._talk.say(*help_lines(self._commands, rest, cards=attendance is not None))
            case "repeat":
                self._talk.say(*(self._talk.repeat() or [self._prompter.asked.words or "Nothing was said."]))
            case "cards":
                self._write_cards(rest)
            case "quit":
                raise Ended
            case "rules":
                self._talk.say(*rules_lines(attendance.model.rules if attendance else None, rest, self._wording))
            case word if self._table is not None:
                way = await self._table.do(word, rest)
                if way is not None:
                    await self._part(way)
            case word:
                await self._do_in_hall(word, rest)

    def _write_cards(self, style: str) -> None:
        begun: list[CardStyle] = [known for known in CARD_STYLES if style and known.startswith(style.casefold())]
        if not begun:
            self._talk.say(f"Type cards and one of {', '.join(CARD_STYLES)}.")
            return
        self._wording.style = begun[0]
        self._talk.say(f"Cards are written like {self._wording.card(23)}.")

    async def _do_in_hall(self, word: str, rest: str) -> None:
        match word:
            case "join" | "watch" | "go":
                await self._choose(word, rest)
            case "new":
                await self._new(rest)
            case "daily":
                await self._daily()
            case "contest":
                await self._contest()
            case "games" | "game" | "numbers" | "ladder":
                self._talk.say(*await self._past_games.lines(word, rest))
            case "page":
                self._page = max(0, int(rest[:3]) - 1) if rest.isascii() and rest.isdigit() else self._page + 1
                await self._list()
            case _:
                await self._list()

    async def _choose(self, word: str, typed: str) -> None:
        held = unfinished(self._client.welcome)
        if word == "go" and not typed and held is not None:
            await self._go(JoinTable(NO_ID, held.code))
            return
        code = self._listing.code_of(typed)
        if code is None:
            self._talk.say(f"Type {word} and the number or the code of a table; list tells them.")
            return
        await self._go(WatchTable(NO_ID, code) if word == "watch" else JoinTable(NO_ID, code))

    async def _new(self, options: str) -> None:
        if not options and isinstance(self._start, StartAlone) and self._start.wish is not None:
            await self._make(self._start.wish)
            return
        try:
            wanted = new_table(options, self._levels, self._bots, alone=self._alone)
        except NotATable as error:
            self._talk.say(str(error))
            return
        wish = wanted.wish
        if wanted.asks_password:
            password = await self._talk.ask_secret("The password of your new table:")
            if not password:
                self._talk.say("No table was opened.")
                return
            wish = msgspec.structs.replace(wish, password=password)
        await self._make(wish)

    async def _daily(self) -> None:
        try:
            await self._visits.play_daily(self._client)
        except (RequestRefused, NotConnected, Misfit) as error:
            self._talk.say(str(error))
        else:
            self._arrived()

    async def _contest(self) -> None:
        try:
            told = await self._client.request(GetContest(NO_ID), Contest)
        except (RequestRefused, NotConnected) as error:
            self._talk.say(str(error))
        else:
            self._talk.say(*contest_lines(told, self._wording))

    @property
    def _levels(self) -> tuple[str, ...]:
        welcome = self._client.welcome
        return tuple(name for name, _ in welcome.levels) if welcome is not None else ()

    # ── to a table and back ─────────────────────────────────────────────────────────────────────────────────────

    async def _make(self, wish: TableWish) -> None:
        try:
            await self._visits.make(self._client, wish)
        except (RequestRefused, NotConnected, Misfit) as error:
            self._talk.say(str(error))
        self._arrived()

    async def _go(self, request: JoinTable | WatchTable) -> None:
        try:
            await self._visits.go(self._client, request)
        except RequestRefused as error:
            self._talk.say(str(error))
            if error.refusal.error == "table/password" and not request.password:
                password = await self._talk.ask_secret("The table's password:")
                if password:
                    await self._go(msgspec.structs.replace(request, password=password))
        except (NotConnected, Misfit) as error:
            self._talk.say(str(error))
        else:
            self._arrived()

    def _arrived(self) -> None:
        attendance = self._visits.attendance
        if attendance is None:
            return
        model, wording = attendance.model, self._wording
        self._table = AtTable(self._talk, attendance, wording, self._levels, alone=self._alone)
        self._news = News(model, wording)
        title = model.title or code_text(model.code)
        self._talk.say(f"You {'watch' if model.seat is None else 'are at'} {title}.")
        if self._table.gathers:
            self._talk.say(*place_lines(model, wording), f"{code_text(model.code)} is the table's code.")
        self._talk.say(*table_lines(model, wording))
        if model.seat is not None and model.state.round and model.phase == "playing":
            self._talk.say(hand_line(model, wording))
        if model.log and model.log[-1].kind == "system" and model.state.round:
            self._talk.say(log_text(model.log[-1], wording))
        self._warning.follow(attendance.model)

    async def _part(self, way: Way) -> None:
        attendance = self._visits.end()
        if attendance is None:
            return
        keep_seat = way is Way.AWAY
        try:
            await attendance.leave(keep_seat=keep_seat)
        except RequestRefused:
            pass  # we were not there any more
        except NotConnected:
            if not keep_seat and attendance.model.seat is not None:
                keep_seat = True
                self._talk.say(NOT_TOLD)
        if self._client.welcome is not None:
            self._client.welcome = after_leaving(self._client.welcome, attendance.model, keep_seat=keep_seat)
        await self._enter_hall()

    async def _enter_hall(self) -> None:
        self._table = self._news = None
        self._warning.follow(None)
        self._times_in_hall += 1
        await self._list()

    async def _list(self) -> None:
        """Tell the tables; those of the lobby are told from then on whenever they change."""
        seats = self._client.welcome.seats if self._client.welcome is not None else ()
        if self._alone:
            self._talk.say(*(self._listing.whole(seats, ()) or ["No game is open: type new to begin one."]))
            return
        try:
            tables = await self._client.request(ListTables(NO_ID, self._page, subscribe=True), Tables)
        except (RequestRefused, NotConnected) as error:
            self._talk.say(str(error))
            return
        self._page = tables.page
        lines = self._listing.whole(seats, tables.tables, tables.page, tables.pages)
        self._talk.say(*(lines or ["No table is open: type new to open one."]))

    # ── what the server and the connection tell ─────────────────────────────────────────────────────────────────

    def _pushed(self, pushed: msgspec.Struct) -> None:
        self._visits.take(pushed)
        if isinstance(pushed, Notice):
            self._talk.say(f"The server says: {pushed.text}")
        elif isinstance(pushed, LobbyChanged) and self._table is None and not self._visits.busy:
            seats = self._client.welcome.seats if self._client.welcome is not None else ()
            self._talk.say(*self._listing.changes(seats, pushed.tables))
        self._prompter.soon()

    def _table_changed(self) -> None:
        self._moved.set()
        attendance = self._visits.attendance
        if attendance is None or self._news is None:
            return
        while attendance.model.unproven:
            entry = attendance.model.unproven.pop(0)
            if self._keep_unproven is not None:
                self._keep_unproven(entry)
        self._talk.say(*self._news.lines())
        self._warning.follow(attendance.model)
        self._prompter.soon()

    def _table_lost(self, text: str) -> None:
        self._moved.set()
        attendance = self._visits.end()
        self._talk.say(text)
        if attendance is not None and self._client.welcome is not None:
            self._client.welcome = after_leaving(self._client.welcome, attendance.model, keep_seat=False)
        self._in_background(self._enter_hall())

    def _happened(self, event: ConnectionEvent) -> None:
        match event:
            case Connected(again=True):
                self._is_lost = False
                self._talk.say("Connected again.")
                attendance = self._visits.attendance
                self._in_background(attendance.come_back() if attendance is not None else self._list())
            case ConnectionWasLost():
                if not self._is_lost:
                    self._talk.say("The connection is lost: trying again until it is back.")
                self._is_lost = True
            case ConnectionClosed(text=text):
                self._talk.say(text.strip() or "The server ended the connection.")
                self._exit_code = CONNECTION_ENDED
                self._talk.end()
            case _:
                pass
        self._prompter.soon()

    def _in_background(self, work: Coroutine[object, object, None]) -> None:
        async def then_prompt() -> None:
            await work
            self._prompter.soon()

        task = asyncio.get_running_loop().create_task(then_prompt())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _say_and_ask(self, line: str) -> None:
        self._talk.say(line)
        self._prompter.soon()

    def _asks(self) -> Asked:
        attendance = self._visits.attendance
        if attendance is not None:
            return asked_at_table(attendance.model, self._wording)
        return Asked("Your games" if self._alone else "Lobby", (0, self._times_in_hall))
